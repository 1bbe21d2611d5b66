"""What the hosts of one side did in the course of a trial, in few lines.

Of all hosts of OSDs together: the busiest processor, the busiest disk, what
all of them sent and received. Samples of hosts are not taken at one time, so
each falls into a bin; a bin in which a host is missing is a gap.
"""

from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import dataclasses
import math
import re

from ..model.series import Column, Table
from .interfaces import carriers

MOST = 300  # points of a line
CPU = re.compile(r'cpu_busy\Z')
DISK = re.compile(r'disk\..+\.util\Z')
NIC = re.compile(r'nic\.(.+)\.(?:rx|tx)_bytes_per_s\Z')

Value = Optional[float]
Line = Tuple[Value, ...]


@dataclasses.dataclass(frozen=True)
class Course:
    """Hold lines over one time axis; None is "not available".

    ``t`` are seconds since the load began, the end of each bin.
    """

    t: Tuple[float, ...] = ()
    lines: Dict[str, Line] = dataclasses.field(default_factory=dict)


def wanted(name: str) -> bool:
    """Say whether a column of a host is one that is read here."""
    return any(kind.match(name) for kind in (CPU, DISK, NIC))


def of_load(table: Table) -> Course:
    """Return the rate of the load of one trial, in op/s."""
    names = [c.name for c in table.columns]
    if not names:
        return Course()
    values = table.column('ops' if 'ops' in names else names[0]).optional()
    width = _width([table])
    bins = _binned(table.t, values, width, 0.0)
    return _course(width, {'ops': bins})


def of_hosts(tables: Sequence[Table], began: float) -> Course:
    """Return cpu, disk (shares) and network (B/s) of hosts together.

    ``began`` is the Unix time of the load's start.
    """
    tables = [table for table in tables if len(table.t)]
    if not tables:
        return Course()
    width = _width(tables)
    kinds: Sequence[Tuple[str, 're.Pattern[str]', bool]] = (
        ('cpu', CPU, False),
        ('disk', DISK, False),
        ('network', NIC, True),
    )
    found: Dict[str, Dict[int, Value]] = {}
    for name, kind, added in kinds:
        of_each = []
        for table in tables:
            columns = [c.optional() for c in _of_kind(table, kind)]
            if columns:
                values = [_join(row, added) for row in zip(*columns)]
                shift = table.wall_start - began
                of_each.append(_binned(table.t, values, width, shift))
        # of the hosts that have such a thing at all, none may be missing
        if of_each and (len(of_each) == len(tables) or name == 'disk'):
            found[name] = _together(of_each, added)
    return _course(width, found)


def _of_kind(table: Table, kind: 're.Pattern[str]') -> List[Column]:
    """Return the columns of one kind; traffic is counted once."""
    found = [c for c in table.columns if kind.match(c.name)]
    if kind is not NIC:
        return found
    ports = carriers({NIC.sub(r'\1', c.name) for c in found})
    return [c for c in found if NIC.sub(r'\1', c.name) in ports]


def _join(values: Sequence[Value], added: bool) -> Value:
    known = [v for v in values if v is not None]
    if not known or (added and len(known) < len(values)):
        return None
    return sum(known) if added else max(known)


def _width(tables: Sequence[Table]) -> float:
    """Return how wide bins are: as samples are apart, or wider."""
    steps: List[float] = []
    longest = 0.0
    for table in tables:
        t = table.t
        if len(t) > 1:
            longest = max(longest, t[-1] - t[0])
            steps.append((t[-1] - t[0]) / (len(t) - 1))
    usual = max(steps, default=1.0)
    return float(max(1, math.ceil(usual - 0.1), math.ceil(longest / MOST)))


def _binned(
    t: Sequence[float], values: Sequence[Value], width: float, shift: float
) -> Dict[int, Value]:
    """Return the mean of each bin's values, None of none."""
    held: Dict[int, List[float]] = {}
    for at, value in zip(t, values):
        # a sample tells of the interval that ends with it
        into = held.setdefault(math.ceil((at + shift) / width - 1e-6), [])
        if value is not None:
            into.append(value)
    return {at: sum(v) / len(v) if v else None for at, v in held.items()}


def _together(
    of_each: Sequence[Mapping[int, Value]], added: bool
) -> Dict[int, Value]:
    every = sorted({at for bins in of_each for at in bins})
    found: Dict[int, Value] = {}
    for at in every:
        values = [bins.get(at) for bins in of_each]
        complete = None not in values
        found[at] = _join(values, added) if complete else None
    return found


def _course(width: float, found: Mapping[str, Mapping[int, Value]]) -> Course:
    every = [at for bins in found.values() for at in bins]
    if not every:
        return Course()
    span = range(min(every), max(every) + 1)
    read: Callable[[Mapping[int, Value]], Line] = lambda bins: tuple(
        _short(bins.get(at)) for at in span
    )
    return Course(
        tuple(at * width for at in span),
        {name: read(bins) for name, bins in found.items()},
    )


def _short(value: Value) -> Value:
    """Return a value with the digits that a picture shows."""
    return None if value is None else float(f'{value:.5g}')
