"""Say in words what else a comparison of a recovery test should tell."""

from typing import Dict, List, Sequence, Tuple

from ...model.recovery import RecoveryTest, StepResult
from .flags_seen import told
from .unlike_data import WITHIN


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
    found = list(test.notes) + unlike(steps) + amounts(steps)
    for step in steps:
        flags = told(test, step)
        for note in (*step.notes, *((flags,) if flags else ())):
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


def amounts(steps: Sequence[StepResult]) -> List[str]:
    """Say where times are judged of groups whose amounts nobody knows."""
    blind = {
        s.title
        for s in steps
        if s.kind in WITHIN
        and s.timeline is not None
        and s.timeline.size.bytes_recovered is None
    }
    if not blind or len({s.group for s in steps}) < 2:
        return []
    return [
        f'how much data moved is not known ({", ".join(sorted(blind))}): '
        'times are judged as of groups with as much for each OSD, which is '
        'how the benchmark pool is written'
    ]
