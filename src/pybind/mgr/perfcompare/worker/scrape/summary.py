"""What one host's rows say of the measured window of a trial."""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import dataclasses

from .node import Reading
from .power import Watts, settle, watts
from .rates import IOPS, Row, row

Window = Tuple[float, float]

COVERED = 0.5  # of a window, that its figures need

# figures whose greatest value within the window is told as well
PEAKS = (
    'cpu_busy',
    'cpu_iowait',
    'cpu_steal',
    'psi_cpu',
    'psi_io',
    'psi_memory',
    'load1',
    'temperature',
)
DISK_PEAKS = ('util', 'await', 'queue')
LOWEST = ('mem_available',)  # of these the least value is the worst


@dataclasses.dataclass(frozen=True)
class Interval:
    """Hold the rates between two moments."""

    start: float  # Unix time
    end: float
    row: Row
    watts: Watts = dataclasses.field(default_factory=dict)  # by source
    held: float = 0.0  # seconds since those of IPMI were told, at its end


def intervals(readings: Iterable[Tuple[float, Reading]]) -> List[Interval]:
    """Return the rates between successive readings (Unix time, reading).

    A reading whose processors stood still was told before: an exporter that
    keeps its answers for a while would show disks that do nothing, and then
    twice of what they did.
    """
    found: List[Interval] = []
    former: Optional[Tuple[float, Reading]] = None
    for at, now in readings:
        if former is not None and now.cpu and now.cpu == former[1].cpu:
            continue
        if former is not None:
            rates = row(former[1], now)
            if rates is not None:
                found.append(
                    Interval(
                        former[0],
                        at,
                        rates,
                        watts(former[1], now),
                        now.held,
                    )
                )
        former = (at, now)
    return found


def with_power(rows: Iterable[Interval], source: str) -> List[Interval]:
    """Return intervals whose rows have the watts of one source."""
    return [
        (
            dataclasses.replace(i, row={**i.row, 'watts': i.watts[source]})
            if source in i.watts
            else i
        )
        for i in rows
    ]


def summarize(
    readings: List[Tuple[float, Reading]],
    window: Optional[Window] = None,
) -> Dict[str, Any]:
    """Return a host's figures over ``window`` (Unix times).

    Each interval counts by how much of it lies within the window, if that
    is half of it: one that lies for the most part outside tells of what was
    before or after. What was never seen is absent. ``covered`` is the share
    of the window that the intervals cover: failed scrapes lengthen an
    interval, and leave no hole unless they are the first or the last.
    """
    every = intervals(readings)
    if window is None:
        window = (every[0].start, every[-1].end) if every else (0.0, 0.0)
    parts = [(i, _overlap(i, window)) for i in every]
    parts = [(i, s) for i, s in parts if 2 * s >= i.end - i.start]
    result: Dict[str, Any] = {'samples': len(parts)}
    if not parts:
        return result
    last = readings[-1][1]
    result.update(static(last))
    length = window[1] - window[0]
    covered = sum(share for _, share in parts)
    result['covered'] = min(1.0, covered / length) if length > 0 else 0.0
    means = _means(parts)
    nics: Dict[str, Dict[str, float]] = {}
    disks: Dict[str, Dict[str, float]] = {}
    for name, value in means.items():
        kind, _, rest = name.partition('.')
        if not rest:
            result[name] = value
            continue
        # a device may have dots in its name (eth0.100), a figure has none
        device, _, figure = rest.rpartition('.')
        home = nics if kind == 'nic' else disks
        home.setdefault(device, {})[figure] = value
    _peaks(parts, result, disks)
    for name, figures in nics.items():
        speed = last.nics.get(name, {}).get('speed', 0.0)
        if speed > 0:
            figures['speed_bytes_per_s'] = speed
    power = settle(
        [(_watts_since(window[0], i), share) for i, share in parts],
        COVERED * length,
    )
    if power is not None:
        result['watts'] = power.mean
        result['watts_max'] = power.highest
        result['watts_source'] = power.source
        if length > 0:
            result['watts_covered'] = min(1.0, power.seconds / length)
    result['nics'], result['disks'] = nics, disks
    return result


def _overlap(interval: Interval, window: Window) -> float:
    return min(interval.end, window[1]) - max(interval.start, window[0])


def _watts_since(start: float, interval: Interval) -> Watts:
    """Return an interval's power, but none that was told before ``start``.

    That is of what the host did before, mostly nothing.
    """
    if interval.end - interval.held >= start:
        return interval.watts
    return {s: w for s, w in interval.watts.items() if s != 'ipmi'}


def static(last: Reading) -> Dict[str, Any]:
    """Return what a host is, as it was read last: that needs no window."""
    found: Dict[str, Any] = {}
    if last.cores:
        found['cores'] = last.cores
    if 'mem_total' in last.gauges:
        found['mem_total'] = last.gauges['mem_total']
    hertz = last.gauges.get('hertz') or last.gauges.get('scaling_hertz')
    if hertz:
        found['ghz'] = hertz / 1e9
    found.update(last.facts)
    return found


def _means(parts: List[Tuple[Interval, float]]) -> Dict[str, float]:
    """Return means over time; an await is a mean over operations."""
    sums: Dict[str, float] = {}
    weights: Dict[str, float] = {}
    for interval, share in parts:
        for name, value in interval.row.items():
            weight = share
            if name.endswith('.await'):
                ops = interval.row.get(f'{name[:-5]}{IOPS}', 0.0)
                weight = share * ops
            sums[name] = sums.get(name, 0.0) + value * weight
            weights[name] = weights.get(name, 0.0) + weight
    return {n: sums[n] / weights[n] for n in sums if weights[n] > 0}


def _peaks(
    parts: List[Tuple[Interval, float]],
    result: Dict[str, Any],
    disks: Mapping[str, Dict[str, float]],
) -> None:
    rows = [interval.row for interval, _ in parts]
    for name in PEAKS:
        if name in result:
            result[f'{name}_max'] = max(r[name] for r in rows if name in r)
    for name in LOWEST:
        if name in result:
            result[f'{name}_min'] = min(r[name] for r in rows if name in r)
    for device, figures in disks.items():
        for name in DISK_PEAKS:
            column = f'disk.{device}.{name}'
            if name in figures:
                figures[f'{name}_max'] = max(
                    r[column] for r in rows if column in r
                )
