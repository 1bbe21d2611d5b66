"""One cheap look at the cluster, as the abort rules need it."""

from typing import (
    Any,
    Callable,
    Collection,
    Dict,
    FrozenSet,
    Optional,
    Protocol,
    Sequence,
    Set,
    Tuple,
)

import dataclasses
import logging

from ...common.aside import Aside
from ...common.errors import PerfcompareError
from ...model.topology import Health, MonState, PgCounts, Pool, PoolLatency
from ...ports.health import HealthReads
from ...ports.osd_map import OsdMapReads
from ...ports.perf_queries import PerfQueries
from ...ports.pgs import PgReads
from ...ports.pools import PoolReads
from .facts import foreign_pools

log = logging.getLogger(__name__)

UPGRADE_EVERY = 30.0  # seconds; the orchestrator is another module
UPGRADE_PATIENCE = 1.0  # seconds that a look under load waits for it

Counts = Dict[str, int]  # PG state -> number
LACKING = frozenset(('degraded', 'undersized'))  # copies, of a PG
# names of pools: of a run's own, also of those yet to come, or of those of
# others that take its load, told by what they are
OwnPools = Callable[[Sequence[Pool]], Collection[str]]


def none(pools: Sequence[Pool]) -> Collection[str]:
    """Return no pool."""
    return ()


class Needs(
    HealthReads, OsdMapReads, PerfQueries, PgReads, PoolReads, Protocol
):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass
class Sample:
    """Hold one look; a field named in ``errors`` has no meaning."""

    at: float
    health: Health = Health('', {})
    epoch: int = 0  # of the OSD map that the pools are of
    pools: Tuple[Pool, ...] = ()
    # by pool and OSD only where some PG is in a state that `tells`
    pgs: PgCounts = PgCounts({}, {}, {})
    # of others, and of states that do not `tell` perhaps of ours as well
    foreign_pgs: Counts = dataclasses.field(default_factory=dict)
    own_pgs: Counts = dataclasses.field(default_factory=dict)
    pgs_age: float = 0.0  # seconds that PG states may be old
    down: Dict[int, str] = dataclasses.field(default_factory=dict)
    mon: MonState = MonState(0, (), ())
    upgrade: Optional[str] = None
    # since the last look, of tenants' pools; None: not available
    latency: Optional[Dict[int, PoolLatency]] = None
    own: FrozenSet[str] = frozenset()  # names of pools that are ours
    own_ids: FrozenSet[int] = frozenset()  # also of those just removed
    loaded: FrozenSet[str] = frozenset()  # pools of others under our load
    errors: Dict[str, str] = dataclasses.field(default_factory=dict)

    def is_ours(self, pool: Pool) -> bool:
        """Say whether a pool is, or was until just now, the run's own.

        The journal forgets a pool when it is removed, the mgr's OSD map
        may show it for a moment longer.
        """
        return pool.name in self.own or pool.id in self.own_ids

    def disturbs(self, pool: Pool) -> bool:
        """Say whether what a pool is served by is not the load itself."""
        return not self.is_ours(pool) and pool.name not in self.loaded


def tells(state: str) -> bool:
    """Say whether a rule wants to know whose PG is in this state."""
    words = set(state.split('+'))
    return 'active' not in words or 'stale' in words or bool(LACKING & words)


class Sampler:
    """Take samples; what is costly is read only when it changed."""

    def __init__(
        self,
        cluster: Needs,
        own_pools: OwnPools,
        loaded_pools: OwnPools = none,
    ) -> None:
        self._cluster = cluster
        self._own_pools = own_pools
        self._loaded_pools = loaded_pools
        self._known: Optional[FrozenSet[int]] = None  # at the first look
        self._epoch: Optional[int] = None
        self._pools: Tuple[Pool, ...] = ()
        self._down: Dict[int, str] = {}
        self._down_epoch: Optional[int] = None
        # also pools that were ours until just now: the PGs of one that is
        # removed stay in the statistics for a moment
        self._own_ids: Dict[int, str] = {}
        self._next_upgrade = float('-inf')
        self._upgrade: Optional[str] = None
        self._upgrades: Aside[Optional[str]] = Aside()
        self._latency_started = False

    def take(self, now: float, trial: Collection[str] = ()) -> Sample:
        """Look at the cluster; ``trial`` names the pools under load.

        Never raises: what cannot be read is in ``errors``.
        """
        sample = Sample(now)
        read = _Reader(sample).read
        read('pools', self._read_pools)
        sample.epoch = self._epoch or 0
        read('own', lambda: frozenset(self._own_pools(sample.pools)))
        read('loaded', lambda: self._read_loaded(sample.pools))
        for pool in sample.pools:
            # those that gateways make with the first bucket have young PGs
            made = pool.name in sample.loaded and not self._was_there(pool)
            if pool.name in sample.own or made:
                self._own_ids[pool.id] = pool.name
        sample.own_ids = frozenset(self._own_ids)
        read('health', self._cluster.health)
        read('down', self._read_down)
        read('mon', self._cluster.mon_state)
        read('pgs', lambda: self._read_pgs(sample))
        if 'pgs' in sample.errors:
            sample.errors['foreign_pgs'] = sample.errors['pgs']
            sample.errors['own_pgs'] = sample.errors['pgs']
        else:
            read('foreign_pgs', lambda: self._foreign_pgs(sample.pgs))
            read('own_pgs', lambda: self._own_pgs(sample.pgs, trial))
            self._forget(sample)
        read('pgs_age', self._cluster.pg_states_age)
        read('upgrade', lambda: self._read_upgrade(now))
        read('latency', lambda: self._read_latency(sample))
        return sample

    def close(self) -> None:
        """End what the samples cost the OSDs."""
        if self._latency_started:
            self._latency_started = False
            self._cluster.pool_latency_end()

    def _read_pools(self) -> Tuple[Pool, ...]:
        epoch = self._cluster.osdmap_epoch()
        if epoch != self._epoch:
            self._pools = tuple(self._cluster.pools())
            self._epoch = epoch
        return self._pools

    def _was_there(self, pool: Pool) -> bool:
        return self._known is not None and pool.id in self._known

    def _read_loaded(self, pools: Sequence[Pool]) -> FrozenSet[str]:
        """Return pools of others that take the run's load.

        One without application may have just been made; one that was there
        at the first look is somebody's.
        """
        if self._known is None:
            self._known = frozenset(pool.id for pool in pools)
        told = self._loaded_pools(pools)
        return frozenset(
            pool.name
            for pool in pools
            if pool.name in told
            and (pool.application or not self._was_there(pool))
        )

    def _read_down(self) -> Dict[int, str]:
        epoch = self._cluster.osdmap_epoch()
        if epoch != self._down_epoch:
            self._down = self._cluster.osds_down_or_out()
            self._down_epoch = epoch
        return self._down

    def _read_pgs(self, sample: Sample) -> PgCounts:
        """Return PGs by state, and by pool where the rules need to know.

        The mgr keeps its sums; for all else it walks through all PGs.
        """
        totals = self._cluster.pg_totals()
        if any(map(tells, totals)) or self._gone(sample):
            return self._cluster.pg_counts()
        return PgCounts(totals, {}, {})

    def _foreign_pgs(self, pgs: PgCounts) -> Counts:
        """Return the PG states of all pools without ours."""
        ours = pgs.pools(self._own_ids)
        found = {}
        for state, number in pgs.total.items():
            rest = number - ours.get(state, 0)
            if rest > 0:
                found[state] = rest
        return found

    def _own_pgs(self, pgs: PgCounts, trial: Collection[str]) -> Counts:
        return pgs.pools(
            i for i, name in self._own_ids.items() if name in trial
        )

    def _forget(self, sample: Sample) -> None:
        """Forget pools that neither map nor statistics have any more."""
        for ident in self._gone(sample):
            if str(ident) not in sample.pgs.by_pool:
                del self._own_ids[ident]

    def _gone(self, sample: Sample) -> Set[int]:
        """Return pools that were ours and are not in the map any more."""
        if 'pools' in sample.errors:
            return set()
        return self._own_ids.keys() - {pool.id for pool in sample.pools}

    def _read_upgrade(self, now: float) -> Optional[str]:
        patience: Optional[float] = 0.0
        if now >= self._next_upgrade:
            first = self._next_upgrade == float('-inf')
            # the first look is the baseline, and no load is there yet
            patience = None if first else UPGRADE_PATIENCE
            self._next_upgrade = now + UPGRADE_EVERY
            self._upgrades.begin(self._cluster.upgrade_in_progress)
        if self._upgrades.ended(patience):
            self._upgrade = self._upgrades.take()
        return self._upgrade

    def _read_latency(
        self, sample: Sample
    ) -> Optional[Dict[int, PoolLatency]]:
        tenants = {
            pool.id
            for pool in foreign_pools(sample.pools)
            if sample.disturbs(pool)
        }
        if not tenants:
            return {}  # nobody to disturb: the OSDs need not count
        self._latency_started = True
        found = self._cluster.pool_latency()
        if found is None:
            return None
        return {i: value for i, value in found.items() if i in tenants}


class _Reader:
    """Fill fields of a Sample, each for itself."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    def read(self, name: str, get: Callable[[], Any]) -> None:
        """Set field ``name``, or note why it could not be read."""
        try:
            setattr(self._sample, name, get())
        except PerfcompareError as error:
            self._sample.errors[name] = str(error)
        except Exception as error:
            log.exception('abort rules cannot read %s', name)
            self._sample.errors[name] = f'{type(error).__name__}: {error}'
