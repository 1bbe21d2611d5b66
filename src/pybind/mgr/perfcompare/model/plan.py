"""The whole plan of a run, which planning makes of what was asked for."""

from typing import Any, Dict, Optional, Tuple

import dataclasses

from ..common.codec import AS_DATA, FLAT
from . import load
from .group import Placement
from .recovery_plan import TestPlan
from .s3_gateways import EXISTING, ORCH
from .workload import Profile, Workload


@dataclasses.dataclass(frozen=True)
class RunOptions:
    """Hold what `run` was asked for, beyond groups and profile."""

    seed: Optional[int] = None
    replicas: Optional[int] = None
    ec_profile: Optional[str] = None
    pg_num: Optional[int] = None
    label: str = ''
    stats_period: Optional[int] = None  # seconds; None leaves it alone
    control: bool = False
    adaptive: bool = False
    consent: bool = False  # --yes-i-really-mean-it
    allow_local_client: bool = False
    enable_pool_delete: bool = False
    # None: the host of the active Manager
    load_hosts: Optional[Tuple[str, ...]] = None  # that load comes from
    # what the operator overrode in the profile; None keeps the profile's
    workloads: Optional[Tuple[str, ...]] = None
    sizes: Optional[Tuple[str, ...]] = None
    concurrency: Optional[Tuple[str, ...]] = None
    curve: Optional[str] = None  # points, as '1..64' or '100..800/s'
    slo: Optional[str] = None  # that curves are read at, as 'p99=10ms'
    duration: Optional[float] = None
    rounds: Optional[int] = None
    clients: Optional[int] = None
    cache: Optional[str] = None  # a regime, or 'both'
    # of workloads that can be begun at a rate, have weighted sizes or read
    # objects written before
    rate: Optional[float] = None  # operations/s
    read_sizes: Optional[str] = None  # e.g. '4M:80,1M:20'
    write_sizes: Optional[str] = None
    prefill: Optional[str] = None  # objects, e.g. '5000', or bytes: '10G'
    # of the drivers, by name; those that are absent were not given
    drivers: Dict[str, Any] = dataclasses.field(
        default_factory=dict, metadata={FLAT: load.fields}
    )

    @classmethod
    def of(cls, **given: Any) -> 'RunOptions':
        """Return the options of these names, those of drivers with them."""
        own = load.options()
        return cls(
            drivers={
                name: given.pop(name) for name in list(given) if name in own
            },
            **given,
        )

    def driver(self, name: str) -> Any:
        """Return the value of a driver's option, None where not given."""
        return self.drivers.get(name)

    @property
    def existing_gateways(self) -> bool:
        """Say whether S3 goes through gateways of the operator."""
        return bool(self.driver('gateway_source') == EXISTING)

    @property
    def orch_gateways(self) -> bool:
        """Say whether the orchestrator places the S3 gateways."""
        return bool(self.driver('gateway_source') == ORCH)

    def with_driver(self, **given: Any) -> 'RunOptions':
        """Return the options with some of a driver's changed."""
        both = {**self.drivers, **given}
        drivers = {n: v for n, v in both.items() if v is not None}
        return dataclasses.replace(self, drivers=drivers)


@dataclasses.dataclass(frozen=True)
class PoolPlan:
    """Plan one pool: its full name, place, size and bytes."""

    name: str  # perfcompare.<run>.<group>.<role>
    group: str
    role: str  # 'write', 'read-4K', …
    rule: str
    pg_num: int
    size: int  # replicas, or k+m
    min_size: int
    ec_profile: Optional[str]
    max_bytes: int  # planned client bytes held at one time
    per_round: bool  # write pools live for a round, read pools for the run
    # bytes allocated for each byte of its objects
    allocation_overhead: float = dataclasses.field(
        default=1.0, metadata={AS_DATA: 'padding'}
    )
    overwrites: bool = False  # erasure-coded, and parts of objects change
    application: str = ''  # beside our own, where clients ask for it
    # client bytes of former rounds that are deleted, and still take room
    lingering: int = 0
    # k of an erasure code; 0 for replicas, and in plans of older versions
    data_chunks: int = 0
    stripe_width: int = 0  # bytes, as data_chunks

    @property
    def copies(self) -> float:
        """Return raw bytes per client byte, coding chunks included."""
        if not self.ec_profile:
            return float(self.size)
        # older versions set a min_size of k + 1, always
        return self.size / (self.data_chunks or max(1, self.min_size - 1))


@dataclasses.dataclass(frozen=True)
class Block:
    """Plan the trials of one workload, one per group, back to back."""

    round: int  # 0 is the conditioning round, judged rounds start at 1
    index: int  # place within its round
    workload: str
    order: Tuple[str, ...]  # group names in the order of their trials


@dataclasses.dataclass(frozen=True)
class GroupPlan:
    """Plan how one group of a run is placed."""

    name: str
    placement: Placement
    root: Optional[str]  # the run's CRUSH root, for placement by hosts
    rule: str
    device_class: Optional[str]
    hosts: Tuple[str, ...]
    osds: Tuple[int, ...]
    pools: Tuple[PoolPlan, ...]
    note: str = ''
    watts: Optional[float] = None
    price: Optional[float] = None
    # where the indexes of S3 buckets are, if not with their objects
    index_rule: str = ''
    index_root: str = ''
    index_class: str = ''
    index_osds: Tuple[int, ...] = ()
    # the root that a rule by class takes; '' in plans of older versions
    class_root: str = ''
    # the operator's gateways, where those are used
    gateways: str = ''  # the group for which they are set
    endpoints: Tuple[str, ...] = ()
    s3_placement: str = ''
    s3_domain: str = ''  # in which buckets are hosts; '': they are in paths
    # what the orchestrator is asked for, where it places the gateways
    gateway_service: str = ''
    gateway_hosts: Tuple[str, ...] = ()  # as the orchestrator names them
    gateway_port: int = 0  # of the first gateway on a host

    def osds_of(self, pool: PoolPlan) -> Tuple[int, ...]:
        """Return the OSDs that one of the group's pools is on."""
        if self.index_rule and pool.rule == self.index_rule:
            return self.index_osds
        return self.osds


@dataclasses.dataclass(frozen=True)
class CacheBounds:
    """Bound what reads have to themselves: bytes for each OSD."""

    cached: int = 0  # bytes of a cache, at most
    device: int = 0  # bytes of a device, at least


@dataclasses.dataclass(frozen=True)
class RunPlan:
    """Hold the whole plan of a run, before anything is touched."""

    run: str  # run id
    groups: Tuple[GroupPlan, ...]
    profile: Profile  # workloads as they will be run (after overrides)
    options: RunOptions
    seed: int
    size: int
    min_size: int
    failure_domain: str
    blocks: Tuple[Block, ...]  # in the order of execution
    bytes_written: int  # client bytes, over the whole run, all groups
    seconds: float  # expected duration
    seconds_max: float  # worst case, deadlines and repeats included
    key: str  # client.perfcompare.<run>
    client_host: str
    pauses_autoscaler: Tuple[str, ...] = ()  # foreign pools that pause
    labels: Tuple[str, ...] = ()  # e.g. 'size 2, min_size 1'
    recovery: Optional[TestPlan] = None  # of a recovery test
    # operations/s of the latency probe beside RADOS loads, at most; 0: none
    probe_rate: float = 0.0
    caches: CacheBounds = CacheBounds()  # 0 in plans of older versions

    def group(self, name: str) -> GroupPlan:
        """Return the plan of group ``name``; KeyError when absent."""
        for group in self.groups:
            if group.name == name:
                return group
        raise KeyError(name)

    def workload(self, name: str) -> Workload:
        """Return the workload ``name``; KeyError when absent."""
        for workload in self.profile.workloads:
            if workload.name == name:
                return workload
        raise KeyError(name)
