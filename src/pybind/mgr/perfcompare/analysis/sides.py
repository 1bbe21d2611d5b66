"""The two sides of a comparison: a group each, in one or more runs."""

from typing import Callable, Dict, List, Tuple

import dataclasses

from ..common.errors import InvalidArgument, NotFound
from ..model.run import Run
from ..model.trial import Trial
from . import adaptive


@dataclasses.dataclass(frozen=True)
class RunTrials:
    """Hold a stored run with its trials, of all its groups."""

    run: Run
    trials: Tuple[Trial, ...]


@dataclasses.dataclass(frozen=True)
class Side:
    """Name one side of a comparison: a group in one or more runs."""

    group: str
    runs: Tuple[RunTrials, ...]

    @property
    def ids(self) -> Tuple[str, ...]:
        """Return the ids of the runs."""
        return tuple(entry.run.id for entry in self.runs)

    @property
    def trials(self) -> List[Trial]:
        """Return the trials of all groups of all the runs."""
        return [trial for entry in self.runs for trial in entry.trials]


def check(baseline: Side, candidate: Side) -> None:
    """Refuse sides that cannot be compared.

    Raises NotFound when a group is not part of a run, InvalidArgument when
    both sides are the same, or an adaptive run is one of several.
    """
    for side in (baseline, candidate):
        if not side.runs:
            raise InvalidArgument(f'{side.group}: no run to compare')
        for entry in side.runs:
            names = [group.name for group in entry.run.plan.groups]
            if side.group not in names:
                raise NotFound(
                    f'run {entry.run.id} has no group {side.group!r}; it has '
                    + ', '.join(names)
                )
    same = set(baseline.ids) & set(candidate.ids)
    if same and baseline.group == candidate.group:
        raise InvalidArgument(
            f'{baseline.group!r} in run {min(same)} is on both sides; name '
            'two groups, or two runs'
        )
    adaptive_runs = [
        entry.run.id
        for entry in baseline.runs + candidate.runs
        if entry.run.plan.options.adaptive
    ]
    if adaptive_runs and len({*baseline.ids, *candidate.ids}) > 1:
        raise InvalidArgument(
            f'run {adaptive_runs[0]} is adaptive and cannot be pooled with '
            'or compared across other runs; compare its own groups'
        )


def is_control(side: Side) -> bool:
    """Say whether all groups of each run are the same OSDs."""
    return all(entry.run.plan.options.control for entry in side.runs)


def labels_of(baseline: Side, candidate: Side) -> List[str]:
    """Name both sides apart: one group of two runs carries its run."""
    labels = []
    for side in (baseline, candidate):
        label = side.group
        if baseline.group == candidate.group:
            label += f'@{side.ids[0]}'
            if len(side.ids) > 1:
                label += f'+{len(side.ids) - 1}'
        labels.append(label)
    return labels


def side_names(baseline: Side, candidate: Side) -> Callable[[Trial], str]:
    """Return what tells of a trial what its side is called."""
    if baseline.group != candidate.group:
        return lambda trial: trial.group
    labels, first = labels_of(baseline, candidate), set(baseline.ids)
    return lambda trial: labels[trial.run not in first]


def distinct_runs(baseline: Side, candidate: Side) -> List[RunTrials]:
    """Return the runs of both sides, each once."""
    found = {e.run.id: e for e in baseline.runs + candidate.runs}
    return list(found.values())


def planned_blocks(side: Side) -> Dict[str, int]:
    """Return the judged blocks planned for each workload, over the runs."""
    total: Dict[str, int] = {}
    for entry in side.runs:
        for name, blocks in adaptive.planned_blocks(entry.run.plan).items():
            total[name] = total.get(name, 0) + blocks
    return total


def other_groups(baseline: Side, candidate: Side) -> List[str]:
    """Return the groups of the runs that are on neither side."""
    named = (baseline.group, candidate.group)
    found = [
        group.name
        for entry in baseline.runs
        for group in entry.run.plan.groups
        if group.name not in named
    ]
    return list(dict.fromkeys(found))
