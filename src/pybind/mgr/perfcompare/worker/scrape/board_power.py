"""What the power meters of a host's boards (hwmon) say together.

Meters overlap: that of a module has those of its processors within, and the
output of a power supply is part of its input. So they are added up only
where it is known that none is part of another.
"""

from typing import Dict, List, Mapping, Optional, Tuple

import re

# average over a while, and of the moment; the first one that a meter has
METERS = ('node_hwmon_power_average_watt', 'node_hwmon_power_watt')
LABEL = 'node_hwmon_sensor_label'

# drivers whose meters are those of graphics cards alone
_CARD = re.compile(r'amdgpu|radeon|nouveau|i915|xe')
# of whose meters none is part of another: those of CPU and I/O
_APART = re.compile(r'apm_xgene|xgene.*')
_MODULE = re.compile(r'\bmodule\b', re.I)  # NVIDIA Grace
_INPUT = re.compile(r'\Apin\d*\Z', re.I)  # PMBus

Meter = Tuple[str, str]  # labels `chip` and `sensor`


def board_watts(
    readings: Mapping[str, Mapping[Meter, float]],
    labels: Mapping[Meter, str],
    chips: Mapping[str, str],
) -> Optional[float]:
    """Return the watts of the boards; None where it is not known.

    ``readings`` are those of METERS, ``chips`` are names of drivers. The
    meters of modules count, else the inputs of power supplies of one kind,
    else the only meter. Of several others nobody knows which overlap.
    """
    watts: Dict[Meter, float] = {}
    for name in reversed(METERS):
        watts.update(readings.get(name, {}))

    def driver(meter: Meter) -> str:
        return chips.get(meter[0], meter[0])

    def labeled(kind: 're.Pattern[str]') -> List[Meter]:
        return [m for m in boards if kind.search(labels.get(m, m[1]))]

    boards = [m for m in watts if not _CARD.fullmatch(driver(m))]
    modules, inputs = labeled(_MODULE), labeled(_INPUT)
    others = [m for m in boards if not _APART.fullmatch(driver(m))]
    if modules:
        counted = modules
    elif inputs and len({driver(m) for m in inputs}) == 1:
        counted = inputs
    elif others:
        counted = others if len(others) == 1 else []
    else:
        counted = boards
    return sum(watts[m] for m in counted) if counted else None
