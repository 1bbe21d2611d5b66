"""The journal of runs: what each one made, and how all of it is undone."""

from typing import Callable, List, Optional, Protocol, Set, Tuple

from ..common.clock import SYSTEM
from ..ports.clock import Clock
from ..ports.keys import KeyValueStore
from ..ports.orchestration import section
from . import inventory
from .engine import Needs as UndoNeeds
from .engine import Undo
from .entries import Entry, EntryStore, Kind, Step
from .report import Kept, Leftover, UndoReport

__all__ = [
    'Entry',
    'Journal',
    'Kept',
    'Kind',
    'Leftover',
    'Step',
    'UndoReport',
]


class Needs(UndoNeeds, KeyValueStore, Protocol):
    """Name what is asked of a cluster here."""


class Journal(EntryStore):
    """Keep the entries of runs, and undo runs by them."""

    def __init__(
        self,
        cluster: Needs,
        clock: Clock = SYSTEM,
        remove_bucket: Optional[Callable[[Entry], str]] = None,
    ) -> None:
        """Undo with ``remove_bucket``, which says why a bucket is kept."""
        super().__init__(cluster)
        self._remove_bucket = remove_bucket
        self._whole_cluster = cluster
        self._clock = clock

    def undo_all(self, run: str) -> UndoReport:
        """Undo all that a run made; may be repeated at any time.

        Raises TryAgain when not even the journal can be read.
        """
        return Undo(
            self._whole_cluster, self, run, self._clock, self._remove_bucket
        ).execute()

    def strays(self) -> List[Leftover]:
        """Return things named like ours that no journal entry knows.

        They are reported and never removed: a name is no proof.
        """
        known: Set[Tuple[Kind, str]] = set()
        services: List[str] = []
        for run in self.runs():
            for entry in self.entries(run):
                known.add(inventory.identity(entry))
                if entry.kind is Kind.SERVICE:
                    services.append(f'{section(entry.name)}.')
                if entry.detail.get('erasure'):
                    known.add((Kind.RULE, entry.name))
        return [
            Leftover(
                str(thing),
                'no journal entry says that a run made it',
                'remove it by hand if you know it: '
                + inventory.command(thing.kind, thing.name),
            )
            for thing in inventory.everything(self._whole_cluster)
            if (thing.kind, thing.name) not in known
            if not thing.name.startswith(tuple(services))
        ]
