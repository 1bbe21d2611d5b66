"""Make, check and remove the pools of a run.

They live as long as their PoolPlan says, in places that last as long as the
run (group_places.py). Everything is journaled before it is made, and made
together where it can be: each change of the OSD map takes about a second.
"""

from typing import (
    Callable,
    Dict,
    FrozenSet,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Set,
)

import functools
import logging

from ..common.clock import SYSTEM
from ..common.errors import AlreadyExists, PerfcompareError
from ..common.parallel import run_concurrently
from ..model.ownership import APPLICATION
from ..model.plan import PoolPlan, RunPlan
from ..model.topology import Pool
from ..ports.auth import AuthWrites
from ..ports.clock import Clock
from ..ports.config import ConfigReads, ConfigWrites
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads, PgWrites
from ..ports.pools import PoolReads, PoolWrites
from ..ports.rules import RuleReads, RuleWrites
from ..undo.journal import Entry, Journal, Kind
from ..undo.pools import PoolDeletion, remove_rule
from .group_places import GroupPlaces
from .placement import PlacementEvidence, Placer

__all__ = ['BenchPool', 'PlacementEvidence']

log = logging.getLogger(__name__)

QUOTA_FACTOR = 1.2  # of the planned bytes
TRIES = 4  # pools made anew where upmaps are not allowed
# flags that mons can be told to give each new pool, which forbid to set
# min_size, and a large pool to grow to its pg_num
LOCKS = ('nosizechange', 'nopgchange')
STRIPE_UNIT = 4096  # bytes; others than multiples of it need --force

Change = Callable[[], None]


class Needs(
    AuthWrites,
    ConfigReads,
    ConfigWrites,
    HealthReads,
    OsdMapReads,
    PgReads,
    PgWrites,
    PoolReads,
    PoolWrites,
    RuleReads,
    RuleWrites,
    Protocol,
):
    """Name what is asked of a cluster here."""


class BenchPool:
    """Prepare the places and pools of one run; used by one thread.

    ``check`` is called while waiting, by any thread, and ``look``, which
    takes longer, by that one; what they raise ends the wait.
    """

    def __init__(
        self,
        cluster: Needs,
        journal: Journal,
        plan: RunPlan,
        check: Callable[[], None] = lambda: None,
        clock: Clock = SYSTEM,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._plan = plan
        self._run = plan.run
        self._clock = clock
        self._places = GroupPlaces(cluster, journal, plan)
        self._look = look
        self._placer = Placer(cluster, plan, check, clock, look)
        self._entries: Dict[str, Entry] = {}  # of pools, by name
        self._evidence: Dict[str, PlacementEvidence] = {}

    # the run

    @property
    def keyring(self) -> str:
        """Return the text of the run's key, '' before `prepare`."""
        return self._places.keyring

    def prepare(self) -> None:
        """Make all that pools need, see `GroupPlaces.prepare`."""
        self._places.prepare()

    # pools

    def names(self) -> FrozenSet[str]:
        """Return the pools that are there, or about to be created."""
        return frozenset(list(self._entries))

    def has(self, pool: PoolPlan) -> bool:
        """Say whether a pool was created and is checked."""
        return pool.name in self._evidence

    def evidence(self, pool: PoolPlan) -> Optional[PlacementEvidence]:
        """Return how a pool fell on its group, None before it is there."""
        return self._evidence.get(pool.name)

    def create(self, pools: Sequence[PoolPlan], balance: bool = True) -> None:
        """Create pools together, balance them, and wait for their PGs.

        Without ``balance`` they stay where CRUSH puts them: an explicit
        mapping of a PG is void as soon as one of its OSDs is out.

        Raises PerfcompareError when a pool is not as it was planned, and
        TryAgain when its PGs are not active+clean in time.
        """
        if not pools:
            return
        self._create(pools)
        marks = [c for pool in pools for c in self._marks(pool)]
        if not balance:
            self._together(marks)
            found = {p.name: self._placer.look(p) for p in pools}
        elif self._cluster.upmap_allowed():
            found = self._placer.balance(pools, marks)
        else:
            self._together(marks)
            found = self._draw(pools)
        self._placer.wait_clean(pools)
        self._evidence.update(found)

    def level(self, pool: PoolPlan, images: bool = False) -> None:
        """Have the OSDs of a filled pool lead as many of its objects.

        Of a pool of ``images``, as many bytes.
        Chunks of an EC pool belong to their OSDs, and an upmap may not be
        allowed: then it is looked at only. What is not our pool stays.
        """
        if not self.has(pool):
            return
        reorder = not pool.ec_profile and self._cluster.upmap_allowed()
        found = self._placer.level(pool, reorder, images)
        if found is not None:
            self._evidence[pool.name] = found

    def look_again(
        self, pool: PoolPlan, sets: Mapping[int, Sequence[int]]
    ) -> None:
        """Take evidence anew where the up ``sets`` are not as they were.

        A population lives for hours, in which the balancer may move it.
        """
        known = self._evidence.get(pool.name)
        if known is None or not self._placer.elsewhere(pool, sets):
            return
        try:
            found = None
            if known.objects_max_mean or known.bytes_max_mean:
                images = known.bytes_max_mean > 0.0
                found = self._placer.level(pool, False, images)
            if found is None:
                found = self._placer.look(pool, known.upmaps)
        except PerfcompareError as error:
            log.warning('placement is not looked at anew: %s', error.message)
            return
        self._evidence[pool.name] = found

    def _draw(
        self, pools: Sequence[PoolPlan]
    ) -> Dict[str, PlacementEvidence]:
        """Make pools anew until they fall well enough: no upmaps here."""
        found: Dict[str, PlacementEvidence] = {}
        waiting = list(pools)
        for number in range(1, TRIES + 1):
            for pool in waiting:
                found[pool.name] = self._placer.look(pool)
            waiting = [p for p in waiting if not found[p.name].even]
            if not waiting or number == TRIES:
                break
            self.remove(waiting)
            self._create(waiting)
            self._together([c for pool in waiting for c in self._marks(pool)])
        return found

    def _create(self, pools: Sequence[PoolPlan]) -> None:
        self._look()
        self._together([self._creator(pool) for pool in pools])
        self._together(self._unlocking({p.name for p in pools}))
        self._together([c for pool in pools for c in self._settings(pool)])
        for pool in pools:
            self._placer.wait_pg_num(pool)
        actual = {p.name: p for p in self._cluster.pools()}
        for pool in pools:
            self._verify(pool, actual.get(pool.name))

    def _together(self, changes: Sequence[Change]) -> None:
        run_concurrently(changes, meanwhile=self._look)

    def _creator(self, pool: PoolPlan) -> Change:
        def create() -> None:
            detail = {'group': pool.group, 'role': pool.role}
            if pool.ec_profile:
                detail['erasure'] = 'yes'
            entry = self._journal.intend(
                self._run, Kind.POOL, pool.name, detail
            )
            self._entries[pool.name] = entry
            try:
                self._cluster.pool_create(
                    pool.name,
                    pool.pg_num,
                    pool.rule,
                    pool.size,
                    pool.min_size,
                    pool.ec_profile,
                )
            except AlreadyExists:
                self._journal.forget(entry)
                del self._entries[pool.name]
                raise

        return create

    def _unlocking(self, names: Set[str]) -> List[Change]:
        return [
            functools.partial(self._cluster.pool_set, pool.name, flag, '0')
            for pool in self._cluster.pools()
            for flag in LOCKS
            if pool.name in names and flag in pool.flags
        ]

    def _settings(self, pool: PoolPlan) -> List[Change]:
        name, cluster = pool.name, self._cluster
        quota = int(pool.max_bytes * QUOTA_FACTOR)
        settings: List[Change] = [
            lambda: self._note_made(name),
            lambda: cluster.pool_set_application(name, APPLICATION, '', ''),
            lambda: cluster.pool_set(name, 'min_size', str(pool.min_size)),
            lambda: cluster.pool_set(name, 'noscrub', '1'),
            lambda: cluster.pool_set(name, 'nodeep-scrub', '1'),
            lambda: cluster.pool_set_quota(name, quota),
        ]
        if pool.overwrites:
            settings.append(
                lambda: cluster.pool_set(name, 'allow_ec_overwrites', 'true')
            )
        return settings

    def _note_made(self, pool: str) -> None:
        self._entries[pool] = self._journal.done(self._entries[pool])

    def _marks(self, pool: PoolPlan) -> List[Change]:
        marks = {'run': self._run, 'group': pool.group, 'role': pool.role}
        found = [
            self._mark(pool.name, key, value) for key, value in marks.items()
        ]
        if pool.application:
            found.append(
                lambda: self._cluster.pool_set_application(
                    pool.name, pool.application, '', ''
                )
            )
        if self._plan.options.orch_gateways and _of_gateways(pool):
            # keys of the orchestrator are for pools of this application
            found.append(
                lambda: self._cluster.pool_set_application(
                    pool.name, 'rgw', '', ''
                )
            )
        return found

    def _mark(self, pool: str, key: str, value: str) -> Change:
        return lambda: self._cluster.pool_set_application(
            pool, APPLICATION, key, value
        )

    def _verify(self, plan: PoolPlan, pool: Optional[Pool]) -> None:
        if pool is None:
            raise PerfcompareError(
                f'pool {plan.name!r} is not in the OSD map after its creation'
            )
        wanted = (plan.size, plan.min_size, 'off')
        found = (pool.size, pool.min_size, pool.autoscale_mode)
        if wanted != found:
            raise PerfcompareError(
                f'pool {plan.name!r} has size, min_size, autoscaler {found}, '
                f'not {wanted}'
            )
        # gateways ask a pool for its stripes, and write whole ones
        if plan.ec_profile and not plan.overwrites and not _of_gateways(plan):
            _verify_stripes(plan, pool.stripe_width)

    def remove(self, pools: Sequence[PoolPlan]) -> None:
        """Remove pools of this run together, and forget their entries."""
        names: Set[str] = {p.name for p in pools} & set(self._entries)
        consent = self._plan.options.enable_pool_delete
        with PoolDeletion(
            self._cluster, self._journal, self._run, consent, self._clock
        ) as deletion:
            run_concurrently(
                [self._remover(n, deletion) for n in sorted(names)],
                meanwhile=self._look,
            )

    def _remover(self, name: str, deletion: PoolDeletion) -> Change:
        def remove() -> None:
            self._evidence.pop(name, None)
            deletion.remove(name)
            entry = self._entries.pop(name)
            if entry.detail.get('erasure'):
                try:  # Reef leaves the rule that it made for the pool
                    remove_rule(self._cluster, name)
                except PerfcompareError as error:
                    log.warning('%s', error.message)
                    return  # undo goes by the entry
            self._journal.forget(entry)

        return remove


def _of_gateways(pool: PoolPlan) -> bool:
    return pool.role.startswith('s3-')


def _verify_stripes(plan: PoolPlan, width: int) -> None:
    """Raise PerfcompareError where a pool has others than planned [bytes]."""
    if 0 in (width, plan.stripe_width) or width == plan.stripe_width:
        return
    unit = width // (plan.data_chunks or 1)
    forced = ' (which needs --force)' if unit % STRIPE_UNIT else ''
    raise PerfcompareError(
        f'pool {plan.name!r} has stripes of {width} bytes, not '
        f'{plan.stripe_width} as planned: writes that are no whole stripes '
        f'would be refused; give an --ec-profile with stripe_unit={unit}'
        f'{forced}'
    )
