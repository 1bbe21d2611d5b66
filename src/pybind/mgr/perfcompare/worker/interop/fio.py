"""fio: its JSON, best with the bins of `--output-format=json+`.

Jobs of one group that do the same are one workload: rates are added up,
and so are the bins, whose layout is fixed. Percentiles that fio states are
taken only where one job did one thing, as they cannot be merged.
"""

from typing import Any, Dict, List, Optional, Sequence

import math

from ..wire.reading import Measured, Reading, number, shown, whole
from ..wire.strict import Malformed
from .fio_figures import direction
from .fio_jobs import (
    MIXED,
    MIXES,
    OPS,
    SIDES,
    Key,
    errors,
    host,
    in_flight,
    is_added_up,
    jobs_of,
    limit,
    longest,
    sides_of,
    started,
    verifies,
)
from .fio_options import settings
from .naming import short_size

Data = Dict[str, Any]

ALIKE = 0.98  # of the longest time: jobs that ran for as long
NOISE = ('fio: ', 'note: ')  # what fio prints before its JSON


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
        held = [job for data in documents for job in jobs_of(data)]
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
    for key, job in jobs_of(data):
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


def _cell(key: Key, jobs: List[Data], beside: bool) -> Optional[Measured]:
    _, kind, _, _ = key
    sides: Dict[str, List[Data]] = {}
    for job in jobs:
        for name, side in sides_of(job):
            if whole(side.get('total_ios'), f'fio JSON: {name}'):
                sides.setdefault(name, []).append(side)
    if not sides:
        return None
    options = jobs[0]['job options']
    left_out = (
        _of_mix(sides) if kind in MIXES else _set_apart(kind, jobs, sides)
    )
    _refuse_short(jobs)
    parts = {name: _together(name, held) for name, held in sides.items()}
    every = [side for held in sides.values() for side in held]
    found = _together('all', every)
    wait = found['latency_avg']
    waiting = None if wait is None else wait * found['ops_per_s']
    flight = in_flight(jobs, waiting)
    sizes = [p['size'] for p in parts.values() if p['size']]
    began, dated = started(jobs)
    notes = [*found['notes'], *left_out, *flight.notes, *dated]
    if beside:
        notes.append('jobs that did something else ran beside it')
    if str(options.get('direct', '0')) != '1':
        notes.append('direct=0: a cache of the client may have answered')
    own = [name for name in sides if name != MIXED] or SIDES
    limited = _limited(jobs, own, flight.jobs)
    if limited:
        notes.append(f'its rate was limited: {limited}')
    notes.append('ioengine ' + shown(str(options.get('ioengine', 'psync'))))
    mixed = kind in MIXES
    return Measured(
        op='io-mixed' if mixed else OPS[kind],
        workload=_name(kind, options, max(sizes, default=0), flight.name),
        size=max(sizes, default=None),
        concurrency=flight.total,
        started=began,
        duration=found['seconds'],
        ops_per_s=found['ops_per_s'],
        bytes_per_s=found['bytes_per_s'],
        latency_avg=found['latency_avg'],
        latency_max=found['latency_max'],
        percentiles=found['percentiles'],
        ops=found['ops'],
        errors=errors(jobs),
        operations={
            name: {k: v for k, v in p.items() if k in SHOWN}
            for name, p in parts.items()
            if name != MIXED
        },
        client_host=host(jobs),
        settings=settings(jobs),
        limited=limited,
        notes=tuple(notes),
    )


def _limited(jobs: Sequence[Data], sides: Sequence[str], count: int) -> str:
    """Return what bounds the rate of all of the jobs; '' if of some alone.

    The options are of each job, and ``count`` is how many there are.
    """
    found = [limit(job['job options'], sides) for job in jobs]
    if not all(found):
        return ''
    text = ' or '.join(dict.fromkeys(found))[:120]
    return f'{text} for each of {count} jobs' if count > 1 else text


def _refuse_short(jobs: Sequence[Data]) -> None:
    """Raise Malformed for a job that failed while others went on."""
    most = max(longest(job) for job in jobs)
    for job in jobs:
        spent = longest(job)
        if job.get('error') and spent < ALIKE * most:
            raise Malformed(
                f'fio JSON: job {shown(job.get("jobname"))} ended with error '
                f'{shown(job["error"])} after {spent / 1e3:.3g} s of '
                f'{most / 1e3:.3g}: the others went on without it'
            )


def _together(name: str, held: List[Data]) -> Data:
    """Return the figures of a direction, of which rates are of one time.

    A sum of rates is one only where the jobs ran for as long.
    """
    found = direction(name, held)
    where = f'fio JSON: {name}'
    times = [number(side.get('runtime'), where) or 0.0 for side in held]
    most, least = max(times), min(times)
    if not most or least >= ALIKE * most:
        return found
    moved = [number(side.get('io_bytes'), where) for side in held]
    return {
        **found,
        'ops_per_s': found['ops'] / most * 1e3,
        'bytes_per_s': (
            None
            if None in moved
            else math.fsum(v for v in moved if v is not None) / most * 1e3
        ),
        'notes': (
            *found['notes'],
            f'its jobs ran for {least / 1e3:.3g} to {most / 1e3:.3g} s: '
            'rates are over the longest time',
        ),
    }


def _of_mix(sides: Dict[str, List[Data]]) -> List[str]:
    if MIXED not in sides:
        return []
    return ['unified_rw_reporting=mixed: reads and writes are not apart']


def _set_apart(
    kind: str, jobs: Sequence[Data], sides: Dict[str, List[Data]]
) -> List[str]:
    """Leave what jobs do that only read, or write, in ``sides``.

    What verifies comes after it. Malformed where fio added jobs that did
    something else, and their options are not told.
    """
    options = jobs[0]['job options']
    own = kind.replace('rand', '')
    if MIXED in sides:
        if verifies(options) or any(is_added_up(job) for job in jobs):
            raise Malformed(
                f'fio JSON: an entry says rw={kind} and may have done '
                'something else, too: give unified_rw_reporting=none'
            )
        sides.setdefault(own, []).extend(sides.pop(MIXED))
    others = [name for name in sides if name != own]
    if not others:
        return []
    if own != 'write' or others != ['read'] or not verifies(options):
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


def _name(kind: str, options: Data, size: int, flight: str) -> str:
    parts = [kind]
    if kind in MIXES:
        reads = whole(options.get('rwmixread', 50), 'fio JSON: rwmixread')
        if 'rwmixwrite' in options and 'rwmixread' not in options:
            written = number(options['rwmixwrite'], 'fio JSON: rwmixwrite')
            reads = round(100 - (written or 0))
        parts = [kind if 'trim' in kind else f'{kind}{reads}']
    if size:
        parts.append(short_size(size))
    return '-'.join([*parts, flight])
