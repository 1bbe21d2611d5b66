"""Read one figure off each round of a response curve, without a verdict.

A curve is throughput and latency over operations in flight, point by point
of a ladder. All rates and latencies here are natural logarithms, in the
order of the ladder. What is read lies on the points: between two of them by
interpolation, beyond the ends not at all.
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

import math

BELOW, EXACT, ABOVE = -1, 0, 1
RISE = math.log(1.03)  # from point to point: the peak is not reached yet


class Reading(NamedTuple):
    """Hold a figure of one round and group, and what it rests on."""

    value: float  # log of op/s
    # ABOVE: the true figure is this or more; BELOW: this or less
    censored: int
    points: Tuple[int, ...]  # of the ladder
    most: float = math.inf  # of ABOVE: what the true figure is below

    @property
    def low(self) -> float:
        """Return what the true figure is at least."""
        return -math.inf if self.censored == BELOW else self.value

    @property
    def high(self) -> float:
        """Return what the true figure is at most."""
        return self.most if self.censored == ABOVE else self.value


class Ratio(NamedTuple):
    """Hold the log-ratio of one round, and where the true one lies."""

    x: float
    low: float
    high: float


def isotonic(values: Sequence[float]) -> List[float]:
    """Return the nearest values (least squares) that never fall.

    Pool adjacent violators: Barlow, Bartholomew, Bremner & Brunk 1972.
    """
    pools: List[Tuple[float, int]] = []  # mean, number
    for value in values:
        mean, size = value, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean = (before * many + mean * size) / (many + size)
            size += many
        pools.append((mean, size))
    return [mean for mean, size in pools for _ in range(size)]


def at_limit(
    rates: Sequence[float], latencies: Sequence[float], limit: float
) -> Reading:
    """Return the most throughput with a latency of at most ``limit``.

    Latency is taken to rise with what is in flight, throughput to do so
    within the limit; from there to the next point a smooth curve through
    the points about it is followed, unless throughput falls.
    """
    fitted = isotonic(latencies)
    within = sum(latency <= limit for latency in fitted)
    if not within:
        return Reading(rates[0], BELOW, (0,))
    last = len(fitted) - 1
    if within > last:
        return Reading(isotonic(rates)[-1], ABOVE, (last,))
    below = isotonic(rates[:within])
    beyond = rates[within : within + 2]
    risen = [max(below[-1], *beyond[: n + 1]) for n in range(len(beyond))]
    value = _between(fitted, [*below, *risen], within - 1, limit)
    return Reading(value, EXACT, (within - 1, within))


def _between(
    x: Sequence[float], y: Sequence[float], first: int, at: float
) -> float:
    """Return ``y`` at ``at``, which is between ``x[first]`` and the next.

    Monotone piecewise cubic interpolation: Fritsch & Butland 1984. Straight
    lines cut the bend of a queue short, by some percent between points that
    are a factor of 1.5 apart.
    """
    last = first + 1
    width = x[last] - x[first]
    rise = (y[last] - y[first]) / width
    slopes = [rise, rise]
    for end, other in ((first, first - 1), (last, last + 1)):
        if 0 <= other < min(len(x), len(y)) and x[other] != x[end]:
            beside = x[end] - x[other]
            steep = (y[end] - y[other]) / beside
            slopes[end - first] = _slope(width, rise, abs(beside), steep)
    t = (at - x[first]) / width
    return (
        (1.0 + 2.0 * t) * (1.0 - t) ** 2 * y[first]
        + t * (1.0 - t) ** 2 * width * slopes[0]
        + t * t * (3.0 - 2.0 * t) * y[last]
        + t * t * (t - 1.0) * width * slopes[1]
    )


def _slope(width: float, rise: float, other: float, steep: float) -> float:
    """Return the slope at a point between two secants, which both rise."""
    if rise <= 0.0 or steep <= 0.0:
        return 0.0
    near, far = 2.0 * other + width, other + 2.0 * width
    return (near + far) / (near / rise + far / steep)


def offered_at_limit(
    rates: Sequence[float], latencies: Sequence[float], limit: float
) -> Reading:
    """Return the highest offered load with a latency of at most ``limit``.

    ``latencies`` are of the first points only, where the group did what it
    was offered: beyond them a queue grows for as long as the load lasts, so
    that a latency is one of the trial's length. A group that was within the
    limit at the last of them has its figure between that and the next.
    """
    kept = len(latencies)
    if not kept:
        return Reading(rates[0], BELOW, (0,))
    found = at_limit(rates[:kept], latencies, limit)
    if found.censored == ABOVE and kept < len(rates):
        return Reading(found.value, ABOVE, (kept - 1, kept), rates[kept])
    return found


def ratio(baseline: Reading, candidate: Reading) -> Ratio:
    """Return the log of candidate / baseline of two readings."""
    return Ratio(
        candidate.value - baseline.value,
        candidate.low - baseline.high,
        candidate.high - baseline.low,
    )


def direction(ratios: Sequence[Ratio]) -> Optional[int]:
    """Say what ratios, some of which are censored, can show.

    EXACT: anything, as none is. ABOVE: that the true ratio is larger, as
    each is at least its ``low``. BELOW: that it is smaller. None: nothing.
    """
    if all(one.low == one.high for one in ratios):
        return EXACT
    least = all(math.isfinite(one.low) for one in ratios)
    most = all(math.isfinite(one.high) for one in ratios)
    if least and most:  # at most one of both speaks for a difference
        least = math.fsum(one.low for one in ratios) > 0.0
        most = math.fsum(one.high for one in ratios) < 0.0
    return ABOVE if least else BELOW if most else None


def peaks(rounds: Sequence[Sequence[float]]) -> List[Reading]:
    """Return the peak of each round, at a point chosen by other rounds.

    The largest of several noisy figures is too large, so the point of each
    round is chosen by all others: where the mean of their rates, smoothed
    a little, is largest. Needs two rounds and points.
    """
    found: List[Reading] = []
    for number, rates in enumerate(rounds):
        others = [r for other, r in enumerate(rounds) if other != number]
        mean = [math.fsum(point) / len(point) for point in zip(*others)]
        smooth = _smooth(mean)
        best = smooth.index(max(smooth))
        censored = ABOVE if _rises(mean, best) else EXACT
        found.append(Reading(rates[best], censored, (best,)))
    return found


def _smooth(values: Sequence[float]) -> List[float]:
    """Weigh each value with its neighbours 1:4:1; the ends stay."""
    inner = [
        (before + 4.0 * value + after) / 6.0
        for before, value, after in zip(values, values[1:], values[2:])
    ]
    return [values[0], *inner, values[-1]]


def _rises(rates: Sequence[float], best: int) -> bool:
    """Say whether the best point is the last, well above the one before."""
    return best == len(rates) - 1 and rates[-1] - rates[-2] > RISE
