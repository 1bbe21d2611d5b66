"""Times of groups that moved unlike amounts of data."""

import dataclasses

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

NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.002, 0.998)
GB = 1e9


def made(group, repetition, waiting, moving, moved, kind=StepKind.OUT):
    """Wait for so many seconds, then move so many bytes."""
    marks = {
        Mark.T1.value: Moment(Fate.REACHED, 1.0, 0.1),
        Mark.T3.value: Moment(Fate.REACHED, 1.0 + waiting, 0.1),
        Mark.T5.value: Moment(Fate.REACHED, 1.0 + waiting + moving, 0.1),
    }
    timeline = Timeline(
        group, 0.0, 900.0, marks, size=Size(bytes_recovered=moved)
    )
    return StepResult(group, repetition, 1, kind, 'out', 'osd.1', timeline)


def compared(x86, arm, kind=StepKind.OUT, plan=None):
    """Compare (seconds before data moves, while it does, bytes)."""
    steps = [
        made(group, n, waiting, moving * noise, moved, kind)
        for group, (waiting, moving, moved) in (('x86', x86), ('arm', arm))
        for n, noise in enumerate(NOISE if group == 'x86' else NOISE[::-1], 1)
    ]
    return compare(
        RecoveryTest(
            '12345678',
            TestState.COMPLETED,
            Scenario.OSD_OUT,
            ('x86', 'arm'),
            0.0,
            plan=plan or {},
            steps=tuple(steps),
        )
    )


def row_of(found, figure):
    (row,) = [r for r in found.times if r.figure == figure]
    return row


UNLIKE = (Verdict.INCONCLUSIVE, 'unlike data')


@pytest.mark.parametrize(
    'x86, arm',
    [
        ((1.0, 100.0, GB), (1.0, 400.0, 4 * GB)),
        ((1.0, 400.0, 4 * GB), (1.0, 100.0, GB)),
        # twice as fast, and as long: no difference of groups
        ((1.0, 100.0, GB), (1.0, 100.0, 2 * GB)),
        ((1.0, 100.0, 0.0), (1.0, 200.0, GB)),
    ],
)
def test_times_of_unlike_amounts_are_not_judged(x86, arm):
    found = compared(x86, arm)
    row = row_of(found, 'clean')
    assert (row.verdict, row.reason) == UNLIKE


def test_what_was_moved_stands_beside_it_and_the_rate_is_judged():
    found = compared((1.0, 100.0, GB), (1.0, 100.0, 4 * GB))
    assert row_of(found, 'rate').verdict is Verdict.FASTER
    moved = row_of(found, 'moved')
    assert moved.verdict is None and moved.difference == pytest.approx(3.0)
    shown = comparisontext.render(found)
    assert '954 MiB (954 MiB…954 MiB)' in shown
    assert 'inconclusive (unlike data)' in shown


@pytest.mark.parametrize(
    'x86, arm, verdict',
    [
        # amounts that are alike
        ((1.0, 100.0, GB), (1.0, 130.0, 1.05 * GB), Verdict.SLOWER),
        # slower by far more than the amount
        ((1.0, 100.0, GB), (1.0, 400.0, 1.5 * GB), Verdict.SLOWER),
        # slower with less data
        ((1.0, 100.0, 2 * GB), (1.0, 200.0, GB), Verdict.SLOWER),
        # hardly any of the time is of data
        ((100.0, 1.0, 5e5), (150.0, 1.0, 1e6), Verdict.SLOWER),
        ((100.0, 1.0, 5e5), (100.0, 1.0, 1e6), Verdict.NO_DIFFERENCE),
    ],
)
def test_what_does_not_hang_on_amounts_is_judged(x86, arm, verdict):
    assert row_of(compared(x86, arm), 'clean').verdict is verdict


def test_what_backfill_moves_counts_for_each_osd():
    plan = {
        'groups': [
            {'name': 'x86', 'osds': [0, 1]},
            {'name': 'arm', 'osds': [2, 3, 4, 5]},
        ]
    }
    given = ((1.0, 100.0, GB), (1.0, 150.0, 2 * GB), StepKind.MOVE)
    assert row_of(compared(*given, plan), 'clean').verdict is Verdict.SLOWER
    row = row_of(compared(*given), 'clean')
    assert (row.verdict, row.reason) == UNLIKE


@pytest.mark.parametrize(
    'x86, arm',
    [
        ((1.0, 100.0, GB), (1.0, 400.0, None)),
        ((1.0, 100.0, None), (1.0, 400.0, None)),
        ((1.0, 400.0, None), (1.0, 100.0, None)),
        ((1.0, 100.0, None), (1.0, 100.0, GB)),
    ],
)
def test_times_of_amounts_that_nobody_knows_are_not_judged(x86, arm):
    found = compared(x86, arm)
    row = row_of(found, 'clean')
    assert (row.verdict, row.reason) == (
        Verdict.INCONCLUSIVE,
        'amounts of data not known',
    )
    assert all(r.difference is None for r in found.times if r.unit == 'B')


@pytest.mark.parametrize(
    'x86, arm, verdict',
    [
        # hardly any of the time is of data
        ((100.0, 1.0, None), (150.0, 1.0, None), Verdict.SLOWER),
        ((100.0, 1.0, None), (100.0, 1.0, None), Verdict.NO_DIFFERENCE),
    ],
)
def test_what_does_not_hang_on_them_is_judged_all_the_same(x86, arm, verdict):
    assert row_of(compared(x86, arm), 'clean').verdict is verdict


def test_each_osd_has_as_much_of_the_benchmark_pool():
    given = ((1.0, 100.0, None), (1.0, 400.0, None), StepKind.MOVE)
    found = compared(*given)
    assert row_of(found, 'clean').verdict is Verdict.SLOWER
    (note,) = [n for n in found.notes if 'is not known' in n]
    assert note.startswith('how much data moved is not known (out): ')
    assert not [
        n for n in compared((1.0, 9.0, GB), (1.0, 9.0, GB)).notes
        if 'is not known' in n
    ]  # fmt: skip


def test_an_amount_that_was_cut_is_more_than_that():
    found = compared((1.0, 100.0, GB), (1.0, 400.0, GB))
    assert not row_of(found, 'moved').cut
    step = made('x86', 1, 1.0, 90.0, GB)
    marks = dict(step.timeline.marks)
    marks['t5'] = Moment(Fate.CENSORED, 92.0, 0.0)
    step = dataclasses.replace(
        step, timeline=dataclasses.replace(step.timeline, marks=marks)
    )
    test = RecoveryTest(
        '12345678', TestState.COMPLETED, Scenario.OSD_OUT, ('x86',), 0.0,
        steps=(step,),
    )  # fmt: skip
    assert '>954 MiB' in comparisontext.render(compare(test))
