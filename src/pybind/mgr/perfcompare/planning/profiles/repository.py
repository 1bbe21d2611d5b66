"""Profiles of operators: kept in the mon store, beside the built-in ones.

The text is kept as it was given, so that it comes back with its comments,
and is read anew at each use: what another version of the module stored is
either understood or told.
"""

from typing import List, Optional

import base64
import binascii
import dataclasses
import json
import zlib

from ...common.codec import from_data, to_data
from ...common.errors import AlreadyExists, InvalidArgument, NotFound
from ...common.printable import message, printable, shown
from ...common.version import VERSION
from ...model.workload import Profile
from ...ports.keys import KeyValueStore
from . import catalog

PREFIX = 'profile/'
MOST = 64  # own profiles
LONGEST = 3900  # bytes of an entry: the mon store loses values of 4 KiB


@dataclasses.dataclass(frozen=True)
class ProfileEntry(Profile):
    """List one profile; ``problem`` says why it cannot be used, if so."""

    problem: str = ''


@dataclasses.dataclass(frozen=True)
class _Kept:
    text: str  # YAML, compressed, in base64
    module: str  # version that stored it


class ProfileRepository:
    """Set, find, list, export and remove profiles."""

    def __init__(self, store: KeyValueStore) -> None:
        self._store = store

    def list(self) -> List[ProfileEntry]:
        """Return all profiles by name, also those that cannot be used.

        One that was set before a version of the module had a built-in one
        of its name stays what it was.
        """
        entries = {n: _entry(p) for n, p in catalog.builtin().items()}
        for key, value in self._store.kv_list(PREFIX).items():
            name = key[len(PREFIX) :]
            try:
                entries[name] = _entry(_read(name, value))
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
        return _read(name, stored)

    def create(self, name: str, text: Optional[str]) -> Profile:
        """Define a profile as `set` does; AlreadyExists when it is set."""
        if PREFIX + name in self._store.kv_list(PREFIX):
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
        profile = catalog.load(text, name=name)
        plain = text.replace('\t', ' ')
        if printable(plain) != plain:
            raise InvalidArgument(
                f'profile {name!r}: the text has control characters or marks '
                'of text direction; remove them'
            )
        value = json.dumps(to_data(_Kept(_packed(text), VERSION)))
        if len(value) > LONGEST:
            raise InvalidArgument(
                f'profile {name!r}: the text has {len(value):,} bytes when '
                f'it is compressed; at most {LONGEST:,} are kept: shorten '
                'its comments, or make two of it'
            )
        kept = self._store.kv_list(PREFIX)
        if PREFIX + name not in kept and len(kept) >= MOST:
            raise InvalidArgument(
                f'profile {name!r}: {len(kept)} profiles are set, which is '
                'the limit; remove one first: ceph perfcompare profile rm'
            )
        self._store.kv_set(PREFIX + name, value)
        return profile

    def export(self, name: str) -> str:
        """Return the YAML text of a profile, of built-in ones too."""
        stored = self._stored(name)
        if stored is None:
            return catalog.text_of(name)
        # what this version cannot use can still be taken elsewhere
        return _unpacked(name, _kept(name, stored))

    def remove(self, name: str) -> None:
        """Forget a profile; stored runs keep what they ran.

        Raises NotFound, or InvalidArgument for a built-in one.
        """
        if self._stored(name) is None:
            raise InvalidArgument(
                f'profile {name!r} is built in and cannot be removed'
            )
        self._store.kv_remove(PREFIX + name)

    def _stored(self, name: str) -> Optional[str]:
        """Return what is kept of a name, None for a built-in profile."""
        found = None
        if catalog.is_name(name):
            found = self._store.kv_get(PREFIX + name)
        if found is None and name not in catalog.builtin():
            own = (k[len(PREFIX) :] for k in self._store.kv_list(PREFIX))
            raise NotFound(
                f'profile {shown(name)} does not exist; profiles: '
                + ', '.join(sorted({*catalog.builtin(), *own}))
            )
        return found


def _entry(profile: Profile) -> ProfileEntry:
    return ProfileEntry(
        **{
            f.name: getattr(profile, f.name)
            for f in dataclasses.fields(Profile)
        }
    )


def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _kept(name: str, value: str) -> _Kept:
    try:
        return from_data(_Kept, json.loads(value))
    except (InvalidArgument, ValueError, RecursionError):
        raise InvalidArgument(
            f'profile {name!r} is stored in a form that this version of the '
            f'module ({VERSION}) does not know, or damaged: set it again, or '
            f'remove it: ceph perfcompare profile rm {name}'
        ) from None


def _unpacked(name: str, kept: _Kept) -> str:
    unpack = zlib.decompressobj()
    try:
        data = base64.b64decode(kept.text, validate=True)
        # what would become larger than any profile is not made
        return unpack.decompress(data, 4 * catalog.MAX_TEXT).decode()
    except (binascii.Error, zlib.error, ValueError):
        raise InvalidArgument(
            f'profile {name!r} is damaged where it is stored; set it again'
        ) from None


def _read(name: str, value: str) -> Profile:
    """Return a stored profile; say so when another version wrote it."""
    kept = _kept(name, value)
    try:
        return catalog.load(_unpacked(name, kept), name=name)
    except InvalidArgument as error:
        if kept.module == VERSION:
            raise
        raise InvalidArgument(
            message(
                f'{error.message} (it was set by version '
                f'{shown(kept.module)} of the module, this is {VERSION}; '
                f'set it again: ceph perfcompare profile set {name})'
            )
        ) from None
