"""COSBench: the CSV files of a workload's folder in its archive.

``<id>-<name>.csv`` has one row for each operation of each stage and is the
result; ``workloads.csv`` has the same for all workloads, with the number of
workers and the sizes in `Config-Info`; ``s<n>-<stage>.csv`` has rates over
time. Response times are milliseconds; the percentiles are upper edges of
its histogram's bins.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import csv
import datetime
import re

from ..wire.reading import (
    MIXED,
    OPS,
    Measured,
    Reading,
    Samples,
    millis,
    nominal_size,
    number,
    shown,
    whole,
)
from ..wire.strict import Malformed

RESULT = 'Stage,Op-Name,'
MATRIX = 'Id,Op-Name,Op-Count,'
STAGE = 'Timestamp,Op-Count,'
HISTORY = 'Id,Name,Submitted-At,'
HISTOGRAM = 'ResTime,'

_PERCENTS = ('60%', '80%', '90%', '95%', '99%')
_UNMEASURED = ('init', 'prepare', 'cleanup', 'dispose', 'delay')
_AT = re.compile(r'(\w+) @ (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)')
_SIZES = re.compile(r'sizes=([a-z])\((\d+)(?:-(\d+))?\)([KMG]?i?B)', re.I)

Row = Dict[str, str]


def read_result(lines: Sequence[str]) -> Reading:
    """Read the rows of a result or of a matrix, header first."""
    rows = _rows(lines)
    stages: Dict[str, List[Row]] = {}
    for row in rows:
        name = row.get('Stage') or row.get('Id', '').rpartition('-')[0]
        stages.setdefault(name, []).append(row)
    measured = []
    for name, held in stages.items():
        part = _stage(name, held)
        if part is not None:
            measured.append(part)
    if not measured:
        raise Malformed(
            'COSBench CSV: no stage in it read or wrote objects in time; '
            'stages are ' + (', '.join(map(shown, stages)) or 'none')
        )
    return Reading('cosbench', '', tuple(measured))


def _rows(lines: Sequence[str]) -> List[Row]:
    reader = csv.reader(lines)
    header = [name.strip() for name in next(reader)]
    found = []
    for i, cells in enumerate(reader):
        if not cells:
            continue
        if len(cells) < len(header) - 1:
            raise Malformed(
                f'COSBench CSV: row {i + 2} has {len(cells)} columns, not '
                f'{len(header)}; it may be truncated'
            )
        row = dict(zip(header, cells))
        # the states with their times go on to the end of the line
        row['Detailed Status'] = ','.join(cells[len(header) - 1 :])
        found.append(row)
    return found


def _stage(name: str, rows: List[Row]) -> Optional[Measured]:
    where = f'COSBench CSV: stage {shown(name)}'
    parts: Dict[str, List[Measured]] = {}
    idle = ''
    for row in rows:
        op = row.get('Op-Type') or row['Op-Name']
        if _unmeasured(row['Op-Name']) or _unmeasured(op):
            continue
        if not number(row.get('Op-Count'), where):
            idle = idle or op
            continue
        kind = OPS.get(op.lower()) or OPS.get(row['Op-Name'].lower())
        if kind is None:
            raise Malformed(
                f'{where}: operation {shown(op)} is not one of read, write, '
                'list and delete'
            )
        parts.setdefault(kind, []).append(_part(row, kind, where))
    if not parts:
        return None
    if idle:
        # a test of the others alone would be another one, and COSBench does
        # not say how many of it failed: the ratio of none is N/A
        raise Malformed(
            f'{where}: no {shown(idle)} succeeded, others did; remove its row '
            'if none was to be done, else all rows of the stage'
        )
    started, seconds = _times(rows[0].get('Detailed Status', ''))
    found = _mix(parts)
    data = dict(found.__dict__)
    data.update(
        started=started,
        duration=seconds or _seconds(found),
        settings=_settings(name, rows),
    )
    return Measured(**data)


def _settings(name: str, rows: Sequence[Row]) -> Dict[str, str]:
    """Return what a stage is known by: a result has no numbers of workers."""
    configs = [row['Config-Info'] for row in rows if 'Config-Info' in row]
    return {'config': ' '.join(configs)} if configs else {'stage': name}


def _unmeasured(name: str) -> bool:
    """Say whether an operation prepares: 'init-init', 'prepare-write'."""
    return any(part in _UNMEASURED for part in name.lower().split('-'))


def _part(row: Row, kind: str, where: str) -> Measured:
    count = whole(row['Op-Count'], where) or 0
    moved = number(row.get('Byte-Count'), where) or 0.0
    config = row.get('Config-Info', '')
    sizes = _SIZES.search(config)
    exact = (
        sizes.group(1).lower() == 'c' if sizes else not _ragged(moved, count)
    )
    ratio = (row.get('Succ-Ratio') or '').strip().rstrip('%')
    share = number(ratio, where)
    errors = None
    if share is not None:
        errors = round(count * (100.0 / share - 1.0)) if share else None
    percentiles = {}
    for name in _PERCENTS:
        value = millis(row.get(f'{name}-ResTime'), where)
        if value is not None:
            percentiles['p' + name.rstrip('%')] = value
    return Measured(
        op=kind,
        size=nominal_size(moved, count, exact),
        concurrency=whole(row.get('Worker-Count'), where) or None,
        ops_per_s=number(row.get('Throughput'), where),
        bytes_per_s=number(row.get('Bandwidth'), where) or None,
        latency_avg=millis(row.get('Avg-ResTime'), where),
        latency_max=millis(row.get('100%-ResTime'), where),
        percentiles=percentiles,
        ops=count,
        errors=errors,
        notes=('percentiles are upper edges of the bins of a histogram',),
    )


def _ragged(moved: float, count: int) -> bool:
    return not count or moved % count != 0


def _mix(parts: Dict[str, List[Measured]]) -> Measured:
    """Put the operations of a stage together, which ran side by side.

    A stage may have several operations of one kind, as of other sizes.
    """
    every = [part for held in parts.values() for part in held]
    found = dict(_added(every).__dict__)
    if len(parts) > 1:
        kinds = {kind: _added(held) for kind, held in parts.items()}
        found['op'] = MIXED
        found['operations'] = {
            kind[3:]: {
                'ops': p.ops,
                'ops_per_s': p.ops_per_s,
                'bytes_per_s': p.bytes_per_s,
                'latency_avg': p.latency_avg,
                'latency_max': p.latency_max,
                'percentiles': p.percentiles,
            }
            for kind, p in kinds.items()
        }
    return Measured(**found)


def _added(parts: List[Measured]) -> Measured:
    """Add operations up; percentiles of several are those of none."""
    if len(parts) == 1:
        return parts[0]

    def total(name: str) -> Optional[float]:
        values = [getattr(p, name) for p in parts]
        found = [v for v in values if v is not None]
        return sum(found) if found else None

    counted = [
        (p.latency_avg, p.ops)
        for p in parts
        if p.latency_avg is not None and p.ops
    ]
    longest = [p.latency_max for p in parts if p.latency_max is not None]
    failed = [p.errors for p in parts]
    return Measured(
        op=parts[0].op,
        size=max((p.size for p in parts if p.size), default=None),
        # the workers of a stage do all of its operations
        concurrency=max(
            (p.concurrency for p in parts if p.concurrency), default=None
        ),
        ops_per_s=total('ops_per_s'),
        bytes_per_s=total('bytes_per_s'),
        latency_avg=(
            sum(a * n for a, n in counted) / sum(n for _, n in counted)
            if len(counted) == len(parts)
            else None
        ),
        latency_max=max(longest) if len(longest) == len(parts) else None,
        ops=int(total('ops') or 0),
        errors=(None if None in failed else sum(int(n or 0) for n in failed)),
        notes=('percentiles are kept for each operation only',),
    )


def _seconds(found: Measured) -> Optional[float]:
    if not found.ops or not found.ops_per_s:
        return None
    return round(found.ops / found.ops_per_s, 1)


def _times(text: str) -> Tuple[Optional[float], Optional[float]]:
    """Return when a stage began to run and for how long it did.

    Times are those of the controller, without a zone: taken as UTC.
    """
    states = {name: at for name, at in _AT.findall(text)}
    begin = states.get('running')
    if begin is None:
        return None, None
    started = _unix(begin)
    ends = [_unix(at) for at in states.values() if _unix(at) > started]
    return started, min(ends) - started if ends else None


def _unix(text: str) -> float:
    when = datetime.datetime.strptime(text, '%Y-%m-%d %H:%M:%S')
    return when.replace(tzinfo=datetime.timezone.utc).timestamp()


def read_stage(lines: Sequence[str]) -> Reading:
    """Read rates over time; what a summary has is made of them."""
    reader = csv.reader(lines)
    top = next(reader)
    names = next(reader, [])
    width = sum(1 for cell in top[: _find(top, 'Byte-Count')] if not cell) + 1
    at = {
        name: [_find(top, name) + i for i in range(width)]
        for name in ('Op-Count', 'Byte-Count', 'Avg-ResTime', 'Throughput')
    }
    ops = [names[i] for i in at['Op-Count']] if len(names) > width else []
    kinds = [None if _unmeasured(op) else OPS.get(op.lower()) for op in ops]
    if not kinds or None in kinds:
        raise Malformed(
            'COSBench CSV: a stage of '
            + (', '.join(map(shown, ops)) or '?')
            + ' is not measured; import one of reads, writes or deletes'
        )
    where = 'COSBench CSV: stage'
    times: List[float] = []
    rates: List[float] = []
    latencies: List[Optional[float]] = []
    count, moved, waited = 0.0, 0.0, 0.0
    previous = shift = 0.0
    for i, cells in enumerate(reader):
        if len(cells) < len(names) - 1:
            raise Malformed(f'{where}: row {i + 3} is cut')
        now = _seconds_of_day(cells[0], i + 3)
        if times and now + shift < previous:
            shift += 86400.0  # past midnight
        now += shift
        done = [number(cells[c], where) or 0.0 for c in at['Op-Count']]
        waits = [millis(cells[c], where) or 0.0 for c in at['Avg-ResTime']]
        total = sum(done)
        rates.append(
            sum(number(cells[c], where) or 0.0 for c in at['Throughput'])
        )
        spent = sum(n * w for n, w in zip(done, waits))
        latencies.append(spent / total if total else None)
        count, waited = count + total, waited + spent
        moved += sum(number(cells[c], where) or 0.0 for c in at['Byte-Count'])
        times.append(now)
        previous = now
    if len(times) < 2 or times[-1] <= times[0]:
        raise Malformed(f'{where}: it has no two samples')
    step = (times[-1] - times[0]) / (len(times) - 1)
    seconds = times[-1] - times[0] + step
    begin = times[0] - step
    return Reading(
        'cosbench',
        '',
        (
            Measured(
                op=MIXED if len(set(kinds)) > 1 else str(kinds[0]),
                size=nominal_size(
                    moved, count, not _ragged(moved, int(count))
                ),
                duration=round(seconds, 1),
                ops_per_s=count / seconds,
                bytes_per_s=moved / seconds if moved else None,
                latency_avg=waited / count if count else None,
                ops=int(count),
                samples=Samples(
                    0.0,
                    tuple(round(t - begin, 3) for t in times),
                    tuple(rates),
                    tuple(latencies),
                ),
                notes=(
                    'a stage file has no percentiles, errors, workers, nor '
                    'the date',
                ),
            ),
        ),
    )


def _find(cells: Sequence[str], name: str) -> int:
    for i, cell in enumerate(cells):
        if cell.strip() == name:
            return i
    raise Malformed(f'COSBench CSV: there is no column {name!r}')


def _seconds_of_day(text: str, row: int) -> float:
    try:
        hours, minutes, seconds = (int(part) for part in text.split(':'))
    except ValueError:
        raise Malformed(
            f'COSBench CSV: row {row}: {shown(text)} is not a time'
        ) from None
    return float(hours * 3600 + minutes * 60 + seconds)
