"""What a plan asks each kind of load: pools, bytes, seconds, rules.

A driver's spec names its LoadPlanner (`model.load.LoadSpec.planner`), so
that a plan is made without knowing who makes the load.
"""

from typing import Dict, List, NamedTuple, Sequence, Tuple

import abc
import dataclasses
import math

from ..common.errors import InvalidArgument
from ..model import load
from ..model.group import Group
from ..model.plan import (
    CacheBounds,
    GroupPlan,
    PoolPlan,
    RunOptions,
    RunPlan,
)
from ..model.workload import Op, Profile, WeightedSize, Workload
from .redundancy import Redundancy

# Seconds. Slow OSDs (emulated, HDD) do this much when they are filled.
FILL_OPS = 150.0  # objects per second for each OSD
FILL_BYTES = 40.0 * 1024**2
DEADLINE_EXTRA = 30.0  # of a trial, after its load
# More than one OSD does, so that a bound on objects is seldom met: client
# operations and bytes per second for each OSD, before replication.
FASTEST_OPS = 20000.0
FASTEST_BYTES = 1024.0 * 1024**2
# What reads of a cache, and of a device, have to themselves.
CACHED_SHARE = 0.5  # of the cache, at most
DEVICE_FACTOR = 4  # × the cache, at least

Held = Tuple[Sequence[WeightedSize], ...]  # distributions of sizes


@dataclasses.dataclass(frozen=True)
class Draft:
    """Hold what is decided before the pools are sized."""

    run: str
    groups: Tuple[Group, ...]  # with the names of their sides
    profile: Profile
    options: RunOptions
    redundancy: Redundancy
    pg_num: Dict[str, int]
    caches: Tuple[int, ...]  # bytes of one OSD of each group
    sides: int  # that share the same OSDs
    client_host: str
    client_arch: str = ''
    allocation: int = (
        4096  # most bytes that an OSD of them allocates at a time
    )
    theirs: float = 3.0  # raw bytes per byte in pools of others' gateways

    @property
    def bounds(self) -> CacheBounds:
        """Return what reads of caches and of devices may have."""
        return CacheBounds(
            cached=int(CACHED_SHARE * min(self.caches) / self.sides),
            device=math.ceil(DEVICE_FACTOR * max(self.caches)),
        )

    @property
    def raw_per_byte(self) -> float:
        """Return raw bytes per client byte of a pool that can be coded."""
        return self.redundancy.size / self.redundancy.data_chunks


class PoolNeed(NamedTuple):
    """Say what a load needs of one pool of a group."""

    role: str
    max_bytes: int  # planned client bytes held at one time
    per_round: bool  # new in each round, else for the run
    held: Held = ()  # sizes of what is written to it
    replicated: bool = False  # copies even where others are erasure-coded
    small: bool = False  # holds little, and needs few PGs
    on_index: bool = False  # where the indexes are, if those are apart
    overwrites: bool = False  # parts of objects, also of coded ones
    application: str = ''  # beside our own
    lingering: int = 0  # client bytes deleted that still take room
    raw: float = 0.0  # per byte, in pools of others that it stands for


class LoadPlanner(abc.ABC):
    """Plan one kind of load; here what most have in common."""

    def check(self, profile: Profile, options: RunOptions) -> None:
        """Raise InvalidArgument for options that its loads cannot have.

        Or that need such loads, and none is in the profile.
        """

    def check_workload(self, workload: Workload, where: str) -> None:
        """Raise InvalidArgument where one of its workloads cannot be."""

    def check_together(
        self, workloads: Sequence[Workload], where: str
    ) -> None:
        """Raise InvalidArgument where its workloads exclude each other."""

    @abc.abstractmethod
    def role(self, workload: Workload, group: GroupPlan) -> str:
        """Return the role of the pool that a workload works on."""

    @abc.abstractmethod
    def full_pools(self, profile: Profile, options: RunOptions) -> int:
        """Return how many full pools the PGs of its pools are worth."""

    @abc.abstractmethod
    def pools(
        self, draft: Draft, group: Group, scale: float
    ) -> List[PoolNeed]:
        """Return what a group needs; bounds of writes are × ``scale``."""

    def most_in_flight(self, workload: Workload, hosts: int) -> int:
        """Return the most operations that so many hosts keep in flight.

        0 where that has no bound.
        """
        return 0

    def labels(self, draft: Draft) -> List[str]:
        """Return what every reader of its results has to know."""
        return []

    def holds(self, plan: RunPlan, group: GroupPlan, pool: PoolPlan) -> str:
        """Say what a pool holds; '' where its bytes say it all."""
        return ''

    def dealt(self, workload: Workload, clients: int) -> Workload:
        """Return the same load by as many clients, for hosts to share.

        Raises InvalidArgument where it would be another load.
        """
        return dataclasses.replace(workload, clients=clients)

    def fill_seconds(self, plan: RunPlan) -> float:
        """Return the expected seconds of all that is not measured."""
        return 0.0

    def removal_seconds(self, plan: RunPlan) -> float:
        """Return the most seconds to remove what pools do not take along."""
        return 0.0

    def rewritten(self, plan: RunPlan) -> int:
        """Return the bytes written beside those that pools hold."""
        return 0

    def deadline_extra(self, workload: Workload) -> float:
        """Return the seconds that a trial may take beside its load."""
        return DEADLINE_EXTRA

    def recovery_objects(
        self, objects: int, size: int, images: int, block: int
    ) -> int:
        """Return how many objects are written before a recovery test.

        They have ``size`` bytes and are at least ``objects``; ``images`` of
        one size hold them, where a load has such, which are loaded by
        operations of ``block`` bytes. Raises InvalidArgument where these
        cannot be.
        """
        return objects


class Imported(LoadPlanner):
    """Refuse what is only read from results of other tools."""

    def role(self, workload: Workload, group: GroupPlan) -> str:
        """Raise InvalidArgument: nothing of ours makes such loads."""
        raise InvalidArgument(
            f'{workload.op.value} cannot be run: it is an operation of '
            'imported results'
        )

    def full_pools(self, profile: Profile, options: RunOptions) -> int:
        """Return none."""
        return 0

    def pools(
        self, draft: Draft, group: Group, scale: float
    ) -> List[PoolNeed]:
        """Return none."""
        return []


IMPORTED = Imported()


def fastest(workload: Workload, osds: int, raw_per_byte: float) -> int:
    """Return the objects that no group of ``osds`` OSDs writes in a trial."""
    rate = min(FASTEST_OPS, FASTEST_BYTES / workload.size)
    seconds = workload.warmup + workload.duration
    return math.ceil(rate * osds / raw_per_byte * seconds)


def planner_of(op: Op) -> LoadPlanner:
    """Return what plans the loads of an operation."""
    return load.spec_of(op).planner or IMPORTED


def workloads_of(planner: LoadPlanner, profile: Profile) -> List[Workload]:
    """Return the workloads of a profile that one planner plans."""
    return [w for w in profile.workloads if planner_of(w.op) is planner]


def planners() -> List[LoadPlanner]:
    """Return those of all kinds of load, in the order of the registry."""
    found = [spec.planner for spec in load.specs() if spec.planner]
    return list(dict.fromkeys(found))


def planners_of(profile: Profile) -> List[LoadPlanner]:
    """Return those of the loads that a profile has."""
    return [p for p in planners() if workloads_of(p, profile)]
