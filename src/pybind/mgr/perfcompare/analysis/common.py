"""The workloads that several runs define alike, and those they do not."""

from typing import List, Optional, Sequence, Tuple

import dataclasses

from ..common.errors import InvalidArgument
from ..model.load import of_tool
from ..model.run import Run
from ..model.workload import Workload

DURATIONS_APART = 0.2  # of the longer test of another tool


def common_workloads(
    runs: Sequence[Run],
) -> Tuple[List[Workload], List[str]]:
    """Return the workloads that all runs define alike, and the others.

    Raises InvalidArgument when no workload is left.
    """
    first, *others = [
        {w.name: w for w in run.plan.profile.workloads} for run in runs
    ]
    common: List[Workload] = []
    unlike: List[str] = []
    for name, workload in first.items():
        if all(_alike(workload, other.get(name)) for other in others):
            common.append(workload)
        elif all(name in other for other in others):
            other = next(
                o[name] for o in others if not _alike(workload, o[name])
            )
            unlike.append(
                f'{name}: not compared, the runs define it unlike: '
                + _differences(workload, other)
            )
    names = set(first).union(*others) if others else set(first)
    for name in sorted(names):
        lacking = [
            run.id
            for run, known in zip(runs, [first, *others])
            if name not in known
        ]
        if lacking:
            unlike.append(
                f'{name}: not compared, not part of run ' + ', '.join(lacking)
            )
    if not common:
        raise InvalidArgument(
            f'runs {", ".join(run.id for run in runs)} have no workload in '
            'common; ' + (unlike[0] if unlike else 'their profiles are empty')
        )
    return common, unlike


def _alike(first: Workload, other: Optional[Workload]) -> bool:
    """Say whether two runs mean one workload by a name.

    What another tool measured lasted as long as it did, not as planned.
    """
    if other is None or first == other:
        return other is not None
    longest = max(first.duration, other.duration)
    if (
        of_tool(first.tool).timed
        or abs(first.duration - other.duration) > DURATIONS_APART * longest
    ):
        return False
    return first == dataclasses.replace(other, duration=first.duration)


def _differences(first: Workload, other: Workload) -> str:
    """Return the fields that differ, with what they are where it is short."""
    found = []
    for field in dataclasses.fields(Workload):
        a, b = getattr(first, field.name), getattr(other, field.name)
        if a == b:
            continue
        if all(isinstance(v, (bool, int, float, str)) for v in (a, b)):
            unit = ' s' if field.name in ('duration', 'warmup') else ''
            a, b = [f'{v:.3g}' if type(v) is float else v for v in (a, b)]
            a, b = [v if v != '' else 'none' for v in (a, b)]
            found.append(f'{field.name} {a} and {b}{unit}')
        else:
            found.append(field.name)
    return ', '.join(found)
