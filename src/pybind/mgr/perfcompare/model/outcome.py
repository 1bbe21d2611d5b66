"""What becomes of a worker's job, as the manager keeps it."""

from typing import Any, Dict, List, Optional

import dataclasses

from .trial import Series, TrialSummary


@dataclasses.dataclass(frozen=True)
class FilledPopulation:
    """Report one population of a prefill or a warming pass."""

    run_name: str
    objects: int  # checked, not only asked for
    kept: bool  # it was there already
    seconds: Optional[float] = None
    ops_per_s: Optional[float] = None


@dataclasses.dataclass(frozen=True)
class RawSegment:
    """Hold what one load process counted, at about one sample a second."""

    client: int
    start: float  # Unix time
    t: List[float]  # seconds since start
    started: List[int]
    finished: List[int]
    waited: List[float]  # seconds: latencies of all finished operations
    # what its admin socket said, more often: Unix times, operations
    polled_at: List[float] = dataclasses.field(default_factory=list)
    polled_ops: List[int] = dataclasses.field(default_factory=list)
    seconds: float = 0.0  # ramp and drain included
    stop: Optional[float] = None  # seconds: its limit; None: all is read
    concurrency: int = 1
    latency_max: Optional[float] = None  # seconds


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Hold the result of a job as its worker wrote it."""

    kind: str  # 'trial', 'probe', 'prefill' or 'warm'
    started: float  # Unix time of the start of load
    ended: float
    tools: Dict[str, str] = dataclasses.field(default_factory=dict)
    summary: Optional[TrialSummary] = None  # of trial and probe
    series: Optional[Series] = None  # None where numpy is missing
    populations: List[FilledPopulation] = dataclasses.field(
        default_factory=list
    )
    notes: List[str] = dataclasses.field(default_factory=list)
    evidence: Dict[str, Any] = dataclasses.field(default_factory=dict)
    raw: List[RawSegment] = dataclasses.field(default_factory=list)
