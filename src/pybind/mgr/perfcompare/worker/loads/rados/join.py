"""One result of what several hosts measured of one trial of `rados bench`.

All times are put on the Manager's clock; operations are added up where all
clients of all hosts are measured, percentiles come from added histograms.
"""

from typing import Any, Dict, List, Sequence

import math

from ...wire.join_jobs import HostResult, Join
from .. import joined_hosts
from ..joined_hosts import Data
from .figures import figures, window_of
from .joined_probe import joined_probe
from .rados_bench import PRINTED, Bench, Sample
from .reduce import quantiles, series
from .windows import Interval, Segment, sums

# Of one host: those of 32 clients that read for five hours, warm-up and all.
SAMPLES_MAX = 1 << 21
LISTS = ('t', 'started', 'finished', 'waited', 'polled_at', 'polled_ops')


class HostPart(joined_hosts.HostPart):
    """Hold what one host measured, on the Manager's clock."""

    def __init__(self, told: HostResult, data: Data) -> None:
        """Raise one of ODD for data that no trial gives."""
        super().__init__(told, data)
        self.raw = [_moved(s, told.ahead) for s in data['raw']]
        for name in LISTS:
            if sum(len(s[name]) for s in self.raw) > SAMPLES_MAX:
                raise ValueError('more samples than a trial has')
        by_client: Dict[int, List[Segment]] = {}
        for segment in self.raw:
            found = by_client.setdefault(int(segment['client']), [])
            found.append(_segment(segment))
        self.clients = [by_client[client] for client in sorted(by_client)]
        if not self.clients:
            raise ValueError('no client')
        self.began = min(client[0].start for client in self.clients)


def join_run(job: Join) -> joined_hosts.JoinRun[HostPart]:
    """Return what makes one result of all hosts'."""
    return joined_hosts.JoinRun(
        job.results, HostPart, lambda parts: _joined(job, parts)
    )


def _joined(job: Join, parts: List[HostPart]) -> Data:
    """Return the result, as that of one host is."""
    clients = [c for part in parts for c in part.clients]
    window = window_of(
        clients,
        job.op,
        job.warmup,
        job.duration,
        'the load hosts did not measure at the same time',
    )
    reduced, note = series(clients, (0.0, 0.0), printed=PRINTED)
    total = sums(clients, window)
    probe = joined_probe(
        {p.host: p.evidence.get('probe') for p in parts}, total.ops
    )
    notes = ([note] if note else []) + joined_hosts.remarks(parts)
    for part in parts:
        # of series only this one counts
        told = [n for n in part.notes if not n.startswith('series: ')]
        notes += [f'{part.host}: {n}' for n in told]
    return {
        'started': min(p.began for p in parts),
        'ended': max(s.end for client in clients for s in client),
        'summary': dict(
            figures(clients, window, job.size),
            **joined_hosts.client(parts),
            percentiles=probe['percentiles'],
        ),
        'series': reduced,
        'notes': notes,
        'raw': [segment for part in parts for segment in part.raw],
        'evidence': dict(
            _evidence(parts, window),
            probe=probe,
            hosts=_hosts(job, parts, window, total.ops),
            rate_quantiles=reduced
            and quantiles(reduced, window[0][0], window[-1][1]),
        ),
    }


def _hosts(
    job: Join,
    parts: Sequence[HostPart],
    window: Sequence[Interval],
    ops: float,
) -> List[Data]:
    """Return for each host its share, its CPU, and how its clock went."""
    return [
        {
            **part.described(),
            'ops_per_s': sums(part.clients, window).rate,
            'share': (
                sums(part.clients, window).ops / ops if ops > 0 else None
            ),
            'late': part.began - job.begin,
        }
        for part in parts
    ]


def _moved(segment: Any, ahead: float) -> Data:
    """Return a process's samples with times of the Manager's clock."""
    moved = dict(segment)
    moved['start'] = float(moved['start']) + ahead
    moved['polled_at'] = [float(at) + ahead for at in moved['polled_at']]
    return moved


def _segment(data: Data) -> Segment:
    """Place one process's samples; ValueError where they go backwards."""
    samples = [
        Sample(float(t), int(started), int(finished), float(waited))
        for t, started, finished, waited in zip(
            data['t'], data['started'], data['finished'], data['waited']
        )
    ]
    for before, after in zip(samples, samples[1:]):
        if not (
            before.t < after.t
            and before.finished <= after.finished
            and before.waited <= after.waited + PRINTED * after.finished
        ):
            raise ValueError('samples that go backwards')
    if not samples or samples[0].t < 0 or samples[0].finished < 0:
        raise ValueError('no samples')
    if not math.isfinite(data['start'] + data['seconds']):
        raise ValueError('no time')
    stop, worst = data['stop'], data['latency_max']
    bench = Bench(
        samples,
        float(data['seconds']),
        samples[-1].finished,
        0,
        None if worst is None else float(worst),
    )
    return Segment(
        bench,
        data['start'],
        None if stop is None else float(stop),
        int(data['concurrency']),
    )


def _evidence(parts: Sequence[HostPart], window: Sequence[Interval]) -> Data:
    """Return all clients' evidence; of what is one figure, the worst."""
    all_of, worst = joined_hosts.all_of, joined_hosts.worst
    return {
        'window': [list(interval) for interval in window],
        'clients': joined_hosts.clients(parts),
        'nic': joined_hosts.busiest_nic(parts),
        'throttled': worst(parts, 'throttled'),
        'alignment': all_of(parts, 'alignment'),
        'socket_discrepancy': worst(parts, 'socket_discrepancy'),
        'concurrency': all_of(parts, 'concurrency'),
        'run_names': all_of(parts, 'run_names'),
        'nice': worst(parts, 'nice'),
        'events_dropped': joined_hosts.dropped(parts),
    }
