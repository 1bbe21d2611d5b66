"""What a comparison says, as data for the CLI, REST and the dashboard.

codec.to_data makes JSON of it. Ratios are candidate / baseline; rates are
per second; latencies are seconds; None is "not available".
"""

from typing import Dict, Optional, Tuple

import dataclasses

from ..model.workload import CacheRegime, Op
from .evidence import Reason
from .findings.summary import Limited
from .measured import IntervalKind, Rule
from .verdict import Verdict


@dataclasses.dataclass(frozen=True)
class Spread:
    """Hold the median and the range of a row's trials of one group."""

    median: Optional[float] = None
    min: Optional[float] = None
    max: Optional[float] = None


@dataclasses.dataclass(frozen=True)
class Dot:
    """Hold one judged trial, a dot of the strip plot."""

    run: str
    round: int
    attempt: int
    position: int  # place in the block's order, from 0
    started: float  # Unix time
    ops_per_s: Optional[float]
    bytes_per_s: Optional[float]
    latency_avg: Optional[float]
    client_host: Optional[str]
    osds: Optional[int]  # of the group at the time


@dataclasses.dataclass(frozen=True)
class PartFigures:
    """Hold an operation, an endpoint or a step of one group in one row.

    Rates and latencies are medians over trials; so are percentiles, each
    where every trial had enough operations to state it.
    """

    name: str  # 'get', the URL of the endpoint, or the rate of the step
    trials: int
    ops: Optional[int]  # that finished, of all its trials
    ops_per_s: Optional[float]
    bytes_per_s: Optional[float]  # of put and get
    latency_avg: Optional[float]
    percentiles: Dict[str, float]
    first_byte: Dict[str, float]  # percentiles of time to it; get only
    errors: Optional[int]  # of all its trials; an endpoint's: all kinds


@dataclasses.dataclass(frozen=True)
class RowSide:
    """Hold one group's figures in one row."""

    group: str
    osds: Optional[int]  # None when it changed between the trials
    trials: int
    ops_per_s: Spread
    bytes_per_s: Spread
    ops_per_s_per_osd: Spread
    bytes_per_s_per_osd: Spread
    latency_avg: Spread  # closed loop: shown, never judged
    latency_max: Optional[float]  # of all its trials
    # median over the trials of each one's percentile
    percentiles: Dict[str, float]
    percentiles_reason: str  # why they are not available
    dots: Tuple[Dot, ...]
    limited: Limited  # what limited most of its trials
    operations: Tuple[PartFigures, ...] = ()  # of S3 only
    endpoints: Tuple[PartFigures, ...] = ()
    steps: Tuple[PartFigures, ...] = ()  # of a rate that grew; not judged
    percentiles_basis: str = ''  # whose they are, where not the load's own


@dataclasses.dataclass(frozen=True)
class PairDot:
    """Hold one complete block's ratio."""

    run: str
    round: int
    order: str  # 'AB': baseline first; 'BA': candidate first
    ratio: float
    ratio_per_osd: Optional[float]


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Hold a ratio, its interval and what may be said of it."""

    ratio: Optional[float]  # Hodges-Lehmann
    low: Optional[float]
    high: Optional[float]
    coverage: Optional[float]  # percent; of a range, what it happens to be
    kind: Optional[IntervalKind]
    n: int  # blocks or runs; unpaired, of the smaller side, or its trials
    p: Optional[float]
    p_family: Optional[float]  # as entered in BH, looks paid for
    q: Optional[float]  # None where the row cannot be judged
    verdict: Optional[Verdict]  # None: shown without a verdict
    reason: str  # the words in parentheses of `inconclusive`
    detail: str  # one sentence
    verdict_text: str  # 'faster', 'inconclusive (too noisy)', …
    at_least: bool = False  # the true difference may be larger
    bound: Optional[float] = None  # percent, of `no difference shown`
    blocks_needed: Optional[int] = None  # an estimate, when too noisy
    # what it is judged by, maybe not as its row is; None of former versions
    rule: Optional[Rule] = None


@dataclasses.dataclass(frozen=True)
class MetricRow:
    """Hold one further metric of a row; `estimate.ratio` is of its values.

    The verdict is of the candidate, whichever direction is better.
    """

    id: str  # 'ops-per-watt', 'latency-p99', …
    title: str
    unit: str  # 'op/s' (per what the title says) or 's'
    kind: str  # 'efficiency' or 'latency'
    better: str  # 'higher' or 'lower'
    basis: str  # 'measured', 'recorded' or 'stated' (by the operator)
    source: str  # of what was measured, where there are several, else ''
    baseline: Spread
    candidate: Spread
    estimate: Estimate


@dataclasses.dataclass(frozen=True)
class OrderEffect:
    """Hold how the order of a block's trials mattered."""

    baseline_first: int  # blocks in order AB
    candidate_first: int  # blocks in order BA
    ratio_baseline_first: Optional[float]  # geometric means of the ratios
    ratio_candidate_first: Optional[float]
    second_place: Optional[float]  # what being second multiplies a rate by


@dataclasses.dataclass(frozen=True)
class Row:
    """Hold one workload's comparison."""

    workload: str
    op: Op
    size: int  # bytes
    concurrency: str  # '16' or '4/osd'
    clients: int
    duration: float  # seconds
    cache: Optional[CacheRegime]
    label: str  # 'latency-bound', 'paced' or 'saturated'
    rule: Rule
    blocks_complete: int  # unpaired: trials of the smaller side
    blocks_planned: int
    stopped_after: Optional[int]  # adaptive: blocks at the stop
    baseline: RowSide
    candidate: RowSide
    pairs: Tuple[PairDot, ...]  # empty when unpaired
    estimate: Estimate  # absolute: the row's one verdict
    # op/s per OSD; has a verdict only where the OSD counts differ
    per_osd: Estimate
    reasons: Tuple[Reason, ...]
    missing_evidence: Tuple[str, ...]
    order: Optional[OrderEffect]  # None when unpaired
    client_hosts: Tuple[str, ...]
    metrics: Tuple[MetricRow, ...] = ()  # besides operations per second
    metrics_missing: Tuple[str, ...] = ()  # 'ops-per-watt: needs …'
    curve: str = ''  # of which this is a point, which has no verdict
    # of its operations: a ratio of bytes is not that of operations
    mixed_sizes: bool = False


@dataclasses.dataclass(frozen=True)
class PointSide:
    """Hold one group at one point of a curve: medians and ranges."""

    ops_per_s: Spread
    bytes_per_s: Spread
    # by percentile, over the rounds of which each can state it
    latencies: Dict[str, Spread]
    host_cpu: Optional[float]  # busy share of its hosts, median of trials
    client_cpu: Optional[float]  # cores of the client's processes
    # CPU seconds of an operation, of its hosts and of those processes
    host_cpu_per_op: Optional[float] = None
    client_cpu_per_op: Optional[float] = None
    trials: int = 0
    behind: Optional[int] = None  # of these, that did less than was offered


@dataclasses.dataclass(frozen=True)
class CurvePoint:
    """Hold one point of a curve, whose row is `workload`."""

    workload: str
    concurrency: str  # '16' or '4/osd'
    used: bool  # False: left out, as it lacks the percentile
    baseline: PointSide
    candidate: PointSide
    offered: Optional[float] = None  # op/s, where that is what points are


@dataclasses.dataclass(frozen=True)
class Note:
    """Hold a figure of a curve's shape and its bootstrap interval."""

    id: str  # 'knee', 'response-time', 'contention', 'coherency'
    value: float
    low: float
    high: float
    unit: str  # 'in flight', 's' or ''


@dataclasses.dataclass(frozen=True)
class CurveSide:
    """Hold what was read off one group's curve, a value for each round."""

    group: str
    figure: Spread  # op/s, of what the curve is judged by
    above: int  # rounds in which the true figure is that or more
    below: int  # rounds in which it is that or less
    peak: Spread  # op/s, at points that other rounds chose
    peak_at: Tuple[str, ...]  # which points these were
    notes: Tuple[Note, ...]
    per_osd: Spread = Spread()  # `figure` by OSDs, where the counts differ


@dataclasses.dataclass(frozen=True)
class Curve:
    """Hold the comparison of two response curves, and its one verdict."""

    name: str  # 'rbd-randread-4K'
    op: Op
    size: int  # bytes
    cache: Optional[CacheRegime]
    metric: str  # 'slo', 'peak' or 'offered': what its verdict is about
    slo: str  # 'p99 ≤ 10 ms', of `slo`
    percentile: str  # that the limit is of, '' of `peak`
    limit: Optional[float]  # seconds
    rule: Rule
    rounds_complete: int  # unpaired: of the smaller side
    rounds_planned: int
    points: Tuple[CurvePoint, ...]  # rising
    baseline: CurveSide
    candidate: CurveSide
    estimate: Estimate
    # what the ratio is where figures lie beyond the ladder: 'at least' or
    # 'at most' the true one; '' where they do not
    censored: str
    peak: Estimate  # of the peaks; without a verdict where `slo` has it
    reasons: Tuple[Reason, ...]  # of the points that the figure rests on
    lacks: Tuple[str, ...]  # why something of it is not available
    # 'open', or 'closed above what is in flight', of `offered`
    loop: str = ''
    # `estimate` per OSD; None where the OSD counts are alike, or not known
    per_osd: Optional[Estimate] = None


@dataclasses.dataclass(frozen=True)
class Description:
    """Describe one side of a comparison."""

    group: str
    label: str  # the group; 'group@run' where both sides are one group
    runs: Tuple[str, ...]
    placement: str
    device_class: Optional[str]
    hosts: Tuple[str, ...]
    osds: int
    arch: Tuple[str, ...]
    cpu: Tuple[str, ...]
    ceph_version: Tuple[str, ...]
    emulated: bool
    notes: Tuple[str, ...]  # of the group, and 'emulated' where measured so
    labels: Tuple[str, ...]  # of the plan: 'size 2, min_size 1', …
    watts: Optional[float]
    price: Optional[float]


@dataclasses.dataclass(frozen=True)
class Confounder:
    """Name something beyond the groups in which the sides differ."""

    field: str
    baseline: Tuple[str, ...]
    candidate: Tuple[str, ...]
    intended: bool = False  # it is what is compared


@dataclasses.dataclass(frozen=True)
class Across:
    """Name what was meant to differ, and how it does (--across)."""

    name: str
    baseline: Tuple[str, ...]  # empty where it does not differ
    candidate: Tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class VoidTrials:
    """Count the trials that were cut for one reason."""

    group: str  # or the label of the side
    reason: str
    count: int


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Hold the whole answer for one baseline and one candidate."""

    baseline: Description
    candidate: Description
    runs: Tuple[str, ...]
    profiles: Tuple[str, ...]  # 'quick (version 0123456789ab)'
    paired: bool
    tool: str
    rows: Tuple[Row, ...]
    family_size: int  # m of Benjamini-Hochberg
    family_groups: Tuple[str, ...]  # candidates whose rows are in it
    order: Optional[OrderEffect]  # over all rows
    confounders: Tuple[Confounder, ...]
    missing: Tuple[str, ...]  # figures and evidence not available
    warnings: Tuple[str, ...]
    void_trials: Tuple[VoidTrials, ...]
    repeated_blocks: int
    incomplete_blocks: Tuple[str, ...]
    across: Tuple[Across, ...] = ()  # what was meant to differ
    metrics_family_size: int = 0  # of the further metrics' own family
    probe_family_size: int = 0  # of what latency probes saw
    curves: Tuple[Curve, ...] = ()  # in the family of the rows
    # version of the rule: 1 judged the drift of each group by its size;
    # since 2 that of the ratio counts, where it is demonstrated; since 3
    # placement is judged by the objects that OSDs lead, where recorded,
    # since 4 by the bytes of images; since 5 curves are read along a bend;
    # since 6 data that moves counts; since 7 reasons are those of the
    # measure that is judged: per OSD, of a further metric, of a curve;
    # since 8 trials of which little was measured count, and OSDs that had
    # other work to do on one side; PGs that follow from what is compared
    # do not; since 9 intervals are no narrower than what was counted;
    # since 10 trials in which nothing finished count, one early trial of
    # three does not, and of curves the operations of the points that they
    # are read off do; since 11 of several runs each is a unit, blocks are in
    # the order of rounds, a run that was ended early needs more, and PGs per
    # OSD may differ by the root of two; since 12 only op/s stops a row of
    # an adaptive run, and other figures are of all of its blocks; rounds
    # of a curve depend on each other in its own figures; blocks of two load
    # hosts count where that is what is compared, and caches that differ do;
    # rows of as many OSDs are not in the family per OSD
    analysis: int = 12
