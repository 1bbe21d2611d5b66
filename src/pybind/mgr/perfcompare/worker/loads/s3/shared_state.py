"""A page of memory through which a process and its leader talk.

The leader says when a phase begins and whether to stop; the process says
what it does and how far it is. Nobody waits for anybody.
"""

from typing import NamedTuple

import mmap
import os
import struct

SIZE = 4096
_ORDER = struct.Struct('=qqqq')  # phase, start, end of it all, spare
_STATE = struct.Struct('=qqqqqqq')
_STATE_AT = 1024

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

    def order(self, phase: int, start: int) -> None:
        """Tell the process to begin a phase (its start is read first)."""
        current = _ORDER.unpack_from(self._map, 0)
        _ORDER.pack_into(self._map, 0, current[0], start, 0, 0)
        _ORDER.pack_into(self._map, 0, phase, start, 0, 0)

    def ordered(self) -> Order:
        """Return what the leader wants."""
        phase, start, _, _ = _ORDER.unpack_from(self._map, 0)
        return Order(phase, start)

    def tell(self, state: State) -> None:
        """Say how far we are."""
        _STATE.pack_into(self._map, _STATE_AT, *state)

    def told(self) -> State:
        """Return how far the process is."""
        return State(*_STATE.unpack_from(self._map, _STATE_AT))
