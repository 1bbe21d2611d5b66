"""Reduce the judged trials of a row to the figures beside its ratio."""

from typing import Callable, Dict, List, Optional, Sequence, Tuple

import dataclasses
import math

from ..model.manifest import Manifest
from ..model.trial import Trial, TrialSummary
from . import load_parts, probed
from .efficiency import enough
from .evidence import Limits
from .findings.summary import limited
from .pairing import BlockPair
from .results import Dot, OrderEffect, RowSide, Spread
from .stats import median

# what a reader looks for: said to lack where no trial could state it
LOOKED_FOR = ('p99', 'p99.9')
# of imports; then nobody knows whether a percentile can be stated
UNCOUNTED = 'number of operations not recorded'


@dataclasses.dataclass(frozen=True)
class SideTrials:
    """Hold one group's judged trials of one row, all three in one order."""

    group: str
    label: str  # the group, with its run where both sides are one group
    trials: Sequence[Trial]
    manifests: Sequence[Manifest]
    osds: Sequence[int]  # the group's OSDs at the time; 0 is not known
    idle: int = 0  # further trials, in which nothing finished

    @property
    def osd_count(self) -> Optional[int]:
        """Return the group's OSDs, None if not known or not constant."""
        distinct = set(self.osds)
        return distinct.pop() or None if len(distinct) == 1 else None


def spread(values: Sequence[Optional[float]]) -> Spread:
    """Return median and range of the values that are known.

    In the unit of the values; of none, nothing is available.
    """
    found = [v for v in values if v is not None]
    if not found:
        return Spread()
    return Spread(median(found), min(found), max(found))


def _percentiles(side: SideTrials, tool: str) -> Tuple[Dict[str, float], str]:
    """Return the percentiles that every trial can state, or why none.

    A percentile q needs 10 / (1 - q) operations; a trial's percentile is
    one value, and the row shows the median of those.
    """
    summaries = [t.summary for t in side.trials if t.summary is not None]
    if not summaries:
        return {}, 'no trials'
    names = set.intersection(*(set(s.percentiles) for s in summaries))
    if not names:
        if tool == 'rados':
            return {}, probed.reason(side.trials, ()) or 'none recorded'
        return {}, 'none recorded'
    if any(map(probed.asked, side.trials)):
        return (
            {n: median([s.percentiles[n] for s in summaries]) for n in names},
            probed.reason(side.trials, sorted(names)),
        )
    if any(s.ops_per_s and not s.ops for s in summaries):
        return {}, probed.lacking(sorted(names), UNCOUNTED)
    fewest = min(s.ops for s in summaries)
    found, short = {}, []
    for name in sorted(names.union(LOOKED_FOR)):
        if not enough(fewest, name):
            short.append(name)
        elif name in names:
            found[name] = median([s.percentiles[name] for s in summaries])
    if not short:
        return found, ''
    return found, probed.lacking(short, f'too few operations: {fewest:,}')


def row_side(
    side: SideTrials, tool: str, limits: Limits = Limits()
) -> RowSide:
    """Return the medians, ranges and dots of one group in one row."""

    def values(
        read: Callable[[TrialSummary], Optional[float]], per_osd: bool = False
    ) -> List[Optional[float]]:
        found: List[Optional[float]] = []
        for trial, osds in zip(side.trials, side.osds):
            value = read(trial.summary) if trial.summary else None
            if value is not None and per_osd:
                value = value / osds if osds else None
            found.append(value)
        return found

    percentiles, reason = _percentiles(side, tool)
    longest = [v for v in values(lambda s: s.latency_max) if v is not None]
    return RowSide(
        group=side.group,
        osds=side.osd_count,
        trials=len(side.trials),
        ops_per_s=spread(values(lambda s: s.ops_per_s)),
        bytes_per_s=spread(values(lambda s: s.bytes_per_s)),
        ops_per_s_per_osd=spread(values(lambda s: s.ops_per_s, True)),
        bytes_per_s_per_osd=spread(values(lambda s: s.bytes_per_s, True)),
        latency_avg=spread(values(lambda s: s.latency_avg)),
        latency_max=max(longest, default=None),
        percentiles=percentiles,
        percentiles_reason=reason,
        percentiles_basis=probed.basis(side.trials) if percentiles else '',
        dots=tuple(
            _dot(trial, manifest, osds)
            for trial, manifest, osds in zip(
                side.trials, side.manifests, side.osds
            )
        ),
        limited=limited(side.trials, limits),
        operations=load_parts.operations(side.trials),
        endpoints=load_parts.endpoints(side.trials),
        steps=load_parts.steps(side.trials),
    )


def _dot(trial: Trial, manifest: Manifest, osds: int) -> Dot:
    summary = trial.summary
    return Dot(
        run=trial.run,
        round=trial.round,
        attempt=trial.attempt,
        position=trial.position,
        started=trial.started,
        ops_per_s=summary.ops_per_s if summary else None,
        bytes_per_s=summary.bytes_per_s if summary else None,
        latency_avg=summary.latency_avg if summary else None,
        client_host=manifest.client_host,
        osds=osds or None,
    )


def order_effect(pairs: Sequence[BlockPair]) -> OrderEffect:
    """Compare the blocks in order AB with those in order BA.

    With x = d + s when the candidate is second and d - s when it is first,
    s is half the difference of their means; needs both orders.
    """
    first = [pair.x for pair in pairs if pair.candidate_second]
    second = [pair.x for pair in pairs if not pair.candidate_second]
    means = [math.fsum(x) / len(x) if x else None for x in (first, second)]
    a, b = means
    return OrderEffect(
        len(first),
        len(second),
        None if a is None else math.exp(a),
        None if b is None else math.exp(b),
        None if a is None or b is None else math.exp((a - b) / 2.0),
    )


def pooled_order_effect(
    effects: Sequence[OrderEffect],
) -> Optional[OrderEffect]:
    """Average the order effects of rows; None where none is known."""
    logs = [
        math.log(e.second_place)
        for e in effects
        if e.second_place is not None
    ]
    if not logs:
        return None
    return OrderEffect(
        sum(e.baseline_first for e in effects),
        sum(e.candidate_first for e in effects),
        None,
        None,
        math.exp(math.fsum(logs) / len(logs)),
    )
