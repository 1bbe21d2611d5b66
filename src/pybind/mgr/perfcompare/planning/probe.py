"""The latency probe beside RADOS loads: how often it may ask, and for what.

`rados bench` records no latencies, so one more client does, at a low rate
of its own. Both groups of a block have the same rate.
"""

from typing import Iterable, Optional

import math

from ..common.errors import InvalidArgument
from ..common.option import Option
from ..model.plan import RunOptions
from ..model.workload import Profile, Workload

RATE = 100.0  # operations per second
MOST = 1000.0
LEAST = 1.0  # less than that has nothing to say
# of the slowest group's operations; a row in which it came to be more than
# 5 % is void, and groups may be slower than they were a round before
AIM = 0.03
# while no group's rate is known: nobody knows how slow it may be, and the
# conditioning round is not judged
FIRST = 20.0
FIRST_BYTES = 1 << 20  # per second
OBJECTS_SHARE = 20  # of a trial's bound, one part in so many
OBJECTS_LEAST = 16

PROBE_RATE = Option(
    'probe_rate',
    float,
    'RADOS: operations per second of the latency probe; 0: none',
    default='100',
    least=0,
    most=MOST,
    unit='operations per second',
)
SWITCHED_OFF = 'switched off: --probe-rate 0'
TOO_SLOW = 'a probe of 1/s would be too much of so few operations'


def probed(workload: Workload) -> bool:
    """Say whether a workload's tool records no latencies by itself."""
    return workload.tool == 'rados'


def rate_of(profile: Profile, options: RunOptions) -> float:
    """Return the rate that a run is planned with; 0 where it has none.

    Raises InvalidArgument where nothing is run that has a probe.
    """
    given: Optional[float] = options.driver(PROBE_RATE.name)
    PROBE_RATE.check(given)
    if not any(map(probed, profile.workloads)):
        if given:
            raise InvalidArgument(
                f'--probe-rate {given:g} is for RADOS workloads, and none '
                'is run; give e.g. --workload write'
            )
        return 0.0
    return RATE if given is None else given


def allowed(asked: float, seen: Iterable[float], size: int) -> float:
    """Return the rate of a block's probe, two digits of it; 0 is none.

    ``seen`` are the operations per second of the groups that are known.
    """
    slowest = min(seen, default=None)
    if slowest is None:
        first = max(LEAST, min(FIRST, FIRST_BYTES / size))
        return _round(min(asked, first))
    rate = min(asked, AIM * slowest)
    return _round(rate) if rate >= min(asked, LEAST) else 0.0


def _round(rate: float) -> float:
    return float(f'{rate:.2g}')


def objects(rate: float, workload: Workload, bound: int) -> int:
    """Return the most objects that a write probe may have."""
    seconds = workload.warmup + workload.duration
    return min(
        math.ceil(rate * seconds) + 1,
        max(OBJECTS_LEAST, bound // OBJECTS_SHARE),
    )
