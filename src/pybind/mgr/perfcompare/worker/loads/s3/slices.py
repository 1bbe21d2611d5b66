"""Latencies while a load goes on: what finished, a slice of time each.

A generator process writes a line for each slice into a pipe that has a
name; its leader takes them in and reports them. A pipe that nobody reads
blocks nobody: slices that do not fit are dropped, and whoever adds up what
came finds less than the operations that were done.
"""

from typing import Any, Dict, List, Sequence

import json
import os

from ...wire.histogram import Sparse
from ...wire.protocol import Slice
from ...wire.s3_spec import OPS
from .recorder import Recorder

STEP = 0.5  # seconds of a slice
HELD = 1 << 18  # bytes that wait for a reader, at most


class Cutter:
    """Write slices of what recorders count; the side of a process."""

    def __init__(self, path: str) -> None:
        """Open the pipe, which its reader has open already."""
        self._fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._recorders: Sequence[Recorder] = ()
        self._seen: List[List[Sparse]] = []
        self._from = 0
        self._held = b''

    def begin(self, recorders: Sequence[Recorder], now: int) -> None:
        """Follow the recorders of a load that begins at ``now`` (ns)."""
        self._recorders = recorders
        self._seen = [r.latencies() for r in recorders]
        self._from = now

    def tick(self, now: int) -> None:
        """End the slice if it is time to."""
        if self._recorders and now - self._from >= STEP * 1e9:
            self._cut(now)

    def _cut(self, now: int) -> None:
        counts: Dict[str, List[int]] = {}
        for index, recorder in enumerate(self._recorders):
            latest, before = recorder.latencies(), self._seen[index]
            for op, name in enumerate(OPS):
                for bucket, count in latest[op].items():
                    more = count - before[op].get(bucket, 0)
                    if more:
                        counts.setdefault(name, []).extend((bucket, more))
            self._seen[index] = latest
        line = {
            'begin': self._from,
            'end': now,
            'latencies': counts,
        }
        self._from = now
        data = json.dumps(line, separators=(',', ':')).encode() + b'\n'
        self._write()
        if len(self._held) + len(data) <= HELD:
            self._held += data
            self._write()

    def _write(self) -> None:
        try:
            while self._held:
                self._held = self._held[os.write(self._fd, self._held) :]
        except OSError:
            pass  # full, or without a reader: later, or never


class Tap:
    """Take slices in; the side of the leader."""

    def __init__(self, path: str) -> None:
        """Make the pipe."""
        os.mkfifo(path, 0o600)
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._rest = b''

    def read(self) -> List[Dict[str, Any]]:
        """Return the slices that came in; times are monotonic ns."""
        while True:
            try:
                data = os.read(self._fd, 1 << 16)
            except BlockingIOError:
                break
            if not data:
                break
            self._rest += data
        *lines, self._rest = self._rest.split(b'\n')
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        """Read no more."""
        os.close(self._fd)


def on_wall(item: Dict[str, Any], offset: float) -> Slice:
    """Return a slice with times by the wall clock.

    ``offset`` are the seconds from the monotonic clock to it.
    """
    return Slice(
        item['begin'] / 1e9 + offset,
        item['end'] / 1e9 + offset,
        {op: tuple(counts) for op, counts in item['latencies'].items()},
    )
