"""Stop a workload early when its difference is beyond doubt (opt-in).

The 5 % are split: a tenth for each of three looks, seven tenths for the
end. Only large differences (beyond ×1.25 or ÷1.25) stop a workload.
"""

from typing import Dict, FrozenSet, Iterable, Optional, Sequence, Tuple

import collections
import math

from ..model.plan import RunPlan
from ..model.trial import Trial
from . import counts, stats
from .pairing import BlockPair, pair_blocks

LOOK_SHARE = 0.1  # of 5 %, for each look
END_SHARE = 0.7  # of 5 %, for the end
MARGIN = math.log(1.25)
SD_FLOOR = 0.02
_SIZE = 0.05
LEAST = 6  # blocks of a row; fewer are not looked at before the end


def looks(planned: int) -> Tuple[int, ...]:
    """Return after how many blocks a row of ``planned`` is looked at.

    Empty for fewer than LEAST: such runs are not adaptive.
    """
    if planned < LEAST:
        return ()
    return (3, 4, 5) if planned < 8 else (3, 4, 6)


def look_size(rows: int) -> float:
    """Return the two-sided size of one look at one of ``rows`` rows."""
    return _SIZE * LOOK_SHARE / rows


def first_stop(
    x: Sequence[float],
    planned_looks: Sequence[int],
    rows: int,
    counted: Sequence[float] = (),
) -> Optional[int]:
    """Return after how many blocks a row stops, None if it goes on.

    ``x`` are the log-ratios of its complete blocks in their order,
    ``counted`` how far off each may be (see `counts`).
    """
    for look in planned_looks:
        if look > len(x):
            break
        test = stats.t_test(x[:look], SD_FLOOR)
        half = test.half_width(look_size(rows))
        half += counts.of_blocks(counted[:look])
        if abs(test.mean) - half > MARGIN:
            return look
    return None


def stop_of(
    pairs: Sequence[BlockPair], planned: int, rows: Optional[int]
) -> Optional[int]:
    """Return after how many of its blocks a row stops, None if it goes on.

    A workload goes on for other groups; what they had of it is not judged.
    ``rows`` is None where the run is not adaptive.
    """
    if rows is None:
        return None
    return first_stop(
        [pair.x for pair in pairs],
        looks(planned),
        rows,
        [pair.counted for pair in pairs],
    )


def planned_blocks(plan: RunPlan) -> Dict[str, int]:
    """Return the number of judged blocks planned for each workload."""
    return collections.Counter(
        block.workload for block in plan.blocks if block.round > 0
    )


def planned_rows(plan: RunPlan) -> int:
    """Return the rows of a report on all groups of ``plan``."""
    return len(plan.profile.workloads) * max(1, len(plan.groups) - 1)


def certain_round(plan: RunPlan, now: int) -> Optional[int]:
    """Return the last round that all workloads have, ``now`` being one.

    None when that is the last one of the plan.
    """
    if not plan.options.adaptive or len(plan.groups) < 2:
        return None
    rounds = max(planned_blocks(plan).values(), default=0)
    return next((at for at in looks(rounds) if at >= now), None)


def stopped_workloads(
    plan: RunPlan, trials: Iterable[Trial]
) -> FrozenSet[str]:
    """Return the workloads that leave the later rounds of all groups.

    For the runner, between rounds, with all trials so far. A function of
    the data alone, so that a run goes on alike after a failover. With more
    than two groups the plan's first is the baseline, and a workload stops
    when every other group has been decided against it.
    """
    if not plan.options.adaptive or len(plan.groups) < 2:
        return frozenset()
    trials = list(trials)
    rows = planned_rows(plan)
    baseline, *others = [group.name for group in plan.groups]
    pairings = [pair_blocks(trials, baseline, other) for other in others]
    planned = planned_blocks(plan)
    stopped = set()
    for workload in plan.profile.workloads:
        at = looks(planned.get(workload.name, 0))
        if at and all(
            first_stop(
                pairing.x(workload.name),
                at,
                rows,
                pairing.counted(workload.name),
            )
            is not None
            for pairing in pairings
        ):
            stopped.add(workload.name)
    return frozenset(stopped)
