"""Moments that steps of a test do not wait for: the end of a recovery.

OSDs that are stopped stay so until the next step, and noout keeps them in:
PGs lack a copy for as long as the operator wanted, which tells nothing.
"""

from typing import Dict, Optional

import dataclasses

from ...model.recovery import (
    Fate,
    Mark,
    Moment,
    Phase,
    RecoveryTest,
    StepKind,
    StepResult,
    Timeline,
)

NOT_AWAITED = Moment(source='not waited for')
MARKS = (Mark.T3, Mark.T4, Mark.T5)
BEFORE = (Phase.DETECTION, Phase.PEERING)


def awaits(test: RecoveryTest, step: StepResult) -> bool:
    """Say whether a step goes on until PGs are clean, or are to become so."""
    if step.kind is not StepKind.STOP:
        return True
    planned = test.plan.get('recovery')
    # of an unknown plan nobody can tell
    return not isinstance(planned, dict) or bool(planned.get('auto_out'))


def cleared(test: RecoveryTest) -> RecoveryTest:
    """Return a test without moments that none of its steps waited for.

    They were censored at the end of the step, also by former versions, and
    so were the phases between them.
    """
    steps = tuple(
        s if awaits(test, s) else dataclasses.replace(s, timeline=_line(s))
        for s in test.steps
    )
    return dataclasses.replace(test, steps=steps)


def _line(step: StepResult) -> Optional[Timeline]:
    if step.timeline is None:
        return None
    marks: Dict[str, Moment] = dict(step.timeline.marks)
    for mark in MARKS:
        if step.timeline.mark(mark).fate is Fate.CENSORED:
            marks[mark.value] = NOT_AWAITED
    phases = tuple(
        p
        for p in step.timeline.phases
        if p.phase in BEFORE or not p.span.censored
    )
    return dataclasses.replace(step.timeline, marks=marks, phases=phases)
