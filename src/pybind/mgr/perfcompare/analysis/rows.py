"""Build the rows of a comparison: measure first, judge when q is known."""

from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import dataclasses
import math

from ..model import load
from ..model.workload import Workload
from . import counts, evidence, of_runs, validity, verdict
from .figures import SideTrials, order_effect, row_side
from .measured import Design, Measure
from .pairing import BlockPair, log_ops
from .results import Estimate, PairDot, Row
from .verdict import Verdict


@dataclasses.dataclass(frozen=True)
class Draft:
    """Hold a row that has been measured and waits for its q."""

    workload: Workload
    planned: int
    baseline: SideTrials
    candidate: SideTrials
    pairs: Sequence[BlockPair]
    label: str
    measured: Measure
    per_osd: Optional[Measure]  # None where the OSD counts are not known
    facts: evidence.RowFacts
    findings: Sequence[evidence.Reason]
    findings_per_osd: Sequence[evidence.Reason]
    missing: Sequence[str]
    limits: evidence.Limits
    design: Design
    later: int = 0  # blocks after an adaptive stop, which are not judged

    @property
    def invalid(self) -> List[str]:
        """Return the ids of the validity reasons that hold."""
        return validity.holding(self.findings)

    @property
    def counts_differ(self) -> bool:
        """Say whether the per-OSD view says something of its own."""
        if self.per_osd is None or not self.per_osd.n:
            return False
        if self.pairs:  # the same where no block has other counts
            return self.per_osd is not self.measured
        counts = self.baseline.osd_count, self.candidate.osd_count
        return None in counts or counts[0] != counts[1]

    @property
    def differs_per_osd(self) -> bool:
        """Say whether the per-OSD view is one of its family.

        A row without blocks is: what it had said is not known.
        """
        measured = self.per_osd
        return measured is not None and (not measured.n or self.counts_differ)


def label(workload: Workload, osds: Iterable[int]) -> str:
    """Label a row by what bounds its rate.

    `paced`: operations are begun at a rate, or users pause between them,
    or another tool was told not to go beyond one, so that a group that keeps
    up does what it is asked for and no more.

    `latency-bound`: one operation in all, or no more than one for each OSD
    of the smallest group, so that the time of an operation sets the rate;
    everything else is `saturated`, where uneven placement matters. What
    another tool did may not be known.
    """
    concurrency = workload.concurrency
    if workload.paced:
        return evidence.PACED
    if not concurrency.value:
        return evidence.UNKNOWN
    fewest = min([n for n in osds if n > 0], default=1)
    total = concurrency.total(fewest)
    bound = total == 1 or total <= fewest
    return evidence.LATENCY_BOUND if bound else evidence.SATURATED


def draft(
    workload: Workload,
    planned: int,
    baseline: SideTrials,
    candidate: SideTrials,
    pairs: Optional[Sequence[BlockPair]],
    design: Design,
    limits: evidence.Limits,
    intended: Sequence[str],
) -> Draft:
    """Measure one row; ``pairs`` is None when the sides are unpaired."""
    runs = [pair.baseline.run for pair in pairs or ()]
    if pairs is None:
        measured = _measure_runs(baseline, candidate, False)
        per_osd = (
            _measure_runs(baseline, candidate, True)
            if 0 not in (*baseline.osds, *candidate.osds)
            else None
        )
        x: List[float] = []
        x_per_osd = x
    else:
        x = [pair.x for pair in pairs]
        counted = [pair.counted for pair in pairs]
        measured = of_runs.measure_pairs(x, runs, design, counted)
        offsets = _offsets(baseline, candidate)
        x_per_osd = [v + offset for v, offset in zip(x, offsets or ())]
        per_osd = None if offsets is None else measured
        if any(offsets or ()):
            per_osd = of_runs.measure_pairs(x_per_osd, runs, design, counted)
    row_label = label(workload, [*baseline.osds, *candidate.osds])
    facts = evidence.RowFacts(
        evidence.SideFacts(
            baseline.label,
            baseline.trials,
            baseline.manifests,
            baseline.idle,
        ),
        evidence.SideFacts(
            candidate.label,
            candidate.trials,
            candidate.manifests,
            candidate.idle,
        ),
        row_label,
        workload.reads,
        load.spec_of(workload.op).imaged,
        of_runs.units(x, runs),
        measured.estimate,
        measured.decisive,
        measured.equal,
        limits,
        intended,
        same_osds=design.control,
        seconds=workload.duration,
    )
    findings, missing = (
        validity.evaluate(facts)
        if measured.n
        else (validity.of_nothing(facts), [])
    )
    findings_per_osd = findings
    if per_osd is not None and per_osd.n and per_osd is not measured:
        findings_per_osd = validity.evaluate_again(
            facts.of(per_osd, of_runs.units(x_per_osd, runs)), findings
        )
    return Draft(
        workload,
        planned,
        baseline,
        candidate,
        pairs or (),
        row_label,
        measured,
        per_osd,
        facts,
        findings,
        findings_per_osd,
        missing,
        limits,
        design,
    )


def _offsets(
    baseline: SideTrials, candidate: SideTrials
) -> Optional[List[float]]:
    """Return what turns each log-ratio into one of op/s per OSD."""
    counts = list(zip(baseline.osds, candidate.osds))
    if any(0 in pair for pair in counts):
        return None
    return [0.0 if a == b else math.log(a / b) for a, b in counts]


def _measure_runs(
    baseline: SideTrials, candidate: SideTrials, per_osd: bool
) -> Measure:
    return of_runs.measure_unpaired(
        _logs_by_run(baseline, per_osd),
        _logs_by_run(candidate, per_osd),
        counts.of_ratio(baseline.trials, candidate.trials),
    )


def _logs_by_run(side: SideTrials, per_osd: bool) -> List[List[float]]:
    runs: Dict[str, List[float]] = {}
    for trial, osds in zip(side.trials, side.osds):
        value = log_ops(trial) - (math.log(osds) if per_osd else 0.0)
        runs.setdefault(trial.run, []).append(value)
    return list(runs.values())


def family(
    drafts: Sequence[Draft], planned: int, per_osd: bool
) -> List[Optional[float]]:
    """Return each draft's q in a family of ``planned`` rows.

    Rows that are not valid, and planned rows without a draft, enter with
    p = 1. Per-OSD verdicts form a family of their own, of the rows where
    the OSD counts differ, or which have no blocks to tell.
    """
    within = [row for row in drafts if not per_osd or row.differs_per_osd]
    measures: List[Optional[Measure]] = []
    for row in within:
        measured = row.per_osd if per_osd else row.measured
        findings = row.findings_per_osd if per_osd else row.findings
        measures.append(None if validity.holding(findings) else measured)
    missing = max(0, planned - len(drafts))
    q = verdict.family(measures + [None] * missing)
    found = {
        id(row): value
        for row, measured, value in zip(within, measures, q)
        if measured is not None and measured.p_family is not None
    }
    return [found.get(id(row)) for row in drafts]


def finish(
    row: Draft,
    q: Optional[float],
    q_per_osd: Optional[float],
    curve: str = '',
) -> Row:
    """Judge a measured row and give it its final form.

    The points of a ``curve`` are not judged: the curve is.
    """
    stopped = row.measured.stopped_after
    workload = row.workload
    client_hosts = {
        manifest.client_host
        for side in (row.baseline, row.candidate)
        for manifest in side.manifests
        if manifest.client_host is not None
    }
    return Row(
        workload=workload.name,
        op=workload.op,
        size=workload.size,
        concurrency=str(workload.concurrency),
        clients=workload.clients,
        duration=workload.duration,
        cache=workload.cache,
        label=row.label,
        rule=row.measured.rule,
        blocks_complete=len(row.pairs)
        or min(len(row.baseline.trials), len(row.candidate.trials)),
        blocks_planned=row.planned,
        stopped_after=stopped,
        baseline=row_side(row.baseline, workload.tool, row.limits),
        candidate=row_side(row.candidate, workload.tool, row.limits),
        pairs=_pair_dots(row),
        estimate=estimate(row.measured, q, not curve, row.findings),
        per_osd=_per_osd(row, q_per_osd, not curve),
        reasons=tuple(row.findings),
        missing_evidence=tuple(row.missing),
        order=order_effect(row.pairs) if row.pairs else None,
        client_hosts=tuple(sorted(client_hosts)),
        curve=curve,
        mixed_sizes=workload.mixed_sizes,
    )


def _pair_dots(row: Draft) -> Tuple[PairDot, ...]:
    offsets = _offsets(row.baseline, row.candidate)
    dots = []
    for i, pair in enumerate(row.pairs):
        per_osd = None if offsets is None else math.exp(pair.x + offsets[i])
        dots.append(
            PairDot(
                pair.baseline.run,
                pair.baseline.round,
                'AB' if pair.candidate_second else 'BA',
                math.exp(pair.x),
                per_osd,
            )
        )
    return tuple(dots)


def _per_osd(row: Draft, q: Optional[float], judged: bool) -> Estimate:
    """Return the per-OSD view, with a verdict only if it can differ.

    Where both groups have as many OSDs it repeats the absolute ratio, and
    a second verdict would count one result twice.
    """
    measured = row.per_osd
    if measured is None:
        return estimate(Measure(row.measured.rule, 0), None, False, ())
    judged = judged and row.counts_differ
    found = estimate(measured, q, judged, row.findings_per_osd)
    if row.counts_differ and not row.workload.concurrency.per_osd:
        text = 'one total concurrency, so a different load for each OSD'
        detail = '; '.join(filter(None, (found.detail, text)))
        found = dataclasses.replace(found, detail=detail)
    return found


def estimate(
    measured: Measure,
    q: Optional[float],
    judged: bool,
    findings: Sequence[evidence.Reason],
) -> Estimate:
    """Return a measure as ratios, with a verdict if it is ``judged``."""
    found = Estimate(
        ratio=_exp(measured.estimate),
        low=_exp(measured.low),
        high=_exp(measured.high),
        coverage=_percent(measured.coverage),
        kind=measured.kind,
        n=measured.n,
        p=measured.p,
        p_family=measured.p_family,
        q=q,
        verdict=None,
        reason='',
        detail='',
        verdict_text='',
        rule=measured.rule,
    )
    if not judged:
        return found
    judgement = verdict.judge(
        measured, 1.0 if q is None else q, validity.holding(findings)
    )
    at_least = judgement.verdict in (
        Verdict.FASTER,
        Verdict.SLOWER,
    ) and any(finding.at_least for finding in findings)
    text = judgement.verdict.value
    if judgement.reason:
        text = f'{text} ({judgement.reason})'
    elif at_least:
        text = f'{text} (at least)'
    evidence = [f'{f.id}: {f.evidence}' for f in findings if f.holds]
    return dataclasses.replace(
        found,
        verdict=judgement.verdict,
        reason=judgement.reason,
        detail='; '.join(evidence) or judgement.detail,
        verdict_text=text,
        at_least=at_least,
        bound=(
            None
            if judgement.bound is None
            else 100.0 * math.expm1(judgement.bound)
        ),
        blocks_needed=judgement.blocks_needed,
    )


def _exp(value: Optional[float]) -> Optional[float]:
    return None if value is None else math.exp(value)


def _percent(share: Optional[float]) -> Optional[float]:
    return None if share is None else 100.0 * share
