"""How long a run may wait for OSDs that do what was left to them."""

import dataclasses
import math

from ..guard.checks.capacity import MARGIN, predicted
from ..model.plan import GroupPlan, RunPlan
from ..model.topology import Topology

# Seconds
COOLING = 60.0  # that a trial waits for the one before it
# that a run waits before its first round, and between two: what one leaves
# should not reach the next
SETTLING = 300.0
# that a round waits for the PGs of the one before where it needs their room,
# and a run that is taken up for those of the cut: of millions of objects they
# take hours
REMOVAL = 1800.0
# until OSDs that know which pools are gone remove their PGs: 0.4 at most, seen
# on busy ones
NOTICED = 2.0
# until OSDs have told the Manager how much room that made
REPORTED = 15.0
# that the Manager needs to split a new pool once, by as many PGs at most
SPLIT = 10.0
SPLIT_PGS = 128
# for OSDs that a round would fill to nearfull, until it is given up
FREED = 60.0


def breaks(plan: RunPlan) -> int:
    """Return how many rounds follow one whose pools are removed."""
    writes = any(not w.reads for w in plan.profile.workloads)
    return plan.profile.rounds if writes else 0


def expected(plan: RunPlan) -> float:
    """Return the seconds that pauses take where OSDs have little to do."""
    return NOTICED * breaks(plan)


def growth_of(pg_num: int, initial: int) -> float:
    """Return the seconds in which a pool grows from its ``initial`` PGs."""
    return SPLIT * math.ceil(max(0, pg_num - initial) / SPLIT_PGS)


def growth(plan: RunPlan, initial: int) -> float:
    """Return the seconds in which pools grow that begin with fewer PGs.

    Pools of a round grow together, populations one after the other.
    """
    seconds = [
        (growth_of(pool.pg_num, initial), pool.per_round)
        for group in plan.groups
        for pool in group.pools
    ]
    each = max((s for s, per_round in seconds if per_round), default=0.0)
    once = sum(s for s, per_round in seconds if not per_round)
    return each * (1 + plan.profile.rounds) + once


def longest(plan: RunPlan, tight: bool) -> float:
    """Return the seconds that a run waits at most, beside its trials.

    In a ``tight`` one rounds need the room of those before.
    """
    pauses = breaks(plan)
    full = REMOVAL + FREED
    return SETTLING * (1 + pauses) + (full * pauses if tight else 0.0)


def tight(plan: RunPlan, topology: Topology, nearfull: float) -> bool:
    """Say whether two rounds, one of which is being removed, do not fit."""
    twice = dataclasses.replace(
        plan, groups=tuple(_twice(group) for group in plan.groups)
    )
    fills = predicted(topology, twice, None)
    return any(fill.after > nearfull - MARGIN for fill in fills)


def _twice(group: GroupPlan) -> GroupPlan:
    """Return a group whose pools of a round are there twice."""
    more = tuple(p for p in group.pools if p.per_round)
    return dataclasses.replace(group, pools=group.pools + more)
