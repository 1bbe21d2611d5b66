"""Readings of CPU with their times, to be cut to a window that is known later.

A program that opens for seconds what it loads uses little CPU meanwhile: when
its measured time began it tells at its end.
"""

from typing import Dict, List

import bisect

from .procstat import Meter, Reading, look

MOST = 120  # that are kept; of a longer load every second, fourth, … one


class Readings:
    """Keep readings of processes and their host, regularly taken."""

    def __init__(self) -> None:
        self._kept: List[Reading] = []
        self._every = 1
        self._taken = 0
        self._clients: Dict[int, int] = {}

    def read(self, pids: Dict[int, int]) -> None:
        """Take a reading of the processes ``pids`` (with their client)."""
        self._clients.update(pids)
        if self._taken % self._every == 0:
            self._kept.append(look(pids))
        self._taken += 1
        if len(self._kept) > MOST:
            self._kept = self._kept[::2]
            self._every *= 2

    def within(self, begin: float, end: float) -> Meter:
        """Return what was used from ``begin`` to ``end`` (monotonic).

        It is of the readings in that time, or of those around it where there
        are not two.
        """
        times = [reading.at for reading in self._kept]
        first, last = bisect.bisect_left(times, begin), bisect.bisect_right(
            times, end
        )
        if last - first < 2:
            first, last = max(0, first - 1), last + 1
        found = Meter()
        for reading in self._kept[first:last]:
            found.take(reading, self._clients)
        return found
