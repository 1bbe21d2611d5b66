"""The form for results of any tool: CSV, or JSON with the same names.

A row (a member of `trials`) is one workload measured once on one group.
Rows of one `round` belong together: groups that share rounds are paired.
"""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import csv
import datetime
import re

from ..wire.reading import (
    CLOCK,
    MAX_MEASURED,
    MAX_NUMBER,
    MAX_SAMPLES,
    Measured,
    Reading,
    Samples,
    begin_of,
    mean_rate,
    millis,
    number,
    shown,
    time,
    whole,
)
from ..wire.strict import Malformed

FORMAT = 'perfcompare-results'
VERSION = 1

_PERCENTILE = re.compile(r'p(\d{1,2}(?:\.\d{1,3})?)_ms\Z')
_SIZE = re.compile(r'(\d{1,15}(?:\.\d{1,6})?)\s*([KMGT]?)(?:I?B)?\Z', re.I)
_POWERS = {'': 0, 'K': 1, 'M': 2, 'G': 3, 'T': 4}
_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9._/-]{0,63}\Z')
OPS = (
    'write',
    'rand',
    'seq',
    's3-put',
    's3-get',
    's3-stat',
    's3-delete',
    's3-mixed',
    's3-range',
    's3-list',
    's3-overwrite',
    's3-multidelete',
    's3-multipart',
    's3-copy',
    'io-read',
    'io-write',
    'io-randread',
    'io-randwrite',
    'io-mixed',
    'io-trim',
    'other',
)


def _text(value: Any, where: str) -> str:
    text = '' if value is None else str(value).strip()
    if len(text) > 200 or any(ord(c) < 32 for c in text):
        raise Malformed(f'{where}: {shown(text)} is not a short text')
    return text


def _size(value: Any, where: str) -> Optional[int]:
    if value in (None, ''):
        return None
    match = _SIZE.match(str(value).strip())
    if not match:
        raise Malformed(f'{where}: {shown(value)} is not a size, e.g. 4K, 4M')
    count = float(match.group(1)) * 1024 ** _POWERS[match.group(2).upper()]
    if count > MAX_NUMBER:
        raise Malformed(f'{where}: {shown(value)} is not a size of an object')
    if count != int(count):
        raise Malformed(
            f'{where}: {shown(value)} is not a whole number of bytes'
        )
    return int(count)


def _time(value: Any, where: str) -> Optional[float]:
    """Return the Unix time of ISO 8601 (UTC unless it says) or seconds."""
    if value in (None, ''):
        return None
    try:
        return time(float(value), where)
    except (TypeError, OverflowError):
        raise Malformed(f'{where}: {shown(value)} is not a time') from None
    except Malformed:
        raise
    except ValueError:
        pass
    text = str(value).strip().replace('Z', '+00:00')
    try:
        when = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise Malformed(f'{where}: {shown(value)} is not a time') from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=datetime.timezone.utc)
    return time(when.timestamp(), where)


def _op(value: Any, where: str) -> str:
    text = _text(value, where) or 'other'
    if text not in OPS:
        raise Malformed(
            f'{where}: {shown(text)} is not one of ' + ', '.join(OPS)
        )
    return text


def _name(value: Any, where: str) -> str:
    text = _text(value, where)
    if text and not _NAME.match(text):
        raise Malformed(
            f'{where}: {shown(text)} is not a name; give letters, digits and '
            "any of '._/-', 64 at most"
        )
    return text


# column -> field of Measured and how it is read
_FIELDS: Dict[str, Tuple[str, Callable[[Any, str], Any]]] = {
    'workload': ('workload', _name),
    'op': ('op', _op),
    'size': ('size', _size),
    'concurrency': ('concurrency', whole),
    'group': ('group', _text),
    'round': ('round', lambda v, w: whole(v, w) or 0),
    'started': ('started', _time),
    'duration': ('duration', number),
    'ops_per_s': ('ops_per_s', number),
    'bytes_per_s': ('bytes_per_s', number),
    'latency_avg_ms': ('latency_avg', millis),
    'latency_max_ms': ('latency_max', millis),
    'ops': ('ops', whole),
    'errors': ('errors', whole),
    'client_host': ('client_host', _text),
    'osds': ('osds', lambda v, w: whole(v, w) or None),
    'note': ('notes', lambda v, w: (_text(v, w),) if v else ()),
}


def is_header(line: str) -> bool:
    """Say whether a line names our columns."""
    names = {name.strip() for name in line.split(',')}
    return 'ops_per_s' in names and bool(names & {'workload', 'op'})


def read_csv(lines: Sequence[str], tool: str = '') -> Reading:
    """Read rows, header first; every column is known or refused."""
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error as error:
        raise Malformed(f'CSV: {error}') from None
    header = [name.strip() for name in rows[0]]
    doubled = [n for n in header if header.count(n) > 1]
    if doubled:
        raise Malformed(f'CSV: column {shown(doubled[0])} is there twice')
    measured = []
    tools = set()
    for i, cells in enumerate(rows[1:]):
        where = f'CSV: row {i + 2}'
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            raise Malformed(
                f'{where} has {len(cells)} columns, the header {len(header)}'
            )
        data = dict(zip(header, cells))
        tools.add(_text(data.pop('tool', ''), f'{where}: tool'))
        measured.append(_measured(data, where))
    return _reading(measured, tools, '')


def read_json(data: Dict[str, Any]) -> Reading:
    """Read a document of `format` FORMAT."""
    version = data.get('version')
    if version != VERSION:
        raise Malformed(
            f'JSON: version {shown(version)} of {FORMAT} is not {VERSION}'
        )
    unknown = sorted(set(data) - {'format', 'version', 'tool', 'trials'})
    if unknown:
        raise Malformed(
            f'JSON: unknown field {shown(unknown[0])}; known are format, '
            'version, tool, trials'
        )
    trials = data.get('trials')
    if not isinstance(trials, list):
        raise Malformed('JSON: trials is not a list')
    measured = []
    for i, row in enumerate(trials):
        where = f'JSON: trials[{i}]'
        if not isinstance(row, dict):
            raise Malformed(f'{where} is not a mapping')
        row = dict(row)
        series = row.pop('series', None)
        found = _measured(row, where)
        if series is not None:
            found = _with_samples(found, series, f'{where}.series')
        measured.append(found)
    return _reading(measured, {_text(data.get('tool'), 'JSON: tool')}, '')


def _reading(measured: List[Measured], tools: Any, version: str) -> Reading:
    if not measured:
        raise Malformed('there is no row in it')
    if len(measured) > MAX_MEASURED:
        raise Malformed(f'it has more than {MAX_MEASURED} rows')
    for i, row in enumerate(measured):
        if row.ops_per_s is None:
            raise Malformed(f'row {i + 1} has neither ops_per_s nor a series')
    tools = sorted(t for t in tools if t)
    if len(tools) > 1:
        raise Malformed(
            'it holds results of several tools ('
            + ', '.join(map(shown, tools[:4]))
            + '); import each by itself'
        )
    return Reading(
        tools[0] if tools else 'other tool', version, tuple(measured)
    )


def _measured(row: Dict[str, Any], where: str) -> Measured:
    values: Dict[str, Any] = {'op': 'other'}
    percentiles: Dict[str, float] = {}
    for name, value in row.items():
        match = _PERCENTILE.match(name)
        if match:
            found = millis(value, f'{where}: {name}')
            if found is not None:
                percentiles['p' + match.group(1)] = found
            continue
        if name not in _FIELDS:
            raise Malformed(
                f'{where}: unknown column {shown(name)}; known are '
                + ', '.join(_FIELDS)
                + ', p50_ms, p99_ms (any percentile), tool'
            )
        field, read = _FIELDS[name]
        values[field] = read(value, f'{where}: {name}')
    if not values.get('workload') and values['op'] == 'other':
        raise Malformed(f'{where}: it has neither a workload nor an op')
    return Measured(percentiles=percentiles, **values)


def _with_samples(found: Measured, series: Any, where: str) -> Measured:
    if not isinstance(series, dict) or set(series) - {'t', 'ops', 'latency'}:
        raise Malformed(f'{where} is not a mapping of t, ops and latency')
    columns: Dict[str, List[Any]] = {}
    for name in ('t', 'ops', 'latency'):
        values = series.get(name, [])
        if not isinstance(values, list) or len(values) > MAX_SAMPLES:
            raise Malformed(f'{where}.{name} is not a list of {MAX_SAMPLES}')
        columns[name] = [
            v if v is None else number(v, f'{where}.{name}') for v in values
        ]
    times = columns['t']
    if len(times) != len(columns['ops']) or not times:
        raise Malformed(f'{where}: t and ops must be as long as each other')
    if columns['latency'] and len(columns['latency']) != len(times):
        raise Malformed(f'{where}: latency is not as long as t')
    if None in times or any(b <= a for a, b in zip(times, times[1:])):
        raise Malformed(f'{where}: t must rise')
    begin = begin_of(times)
    data = dict(found.__dict__)
    if times[0] >= CLOCK:
        data['started'] = found.started or _start(times, begin, f'{where}.t')
    ends = tuple(round(t - begin, 6) for t in times)
    samples = Samples(
        data['started'] or 0.0,
        ends,
        tuple(columns['ops']),
        tuple(columns['latency']),
    )
    data['samples'] = samples
    if found.ops_per_s is None:
        data['ops_per_s'] = mean_rate(samples)
    if found.duration is None:
        data['duration'] = ends[-1]
    return Measured(**data)


def _start(times: Sequence[float], begin: float, where: str) -> float:
    """Return when a series began, whose times are those of a clock."""
    if len(times) < 2:
        raise Malformed(
            f'{where}: one time of a clock does not say how long an interval '
            'is; give seconds since the start'
        )
    time(times[-1], where)
    return begin
