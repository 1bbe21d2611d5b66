"""How sums of ranks fall if nothing differs: counted, or as a normal curve.

Counts of all sums are cells of one long integer, so that one rank more is
one shift and one addition. Where counting takes more than WORK it is the
normal distribution with the exact mean and variance of the ranks as they
are (ties need no further correction), and half a step of the sums as its
correction for continuity. Source: Hollander, Wolfe & Chicken,
Nonparametric Statistical Methods, 3rd ed., sections 3.1 and 4.1.

Ranks are doubled, so that mid-ranks are whole numbers, too.
"""

from typing import Callable, Sequence, Tuple

import functools
import math
import statistics

# bits that may be moved to count: some tenths of a second at most
WORK = 2**34


def signed_work(n: int) -> int:
    """Return about how many bits are moved to count n signed ranks."""
    return n**4


def chosen_work(n1: int, n2: int) -> int:
    """Return about how many bits are moved to count n1 ranks of all."""
    n, few = n1 + n2, min(n1, n2)
    return n * few * few * n * math.comb(n, few).bit_length()


def signed_tail(ranks: Sequence[int], seen: int) -> float:
    """Return how likely ranks with random signs have a sum <= ``seen``.

    Only those with a plus are added.
    """
    if signed_work(len(ranks)) > WORK:
        return signed_tail_normal(ranks, seen)
    return signed_tail_counted(ranks, seen)


def signed_tail_counted(ranks: Sequence[int], seen: int) -> float:
    """Count the subsets of ``ranks`` with a sum of at most ``seen``."""
    width = len(ranks) + 1
    below = _up_to(_subsets(tuple(sorted(ranks))), seen, width)
    return math.ldexp(below, -len(ranks))


def signed_tail_normal(ranks: Sequence[int], seen: int) -> float:
    """Return what `signed_tail` does, by the normal distribution."""
    step = functools.reduce(math.gcd, ranks)
    deviation = math.sqrt(sum(r * r for r in ranks)) / 2.0
    return _normal((seen + step / 2.0 - sum(ranks) / 2.0) / deviation)


def chosen_tails(
    ranks: Sequence[int], n1: int, seen: int
) -> Tuple[float, float]:
    """Return how likely n1 ranks drawn from all have such a sum.

    First one of at most ``seen``, then one of at least ``seen``.
    """
    if chosen_work(n1, len(ranks) - n1) > WORK:
        return chosen_tails_normal(ranks, n1, seen)
    return chosen_tails_counted(ranks, n1, seen)


def chosen_tails_counted(
    ranks: Sequence[int], n1: int, seen: int
) -> Tuple[float, float]:
    """Count the choices of n1 ``ranks`` by their sums."""
    n = len(ranks)
    if 2 * n1 > n:  # what is not chosen has the rest of the sum
        rest = sum(ranks) - seen
        return chosen_tails_counted(ranks, n - n1, rest)[::-1]
    total = math.comb(n, n1)
    counts = _chosen(tuple(sorted(ranks)), n1)
    width = _width(n, n1)
    below = _up_to(counts, seen, width)
    less = _up_to(counts, seen - 1, width)
    return below / total, (total - less) / total


def chosen_tails_normal(
    ranks: Sequence[int], n1: int, seen: int
) -> Tuple[float, float]:
    """Return what `chosen_tails` does, by the normal distribution."""
    n = len(ranks)
    mean = sum(ranks) / n
    spread = sum((r - mean) ** 2 for r in ranks) / n
    if not spread:
        return 1.0, 1.0
    step = functools.reduce(math.gcd, (r - min(ranks) for r in ranks))
    deviation = math.sqrt(spread * n1 * (n - n1) / (n - 1))
    away = seen - n1 * mean
    return (
        _normal((step / 2.0 + away) / deviation),
        _normal((step / 2.0 - away) / deviation),
    )


@functools.lru_cache(maxsize=1024)
def signed_depth(n: int, size: float) -> Tuple[int, float]:
    """Return the largest k with 2 P(W <= k) <= ``size``, and that size.

    W is the sum of n untied signed ranks, not doubled; (-1, 0.0) where
    even W = 0 is likelier.
    """
    if signed_work(n) > WORK:
        variance = n * (n + 1) * (2 * n + 1) / 24.0
        return _normal_depth(n * (n + 1) / 4.0, variance, size)
    counts = _subsets(tuple(range(1, n + 1)))
    return _depth(lambda k: _up_to(counts, k, n + 1), 2**n, size)


@functools.lru_cache(maxsize=1024)
def shift_depth(n1: int, n2: int, size: float) -> Tuple[int, float]:
    """Return the largest k with 2 P(U <= k) <= ``size``, and that size.

    U is the Mann-Whitney statistic without ties; (-1, 0.0) as above.
    """
    n, few = n1 + n2, min(n1, n2)
    if chosen_work(n1, n2) > WORK:
        return _normal_depth(n1 * n2 / 2.0, n1 * n2 * (n + 1) / 12.0, size)
    counts = _chosen(tuple(range(1, n + 1)), few)
    width, least = _width(n, few), few * (few + 1) // 2
    return _depth(
        lambda k: _up_to(counts, least + k, width), math.comb(n, few), size
    )


def _depth(
    below: Callable[[int], int], total: int, size: float
) -> Tuple[int, float]:
    """Find the largest k of a symmetric sum from 0 by halving."""

    def fits(k: int) -> bool:
        return 2 * below(k) <= size * total

    if not fits(0):
        return -1, 0.0
    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low, 2.0 * below(low) / total


def _normal_depth(
    mean: float, variance: float, size: float
) -> Tuple[int, float]:
    deviation = math.sqrt(variance)
    curve = statistics.NormalDist(mean, deviation)
    depth = math.floor(curve.inv_cdf(size / 2.0) - 0.5)
    return depth, 2.0 * _normal((depth + 0.5 - mean) / deviation)


def _normal(z: float) -> float:
    return math.erfc(-z / math.sqrt(2.0)) / 2.0


@functools.lru_cache(maxsize=16)
def _subsets(ranks: Tuple[int, ...]) -> int:
    """Count the subsets of ``ranks`` by sum, in cells of n + 1 bits."""
    width = len(ranks) + 1
    counts = 1
    for rank in ranks:
        counts += counts << rank * width
    return counts


def _width(n: int, n1: int) -> int:
    return math.comb(n, n1).bit_length() + 1


@functools.lru_cache(maxsize=16)
def _chosen(ranks: Tuple[int, ...], n1: int) -> int:
    """Count the choices of n1 ``ranks`` by sum, in cells of `_width`."""
    n = len(ranks)
    width = _width(n, n1)
    rows = [1] + [0] * n1  # by how many are chosen so far
    for i, rank in enumerate(ranks):
        # those that can still become n1 with all that follow
        least = max(0, n1 - (n - i))
        for chosen in range(min(i, n1 - 1), least - 1, -1):
            rows[chosen + 1] += rows[chosen] << rank * width
    return rows[n1]


def _up_to(counts: int, last: int, width: int) -> int:
    """Add up the cells 0 to ``last``; their sum must fit into one.

    A cell is worth 1 modulo 2**width - 1, wherever it is.
    """
    if last < 0:
        return 0
    low = counts & ((1 << (last + 1) * width) - 1)
    return low % ((1 << width) - 1)
