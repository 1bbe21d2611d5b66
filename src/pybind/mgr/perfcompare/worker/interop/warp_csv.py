"""MinIO warp: all operations of a benchmark, and what they come to.

As in warp's own analysis only the time counts in which all threads were at
work.
"""

from typing import Dict, Iterable, List, Optional

import math

from ..wire import histogram, strict
from ..wire.reading import (
    MAX_SAMPLES,
    MIXED,
    Measured,
    Reading,
    Samples,
    nominal_size,
)
from .warp_rows import Load, Rows, load

HEADER = 'idx\tthread\top\t'
_STEP = 1_000_000_000  # ns

Malformed = strict.Malformed


def read(lines: Iterable[str], header: str, skip: float = 0.0) -> Reading:
    """Read the rows after ``header``; Malformed says which is wrong.

    The first ``skip`` seconds of load are not measured.
    """
    return Reading('warp', '', (measure(load(lines, header), skip),))


def measure(of: Load, skip: float = 0.0) -> Measured:
    """Return the figures of a load, without its first ``skip`` seconds."""
    done, phase = of.done, of.phase
    kinds, last = of.kinds, of.last
    notes: List[str] = []
    before = sorted(set(done) - set(phase))
    if before:
        notes.append(f'preparation is left out: {", ".join(before)}')
    begin, end, whole = of.active()
    if not whole:
        notes.append('some thread did few operations: ramps are included')
    begin += int(skip * 1e9)
    seconds = (end - begin) / 1e9
    if seconds <= 0:
        raise Malformed('warp CSV: it has no time in which all threads work')
    # also of a type that always failed: it would be part of a mix
    failures = _failures(of.found, begin, end)
    operations = {
        kinds[op][3:]: _figures(rows, begin, end)
        for op, rows in phase.items()
    }
    total = _Total(phase.values(), begin, end)
    size = _size(phase, done)
    several = [op for op, r in phase.items() if r.objects > len(r.start)]
    if several:
        notes.append(f'{", ".join(several)}: several objects per operation')
    moves = any(kind in ('s3-put', 's3-get') for kind in kinds.values())
    return Measured(
        op=MIXED if len(phase) > 1 else kinds[last],
        size=size,
        concurrency=of.threads,
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


def _failures(found: Dict[str, Rows], begin: int, end: int) -> Dict[str, int]:
    """Count errors that ended within a window, as our own trials do."""
    counts: Dict[str, int] = {}
    for op, rows in found.items():
        for at, why in zip(rows.failed, rows.why):
            if begin < at <= end:
                name = f'{op.lower()} {why}'
                counts[name] = counts.get(name, 0) + 1
    return counts


class _Total:
    """Add up what ended after ``begin`` and by ``end``.

    A window begins with the end of an operation, which is no part of it.
    """

    def __init__(self, phase: Iterable[Rows], begin: int, end: int) -> None:
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


def _figures(rows: Rows, begin: int, end: int) -> Dict[str, object]:
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


def _size(phase: Dict[str, Rows], done: Dict[str, Rows]) -> Optional[int]:
    """Return the size of the objects; stats and deletes move no bytes."""
    for rows in (phase, done):
        moved = [r for r in rows.values() if any(r.bytes)]
        if moved:
            sizes = {b for r in moved for b in r.bytes if b}
            total = math.fsum(sum(r.bytes) for r in moved)
            count = sum(sum(1 for b in r.bytes if b) for r in moved)
            return nominal_size(total, count, len(sizes) == 1)
    return None


def _samples(phase: List[Rows], begin: int, end: int) -> Optional[Samples]:
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
