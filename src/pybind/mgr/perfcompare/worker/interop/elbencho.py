"""elbencho: the rows of `--csvfile`, and the documents of `--jsonfile`.

Each phase of a run is a workload. Its figures are those of "first done": up
to then every thread was at work, so that the operations in flight are as
many as it says. Rates are whole numbers, cut off; counts tell the rest of
them. Latencies are of the whole phase. Its histogram has four bins for each
power of two, 19 % wide, from which no percentile is taken.
"""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple

import csv
import datetime
import re

from ..wire.reading import (
    MIXED,
    Measured,
    Reading,
    number,
    shown,
    time,
    whole,
)
from ..wire.strict import Malformed
from .elbencho_options import settings
from .naming import short_size

HEADER = 'ISO date,label,path type,'
MIB = 1 << 20

Data = Mapping[str, Any]

# phases of objects in buckets, by elbencho's names
_S3 = {
    'WRITE': 's3-put',
    'READ': 's3-get',
    'HEADOBJ': 's3-stat',
    'RMOBJECTS': 's3-delete',
    'LISTOBJ': 's3-list',
    'LISTOBJ_P': 's3-list',
    'MULTIDEL': 's3-multidelete',
}
_BUCKETS = ('bucket', 'object')
# those that prepare, or whose work is not of operations
_UNMEASURED = (
    'MKBUCKETS',
    'RMBUCKETS',
    'MKDIRS',
    'RMDIRS',
    'SYNC',
    'DROPCACHE',
    'MPUCOMPL',
)
_MIX = re.compile(r'(RWMIX|MIX-T)(\d{1,5})\Z')
# what elbencho does in one go with a file, after it wrote or read it
_INLINE = re.compile(r'(\+[sr])+\Z')
_ZONE = re.compile(r'([+-]\d\d)(\d\d)\Z')


def is_mine(data: Any) -> bool:
    """Say whether ``data`` is a phase of elbencho."""
    return isinstance(data, dict) and 'phase_type' in data


def read_json(documents: Sequence[Data]) -> Reading:
    """Read phases, a document each; Malformed says what is wrong."""
    rows: List[Optional[Measured]] = []
    versions: Set[str] = set()
    for i, data in enumerate(documents):
        where = f'elbencho JSON: document {i + 1}'
        try:
            config = dict(data.get('config') or {})
            row = dict(
                _flat(data, 'first_done'),
                operation=data['phase_type'],
                label=data.get('label', ''),
                started=data.get('iso_start_date'),
                **{name.replace('_', ' '): v for name, v in config.items()},
            )
            row['random'] = config.get('random_offsets')
            row['direct IO'] = config.get('direct_io')
            row['IO depth'] = config.get('io_depth')
            _latencies(row, data['last_done'].get('latency') or {})
            row['last'] = data['last_done'].get('elapsed_time_ms')
        except (AttributeError, KeyError, TypeError) as error:
            raise Malformed(f'{where} has another form: {error}') from None
        versions.add(str(config.get('version', '')))
        rows.append(_measured(row, where))
    return _reading(rows, versions)


def read_csv(lines: Sequence[str]) -> Reading:
    """Read rows, header first: a phase each."""
    header = next(csv.reader(lines[:1]))
    rows: List[Optional[Measured]] = []
    versions: Set[str] = set()
    for i, cells in enumerate(csv.reader(lines[1:], quoting=csv.QUOTE_NONE)):
        where = f'elbencho CSV: row {i + 2}'
        if len(cells) != len(header):
            raise Malformed(
                f'{where} has {len(cells)} columns, the header '
                f'{len(header)}; it may be truncated'
            )
        given = dict(zip(header, cells))
        row: Dict[str, Any] = {
            name.replace(' [first]', ''): value
            for name, value in given.items()
        }
        row['started'] = given['ISO date']
        row['last'] = given.get('time ms [last]')
        # JSON has bytes; whole MiB/s lose too much of a slow phase
        for prefix in ('', 'rwmix read '):
            row[f'{prefix}bytes/s'] = None
            moved = whole(row.get(f'{prefix}MiB'), f'{where}: MiB')
            row[f'{prefix}bytes'] = None if moved is None else moved * MIB
        versions.add(given.get('version', ''))
        rows.append(_measured(row, where))
    return _reading(rows, versions)


def _reading(
    rows: Sequence[Optional[Measured]], versions: Set[str]
) -> Reading:
    if len(versions) > 1:
        raise Malformed(
            'elbencho: it holds phases of several versions ('
            + ', '.join(map(shown, sorted(versions)))
            + '); import each by itself'
        )
    found = tuple(row for row in rows if row is not None)
    if not found:
        raise Malformed(
            'elbencho: no phase in it wrote, read, looked at or removed '
            'anything'
        )
    return Reading('elbencho', ''.join(versions)[:40], found)


def _flat(data: Data, name: str) -> Dict[str, Any]:
    """Return the figures of one column of results, as the CSV has them."""
    held = data[name]
    found: Dict[str, Any] = {'time ms': held.get('elapsed_time_ms')}
    for prefix, part in (
        ('', held),
        ('rwmix read ', held.get('rwmix_read') or {}),
    ):
        for ours, theirs in (
            ('entries/s', 'entries/s'),
            ('IOPS', 'iops'),
            ('bytes/s', 'bytes/s'),
            ('entries', 'entries'),
            ('bytes', 'bytes'),
        ):
            found[prefix + ours] = part.get(theirs)
    return found


def _latencies(row: Dict[str, Any], held: Data) -> None:
    for kind, name in (('Ent', 'entries'), ('IO', 'IO')):
        part = held.get(name) or {}
        for prefix, of in (
            ('', part),
            ('rwmix read ', part.get('rwmix_read') or {}),
        ):
            for which in ('avg', 'max'):
                row[f'{prefix}{kind} lat us [{which}]'] = of.get(
                    f'{which}_us'
                )


def _measured(row: Data, where: str) -> Optional[Measured]:
    """Return a phase; None for one that measures no operations."""
    phase = str(row.get('operation', ''))
    if phase in _UNMEASURED:
        return None
    s3 = row.get('path type') in _BUCKETS
    block = whole(row.get('block size'), f'{where}: block size') or 0
    size = whole(row.get('file size'), f'{where}: file size') or 0
    # an object is one operation, however many parts it has; of files and
    # devices it is each I/O
    moves = _moves(phase)
    entries = s3 or not moves
    seconds = (number(row.get('time ms'), f'{where}: time ms') or 0.0) / 1e3
    parts = _parts(row, None if entries else block, seconds, where)
    rate = sum(part['ops_per_s'] for part in parts.values())
    if not rate:
        return None
    depth = max(1, whole(row.get('IO depth'), f'{where}: IO depth') or 1)
    flight = depth
    for name in ('threads', 'hosts'):
        flight *= whole(row.get(name), f'{where}: {name}') or 1
    each = (size if s3 else block) if moves else 0
    op, name = _named(row, phase, s3, len(parts) > 1)
    return Measured(
        op=op,
        workload='-'.join(
            filter(None, (name, short_size(each), f'c{flight}'))
        ),
        size=each or None,
        concurrency=flight,
        started=_started(row.get('started'), where),
        duration=seconds or None,
        ops_per_s=rate,
        bytes_per_s=_speed(parts, each),
        latency_avg=_average(parts),
        latency_max=max(
            (p['latency_max'] for p in parts.values() if p['latency_max']),
            default=None,
        ),
        ops=sum(part['ops'] for part in parts.values()) or None,
        operations=parts if len(parts) > 1 else {},
        settings=settings(row, phase),
        notes=_notes(row, s3, moves, block, size, seconds, where),
    )


def _moves(phase: str) -> bool:
    plain = _INLINE.sub('', phase)
    return plain in ('WRITE', 'READ') or _MIX.match(plain) is not None


def _parts(
    row: Data, block: Optional[int], seconds: float, where: str
) -> Dict[str, Any]:
    """Return the figures of each direction that a phase has.

    Those of I/O of ``block`` bytes (0: not told), or of entries for None.
    """
    phase = str(row['operation'])
    found: Dict[str, Any] = {}
    mixed = _MIX.match(_INLINE.sub('', phase)) is not None
    for name, prefix in (
        ('write' if mixed else phase.lower(), ''),
        ('read', 'rwmix read '),
    ):
        rate = _rate(row, prefix, block, seconds, where)
        if not rate:
            continue
        kind = 'Ent' if block is None else 'IO'
        micro = [
            number(
                row.get(f'{prefix}{kind} lat us [{which}]'),
                f'{where}: {kind} lat us',
            )
            for which in ('avg', 'max')
        ]
        found[name] = {
            'ops': round(rate * seconds),
            'ops_per_s': rate,
            'bytes_per_s': number(
                row.get(f'{prefix}bytes/s'), f'{where}: bytes/s'
            ),
            'latency_avg': micro[0] / 1e6 if micro[0] else None,
            'latency_max': micro[1] / 1e6 if micro[1] else None,
        }
    return found


def _rate(
    row: Data, prefix: str, block: Optional[int], seconds: float, where: str
) -> Optional[float]:
    """Return operations per second, by their number.

    The rate that is stated bounds it: the number is not exact where the last
    block of a file is shorter or MiB are cut off, nor is a short time.
    """
    stated, counted, each = (
        ('entries/s', 'entries', 1)
        if block is None
        else ('IOPS', 'bytes', block)
    )
    low = number(row.get(prefix + stated), f'{where}: {prefix}{stated}')
    count = number(row.get(prefix + counted), f'{where}: {prefix}{counted}')
    if low is None or not count or not each or not seconds:
        return low
    return min(max(count / each / seconds, low), low + 1.0)


def _speed(parts: Dict[str, Any], size: int) -> Optional[float]:
    if not size:
        return None
    for part in parts.values():
        # the CSV has whole MiB/s only
        if part['bytes_per_s'] is None:
            part['bytes_per_s'] = part['ops_per_s'] * size
    return float(sum(part['bytes_per_s'] for part in parts.values()))


def _average(parts: Dict[str, Any]) -> Optional[float]:
    """Return the mean over all operations; None if one part has none."""
    held = list(parts.values())
    if any(part['latency_avg'] is None for part in held):
        return None
    total = sum(part['latency_avg'] * part['ops_per_s'] for part in held)
    return float(total / sum(part['ops_per_s'] for part in held))


def _named(row: Data, phase: str, s3: bool, mixed: bool) -> Tuple[str, str]:
    """Return the operation, and what the workload is called."""
    inline = _INLINE.search(phase)
    plain = _INLINE.sub('', phase)
    rest = inline.group(0).replace('+', '-') if inline else ''
    mix = _MIX.match(plain)
    if mix is not None:
        kind = 'rwmix' if mix.group(1) == 'RWMIX' else 'rwmix-t'
        return (MIXED if s3 else 'io-mixed'), f'{kind}{mix.group(2)}{rest}'
    label = re.sub(r'[^a-z0-9]+', '-', plain.lower()).strip('-')
    if s3:
        op = _S3.get(plain, 'other')
        return op, (op if op != 'other' else label) + rest
    if plain not in ('WRITE', 'READ'):
        return 'other', label + rest
    random = str(row.get('random')).lower() in ('1', 'true')
    name = ('rand' if random else '') + plain.lower()
    return f'io-{name}', name + rest


def _started(value: Any, where: str) -> Optional[float]:
    """Return the Unix time of `2026-06-21T12:00:00.123+0200`."""
    if not value:
        return None
    text = _ZONE.sub(r'\1:\2', str(value).strip())
    try:
        when = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise Malformed(f'{where}: {shown(value)} is not a time') from None
    if when.tzinfo is None:
        return None  # releases before 3.0: the zone is not known
    return time(when.timestamp(), f'{where}: ISO date')


def _notes(
    row: Data,
    s3: bool,
    moves: bool,
    block: int,
    size: int,
    seconds: float,
    where: str,
) -> Tuple[str, ...]:
    notes = []
    label = str(row.get('label') or '').strip()
    if label:
        notes.append(f'label {shown(label)}')
    last = (number(row.get('last'), f'{where}: time ms') or 0.0) / 1e3
    if last > seconds * 1.01 + 0.01:
        notes.append(
            f'the last thread ended after {last:.1f} s; the figures are of '
            f'the first {seconds:.1f} s, when all were at work'
        )
    if s3 and moves and 0 < block < size:
        notes.append(f'in parts of {short_size(block)}')
    direct = str(row.get('direct IO')).lower()
    if not s3 and moves and direct in ('0', 'false'):
        notes.append('no --direct: a cache of the client may have answered')
    notes.append(
        'latency percentiles: its histogram is too coarse to take any from'
    )
    return tuple(notes)
