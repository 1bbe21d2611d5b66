"""Estimate how long a recovery test takes. Pure functions."""

from typing import Collection, Dict

import dataclasses

from ...model.plan import GroupPlan, RunPlan
from ...model.recovery import Scenario, StepKind
from ...model.recovery_plan import GroupTest, PlannedStep, TestPlan
from ...planning.estimate import WORST_GROWTH, copies
from ...planning.loads import FILL_BYTES, FILL_OPS
from ...planning.pgs import INITIAL_PGS
from ...planning.waiting import growth_of
from .markdown_limits import least_seconds, most_seconds

MIB = 1024**2
# Of one OSD, in a second, under the load of the test. Those of emulated
# OSDs were seen on two busy processors.
EMULATED_OPS = 50.0  # objects written
RECOVERY_BYTES = 50.0 * MIB
RECOVERY_OPS = 200.0  # objects recovered
EMULATED_RECOVERY_OPS = 40.0
LEAST_SETTLE = 15.0  # seconds until PGs are clean, and seen to stay so
OVERHEAD = 30.0


def fill_seconds(
    plan: RunPlan, emulated: Collection[str]
) -> Dict[str, float]:
    """Return how long the objects of each group take to be written."""
    test = plan.recovery
    assert test is not None
    found = {}
    for group in plan.groups:
        own = test.of(group.name)
        speed = EMULATED_OPS if group.name in emulated else FILL_OPS
        seconds = max(
            own.fill_ops(test.size) / speed,
            own.all_objects * test.size / FILL_BYTES,
        )
        found[group.name] = seconds / len(group.osds)
    return found


def settle_seconds(plan: RunPlan, emulated: Collection[str]) -> float:
    """Return how long a step takes for the test's own data alone.

    That of the slowest group: how much else there is, no plan can choose.
    """
    test = plan.recovery
    assert test is not None
    return max(
        _own_seconds(test, test.of(g.name), g, g.name in emulated)
        for g in plan.groups
    )


def timed(
    plan: RunPlan, emulated: Collection[str], initial: int = INITIAL_PGS
) -> RunPlan:
    """Return the plan with its bytes, and expected and worst seconds.

    ``emulated`` are groups whose OSDs are known to be that slow; pools begin
    with ``initial`` PGs.
    """
    test = plan.recovery
    assert test is not None
    once, worst = 0.0, 0.0
    for group in plan.groups:
        own = test.of(group.name)
        slow = group.name in emulated
        least = _own_seconds(test, own, group, slow)
        for step in own.steps:
            if step.settles:
                once += min(
                    test.limit, max(least, _forecast(test, own, step))
                )
                worst += test.limit
            else:
                once += test.hold
                worst += test.hold + test.limit
            if step.kind in (StepKind.STOP, StepKind.START):
                worst += test.step_timeout
        once += 2 * test.hold
        worst += 2 * test.hold + 60.0
    rest = most_rest = 0.0
    if test.scenario is Scenario.OSD_DOWN:
        rest = least_seconds(test.repetitions)
        most_rest = most_seconds(test.repetitions)
    fill = sum(fill_seconds(plan, emulated).values())
    most = max(p.pg_num for g in plan.groups for p in g.pools)
    growth = growth_of(most, initial)  # those of all groups together
    return dataclasses.replace(
        plan,
        bytes_written=sum(p.max_bytes for g in plan.groups for p in g.pools),
        seconds=OVERHEAD + growth + fill + max(rest, test.repetitions * once),
        seconds_max=(
            4 * OVERHEAD
            + WORST_GROWTH * growth
            + 5 * fill
            + test.repetitions * worst
            + most_rest
        ),
    )


def _own_seconds(
    test: TestPlan, own: GroupTest, group: GroupPlan, slow: bool
) -> float:
    """Return how long the test's own data takes to become clean."""
    osds = len(group.osds)
    moved = own.all_objects * test.size
    if own.forecast.bytes_moved is not None:  # one OSD's share of all copies
        moved = int(moved * copies(group.pools[0]))
    found = max(LEAST_SETTLE, moved / (RECOVERY_BYTES * osds))
    if test.scenario is Scenario.BACKFILL:  # one copy of each object
        ops = EMULATED_RECOVERY_OPS if slow else RECOVERY_OPS
        found = max(found, own.all_objects / (ops * osds))
    return found


def _forecast(test: TestPlan, own: GroupTest, step: PlannedStep) -> float:
    """Return how long a step takes by the forecast of what moves."""
    known = own.forecast
    if step.kind is StepKind.OUT:
        return known.seconds or 0.0
    if step.kind is StepKind.IN or (
        step.kind is StepKind.START and test.auto_out
    ):
        return known.seconds_back or 0.0
    return 0.0
