"""What became of the things of a run: removed, kept, or left."""

from typing import Tuple

import dataclasses


@dataclasses.dataclass(frozen=True)
class Kept:
    """Name something that stays on purpose, and why."""

    what: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Leftover:
    """Name something that could not be undone, why, and what to do."""

    what: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f'{self.what}: {self.reason}; {self.remedy}'


@dataclasses.dataclass(frozen=True)
class UndoReport:
    """Say what undoing one or more runs did."""

    removed: Tuple[str, ...] = ()
    kept: Tuple[Kept, ...] = ()
    leftovers: Tuple[Leftover, ...] = ()

    @property
    def clean(self) -> bool:
        """Say whether nothing of the runs is left in the cluster."""
        return not self.leftovers

    def merge(self, other: 'UndoReport') -> 'UndoReport':
        """Return what both reports say."""
        return UndoReport(
            self.removed + other.removed,
            self.kept + other.kept,
            self.leftovers + other.leftovers,
        )

    def leftover_lines(self) -> Tuple[str, ...]:
        """Return one line for each thing that is left."""
        return tuple(str(item) for item in self.leftovers)
