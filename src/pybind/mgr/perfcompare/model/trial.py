"""Trials and what was measured in them."""

from typing import Any, Dict, List, Optional, Tuple

import dataclasses
import enum


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

    @property
    def foreign(self) -> bool:
        """Say whether another tool measured it."""
        return 'import' in self.evidence

    @property
    def tells_errors(self) -> bool:
        """Say whether who measured it counted what failed.

        Imports of former versions do not say so where it did not.
        """
        tool = self.evidence.get('import')
        return not isinstance(tool, dict) or tool.get('errors_told') is not (
            False
        )

    @property
    def notes(self) -> Tuple[str, ...]:
        """Return what was noted of the trial, or of its import."""
        found = list(self.evidence.get('notes') or ())
        tool = self.evidence.get('import')
        if isinstance(tool, dict):  # former versions kept them there
            found += tool.get('notes') or ()
        return tuple(dict.fromkeys(str(note) for note in found))
