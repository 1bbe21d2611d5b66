"""The figures of a measured window, whoever's clients were in it."""

from typing import Any, Dict, List, Sequence

from ...runtime.failure import Failure
from .windows import Interval, Segment, length, measured, pieces, sums

ANALYSIS = 1  # version of the reduction
WINDOWS = 6
# a timed load shorter than this share of what was asked for is no trial;
# a sequential read loses time at each restart
SHARE = {'write': 0.8, 'rand': 0.8, 'seq': 0.3}

Clients = Sequence[Sequence[Segment]]


def window_of(
    clients: Clients, op: str, warmup: float, duration: float, why: str
) -> List[Interval]:
    """Return where all clients were measured.

    Raises Failure, which says ``why``, where that is too short.
    """
    window = measured(clients, warmup, duration)
    seconds = length(window)
    if seconds < SHARE[op] * duration:
        raise Failure(
            'short',
            f'only {seconds:.1f} s of {duration:g} s could be measured: {why}',
        )
    return window


def figures(
    clients: Clients, window: Sequence[Interval], size: int
) -> Dict[str, Any]:
    """Return what a summary says of operations of ``size`` bytes."""
    all_of = sums(clients, window)
    parts = [sums(clients, p) for p in pieces(window, WINDOWS)]
    worst = [s.latency_max for client in clients for s in client]
    rate = all_of.rate
    return {
        'ops_per_s': rate,
        'bytes_per_s': None if rate is None else rate * size,
        'latency_avg': all_of.latency,
        'latency_max': max((w for w in worst if w is not None), default=None),
        'window': all_of.seconds,
        'ops': round(all_of.ops),
        'errors': 0,  # the first one ends `rados bench`
        'windows': [p.rate for p in parts if p.rate is not None],
        'analysis': ANALYSIS,
    }
