"""One result of what several hosts measured of one S3 trial.

All began at one time, each by its own clock, and counted by the same
seconds from then on: those that all have are added up, histograms as well.
"""

from typing import Dict, List, Tuple

from ...runtime.failure import Failure
from ...wire.join_jobs import HostResult
from ...wire.s3_join_jobs import S3Join
from .. import joined_hosts
from ..joined_hosts import Data
from . import checked
from .fleet import HEAD_START
from .outcome import Client, result
from .part import Added, moved
from .results import Result, Tally, Window, bounded, intervals

SHARE = 0.8  # of what was asked for; a shorter window is no trial
EQUAL = 1_000_000  # ns


class HostPart(joined_hosts.HostPart):
    """Hold what one host measured; its histograms are only added up."""

    def __init__(
        self, told: HostResult, data: Data, job: S3Join, added: Added
    ) -> None:
        """Raise one of ODD for data that no trial gives."""
        super().__init__(told, data)
        rows = self.evidence.pop('told')
        self.rows: List[Result] = []  # processes, without what they counted
        # of each interval: its begin, operations, errors
        self._counts: List[Tuple[int, int, Dict[str, int]]] = []
        for process in checked.processes(rows, job.urls):
            if abs(process['end'] - _planned(job)[1]) > EQUAL:
                raise ValueError('it did not end with the window')
            added.add(process)
            for _, interval in intervals([process]):
                tally = Tally()
                tally.add(interval)
                self._counts.append(
                    (interval['from'], tally.ops(), tally.errors)
                )
            self.rows.append(dict(process, endpoints=[]))
        self.began = zero(job) + min(p['start'] for p in self.rows) / 1e9
        self.begin = max(p['begin'] for p in self.rows)
        self.probe: Data = dict(self.evidence.get('nagle') or {})

    def ops(self, begin: int, end: int) -> int:
        """Return the operations that ended within."""
        return sum(ops for at, ops, _ in self._counts if begin <= at < end)

    def errors(self, begin: int) -> Dict[str, int]:
        """Return the errors from a moment on, those of the end as well."""
        found = Tally()
        for at, _, errors in self._counts:
            if at >= begin:
                found.add_errors(errors)
        return found.errors


def zero(job: S3Join) -> float:
    """Return the Unix time from which times are counted."""
    return job.begin + HEAD_START


def _planned(job: S3Join) -> Tuple[int, int]:
    """Return begin and end of the window of a host that was not late."""
    begin = moved(int(job.warmup * 1e9), 0)
    return begin, moved(begin + int(job.duration * 1e9), 0)


def join_run(job: S3Join) -> joined_hosts.JoinRun[HostPart]:
    """Return what makes one result of all hosts'."""
    added = Added()
    return joined_hosts.JoinRun(
        job.results,
        lambda told, data: HostPart(told, data, job, added),
        lambda parts: _joined(job, added, parts),
    )


def _joined(job: S3Join, added: Added, parts: List[HostPart]) -> Data:
    """Return the result, as that of one host is."""
    begin, end = _window(job, parts)
    rows = [
        dict(row, begin=begin, end=end) for part in parts for row in part.rows
    ]
    rows[0]['endpoints'] = added.endpoints()
    window = Window(rows, job.rate > 0)
    client = joined_hosts.client(parts)
    found = result(
        job,
        (zero(job), 0.0),
        [window],
        Client(
            client['host_busy'],
            client['host_cores'],
            joined_hosts.busiest_nic(parts),
            joined_hosts.worst(parts, 'throttled'),
            joined_hosts.clients(parts),
            joined_hosts.dropped(parts),
        ),
        parts[0].probe,
        joined_hosts.remarks(parts),
    )
    found['summary'].update(client)
    found['evidence']['hosts'] = _hosts(
        job, parts, (begin, end), window.inside.ops()
    )
    return found


def _window(job: S3Join, parts: List[HostPart]) -> Tuple[int, int]:
    """Return from when to when all hosts measured (ns)."""
    planned, end = _planned(job)
    begin = max(planned, *[part.begin for part in parts])
    seconds = (end - begin) / 1e9
    steps = job.details.ramp_steps > 1 and begin > planned + EQUAL
    if seconds < SHARE * job.duration or steps:
        raise Failure(
            'short',
            f'only {seconds:.1f} s of {job.duration:g} s could be '
            'measured: the load hosts did not begin at the same time',
        )
    return begin, end


def _hosts(
    job: S3Join, parts: List[HostPart], window: Tuple[int, int], whole: int
) -> List[Data]:
    """Return for each host its share, its errors, and its CPU."""
    begin, end = window
    found = []
    for part in parts:
        ops, errors = part.ops(begin, end), part.errors(begin)
        found.append(
            {
                **part.described(),
                'ops_per_s': ops / (end - begin) * 1e9,
                'share': ops / whole if whole else None,
                'errors': sum(errors.values()),
                'errors_by_reason': bounded(errors),
                'corrupt': sum(row['corrupt'] for row in part.rows),
                'late': part.began - zero(job),
            }
        )
    return found
