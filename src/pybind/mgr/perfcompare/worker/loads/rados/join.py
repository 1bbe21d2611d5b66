"""One result of what several hosts measured of one trial.

All times are put on the Manager's clock; operations are added up where all
clients of all hosts are measured, percentiles come from added histograms.
What the hosts say is not believed: it is read like any input.
"""

from typing import Any, Dict, List, Optional, Sequence

import json
import math

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.join_jobs import HostResult, Join
from ...wire.protocol import RESULT_MAX
from .figures import figures, window_of
from .joined_probe import joined_probe
from .rados_bench import Bench, Sample
from .reduce import quantiles, series
from .windows import Interval, Segment, sums

SAMPLES_MAX = 1 << 20  # of one host
NOTES_MAX, NOTE_MAX = 20, 300  # of one host; characters of each
CLOCK_OFF = 0.1  # seconds that a clock may be off
APART = 1.0  # seconds between the first and the last to begin
ODD = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)

Data = Dict[str, Any]


class HostPart:
    """Hold what one host measured, on the Manager's clock."""

    def __init__(self, told: HostResult, data: Data) -> None:
        """Raise one of ODD for data that no trial gives."""
        self.host = told.host
        self.told = told
        self.raw = [_moved(s, told.ahead) for s in data['raw']]
        if sum(len(s['t']) for s in self.raw) > SAMPLES_MAX:
            raise ValueError('more samples than a trial has')
        by_client: Dict[int, List[Segment]] = {}
        for segment in self.raw:
            found = by_client.setdefault(int(segment['client']), [])
            found.append(_segment(segment))
        self.clients = [by_client[client] for client in sorted(by_client)]
        if not self.clients:
            raise ValueError('no client')
        self.summary: Data = dict(data['summary'])
        self.evidence: Data = dict(data['evidence'])
        self.notes = [str(n)[:NOTE_MAX] for n in data['notes'][:NOTES_MAX]]
        self.starts = [client[0].start for client in self.clients]

    def figure(self, key: str) -> Optional[float]:
        """Return a number of its summary; None where it has none."""
        return _number(self.summary.get(key))


class JoinRun:
    """Read the hosts' results, and reduce them to one."""

    def __init__(self, job: Join, context: Context) -> None:
        self._job = job
        self._context = context
        self._parts: List[HostPart] = []

    def prepare(self) -> None:
        """Read all; raise Failure for what cannot be used."""
        for told in self._job.results:
            try:
                with open(told.file, 'rb') as file:
                    data = json.loads(
                        file.read(RESULT_MAX), parse_constant=_no_number
                    )
                self._parts.append(HostPart(told, data))
            except OSError as error:
                raise Failure(
                    'spool', f'cannot read {told.file!r}: {error.strerror}'
                ) from None
            except ODD as error:
                what = f'the result of load host {told.host}'
                raise _unusable(what, error) from None

    def run(self) -> Data:
        """Return the result, as that of one host is."""
        try:
            return self._joined()
        except ODD as error:
            what = 'what the load hosts measured'
            raise _unusable(what, error) from None

    def _joined(self) -> Data:
        job, parts = self._job, self._parts
        clients = [c for part in parts for c in part.clients]
        window = window_of(
            clients,
            job.op,
            job.warmup,
            job.duration,
            'the load hosts did not measure at the same time',
        )
        reduced, note = series(clients, (0.0, 0.0))
        total = sums(clients, window)
        probe = joined_probe(
            {p.host: p.evidence.get('probe') for p in parts}, total.ops
        )
        notes = ([note] if note else []) + remarks(parts)
        for part in parts:
            # of series only this one counts
            told = [n for n in part.notes if not n.startswith('series: ')]
            notes += [f'{part.host}: {n}' for n in told]
        return {
            'started': min(s for p in parts for s in p.starts),
            'ended': max(s.end for client in clients for s in client),
            'summary': dict(
                figures(clients, window, job.size),
                **_client(parts),
                percentiles=probe['percentiles'],
            ),
            'series': reduced,
            'notes': notes,
            'raw': [segment for part in parts for segment in part.raw],
            'evidence': dict(
                _evidence(parts, window),
                probe=probe,
                hosts=self._hosts(window, total.ops),
                rate_quantiles=reduced
                and quantiles(reduced, window[0][0], window[-1][1]),
            ),
        }

    def _hosts(self, window: Sequence[Interval], ops: float) -> List[Data]:
        """Return for each host its share, its CPU, and how its clock went."""
        return [
            {
                'host': part.host,
                'ops_per_s': sums(part.clients, window).rate,
                'share': (
                    sums(part.clients, window).ops / ops if ops > 0 else None
                ),
                'busy': part.figure('host_busy'),
                'cores': part.figure('client_cores'),
                'thread_cores': part.figure('client_thread_cores'),
                'clock_ahead': -part.told.ahead,
                'clock_bound': part.told.bound,
                'late': min(part.starts) - self._job.begin,
            }
            for part in self._parts
        ]


def remarks(parts: Sequence[HostPart]) -> List[str]:
    """Say whose clock is off, and who began long after the others."""
    found = []
    for part in parts:
        ahead, bound = part.told.ahead, part.told.bound
        if abs(ahead) > CLOCK_OFF + bound:
            way = 'behind' if ahead > 0 else 'ahead of'
            found.append(
                f'the clock of load host {part.host} is {abs(ahead):.3g} s '
                f"{way} the Manager's (± {bound:.2g} s)"
            )
    first, last = (
        which(parts, key=lambda part: min(part.starts))
        for which in (min, max)
    )
    apart = min(last.starts) - min(first.starts)
    if apart > APART:
        found.append(
            f'load host {last.host} began {apart:.1f} s after {first.host}: '
            'what both measured counts'
        )
    return found


def _unusable(what: str, error: Exception) -> Failure:
    text = f'{type(error).__name__}: {str(error)[:100]}'
    return Failure('protocol', f'{what} cannot be used: {text}')


def _no_number(text: str) -> float:
    raise ValueError(f'{text} is no number')


def _number(value: Any) -> Optional[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


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
            and before.waited <= after.waited
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


def _client(parts: Sequence[HostPart]) -> Data:
    """Return the client's CPU: of the host that had the least to spare."""

    def busiest(part: HostPart) -> float:
        return part.figure('host_busy') or 0.0

    worst = max(parts, key=busiest)
    threads = [part.figure('client_thread_cores') for part in parts]
    cores = worst.figure('host_cores')
    return {
        'client_thread_cores': max(
            (t for t in threads if t is not None), default=None
        ),
        'client_cores': worst.figure('client_cores'),
        'host_busy': worst.figure('host_busy'),
        'host_cores': None if cores is None else int(cores),
    }


def _evidence(parts: Sequence[HostPart], window: Sequence[Interval]) -> Data:
    """Return all clients' evidence; of what is one figure, the worst."""

    def all_of(key: str) -> List[Any]:
        found: List[Any] = []
        for part in parts:
            found += list(part.evidence.get(key) or [])
        return found

    def worst(key: str) -> Optional[float]:
        values = [_number(part.evidence.get(key)) for part in parts]
        known = [v for v in values if v is not None]
        return max(known, key=abs, default=None)

    nics = [part.evidence.get('nic') for part in parts]
    busy = [n for n in nics if isinstance(n, dict)]
    clients = [
        dict(row, host=part.host)
        for part in parts
        for row in part.evidence.get('clients') or []
    ]
    dropped = [part.evidence.get('events_dropped') or 0 for part in parts]
    return {
        'window': [list(interval) for interval in window],
        'clients': clients,
        'nic': max(busy, key=lambda n: n.get('share') or 0.0, default=None),
        'throttled': worst('throttled'),
        'alignment': all_of('alignment'),
        'socket_discrepancy': worst('socket_discrepancy'),
        'concurrency': all_of('concurrency'),
        'run_names': all_of('run_names'),
        'nice': worst('nice'),
        'events_dropped': sum(int(n) for n in dropped),
    }
