"""Describe the shape of a response curve; nothing here is judged.

Each figure comes with the middle 95 % of what bootstrap over the rounds
gives, drawn by a seed of its own so that it is the same at each call.
"""

from typing import Callable, Dict, List, NamedTuple, Optional, Sequence

import random

from .results import Note
from .stats import median

DRAWS = 100
ROUNDS = 3  # fewer are no sample to draw from
_SEED = 1


class Point(NamedTuple):
    """Hold one point in one round; None is not recorded."""

    in_flight: float
    ops_per_s: float
    latency: Optional[float]  # average, seconds


Curve = Sequence[Point]


def knee(curve: Curve) -> Optional[float]:
    """Return what is in flight where more begins to bring little.

    Kneedle for one curve, without its smoothing: the point farthest above
    the line from the first to the last (Satopää et al. 2011). None where
    throughput does not rise, or no point is above that line.
    """
    first, last = curve[0], curve[-1]
    rise = last.ops_per_s - first.ops_per_s
    if rise <= 0.0:
        return None
    width = last.in_flight - first.in_flight
    above = [
        (p.ops_per_s - first.ops_per_s) / rise
        - (p.in_flight - first.in_flight) / width
        for p in curve
    ]
    most = max(above)
    return curve[above.index(most)].in_flight if most > 0.0 else None


def response_time(curve: Curve) -> Optional[float]:
    """Return the mean latency over throughput, from none to the peak.

    The area under latency over throughput, divided by the peak, as SPEC SFS
    has its overall response time; seconds. None where no latency is known.
    """
    best = max(range(len(curve)), key=lambda i: curve[i].ops_per_s)
    area, reached = 0.0, 0.0
    before = curve[0].latency
    for point in curve[: best + 1]:
        if point.latency is None or before is None:
            return None
        if point.ops_per_s > reached:
            step = point.ops_per_s - reached
            area += step * (point.latency + before) / 2.0
            reached, before = point.ops_per_s, point.latency
    return area / reached


def contention(curve: Curve) -> Optional[float]:
    """Return sigma of the Universal Scalability Law, 0 or more."""
    found = scalability(curve)
    return found[0] if found else None


def coherency(curve: Curve) -> Optional[float]:
    """Return kappa of the Universal Scalability Law, 0 or more."""
    found = scalability(curve)
    return found[1] if found else None


def scalability(curve: Curve) -> Optional[List[float]]:
    """Fit X(n) = r n / (1 + sigma (n - 1) + kappa n (n - 1)).

    Returns sigma and kappa (Gunther 1993), by least squares of n / X,
    which is linear in what is sought, each point with the same relative
    error; what would be negative is 0. None where throughput falls from the
    first point on, so that r would not be positive.
    """
    for terms in ((1, 2), (1,), (2,), ()):
        found = _least_squares(curve, terms)
        if found is None or found[0] <= 0.0:
            continue
        shares = {t: v / found[0] for t, v in zip(terms, found[1:])}
        if all(share >= 0.0 for share in shares.values()):
            return [shares.get(1, 0.0), shares.get(2, 0.0)]
    return None


def _least_squares(
    curve: Curve, terms: Sequence[int]
) -> Optional[List[float]]:
    """Solve the normal equations of n / X over 1 and ``terms``."""
    rows = []
    for point in curve:
        n = point.in_flight
        all_terms = (1.0, n - 1.0, n * (n - 1.0))
        weight = point.ops_per_s / n
        rows.append([all_terms[t] * weight for t in (0, *terms)])
    size = len(rows[0])
    matrix = [
        [sum(r[i] * r[j] for r in rows) for j in range(size)]
        + [sum(r[i] for r in rows)]
        for i in range(size)
    ]
    return _solve(matrix)


def _solve(matrix: List[List[float]]) -> Optional[List[float]]:
    """Solve by Gauss and Jordan; the last column is the right side."""
    size = len(matrix)
    for i in range(size):
        best = max(range(i, size), key=lambda j: abs(matrix[j][i]))
        matrix[i], matrix[best] = matrix[best], matrix[i]
        pivot = matrix[i][i]
        if abs(pivot) < 1e-12:
            return None
        matrix[i] = [v / pivot for v in matrix[i]]
        for j in range(size):
            if j != i:
                factor = matrix[j][i]
                matrix[j] = [
                    a - factor * b for a, b in zip(matrix[j], matrix[i])
                ]
    return [row[-1] for row in matrix]


_NOTES: Dict[str, Callable[[Curve], Optional[float]]] = {
    'knee': knee,
    'response-time': response_time,
    'contention': contention,
    'coherency': coherency,
}
_UNITS = {'knee': 'in flight', 'response-time': 's'}


def notes(rounds: Sequence[Curve]) -> List[Note]:
    """Return the figures of a curve, measured in several rounds.

    A figure that a fifth of the draws lack is left out.
    """
    if len(rounds) < ROUNDS:
        return []
    rng = random.Random(_SEED)
    middle = _median_curve(rounds)
    drawn = [
        _median_curve(
            [rounds[int(rng.random() * len(rounds))] for _ in rounds]
        )
        for _ in range(DRAWS)
    ]
    found = []
    for name, figure in _NOTES.items():
        value = figure(middle)
        values = sorted(v for v in map(figure, drawn) if v is not None)
        if value is None or len(values) < 0.8 * DRAWS:
            continue
        tail = int(0.025 * len(values))
        found.append(
            Note(
                name,
                value,
                min(value, values[tail]),
                max(value, values[-1 - tail]),
                _UNITS.get(name, ''),
            )
        )
    return found


def _median_curve(rounds: Sequence[Curve]) -> List[Point]:
    found = []
    for point in zip(*rounds):
        latencies = [p.latency for p in point if p.latency is not None]
        found.append(
            Point(
                point[0].in_flight,
                median([p.ops_per_s for p in point]),
                median(latencies) if len(latencies) == len(point) else None,
            )
        )
    return found
