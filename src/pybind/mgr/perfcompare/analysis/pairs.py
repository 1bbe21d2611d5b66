"""Averages and differences of all pairs of values, in order.

Of many values the pairs are never made: the one at a place is found by
halving the numbers between the ends, counting the pairs up to each. That
is exact, as rounding keeps the order of sums.
"""

from typing import Callable, List, Sequence, Union, overload

import struct

MADE = 20_000  # pairs that are made and sorted at most


def averages(x: Sequence[float]) -> Sequence[float]:
    """Return the n(n+1)/2 averages of all pairs (i <= j), sorted."""
    n = len(x)
    if n * (n + 1) // 2 <= MADE:
        return sorted(
            (x[i] + x[j]) / 2.0 for i in range(n) for j in range(i, n)
        )
    x = sorted(x)

    def up_to(limit: float) -> int:
        count, j = 0, n - 1
        for i in range(n):
            while j >= i and (x[i] + x[j]) / 2.0 > limit:
                j -= 1
            if j < i:
                break
            count += j - i + 1
        return count

    return _Unmade(n * (n + 1) // 2, up_to, x[0], x[-1])


def differences(a: Sequence[float], b: Sequence[float]) -> Sequence[float]:
    """Return all b - a, sorted."""
    if len(a) * len(b) <= MADE:
        return sorted(v - w for v in b for w in a)
    a, b = sorted(a), sorted(b)

    def up_to(limit: float) -> int:
        count, j = 0, 0
        for w in a:
            while j < len(b) and b[j] - w <= limit:
                j += 1
            count += j
        return count

    return _Unmade(len(a) * len(b), up_to, b[0] - a[-1], b[-1] - a[0])


def middle(x: Sequence[float]) -> float:
    """Return the median of values that are in order."""
    n = len(x)
    low = x[(n - 1) // 2]
    return low if n % 2 else (low + x[n // 2]) / 2.0


class _Unmade(Sequence[float]):
    """Show sorted values of which it is only known how many are up to."""

    def __init__(
        self,
        size: int,
        up_to: Callable[[float], int],
        low: float,
        high: float,
    ) -> None:
        self._size = size
        self._up_to = up_to
        self._low = _place(low)
        self._high = _place(high)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> float: ...

    @overload
    def __getitem__(self, at: slice) -> List[float]: ...

    def __getitem__(self, at: Union[int, slice]) -> Union[float, List[float]]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(self._size))]
        if not -self._size <= at < self._size:
            raise IndexError(at)
        low, high = self._low, self._high
        while low < high:
            half = (low + high) // 2
            if self._up_to(_number(half)) > at % self._size:
                high = half
            else:
                low = half + 1
        return _number(low)


def _place(value: float) -> int:
    """Return which of all floats it is, in order; 0.0 is 0."""
    bits: int = struct.unpack('<q', struct.pack('<d', value))[0]
    return bits if bits >= 0 else -(bits + 2**63)


def _number(place: int) -> float:
    bits = place if place >= 0 else -place - 2**63
    return float(struct.unpack('<d', struct.pack('<q', bits))[0])
