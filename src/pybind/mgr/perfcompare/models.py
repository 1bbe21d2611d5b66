"""The vocabulary of perfcompare as data (design: group, workload, run, …).

Everything here is plain data that codec.py turns into JSON and back.
"""

from typing import Any, Dict, List, Optional, Tuple

import dataclasses
import enum

from .recovery.testplan import TestPlan


class Op(str, enum.Enum):
    """Name an operation of a driver: `rados`, or `s3` where it says so."""

    WRITE = 'write'
    RAND = 'rand'
    SEQ = 'seq'
    S3_PUT = 's3-put'
    S3_GET = 's3-get'
    S3_STAT = 's3-stat'
    S3_DELETE = 's3-delete'
    S3_MIXED = 's3-mixed'
    OTHER = 'other'  # of another tool, imported; never run

    @property
    def s3(self) -> bool:
        """Say whether it goes through an S3 gateway."""
        return self.value.startswith('s3-')

    @property
    def reads(self) -> bool:
        """Say whether it only reads objects that were prepared."""
        return self in (Op.RAND, Op.SEQ, Op.S3_GET, Op.S3_STAT)


class Placement(str, enum.Enum):
    """Say how a group gets load and nothing else does."""

    HOSTS = 'hosts'  # a CRUSH root of the run, to which hosts are linked
    DEVICE_CLASS = 'device-class'  # a rule that takes a class


class CacheRegime(str, enum.Enum):
    """Say where reads are meant to come from."""

    CACHED = 'cached'
    DEVICE = 'device'


class RunState(str, enum.Enum):
    """Name the states of a run (design section 5)."""

    QUEUED = 'queued'
    PREFLIGHT = 'preflight'
    PREPARING = 'preparing'
    TRIAL = 'trial'
    COOLING = 'cooling'
    FINISHING = 'finishing'
    COMPLETED = 'completed'
    FAILED = 'failed'
    ABORTED = 'aborted'
    CANCELLED = 'cancelled'
    INTERRUPTED = 'interrupted'

    @property
    def ended(self) -> bool:
        """Say whether the run can change no more."""
        return self in (
            RunState.COMPLETED,
            RunState.FAILED,
            RunState.ABORTED,
            RunState.CANCELLED,
            RunState.INTERRUPTED,
        )


class Verdict(str, enum.Enum):
    """Say what a comparison row claims of the candidate."""

    FASTER = 'faster'
    SLOWER = 'slower'
    NO_DIFFERENCE = 'no difference shown'
    INCONCLUSIVE = 'inconclusive'


class Severity(str, enum.Enum):
    """Grade a preflight finding."""

    OK = 'ok'
    INFO = 'info'
    WARN = 'warn'
    REFUSE = 'refuse'


@dataclasses.dataclass(frozen=True)
class GroupSpec:
    """Define a group as an operator set it (or a device class, unset).

    Exactly one of ``hosts`` (CRUSH bucket names, optionally filtered by
    ``device_class``) and ``device_class`` alone makes the placement.
    """

    name: str
    hosts: Tuple[str, ...] = ()
    device_class: Optional[str] = None
    watts: Optional[float] = None  # of the whole group
    price: Optional[float] = None  # of the whole group, any currency
    note: str = ''

    @property
    def placement(self) -> Placement:
        """Return how pools of this group are placed."""
        return Placement.HOSTS if self.hosts else Placement.DEVICE_CLASS


@dataclasses.dataclass(frozen=True)
class GatewaySet:
    """Name the S3 gateways of an operator that serve a group; no keys."""

    group: str
    endpoints: Tuple[str, ...]  # URLs
    placement: str = ''  # id of the placement target; '': the user's own
    region: str = 'us-east-1'
    own_ca: bool = False  # certificates are signed by the given authority


@dataclasses.dataclass(frozen=True)
class Group:
    """Resolve a GroupSpec against the topology: its OSDs by host."""

    spec: GroupSpec
    osds: Tuple[int, ...]  # sorted ids, only OSDs that are up and in
    hosts: Tuple[str, ...]  # CRUSH hosts that carry these OSDs
    failure_domains: int  # how many hosts a rule can choose from
    arch: Tuple[str, ...] = ()  # distinct, sorted
    missing: Tuple[int, ...] = ()  # OSDs of the group down or out

    @property
    def name(self) -> str:
        """Return the group's name."""
        return self.spec.name


@dataclasses.dataclass(frozen=True)
class Concurrency:
    """Hold outstanding operations: in all, or for each OSD of the group.

    0 is not known, for what another tool measured.
    """

    value: int
    per_osd: bool = False

    def total(self, osds: int) -> int:
        """Return the operations in flight for a group of ``osds`` OSDs."""
        return self.value * (osds if self.per_osd else 1)

    def __str__(self) -> str:
        if not self.value:
            return 'not available'
        return f'{self.value}/osd' if self.per_osd else str(self.value)


@dataclasses.dataclass(frozen=True)
class WeightedSize:
    """Give an object size (bytes) a share of the objects."""

    size: int
    weight: float = 1.0


@dataclasses.dataclass(frozen=True)
class Workload:
    """Define one kind of load; its primary metric is operations/second."""

    name: str  # e.g. 'write-4K-c16'; unique within a profile
    op: Op
    size: int  # bytes of one object and of one operation
    concurrency: Concurrency
    duration: float  # seconds measured, after warm-up
    warmup: float  # seconds of load before the measured window
    # processes that share the concurrency; 1 lets `s3` choose
    clients: int = 1
    cache: Optional[CacheRegime] = None  # reads only
    tool: str = 'rados'
    rate: Optional[float] = None  # operations/s begun; None: closed loop
    # S3 only: weighted sizes, of which ``size`` is the (larger) mean
    read_sizes: Tuple[WeightedSize, ...] = ()
    write_sizes: Tuple[WeightedSize, ...] = ()

    @property
    def reads(self) -> bool:
        """Say whether the workload reads a prepared population."""
        return self.op.reads


@dataclasses.dataclass(frozen=True)
class Profile:
    """Name a list of workloads and the repetition policy."""

    name: str
    description: str
    rounds: int
    workloads: Tuple[Workload, ...]
    version: str  # first 12 hex digits of the SHA-256 of its content
    builtin: bool = False


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
    # what the operator overrode in the profile; None keeps the profile's
    workloads: Optional[Tuple[str, ...]] = None
    sizes: Optional[Tuple[str, ...]] = None
    concurrency: Optional[Tuple[str, ...]] = None
    duration: Optional[float] = None
    rounds: Optional[int] = None
    clients: Optional[int] = None
    # S3 workloads only
    rate: Optional[float] = None  # operations/s
    read_sizes: Optional[str] = None  # e.g. '4M:80,1M:20'
    write_sizes: Optional[str] = None
    s3_client: Optional[str] = None  # 'own' or 'warp'
    gateways: Optional[int] = None  # for each group
    rgw_index_class: Optional[str] = None
    s3_tls: bool = False
    gateway_source: Optional[str] = None  # 'private', 'orch', 'existing'

    @property
    def existing_gateways(self) -> bool:
        """Say whether S3 goes through gateways of the operator."""
        return self.gateway_source == 'existing'

    @property
    def orch_gateways(self) -> bool:
        """Say whether the orchestrator places the S3 gateways."""
        return self.gateway_source == 'orch'


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
    # the operator's gateways, where those are used
    gateways: str = ''  # the group for which they are set
    endpoints: Tuple[str, ...] = ()
    s3_placement: str = ''
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


@dataclasses.dataclass(frozen=True)
class Series:
    """Hold client samples of a trial on a common clock, one per second.

    ``t`` are seconds since ``wall_start`` (end of each interval); the
    other lists have the same length; None means "not available".
    """

    wall_start: float  # Unix time
    t: List[float] = dataclasses.field(default_factory=list)
    ops: List[Optional[float]] = dataclasses.field(default_factory=list)
    latency: List[Optional[float]] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class TrialSummary:
    """Reduce a trial to the figures that a comparison needs.

    All refer to the measured window; None is "not available".
    """

    ops_per_s: Optional[float]
    bytes_per_s: Optional[float]
    latency_avg: Optional[float]  # seconds, closed loop
    latency_max: Optional[float]  # seconds, whole trial
    window: float  # seconds measured
    ops: int  # operations finished in the window
    errors: int = 0
    # latency percentiles in seconds by name ('p50', 'p99', …); rados bench
    # records no distribution, so it leaves this empty
    percentiles: Dict[str, float] = dataclasses.field(default_factory=dict)
    # mean op/s of 6 equal windows after warm-up, for `not steady`
    windows: Tuple[float, ...] = ()
    # client evidence: cores used by the busiest submitting thread, by all
    # client processes, the share of all cores busy, cores of the client
    client_thread_cores: Optional[float] = None
    client_cores: Optional[float] = None
    host_busy: Optional[float] = None
    host_cores: Optional[int] = None
    analysis: int = 1  # version of the reduction


class TrialState(str, enum.Enum):
    """Say what became of a trial."""

    OK = 'ok'
    VOID = 'void'  # cut; its whole block is repeated


@dataclasses.dataclass(frozen=True)
class Trial:
    """Record one workload on one group, once."""

    run: str
    round: int
    block: int  # index of the block within the round
    attempt: int  # 1 for the first execution of the block
    position: int  # place in the block's order, from 0
    workload: str
    group: str
    started: float  # Unix time of the start of load
    ended: float
    state: TrialState
    reason: str = ''  # why it is void
    summary: Optional[TrialSummary] = None
    # what was so at the time: client host, versions, placement, settings
    manifest: Dict[str, Any] = dataclasses.field(default_factory=dict)
    # further evidence by source (osd counters, hosts), typed by its owner
    evidence: Dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class RunEvent:
    """Record one step of a run's life."""

    at: float  # Unix time
    state: RunState
    message: str


@dataclasses.dataclass(frozen=True)
class RuleValue:
    """Record the worst value that an abort rule saw during a run."""

    rule: str
    threshold: str
    worst: str
    fired: bool = False


@dataclasses.dataclass(frozen=True)
class Run:
    """Record one execution of a profile on groups."""

    id: str
    state: RunState
    plan: RunPlan
    created: float
    started: Optional[float] = None
    ended: Optional[float] = None
    reason: str = ''  # why it failed, was aborted (rule id first), …
    origin: str = ''  # 'cli', 'dashboard', 'import:<file fsid>'
    fsid: str = ''
    ceph_version: str = ''
    module_version: str = ''
    events: Tuple[RunEvent, ...] = ()
    rules: Tuple[RuleValue, ...] = ()  # the abort rules, at its end


@dataclasses.dataclass(frozen=True)
class Check:
    """Report one preflight check."""

    id: str  # HEALTH, PGS, … as in the documentation
    severity: Severity
    message: str  # what was found
    remedy: str = ''


@dataclasses.dataclass(frozen=True)
class Progress:
    """Say how far a run is, without asking any database."""

    run: str
    state: RunState
    fraction: float  # 0…1
    eta: Optional[float]  # seconds; None: longer than estimated
    round: int
    rounds: int
    trial: str  # '<workload> on <group>' or ''
    ops_per_s: Optional[float] = None  # live, of the trial under way
    bytes_per_s: Optional[float] = None
    message: str = ''
    scenario: str = ''  # of a recovery test; '' is a run
