"""What load processes count between the moments at which OSDs were read."""

from typing import Any, Mapping, Optional, Sequence

import bisect

from ..model.outcome import RawSegment


def client_operations(
    raw: Sequence[RawSegment], start: float, end: float
) -> Optional[float]:
    """Return the operations of all clients between two Unix times.

    Between two readings they are taken as evenly spread. None when
    nothing is known of the clients.
    """
    if not raw:
        return None
    return sum(_count(s, end) - _count(s, start) for s in raw)


def probe_operations(
    evidence: Mapping[str, Any], start: float, end: float
) -> float:
    """Return the operations of a trial's latency probe, by its mean rate."""
    rate = (evidence.get('probe') or {}).get('ops_per_s') or 0.0
    return float(rate) * (end - start)


def _count(segment: RawSegment, at: float) -> float:
    """Return how many operations a process had finished at a moment.

    Its admin socket is asked at least once a second; where it did not
    answer, the program's own samples are what is left.
    """
    polled = segment.polled_at
    if polled and polled[0] <= at <= polled[-1]:
        return _between(polled, segment.polled_ops, at)
    times = [segment.start + t for t in segment.t]
    return _between(times, segment.finished, at)


def _between(
    times: Sequence[float], counts: Sequence[int], at: float
) -> float:
    after = bisect.bisect_right(times, at)
    if after == 0:
        return 0.0
    if after == len(times):
        return float(counts[-1])
    low, high = times[after - 1], times[after]
    share = (at - low) / (high - low)
    return counts[after - 1] + share * (counts[after] - counts[after - 1])
