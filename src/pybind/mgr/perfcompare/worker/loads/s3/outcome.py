"""The result of an S3 trial as the manager reads it."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from ...runtime import procstat
from ...wire.s3_jobs import S3Trial
from ...wire.s3_join_jobs import S3Join
from ...wire.s3_spec import DELETES, OPS, STAT, weights
from . import results
from .results import Window

LACK = 0.01  # of the time of connections, from which on it is told
SUBSTITUTED = 500  # one in so many operations, likewise


class Client(NamedTuple):
    """Say what was seen of the hosts that made a load, while they did."""

    busy: Optional[float]  # share of the host's cores
    cores: int
    nic: Optional[Dict[str, Any]]
    throttled: Optional[float]
    processes: List[Dict[str, Any]]
    dropped: int  # reports


def client_of(meter: procstat.Meter, dropped: int) -> Client:
    """Return what was seen of this host."""
    return Client(
        meter.host_busy(),
        max(1, round(procstat.cores())),
        meter.busiest_nic(),
        meter.throttled(),
        meter.clients(),
        dropped,
    )


def result(
    job: Union[S3Trial, S3Join],
    start: Tuple[float, float],
    windows: List[Window],
    client: Client,
    probe: Dict[str, Any],
    notes: List[str],
) -> Dict[str, Any]:
    """Return the figures of all windows together as a job's result.

    ``start`` is one moment by the wall clock and by that of the windows.
    """
    wall = start[0] - start[1]
    inside, judged = results.Tally(), results.Tally()
    rates: List[float] = []
    for window in windows:
        inside.join(window.inside)
        judged.join(window.judged)
    seconds = sum(w.seconds for w in windows)
    parts = [r for w in windows for r in w.results]
    if len(windows) == 1:
        rates = windows[0].rates()
    elif len(windows) >= results.WINDOWS:
        rates = [w.inside.ops() / w.seconds for w in windows]
        size = len(rates) // results.WINDOWS
        rates = [
            sum(rates[i * size : (i + 1) * size]) / size
            for i in range(results.WINDOWS)
        ]
    cores = _shares(windows, 'cpu')
    count = max(1, len(parts) // len(windows))
    idle = (STAT, *DELETES)  # move no objects
    moves = any(w for op, w in enumerate(weights(job.mix)) if op not in idle)
    if probe.get('trap'):
        notes = notes + [
            'small reads wait 40 ms for delayed ACKs: set tcp_nodelay=1 in '
            'rgw_frontends of the gateway'
        ]
    paused = sum(p['backed_off'] for p in parts)
    corrupt = sum(p['corrupt'] for p in parts)
    if corrupt:
        notes = notes + [f'CORRUPTION: {corrupt} reads returned other bytes']
    notes = notes + _held_back(windows, paused)
    cut = sum(p['cut'] for p in parts)
    if cut and not job.rate:
        notes = notes + [
            f'{cut} operations had not ended ten seconds after the load'
        ]
    replaced = sum(p['substituted'] for p in parts)
    if job.details.sizes and replaced > inside.ops() / SUBSTITUTED:
        notes = notes + [
            f'{replaced} operations found no object of their size to work '
            'on, and wrote one instead'
        ]
    first, last = windows[0], windows[-1]
    return {
        'started': wall + min(p['start'] for p in first.results) / 1e9,
        'ended': wall + last.end / 1e9,
        'summary': {
            'ops_per_s': inside.ops() / seconds if seconds else None,
            'bytes_per_s': (
                inside.moved() / seconds if seconds and moves else None
            ),
            'latency_avg': judged.latency(),
            'latency_max': judged.worst(),
            'window': seconds,
            'ops': inside.ops(),
            'errors': judged.failed(),
            'percentiles': judged.percentiles(),
            'windows': rates,
            'client_thread_cores': max(cores, default=None),
            'client_cores': sum(cores) if cores else None,
            'host_busy': client.busy,
            'host_cores': client.cores,
            'analysis': results.ANALYSIS,
        },
        'series': results.series(windows, *start),
        'notes': notes,
        'evidence': {
            'tool': job.tool,
            'window': [
                [wall + w.begin / 1e9, wall + w.end / 1e9] for w in windows
            ],
            'between': sum(
                (after.begin - before.end) / 1e9
                for before, after in zip(windows, windows[1:])
            ),
            'operations': judged.described(seconds, inside),
            'errors': results.bounded(judged.errors),
            'attempts': results.bounded(judged.attempts),
            'examples': [
                e
                for p in parts
                for r in p['endpoints']
                for e in r['examples']
            ][:5],
            'endpoints': results.endpoints(windows),
            'over_time': results.details(first),
            'nagle': probe,
            'processes': count,
            'connections': sum(p['connected'] for p in first.results),
            'rate': job.rate or None,
            'steps': (
                results.steps(first, job.details.ramp_steps, job.rate)
                if job.rate and job.details.ramp_steps > 1
                else []
            ),
            'created': sum(p['created'] for p in last.results),
            'rewritten': sum(p['rewritten'] for p in last.results),
            'abandoned': sum(p['abandoned'] for p in last.results),
            'substituted': replaced,
            'reconnects': sum(p['reconnects'] for p in parts),
            'retried': sum(p['retried'] for p in parts),
            'refused': next(
                (p['refused'] for p in parts if p['refused']), ''
            ),
            'backed_off': paused,
            'compared': sum(p['compared'] for p in parts),
            'corrupt': corrupt,
            'late': sum(p['late'] for p in parts),
            'lag': max(p['lag'] for p in parts),
            'cut': cut,
            'run_queue': _shares(windows, 'run_queue')[:64],
            'wanted': max(_shares(windows, 'cpu', 'run_queue'), default=None),
            'nic': client.nic,
            'throttled': client.throttled,
            'clients': client.processes,
            'histograms': {
                name: judged.histograms[name]
                for name in OPS
                if name in judged.histograms
            },
            'nice': job.nice,
            'events_dropped': client.dropped,
        },
    }


def _shares(windows: List[Window], *keys: str) -> List[float]:
    """Return what share of all windows are the times ``keys``, by process."""
    found = []
    for parts in zip(*(window.results for window in windows)):
        known = [p for p in parts if all(p[key] is not None for key in keys)]
        seconds = sum(p['seconds'] for p in known)
        if seconds > 0:
            took = sum(p[key] for p in known for key in keys)
            found.append(took / seconds)
    return found


def _held_back(windows: List[Window], paused: float) -> List[str]:
    """Say what a load lacked that waited for its gateway to be well."""
    parts = [r for w in windows for r in w.results]
    whole = sum(p['connected'] * p['seconds'] for p in parts)
    found = []
    if whole > 0 and paused > LACK * whole:
        found.append(
            f'after errors connections waited for {paused:.1f} s in all, '
            f'{min(1.0, paused / whole):.0%} of their time: the load was '
            'that much smaller'
        )
    retried = sum(p['retried'] for p in parts)
    if retried:
        found.append(
            f'{retried} operations were sent again, as the gateway had '
            'closed connections that it kept'
        )
    return found
