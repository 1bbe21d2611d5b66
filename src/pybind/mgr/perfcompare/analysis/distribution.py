"""How latencies of one row are distributed: curves made of histograms.

Histograms of all judged trials of a group are added up; nothing is averaged
and nothing is made up between buckets: a point says which share of the
operations took at most as long as the upper end of its bucket.
"""

from typing import (
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

import dataclasses
import math

from ..model.trial import Trial
from ..worker.wire import histogram
from .findings.facts import mapping

CLIENTS, PROBE, OSDS = 'clients', 'latency probe', 'OSDs'
# a point is kept when it is this far from the one before, on either axis:
# a share of all operations, or decades of the share that took longer
STEP = 0.02
DECADES = 0.1
CLIENT_WIDTH = 'buckets of 0.8 %'
OSD_WIDTH = 'one bucket: the next bound is twice as high'

Counts = Dict[float, int]  # operations by the upper bound (s) of a bucket


@dataclasses.dataclass(frozen=True)
class Curve:
    """Hold how the latencies of one group's judged trials are spread."""

    samples: int  # operations
    trials: int  # whose histograms are in it
    points: Tuple[Tuple[float, float], ...]  # (seconds, share up to there)
    reason: str  # why there is none, or what it lacks, else ''


@dataclasses.dataclass(frozen=True)
class Distribution:
    """Hold both sides' latencies as one source counted them."""

    source: str  # 'clients', 'clients: get', 'latency probe', 'OSDs: read'
    accuracy: str  # of a point
    baseline: Curve
    candidate: Curve


def distributions(
    baseline: Sequence[Trial], candidate: Sequence[Trial]
) -> Tuple[Distribution, ...]:
    """Return a distribution for each source that either side recorded.

    Clients first, all operations before single kinds; then a latency probe;
    then what the OSDs counted.
    """
    sides = [[_sources(trial) for trial in s] for s in (baseline, candidate)]
    names = {name for side in sides for found in side for name in found}
    clients = sorted(n for n in names if n.startswith(f'{CLIENTS}: '))
    if len(clients) == 1:
        names.discard(clients[0])  # it is all of them
    found = []
    for name in sorted(names, key=_order):
        left, right = (_curve(name, side) for side in sides)
        width = OSD_WIDTH if name.startswith(OSDS) else CLIENT_WIDTH
        found.append(Distribution(name, width, left, right))
    return tuple(found)


def _order(name: str) -> Tuple[int, str]:
    kinds = (CLIENTS, f'{CLIENTS}: ', PROBE)
    at = [i for i, kind in enumerate(kinds) if name.startswith(kind)]
    return max(at) if at else len(kinds), name


def _sources(trial: Trial) -> Dict[str, Counts]:
    """Return the histograms of a trial; what is damaged counts as none."""
    client = mapping(trial.evidence.get('client'))
    found: Dict[str, Counts] = {}
    every: Counts = {}
    for op, counts in mapping(client.get('histograms')).items():
        read = _hdr(mapping(counts).items())
        if read:
            found[f'{CLIENTS}: {op}'] = read
            _add(every, read)
    if every:
        found[CLIENTS] = every
    probe = _hdr(_pairs(mapping(client.get('probe')).get('histogram')))
    if probe:
        found[PROBE] = probe
    for kind, told in mapping(trial.evidence.get('histograms')).items():
        read = _bounded(_pairs(mapping(told).get('buckets')))
        if read:
            found[f'{OSDS}: {kind}'] = read
    return found


def _pairs(value: Any) -> List[Tuple[Any, Any]]:
    if not isinstance(value, (list, tuple)):
        return []
    return [
        (pair[0], pair[1])
        for pair in value
        if isinstance(pair, (list, tuple)) and len(pair) == 2
    ]


def _hdr(counts: Iterable[Tuple[Any, Any]]) -> Counts:
    """Return counts by upper bound of those by bucket; {} if damaged."""
    try:
        return {
            histogram.upper(int(index)) / 1e9: int(count)
            for index, count in counts
            if int(count) > 0
        }
    except (TypeError, ValueError, OverflowError):
        return {}


def _bounded(counts: Iterable[Tuple[Any, Any]]) -> Counts:
    """Return counts by upper bound; the last one may have none."""
    try:
        return {
            math.inf if bound is None else float(bound): int(count)
            for bound, count in counts
            if int(count) > 0
        }
    except (TypeError, ValueError, OverflowError):
        return {}


def _add(to: Counts, counts: Mapping[float, int]) -> None:
    for bound, count in counts.items():
        to[bound] = to.get(bound, 0) + count


def _curve(name: str, trials: Sequence[Mapping[str, Counts]]) -> Curve:
    whole: Counts = {}
    known = 0
    for found in trials:
        counts = found.get(name)
        if counts:
            known += 1
            _add(whole, counts)
    if not known:
        return Curve(0, 0, (), 'no histogram was recorded')
    missing = len(trials) - known
    reason = f'without {missing} of {len(trials)} trials' if missing else ''
    return Curve(sum(whole.values()), known, points(whole), reason)


def points(counts: Mapping[float, int]) -> Tuple[Tuple[float, float], ...]:
    """Return (seconds, share that took at most so long), thinned out.

    What took longer than any bound is in no point: the last share is then
    below 1.
    """
    whole = sum(counts.values())
    found: List[Tuple[float, float]] = []
    below = 0
    kept: Optional[Tuple[float, float]] = None
    for bound in sorted(counts):
        if math.isinf(bound):
            break
        below += counts[bound]
        point = (bound, below / whole)
        last = below == whole
        if kept is None or last or _far(kept[1], point[1]):
            found.append(point)
            kept = point
    return tuple(found)


def _far(before: float, now: float) -> bool:
    if now - before >= STEP:
        return True
    longer = math.log10(1.0 - before) - math.log10(max(1e-12, 1.0 - now))
    return longer >= DECADES
