"""Exact rank methods: signed ranks for pairs, Mann-Whitney without.

Null distributions are counted, never approximated; ties get mid-ranks and
are counted too. Source: Hollander, Wolfe & Chicken, Nonparametric
Statistical Methods, 3rd ed., sections 3.1-3.3 and 4.1-4.3.
"""

from typing import List, Optional, Sequence, Tuple

import dataclasses
import functools
import math

from .stats import median

# Averages closer than this are one value that rounding took apart.
_SAME = 1e-12


@dataclasses.dataclass(frozen=True)
class Interval:
    """Hold a closed interval and the least coverage it has (0…1)."""

    low: float
    high: float
    coverage: float


def walsh_averages(x: Sequence[float]) -> List[float]:
    """Return the n(n+1)/2 averages of all pairs (i <= j), sorted."""
    n = len(x)
    return sorted((x[i] + x[j]) / 2.0 for i in range(n) for j in range(i, n))


def hodges_lehmann(x: Sequence[float]) -> float:
    """Return the Hodges-Lehmann estimate: the median Walsh average."""
    return median(walsh_averages(x))


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


@functools.lru_cache(maxsize=1024)
def _subset_sums(ranks: Tuple[int, ...]) -> List[int]:
    """Count the subsets of ``ranks`` with a sum of at most s, by s."""
    counts = [1]
    for rank in ranks:
        longer = counts + [0] * rank
        for s, count in enumerate(counts):
            longer[s + rank] += count
        counts = longer
    for s in range(1, len(counts)):
        counts[s] += counts[s - 1]
    return counts


def signed_rank_p(x: Sequence[float]) -> float:
    """Return the exact two-sided signed-rank p of ``x`` against 0.

    Zeros are left out; ties of absolute values get mid-ranks.
    """
    kept = [v for v in x if v != 0.0]
    if not kept:
        return 1.0
    ranks = mid_ranks([abs(v) for v in kept])
    plus = sum(r for r, v in zip(ranks, kept) if v > 0.0)
    least = min(plus, sum(ranks) - plus)
    below = _subset_sums(tuple(sorted(ranks)))[least]
    return min(1.0, math.ldexp(below, 1 - len(kept)))


@functools.lru_cache(maxsize=1024)
def signed_rank_depth(n: int, size: float) -> Tuple[int, float]:
    """Return the largest k with 2 P(W <= k) <= ``size``, and that size.

    k is the index of the interval's lower end among the sorted Walsh
    averages; (-1, 0.0) where even the whole range has a larger size.
    """
    below = _subset_sums(tuple(range(1, n + 1)))
    depth, reached = -1, 0.0
    for k, count in enumerate(below):
        if 2 * count > size * 2**n:
            break
        depth, reached = k, 2.0 * count / 2**n
    return depth, reached


def signed_rank_interval(
    x: Sequence[float], size: float
) -> Optional[Interval]:
    """Return the exact signed-rank interval of two-sided size <= ``size``.

    None where n is too small for that size (n < 6 for 0.05). Equal values
    in ``x`` change the null distribution, so it is counted for them.
    """
    depth, reached = signed_rank_depth(len(x), size)
    if depth < 0:
        return None
    walsh = walsh_averages(x)
    if len(set(x)) < len(x):
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


@functools.lru_cache(maxsize=256)
def _u_counts(n1: int, n2: int) -> List[int]:
    """Count the arrangements with U <= u, by u (Gaussian binomial)."""
    counts = [1] + [0] * (n1 * n2)
    for i in range(1, n1 + 1):
        top = n2 + i
        for u in range(n1 * n2, top - 1, -1):
            counts[u] -= counts[u - top]
        for u in range(i, n1 * n2 + 1):
            counts[u] += counts[u - i]
    for u in range(1, len(counts)):
        counts[u] += counts[u - 1]
    return counts


def _tied_u_share(ranks: Sequence[int], n1: int, least: int) -> float:
    """Return the share of choices of n1 ``ranks`` that sum to <= least."""
    table = [[0] * (least + 1) for _ in range(n1 + 1)]
    table[0][0] = 1
    for rank in ranks:
        for chosen in range(n1 - 1, -1, -1):
            source, target = table[chosen], table[chosen + 1]
            for s in range(least - rank + 1):
                if source[s]:
                    target[s + rank] += source[s]
    return sum(table[n1]) / math.comb(len(ranks), n1)


def mann_whitney_p(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the exact two-sided Mann-Whitney p, twice the smaller tail.

    Ties get mid-ranks; their null distribution need not be symmetric.
    """
    n1, n2 = len(a), len(b)
    ranks = mid_ranks(list(a) + list(b))
    sums = sum(ranks[:n1]), sum(ranks[n1:])  # twice the rank sums
    if len(set(a) | set(b)) == n1 + n2:
        u = min((sums[0] - n1 * (n1 + 1)), (sums[1] - n2 * (n2 + 1))) // 2
        share = _u_counts(n1, n2)[u] / math.comb(n1 + n2, n1)
    else:
        share = min(
            _tied_u_share(ranks, n1, sums[0]),
            _tied_u_share(ranks, n2, sums[1]),
        )
    return min(1.0, 2.0 * share)


def shift_estimate(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the Hodges-Lehmann shift: the median of all b - a."""
    return median([v - w for v in b for w in a])


def shift_interval(
    a: Sequence[float], b: Sequence[float], size: float
) -> Optional[Interval]:
    """Return the exact interval of the shift b - a, size <= ``size``.

    None where there are too few values for that size. With ties the closed
    interval covers at least what is stated (Noether 1967).
    """
    n1, n2 = len(a), len(b)
    total = math.comb(n1 + n2, n1)
    depth, reached = -1, 0.0
    for k, count in enumerate(_u_counts(n1, n2)):
        if 2 * count > size * total:
            break
        depth, reached = k, 2.0 * count / total
    if depth < 0:
        return None
    shifts = sorted(v - w for v in b for w in a)
    return Interval(shifts[depth], shifts[-1 - depth], 1.0 - reached)
