"""Figures that are rounded still say on which side of a limit they are."""

import pytest

from ...analysis.results import Estimate
from ...analysis.verdict import Verdict
from ...report import figures, further


@pytest.mark.parametrize(
    'value, shown',
    [
        (0.9949, '0.995'),
        (0.9951, '0.995'),
        (0.9996, '0.9996'),
        (0.99996, '0.99996'),
        (1.0, '1.000'),
        (1.0004, '1.0004'),
        (1.0049, '1.005'),
        (1.0051, '1.01'),
        (1.428, '1.43'),
        (0.0, '0.000'),
        (0.00043, '0.000430'),
        (0.0043214, '0.00432'),
        (0.00996, '0.010'),
    ],
)
def test_ratios_show_their_side_of_1(value, shown):
    assert figures.number(value) == shown


def test_q_shows_its_side_of_the_limit():
    shown = [figures.p_value(q) for q in (0.0496, 0.05, 0.0502, 0.0506)]
    assert shown == ['0.0496', '0.050', '0.0502', '0.051']


@pytest.mark.parametrize(
    'bound, shown',
    [(4.94, '5.0'), (4.9, '4.9'), (1.1, '1.1'), (9.96, '10.0')],
)
def test_bounds_hold_as_they_are_printed(bound, shown):
    found = Estimate(
        ratio=1.0, low=0.97, high=1.04, coverage=95.0, kind=None, n=7,
        p=0.5, p_family=0.5, q=0.5, verdict=Verdict.NO_DIFFERENCE, reason='',
        detail='', verdict_text='no difference shown', bound=bound,
    )  # fmt: skip
    assert figures.verdict(found) == f'no difference shown, < {shown}%'


def test_values_stay_out_of_powers():
    seconds = [further._value(v, 's') for v in (0.9997, 0.99949, 9.9997e-4)]
    assert seconds == ['1 s', '999 ms', '1 ms']
    assert further._value(999.7, '') == '1,000'
