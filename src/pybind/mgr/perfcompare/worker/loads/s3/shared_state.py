"""A page of memory through which a process and its leader talk.

The leader says when a phase begins and whether to stop; the process says
what it does and how far it is. Nobody waits for anybody: what is read while it
is written does not match its checksum, and what was whole before holds.
"""

from typing import NamedTuple, Optional, Sequence, Tuple

import mmap
import os
import struct
import zlib

SIZE = 4096
_STATE_AT = 1024
_SEAL = struct.Struct('=q')

# what a process does
STARTING, READY, LOADING, FINISHED = range(4)


class Order(NamedTuple):
    """Say which phase to begin when; phase -1 is the end of all."""

    phase: int  # 0 before the first
    start: int  # monotonic ns


class State(NamedTuple):
    """Tell how far a process is."""

    doing: int
    phase: int  # that it does or finished
    finished: int  # operations of the phase
    failed: int  # operations, and attempts to connect
    moved: int  # bytes
    waited: int  # ns, of all operations
    in_flight: int


NOTHING = State(STARTING, 0, 0, 0, 0, 0, 0)


class SharedState:
    """Share one page; each side writes its own part only."""

    def __init__(self, path: str, create: bool = False) -> None:
        flags = os.O_RDWR | os.O_CLOEXEC
        if create:
            flags |= os.O_CREAT | os.O_EXCL
        fd = os.open(path, flags, 0o600)
        try:
            if create:
                os.ftruncate(fd, SIZE)
            self._map = mmap.mmap(fd, SIZE)
        finally:
            os.close(fd)
        self._order = Order(0, 0)
        self._state = NOTHING

    def _write(self, at: int, values: Sequence[int]) -> None:
        part = sealed(values)
        # not pack_into(): that writes zeros over all of it first
        self._map[at : at + len(part)] = part

    def _read(self, at: int, count: int) -> Optional[Tuple[int, ...]]:
        size = (count + 1) * _SEAL.size
        return opened(self._map[at : at + size])

    def order(self, phase: int, start: int) -> None:
        """Tell the process to begin a phase."""
        self._write(0, (phase, start))

    def ordered(self) -> Order:
        """Return what the leader wants."""
        found = self._read(0, len(Order._fields))
        if found is not None:
            self._order = Order(*found)
        return self._order

    def tell(self, state: State) -> None:
        """Say how far we are."""
        self._write(_STATE_AT, state)

    def told(self) -> State:
        """Return how far the process is."""
        found = self._read(_STATE_AT, len(State._fields))
        if found is not None:
            self._state = State(*found)
        return self._state


def sealed(values: Sequence[int]) -> bytes:
    """Return 64-bit numbers and a checksum of them."""
    body = struct.pack(f'={len(values)}q', *values)
    return body + _SEAL.pack(zlib.crc32(body))


def opened(part: bytes) -> Optional[Tuple[int, ...]]:
    """Return the numbers of sealed(); None when they are not whole."""
    body = part[: -_SEAL.size]
    if _SEAL.pack(zlib.crc32(body)) != part[-_SEAL.size :]:
        return None
    return struct.unpack(f'={len(body) // _SEAL.size}q', body)
