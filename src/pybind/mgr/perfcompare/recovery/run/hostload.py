"""How busy the hosts of a group were in each step of a test."""

from typing import Dict, List, Mapping, Optional, Sequence

import dataclasses

from ...model.outcome import Outcome
from ...model.plan import GroupPlan, RunPlan
from ...model.series import Table
from ...ports.trial_watch import Evidence, TrialContext, TrialWatch
from .test_recorder import StepRecord

SOURCE = 'host.'
FIGURES = ('cpu_busy', 'cpu_iowait', 'psi_io')
Figures = Dict[str, Optional[float]]


class HostLoad:
    """Have hosts scraped beside a repetition; used by one thread."""

    def __init__(self, plan: RunPlan, watch: TrialWatch) -> None:
        """Use a ``watch`` of trials, whose faults are notes."""
        self._plan = plan
        self._watch = watch
        self._group: Optional[GroupPlan] = None
        self._told = ''

    def begin(self, group: GroupPlan, tag: str, seconds: float) -> None:
        """Begin, for ``seconds`` at the most."""
        first, *_ = self._plan.profile.workloads
        load = dataclasses.replace(first, duration=seconds)
        self._group = group
        self._watch.begin(
            TrialContext(self._plan, load, group, group.pools[0], tag)
        )

    def end(self, records: Sequence[StepRecord]) -> List[StepRecord]:
        """Return the steps with what their hosts did; none is a cut one."""
        group, self._group = self._group, None
        if group is None:
            return list(records)
        outcome = None
        if records:
            outcome = Outcome('trial', records[0].began, records[-1].ended)
        found = self._watch.end(outcome)
        if not records:
            return []
        tables = {
            host: found.series[SOURCE + host]
            for host in group.hosts
            if SOURCE + host in found.series
        }
        told = [
            dataclasses.replace(
                r,
                step=dataclasses.replace(
                    r.step, hosts=over(tables, r.began, r.ended)
                ),
            )
            for r in records
        ]
        return self._with_note(told, found)

    def _with_note(
        self, records: List[StepRecord], found: Evidence
    ) -> List[StepRecord]:
        """Say once why hosts are not known."""
        note = '; '.join(n for n in found.notes if n != self._told)
        self._told = note or self._told
        if not note:
            return records
        last = records[-1]
        step = dataclasses.replace(last.step, notes=last.step.notes + (note,))
        return [*records[:-1], dataclasses.replace(last, step=step)]


def over(tables: Mapping[str, Table], begin: float, end: float) -> Figures:
    """Return the mean over hosts of each figure in a window; {} for none.

    An interval counts where its middle is; hosts count alike.
    """
    found: Figures = {}
    for name in FIGURES:
        values = [
            value
            for table in tables.values()
            for value in [_mean(table, name, begin, end)]
            if value is not None
        ]
        if values:
            found[name] = sum(values) / len(values)
    return found


def _mean(
    table: Table, name: str, begin: float, end: float
) -> Optional[float]:
    try:
        values = table.column(name).optional()
    except KeyError:
        return None
    total, length, last = 0.0, 0.0, 0.0
    for t, value in zip(table.t, values):
        middle = table.wall_start + (last + t) / 2
        if value is not None and begin <= middle < end:
            total += value * (t - last)
            length += t - last
        last = t
    return total / length if length else None
