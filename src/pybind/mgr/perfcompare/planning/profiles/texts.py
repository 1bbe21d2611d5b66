"""How texts of operators' profiles are kept in the mon store.

An entry holds a short text itself. A longer one is cut into parts, which
are named after their content and stored before the entry that names them:
an entry appears and goes as one, and is never read with parts of another
text.
"""

from typing import Any, Dict, Optional, Set

import base64
import binascii
import dataclasses
import hashlib
import json
import threading
import zlib

from ...common import strict_yaml
from ...common.codec import from_text
from ...common.errors import InvalidArgument
from ...common.version import VERSION
from ...ports.keys import KeyValueStore

PREFIX = 'profile/'
PARTS = 'profile-part/'
PART = 3800  # bytes of a value; the mon store loses values of 4 KiB
MOST = 64  # profiles
ROOM = 1 << 20  # bytes of all profiles, compressed


@dataclasses.dataclass(frozen=True)
class KeptText:
    """Hold one entry: a text, or what its parts are."""

    text: str = ''  # YAML, compressed, in base64
    module: str = ''  # version that stored it
    parts: int = 0
    digest: str = ''  # of all parts; a piece of their names


class ProfileTexts:
    """Keep texts by the name of their profile."""

    def __init__(self, store: KeyValueStore) -> None:
        self._store = store
        self._changing = threading.Lock()

    def entries(self) -> Dict[str, str]:
        """Return the entries by the names of profiles, as they are kept."""
        found = self._store.kv_list(PREFIX)
        return {key[len(PREFIX) :]: value for key, value in found.items()}

    def entry(self, name: str) -> Optional[str]:
        """Return one entry, None where there is none."""
        return self._store.kv_get(PREFIX + name)

    def read(self, name: str, entry: str) -> str:
        """Return the text of an entry; InvalidArgument if it is damaged."""
        kept = parse(name, entry)
        if not kept.parts:
            return _unpacked(name, kept.text)
        prefix = _parts(name, kept.digest)
        found = self._store.kv_list(prefix)
        packed = ''.join(found[key] for key in sorted(found))
        if len(found) == kept.parts and _digest(packed) == kept.digest:
            return _unpacked(name, packed)
        now = self.entry(name)
        if now is None or now == entry:
            raise _damaged(name)
        return self.read(name, now)  # it was set again meanwhile

    def write(self, name: str, text: str) -> None:
        """Keep a text under a name, in place of what it had.

        Raises InvalidArgument where there is no room for it.
        """
        packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
        with self._changing:
            self._check_room(name, len(packed))
            entry: Dict[str, Any] = {'text': packed, 'module': VERSION}
            if len(packed) > PART:
                digest = _digest(packed)
                pieces = [
                    packed[at : at + PART]
                    for at in range(0, len(packed), PART)
                ]
                for number, piece in enumerate(pieces):
                    key = f'{_parts(name, digest)}{number:04d}'
                    self._store.kv_set(key, piece)
                entry = {
                    'parts': len(pieces),
                    'digest': digest,
                    'module': VERSION,
                }
            self._store.kv_set(PREFIX + name, json.dumps(entry))
            self._sweep()

    def remove(self, name: str) -> None:
        """Forget the text of a name."""
        with self._changing:
            self._store.kv_remove(PREFIX + name)
            self._sweep()

    def _check_room(self, name: str, size: int) -> None:
        others = {n: v for n, v in self.entries().items() if n != name}
        if len(others) >= MOST:
            raise InvalidArgument(
                f'profile {name!r}: {len(others)} profiles are set, which is '
                'the limit; remove one first: ceph perfcompare profile rm'
            )
        held = sum(map(len, others.values()))
        for key, value in self._store.kv_list(PARTS).items():
            if not key.startswith(f'{PARTS}{name}/'):
                held += len(value)
        if held + size > ROOM:
            raise InvalidArgument(
                f'profile {name!r}: it has {size:,} bytes when it is '
                f'compressed, the other profiles have {held:,}, and '
                f'{ROOM:,} are the limit for all: shorten its comments, or '
                'remove one first: ceph perfcompare profile rm'
            )

    def _sweep(self) -> None:
        """Remove the parts that no entry names, of whatever was cut off."""
        named: Set[str] = set()
        for name, entry in self.entries().items():
            try:
                named.add(_parts(name, parse(name, entry).digest))
            except InvalidArgument:
                # another version's: what belongs to it is not known
                named.add(f'{PARTS}{name}/')
        for key in self._store.kv_list(PARTS):
            if not key.startswith(tuple(named)):
                self._store.kv_remove(key)


def parse(name: str, entry: str) -> KeptText:
    """Return what an entry says; InvalidArgument if it cannot be read."""
    try:
        kept = from_text(KeptText, entry)
    except InvalidArgument:
        kept = KeptText()
    if not kept.text and not (kept.parts and kept.digest):
        raise InvalidArgument(
            f'profile {name!r} is stored in a form that this version of the '
            f'module ({VERSION}) does not know, or damaged: set it again, or '
            f'remove it: ceph perfcompare profile rm {name}'
        )
    return kept


def _unpacked(name: str, packed: str) -> str:
    most = strict_yaml.MAX_BYTES
    unpack = zlib.decompressobj()
    try:
        data = base64.b64decode(packed, validate=True)
        # what would become larger than any profile is not made
        text = unpack.decompress(data, most + 1)
    except (binascii.Error, zlib.error, ValueError):
        raise _damaged(name) from None
    if len(text) > most:
        raise InvalidArgument(
            f'profile {name!r} has more than {most:,} bytes where it is '
            'stored; set it again'
        )
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise _damaged(name) from None


def _parts(name: str, digest: str) -> str:
    return f'{PARTS}{name}/{digest}/'


def _digest(packed: str) -> str:
    return hashlib.sha256(packed.encode()).hexdigest()[:16]


def _damaged(name: str) -> InvalidArgument:
    return InvalidArgument(
        f'profile {name!r} is damaged where it is stored; set it again'
    )
