"""Steps within which somebody had set flags of the OSD map.

A note of the step is the record: former versions can read it, too.
"""

from typing import Collection, FrozenSet, Iterable

from ...model.recovery import StepResult

SET = 'flags set meanwhile: '


def note(flags: Collection[str]) -> str:
    """Return what a step says that such flags were seen in."""
    return SET + ', '.join(sorted(flags))


def flagged(steps: Iterable[StepResult]) -> FrozenSet[int]:
    """Return the indexes of the steps that some were seen in."""
    return frozenset(
        step.index
        for step in steps
        if any(text.startswith(SET) for text in step.notes)
    )
