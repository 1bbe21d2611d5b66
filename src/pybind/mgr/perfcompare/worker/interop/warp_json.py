"""MinIO warp: analyzed results, as of `warp analyze --json`.

Releases up to 1.0 give `operations`, a list with percentiles of each; from
1.1 on it is `by_op_type`, where percentiles are kept for segments of time
only. Percentiles of parts cannot be made one of the whole, so that they
are not available then, unless there is one part.
"""

from typing import Any, Dict, List

from ..wire.reading import (
    MIXED,
    OPS,
    Measured,
    Reading,
    millis,
    nominal_size,
    number,
    shown,
    whole,
)
from ..wire.strict import Malformed
from . import warp_throughput

_PERCENTS = (50, 90, 95, 99)

Data = Dict[str, Any]


def is_mine(data: Any) -> bool:
    """Say whether ``data`` is a result of warp."""
    return isinstance(data, dict) and (
        isinstance(data.get('by_op_type'), dict)
        or (isinstance(data.get('operations'), list) and 'mixed' in data)
    )


def read(data: Data) -> Reading:
    """Read a result; Malformed says what is wrong with it."""
    try:
        if isinstance(data.get('by_op_type'), dict):
            return _new(data)
        return _old(data)
    except (AttributeError, TypeError) as error:
        raise Malformed(f'warp JSON: it has another form: {error}') from None


def _kind(name: Any) -> str:
    kind = OPS.get(str(name).lower())
    if kind is None:
        raise Malformed(
            f'warp JSON: operation {shown(name)} is not one of GET, PUT, '
            'STAT, LIST and DELETE'
        )
    return kind


def _percentiles(single: Data, where: str) -> Dict[str, float]:
    table = single.get('dur_percentiles_millis')
    found: Dict[str, float] = {}
    if isinstance(table, list) and len(table) == 101:
        for percent in _PERCENTS:
            value = millis(table[percent], where)
            if value is not None:
                found[f'p{percent}'] = value
    else:
        for name, key in (
            ('p50', 'dur_median_millis'),
            ('p90', 'dur_90_millis'),
            ('p99', 'dur_99_millis'),
        ):
            value = millis(single.get(key), where)
            if value is not None:
                found[name] = value
    return found


def _combine(
    parts: List[Measured], total: Data, where: str, notes: List[str]
) -> Measured:
    """Return a mix: its rates as stated, its latency by operations."""
    rates = warp_throughput.read(total, where)
    counted = [
        (p.latency_avg, p.ops)
        for p in parts
        if p.latency_avg is not None and p.ops
    ]
    ops = sum(p.ops or 0 for p in parts)
    whole_mix = len(counted) == len(parts)
    longest = [p.latency_max for p in parts if p.latency_max is not None]
    sizes = {p.size for p in parts if p.size}
    notes += rates.notes
    notes.append('latency percentiles are kept for each operation only')
    return Measured(
        op=MIXED,
        size=max(sizes) if sizes else None,
        concurrency=max((p.concurrency or 0 for p in parts)) or None,
        started=rates.started,
        duration=rates.seconds,
        ops_per_s=rates.ops,
        bytes_per_s=rates.bytes,
        latency_avg=(
            sum(a * n for a, n in counted) / sum(n for _, n in counted)
            if counted and whole_mix
            else None
        ),
        latency_max=max(longest) if len(longest) == len(parts) else None,
        ops=ops or None,
        errors=sum(p.errors or 0 for p in parts),
        samples=rates.samples,
        operations={p.op[3:]: _figures(p) for p in parts},
        notes=tuple(notes),
    )


def _figures(part: Measured) -> Data:
    return {
        'ops': part.ops,
        'ops_per_s': part.ops_per_s,
        'bytes_per_s': part.bytes_per_s,
        'latency_avg': part.latency_avg,
        'latency_max': part.latency_max,
        'percentiles': part.percentiles,
    }


def _old(data: Data) -> Reading:
    parts, few = [], []
    for row in data['operations']:
        where = f'warp JSON: {shown(row.get("type"))}'
        if row.get('skipped'):
            few.append(shown(row.get('type')))
            continue
        part = _old_part(row, where)
        parts.append((row.get('start_time') or '', part))
    if not parts:
        raise Malformed(
            'warp JSON: it has no analyzed operation; the test was too '
            'short, or `--analyze.out` left them out'
        )
    if data.get('mixed'):
        total = data.get('mixed_server_stats') or {}
        mixed = [p for _, p in parts]
        notes = [f'too few samples for warp: {", ".join(few)}'] if few else []
        found = _combine(mixed, total, 'warp JSON: mixed', notes)
        return Reading('warp', '', (found,))
    parts.sort(key=lambda item: str(item[0]))
    return Reading('warp', '', (_last([p for _, p in parts]),))


def _last(parts: List[Measured]) -> Measured:
    """Return the last phase; those before wrote what it uses."""
    last = parts[-1]
    notes = list(last.notes)
    if len(parts) > 1:
        names = ', '.join(p.op[3:].upper() for p in parts[:-1])
        notes.append(f'preparation is left out: {names}')
    size = last.size or next((p.size for p in parts if p.size), None)
    return _replace(last, size=size, notes=tuple(notes))


def _replace(part: Measured, **values: Any) -> Measured:
    data = dict(part.__dict__)
    data.update(values)
    return Measured(**data)


def _old_part(row: Data, where: str) -> Measured:
    kind = _kind(row.get('type'))
    rates = warp_throughput.read(row.get('throughput') or {}, where, kind)
    single = row.get('single_sized_requests') or {}
    several = row.get('multi_sized_requests') or {}
    notes = list(rates.notes)
    ops = whole(row.get('n'), where)
    errors = whole(row.get('errors'), where) or 0
    size = whole(single.get('obj_size'), where) or None
    average = millis(single.get('dur_avg_millis'), where)
    if several:
        notes.append(
            'objects of several sizes: latencies are not in the file'
        )
        size = nominal_size(
            number(several.get('avg_obj_size'), where) or 0, 1, False
        )
    elif single:
        notes.append('latencies are whole milliseconds')
    if single.get('skipped'):
        average, single = None, {}
    return Measured(
        op=kind,
        size=size,
        concurrency=whole(row.get('concurrency'), where) or None,
        started=rates.started,
        duration=rates.seconds,
        ops_per_s=rates.ops,
        bytes_per_s=rates.bytes,
        latency_avg=average,
        latency_max=millis(single.get('slowest_millis'), where),
        percentiles=_percentiles(single, where),
        ops=None if ops is None else max(0, ops - errors),
        errors=errors,
        samples=rates.samples,
        notes=tuple(notes),
    )


def _new(data: Data) -> Reading:
    version = str(data.get('warp_version') or '')[:40]
    parts = []
    for name, row in data['by_op_type'].items():
        where = f'warp JSON: {shown(name)}'
        if row.get('total_requests'):
            begin = (
                warp_throughput.moment(row.get('start_time'), where) or 0.0
            )
            end = warp_throughput.moment(row.get('end_time'), where) or 0.0
            parts.append((begin, end, _new_part(name, row, where)))
    if not parts:
        raise Malformed('warp JSON: it has no operation')
    parts.sort(key=lambda item: item[0])
    last = parts[-1]
    together = [p for begin, end, p in parts if end > last[0]]
    if len(together) > 1:
        total = data.get('total') or {}
        mix = _combine(
            together, warp_throughput.whole(total), 'warp JSON: total', []
        )
        return Reading('warp', version, (mix,))
    return Reading('warp', version, (_last([p for _, _, p in parts]),))


def _new_part(name: str, row: Data, where: str) -> Measured:
    kind = _kind(name)
    rates = warp_throughput.read(warp_throughput.whole(row), where, kind)
    segments = [
        segment
        for rows in (row.get('requests_by_client') or {}).values()
        for segment in rows or []
    ]
    singles = [
        s['single_sized_requests']
        for s in segments
        if s.get('single_sized_requests')
    ]
    several = any(s.get('multi_sized_requests') for s in segments)
    counted = [
        (
            (millis(s.get('dur_avg_millis'), where) or 0.0)
            / max(1, whole(s.get('merged_entries'), where) or 1),
            whole(s.get('requests'), where) or 0,
        )
        for s in singles
    ]
    requests = sum(n for _, n in counted)
    longest = [millis(s.get('slowest_millis'), where) for s in singles]
    errors = whole(row.get('total_errors'), where) or 0
    done = whole(row.get('total_requests'), where) or 0
    objects = number(row.get('total_objects'), where) or 0.0
    notes = list(rates.notes)
    exact = not several
    percentiles: Dict[str, float] = {}
    if (
        len(singles) == 1
        and not several
        and ((whole(singles[0].get('merged_entries'), where) or 1) == 1)
    ):
        percentiles = _percentiles(singles[0], where)
    else:
        notes.append('latency percentiles are kept for segments only')
    complete = bool(requests) and not several
    return Measured(
        op=kind,
        size=nominal_size(
            number(row.get('total_bytes'), where) or 0.0, objects, exact
        ),
        concurrency=whole(row.get('concurrency'), where) or None,
        started=rates.started,
        duration=rates.seconds,
        ops_per_s=rates.ops,
        bytes_per_s=rates.bytes,
        latency_avg=(
            sum(a * n for a, n in counted) / requests if complete else None
        ),
        latency_max=(
            max(v for v in longest if v is not None)
            if complete and None not in longest
            else None
        ),
        percentiles=percentiles,
        ops=max(0, done - errors),
        errors=errors,
        samples=rates.samples,
        notes=tuple(notes),
    )
