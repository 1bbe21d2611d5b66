"""What clients felt, and how groups compare; pure functions."""

import dataclasses

import pytest

from ...analysis.verdict import Verdict
from ...app.requests import Status
from ...model.recovery import (
    Fate,
    Mark,
    Moment,
    Phase,
    PhaseFigures,
    RecoveryTest,
    Scenario,
    Span,
    StepKind,
    StepResult,
    TestState,
    Timeline,
)
from ...model.run import Progress, RunState
from ...recovery.judge import impact
from ...recovery.judge.comparison import compare
from ...recovery.judge.impact import Sample
from ...recovery.run.stepwatch import client_table
from ...recovery.run.test_recorder import merged
from ...report import listing
from ...report.recovery import clients as clienttext
from ...report.recovery import comparison as comparisontext
from ...report.recovery.tables import tables


def steady(rate=100, seconds=11, latency=0.01, begin=1000.0):
    return [
        Sample(begin + t, rate * t, rate * t * latency, 0.0)
        for t in range(seconds)
    ]


def test_rate_and_latency_of_a_window():
    found = impact.figures(steady(), 4096, 1002.5, 1006.5)
    assert found['ops_per_s'] == pytest.approx(100)
    assert found['bytes_per_s'] == pytest.approx(409600)
    assert found['latency'] == pytest.approx(0.01)
    assert found['stall'] == 0.0


def test_stall_counts_from_the_begin_of_the_window():
    samples = steady(seconds=5)
    samples += [Sample(1004.0 + t, 400, 4.0, float(t)) for t in range(1, 8)]
    found = impact.figures(samples, 1, 1006.0, 1011.0)
    assert found['stall'] == pytest.approx(5.0)
    assert found['ops_per_s'] == 0.0
    assert found['latency'] is None


def test_window_without_samples_is_not_available():
    found = impact.figures(steady(), 1, 2000.0, 2010.0)
    assert set(found.values()) == {None}


def test_share_of_phase_0():
    base = {'write_ops_per_s': 200.0, 'rand_ops_per_s': 0.0}
    now = {'write_ops_per_s': 50.0, 'rand_ops_per_s': 10.0}
    assert impact.shares(now, base) == {
        'write_share': 0.25,
        'rand_share': None,
    }


def test_client_series_has_one_row_per_second():
    table = client_table({'rand': steady()}, 1002.0, 1008.0)
    assert [c.name for c in table.columns] == ['rand_ops', 'rand_latency']
    assert len(table.t) == 7
    assert table.columns[0].optional()[3] == pytest.approx(100)


# comparison


def timeline(clean, censored=False):
    reached = Fate.CENSORED if censored else Fate.REACHED
    return Timeline(
        'g',
        0.0,
        100.0,
        {
            Mark.T1.value: Moment(Fate.REACHED, 1.0, 0.1),
            Mark.T5.value: Moment(reached, 1.0 + clean, 0.1),
        },
    )


def make(values, censored=()):
    steps = []
    for group, cleans in values.items():
        for repetition, clean in enumerate(cleans, 1):
            steps.append(
                StepResult(
                    group,
                    repetition,
                    0,
                    StepKind.BASELINE,
                    'no failure',
                    client={'rand_ops_per_s': 100.0 * repetition},
                )
            )
            steps.append(
                StepResult(
                    group,
                    repetition,
                    1,
                    StepKind.OUT,
                    'osd.1 out',
                    'osd.1',
                    timeline(clean, (group, repetition) in censored),
                    {'rand_ops_per_s': 50.0 * repetition},
                )
            )
    return RecoveryTest(
        '12345678',
        TestState.COMPLETED,
        Scenario.OSD_OUT,
        tuple(values),
        0.0,
        steps=tuple(steps),
    )


def clean_row(found):
    (row,) = [r for r in found.times if r.figure == 'clean']
    return row


@pytest.mark.parametrize(
    'first, last, wanted',
    [(2.0, 3.0, 0.5), (2.0, 0.0, None), (1.0, 0.9, None), (0.9, 2.0, None)],
)
def test_stall_that_is_too_short_to_be_seen_is_not_compared(
    first, last, wanted
):
    test = make({'x86': (10,), 'arm': (20,)})
    stalls = {'x86': first, 'arm': last}
    steps = tuple(
        dataclasses.replace(
            step,
            client={'rand_ops_per_s': 50.0, 'rand_stall': stalls[step.group]},
        )
        for step in test.steps
    )
    found = compare(dataclasses.replace(test, steps=steps))
    rows = [r for r in found.client if r.figure == 'read longest stall']
    assert [row.difference for row in rows] == [wanted, wanted]


def test_few_repetitions_have_no_verdict_but_all_values():
    found = compare(make({'x86': (10, 11), 'arm': (20, 22)}))
    row = clean_row(found)
    assert [v.value for v in row.sides[0].values] == [10, 11]
    assert row.difference == pytest.approx(1.0)
    assert row.verdict is Verdict.INCONCLUSIVE
    text = comparisontext.render(found)
    assert '10.5 s (10.0 s…11.0 s)' in text and ' 2.00' in text
    times, clients, values = comparisontext.tables(found)
    assert values.header[2:] == ('GROUP', '#1', '#2')
    assert ('', '', 'arm', '20.0 s', '22.0 s') in values.rows
    assert (
        'read',
        'no failure',
        'x86',
        '100 op/s',
        '200 op/s',
    ) in values.rows
    assert 'OSD out' in text  # the OSDs differ from group to group


def test_limits_of_recovery_that_differ_are_told():
    test = make({'x86': (10,), 'arm': (20,)})
    limits = {'x86': '1', 'arm': '3'}
    steps = [
        dataclasses.replace(
            s, settings={'osd_max_backfills': limits[s.group], 'same': '1'}
        )
        for s in test.steps
        if s.kind is StepKind.BASELINE
    ]
    found = compare(dataclasses.replace(test, steps=tuple(steps)))
    assert found.notes == ('osd_max_backfills differs: arm 3, x86 1',)


def test_throughput_is_shown_as_share_of_phase_0():
    found = compare(make({'x86': (10, 11), 'arm': (20, 22)}))
    (row,) = [r for r in found.client if r.step == 1]
    assert row.shares == (0.5, 0.5)
    assert '(50%)' in comparisontext.render(found)


def test_six_repetitions_can_decide():
    found = compare(
        make(
            {
                'x86': (10, 11, 10.5, 10.2, 10.8, 10.4),
                'arm': (20, 22, 21, 20.5, 21.5, 20.8),
            }
        )
    )
    assert clean_row(found).verdict is Verdict.SLOWER


def test_a_time_of_0_is_short_and_not_left_out():
    first = [2.0, 2.1, 1.9, 2.05, 1.95, 2.02, 0.0, 0.0, 0.0]
    found = clean_row(
        compare(
            make({'x86': first, 'arm': [1.2 + i / 100 for i in range(9)]})
        )
    )
    # six of nine pairs would have called arm faster
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.interval[0] < 1.0 < found.interval[1]


def test_what_has_no_verdict_is_in_no_family():
    def test_of(more):
        steps = []
        for repetition in range(1, 8):
            for group in ('x86', 'arm'):
                noise = (repetition * 7 % 5 - 2) / 200
                gain = 1.1 if group == 'arm' else 1.0
                client = {'rand_ops_per_s': 1000 * gain * (1 + noise)}
                for i in range(more):
                    client['rand_p%d' % (50, 95, 99)[i]] = 0.01 * (1 + noise)
                steps.append(
                    StepResult(
                        group, repetition, 0, StepKind.BASELINE, 'phase 0',
                        client=client,
                    )
                )  # fmt: skip
        return RecoveryTest(
            'id', TestState.COMPLETED, Scenario.BACKFILL, ('x86', 'arm'), 0.0,
            steps=tuple(steps),
        )  # fmt: skip

    alone, beside = (
        compare(test_of(more)).client[0].verdict for more in (0, 3)
    )
    assert alone is beside is Verdict.FASTER


def test_censored_value_is_marked_and_never_judged():
    found = compare(
        make(
            {
                'x86': (10, 11, 10.5, 10.2, 10.8, 10.4),
                'arm': (20, 22, 21, 20.5, 21.5, 90),
            },
            censored={('arm', 6)},
        )
    )
    row = clean_row(found)
    assert (row.verdict, row.reason) == (Verdict.INCONCLUSIVE, 'censored')
    assert row.difference is None
    text = comparisontext.render(found)
    # the median is what it is, the longest is unknown
    assert '21.2 s (20.0 s…>90.0 s)' in text
    assert '>90.0 s' in str(comparisontext.tables(found)[-1])


def test_median_of_values_that_were_cut_is_a_lower_bound():
    cut = {('arm', 1), ('arm', 2)}
    found = compare(make({'x86': (1, 1, 1), 'arm': (90, 90, 20)}, cut))
    assert '>90.0 s (20.0 s…>90.0 s)' in comparisontext.render(found)


def test_side_can_be_chosen():
    test = make({'x86': (10,), 'arm': (20,)})
    assert compare(make({'x86': (10,)}), candidate='x86').groups == ('x86',)
    assert compare(test, candidate='x86').groups == ('arm', 'x86')
    assert compare(test, baseline='arm').groups == ('arm', 'x86')


def test_one_group_is_shown_without_verdicts():
    found = compare(make({'x86': (10, 11)}))
    assert found.groups == ('x86',)
    assert clean_row(found).verdict is None


def test_repetition_that_was_repeated_counts_new():
    first = make({'x86': (10, 11)}).steps
    again = tuple(
        dataclasses.replace(s, notes=('again',))
        for s in first
        if s.repetition == 2
    )
    found = merged(first, again)
    assert len(found) == len(first)
    assert [s.notes for s in found if s.repetition == 2] == [('again',)] * 2


def test_clients_are_shown_step_by_step_without_percentiles():
    found = impact.of_loads({'rand': steady()}, 4096, 1002.0, 1008.0)
    step = StepResult('x86', 1, 0, StepKind.BASELINE, '', client=found)
    text = clienttext.client(step)
    assert 'read' in text and 'whole step' in text
    assert clienttext.NO_PERCENTILES in text


def test_test_beyond_its_estimate_says_so():
    progress = Progress('0a0b0c0d', RunState.TRIAL, 0.5, None, 1, 1, '')
    assert 'longer than estimated' in listing.status(Status(progress))


def test_tables_have_clients_of_each_phase():
    clients = {
        'rand_ops_per_s': 50.0,
        'rand_share': 0.5,
        'rand_latency': 0.002,
        'rand_stall': 1.5,
        'rand_errors': 3.0,
    }
    phase = PhaseFigures(
        Phase.MOVING, 1.0, Span(10.0, 0.5), 2.0**30, client=clients
    )
    test = make({'x86': (10,), 'arm': (20,)})
    steps = [
        dataclasses.replace(
            s, timeline=dataclasses.replace(s.timeline, phases=(phase,))
        )
        for s in test.steps
        if s.timeline is not None
    ]
    found = tables(dataclasses.replace(test, steps=tuple(steps)))
    assert [t.title for t in found] == ['Times', 'Clients', 'Phases']
    cells = found[-1].rows[0]
    assert cells[1:5] == ('osd.1 out, repetition 1', 'moving', '10.0 s',
                          '1.00 GiB')  # fmt: skip
    assert cells[-1] == (
        'read 50.0 op/s (50%), mean 2.00 ms, stall 1.5 s, 3 errors'
    )
