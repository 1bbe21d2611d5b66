"""Rank methods: signed ranks for pairs, Mann-Whitney without.

Null distributions are counted, for ties too, which get mid-ranks; those of
hundreds of values are approximated (see null_ranks.py). Source: Hollander,
Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., sections
3.1-3.3 and 4.1-4.3.
"""

from typing import List, Optional, Sequence, Tuple

import dataclasses

from . import null_ranks, pairs
from .null_ranks import WORK, signed_work

# Averages closer than this are one value that rounding took apart.
_SAME = 1e-12


@dataclasses.dataclass(frozen=True)
class Interval:
    """Hold a closed interval and the least coverage it has (0…1)."""

    low: float
    high: float
    coverage: float


def hodges_lehmann(x: Sequence[float]) -> float:
    """Return the Hodges-Lehmann estimate: the median Walsh average."""
    return pairs.middle(pairs.averages(x))


def mid_ranks(x: Sequence[float]) -> List[int]:
    """Return twice the ranks of ``x`` from 1, ties sharing their mean."""
    order = sorted(range(len(x)), key=lambda i: x[i])
    ranks = [0] * len(x)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and x[order[end]] == x[order[start]]:
            end += 1
        for i in order[start:end]:
            ranks[i] = start + 1 + end
        start = end
    return ranks


def signed_rank_p(x: Sequence[float]) -> float:
    """Return the two-sided signed-rank p of ``x`` against 0.

    Zeros are left out; ties of absolute values get mid-ranks.
    """
    kept = [v for v in x if v != 0.0]
    if not kept:
        return 1.0
    ranks = mid_ranks([abs(v) for v in kept])
    plus = sum(r for r, v in zip(ranks, kept) if v > 0.0)
    least = min(plus, sum(ranks) - plus)
    return min(1.0, 2.0 * null_ranks.signed_tail(ranks, least))


def signed_rank_interval(
    x: Sequence[float], size: float
) -> Optional[Interval]:
    """Return the signed-rank interval of two-sided size <= ``size``.

    None where n is too small for that size (n < 6 for 0.05). Equal values
    in ``x`` change the null distribution, so it is counted for them; of
    many values the interval without ties covers at least what is stated.
    Its ends are as deep among the sorted Walsh averages as the test says.
    """
    depth, reached = null_ranks.signed_depth(len(x), size)
    if depth < 0:
        return None
    walsh = pairs.averages(x)
    # about half of all averages are stepped over, a test for each
    affordable = signed_work(len(x)) * len(walsh) <= WORK
    if affordable and len(set(x)) < len(x):
        tied = _tied_interval(x, walsh, size)
        if tied is not None:
            return tied
    return Interval(walsh[depth], walsh[-1 - depth], 1.0 - reached)


def _tied_interval(
    x: Sequence[float], walsh: Sequence[float], size: float
) -> Optional[Interval]:
    """Invert the mid-rank test; None if it rejects everywhere."""
    steps = [walsh[0]]
    steps += [b for a, b in zip(walsh, walsh[1:]) if b - a > _SAME]
    low, low_size = _first_kept(x, steps, size)
    high, high_size = _first_kept(x, steps[::-1], size)
    if low > high:
        return None
    return Interval(low, high, 1.0 - (low_size + high_size) / 2.0)


def _first_kept(
    x: Sequence[float], steps: Sequence[float], size: float
) -> Tuple[float, float]:
    """Walk inwards; return the end and the size of the last rejection."""
    reached = 2.0 / 2 ** len(x)  # of the whole range
    for here, beyond in zip(steps, steps[1:]):
        shift = (here + beyond) / 2.0
        p = signed_rank_p([v - shift for v in x])
        if p > size:
            return here, reached
        reached = p
    return steps[-1], reached


def mann_whitney_p(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the two-sided Mann-Whitney p, twice the smaller tail.

    Ties get mid-ranks; their null distribution need not be symmetric.
    """
    n1 = len(a)
    ranks = mid_ranks(list(a) + list(b))
    tails = null_ranks.chosen_tails(ranks, n1, sum(ranks[:n1]))
    return min(1.0, 2.0 * min(tails))


def shift_estimate(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the Hodges-Lehmann shift: the median of all b - a."""
    return pairs.middle(pairs.differences(a, b))


def shift_interval(
    a: Sequence[float], b: Sequence[float], size: float
) -> Optional[Interval]:
    """Return the interval of the shift b - a, size <= ``size``.

    None where there are too few values for that size. With ties the closed
    interval covers at least what is stated (Noether 1967).
    """
    depth, reached = null_ranks.shift_depth(len(a), len(b), size)
    if depth < 0:
        return None
    shifts = pairs.differences(a, b)
    return Interval(shifts[depth], shifts[-1 - depth], 1.0 - reached)
