"""Two readings of a host become one row of rates and shares."""

from typing import Dict, Mapping, Optional, Tuple

import math
import re

from .node import Reading, Values

# what node_exporter itself lets a counter of the kernel go back
IDLE_MODES = ('idle', 'iowait')
CPU_SHARES: Mapping[str, Tuple[str, ...]] = {
    'cpu_user': ('user', 'nice'),
    'cpu_system': ('system',),
    'cpu_iowait': ('iowait',),
    'cpu_steal': ('steal',),
    'cpu_softirq': ('softirq', 'irq'),
}
PRESSURES = ('psi_cpu', 'psi_io', 'psi_memory')
THROTTLES = ('core_throttles', 'package_throttles')
IOPS = 'ops_per_s'
PAGES = (65536, 16384, 4096)  # bytes; what kernels have

Row = Dict[str, float]

_UNITS = (
    (r'.*bytes_per_s', 'B/s'),
    (r'.*(drops|throttled|ops)(_per_s)?', '1/s'),
    (r'mem_.*', 'B'),
    (r'.*await', 's'),
    (r'temperature', 'degC'),
    (r'watts', 'W'),
    (r'load1|.*queue', ''),
)


def unit(name: str) -> str:
    """Return the unit of a column; shares have the unit '1'."""
    for pattern, text in _UNITS:
        if re.fullmatch(pattern, name):
            return text
    return '1'


def row(before: Reading, after: Reading) -> Optional[Row]:
    """Return the rates between two readings and the later one's gauges.

    None when they do not belong together: no time passed, or the host was
    started anew. A counter that went back gives no figure.
    """
    span = after.at - before.at
    boots = [r.gauges.get('boot_time') for r in (before, after)]
    if span <= 0 or (
        boots[0] is not None
        and boots[1] is not None
        and abs(boots[1] - boots[0]) > 5.0
    ):
        return None
    found: Row = {}
    _cpu(before, after, found)
    for name in PRESSURES:
        stalled = change(before.counters, after.counters, name)
        if stalled is not None:
            found[name] = min(1.0, stalled / span)
    swapped = change(before.counters, after.counters, 'swap_in')
    page = page_size(before, after)
    if swapped == 0.0:
        found['swap_in_bytes_per_s'] = 0.0
    elif swapped is not None and page is not None:
        found['swap_in_bytes_per_s'] = swapped * page / span
    events = [change(before.counters, after.counters, n) for n in THROTTLES]
    if any(e is not None for e in events):
        found['throttled'] = sum(e or 0.0 for e in events) / span
    for name in ('load1', 'mem_available', 'temperature'):
        if name in after.gauges:
            found[name] = after.gauges[name]
    for name in after.nics:
        _nic(name, before.nics.get(name), after.nics[name], span, found)
    for name in after.disks:
        _disk(name, before.disks.get(name), after.disks[name], span, found)
    return found


def page_size(before: Reading, after: Reading) -> Optional[int]:
    """Return the bytes of a page of the host's kernel; None is not known.

    All x86 kernels have one size. Others are built with several, which no
    exporter tells: it is the largest that divides all figures of memory, as
    the kernel counts them in pages.
    """
    if after.facts.get('machine') == 'x86_64':
        return PAGES[-1]
    granule = math.gcd(before.granule, after.granule)
    if not granule:
        return None
    return next((size for size in PAGES if granule % size == 0), None)


def change(before: Values, after: Values, name: str) -> Optional[float]:
    """Return by how much a counter grew; None where it went back."""
    if name not in before or name not in after:
        return None
    grown = after[name] - before[name]
    return grown if grown >= 0 else None


def _put(found: Row, name: str, grown: Optional[float], span: float) -> None:
    if grown is not None:
        found[name] = grown / span


def _cpu(before: Reading, after: Reading, found: Row) -> None:
    modes = {
        mode: after.cpu[mode] - before.cpu[mode]
        for mode in after.cpu
        if mode in before.cpu
    }
    # iowait and idle may go back a little; a great deal is another boot
    if before.cores != after.cores or min(modes.values(), default=0) < -1:
        return
    modes = {mode: max(0.0, spent) for mode, spent in modes.items()}
    total = sum(modes.values())
    if total <= 0:
        return
    idle = sum(modes.get(mode, 0.0) for mode in IDLE_MODES)
    found['cpu_busy'] = 1.0 - idle / total
    for name, parts in CPU_SHARES.items():
        if any(part in modes for part in parts):
            found[name] = sum(modes.get(p, 0.0) for p in parts) / total


def _nic(
    name: str,
    before: Optional[Values],
    after: Values,
    span: float,
    found: Row,
) -> None:
    if before is None:
        return
    for key in ('rx', 'tx'):
        _put(
            found,
            f'nic.{name}.{key}_bytes_per_s',
            change(before, after, key),
            span,
        )
    drops = [change(before, after, key) for key in ('rx_drop', 'tx_drop')]
    if any(d is not None for d in drops):
        found[f'nic.{name}.drops_per_s'] = sum(d or 0.0 for d in drops) / span


def _disk(
    name: str,
    before: Optional[Values],
    after: Values,
    span: float,
    found: Row,
) -> None:
    if before is None:
        return
    prefix = f'disk.{name}.'
    busy = change(before, after, 'busy')
    if busy is not None:
        found[prefix + 'util'] = min(1.0, busy / span)
    _put(found, prefix + 'queue', change(before, after, 'weighted'), span)
    for key, column in (
        ('read_bytes', 'read_bytes_per_s'),
        ('write_bytes', 'write_bytes_per_s'),
    ):
        _put(found, prefix + column, change(before, after, key), span)
    ops = [change(before, after, key) for key in ('reads', 'writes')]
    waits = [
        change(before, after, key) for key in ('read_time', 'write_time')
    ]
    if any(o is not None for o in ops):
        count = sum(o or 0.0 for o in ops)
        found[prefix + IOPS] = count / span
        if count > 0 and any(w is not None for w in waits):
            found[prefix + 'await'] = sum(w or 0.0 for w in waits) / count
