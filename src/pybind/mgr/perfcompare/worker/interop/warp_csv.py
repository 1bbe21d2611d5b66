"""MinIO warp: all operations of a benchmark, tab-separated (benchdata).

Columns are found by name, as newer releases added some. The rows begin
with the preparation (objects that will be read); what is measured are the
operations of the last phase. As in warp's own analysis only the time
counts in which all threads were at work.
"""

from typing import Dict, Iterable, List, Optional, Set, Tuple

import array
import datetime
import math
import re

from ..wire import histogram, strict
from ..wire.reading import (
    MAX_SAMPLES,
    MIXED,
    OPS,
    Measured,
    Reading,
    Samples,
    nominal_size,
    shown,
)

HEADER = 'idx\tthread\top\t'
_NEEDED = ('thread', 'op', 'n_objects', 'bytes', 'error', 'start', 'end')
_STEP = 1_000_000_000  # ns
MAX_REASONS = 32
_CODE = re.compile(r'Error response code ([A-Za-z]{1,40})\.')
LEAST_SHARE = 0.5  # of a phase, in which all threads must be at work

Malformed = strict.Malformed


class _Clock:
    """Read times of RFC 3339 with nanoseconds."""

    def __init__(self) -> None:
        self._minutes: Dict[Tuple[str, str], int] = {}

    def nanos(self, text: str) -> int:
        """Return Unix nanoseconds."""
        head, rest = text[:17], text[17:]
        zone = 'Z'
        if rest.endswith('Z'):
            rest = rest[:-1]
        else:
            rest, zone = rest[:-6], rest[-6:]
        base = self._minutes.get((head, zone))
        if base is None:
            offset = '+00:00' if zone == 'Z' else zone
            when = datetime.datetime.fromisoformat(f'{head}00{offset}')
            base = int(when.timestamp()) * _STEP
            self._minutes[(head, zone)] = base
        seconds, _, part = rest.partition('.')
        return base + int(seconds) * _STEP + int((part + '000000000')[:9])


class _Reasons:
    """Name errors by what they have in common.

    The text is S3's message, or its code where the server sent none; one
    of the network ends with its reason, after the address.
    """

    def __init__(self) -> None:
        self._known: Set[str] = set()

    def name(self, error: str) -> str:
        """Return a short name; 'failed' once there are too many."""
        match = _CODE.search(error)
        found = match.group(1) if match else error.strip('"')
        if '://' in found:
            found = found.rpartition(': ')[2]
        found = ''.join(c for c in found[:60] if c.isprintable()).rstrip('.')
        if found not in self._known:
            if len(self._known) == MAX_REASONS:
                return 'failed'
            self._known.add(found)
        return found


class _Rows:
    """Hold the operations of one type."""

    def __init__(self) -> None:
        self.thread = array.array('l')
        self.start = array.array('q')
        self.end = array.array('q')
        self.first = array.array('q')  # 0: not recorded
        self.bytes = array.array('q')
        self.objects = 0
        self.failed = array.array('q')  # ends of those that failed
        self.why: List[str] = []  # the reason of each

    def span(self) -> Tuple[int, int]:
        """Return when the first began and the last ended."""
        return (
            min(self.start),
            max([max(self.end), *self.failed[-1:]]),
        )


def read(lines: Iterable[str], header: str, skip: float = 0.0) -> Reading:
    """Read the rows after ``header``; Malformed says which is wrong.

    The first ``skip`` seconds of load are not measured.
    """
    names = header.rstrip('\n').split('\t')
    for name in _NEEDED:
        if name not in names:
            raise Malformed(f'warp CSV: there is no column {name!r}')
    place = {name: i for i, name in enumerate(names)}
    columns = [place[name] for name in _NEEDED]
    first = place.get('first_byte')
    client = place.get('client_id')
    clock = _Clock()
    threads: Dict[Tuple[str, str], int] = {}
    found: Dict[str, _Rows] = {}
    reasons = _Reasons()
    for i, line in enumerate(lines):
        if line.startswith('#') or line == '\n':
            continue
        cells = line.rstrip('\n').split('\t')
        if len(cells) != len(names):
            raise Malformed(
                f'warp CSV: row {i + 2} has {len(cells)} columns, not '
                f'{len(names)}; it may be truncated'
            )
        thread, op, objects, size, error, start, end = [
            cells[c] for c in columns
        ]
        rows = found.get(op)
        if rows is None:
            rows = found[op] = _Rows()
        try:
            began, ended = clock.nanos(start), clock.nanos(end)
            if error:
                rows.failed.append(ended)
                rows.why.append(reasons.name(error))
                continue
            who = (cells[client] if client is not None else '', thread)
            rows.thread.append(threads.setdefault(who, len(threads)))
            rows.start.append(began)
            rows.end.append(ended)
            rows.bytes.append(int(size))
            rows.objects += int(objects)
            byte = cells[first] if first is not None else ''
            rows.first.append(clock.nanos(byte) if byte else 0)
        except (ValueError, OverflowError):
            raise Malformed(
                f'warp CSV: row {i + 2} cannot be read: {shown(line[:120])}'
            ) from None
    done = {op: rows for op, rows in found.items() if rows.start}
    if not done:
        raise Malformed('warp CSV: no operation in it succeeded')
    return Reading('warp', '', (_measure(done, found, skip),))


def _measure(
    done: Dict[str, _Rows], found: Dict[str, _Rows], skip: float
) -> Measured:
    last = max(done, key=lambda op: done[op].span()[1])
    start = done[last].span()[0]
    # a type that goes on while the last one does is part of a mix
    phase = {op: rows for op, rows in done.items() if rows.span()[1] > start}
    notes: List[str] = []
    before = sorted(set(done) - set(phase))
    if before:
        notes.append(f'preparation is left out: {", ".join(before)}')
    kinds = {op: OPS.get(op.lower()) for op in phase}
    for op, kind in kinds.items():
        if kind is None:
            raise Malformed(
                f'warp CSV: operation {shown(op)} is not one of GET, PUT, '
                'STAT, LIST and DELETE'
            )
    begin, end, whole = _active(list(phase.values()))
    if not whole:
        notes.append('some thread did few operations: ramps are included')
    begin += int(skip * 1e9)
    seconds = (end - begin) / 1e9
    if seconds <= 0:
        raise Malformed('warp CSV: it has no time in which all threads work')
    # also of a type that always failed: it would be part of a mix
    failures = _failures(found, begin, end)
    operations = {
        str(kinds[op])[3:]: _figures(rows, begin, end)
        for op, rows in phase.items()
    }
    total = _Total(phase.values(), begin, end)
    size = _size(phase, done)
    several = [op for op, r in phase.items() if r.objects > len(r.start)]
    if several:
        notes.append(f'{", ".join(several)}: several objects per operation')
    moves = any(kind in ('s3-put', 's3-get') for kind in kinds.values())
    return Measured(
        op=MIXED if len(phase) > 1 else str(kinds[last]),
        size=size,
        concurrency=len({t for r in phase.values() for t in r.thread}),
        started=begin / 1e9,
        duration=seconds,
        ops_per_s=total.ops / seconds,
        bytes_per_s=total.bytes / seconds if moves else None,
        latency_avg=total.waited / total.ops / 1e9 if total.ops else None,
        latency_max=total.longest / 1e9 if total.ops else None,
        percentiles=histogram.percentiles(total.histogram),
        ops=total.ops,
        errors=sum(failures.values()),
        samples=_samples(list(phase.values()), begin, end),
        operations=operations if len(phase) > 1 else {},
        failures=failures,
        notes=tuple(notes),
    )


def _failures(
    found: Dict[str, _Rows], begin: int, end: int
) -> Dict[str, int]:
    """Count errors that ended within a window, as our own trials do."""
    counts: Dict[str, int] = {}
    for op, rows in found.items():
        for at, why in zip(rows.failed, rows.why):
            if begin < at <= end:
                name = f'{op.lower()} {why}'
                counts[name] = counts.get(name, 0) + 1
    return counts


def _active(phase: List[_Rows]) -> Tuple[int, int, bool]:
    """Return when the last thread had begun and the first one stopped.

    Where that is less than half of the phase, it is the whole phase.
    """
    first_end: Dict[int, int] = {}
    last_start: Dict[int, int] = {}
    for rows in phase:
        for thread, start, end in zip(rows.thread, rows.start, rows.end):
            if end < first_end.get(thread, end + 1):
                first_end[thread] = end
            if start > last_start.get(thread, -1):
                last_start[thread] = start
    begin, end = max(first_end.values()), min(last_start.values())
    spans = [rows.span() for rows in phase]
    first, last = min(s[0] for s in spans), max(s[1] for s in spans)
    # a moment in which a few operations happened to end is no rate
    if end - begin >= LEAST_SHARE * (last - first):
        return begin, end, True
    return first, last, False


class _Total:
    """Add up what ended after ``begin`` and by ``end``.

    A window begins with the end of an operation, which is no part of it.
    """

    def __init__(self, phase: Iterable[_Rows], begin: int, end: int) -> None:
        self.ops = self.bytes = self.waited = self.longest = 0
        self.histogram: Dict[int, int] = {}
        for rows in phase:
            for start, done, size in zip(rows.start, rows.end, rows.bytes):
                if not begin < done <= end:
                    continue
                wait = done - start
                self.ops += 1
                self.bytes += size
                self.waited += wait
                self.longest = max(self.longest, wait)
                index = histogram.bucket(wait)
                self.histogram[index] = self.histogram.get(index, 0) + 1


def _figures(rows: _Rows, begin: int, end: int) -> Dict[str, object]:
    """Return the figures of one operation, as our own trials have them."""
    total = _Total([rows], begin, end)
    seconds = (end - begin) / 1e9
    found: Dict[str, object] = {
        'ops': total.ops,
        'ops_per_s': total.ops / seconds,
        'bytes_per_s': total.bytes / seconds,
        'latency_avg': total.waited / total.ops / 1e9 if total.ops else None,
        'latency_max': total.longest / 1e9 if total.ops else None,
        'percentiles': histogram.percentiles(total.histogram),
    }
    counts: Dict[int, int] = {}
    for start, first, done in zip(rows.start, rows.first, rows.end):
        if first and begin < done <= end:
            index = histogram.bucket(max(0, first - start))
            counts[index] = counts.get(index, 0) + 1
    if counts:
        found['first_byte'] = histogram.percentiles(counts)
    return found


def _size(phase: Dict[str, _Rows], done: Dict[str, _Rows]) -> Optional[int]:
    """Return the size of the objects; stats and deletes move no bytes."""
    for rows in (phase, done):
        moved = [r for r in rows.values() if any(r.bytes)]
        if moved:
            sizes = {b for r in moved for b in r.bytes if b}
            total = math.fsum(sum(r.bytes) for r in moved)
            count = sum(sum(1 for b in r.bytes if b) for r in moved)
            return nominal_size(total, count, len(sizes) == 1)
    return None


def _samples(phase: List[_Rows], begin: int, end: int) -> Optional[Samples]:
    """Return rates and latencies of whole seconds."""
    count = (end - begin) // _STEP
    if not 1 <= count <= MAX_SAMPLES:
        return None
    ops, waited = [0] * count, [0] * count
    for rows in phase:
        for start, done in zip(rows.start, rows.end):
            at = (done - begin - 1) // _STEP
            if 0 <= at < count:
                ops[at] += 1
                waited[at] += done - start
    return Samples(
        begin / 1e9,
        tuple(float(i + 1) for i in range(count)),
        tuple(map(float, ops)),
        tuple(w / n / 1e9 if n else None for w, n in zip(waited, ops)),
    )
