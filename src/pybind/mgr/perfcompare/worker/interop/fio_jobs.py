"""The jobs of a result of fio: what each does, and how many there are."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..wire.reading import number, shown, time, whole
from ..wire.strict import Malformed

Data = Dict[str, Any]
Key = Tuple[str, str, str, int]  # group, rw, bs and iodepth

OPS = {
    'read': 'io-read',
    'randread': 'io-randread',
    'write': 'io-write',
    'randwrite': 'io-randwrite',
    'trim': 'io-trim',
    'randtrim': 'io-trim',
}
MIXES = ('rw', 'readwrite', 'randrw', 'trimwrite', 'randtrimwrite')
_SERVER = ('hostname', 'port')
_SYNC = ('sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap')


def jobs_of(data: Data) -> List[Tuple[Key, Data]]:
    """Return the jobs with their options, and what each does."""
    shared = data.get('global options') or {}
    found = []
    for job in data.get('jobs') or data.get('client_stats') or []:
        # the sum that fio makes of its clients is not exact
        if job.get('jobname') == 'All clients':
            continue
        options = {**_of_all(shared, job), **(job.get('job options') or {})}
        kind = str(options.get('rw', options.get('readwrite', 'read')))
        kind = kind.partition(':')[0]
        if kind not in OPS and kind not in MIXES:
            raise Malformed(f'fio JSON: rw={shown(kind)} is not known')
        size = str(options.get('bs', options.get('blocksize', '4k')))
        depth = whole(options.get('iodepth', 1), 'fio JSON: iodepth') or 1
        if options.get('ioengine', 'psync') in _SYNC:
            depth = 1
        group = str(whole(job.get('groupid', 0), 'fio JSON: groupid'))
        held = {**job, 'job options': options, 'depth': depth}
        found.append(((group, kind, size, depth), held))
    return found


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


def in_flight(jobs: Sequence[Data]) -> int:
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


def started(jobs: Sequence[Data]) -> Optional[float]:
    """Return when the first of the jobs began (Unix time)."""
    times = [number(job.get('job_start'), 'fio JSON: job_start')
             for job in jobs]  # fmt: skip
    known = [value / 1e3 for value in times if value]
    return time(min(known), 'fio JSON: job_start') if known else None


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
