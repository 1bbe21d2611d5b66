"""Student's t, multiplicity and serial correlation in plain Python.

Nothing here knows of trials or groups; rank methods are in ranks.py.
"""

from typing import Dict, List, Sequence

import dataclasses
import functools
import math

_TINY = 1e-300
_EPSILON = 1e-15


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function.

    Modified Lentz, as in DLMF 8.17.22; converges for x < (a+1)/(a+b+2).
    """
    c = 1.0
    d = 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x
        odd /= (a + 2 * m) * (a + 2 * m + 1.0)
        for term in (even, odd):
            d = 1.0 + term * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + term / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(c * d - 1.0) < _EPSILON:
            break
    return value


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b).

    ``a`` and ``b`` are positive, ``x`` is in [0, 1].
    """
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(x)
        + b * math.log1p(-x)
    )
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def student_p(t: float, df: int) -> float:
    """Return P(|T| >= |t|) of Student's t with ``df`` >= 1."""
    return incomplete_beta(df / 2.0, 0.5, df / (df + t * t))


@functools.lru_cache(maxsize=4096)
def student_quantile(p: float, df: int) -> float:
    """Return the t >= 0 with P(|T| >= t) = ``p``, 0 < ``p`` < 1."""
    high = 1.0
    while student_p(high, df) > p:
        high *= 2.0
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if student_p(middle, df) > p:
            low = middle
        else:
            high = middle
    return high


@dataclasses.dataclass(frozen=True)
class TTest:
    """Hold a two-sided one-sample t-test against 0."""

    n: int
    mean: float
    error: float  # standard error of the mean, after the floor
    p: float

    def half_width(self, p: float) -> float:
        """Return the half-width of the interval of level 1 - ``p``."""
        return student_quantile(p, self.n - 1) * self.error


def deviation(x: Sequence[float]) -> float:
    """Return the sample standard deviation (n - 1) of n >= 2 values."""
    mean = math.fsum(x) / len(x)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in x) / (len(x) - 1))


def t_test(x: Sequence[float], floor: float) -> TTest:
    """Test n >= 2 values for mean 0, with sd >= ``floor`` > 0.

    The floor keeps a few values that agree by luck from certainty.
    """
    n = len(x)
    mean = math.fsum(x) / n
    error = max(deviation(x), floor) / math.sqrt(n)
    return TTest(n, mean, error, student_p(mean / error, n - 1))


def benjamini_hochberg(p: Sequence[float]) -> List[float]:
    """Return the adjusted p values (q) in the order of ``p``.

    Benjamini & Hochberg 1995, step-up, with monotony enforced.
    """
    m = len(p)
    q: Dict[int, float] = {}
    least = 1.0
    ranked = sorted(range(m), key=lambda i: p[i], reverse=True)
    for step, i in enumerate(ranked):
        least = min(least, p[i] * m / (m - step))
        q[i] = least
    return [q[i] for i in range(m)]


def lag1_correlation(x: Sequence[float]) -> float:
    """Return the lag-1 serial correlation of logarithms; 0 if constant."""
    if max(x) - min(x) < 1e-9:  # what is left is rounding
        return 0.0
    mean = math.fsum(x) / len(x)
    d = [v - mean for v in x]
    total = math.fsum(v * v for v in d)
    return math.fsum(a * b for a, b in zip(d, d[1:])) / total


def median(x: Sequence[float]) -> float:
    """Return the median of at least one value."""
    s = sorted(x)
    half = len(s) // 2
    return s[half] if len(s) % 2 else (s[half - 1] + s[half]) / 2.0
