"""Rows of several runs, in which a run is the unit."""

import math
import random

import pytest

from ...analysis import of_blocks, of_runs, verdict
from ...analysis.measured import Design, IntervalKind, Rule
from ...analysis.verdict import Verdict

LOG = math.log
PATTERN = (0.0, 1.0, -1.0, 0.5, -0.5, 0.8, -0.8)


def run_of(ratio, n=7, spread=0.01):
    """Make n logs around that of ``ratio`` with a fixed pattern."""
    return [LOG(ratio) + spread * PATTERN[i % 7] for i in range(n)]


def pooled(*runs, planned=None, cut=False):
    x = [v for run in runs for v in run]
    names = [f'{i:08x}' for i, run in enumerate(runs) for _ in run]
    design = Design(planned or len(x), cut=cut)
    return of_runs.measure_pairs(x, names, design)


def judged(measured):
    (q,) = verdict.family([measured])
    return verdict.judge(measured, q, ())


def unpaired(baseline, candidate):
    measured = of_runs.measure_unpaired(baseline, candidate)
    return measured, judged(measured)


def test_runs_that_differ_are_not_one_run_of_more_blocks():
    for ratio in (1.02, 1.08):
        assert judged(pooled(run_of(ratio, 3))).reason == '3 of 6 blocks'
    both = pooled(run_of(1.02, 3), run_of(1.08, 3))
    assert (both.rule, both.n) == (Rule.RUNS, 2)
    assert judged(both).reason == 'between runs'
    assert 'more runs' in judged(both).detail


def test_runs_that_agree_are_decided():
    both = pooled(run_of(1.101), run_of(1.1))
    assert both.kind is IntervalKind.T
    assert judged(both).verdict is Verdict.FASTER
    same = pooled(run_of(1.001), run_of(1.0), run_of(0.999))
    assert judged(same).verdict is Verdict.NO_DIFFERENCE


def test_two_runs_far_beyond_ten_percent_are_decided_though_they_differ():
    both = pooled(run_of(1.3), run_of(1.5))
    assert (both.rule, both.n) == (Rule.TRIALS, 14)
    assert both.kind is IntervalKind.SIGNED_RANK
    assert judged(both).verdict is Verdict.FASTER


@pytest.mark.parametrize('ratios', [(1.2, 1.2), (1.17, 1.23)])
def test_runs_that_agree_have_a_verdict_among_many_rows_as_others_have(
    ratios,
):
    both = pooled(*(run_of(ratio, 10) for ratio in ratios))
    q = verdict.family([both] + [None] * 7)
    assert verdict.judge(both, q[0], ()).verdict is Verdict.FASTER
    within = pooled(*(run_of(1.08, 10) for _ in ratios))
    q = verdict.family([within] + [None] * 7)
    assert verdict.judge(within, q[0], ()).reason == 'one of many rows'


def test_six_runs_are_judged_as_six_blocks_are():
    ratios = (1.04, 1.05, 1.06, 1.07, 1.08, 1.05)
    found = pooled(*(run_of(r, 3) for r in ratios))
    plain = of_blocks.measure_blocks(
        [of_blocks.ranks.hodges_lehmann(run_of(r, 3)) for r in ratios], 6
    )
    assert (found.n, found.kind) == (6, IntervalKind.SIGNED_RANK)
    assert (found.low, found.high) == (plain.low, plain.high)
    assert judged(found).verdict is Verdict.FASTER


def test_one_run_that_has_blocks_is_judged_by_its_own_plan():
    assert pooled(run_of(7.0, 3), planned=3).rule is Rule.SMOKE
    assert pooled(run_of(7.0), planned=7).rule is Rule.FIXED


@pytest.mark.parametrize('shape', [(2, 3), (3, 3), (2, 7)])
def test_runs_that_vary_by_four_percent_make_few_wrong_claims(shape):
    rng = random.Random(3)
    claims = 0
    for _ in range(400):
        levels = [rng.gauss(0.0, 0.04) for _ in range(shape[0])]
        runs = [[rng.gauss(v, 0.01) for _ in range(shape[1])] for v in levels]
        claims += judged(pooled(*runs)).verdict in (
            Verdict.FASTER,
            Verdict.SLOWER,
        )
    assert claims <= 0.05 * 400


def test_pooled_runs_of_which_one_ended_early_need_more_for_a_verdict():
    """Who watches it can end it as the row of both pleases."""
    whole = pooled(run_of(1.101), run_of(1.1))
    assert judged(whole).verdict is Verdict.FASTER
    runs = run_of(1.101), run_of(1.1, 4)
    for planned, cut in ((14, False), (11, True)):
        found = pooled(*runs, planned=planned, cut=cut)
        assert judged(found).verdict is Verdict.FASTER  # none is missing
    found = pooled(*runs, planned=14, cut=True)
    assert (found.rule, found.kind) == (Rule.RUNS, IntervalKind.T)
    assert judged(found).reason == 'between runs'
    assert 'differ too much' not in judged(found).detail  # they agree
    assert 'leave it out, or add runs' in judged(found).detail
    spent = 0.25 * 0.5 * (11 / 14) ** 2
    assert found.coverage == pytest.approx(1.0 - 0.05 * spent)
    assert found.p_family == pytest.approx(min(1.0, found.p / spent))


def test_blocks_of_pooled_runs_that_ended_early_need_an_interval():
    """Too few of those planned have a range only, which shows nothing."""
    runs = run_of(1.2, 5), run_of(1.5, 1)
    assert judged(pooled(*runs)).verdict is Verdict.FASTER
    found = pooled(*runs, planned=20, cut=True)
    assert (found.rule, judged(found).reason) == (Rule.RUNS, 'between runs')
    # what is far beyond is found all the same
    found = pooled(run_of(7.0, 5), run_of(7.5, 1), planned=20, cut=True)
    assert judged(found).verdict is Verdict.FASTER


def test_six_runs_of_which_one_ended_early_need_more_as_well():
    ratios = (1.04, 1.05, 1.06, 1.07, 1.08, 1.05, 1.06, 1.07, 1.05, 1.06)
    runs = [run_of(r, 3) for r in ratios]
    whole = pooled(*runs)
    found = pooled(*runs, planned=32, cut=True)
    assert (whole.kind, found.kind) == (IntervalKind.SIGNED_RANK,) * 2
    assert found.low < whole.low and found.high > whole.high
    noisy = [run_of(0.7 + i / 10, 3) for i in range(10)]
    assert judged(pooled(*noisy)).detail == 'more runs are needed'
    few = judged(pooled(*noisy, planned=32, cut=True))
    assert few.reason == 'too noisy'
    assert 'leave it out, or add runs' in few.detail
    # of fewer there is no interval of that size by signed ranks
    found = pooled(*runs[:6], planned=21, cut=True)
    assert found.kind is IntervalKind.T
    assert found.coverage > 0.99


def test_p_of_runs_of_which_one_ended_early_is_never_that_of_whole_ones():
    """Nor where the blocks, which vary more, show the difference too."""
    runs = [run_of(1.5, n, spread=0.6) for n in (4, 4, 4, 3)]
    found = pooled(*runs, planned=16, cut=True)
    assert found.rule is Rule.RUNS and found.differs
    spent = 0.25 * 0.5 * (15 / 16) ** 2
    assert found.p_family == pytest.approx(found.p / spent)


def test_watching_the_last_of_several_runs_finds_little_by_chance():
    rng = random.Random(4)
    claims = 0
    for _ in range(200):
        first, last = ([rng.gauss(0.0, 0.1) for _ in range(7)] for _ in '12')
        for n in range(1, 8):
            found = pooled(first, last[:n], planned=14, cut=n < 7)
            if judged(found).verdict in (Verdict.FASTER, Verdict.SLOWER):
                claims += 1
                break
    assert claims <= 0.05 * 200


def test_runs_are_what_may_depend_on_one_another():
    x = run_of(1.02) + run_of(1.08)
    assert of_runs.units(x, ['a'] * 14) == x
    assert of_runs.units(x, ['a'] * 7 + ['b'] * 7) == pytest.approx(
        [LOG(1.02), LOG(1.08)], abs=0.002
    )


def test_a_third_run_a_side_takes_no_verdict_away():
    a = [run_of(100.0 + i) for i in range(4)]
    b = [run_of(130.0 + i) for i in range(4)]
    for runs in (1, 2, 3, 4):
        measured, found = unpaired(a[:runs], b[:runs])
        assert found.verdict is Verdict.FASTER
        assert measured.rule is (Rule.RUNS if runs == 4 else Rule.TRIALS)
    measured, found = unpaired(a[:3], [run_of(108.0 + i) for i in range(3)])
    assert (measured.n, found.reason) == (21, 'between runs')
    # of three against five, runs have an interval
    measured, _ = unpaired(a[:3], [run_of(130.0 + i) for i in range(5)])
    assert measured.rule is Rule.RUNS
