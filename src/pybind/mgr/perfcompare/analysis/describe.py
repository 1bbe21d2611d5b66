"""Describe the sides of a comparison, and say what a reader must know."""

from typing import Callable, Dict, Iterable, List, Sequence, Set, Tuple

import collections
import re

from ..common.units import count
from ..model.group import says_emulated
from ..model.manifest import Manifest
from ..model.run import Run, RunState
from ..model.trial import Trial, TrialState
from .measured import Rule
from .probed import NO_DISTRIBUTION
from .results import Description, Row, VoidTrials

COUNT = re.compile(r': [\d,]+(?=\)$)')  # of operations, in a reason
NUMBER = re.compile(r'\d[\d,.]*')  # in a note, which may vary by trial
NOTES = 6  # of trials, that a comparison shows


def describe(
    group: str,
    label: str,
    runs: Sequence[Run],
    manifests: Sequence[Manifest],
) -> Description:
    """Describe ``group`` by the plan of its last run and its manifests."""
    plans = [run.plan.group(group) for run in runs]
    last = plans[-1]
    emulated = any(m.emulated for m in manifests)
    notes = list(dict.fromkeys(p.note for p in plans if p.note))
    if emulated and not any(map(says_emulated, notes)):
        notes.append('emulated')

    def distinct(name: str) -> Tuple[str, ...]:
        found: Set[str] = set()
        for manifest in manifests:
            found.update(getattr(manifest, name) or ())
        return tuple(sorted(found))

    counted = {m.osds for m in manifests if m.osds is not None}
    return Description(
        group=group,
        label=label,
        runs=tuple(run.id for run in runs),
        placement=last.placement.value,
        device_class=last.device_class,
        hosts=distinct('hosts') or last.hosts,
        osds=counted.pop() if len(counted) == 1 else len(last.osds),
        arch=distinct('arch'),
        cpu=distinct('cpu'),
        ceph_version=distinct('ceph_version'),
        emulated=emulated,
        notes=tuple(notes),
        labels=tuple(
            dict.fromkeys(label for run in runs for label in run.plan.labels)
        ),
        watts=last.watts,
        price=last.price,
    )


def _group(trial: Trial) -> str:
    return trial.group


def void_trials(
    trials: Iterable[Trial], called: Callable[[Trial], str] = _group
) -> Tuple[VoidTrials, ...]:
    """Count void trials by what their side is ``called``, and by reason."""
    counts = collections.Counter(
        (called(trial), trial.reason or 'no reason') for trial in trials
    )
    return tuple(
        VoidTrials(group, reason, count)
        for (group, reason), count in sorted(counts.items())
    )


def unsettled(group: str, label: str, trials: Iterable[Trial]) -> List[str]:
    """Say how many trials of a side began on OSDs that had not settled."""
    judged = [
        trial
        for trial in trials
        if trial.group == group and trial.round > 0
        if trial.state is TrialState.OK
    ]
    marked = [
        t.evidence['unsettled'] for t in judged if 'unsettled' in t.evidence
    ]
    if not marked:
        return []
    return [
        f'{len(marked)} of {count(len(judged), "trial")} of {label} began on '
        f'OSDs that had not settled, such as: {marked[0][0]}'
    ]


def trial_notes(
    trials: Sequence[Trial], called: Callable[[Trial], str] = _group
) -> List[str]:
    """Return what was noted of trials: of all of them first, then the rarest.

    Notes that differ in their numbers alone are told once, by the first.
    """
    found: Dict[str, List[Tuple[Trial, str]]] = {}
    for trial in trials:
        for note in dict.fromkeys(trial.notes):
            held = found.setdefault(NUMBER.sub('', note), [])
            if not held or held[-1][0] is not trial:
                held.append((trial, note))
    lines = []
    for noted in sorted(
        found.values(), key=lambda n: (len(n) < len(trials), len(n))
    ):
        first, note = noted[0]
        such = len({text for _, text in noted}) > 1
        where = f'{len(noted)} of {count(len(trials), "trial")}'
        lines.append(
            f'note of {where}, first round {first.round}, {first.workload} '
            f'on {called(first)}: {"such as: " if such else ""}{note}'
        )
    further = len(lines) - NOTES
    if further > 0:
        lines[NOTES:] = [
            f'{count(further, "more note")} of trials: see ceph perfcompare '
            f'show {trials[0].run}'
        ]
    return lines


def missing_figures(rows: Sequence[Row]) -> List[str]:
    """Say which figures and which evidence are not available."""
    found: List[str] = []
    unavailable: Dict[str, Set[str]] = {}
    for row in rows:
        for side in (row.baseline, row.candidate):
            if side.trials and side.percentiles_reason:
                # how many there were differs from row to row
                reason = COUNT.sub('', side.percentiles_reason)
                unavailable.setdefault(reason, set()).add(row.workload)
    for reason, workloads in unavailable.items():
        where = ''
        if reason != NO_DISTRIBUTION and len(workloads) < len(rows):
            where = f' for {", ".join(sorted(workloads))}'
        found.append(f'latency percentiles not available{where}: {reason}')
    latency = [
        row.workload
        for row in rows
        if row.blocks_complete
        and None
        in (row.baseline.latency_avg.median, row.candidate.latency_avg.median)
    ]
    if latency:
        found.append(
            f'average latency: not recorded for {", ".join(latency)}'
        )
    lacks = collections.Counter(
        lack for row in rows for lack in row.missing_evidence
    )
    for lack, times in lacks.items():
        rule, _, what = lack.partition(': ')
        found.append(
            f'{rule}: not checked in {_of_rows(times, len(rows))}, '
            f'not recorded: {what}'
        )
    return found


def _of_rows(count: int, rows: int) -> str:
    if rows == 1:
        return 'the row'
    return 'any row' if count == rows else f'{count} of {rows} rows'


def warnings(
    runs: Sequence[Run], rows: Sequence[Row], paired: bool
) -> List[str]:
    """Say what limits the trust in the comparison as a whole."""
    found: List[str] = []
    for run in runs:
        found += _run_warnings(run)
    if paired and len(runs) > 1:
        found.append(
            f'blocks of {len(runs)} runs are pooled; the runs are what is '
            'repeated'
        )
    clusters = {run.fsid for run in runs if run.fsid}
    if len(clusters) > 1:
        found.append(
            f'the runs are of {len(clusters)} clusters: '
            + ', '.join(sorted(clusters))
        )
    if not paired:
        found.append(
            'unpaired: the groups were not measured in the same minutes'
        )
    versions = {
        (run.plan.profile.name, run.plan.profile.version) for run in runs
    }
    if len(versions) > 1:
        found.append(
            'the runs differ in profile or overrides; only workloads that '
            'are alike are compared'
        )
    limits = {run.plan.options.slo for run in runs if run.plan.options.curve}
    if len(limits) > 1:
        found.append(
            'curves are read at no limit, as the runs have different ones: '
            + ', '.join(sorted(slo or 'none' for slo in limits))
        )
    if any(row.rule is Rule.SMOKE for row in rows):
        found.append(
            'three rounds: only differences far beyond ×1.25 can have a '
            'verdict; brackets hold the range of three'
        )
    strata = [row for row in rows if len(row.client_hosts) > 1]
    if strata:
        hosts = {
            h
            for row in strata
            for name in row.client_hosts
            for h in _hosts(name)
        }
        alike = all(  # within each block; not where that is compared
            a.client_host == b.client_host
            for row in strata
            for a, b in zip(row.baseline.dots, row.candidate.dots)
        )
        found.append(
            f'{len(strata)} of {len(rows)} rows ran from several client '
            f'hosts{", each a stratum" if paired and alike else ""}: '
            + ', '.join(sorted(hosts))
        )
    return found


def later(blocks: Sequence[Tuple[str, int]]) -> List[str]:
    """Say of which workloads blocks after the stop are left out."""
    return [
        f'{workload} was decided before its last '
        f'{count(further, "block")}, which other groups needed: '
        'figures are without them'
        for workload, further in blocks
        if further
    ]


def _hosts(name: str) -> List[str]:
    """Return the hosts that are called so; many are not named one by one."""
    return [name] if '(' in name else name.split(', ')


def _run_warnings(run: Run) -> List[str]:
    found = []
    if run.plan.options.control:
        found.append(
            f'run {run.id} is a control: one group against itself, so any '
            'difference is an artifact'
        )
    if not run.state.ended:
        found.append(
            f'run {run.id} has not ended ({run.state.value}): verdicts may '
            'change with its further blocks'
        )
    elif run.state is not RunState.COMPLETED:
        reason = f': {run.reason}' if run.reason else ''
        found.append(f'run {run.id} was not completed ({run.state.value})')
        found[-1] += reason
    return found
