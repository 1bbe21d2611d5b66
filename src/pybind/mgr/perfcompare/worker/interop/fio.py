"""fio: its JSON, best with the bins of `--output-format=json+`.

Jobs of one group that do the same are one workload: rates are added up,
and so are the bins, whose layout is fixed. Percentiles that fio states are
taken only where one job did one thing, as they cannot be merged.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import math

from ..wire import histogram
from ..wire.reading import (
    Measured,
    Reading,
    nominal_size,
    number,
    shown,
    time,
    whole,
)
from ..wire.strict import Malformed
from .fio_options import settings
from .naming import short_size

Data = Dict[str, Any]
Bins = Dict[int, int]
Key = Tuple[str, str, str, int]

SIDES = ('read', 'write', 'trim')
NOISE = ('fio: ', 'note: ')  # what fio prints before its JSON
MAX_BINS = 4096  # fio has 1,856 of them
LONGEST = 1 << 34  # ns: longer ones are counted in its last bin
_OPS = {
    'read': 'io-read',
    'randread': 'io-randread',
    'write': 'io-write',
    'randwrite': 'io-randwrite',
    'trim': 'io-trim',
    'randtrim': 'io-trim',
}
_MIXES = ('rw', 'readwrite', 'randrw', 'trimwrite', 'randtrimwrite')
_SYNC = ('sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap')


def is_mine(data: Any) -> bool:
    """Say whether ``data`` is a result of fio."""
    return isinstance(data, dict) and 'fio version' in data


def read(data: Data) -> Reading:
    """Read a result; Malformed says what is wrong with it."""
    try:
        return _read(data)
    except (AttributeError, KeyError, TypeError) as error:
        raise Malformed(f'fio JSON: it has another form: {error}') from None


def merged(documents: Sequence[Data]) -> Measured:
    """Return what several processes did at the same time, as one workload.

    Malformed if they did different things.
    """
    try:
        held = [job for data in documents for job in _jobs(data)]
    except (AttributeError, KeyError, TypeError) as error:
        raise Malformed(f'fio JSON: it has another form: {error}') from None
    kinds = {(kind, size) for (_, kind, size, _), _ in held}
    if len(kinds) > 1:
        raise Malformed(
            'fio JSON: processes of one test did different things: '
            + ', '.join(shown(' '.join(kind)) for kind in sorted(kinds)[:4])
        )
    row = _cell(held[0][0], [job for _, job in held], False) if held else None
    if row is None:
        raise Malformed('fio JSON: no job in it did any I/O')
    return row


def _read(data: Data) -> Reading:
    cells: Dict[Key, List[Data]] = {}
    for key, job in _jobs(data):
        cells.setdefault(key, []).append(job)
    rows = []
    groups = [key[0] for key in cells]
    for key, held in cells.items():
        row = _cell(key, held, groups.count(key[0]) > 1)
        if row is not None:
            rows.append(row)
    if not rows:
        raise Malformed('fio JSON: no job in it did any I/O')
    version = str(data['fio version'])[:40]
    return Reading('fio', version.replace('fio-', ''), tuple(rows))


def _jobs(data: Data) -> List[Tuple[Key, Data]]:
    """Return the jobs with their options, and what each does."""
    shared = data.get('global options') or {}
    found = []
    for job in data.get('jobs') or data.get('client_stats') or []:
        # the sum that fio makes of its clients is not exact
        if job.get('jobname') == 'All clients':
            continue
        options = {**shared, **(job.get('job options') or {})}
        kind = str(options.get('rw', options.get('readwrite', 'read')))
        kind = kind.partition(':')[0]
        if kind not in _OPS and kind not in _MIXES:
            raise Malformed(f'fio JSON: rw={shown(kind)} is not known')
        size = str(options.get('bs', options.get('blocksize', '4k')))
        depth = whole(options.get('iodepth', 1), 'fio JSON: iodepth') or 1
        if options.get('ioengine', 'psync') in _SYNC:
            depth = 1
        group = str(whole(job.get('groupid', 0), 'fio JSON: groupid'))
        held = {**job, 'job options': options, 'depth': depth}
        found.append(((group, kind, size, depth), held))
    return found


def _cell(key: Key, jobs: List[Data], beside: bool) -> Optional[Measured]:
    _, kind, _, _ = key
    sides: Dict[str, List[Data]] = {}
    for job in jobs:
        for name in SIDES:
            side = job.get(name)
            if side and whole(side.get('total_ios'), f'fio JSON: {name}'):
                sides.setdefault(name, []).append(side)
    if not sides:
        return None
    options = jobs[0]['job options']
    left_out = [] if kind in _MIXES else _set_apart(kind, options, sides)
    parts = {name: direction(name, held) for name, held in sides.items()}
    every = [side for held in sides.values() for side in held]
    found = direction('all', every)
    flight = _in_flight(jobs)
    sizes = [p['size'] for p in parts.values() if p['size']]
    notes = [*found['notes'], *left_out]
    if beside:
        notes.append('jobs that did something else ran beside it')
    if str(options.get('direct', '0')) != '1':
        notes.append('direct=0: a cache of the client may have answered')
    limit = options.get('rate_iops') or options.get('rate')
    if limit:
        notes.append(f'its rate was limited: {shown(str(limit))}')
    notes.append('ioengine ' + shown(str(options.get('ioengine', 'psync'))))
    mixed = kind in _MIXES
    return Measured(
        op='io-mixed' if mixed else _OPS[kind],
        workload=_name(kind, options, max(sizes, default=0), flight),
        size=max(sizes, default=None),
        concurrency=flight,
        started=_started(jobs),
        duration=found['seconds'],
        ops_per_s=found['ops_per_s'],
        bytes_per_s=found['bytes_per_s'],
        latency_avg=found['latency_avg'],
        latency_max=found['latency_max'],
        percentiles=found['percentiles'],
        ops=found['ops'],
        errors=_errors(jobs),
        operations={
            name: {k: v for k, v in p.items() if k in SHOWN}
            for name, p in parts.items()
        },
        client_host=_host(jobs),
        settings=settings(jobs),
        notes=tuple(notes),
    )


def _set_apart(
    kind: str, options: Data, sides: Dict[str, List[Data]]
) -> List[str]:
    """Leave what jobs do that only read, or write, in ``sides``.

    What verifies comes after it. Malformed where fio added jobs that did
    something else, and their options are not told.
    """
    own = kind.replace('rand', '')
    others = [name for name in sides if name != own]
    if not others:
        return []
    verified = str(options.get('verify', '0')) not in ('0', 'none')
    if own != 'write' or others != ['read'] or not verified:
        raise Malformed(
            f'fio JSON: an entry says rw={kind} and did '
            f'{" and ".join(others)}, too: group_reporting added up jobs '
            'that differ; give each section new_group'
        )
    del sides['read']
    if not sides:
        raise Malformed(f'fio JSON: rw={kind} did nothing but verify')
    return ['reads that verify are left out']


SHOWN = (
    'ops',
    'ops_per_s',
    'bytes_per_s',
    'latency_avg',
    'latency_max',
    'percentiles',
)


def _name(kind: str, options: Data, size: int, concurrency: int) -> str:
    parts = [kind]
    if kind in _MIXES:
        reads = whole(options.get('rwmixread', 50), 'fio JSON: rwmixread')
        if 'rwmixwrite' in options and 'rwmixread' not in options:
            written = number(options['rwmixwrite'], 'fio JSON: rwmixwrite')
            reads = round(100 - (written or 0))
        parts = [kind if 'trim' in kind else f'{kind}{reads}']
    if size:
        parts.append(short_size(size))
    parts.append(f'c{concurrency}')
    return '-'.join(parts)


def _in_flight(jobs: Sequence[Data]) -> int:
    """Return the I/O in flight; one entry may stand for all of a group.

    It does for each client, where there are several.
    """
    total = 0
    for job in jobs:
        options, count = job['job options'], 1
        told = str(options.get('group_reporting', '0')) != '0'
        if told or len(jobs) == 1:
            count = whole(options.get('numjobs', 1), 'fio JSON: numjobs') or 1
        total += int(job['depth']) * count
    return total


def _started(jobs: Sequence[Data]) -> Optional[float]:
    times = [number(job.get('job_start'), 'fio JSON: job_start')
             for job in jobs]  # fmt: skip
    known = [value / 1e3 for value in times if value]
    return time(min(known), 'fio JSON: job_start') if known else None


def _host(jobs: Sequence[Data]) -> str:
    hosts = {str(job.get('hostname') or '') for job in jobs}
    return hosts.pop()[:200] if len(hosts) == 1 else ''


def _errors(jobs: Sequence[Data]) -> int:
    total = 0
    for job in jobs:
        counted = whole(job.get('total_err'), 'fio JSON: total_err')
        total += counted or (1 if job.get('error') else 0)
    return total


def direction(name: str, held: List[Data]) -> Data:
    """Return the figures of one direction over the jobs that did it."""
    where = f'fio JSON: {name}'
    ops = sum(whole(side.get('total_ios'), where) or 0 for side in held)
    moved = sum(number(side.get('io_bytes'), where) or 0 for side in held)
    spent = [number(side.get('runtime'), where) or 0 for side in held]
    rate = math.fsum(number(side.get('iops'), where) or 0 for side in held)
    speed = [number(side.get('bw_bytes'), where) for side in held]
    notes: List[str] = []
    waits = [_times(side, where) for side in held]
    means = [(number(w.get('mean'), where), whole(w.get('N'), where) or 0)
             for w in waits]  # fmt: skip
    counted = sum(n for mean, n in means if mean is not None)
    longest = [number(w.get('max'), where) for w in waits if w.get('N')]
    return {
        'ops': ops,
        'ops_per_s': rate,
        'bytes_per_s': (
            None
            if None in speed
            else math.fsum(v for v in speed if v is not None)
        ),
        'seconds': max(spent) / 1e3 or None,
        'size': nominal_size(moved, ops, bool(ops) and moved % ops == 0),
        'latency_avg': (
            math.fsum(m * n for m, n in means if m) / counted / 1e9
            if counted
            else None
        ),
        'latency_max': (
            max(v for v in longest if v is not None) / 1e9
            if longest and None not in longest
            else None
        ),
        'percentiles': _percentiles(held, where, notes),
        'notes': tuple(notes),
    }


def _times(side: Data, where: str) -> Data:
    found = side.get('lat_ns')
    if not isinstance(found, dict):
        raise Malformed(
            f'{where}: no lat_ns; fio 3.0 or newer writes nanoseconds'
        )
    return found


def _percentiles(
    held: List[Data], where: str, notes: List[str]
) -> Dict[str, float]:
    for field in ('lat_ns', 'clat_ns'):
        counts = [(side.get(field) or {}).get('bins') for side in held]
        if not all(counts):
            continue
        total: Bins = {}
        for bins in counts:
            _add(total, bins or {}, f'{where}: {field}')
        if field == 'clat_ns':
            notes.append('percentiles are of completion, not of submission')
        if max(total) >= LONGEST:
            notes.append('waits over 17 s are counted as 17 s')
        return from_bins(total)
    if len(held) > 1:
        notes.append('latency percentiles need the bins of json+')
        return {}
    for field in ('lat_ns', 'clat_ns'):
        stated = (held[0].get(field) or {}).get('percentile')
        if stated:
            if field == 'clat_ns':
                notes.append(
                    'percentiles are of completion, not of submission'
                )
            notes.append('percentiles are as fio stated them')
            return _stated(stated, where)
    notes.append('latency percentiles are not recorded')
    return {}


def _add(total: Bins, bins: Data, where: str) -> None:
    if len(bins) > MAX_BINS:
        raise Malformed(f'{where}: {len(bins)} bins; fio has fewer')
    for key, value in bins.items():
        at, count = whole(key, where), whole(value, where)
        if at is None or count is None:
            raise Malformed(f'{where}: bin {shown(key)} has no count')
        total[at] = total.get(at, 0) + count


def from_bins(bins: Bins) -> Dict[str, float]:
    """Return the percentiles (s) that so many samples can state."""
    count = sum(bins.values())
    found: Dict[str, float] = {}
    for name, share in histogram.NAMES.items():
        if count * (1.0 - share) < histogram.BEYOND - 1e-9:
            continue
        wanted = max(1, math.ceil(share * count - 1e-9))
        for at in sorted(bins):
            wanted -= bins[at]
            if wanted <= 0:
                found[name] = at / 1e9
                break
    return found


def _stated(table: Data, where: str) -> Dict[str, float]:
    names = {100.0 * share: name for name, share in histogram.NAMES.items()}
    found: Dict[str, float] = {}
    for key, value in list(table.items())[:100]:
        at, wait = number(key, where), number(value, where)
        for percent, name in names.items():
            if at is not None and abs(at - percent) < 1e-6:
                if wait is not None:
                    found[name] = wait / 1e9
    return found
