"""Measure rows of several runs: a run is one draw of what runs vary by.

Trials and blocks of one run share its pools, its placement and its hour, so
they do not contain the variation between runs. Simulations are in
qa/bench/pooled.py.
"""

from typing import Dict, List, Sequence

import dataclasses
import math

from . import counts, of_blocks, ranks, stats
from .measured import (
    BOUND,
    MIN_BLOCKS,
    MIN_RUNS,
    SD_FLOOR,
    SIZE,
    Design,
    IntervalKind,
    Measure,
    Rule,
)

# of what is spent on one run that ended early: estimates of two runs or
# three, of which the last one was watched, need less
CUT_SHARE = 0.25


def grouped(x: Sequence[float], runs: Sequence[str]) -> List[List[float]]:
    """Return the values of each run, in the order of the runs."""
    found: Dict[str, List[float]] = {}
    for value, run in zip(x, runs):
        found.setdefault(run, []).append(value)
    return list(found.values())


def units(x: Sequence[float], runs: Sequence[str]) -> List[float]:
    """Return what is repeated: blocks of one run, or runs of several."""
    by_run = grouped(x, runs)
    if len(by_run) < 2:
        return list(x)
    return [ranks.hodges_lehmann(run) for run in by_run]


def measure_pairs(
    x: Sequence[float],
    runs: Sequence[str],
    design: Design,
    counted: Sequence[float] = (),
) -> Measure:
    """Measure the log-ratios of blocks, of which ``runs`` names the runs.

    ``counted`` is how far off each may be, as operations are whole.
    """
    if len(set(runs)) < 2:
        return of_blocks.measure_blocks(
            x,
            design.planned,
            design.rows,
            counted,
            design.cut,
            design.stopped,
        )
    off = counts.of_blocks(counted)
    return _measure_pooled(x, units(x, runs), off, design)


def _measure_pooled(
    x: Sequence[float], estimates: Sequence[float], off: float, design: Design
) -> Measure:
    """Measure blocks ``x`` of runs that have these ``estimates``.

    The runs are the units: by signed ranks from six runs on, before by
    Student's t. A difference far beyond ±10 %, which runs do not vary by,
    may also be shown by the blocks, be it by one of many rows. Where a run
    ended early, less than 5 % is spent: it may have been watched.
    """
    n = len(estimates)
    cut = design.cut and len(x) < design.planned
    share = 1.0
    if cut:
        share = CUT_SHARE * of_blocks.cut_share(len(x), design.planned)
    size = SIZE * share
    test = stats.t_test(estimates, SD_FLOOR)
    interval = ranks.signed_rank_interval(estimates, size)
    half = test.half_width(size)
    low, high = test.mean - half, test.mean + half
    if interval is not None:
        low, high = interval.low, interval.high
    measured = Measure(
        Rule.RUNS,
        n,
        ranks.hodges_lehmann(estimates),
        low - off,
        high + off,
        interval.coverage if interval else 1.0 - size,
        IntervalKind.SIGNED_RANK if interval else IntervalKind.T,
        p=test.p,
        p_family=min(1.0, test.p / share),
        counted=off,
        cut_of=design.planned if cut else None,
    )
    if interval is not None:
        return measured
    planned = design.planned if cut else len(x)
    blocks = of_blocks.measure_blocks(x, planned, None, [off], cut)
    if blocks.n < MIN_BLOCKS or not (blocks.sure and blocks.beyond(BOUND)):
        return measured
    if not measured.differs:
        return dataclasses.replace(blocks, rule=Rule.TRIALS, deviation=None)
    # p of a few runs is never small enough for a family of many rows
    both = measured.p_family, blocks.p_family
    shown = [p for p in both if p is not None]
    return dataclasses.replace(measured, p_family=min(shown))


def measure_unpaired(
    baseline: Sequence[Sequence[float]],
    candidate: Sequence[Sequence[float]],
    off: float = 0.0,
) -> Measure:
    """Measure logs of op/s of stored runs, one sequence for each run.

    Run medians are the units where both sides have three runs or more, and
    enough for an interval; else the trials are, and judge() asks for more.
    ``off`` is how far off their ratio may be, as operations are whole.
    """
    sides = [[run for run in side if run] for side in (baseline, candidate)]
    if min(len(side) for side in sides) >= MIN_RUNS:
        a, b = ([stats.median(run) for run in side] for side in sides)
        if ranks.shift_interval(a, b, SIZE) is not None:
            return _measure_shift(Rule.RUNS, a, b, off)
    a, b = ([v for run in side for v in run] for side in sides)
    return _measure_shift(Rule.TRIALS, a, b, off)


def _measure_shift(
    rule: Rule, a: Sequence[float], b: Sequence[float], off: float
) -> Measure:
    n = min(len(a), len(b))
    if not n:
        return Measure(rule, 0)
    p = ranks.mann_whitney_p(a, b)
    estimate = ranks.shift_estimate(a, b)
    interval = ranks.shift_interval(a, b, SIZE)
    if interval is None:
        return Measure(
            rule,
            n,
            estimate,
            min(b) - max(a),
            max(b) - min(a),
            1.0 - 2.0 / math.comb(len(a) + len(b), len(a)),
            IntervalKind.RANGE,
            p=p,
        )
    return Measure(
        rule,
        n,
        estimate,
        interval.low - off,
        interval.high + off,
        interval.coverage,
        IntervalKind.MANN_WHITNEY,
        p=p,
        p_family=p if rule is Rule.RUNS or n >= MIN_BLOCKS else None,
    )
