"""The jobs of a result of fio: what each does, and how many there are."""

from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import dataclasses
import re

from ..wire.reading import number, shown, time, whole
from ..wire.strict import Malformed

Data = Dict[str, Any]
Key = Tuple[str, str, str, int]  # group, rw, bs and iodepth

SIDES = ('read', 'write', 'trim')
MIXED = 'mixed'  # all of them: unified_rw_reporting=mixed
MOST_WAITING = 1.1  # of what is in flight: latencies reach beyond the time
OPS = {
    'read': 'io-read',
    'randread': 'io-randread',
    'write': 'io-write',
    'randwrite': 'io-randwrite',
    'trim': 'io-trim',
    'randtrim': 'io-trim',
}
MIXES = ('rw', 'readwrite', 'randrw', 'trimwrite', 'randtrimwrite')
PACING = ('rate_iops', 'rate', 'thinktime')
_NONE = re.compile(r'[0.]*[a-zA-Z/]*')  # of a rate, or of a time
_SERVER = ('hostname', 'port')
_SYNC = ('sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap')


def jobs_of(data: Data) -> List[Tuple[Key, Data]]:
    """Return the jobs with their options, and what each does."""
    shared = data.get('global options') or {}
    added: Set[Tuple[str, str]] = set()
    found = []
    for job in data.get('jobs') or data.get('client_stats') or []:
        # the sum that fio makes of its clients is not exact
        if job.get('jobname') == 'All clients':
            continue
        own = job.get('job options') or {}
        options = {**_of_all(shared, job), **own}
        if not own and (_server(job) in added or not _kind(options)):
            raise Malformed(
                'fio JSON: it does not tell the options of job '
                f'{shown(job.get("jobname"))} (with --client, of none behind '
                'jobs that group_reporting added up): run each group by '
                'itself'
            )
        # without rw, fio reads
        kind = _kind(options) or 'read'
        if kind not in OPS and kind not in MIXES:
            raise Malformed(f'fio JSON: rw={shown(kind)} is not known')
        size = str(options.get('bs', options.get('blocksize', '4k')))
        depth = whole(options.get('iodepth', 1), 'fio JSON: iodepth') or 1
        if options.get('ioengine', 'psync') in _SYNC:
            depth = 1
        group = str(whole(job.get('groupid', 0), 'fio JSON: groupid'))
        held = {**job, 'job options': options, 'depth': depth}
        if 'client_stats' in data and _ran(held, _told(held, False)) > 1:
            added.add(_server(job))
        found.append(((group, kind, size, depth), held))
    _date(data, found)
    return found


def _date(data: Data, found: Sequence[Tuple[Key, Data]]) -> None:
    """Say when jobs began, of which fio before 3.36 does not tell it.

    A file has the time when fio ended or, with --client, began to have the
    load made; groups are taken to have followed each other.
    """
    at = _clock(data)
    if at is None:
        return
    lengths: Dict[int, float] = {}
    for (group, _, _, _), job in found:
        spent = longest(job) / 1e3
        lengths[int(group)] = max(spent, lengths.get(int(group), 0.0))
    if 'client_stats' not in data:
        at -= sum(lengths.values())
    for (group, _, _, _), job in found:
        job['reckoned'] = at + sum(
            spent for other, spent in lengths.items() if other < int(group)
        )


def _clock(data: Data) -> Optional[float]:
    """Return the time that a file has (Unix time)."""
    exact = number(data.get('timestamp_ms'), 'fio JSON: timestamp_ms')
    if exact:
        return exact / 1e3
    return number(data.get('timestamp'), 'fio JSON: timestamp') or None


def _kind(options: Data) -> str:
    told = options.get('rw', options.get('readwrite', ''))
    return str(told).partition(':')[0]


def _of_all(shared: Any, job: Data) -> Data:
    """Return the global options of a job: each server may have its own."""
    if not isinstance(shared, list):
        return {**shared}
    for options in shared:
        if _server(options) == _server(job):
            return {k: v for k, v in options.items() if k not in _SERVER}
    return {}


def _server(told: Data) -> Tuple[str, str]:
    name, port = (str(told.get(key)) for key in _SERVER)
    return name, port


@dataclasses.dataclass(frozen=True)
class Flight:
    """Say how many I/O some jobs had in flight."""

    total: Optional[int]  # None: not all of their options are told
    jobs: int  # at least
    name: str  # as a workload's name has it
    notes: Tuple[str, ...] = ()


def in_flight(jobs: Sequence[Data], waiting: Optional[float]) -> Flight:
    """Return the I/O in flight, of which ``waiting`` were on average.

    An entry may stand for all sections of a group, and tell the options of
    one of them: the time that all of them ran says so, and Little's law.
    """
    counts = [_told(job, len(jobs) == 1) for job in jobs]
    total = sum(int(job['depth']) * n for job, n in zip(jobs, counts))
    known = all(n >= _ran(job, n) for job, n in zip(jobs, counts))
    if known and (waiting is None or waiting <= MOST_WAITING * total):
        return Flight(total, sum(counts), f'c{total}')
    ran = sum(max(n, _ran(job, n)) for job, n in zip(jobs, counts))
    average = '' if waiting is None else f'; on average it was {waiting:.1f}'
    return Flight(
        None,
        ran,
        f'd{max(int(job["depth"]) for job in jobs)}x{ran}',
        (
            'how many I/O were in flight is not known: fio tells the options '
            f'of one of the jobs that it added up (about {ran}){average}',
        ),
    )


def _told(job: Data, alone: bool) -> int:
    """Return how many jobs an entry stands for, by its options.

    With group_reporting it does for all of a group on each server.
    """
    options = job['job options']
    if alone or str(options.get('group_reporting', '0')) != '0':
        return whole(options.get('numjobs', 1), 'fio JSON: numjobs') or 1
    return 1


def _ran(job: Data, told: int) -> int:
    """Return how many jobs an entry stands for, by their times (ms).

    Their own times are added up, of those that the directions took the
    longest counts. What verifies comes after what it writes.
    """
    each = longest(job)
    total = number(job.get('job_runtime'), 'fio JSON: job_runtime')
    if not each or not total or verifies(job['job options']):
        return told
    spare = 0.3 * each + told * (0.02 * each + 20.0)  # begin, end
    return told if total <= told * each + spare else round(total / each)


def longest(job: Data) -> float:
    """Return the time that a job was measured [ms]."""
    sides = [side for _, side in sides_of(job)]
    times = [number(side.get('runtime'), 'fio JSON') for side in sides]
    return max([value for value in times if value], default=0.0)


def sides_of(job: Data) -> List[Tuple[str, Data]]:
    """Return the directions of a job; MIXED only where no other is told."""
    told = [(name, job[name]) for name in SIDES if job.get(name)]
    return told or [(n, job[n]) for n in (MIXED,) if job.get(n)]


def is_added_up(job: Data) -> bool:
    """Say whether an entry stands for jobs whose options it does not tell."""
    told = _told(job, True)
    return _ran(job, told) > told


def verifies(options: Data) -> bool:
    """Say whether what was written is read again."""
    return str(options.get('verify', '0')) not in ('0', 'none')


def limit(options: Data, sides: Sequence[str]) -> str:
    """Return what bounds the rate of some directions; '' where nothing does.

    Each may have its own (`rate=1m,500k`), the last counts for the others.
    """
    found = []
    for name in PACING:
        values = str(options.get(name, '')).split(',')
        own = [values[min(SIDES.index(n), len(values) - 1)] for n in sides]
        if not all(_NONE.fullmatch(value.strip()) for value in own):
            text = ''.join(c for c in ','.join(values) if c.isprintable())
            found.append(f'{name}={text[:40]}')
    return ', '.join(found)


def started(jobs: Sequence[Data]) -> Tuple[Optional[float], Tuple[str, ...]]:
    """Return when the first of the jobs began (Unix time), and notes."""
    where = 'fio JSON: job_start'
    told = [number(job.get('job_start'), where) for job in jobs]
    known = [value / 1e3 for value in told if value]
    if known:
        return time(min(known), where), ()
    reckoned = [job['reckoned'] for job in jobs if 'reckoned' in job]
    if not reckoned:
        return None, ()
    return (
        time(min(reckoned), 'fio JSON: timestamp'),
        ('when it began is reckoned from the time of the file',),
    )


def host(jobs: Sequence[Data]) -> str:
    """Return the host of the jobs; '' where there are several, or none."""
    hosts = {str(job.get('hostname') or '') for job in jobs}
    return hosts.pop()[:200] if len(hosts) == 1 else ''


def errors(jobs: Sequence[Data]) -> int:
    """Return how many operations of the jobs failed, as far as is told."""
    total = 0
    for job in jobs:
        counted = whole(job.get('total_err'), 'fio JSON: total_err')
        total += counted or (1 if job.get('error') else 0)
    return total
