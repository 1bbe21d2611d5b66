"""How a pool falls on its group: look, make it even, wait for its PGs.

The order of an explicit upmap decides the primary, so primaries and PGs can
be made even; both kinds of luck go with the pool.
"""

from typing import (
    Callable,
    Collection,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Set,
    Tuple,
)

import dataclasses
import logging

from ..common.errors import (
    CommandFailed,
    NotFound,
    PerfcompareError,
    TryAgain,
)
from ..common.parallel import run_concurrently
from ..model.plan import PoolPlan, RunPlan
from ..model.topology import PgContents, PgMapping, Pool, Topology
from ..ports.clock import Clock
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads, PgWrites
from ..ports.pools import PoolReads
from .balance import Spread, balanced, spread
from .leading import led_max_mean, leveled

log = logging.getLogger(__name__)

EVEN = 1.10  # max/mean of primaries, up to which a pool may be judged
PASSES = 3  # of balancing, until the mapping is as chosen
CLEAN_SECONDS = 180.0
# × PGs of a pool that grows: the Manager makes 128 in about 10 s
GROWTH_SECONDS = 0.3
POLL_SECONDS = 0.2
GONE_SECONDS = 15.0  # maps that a mgr has may be as old as this
UPMAP_THREADS = 64


class Needs(OsdMapReads, PgReads, PgWrites, PoolReads, Protocol):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class PlacementEvidence:
    """Record how a pool fell on the OSDs of its group."""

    primaries_max_mean: float = 0.0  # 0: not known
    pgs_max_mean: float = 0.0
    upmaps: int = 0  # explicit mappings that we set
    primaries: Dict[int, int] = dataclasses.field(default_factory=dict)
    pgs: Dict[int, int] = dataclasses.field(default_factory=dict)
    # as primaries_max_mean, by what a pool that was filled holds
    objects_max_mean: float = 0.0
    bytes_max_mean: float = 0.0  # of images

    @property
    def even(self) -> bool:
        """Say whether primaries are even enough for saturated rows."""
        return 0.0 < self.primaries_max_mean <= EVEN


class Placer:
    """Look at and improve the placement of one run's pools."""

    def __init__(
        self,
        cluster: Needs,
        plan: RunPlan,
        check: Callable[[], None],
        clock: Clock,
        look: Callable[[], None],
    ) -> None:
        """``check`` may be called by any thread, and ``look`` is by one."""
        self._cluster = cluster
        self._plan = plan
        self._check = check
        self._look = look
        self._clock = clock
        self._moved: Dict[str, Set[int]] = {}  # pool -> ps of our upmaps
        # pool -> up sets when it was looked at
        self._looked: Dict[str, Dict[int, Tuple[int, ...]]] = {}

    def look(self, pool: PoolPlan, upmaps: int = 0) -> PlacementEvidence:
        """Return how a pool falls on its group now."""
        sets = self._sets(pool)
        found = self._spread(sets, pool)
        self._looked[pool.name] = sets
        return PlacementEvidence(
            round(found.primaries_max_mean, 4),
            round(found.pgs_max_mean, 4),
            upmaps,
            found.primaries,
            found.pgs,
        )

    def elsewhere(
        self, pool: PoolPlan, sets: Mapping[int, Sequence[int]]
    ) -> bool:
        """Say whether up sets are others than when the pool was looked at."""
        return self._looked.get(pool.name) != sets

    def _spread(
        self, sets: Mapping[int, Sequence[int]], pool: PoolPlan
    ) -> Spread:
        return spread(sets, self._osds(pool))

    def _osds(self, pool: PoolPlan) -> Sequence[int]:
        return self._plan.group(pool.group).osds_of(pool)

    def _sets(self, pool: PoolPlan) -> Dict[int, Tuple[int, ...]]:
        """Return the pool's up sets; raise when one is too small."""
        sets = {m.ps: m.up for m in self._cluster.pg_map(pool.name)}
        for ps, members in sets.items():
            if len([o for o in members if o >= 0]) < pool.size:
                raise PerfcompareError(
                    f'PG {ps:x} of pool {pool.name!r} got OSDs '
                    f'{list(members)} for size {pool.size}: group '
                    f'{pool.group!r} {self._why_small(pool)}'
                )
        return sets

    def _why_small(self, pool: PoolPlan) -> str:
        """Return what a group lacks whose PGs miss OSDs."""
        known = self._cluster.topology().osds
        down = [
            f'osd.{o}'
            for o in self._osds(pool)
            if o not in known or not known[o].up
        ]
        if down:
            return f'lost {", ".join(down[:5])}, which must be up'
        return f'has too few {self._plan.failure_domain}s'

    def balance(
        self,
        pools: Sequence[PoolPlan],
        along: Sequence[Callable[[], None]] = (),
    ) -> Dict[str, PlacementEvidence]:
        """Make pools even by explicit upmaps; return their evidence.

        Changes in ``along`` are made together with the first upmaps.

        An upmap that breaks the rule is dropped silently, and the map of
        the mgr may lag: each pass starts from what is really there.
        """
        domains = self._domains(self._cluster.topology(), pools)
        self._moved.update({p.name: set() for p in pools})
        for _ in range(PASSES):
            changes = [
                (pool, ps, osds)
                for pool in pools
                for ps, osds in balanced(
                    self._sets(pool), domains[pool.name]
                ).items()
            ]
            calls = [self._upmap(p.name, ps, osds) for p, ps, osds in changes]
            calls += along
            along = ()
            if not calls:
                break
            for pool, ps, _ in changes:
                self._moved[pool.name].add(ps)
            run_concurrently(calls, UPMAP_THREADS, self._look)
        return {p.name: self.look(p, len(self._moved[p.name])) for p in pools}

    def level(
        self, pool: PoolPlan, reorder: bool, images: bool
    ) -> Optional[PlacementEvidence]:
        """Even out what OSDs lead in a pool that is filled.

        That is objects, or bytes of ``images``: all of an image is read
        alike, and most objects beside its data are never read. Without
        ``reorder`` primaries stay where they are. None where the primaries
        do not say what they have.
        """
        try:
            held = self._held(pool.name)
        except (CommandFailed, TryAgain) as error:
            log.warning('contents of PGs are not known: %s', error.message)
            return None
        load = {
            ps: h.bytes if images else h.objects for ps, h in held.items()
        }
        osds = self._osds(pool)
        moved = self._moved.setdefault(pool.name, set())
        if reorder:
            changes = leveled(self._sets(pool), load, osds)
            moved.update(changes)
            run_concurrently(
                [
                    self._upmap(pool.name, ps, to)
                    for ps, to in changes.items()
                ],
                UPMAP_THREADS,
                self._look,
            )
            if changes:
                self.wait_clean([pool])
        led = round(led_max_mean(self._sets(pool), load, osds), 4)
        found = self.look(pool, len(moved))
        if images:
            return dataclasses.replace(found, bytes_max_mean=led)
        return dataclasses.replace(found, objects_max_mean=led)

    def _held(self, name: str) -> Dict[int, PgContents]:
        """Return what each PG of a pool holds, by ps."""
        (ident,) = [p.id for p in self._cluster.pools() if p.name == name]
        found: Dict[int, PgContents] = {}

        def ask(ps: int) -> Callable[[], None]:
            def count() -> None:
                found[ps] = self._cluster.pg_contents(ident, ps)

            return count

        run_concurrently(
            [ask(place.ps) for place in self._cluster.pg_map(name)],
            UPMAP_THREADS,
            self._look,
        )
        return found

    def _upmap(
        self, pool: str, ps: int, osds: Sequence[int]
    ) -> Callable[[], None]:
        def change() -> None:
            self._check()  # thousands take minutes
            self._cluster.pg_upmap_order(pool, ps, osds)

        return change

    def _domains(
        self, topology: Topology, pools: Sequence[PoolPlan]
    ) -> Dict[str, Dict[int, str]]:
        """Return the failure domain of each OSD, by pool."""
        kind = self._plan.failure_domain
        domain = {osd: f'osd.{osd}' for osd in topology.osds}
        if kind != 'osd':
            domain = {
                osd: bucket.name
                for bucket in topology.buckets.values()
                if bucket.type == kind
                for osd in topology.osds_under(bucket.name)
            }
        return {
            pool.name: {o: domain[o] for o in self._osds(pool) if o in domain}
            for pool in pools
        }

    # waiting

    def wait_pg_num(self, pool: PoolPlan) -> None:
        """Wait until a pool has all PGs: large ones grow to their number."""
        self._wait(
            lambda: self._pg_num(pool.name) == pool.pg_num,
            lambda: f'pool {pool.name!r} has {self._pg_num(pool.name)} of '
            f'{pool.pg_num} PGs',
            (pool.name,),
            CLEAN_SECONDS + GROWTH_SECONDS * pool.pg_num,
        )

    def _pg_num(self, name: str) -> int:
        for pool in self._cluster.pools():
            if pool.name == name:
                return min(pool.pg_num, pool.pgp_num)
        return 0

    def wait_clean(self, pools: Sequence[PoolPlan]) -> None:
        """Wait until all PGs of pools are active+clean where they belong."""
        names = {p.name for p in pools}
        ids = {p.id: p for p in self._cluster.pools() if p.name in names}
        states: Dict[int, Dict[str, int]] = {}

        osds = sorted({o for p in pools for o in self._osds(p)})
        self._wait_moved(ids.values())

        def clean() -> bool:
            # what the mgr knows by itself may be of before the last change
            try:
                self._cluster.pg_stats_now(osds)
            except TryAgain as error:  # a slow OSD may yet come round
                log.info('%s', error.message)
                return False
            counts = self._cluster.pg_counts()
            for ident, pool in ids.items():
                states[ident] = counts.pools([ident])
                good = sum(
                    count
                    for state, count in states[ident].items()
                    if {'active', 'clean'} <= set(state.split('+'))
                )
                if good != pool.pg_num or len(states[ident]) != 1:
                    return False
            return True

        self._wait(
            clean,
            lambda: 'PGs of the new pools are '
            + ', '.join(sorted({s for v in states.values() for s in v})),
            names,
        )

    def _wait_moved(self, pools: Iterable[Pool]) -> None:
        """Wait until OSDs have the PGs that upmaps moved.

        Before an OSD gets the new map, its PGs are active+clean where they
        were; they peer when it comes, which may be under load then.
        """
        # by primary: an OSD that does not answer is asked for one PG only
        waiting: Dict[int, List[Tuple[int, PgMapping]]] = {}
        for pool in pools:
            moved = self._moved.get(pool.name, ())
            for place in self._cluster.pg_map(pool.name) if moved else ():
                if place.ps in moved:
                    waiting.setdefault(place.up[0], []).append(
                        (pool.id, place)
                    )

        def ask(places: List[Tuple[int, PgMapping]]) -> Callable[[], None]:
            return lambda: self._arrived(places)

        def arrived() -> bool:
            run_concurrently(
                [ask(places) for places in waiting.values()],
                meanwhile=self._look,
            )
            return not any(waiting.values())

        self._wait(
            arrived,
            lambda: 'not where they were mapped to: PGs '
            + ', '.join(
                f'{ident}.{place.ps:x}'
                for places in waiting.values()
                for ident, place in places[:1]
            ),
        )

    def _arrived(self, places: List[Tuple[int, PgMapping]]) -> None:
        """Take those off a list that their primary has as it should."""
        while places:
            ident, place = places[-1]
            try:
                if self._cluster.pg_now(ident, place.ps).up != place.up:
                    return
            except (CommandFailed, TryAgain) as error:
                log.info('%s', error.message)
                return
            places.pop()

    def _wait(
        self,
        ready: Callable[[], bool],
        problem: Callable[[], str],
        pools: Collection[str] = (),
        limit: float = CLEAN_SECONDS,
    ) -> None:
        deadline = self._clock.monotonic() + limit
        missed = self._clock.monotonic()
        while not ready():
            self._check()
            self._look()
            now = self._clock.monotonic()
            gone = set(pools) - {pool.name for pool in self._cluster.pools()}
            if not gone:
                missed = now
            elif now - missed > GONE_SECONDS:
                raise NotFound(
                    f'pool {min(gone)!r} is gone: somebody removed it '
                    'during the run'
                )
            if now > deadline:
                raise TryAgain(
                    f'{problem()} after {limit:.0f} s; look at '
                    '`ceph pg dump_stuck` and try again'
                )
            self._clock.wait(POLL_SECONDS)
