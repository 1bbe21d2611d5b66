"""Say in words what else a comparison of a recovery test should tell."""

from typing import Dict, List, Sequence, Tuple

from ...model.recovery import RecoveryTest, StepResult


def ways(
    steps: Sequence[StepResult], groups: Sequence[str]
) -> Dict[str, Tuple[str, ...]]:
    """Return the ways in which data of each group came back."""
    return {
        group: tuple(
            sorted(
                {
                    s.timeline.way
                    for s in steps
                    if s.group == group and s.timeline is not None
                }
            )
        )
        for group in groups
    }


def notes(test: RecoveryTest, steps: Sequence[StepResult]) -> Tuple[str, ...]:
    """Return what must be known beside the figures."""
    found = list(test.notes) + unlike(steps)
    for step in steps:
        for note in step.notes:
            found.append(
                f'{step.group}, repetition {step.repetition}, '
                f'{step.title}: {note}'
            )
    return tuple(dict.fromkeys(found))


def unlike(steps: Sequence[StepResult]) -> List[str]:
    """Say which limits of recovery are not the same in all groups."""
    found: Dict[str, Dict[str, str]] = {}
    for step in steps:
        for name, value in step.settings.items():
            found.setdefault(name, {})[step.group] = value
    return [
        f'{name} differs: '
        + ', '.join(f'{g} {value}' for g, value in sorted(values.items()))
        for name, values in found.items()
        if len(set(values.values())) > 1
    ]
