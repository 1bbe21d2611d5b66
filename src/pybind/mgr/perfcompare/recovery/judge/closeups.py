"""Times of a step that are kept in full, however long it takes."""

from typing import List

BEFORE = 30.0  # seconds: a change is told of when it is seen
AFTER = 300.0


class Closeups:
    """Name the times that are near the changes of a step."""

    def __init__(self) -> None:
        self._changes: List[float] = []

    def begin(self, at: float) -> None:
        """Look at a step that begins (Unix time); forget the one before."""
        self._changes = [at]

    def add(self, at: float) -> None:
        """Look at a change of this step."""
        self._changes.append(at)

    def __contains__(self, at: float) -> bool:
        return any(c - BEFORE <= at < c + AFTER for c in self._changes)
