"""What fio tells of a load while it goes on.

Once a second it writes its whole result into a pipe that has a name, with
the bins of all latencies so far: what they have more than in the result
before is what ended between. Of a result that cannot be read the next one
tells as well.
"""

from typing import Dict, List, Tuple

import os

from ...runtime.failure import Failure
from ...wire import histogram
from ...wire.protocol import Slice
from ...wire.reading import number, whole
from ...wire.strict import Malformed
from . import output

END = b'\n}\n'  # of a result: all within it is indented
HELD_MAX = 4 << 20  # bytes of one that is not whole yet
PIECE = 1 << 16

Bins = Dict[str, histogram.Sparse]


class StatusTap:
    """Take in what one fio process tells."""

    def __init__(self, path: str, what: str) -> None:
        """Make the pipe, which is to be read before it is written."""
        os.mkfifo(path, 0o600)
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._what = what
        self._rest = b''
        self._latest = b''
        self._seen: Bins = {}
        self._until = 0.0  # Unix time
        self.errors = 0  # operations that failed so far

    def read(self) -> List[Slice]:
        """Return what ended since the last call, in slices of time."""
        found = []
        for text in self._texts():
            self._latest = text
            try:
                found += self._slices(text)
            except (Failure, Malformed):
                pass
        return found

    def last(self) -> str:
        """Return the newest result as text, when the process ended."""
        self.read()
        return self._latest.decode('utf-8', 'replace')

    def _texts(self) -> List[bytes]:
        while True:
            try:
                data = os.read(self._fd, PIECE)
            except BlockingIOError:
                break
            if not data:
                break
            self._rest += data
        *texts, self._rest = self._rest.split(END)
        if len(self._rest) > HELD_MAX:
            self._rest = b''
        return [text + END for text in texts]

    def _slices(self, text: bytes) -> List[Slice]:
        job, told = output.result(text.decode('utf-8', 'replace'), self._what)
        errors = whole(job.get('total_err') or 0, self._what)
        counts, until = _bins(job), (number(told, self._what) or 0.0) / 1e3
        began = self._until or output.started(job, until, self._what)
        self.errors = max(self.errors, errors or 0)
        if not 0 < began < until:
            return []
        more = {
            name: _more(own, self._seen.get(name, {}))
            for name, own in counts.items()
        }
        self._seen, self._until = counts, until
        return [
            Slice(
                began, until, {k: pairs for k, pairs in more.items() if pairs}
            )
        ]


def _bins(job: output.Data) -> Bins:
    """Return the latencies of each direction, in our buckets."""
    found: Bins = {}
    for name in output.SIDES:
        bins = job[name]['lat_ns'].get('bins') or {}
        own = found[name] = {}
        try:
            for at, ops in bins.items():
                index = histogram.bucket(int(at))
                own[index] = own.get(index, 0) + int(ops)
        except (AttributeError, TypeError, ValueError) as error:
            raise Malformed(f'bins of no use: {error}') from None
    return found


def _more(now: histogram.Sparse, before: histogram.Sparse) -> Tuple[int, ...]:
    """Return bucket, count, bucket, count, … of what came since."""
    found: List[int] = []
    for index, ops in sorted(now.items()):
        new = ops - before.get(index, 0)
        if new > 0:
            found += (index, new)
    return tuple(found)
