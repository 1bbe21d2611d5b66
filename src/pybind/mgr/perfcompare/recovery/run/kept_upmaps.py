"""Upmaps of others, from before OSDs go out until all of them are in."""

from typing import Callable, FrozenSet, List, Sequence, Set, Tuple

import dataclasses

from ...ports.faults import Upmap
from ...undo import primaries, upmaps
from ...undo.journal import Entry, Journal, Kind

Changes = Sequence[Callable[[], None]]


@dataclasses.dataclass(frozen=True)
class _Part:
    """Hold what one entry of the journal names."""

    osds: FrozenSet[int]  # that go out, for which it is kept
    entry: Entry
    upmaps: Tuple[Upmap, ...]


class KeptUpmaps:
    """Journal upmaps, and set them again; used by one thread."""

    def __init__(
        self, cluster: upmaps.Needs, journal: Journal, run: str
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._run = run
        self._parts: List[_Part] = []
        self._led: Set[str] = set()  # PGs whose primaries are journaled

    def keep(self, target: str, osds: Sequence[int]) -> None:
        """Journal what the mons drop when these OSDs are out.

        A PG that is kept already, for OSDs that went before, is not kept
        once more: what it has now may be the rest of what it had. Chosen
        primaries are for the undo at the end: they need their data first.
        """
        near = self._cluster.exceptions_near(osds)
        chosen = {
            pg: osd
            for pg, osd in near.primaries.items()
            if pg not in self._led
        }
        for number, text in enumerate(primaries.texts(chosen)):
            self._journal.intend(
                self._run,
                Kind.UPMAPS,
                f'{target}.primaries.{number}',
                {primaries.KEY: text},
            )
        self._led.update(chosen)
        held = {upmap.pgid for part in self._parts for upmap in part.upmaps}
        new = [upmap for pg, upmap in near.upmaps.items() if pg not in held]
        for number, text in enumerate(upmaps.texts(new)):
            entry = self._journal.intend(
                self._run, Kind.UPMAPS, f'{target}.{number}', {'upmaps': text}
            )
            self._parts.append(
                _Part(frozenset(osds), entry, upmaps.read(text))
            )

    def restore(
        self,
        osds: Sequence[int],
        together: Callable[[Changes], None],
        settle: Callable[[Callable[[], bool]], None],
    ) -> Tuple[str, ...]:
        """Map PGs as before these OSDs went; say of which it was not done.

        ``together`` and ``settle`` are those of ``undo.upmaps.restore``.
        """
        back = [part for part in self._parts if part.osds <= set(osds)]
        told = upmaps.restore(
            self._cluster,
            [upmap for part in back for upmap in part.upmaps],
            together,
            settle,
        )
        for part in back:
            self._journal.forget(part.entry)
            self._parts.remove(part)
        return tuple(f'upmaps: {text}' for text in told)
