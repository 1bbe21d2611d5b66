"""The course of a recovery test as text."""

from ...recovery.judge.chart import Curve, Track
from ...report.recovery.chart import ROWS, render


def track(samples):
    times = tuple(float(t) for t in range(samples))
    return Track(
        group='arm',
        repetition=1,
        step=2,
        title='OSD marked down',
        zero=1000.0,
        zero_is='t0',
        curves=(
            Curve('degraded', '1', times, times),
            Curve('recovery', 'B/s', times, (None,) * samples),
            Curve('rand_ops', 'op/s', (0.5,), (42.0,)),
        ),
        marks={'t1': 1.05, 't5': 6.2},
        events=((2.0, 'osd.3 boots'),),
    )


def test_moments_come_in_their_order_and_say_what_they_are():
    lines = render([track(3)], 'x').split('\n')
    assert lines[0] == (
        'arm, repetition 1: OSD marked down (seconds since t0)'
    )
    assert [line.split()[0] for line in lines[1:4]] == [
        '+1.05',
        '+2.00',
        '+6.20',
    ]
    assert 't1: in the OSD map' in lines[1]


def test_curves_sampled_together_are_one_table():
    text = render([track(3)], 'x')
    heads = [li for li in text.split('\n') if li.startswith('SECONDS')]
    assert len(heads) == 2 and 'one of' not in text
    assert '0.5' in text and '42' in text


def test_long_ones_are_thinned_and_say_so():
    text = render([track(10 * ROWS)], 'x')
    assert 'one of 10 samples' in text
    assert len(text.split('\n')) < 2 * ROWS


def test_what_is_not_there_is_said():
    assert 'no such repetition or step' in render([], '1a2b3c4d')
