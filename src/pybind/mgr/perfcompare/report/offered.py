"""Write a curve over offered load as text, and what curves have alike."""

from typing import List, Optional

from ..analysis.offered import OPEN
from ..analysis.results import Comparison, Curve, PointSide
from ..common.units import format_latency
from .figures import DASH
from .layout import columns, wrap
from .percentiles import order

NOT_AVAILABLE = 'not available'
CPU = (
    'CPU time for an operation, of the hosts of the OSDs and of the processes '
    'of the client'
)


def percentiles(curve: Curve) -> List[str]:
    """Return which percentiles are printed: p50, and that of the limit."""
    known = {
        name
        for point in curve.points
        for side in (point.baseline, point.candidate)
        for name in side.latencies
    }
    limit = curve.percentile or 'p99'
    return sorted(known & {'p50', limit}, key=order)


def latency(side: PointSide, percentile: str) -> str:
    """Print a percentile of a point."""
    found = side.latencies.get(percentile)
    return DASH if found is None else format_latency(found.median)


def points(curve: Curve, comparison: Comparison, width: int) -> List[str]:
    """Print latency, and then CPU time, over what was offered."""
    names = comparison.baseline.label, comparison.candidate.label
    shown = percentiles(curve)
    header = ['offered', *(f'{name}\ndid' for name in names)]
    header += [f'{name}\n{p}' for p in shown for name in names]
    body, cpu = [], []
    for point in curve.points:
        sides = point.baseline, point.candidate
        first = _rate(point.offered)
        left = '' if point.used else ' (left out)'
        cells = [first + left, *(_did(side) for side in sides)]
        body.append(cells + [latency(s, p) for p in shown for s in sides])
        used = [s.host_cpu_per_op for s in sides]
        used += [s.client_cpu_per_op for s in sides]
        cpu.append([first, *map(_time, used)])
    lines = wrap(
        f'{curve.name}: at equal offered load, {_loop(curve)}', width
    )
    lines += columns(header, body, range(1, len(header)), width)
    lines += wrap(f'{CPU}:', width)
    titles = ['offered', *(f'{name}\nhosts' for name in names)]
    titles += [f'{name}\nclient' for name in names]
    return lines + columns(titles, cpu, range(1, len(titles)), width)


def _loop(curve: Curve) -> str:
    return 'in an open loop' if curve.loop == OPEN else curve.loop


def _rate(value: Optional[float]) -> str:
    return DASH if value is None else f'{value:,.0f}/s'


def _did(side: PointSide) -> str:
    """Print what was done of the offered; marked where it fell behind."""
    return _rate(side.ops_per_s.median) + ('!' if side.behind else '')


def _time(seconds: Optional[float]) -> str:
    return NOT_AVAILABLE if seconds is None else format_latency(seconds)
