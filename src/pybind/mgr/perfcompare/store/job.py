"""One piece of work for the result database, and what became of it."""

from typing import Callable, Generic, Optional, Protocol, TypeVar

import threading

from .results import Store

T = TypeVar('T')


class Written(Protocol):
    """Tell what became of a write that was queued: neither, so far."""

    @property
    def stored(self) -> bool:
        """Say whether the database has it."""

    @property
    def lost(self) -> bool:
        """Say whether it was dropped."""


class Job(Generic[T]):
    """Hold work of the database thread; a write is known by it."""

    def __init__(
        self, work: Callable[[Store], T], what: str, number: int, size: int
    ) -> None:
        self.work = work
        self.what = what
        self.number = number
        self.size = size
        self.attempts = 0
        self.done = threading.Event()  # of a read
        self.started = False
        self.abandoned = False
        self.stored = False
        self.lost = False
        self.result: Optional[T] = None
        self.error: Optional[BaseException] = None


class Together:
    """Be several writes as one."""

    def __init__(self, *writes: Written) -> None:
        self._writes = writes

    @property
    def stored(self) -> bool:
        """Say whether the database has all of them."""
        return all(write.stored for write in self._writes)

    @property
    def lost(self) -> bool:
        """Say whether one was dropped."""
        return any(write.lost for write in self._writes)
