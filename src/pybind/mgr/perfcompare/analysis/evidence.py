"""What validity rules may look at for one row, and how they read it."""

from typing import Callable, List, Optional, Sequence, Set, Tuple

import dataclasses

from ..common.settings import Settings
from ..model.manifest import Manifest
from ..model.trial import Trial
from .measured import Measure

LATENCY_BOUND = 'latency-bound'
SATURATED = 'saturated'
PACED = 'paced'
UNKNOWN = 'not available'

ROUNDING = 1e-9  # a mean of equal values may differ from them by this


@dataclasses.dataclass(frozen=True)
class Limits:
    """Hold the limits of the rules; the first two are module options."""

    tenant_ops_per_s: float = 50.0
    error_share: float = 0.001
    moved_per_s: float = 1.0  # objects, by recovery on a group's OSDs
    thread_cores: float = 0.85
    host_busy: float = 0.80
    nic_busy: float = 0.85
    client_throttled: float = 0.25
    primaries_max_mean: float = 1.10
    objects_apart: float = 1.01  # of a population: noted from here on
    primaries_apart: float = 1.05
    # what powers of two leave at most of two numbers of OSDs: the root of 2
    pgs_per_osd_apart: float = 1.42
    serial_correlation: float = 0.5
    serial_blocks: int = 10
    probe_share: float = 0.05
    cache_apart: float = 0.10
    unsettled_apart: float = 0.25  # of the trials of a side
    measured_share: float = 0.3  # of the time that was asked for

    def pgs_differ(self, pgs_per_osd: Sequence[float]) -> bool:
        """Say whether groups have too unlike numbers of PGs per OSD."""
        least, most = min(pgs_per_osd), max(pgs_per_osd)
        return most > self.pgs_per_osd_apart * least + ROUNDING


def limits_of(settings: Settings) -> Limits:
    """Return the limits with what an operator can set."""
    return Limits(
        tenant_ops_per_s=settings.load_limit_ops,
        error_share=settings.error_budget,
    )


@dataclasses.dataclass(frozen=True)
class SideFacts:
    """Hold what is known of one group in one row."""

    group: str
    trials: Sequence[Trial]
    manifests: Sequence[Manifest]
    idle: int = 0  # further trials, in which nothing finished


@dataclasses.dataclass(frozen=True)
class RowFacts:
    """Hold what the rules may look at for one row; logs where marked."""

    baseline: SideFacts
    candidate: SideFacts
    label: str  # LATENCY_BOUND, PACED or SATURATED
    reads: bool
    images: bool = False  # which what is read is in
    # log-ratios of complete blocks in their order; empty when unpaired
    x: Sequence[float] = ()
    estimate: Optional[float] = None  # log
    interval: Optional[Tuple[float, float]] = None  # log, the decisive one
    equal: bool = False  # what was measured would be `no difference shown`
    limits: Limits = Limits()
    intended: Sequence[str] = ()  # settings that are themselves compared
    # a side that could do more would have more of what was measured, too
    grows: bool = True
    same_osds: bool = False  # of both sides, in each block
    seconds: float = 0.0  # that each trial of ours was to be measured for

    @property
    def sides(self) -> Tuple[SideFacts, SideFacts]:
        """Return baseline and candidate."""
        return self.baseline, self.candidate

    def of(
        self, measured: Measure, x: Sequence[float], grows: bool = True
    ) -> 'RowFacts':
        """Return the facts of the same trials for another measure of them."""
        return dataclasses.replace(
            self,
            x=x,
            estimate=measured.estimate,
            interval=measured.decisive,
            equal=measured.equal,
            grows=grows,
        )


@dataclasses.dataclass(frozen=True)
class Reason:
    """Report one rule's outcome that a reader must see."""

    id: str
    holds: bool  # True: the row is inconclusive for this reason
    evidence: str
    at_least: bool = False  # only the faster side's client was limited


class Missing(Exception):
    """Carry the name of evidence that nobody recorded."""


def recorded(side: SideFacts, key: str) -> List[float]:
    """Return a side's recorded numbers of ``key``, or raise Missing."""
    values = [getattr(m, key) for m in side.manifests]
    found = [float(v) for v in values if v is not None]
    if not found:
        raise Missing(f'{key} of {side.group}')
    return found


def mean(side: SideFacts, key: str) -> float:
    """Return the mean of the numbers of ``key``, or raise Missing."""
    values = recorded(side, key)
    return sum(values) / len(values)


def summaries(side: SideFacts, key: str) -> List[float]:
    """Return the figure ``key`` of each trial's summary that has it."""
    values = [getattr(t.summary, key, None) for t in side.trials]
    return [float(v) for v in values if v is not None]


def client_figure(trial: Trial, key: str) -> Optional[float]:
    """Return a figure of the client's own evidence, None if absent."""
    client = trial.evidence.get('client')
    value = client.get(key) if isinstance(client, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def failed_attempts(trial: Trial) -> int:
    """Return how many attempts to connect to gateways failed."""
    client = trial.evidence.get('client')
    found = client.get('attempts') if isinstance(client, dict) else None
    if not isinstance(found, dict):
        return 0
    return sum(n for n in found.values() if isinstance(n, int))


def client_link(trial: Trial) -> Optional[float]:
    """Return the busy share of the client's link, None if not known."""
    client = trial.evidence.get('client')
    nic = client.get('nic') if isinstance(client, dict) else None
    share = nic.get('share') if isinstance(nic, dict) else None
    return float(share) if isinstance(share, (int, float)) else None


def client_wanted(trial: Trial) -> Optional[float]:
    """Return how long a client process ran or waited for a core (0…1).

    Of the one that did so most; None where the kernel tells no waiting.
    Former versions told apart who ran most and who waited most.
    """
    wanted = client_figure(trial, 'wanted')
    if wanted is not None:
        return min(1.0, wanted)
    client = trial.evidence.get('client')
    waits = client.get('run_queue') if isinstance(client, dict) else None
    ran = trial.summary.client_thread_cores if trial.summary else None
    if not isinstance(waits, list) or not waits or ran is None:
        return None
    return min(1.0, ran + max(float(w) for w in waits))


def distinct(
    facts: RowFacts, key: str, read: Callable[[Manifest], object]
) -> List[Set[str]]:
    """Return each side's distinct recorded values, or raise Missing."""
    found = []
    for side in facts.sides:
        values = {read(m) for m in side.manifests} - {None}
        if not values:
            raise Missing(f'{key} of {side.group}')
        found.append({str(v) if v != '' else 'none' for v in values})
    return found


def apart_text(facts: RowFacts, found: Sequence[Set[str]]) -> str:
    """Return who has which values; ``found`` has a set for each side."""
    return ', '.join(
        f'{" or ".join(sorted(values))} for {side.group}'
        for values, side in zip(found, facts.sides)
    )
