"""Take off what PGs that merge hand on: it is no recovery.

The counters of a PG that goes are added to those of its parent
(PG::merge_from). They are what was recovered of it in all its life.
"""

from typing import Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from ...ports.recovery_reads import PgFacts, PgSums, PoolFacts

REPORTED = 30.0  # seconds until all OSDs have told of PGs that were split


class Counters(NamedTuple):
    """Hold what was recovered of a PG: objects, and bytes."""

    objects: int
    size: int


def parent(ps: int, pg_num: int) -> int:
    """Return the PG that one merges into when a pool has ``pg_num``."""
    while ps >= pg_num:
        ps &= ~(1 << (ps.bit_length() - 1))
    return ps


class MergeBook:
    """Remember what parents have not reported yet."""

    def __init__(self) -> None:
        self._pg_num: Dict[int, int] = {}
        self._owed: Dict[str, Counters] = {}

    def look(
        self,
        pools: Mapping[int, PoolFacts],
        last: Callable[[str], Optional[PgFacts]],
    ) -> None:
        """Take in how many PGs pools have, and what PGs last reported."""
        for pool, facts in pools.items():
            for ps in range(facts.pg_num, self._pg_num.get(pool, 0)):
                source = last(f'{pool}.{ps:x}')
                if source is not None:
                    into = f'{pool}.{parent(ps, facts.pg_num):x}'
                    old = self._owed.get(into, Counters(0, 0))
                    self._owed[into] = Counters(
                        old.objects + source.objects_recovered,
                        old.size + source.bytes_recovered,
                    )
            self._pg_num[pool] = facts.pg_num

    def grown(self, before: PgFacts, pg: PgFacts) -> Counters:
        """Return what was recovered of a PG between two reports."""
        objects = pg.objects_recovered - before.objects_recovered
        size = max(0, pg.bytes_recovered - before.bytes_recovered)
        owed = self._owed.get(pg.pgid)
        # a parent is mapped anew when it merges
        if owed is not None and before.mapping_epoch != pg.mapping_epoch:
            if objects >= owed.objects and size >= owed.size:
                del self._owed[pg.pgid]
                return Counters(objects - owed.objects, size - owed.size)
        return Counters(objects, size)


class MergeSums:
    """Tell how much the mgr's sums grew; parents report after PGs went.

    So do PGs that were split off, with their part of what their parent had.
    """

    def __init__(self) -> None:
        self._owed = Counters(0, 0)
        self._until = 0.0

    def grown(self, at: float, last: PgSums, sums: PgSums) -> Counters:
        """Return what was recovered between two looks, the last one now."""
        if _has_other_pgs(last, sums):
            self._until = at + REPORTED
        merged = at <= self._until
        if not merged:
            self._owed = Counters(0, 0)
        # a pool that is removed takes its counters with it
        if not last.by_pool.keys() <= sums.by_pool.keys():
            merged = False
        objects, less = _paid(
            sums.objects_recovered - last.objects_recovered,
            self._owed.objects,
            merged,
        )
        size, less_size = _paid(
            sums.bytes_recovered - last.bytes_recovered,
            self._owed.size,
            merged,
        )
        self._owed = Counters(less, less_size)
        return Counters(objects, size)


def _paid(more: int, owed: int, merged: bool) -> Tuple[int, int]:
    """Return what grew, and what is owed then."""
    if more < 0:
        return 0, owed - more if merged else owed
    paid = min(more, owed)
    return more - paid, owed - paid


def _has_other_pgs(last: PgSums, sums: PgSums) -> bool:
    """Say whether a pool that stays has another number of PGs."""
    for pool, states in last.by_pool.items():
        now = sum(sums.by_pool.get(pool, {}).values())
        if 0 < now != sum(states.values()):
            return True
    return False
