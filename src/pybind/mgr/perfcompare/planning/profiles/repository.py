"""Profiles of operators: kept in the mon store, beside the built-in ones.

The text is kept as it was given, so that it comes back with its comments,
and is read by whichever version of the module uses it: what another one
stored is either understood or told. texts.py has how it is kept.
"""

from typing import List, Optional

import dataclasses
import functools
import threading

from ...common.errors import AlreadyExists, InvalidArgument, NotFound
from ...common.printable import message, printable, shown
from ...common.version import VERSION
from ...model.workload import Profile
from ...ports.keys import KeyValueStore
from . import catalog
from .texts import MOST, ProfileTexts, parse


@dataclasses.dataclass(frozen=True)
class ProfileEntry(Profile):
    """List one profile; ``problem`` says why it cannot be used, if so."""

    problem: str = ''


class ProfileRepository:
    """Set, find, list, export and remove profiles."""

    def __init__(self, store: KeyValueStore) -> None:
        self._texts = ProfileTexts(store)
        self._creating = threading.Lock()

    def list(self) -> List[ProfileEntry]:
        """Return all profiles by name, also those that cannot be used.

        One that was set before a version of the module had a built-in one
        of its name stays what it was.
        """
        entries = {n: _entry(p) for n, p in catalog.builtin().items()}
        for name, kept in self._texts.entries().items():
            try:
                entries[name] = _entry(self._read(name, kept))
            except InvalidArgument as error:
                entries[name] = ProfileEntry(
                    name, '', 0, (), '', problem=error.message
                )
        return [entries[name] for name in sorted(entries)]

    def get(self, name: str) -> Profile:
        """Return a profile; NotFound lists those there."""
        stored = self._stored(name)
        if stored is None:
            return catalog.get(name)
        return self._read(name, stored)

    def create(self, name: str, text: Optional[str]) -> Profile:
        """Define a profile as `set` does; AlreadyExists when it is set."""
        with self._creating:
            if name in self._texts.entries():
                raise AlreadyExists(
                    f'profile {name!r} exists; change it with PUT'
                )
            return self.set(name, text)

    def set(self, name: str, text: Optional[str]) -> Profile:
        """Define or redefine a profile by its YAML text.

        Raises AlreadyExists for the name of a built-in one, and
        InvalidArgument for a text that cannot be used or kept.
        """
        if name in catalog.builtin():
            raise AlreadyExists(
                f'profile {name!r} is built in; give another name'
            )
        if not catalog.is_name(name):
            raise InvalidArgument(
                f'profile: name {shown(name)} {catalog.NAME_RULE}'
            )
        if not text or not text.strip():
            raise InvalidArgument(
                f'profile {name!r}: the file is missing or empty; give one '
                'with -i, for example what `ceph perfcompare profile export '
                'quick` prints'
            )
        text = text.replace('\r\n', '\n').rstrip('\n')
        profile = catalog.load(text, name=name, strict=True)
        plain = text.replace('\t', ' ')
        if printable(plain) != plain:
            raise InvalidArgument(
                f'profile {name!r}: the text has control characters or marks '
                'of text direction; remove them'
            )
        self._texts.write(name, text)
        return profile

    def export(self, name: str) -> str:
        """Return the YAML text of a profile, of built-in ones too."""
        stored = self._stored(name)
        if stored is None:
            return catalog.text_of(name)
        # what this version cannot use can still be taken elsewhere
        return self._texts.read(name, stored)

    def remove(self, name: str) -> None:
        """Forget a profile; stored runs keep what they ran.

        Raises NotFound, or InvalidArgument for a built-in one.
        """
        if self._stored(name) is None:
            raise InvalidArgument(
                f'profile {name!r} is built in and cannot be removed'
            )
        self._texts.remove(name)

    def _stored(self, name: str) -> Optional[str]:
        """Return what is kept of a name, None for a built-in profile."""
        found = None
        if catalog.is_name(name):
            found = self._texts.entry(name)
        if found is None and name not in catalog.builtin():
            known = {*catalog.builtin(), *self._texts.entries()}
            raise NotFound(
                f'profile {shown(name)} does not exist; profiles: '
                + ', '.join(sorted(known))
            )
        return found

    def _read(self, name: str, stored: str) -> Profile:
        """Return a stored profile; say so when another version wrote it."""
        text = self._texts.read(name, stored)
        try:
            return _loaded(name, text)
        except InvalidArgument as error:
            module = parse(name, stored).module
            if module == VERSION:
                raise
            raise InvalidArgument(
                message(
                    f'{error.message} (it was set by version '
                    f'{shown(module)} of the module, this is {VERSION}; '
                    f'set it again: ceph perfcompare profile set {name})'
                )
            ) from None


@functools.lru_cache(maxsize=MOST)
def _loaded(name: str, text: str) -> Profile:
    """Return the profile of a text; a long one takes a second to read."""
    return catalog.load(text, name=name)


def _entry(profile: Profile) -> ProfileEntry:
    return ProfileEntry(
        **{
            f.name: getattr(profile, f.name)
            for f in dataclasses.fields(Profile)
        }
    )
