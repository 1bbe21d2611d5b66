"""Which objects are used more often than others."""

from typing import Callable, Optional

import math
import random

from ...wire.s3_spec import Details

Pick = Callable[[int], int]  # of so many objects, the place of one


class Zipf:
    """Draw places with shares that go as 1/rank^s, exactly.

    Source: W. Hörmann, G. Derflinger, "Rejection-inversion to generate
    variates from monotone discrete distributions", ACM TOMACS 6 (1996).
    """

    def __init__(self, exponent: float, rng: random.Random) -> None:
        self._s = exponent
        self._rng = rng
        self._first = self._area(1.5) - 1.0
        self._sure = 2.0 - self._inverse(self._area(2.5) - 2.0**-exponent)
        self._count = 0
        self._last = 0.0

    def _area(self, x: float) -> float:
        """Return the integral of x^-s from 1 to x."""
        log = math.log(x)
        rest = (1.0 - self._s) * log
        return log if abs(rest) < 1e-9 else math.expm1(rest) / rest * log

    def _inverse(self, area: float) -> float:
        rest = area * (1.0 - self._s)
        if abs(rest) < 1e-9:
            return math.exp(area)
        return math.exp(math.log1p(max(rest, -1.0 + 1e-15)) / rest * area)

    def __call__(self, count: int) -> int:
        """Return a place from 0 to ``count`` - 1."""
        if count != self._count:
            self._count = count
            self._last = self._area(count + 0.5)
        while True:
            u = self._last + self._rng.random() * (self._first - self._last)
            x = self._inverse(u)
            rank = min(max(int(x + 0.5), 1), count)
            if rank - x <= self._sure:
                return rank - 1
            if u >= self._area(rank + 0.5) - rank**-self._s:
                return rank - 1


class Hot:
    """Use a share of the objects for a share of the operations."""

    def __init__(
        self, objects: float, uses: float, rng: random.Random
    ) -> None:
        self._objects = objects
        self._uses = uses
        self._rng = rng

    def __call__(self, count: int) -> int:
        """Return a place from 0 to ``count`` - 1; the hot ones are first."""
        hot = max(1, math.ceil(self._objects * count))
        if hot >= count or self._rng.random() < self._uses:
            return int(self._rng.random() * hot)
        return hot + int(self._rng.random() * (count - hot))


def pick(details: Details, rng: random.Random) -> Optional[Pick]:
    """Return how objects are drawn; None: all alike."""
    if details.zipf:
        return Zipf(details.zipf, rng)
    if details.hot_uses:
        return Hot(details.hot_objects, details.hot_uses, rng)
    return None
