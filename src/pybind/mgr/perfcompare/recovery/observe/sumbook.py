"""Reduce the mgr's sums over PGs to polls of scopes."""

from typing import Dict, Iterable, List, Mapping, Optional, Sequence

import dataclasses

from ...ports.recovery_reads import PgSums
from ..judge.records import Poll
from .merges import MergeSums
from .pgbook import DULL, Scope


class SumTracker:
    """Reduce the mgr's sums to one poll per scope.

    Of a scope by OSDs or pools only the states are known, and of one by
    OSDs a PG counts on each of its OSDs.
    """

    def __init__(self, scopes: Sequence[Scope]) -> None:
        self._scopes = tuple(scopes)
        self._last: Optional[PgSums] = None
        self._merges = MergeSums()
        self._bytes = 0.0
        self._objects = 0.0

    def beside(self, walked: Sequence[Poll]) -> Sequence[Poll]:
        """Return polls of a walk without what only sums count, if any do."""
        if self._last is None:
            return walked
        return [
            dataclasses.replace(
                poll, bytes_recovered=None, objects_recovered=None
            )
            for poll in walked
        ]

    def polls(
        self,
        at: float,
        age: float,
        sums: PgSums,
        fresh: bool,
        young: Iterable[int] = (),
    ) -> List[Poll]:
        """Return a poll for each scope.

        PGs of ``young`` pools are not ill; of a scope by OSDs nobody knows
        which these are.
        """
        last = self._last or sums
        grown = self._merges.grown(at, last, sums)
        self._bytes += grown.size
        self._objects += grown.objects
        self._last = sums
        found = []
        for scope in self._scopes:
            poll = _counted(_states(scope, sums, young), at, age, fresh)
            by_osd = scope.pools is None and scope.osds is not None
            poll = dataclasses.replace(poll, by_osd=by_osd)
            if scope.osds is None and scope.pools is None:
                poll = dataclasses.replace(
                    poll,
                    degraded=sums.degraded,
                    misplaced=sums.misplaced,
                    unfound=sums.unfound,
                    copies=sums.copies,
                    bytes_recovered=self._bytes,
                    objects_recovered=self._objects,
                )
            found.append(poll)
        return found


def clean_pools(sums: PgSums, pools: Mapping[int, int]) -> List[int]:
    """Return the pools of which all PGs are clean; by how many they have."""
    found = []
    for pool, pg_num in pools.items():
        poll = _counted(sums.by_pool.get(pool, {}), 0.0, 0.0, True)
        if poll.pgs >= pg_num and poll.settled:
            found.append(pool)
    return found


def _states(
    scope: Scope, sums: PgSums, young: Iterable[int] = ()
) -> Mapping[str, int]:
    if scope.pools is not None:
        return _added(sums.by_pool, scope.pools)
    if scope.osds is not None:
        return _added(sums.by_osd, scope.osds)
    found = dict(sums.states)
    for state, count in _added(sums.by_pool, young).items():
        found[state] = max(0, found.get(state, 0) - count)
    return found


def _added(
    counts: Mapping[int, Mapping[str, int]], idents: Iterable[int]
) -> Dict[str, int]:
    found: Dict[str, int] = {}
    for ident in idents:
        for state, count in counts.get(ident, {}).items():
            found[state] = found.get(state, 0) + count
    return found


def _counted(
    counts: Mapping[str, int], at: float, age: float, fresh: bool
) -> Poll:
    states: Dict[str, int] = {}
    inactive = unclean = remapped = total = 0
    for state, count in counts.items():
        words = state.split('+')
        if 'creating' in words or words == ['unknown']:
            continue  # young, not ill
        total += count
        inactive += 0 if 'active' in words else count
        unclean += 0 if {'active', 'clean'} <= set(words) else count
        remapped += count if 'remapped' in words else 0
        for word in words:
            if word not in DULL:
                states[word] = states.get(word, 0) + count
    return Poll(
        at=at,
        age=age,
        walked=False,
        conclusive=fresh,
        pgs=total,
        affected=unclean,
        inactive=inactive,
        unclean=unclean,
        remapped=remapped,
        states=states,
    )
