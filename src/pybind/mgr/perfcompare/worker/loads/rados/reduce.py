"""Reduce the clients' samples to one series; the only user of numpy."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

from .windows import Segment

POINTS = 3600  # of a series at most
NOISE = 10.0  # what is said must be so many steps of what was printed


def series(
    clients: Sequence[Sequence[Segment]],
    start: Tuple[float, float],
    points: int = POINTS,
    printed: float = 0.0,
) -> Tuple[Optional[Dict[str, Any]], str]:
    """Merge all clients on a grid of 1 s (more where that is too long).

    Means of latencies were ``printed`` in steps of so many seconds.
    ``start`` is the clock pair (wall, monotonic). Returns the series as
    data and '', or None and a note when numpy is missing. Rates are
    operations per second of all clients; the latency of a second in which
    nothing finished is None, and one that is rounding alone is, with a note.
    """
    try:
        import numpy as np
    except ModuleNotFoundError:
        return None, 'series: not available: numpy missing'
    except ImportError as error:
        # numpy's own message is a page, the reason is its last line
        why = str(error).strip().splitlines()[-1:] or ['no reason given']
        return None, f'series: not available: numpy does not work: {why[0]}'
    segments = [s for client in clients for s in client]
    if not segments:
        return None, 'series: not available: no samples'
    wall, mono = start
    low = min(s.start for s in segments)
    high = max(s.end for s in segments)
    step = float(max(1, -(-int(high - low) // points)))
    edges = np.arange(int((high - low) // step) + 1) * step + low
    if len(edges) < 2:
        return None, 'series: not available: shorter than a second'
    ops = np.zeros(len(edges))
    waited = np.zeros(len(edges))
    for segment in segments:
        # before its start a process counts nothing, after its end all
        at = segment.start + np.array([s.t for s in segment.samples])
        ops += np.interp(edges, at, [s.finished for s in segment.samples])
        waited += np.interp(edges, at, [s.waited for s in segment.samples])
    done, spent = np.diff(ops), np.diff(waited)
    # it is the difference of two products of all operations with a mean
    unknown = (done > 1e-9) & (spent < NOISE * printed * ops[1:])
    note = ''
    if unknown.any():
        note = (
            f'series: latencies of {int(unknown.sum())} of {len(done)} points '
            'are not available: rados bench prints means in microseconds, '
            'too coarse after so many operations'
        )
    with np.errstate(divide='ignore', invalid='ignore'):
        latency = np.where(done > 1e-9, spent / done, np.nan)
    latency[unknown] = np.nan
    rates: List[float] = (done / step).round(3).tolist()
    return {
        'wall_start': wall + low - mono,
        't': (edges[1:] - low).round(3).tolist(),
        'ops': rates,
        'latency': [
            None if value != value else round(value, 7)
            for value in latency.tolist()
        ],
    }, note


def quantiles(
    data: Dict[str, Any], low: float, high: float
) -> Optional[Dict[str, float]]:
    """Return quantiles of the rates of series ``data``.

    Only seconds between Unix times ``low`` and ``high`` count; None where
    there are none.
    """
    import numpy as np

    zero = data['wall_start']
    values = [
        rate
        for t, rate in zip(data['t'], data['ops'])
        if low <= zero + t <= high
    ]
    if not values:
        return None
    names = {'min': 0.0, 'p5': 0.05, 'p50': 0.5, 'p95': 0.95, 'max': 1.0}
    found = np.quantile(np.array(values), list(names.values()))
    return dict(zip(names, (float(v) for v in found)))
