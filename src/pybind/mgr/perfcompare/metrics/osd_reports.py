"""Reports of one counter of an OSD, kept small: hours of them pile up."""

from typing import List, Sequence, Tuple

from array import array

# one counter in one report: Unix time of its arrival, and the value or, of
# means, the sum in nanoseconds and the number
Report = Sequence[float]


class Reports:
    """Hold reports of one counter, oldest first."""

    __slots__ = ('_times', '_values', '_numbers')

    def __init__(self) -> None:
        self._times = array('d')
        self._values = array('d')
        self._numbers = array('d')  # of means alone

    def __len__(self) -> int:
        return len(self._times)

    @property
    def first(self) -> float:
        """Return the Unix time of the oldest one; 0 of none."""
        return self._times[0] if self._times else 0.0

    @property
    def last(self) -> float:
        """Return the Unix time of the newest one; 0 of none."""
        return self._times[-1] if self._times else 0.0

    def clear(self) -> None:
        """Forget all."""
        for one in (self._times, self._values, self._numbers):
            del one[:]

    def add(self, report: Report, gap: float = 0.0) -> None:
        """Take in a newer one.

        The newest is always kept; it takes the place of the one before
        where that is less than ``gap`` s after its own.
        """
        if len(self) > 1 and self._times[-1] - self._times[-2] < gap:
            for one in (self._times, self._values, self._numbers):
                del one[-1:]
        self._times.append(report[0])
        self._values.append(report[1])
        if len(report) > 2:
            self._numbers.append(report[2])

    def thin(self, gap: float) -> None:
        """Keep those that are ``gap`` s apart, and the newest."""
        every = self.rows()
        self.clear()
        for one in every:
            self.add(one, gap)

    def rows(self) -> List[Tuple[float, ...]]:
        """Return them as they came."""
        if self._numbers:
            return list(zip(self._times, self._values, self._numbers))
        return list(zip(self._times, self._values))
