"""What is done in a scenario, step by step. Pure functions."""

from typing import List, Mapping, Sequence, Tuple

import dataclasses

from ...common.errors import InvalidArgument
from ...model.plan import GroupPlan, RunPlan
from ...model.recovery import Scenario, StepKind
from ...model.recovery_plan import PlannedStep
from . import safety, targets
from .request import ValidatedRequest

ORDINALS = (
    'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh',
    'eighth',
)  # fmt: skip


def steps_of(
    plan: RunPlan,
    group: GroupPlan,
    places: Mapping[int, str],
    wishes: ValidatedRequest,
    known: Sequence[PlannedStep],
) -> Tuple[PlannedStep, ...]:
    """Return the steps of a test on a group.

    ``known`` are those that faults may be done to, in order of preference.
    Raises InvalidArgument where the scenario is not possible.
    """
    scenario = wishes.scenario
    if scenario in (Scenario.BACKFILL, Scenario.OSD_OUT):
        if not targets.can_move(places, plan.size):
            raise InvalidArgument(
                f'{scenario.value} not possible in group {group.name!r}: its '
                f'{len(places)} OSDs on {len(set(places.values()))} '
                f'{plan.failure_domain}s leave a pool of size {plan.size} '
                'no other place; add an OSD, or use fewer replicas'
            )
    if scenario is Scenario.BACKFILL:
        return (
            PlannedStep(StepKind.MOVE, 'PGs moved', 'benchmark pool'),
            PlannedStep(
                StepKind.MOVE_BACK, 'PGs moved back', 'benchmark pool'
            ),
        )
    if scenario in (Scenario.OSD_STOP, Scenario.HOST_STOP):
        problem = safety.domains_problem(
            plan.size, plan.min_size, wishes.nodes
        )
        if problem:
            raise InvalidArgument(
                f'{scenario.value} is not possible in group '
                f'{group.name!r}: {problem}'
            )
    chosen = list(known)[: wishes.nodes]
    if len(chosen) < wishes.nodes:
        raise InvalidArgument(
            f'group {group.name!r} has {len(chosen)} fit for '
            f'{scenario.value}, of {wishes.nodes} wanted'
        )
    first = chosen[0]
    if scenario is Scenario.OSD_DOWN:
        return (_step(first, StepKind.DOWN, f'{first.target} marked down'),)
    if scenario is Scenario.OSD_OUT:
        return (
            _step(first, StepKind.OUT, f'{first.target} out'),
            _step(first, StepKind.IN, f'{first.target} back in'),
        )
    return _stops(chosen, scenario)


def _step(target: PlannedStep, kind: StepKind, title: str) -> PlannedStep:
    return dataclasses.replace(target, kind=kind, title=title)


def _stops(
    chosen: Sequence[PlannedStep], scenario: Scenario
) -> Tuple[PlannedStep, ...]:
    """Return a sequence as in the Reef study: one after the other, back."""
    word = 'node' if scenario is Scenario.HOST_STOP else 'OSD'
    steps: List[PlannedStep] = []
    for number, target in enumerate(chosen):
        title = f'{word} stopped'
        if len(chosen) > 1:
            title = f'{ORDINALS[number]} {title}'
        steps.append(_step(target, StepKind.STOP, title))
    names = ', '.join(t.target for t in chosen)
    steps.append(
        PlannedStep(
            StepKind.START,
            f'{word}s back' if len(chosen) > 1 else f'{word} back',
            names,
            tuple(o for t in chosen for o in t.osds),
            tuple(h for t in chosen for h in t.hosts),
        )
    )
    return tuple(steps)
