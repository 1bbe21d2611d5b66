"""Readings of one host, kept small: long steps have thousands of them."""

from typing import Dict, Iterator, List, Mapping, Sequence, Tuple

import dataclasses
from array import array

from .node import Reading, Values

# of a reading: whose values stand where
Names = Tuple[str, ...]
Devices = Tuple[Tuple[str, Names], ...]
Facts = Tuple[Tuple[str, str], ...]
Shape = Tuple[Facts, Names, Names, Names, Devices, Devices]


class Kept:
    """Hold readings of one host, all values of each in one array."""

    def __init__(self, columns: Sequence[str] = ()) -> None:
        """Keep what ``columns``, which can be had alone, need; () is all."""
        self._columns = tuple(columns)
        self._shapes: Dict[Shape, Shape] = {}
        self._kept: List[Tuple[float, Shape, 'array[float]']] = []

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, wall: float, one: Reading) -> None:
        """Keep a reading of Unix time ``wall``."""
        if self._columns:
            one = lean(one, self._columns)
        found = (
            tuple(one.facts.items()),
            tuple(one.cpu),
            tuple(one.counters),
            tuple(one.gauges),
            _devices(one.nics),
            _devices(one.disks),
        )
        values = array('d', (one.at, one.cores, one.granule, one.held))
        for some in (one.cpu, one.counters, one.gauges):
            values.extend(some.values())
        for devices in (one.nics, one.disks):
            for some in devices.values():
                values.extend(some.values())
        shape = self._shapes.setdefault(found, found)
        self._kept.append((wall, shape, values))

    def readings(self) -> List[Tuple[float, Reading]]:
        """Return what was kept: Unix time and reading."""
        return [(w, _reading(s, v)) for w, s, v in list(self._kept)]


def lean(one: Reading, columns: Sequence[str]) -> Reading:
    """Return a reading without what ``columns`` do not need."""
    return dataclasses.replace(
        one,
        counters={k: v for k, v in one.counters.items() if k in columns},
        # two readings of one boot belong together
        gauges={k: v for k, v in one.gauges.items() if k == 'boot_time'},
        nics={},
        disks={},
    )


def _devices(devices: Mapping[str, Values]) -> Devices:
    return tuple((name, tuple(some)) for name, some in devices.items())


def _reading(shape: Shape, values: Sequence[float]) -> Reading:
    facts, cpu, counters, gauges, nics, disks = shape
    rest = iter(values)
    at, cores, granule, held = (next(rest) for _ in range(4))
    return Reading(
        at,
        int(cores),
        _named(cpu, rest),
        _named(counters, rest),
        _named(gauges, rest),
        {name: _named(some, rest) for name, some in nics},
        {name: _named(some, rest) for name, some in disks},
        dict(facts),
        int(granule),
        held,
    )


def _named(names: Names, values: Iterator[float]) -> Values:
    return {name: next(values) for name in names}
