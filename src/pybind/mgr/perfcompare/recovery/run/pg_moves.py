"""Move PGs of a pool to other OSDs, and back, by explicit upmaps.

They go with the pool, which is journaled.
"""

from typing import Callable, Dict, List, Protocol, Sequence, Tuple

import logging

from ...common.errors import PerfcompareError
from ...model.plan import PoolPlan, RunPlan
from ...ports.faults import FaultWrites
from ...ports.osd_map import OsdMapReads
from ...ports.pgs import PgReads, PgWrites
from ..plan import targets
from ..plan.targets import Moves

log = logging.getLogger(__name__)

MAP_POLLS = 75  # looks, until the next maps must show a change

Change = Callable[[], None]


class Needs(FaultWrites, OsdMapReads, PgReads, PgWrites, Protocol):
    """Name what is asked of a cluster here."""


class PgMoves:
    """Move PGs, and remember where they came from."""

    def __init__(
        self,
        cluster: Needs,
        plan: RunPlan,
        beside: Callable[[Sequence[Change]], None],
        pulse: Callable[[], None],
    ) -> None:
        """``beside`` makes changes together, ``pulse`` waits for a moment."""
        self._cluster = cluster
        self._plan = plan
        self._beside = beside
        self._pulse = pulse
        # where the moved PGs came from, by pool
        self._former: Dict[str, Dict[int, Tuple[int, ...]]] = {}

    def there(self, pool: PoolPlan) -> Tuple[str, ...]:
        """Move each PG that has another place; return notes about it.

        Raises PerfcompareError where none has, or none moved.
        """
        places = targets.domains(
            self._cluster.topology(),
            self._plan.group(pool.group).osds,
            self._plan.failure_domain,
        )
        before = {m.ps: m.up for m in self._cluster.pg_map(pool.name)}
        wanted = targets.moves(before, places)
        if not wanted:
            raise PerfcompareError(
                f'backfill not possible in group {pool.group!r}: none of '
                f'the {len(before)} PGs has another place inside its rule'
            )
        self._former[pool.name] = {ps: before[ps] for ps in wanted}
        self._beside(
            [
                self._upmapper(pool.name, ps, source, target)
                for ps, (source, target) in sorted(wanted.items())
            ]
        )
        return self._verify_moves(pool, before, wanted)

    def _upmapper(
        self, pool: str, ps: int, source: int, target: int
    ) -> Change:
        return lambda: self._cluster.pg_upmap(pool, ps, {source: target})

    def _verify_moves(
        self,
        pool: PoolPlan,
        before: Dict[int, Tuple[int, ...]],
        wanted: Moves,
    ) -> Tuple[str, ...]:
        """See that the next maps have the moves: bad ones are dropped."""
        dropped: List[int] = []
        for _ in range(MAP_POLLS):
            after = {m.ps: m.up for m in self._cluster.pg_map(pool.name)}
            dropped = [
                ps
                for ps, (source, target) in sorted(wanted.items())
                if target not in after.get(ps, ())
                or source in after.get(ps, ())
            ]
            if not dropped:
                break
            self._pulse()
        others = [
            ps
            for ps, members in before.items()
            if ps not in wanted and after.get(ps) != members
        ]
        if others:
            raise PerfcompareError(
                f'{len(others)} PGs moved that were not meant to'
            )
        if len(dropped) == len(wanted):
            raise PerfcompareError(
                f'the Monitors dropped all {len(wanted)} upmaps of pool '
                f'{pool.name!r}; see the cluster log'
            )
        text = f'{len(wanted) - len(dropped)} of {len(before)} PGs moved'
        if dropped:
            for ps in dropped:
                del wanted[ps]
            text += f'; the Monitors dropped {len(dropped)} upmaps'
        return (text,)

    def back(self, pool: PoolPlan) -> Tuple[str, ...]:
        """Take our moves from the map: PGs go where they came from.

        Others are sent to their former OSDs by name: those that had been
        placed by name, which the monitors forget when items come on top,
        and those that somebody else (the balancer) moved meanwhile.
        """
        former = self._former.pop(pool.name, {})
        self._beside([self._clearer(pool.name, ps) for ps in sorted(former)])
        # the map shows it by now: who waits here makes recovery look longer
        left = self._elsewhere(pool, former, 1)
        for _ in range(2):
            if not left:
                return ()
            log.info('PGs %s of %s go back by name', left, pool.name)
            self._beside(
                [self._sender(pool.name, ps, former[ps]) for ps in left]
            )
            left = self._elsewhere(pool, former, MAP_POLLS)
        if left:
            raise PerfcompareError(
                f'{len(left)} of {len(former)} PGs did not move back'
            )
        return ()

    def _elsewhere(
        self,
        pool: PoolPlan,
        wanted: Dict[int, Tuple[int, ...]],
        polls: int,
    ) -> List[int]:
        """Return PGs that are not on the OSDs that they should be on."""
        left: List[int] = []
        for _ in range(polls):
            now = {m.ps: m.up for m in self._cluster.pg_map(pool.name)}
            left = [
                ps
                for ps, members in sorted(wanted.items())
                if set(now.get(ps, ())) != set(members)
            ]
            if not left:
                break
            self._pulse()
        return left

    def _sender(self, pool: str, ps: int, osds: Tuple[int, ...]) -> Change:
        return lambda: self._cluster.pg_upmap_order(pool, ps, osds)

    def _clearer(self, pool: str, ps: int) -> Change:
        return lambda: self._cluster.pg_upmap_items_clear(pool, ps)
