"""Steps within which somebody had set flags of the OSD map that hinder them.

A note is the record: former versions can read it, too. Where there is a
timeline it is one of that, which says from when to when.
"""

from typing import Collection, FrozenSet, Iterable, Optional

from ...model.recovery import RecoveryTest, StepResult
from . import flags

SET = 'flags set meanwhile: '
NOOUT = 'noout'


def note(found: Collection[str]) -> str:
    """Return what a step without a timeline says of flags that were set."""
    return SET + ', '.join(sorted(found))


def told(test: RecoveryTest, step: StepResult) -> Optional[str]:
    """Return what the timeline of a step says of flags that hindered it."""
    texts = step.timeline.notes if step.timeline is not None else ()
    for text in texts:
        found = flags.named(text)
        if not _marks_out(test):
            found = found - {NOOUT}
        if found:
            return text
    return None


def _marks_out(test: RecoveryTest) -> bool:
    """Say whether the Monitors are to mark OSDs out in a test."""
    planned = test.plan.get('recovery')
    return isinstance(planned, dict) and bool(planned.get('auto_out'))


def flagged(
    test: RecoveryTest, steps: Iterable[StepResult]
) -> FrozenSet[int]:
    """Return the indexes of the steps that some hindered."""
    return frozenset(
        step.index
        for step in steps
        if told(test, step)
        or any(text.startswith(SET) for text in step.notes)
    )
