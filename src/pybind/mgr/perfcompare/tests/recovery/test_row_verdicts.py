"""Which rows of a recovery comparison have a verdict, and of which pairs."""

import dataclasses
import math

import pytest

from ...analysis.verdict import Verdict
from ...model.recovery import (
    Fate,
    Mark,
    Moment,
    RecoveryTest,
    Scenario,
    Size,
    StepKind,
    StepResult,
    TestState,
    Timeline,
)
from ...recovery.judge.comparison import compare
from ...report.recovery import comparison as comparisontext

MOVED = 1e9  # bytes of each repetition


def step(group, repetition, moving, fate=Fate.REACHED, off=0.1):
    """Move data for so many seconds; ``fate`` is that of the end.

    Its moment is known to ``off`` seconds.
    """
    marks = {
        Mark.T1.value: Moment(Fate.REACHED, 1.0, 0.1),
        Mark.T3.value: Moment(Fate.REACHED, 2.0, 0.1),
        Mark.T5.value: Moment(fate, 2.0 + moving, off),
    }
    timeline = Timeline(
        group, 0.0, 100.0, marks, size=Size(bytes_recovered=MOVED)
    )
    return StepResult(
        group, repetition, 1, StepKind.OUT, 'osd.1 out', 'osd.1', timeline
    )


def compared(
    x86, arm, planned=None, more=(), off=0.1, state=TestState.COMPLETED
):
    steps = [
        step(group, repetition, moving, off=off)
        for group, times in (('x86', x86), ('arm', arm))
        for repetition, moving in enumerate(times, 1)
    ]
    test = RecoveryTest(
        '12345678',
        state,
        Scenario.OSD_OUT,
        ('x86', 'arm'),
        0.0,
        plan={'recovery': {'repetitions': planned or len(x86)}},
        steps=(*steps, *more),
    )
    return compare(test)


def row_of(found, figure):
    (row,) = [r for r in found.times if r.figure == figure]
    return row


def rate_of(x86, arm, planned=None, more=(), off=0.1):
    found = compared(x86, arm, planned, more, off)
    return row_of(found, 'rate'), found


def cells_of(found, figure):
    times, *_ = comparisontext.tables(found)
    (cells,) = [row for row in times.rows if row[0] == figure]
    return dict(zip(times.header, cells))


@pytest.mark.parametrize('x86, arm', [(100.0, 200.0), (200.0, 100.0)])
def test_all_ratios_of_a_row_are_of_the_values_themselves(x86, arm):
    times = [1.0, 1.001, 0.999, 1.002, 0.998, 1.0, 1.001]
    found = compared([x86 * t for t in times], [arm * t for t in times])
    for figure in ('clean', 'rate'):
        row = row_of(found, figure)
        low, high = row.interval
        assert row.estimate == pytest.approx(1 + row.difference, rel=0.02)
        assert low <= row.estimate <= high
        slower = (row.estimate > 1) is (figure == 'clean')
        assert row.verdict is (Verdict.SLOWER if slower else Verdict.FASTER)
        cells = cells_of(found, figure)
        ratio = cells['RATIO']
        assert cells['VERDICT'].startswith(f'{row.verdict.value} {ratio} [')
    assert 'ratios: arm / x86' in comparisontext.render(found)


def test_the_bound_of_no_difference_is_printed():
    x86 = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8]
    arm = [101.0, 100.0, 100.0, 99.5, 100.5, 99.8, 100.2]
    found = compared(x86, arm)
    row = row_of(found, 'clean')
    assert row.verdict is Verdict.NO_DIFFERENCE
    low, high = row.interval
    assert row.bound == pytest.approx(100 * (max(1 / low, high) - 1))
    verdict = cells_of(found, 'clean')['VERDICT']
    assert verdict.startswith('no difference shown ')
    least = math.ceil(10.0 * row.bound) / 10.0
    assert verdict.endswith(f'], < {least:.1f}%')
    near = dataclasses.replace(row, bound=2.51)
    assert comparisontext.verdict_text(near).endswith('], < 2.6%')


def test_fast_repetitions_are_not_left_out_of_the_rate():
    fast = [0.95, 0.96, 0.97]
    slow = [1.55, 1.6, 1.5, 1.58, 1.62, 1.57, 1.54]
    row, _ = rate_of([1.3] * 10, fast + slow)
    # seven of ten pairs would have called arm slower
    assert (row.verdict, row.reason) == (
        Verdict.INCONCLUSIVE,
        'not available',
    )
    assert row.difference is None


def test_repetitions_that_are_left_are_not_what_was_planned():
    x86, arm = [10.0, 10.1, 9.9], [2.0, 2.02, 1.98]
    assert rate_of(x86, arm)[0].verdict is Verdict.FASTER
    row, _ = rate_of(x86, arm, planned=7)
    assert (row.verdict, row.reason) == (
        Verdict.INCONCLUSIVE,
        '3 of 6 repetitions',
    )


def test_a_repetition_that_only_one_group_made_is_no_pair():
    arm = [5.0, 5.1, 4.9, 5.05, 4.95, 5.02]
    row, _ = rate_of([10.0] * 7, arm, planned=7)
    assert row.verdict is Verdict.FASTER


def test_a_test_that_was_stopped_needs_more_for_a_verdict():
    x86 = [10.0, 10.2, 9.9, 10.1, 9.8, 10.05, 9.95]

    def judged(slower, state, planned=10):
        arm = [slower * t for t in x86[1:] + x86[:1]]
        found = compared(x86, arm, planned, off=0.0, state=state)
        row = row_of(found, 'clean')
        return row.verdict, row.reason

    slower, few = (Verdict.SLOWER, ''), '7 of 10 repetitions'
    assert judged(1.1, TestState.COMPLETED) == slower
    for state in (TestState.STOPPED, TestState.FAILED, TestState.RUNNING):
        assert judged(1.1, state) == (Verdict.INCONCLUSIVE, few)
        assert judged(1.1, state, planned=7) == slower
        assert judged(2.0, state) == slower


def test_a_rate_of_data_that_did_not_all_move_is_never_judged():
    given_up = step('arm', 7, 90.0, Fate.CENSORED)
    row, found = rate_of(
        [10.0] * 7, [50.0 + i for i in range(6)], more=(given_up,)
    )
    assert (row.verdict, row.reason) == (Verdict.INCONCLUSIVE, 'censored')
    assert row.difference is None
    # as fast as it was until then: neither more nor less than that
    shown = comparisontext.render(found)
    assert '~18.9 MB/s (11.1 MB/s…20.0 MB/s)' in shown
    assert ' ~11.1 MB/s' in shown and '>11.1 MB/s' not in shown


def test_moments_that_are_known_roughly_exclude_nothing():
    times = [2.5] * 7
    found = compared(times, times, off=3.5)  # as long as reports are apart
    row = row_of(found, 'clean')
    assert (row.verdict, row.reason) == (
        Verdict.INCONCLUSIVE,
        'known too roughly',
    )
    low, high = row.interval
    assert low < 1 / 1.5 and high > 1.5
    assert cells_of(found, 'clean')['x86'].startswith('~3.50 s (')
    shown = comparisontext.render(found)
    assert '~ known to no better than a tenth of it' in shown
    assert ' ~3.50 s' in str(comparisontext.tables(found)[-1])


def test_rates_are_known_as_well_as_the_time_that_they_are_of():
    row, _ = rate_of([4.0] * 7, [3.6] * 7, off=1.0)
    # either may have moved for as long as the other
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.interval[0] < 1.0 < row.interval[1]
    assert rate_of([40.0] * 7, [20.0] * 7, off=1.0)[0].verdict is (
        Verdict.FASTER
    )


def test_intervals_are_longer_by_what_both_sides_leave_open():
    times = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8]
    narrow, wide = (
        row_of(compared(times, times[::-1], off=off), 'clean')
        for off in (0.1, 2.9)
    )
    # 3.0 s of 101 s on each side, in quadrature
    assert wide.interval[1] / narrow.interval[1] == pytest.approx(
        1.04, abs=0.005
    )
    assert narrow.interval[0] / wide.interval[0] == pytest.approx(
        1.04, abs=0.005
    )
    assert narrow.verdict is wide.verdict is Verdict.NO_DIFFERENCE
    shown = str(comparisontext.tables(compared(times, times, off=2.9))[0])
    assert '~' not in shown


def test_a_time_as_short_as_what_it_is_known_to_is_not_shorter():
    # 1.0 and 1.2 s, both known to 3.5 s
    row = row_of(compared([0.0] * 7, [0.2] * 7, off=3.4), 'clean')
    assert row.estimate == pytest.approx(1.0)
    assert row.verdict is Verdict.INCONCLUSIVE
