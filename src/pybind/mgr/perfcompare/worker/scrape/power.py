"""Which sensors tell the power of a host: one kind for a whole window."""

from typing import Dict, Iterable, List, Optional, Tuple

import dataclasses

from .node import Reading
from .rates import change

# the whole machine is better than boards, and these than processors and
# memory alone
SOURCES = ('ipmi', 'hwmon', 'rapl')
_GAUGES: Tuple[Tuple[str, str], ...] = (
    ('ipmi_watts', 'ipmi'),
    ('hwmon_watts', 'hwmon'),
)
_JOULES = ('package_joules', 'dram_joules')

Watts = Dict[str, float]  # by source


@dataclasses.dataclass(frozen=True)
class Power:
    """Hold the mean and the highest power of a window, and its source."""

    source: str
    mean: float
    highest: float
    seconds: float  # of the window in which that source told it


def watts(before: Reading, after: Reading) -> Watts:
    """Return what each kind of sensor says of the time between readings."""
    found: Watts = {}
    for name, source in _GAUGES:
        value = after.gauges.get(name, 0.0)
        if value > 0:
            found.setdefault(source, value)
    shown = [n for n in _JOULES if n in after.counters]
    joules = [change(before.counters, after.counters, n) for n in shown]
    # these counters begin anew, each at a time of its own: a part is no sum
    if _JOULES[0] in shown and None not in joules:
        total = sum(j or 0.0 for j in joules)
        found['rapl'] = total / (after.at - before.at)
    return found


def best(found: Iterable[Watts]) -> str:
    """Return the best source that any of ``found`` has; '' for none."""
    every = {source for one in found for source in one}
    return next((source for source in SOURCES if source in every), '')


def settle(parts: List[Tuple[Watts, float]], least: float) -> Optional[Power]:
    """Return the power by the best source alone; None without any.

    ``parts`` are intervals with the seconds of them that count, of which
    a source must have told ``least``: one that told less tells of a
    moment. Those in which that source told nothing are left out: another
    one would tell of another part of the machine.
    """
    for source in SOURCES:
        own = [(found[source], s) for found, s in parts if source in found]
        seconds = sum(s for _, s in own)
        if seconds and seconds >= least:
            mean = sum(value * s for value, s in own) / seconds
            return Power(source, mean, max(v for v, _ in own), seconds)
    return None
