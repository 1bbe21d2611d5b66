"""Compare two groups: the entry point for the CLI, REST and reports.

Both sides may come from one run (paired by block) or from stored runs
(unpaired). All is computed from the trials at each call; nothing is kept.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import dataclasses

from ..model.manifest import Manifest
from ..model.run import Run, RunState
from ..model.trial import Trial, TrialState
from ..model.workload import Workload
from . import adaptive, curve_judged, curves, describe, further, rows
from .across import headlines, intended
from .common import common_workloads
from .confounders import confounders, recorded, uncompared
from .ec_texts import EcTexts
from .evidence import Limits
from .figures import SideTrials, pooled_order_effect
from .measured import Design
from .pairing import (
    BlockPair,
    Pairing,
    idle_trials,
    last_attempts,
    pair_blocks,
    usable_trials,
)
from .results import Comparison
from .sides import (
    Side,
    check,
    distinct_runs,
    is_control,
    labels_of,
    other_groups,
    planned_blocks,
    side_names,
)


class _Evidence:
    """Read each trial's manifest once, and its group's OSD count."""

    def __init__(self, runs: Sequence[Run], trials: Sequence[Trial]) -> None:
        self._manifests: Dict[int, Manifest] = {}
        self._coded = EcTexts(
            str(t.manifest.get('ec_profile') or '') for t in trials
        )
        self._planned = {
            (run.id, group.name): len(group.osds)
            for run in runs
            for group in run.plan.groups
        }

    def manifest(self, trial: Trial) -> Manifest:
        found = self._manifests.get(id(trial))
        if found is None:
            found = Manifest.from_dict(trial.manifest)
            if found.ec_profile:
                text = self._coded.of(found.ec_profile)
                found = dataclasses.replace(found, ec_profile=text)
            self._manifests[id(trial)] = found
        return found

    def side(
        self,
        group: str,
        trials: Sequence[Trial],
        idle: int,
        label: str = '',
    ) -> SideTrials:
        manifests = [self.manifest(trial) for trial in trials]
        osds = [
            manifest.osds or self._planned.get((trial.run, group), 0)
            for trial, manifest in zip(trials, manifests)
        ]
        return SideTrials(
            group, label or group, trials, manifests, osds, idle
        )


def compare(
    baseline: Side,
    candidate: Side,
    limits: Limits = Limits(),
    across: Sequence[str] = (),
) -> Comparison:
    """Compare ``candidate`` with ``baseline``, one row for each workload.

    Sides with the same runs are paired by block; otherwise the unpaired
    rule holds. The verdict of a row is about absolute op/s. The per-OSD
    view has the same blocks, each log-ratio shifted by that of the OSD
    counts; it has verdicts, in a family of their own, only where the
    counts differ. In a run of more than two groups the rows of all other
    groups against the baseline are in the family of Benjamini-Hochberg.
    ``across`` names what is itself compared, such as `release`, so that it
    is no reason against a verdict.

    Raises NotFound when a group is not part of a run, InvalidArgument when
    there is nothing to compare.
    """
    check(baseline, candidate)
    paired = set(baseline.ids) == set(candidate.ids)
    runs = [entry.run for entry in distinct_runs(baseline, candidate)]
    evidence = _Evidence(runs, baseline.trials + candidate.trials)
    workloads, unlike = common_workloads(runs)
    meant = intended(across)
    measure = _Measuring(evidence, workloads, limits, meant)
    groups = [candidate.group]
    labels = labels_of(baseline, candidate)
    called = side_names(baseline, candidate)
    if paired:
        pairing = pair_blocks(
            baseline.trials, baseline.group, candidate.group, meant
        )
        drafts = measure.paired(baseline, candidate.group, pairing)
        groups += other_groups(baseline, candidate)
        for other in groups[1:]:
            others = pair_blocks(
                baseline.trials, baseline.group, other, meant
            )
            drafts += measure.paired(baseline, other, others)
    else:
        pairing = _unpaired(baseline, candidate)
        drafts = measure.unpaired(baseline, candidate, labels)
    ours = len(workloads)
    points = curves.names(runs, workloads)
    slo = curves.slo_of(runs)
    drawn = [
        curve
        for start in range(0, len(drafts), ours)
        for curve in curves.draft(drafts[start : start + ours], points, slo)
    ]
    # of curves they are judged, and their points are not
    planned = len(drawn) or ours * len(groups)
    judged_rows = [] if drawn else drafts
    q = rows.family(judged_rows, planned, per_osd=False)
    q_per_osd = rows.family(judged_rows, planned, per_osd=True)
    q_curves = curves.family(drawn)
    q_curves_per_osd = curves.family(drawn, per_osd=True)
    more, lacks = _further(drafts, runs, bool(drawn))
    every = [one for found in more for one in found]
    q_more = iter(further.family(every))
    metrics = [
        tuple(further.finish(one, next(q_more)) for one in found)
        for found in more
    ]
    nothing: List[Optional[float]] = [None] * ours
    found = tuple(
        dataclasses.replace(
            rows.finish(draft, a, b, curve),
            metrics=own,
            metrics_missing=lack,
        )
        for draft, a, b, curve, own, lack in zip(
            drafts[:ours],
            q or nothing,
            q_per_osd or nothing,
            points,
            metrics,
            lacks,
        )
    )
    judged = [
        [
            m
            for draft in drafts[:ours]
            for m in (draft.baseline if first else draft.candidate).manifests
        ]
        for first in (True, False)
    ]
    tools = {workload.tool for workload in workloads}
    differing = tuple(
        confounders(
            judged[0], judged[1], meant, paired and is_control(baseline)
        )
    )
    named = across if all(judged) else ()
    return Comparison(
        baseline=describe.describe(
            baseline.group,
            labels[0],
            [e.run for e in baseline.runs],
            judged[0],
        ),
        candidate=describe.describe(
            candidate.group,
            labels[1],
            [e.run for e in candidate.runs],
            judged[1],
        ),
        runs=tuple(run.id for run in runs),
        profiles=tuple(
            dict.fromkeys(
                f'{run.plan.profile.name} '
                f'(version {run.plan.profile.version})'
                for run in runs
            )
        ),
        paired=paired,
        tool=', '.join(sorted(tools)),
        rows=found,
        family_size=planned,
        family_groups=tuple(groups),
        order=pooled_order_effect([r.order for r in found if r.order]),
        confounders=differing,
        across=headlines(
            named, differing, lambda key: [recorded(j, key) for j in judged]
        ),
        missing=tuple(
            describe.missing_figures(found)
            + uncompared(judged[0], judged[1], labels)
            + unlike
        ),
        warnings=tuple(
            describe.warnings(runs, found, paired)
            + describe.later(
                [(r.workload.name, r.later) for r in drafts[:ours]]
            )
            + [
                text
                for side, label in zip((baseline, candidate), labels)
                for text in describe.unsettled(side.group, label, side.trials)
            ]
            + describe.trial_notes(
                [
                    trial
                    for side in (baseline, candidate)
                    for trial in side.trials
                    if trial.group == side.group and trial.round > 0
                ],
                called,
            )
        ),
        void_trials=describe.void_trials(pairing.void_trials, called),
        repeated_blocks=pairing.repeated_blocks,
        incomplete_blocks=pairing.incomplete,
        metrics_family_size=further.size(every),
        probe_family_size=further.size(every, of_probes=True),
        curves=tuple(
            map(
                curve_judged.finish,
                drawn[: len(drawn) // len(groups)],
                q_curves,
                q_curves_per_osd,
            )
        ),
    )


def _further(
    drafts: Sequence[rows.Draft], runs: Sequence[Run], of_curves: bool
) -> Tuple[List[List[further.Further]], List[Tuple[str, ...]]]:
    """Measure the further metrics of all rows; name what each lacks."""
    groups = further.groups_of(runs)
    found, lacks = [], []
    for draft in drafts:
        measured, missing = further.measure(draft, groups, of_curves)
        found.append(measured)
        lacks.append(tuple(missing))
    return found, lacks


@dataclasses.dataclass(frozen=True)
class _Measuring:
    """Measure rows of one comparison."""

    evidence: _Evidence
    workloads: Sequence[Workload]
    limits: Limits
    intended: Sequence[str]

    def paired(
        self, baseline: Side, candidate: str, pairing: Pairing
    ) -> List[rows.Draft]:
        planned = planned_blocks(baseline)
        plan = baseline.runs[0].run.plan
        adaptive_rows = None
        if plan.options.adaptive:
            adaptive_rows = adaptive.planned_rows(plan)
        designs = _Designs(baseline, adaptive_rows)
        drafts = []
        for workload in self.workloads:
            name = workload.name
            found = pairing.pairs.get(name, [])
            blocks = planned.get(name, 0)
            stop = adaptive.stop_of(found, blocks, adaptive_rows)
            pairs = found[:stop]
            trials: Sequence[Trial] = baseline.trials
            if len(pairs) < len(found):  # what came later is not judged
                last = pairs[-1].baseline.round
                trials = [t for t in trials if t.round <= last]
            first, second = (
                self.evidence.side(
                    group, ours, idle_trials(trials, group).get(name, 0)
                )
                for group, ours in (
                    (baseline.group, [p.baseline for p in pairs]),
                    (candidate, [p.candidate for p in pairs]),
                )
            )
            one = rows.draft(
                workload,
                blocks,
                first,
                second,
                pairs,
                designs.of(name, pairs, stop is not None),
                self.limits,
                self.intended,
            )
            later = len(found) - len(pairs)
            drafts.append(dataclasses.replace(one, later=later))
        return drafts

    def unpaired(
        self, baseline: Side, candidate: Side, labels: Sequence[str]
    ) -> List[rows.Draft]:
        sides = []
        for side in (baseline, candidate):
            by_workload: Dict[str, List[Trial]] = {}
            for trial in usable_trials(side.trials, side.group):
                by_workload.setdefault(trial.workload, []).append(trial)
            sides.append(by_workload)
        idle = [
            idle_trials(side.trials, side.group)
            for side in (baseline, candidate)
        ]
        planned = [planned_blocks(side) for side in (baseline, candidate)]
        return [
            rows.draft(
                workload,
                min(counts.get(workload.name, 0) for counts in planned),
                self.evidence.side(
                    baseline.group,
                    sides[0].get(workload.name, []),
                    idle[0].get(workload.name, 0),
                    labels[0],
                ),
                self.evidence.side(
                    candidate.group,
                    sides[1].get(workload.name, []),
                    idle[1].get(workload.name, 0),
                    labels[1],
                ),
                None,
                Design(0),
                self.limits,
                self.intended,
            )
            for workload in self.workloads
        ]


class _Designs:
    """Tell what was set beforehand of the runs that a row is of."""

    def __init__(self, side: Side, rows: Optional[int]) -> None:
        self._planned = {
            entry.run.id: adaptive.planned_blocks(entry.run.plan)
            for entry in side.runs
        }
        self._cut = {
            entry.run.id
            for entry in side.runs
            if entry.run.state is not RunState.COMPLETED
        }
        self._control = is_control(side)
        self.rows = rows

    def of(
        self, workload: str, pairs: Sequence[BlockPair], stopped: bool
    ) -> Design:
        """Return the design of the runs that ``pairs`` are blocks of.

        The rule itself had ``stopped`` a row: nobody cut it short later.
        """
        runs = {pair.baseline.run for pair in pairs} or set(self._planned)
        return Design(
            sum(self._planned[run].get(workload, 0) for run in runs),
            self.rows,
            not stopped and not runs.isdisjoint(self._cut),
            self._control,
            stopped,
        )


def _unpaired(baseline: Side, candidate: Side) -> Pairing:
    """Count what is void or repeated on either side."""
    void: List[Trial] = []
    repeated = 0
    for side in (baseline, candidate):
        ours = [t for t in side.trials if t.round > 0]
        ours = [t for t in ours if t.group == side.group]
        void += [t for t in ours if t.state is TrialState.VOID]
        repeated += sum(b[0].attempt > 1 for b in last_attempts(ours))
    return Pairing({}, tuple(void), repeated, ())
