"""What fio leaves of one load: its JSON, and the log of histograms.

The JSON has the totals of the measured time: the bins of `lat_ns`, of which
percentiles are made. The log has a line whenever an operation ended some
time after the last line: when, which direction, a block size, and counts of
what ended since. These are completion latencies, without submission.
"""

from typing import Any, Dict, List, Optional, Tuple

import bisect
import dataclasses
import errno
import json
import os

from ...interop.fio_figures import direction
from ...runtime.failure import Failure
from ...wire import histogram
from ...wire.reading import number, whole
from ...wire.strict import Malformed
from ..rados.rados_bench import Bench, Sample
from ..rados.windows import Segment
from .jobfile import COARSENESS

SIDES = ('read', 'write')
JSON_MAX = 16 << 20  # bytes; one with all bins has 300 thousand
LINE_MAX = 1 << 16  # bytes of a line of the log
ROWS_MAX = 1 << 20
# fio's histograms: 29 groups of 64 buckets each (stat.h)
BITS, GROUPS = 6, 29
BUCKETS = GROUPS << BITS

Data = Dict[str, Any]


def middle(bucket: int) -> float:
    """Return the latency (ns) in the middle of a bucket, as fio does."""
    if bucket < 2 << BITS:
        return float(bucket)
    shift = (bucket >> BITS) - 1
    return float(1 << (shift + BITS)) + (
        (bucket & ((1 << BITS) - 1)) + 0.5
    ) * (1 << shift)


def columns(coarseness: int) -> List[float]:
    """Return the latency (ns) that each column of a log stands for."""
    stride = 1 << coarseness
    return [
        (middle(first) + middle(first + stride - 1)) / 2
        for first in range(0, BUCKETS, stride)
    ]


@dataclasses.dataclass(frozen=True)
class Row:
    """Hold a line of the log: what ended since the one before."""

    at: float  # Unix time
    ops: int
    waited: float  # seconds: their latencies together, about


@dataclasses.dataclass(frozen=True)
class Load:
    """Hold what one fio process did in its measured time."""

    started: float  # Unix time
    seconds: float  # until its last operation ended
    asked: float  # until it stopped to begin operations
    sides: Dict[str, Data]  # directions with operations, as fio has them
    rows: Dict[str, List[Row]]
    errors: int
    reason: str  # of the first error

    def ops(self, name: str) -> int:
        """Return how many operations of a direction ended."""
        return int(self.sides[name]['lat_ns']['N'])


def parse(text: str, what: str) -> Data:
    """Return the one job of fio's JSON; Failure if there is none."""
    return result(text, what)[0]


def result(text: str, what: str) -> Tuple[Data, Any]:
    """Return the one job of fio's JSON, and when it was told (Unix ms).

    Raises Failure if there is no job.
    """
    start = text.find('{')  # notes come first
    if start < 0:
        raise Failure('load', f'{what} printed no result')
    if len(text) > JSON_MAX:
        raise Failure('load', f'{what} printed {len(text)} bytes')
    try:
        told = json.loads(text[start:])
        (job,) = told['jobs']
        for name in SIDES:
            whole(job[name]['lat_ns']['N'], name)
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise Failure(
            'load', f'the result of {what} cannot be read: {error!r}'[:300]
        ) from None
    found: Data = job
    return found, told.get('timestamp_ms')


def moved(job: Data, what: str) -> Tuple[int, float]:
    """Return the bytes and the seconds of a job."""
    try:
        sides = [job[name] for name in SIDES]
        return (
            sum(whole(side['io_bytes'], what) or 0 for side in sides),
            max(number(side['runtime'], what) or 0 for side in sides) / 1e3,
        )
    except (Malformed, LookupError, TypeError) as error:
        raise Failure(
            'load', f'the result of {what} cannot be used: {error}'
        ) from None


def started(job: Data, told: float, what: str) -> float:
    """Return when a job began (Unix time), as it says itself.

    A fio before 3.36 says how long it took until ``told``. Returns 0 where
    it says neither.
    """
    began = number(job.get('job_start'), what)
    if began:
        return began / 1e3
    spent = max(number(job[n].get('runtime'), what) or 0 for n in SIDES)
    return max(0.0, told - spent / 1e3) if spent else 0.0


def load(
    job: Data, log: str, asked: float, what: str, told: Any = None
) -> Load:
    """Make one of a job's figures; ``asked`` s were to be measured.

    ``told`` is when it was told of them (Unix ms).
    """
    try:
        sides = {
            name: job[name]
            for name in SIDES
            if whole(job[name]['lat_ns']['N'], name)
        }
        spent = [number(s.get('runtime'), what) or 0 for s in sides.values()]
        errors = whole(job.get('total_err') or 0, what) or 0
        first = whole(job.get('first_error') or 0, what) or 0
        began = number(job.get('job_start'), what)
        for side in sides.values():
            direction(what, [side])  # all of it can be used
            if number(side['lat_ns'].get('mean'), what) is None:
                raise Malformed('lat_ns has no mean')
        rows = read_log(log, what)
        until = (number(told, what) or 0.0) / 1e3
        if began:
            begin = began / 1e3
        elif any(rows.values()):
            begin = _began(rows, max(spent, default=0.0) / 1e3)
        else:
            begin = started(job, until, what)
        if sides and not begin:
            raise Malformed('it does not say when')
    except (Malformed, AttributeError, TypeError) as error:
        raise Failure(
            'load', f'the result of {what} cannot be used: {error}'
        ) from None
    seconds = max(spent, default=0.0) / 1e3
    return Load(
        started=begin,
        seconds=seconds,
        asked=asked,
        sides=sides,
        rows=rows,
        errors=errors,
        reason=errno.errorcode.get(first, f'error {first}') if errors else '',
    )


def _began(rows: Dict[str, List[Row]], seconds: float) -> float:
    """Return when the measured time began, of a fio that does not say.

    Its last line is at most one interval before the end.
    """
    last = max((r[-1].at for r in rows.values() if r), default=0.0)
    first = min((r[0].at for r in rows.values() if r), default=0.0)
    return min(first, last - seconds)


def read_log(path: str, what: str) -> Dict[str, List[Row]]:
    """Read the log by direction; Malformed where it is none."""
    found: Dict[str, List[Row]] = {name: [] for name in SIDES}
    values = columns(COARSENESS)
    try:
        with open(path, 'rb') as file:
            for count in range(ROWS_MAX):
                line = file.readline(LINE_MAX)
                if not line:
                    return found
                side, row = _row(line, values, f'{what}: line {count + 1}')
                held = found[side]
                if held and row.at < held[-1].at:
                    raise Malformed(f'{what}: its log goes back in time')
                held.append(row)
    except FileNotFoundError:
        return found  # too short a time
    except OSError as error:
        raise Failure(
            'spool',
            f'cannot read {os.path.basename(path)!r}: {error.strerror}',
        ) from None
    raise Malformed(f'{what}: its log has more than {ROWS_MAX} lines')


def _row(line: bytes, values: List[float], where: str) -> Tuple[str, Row]:
    try:
        fields = [int(v) for v in line.split(b',')]
        at, side = fields[0], SIDES[fields[1]]
    except (ValueError, IndexError):
        raise Malformed(f'{where} of the log is none of fio') from None
    counts = fields[3:]
    if len(counts) != len(values) or min(counts) < 0 or fields[1] < 0:
        raise Malformed(
            f'{where} of the log has {len(counts)} columns instead of '
            f'{len(values)}'
        )
    waited = sum(n * value for n, value in zip(counts, values) if n)
    return side, Row(at / 1e3, sum(counts), waited / 1e9)


def segment(found: Load, name: str, depth: int, start: float) -> Segment:
    """Place a direction on the worker's clock, where ``start`` is it.

    Latencies of the log are scaled to the mean that fio states, which has
    submission as well. What ended after the last line, up to the drain, is
    known by its number.
    """
    side, rows = found.sides[name], found.rows[name]
    total, mean = found.ops(name), float(side['lat_ns']['mean']) / 1e9
    logged = sum(row.ops for row in rows)
    waited = sum(row.waited for row in rows)
    scale = mean * logged / waited if waited else 1.0
    ops, spent = 0, 0.0
    samples = [Sample(0.0, 0, 0, 0.0)]
    for row in rows:
        ops, spent = ops + row.ops, spent + row.waited * scale
        t = row.at - found.started
        if ops > total or t <= samples[-1].t or t >= found.seconds:
            continue
        samples.append(Sample(t, ops + depth, ops, spent))
    end = Sample(
        max(found.seconds, samples[-1].t + 1e-3), total, total, mean * total
    )
    samples.append(end)
    stop = min(found.asked, found.seconds)
    bench = Bench(_cut_at(samples, stop), end.t, total, 0, None)
    return Segment(bench, start, stop, depth)


def _cut_at(samples: List[Sample], t: float) -> List[Sample]:
    """Return ``samples`` with one at ``t``: there the measured time ends.

    What is under way then ends in the drain, or in a stall much later.
    """
    times = [sample.t for sample in samples]
    i = bisect.bisect_left(times, t)
    if i in (0, len(samples)) or times[i] == t:
        return samples
    a, b = samples[i - 1], samples[i]
    share = (t - a.t) / (b.t - a.t)
    ops = round(a.finished + share * (b.finished - a.finished))
    waited = a.waited + share * (b.waited - a.waited)
    return samples[:i] + [Sample(t, ops, ops, waited)] + samples[i:]


def histogram_of(loads: List[Load], name: str) -> histogram.Sparse:
    """Return how many operations of a direction took how long.

    fio's bins are wider than ours (1.6 %): each counts where its middle is.
    """
    found: histogram.Sparse = {}
    for load in loads:
        bins = load.sides.get(name, {}).get('lat_ns', {}).get('bins') or {}
        for at, ops in bins.items():
            index = histogram.bucket(int(at))
            found[index] = found.get(index, 0) + int(ops)
    return found


def merged(loads: List[Load], name: Optional[str] = None) -> Data:
    """Return the figures of a direction, or of all, over all processes.

    Bins are added, which is exact: the layout is fixed.
    """
    held = [
        side
        for found in loads
        for key, side in found.sides.items()
        if name in (None, key)
    ]
    try:
        return direction(name or 'all', held)
    except Malformed as error:
        raise Failure('load', f'fio: {error}') from None
