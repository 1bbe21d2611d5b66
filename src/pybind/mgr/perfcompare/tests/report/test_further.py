"""What the tables of further metrics leave out where there is no room."""

import dataclasses

import pytest

from ...analysis.comparison import compare
from ...analysis.efficiency import choose
from ...report.text import render
from ..data.comparison_data import Scene
from ..data.findings_data import a_host

ROW = 'rand-64K-c16/osd'


def lines_at(width):
    """Return the header and the line of op/s per watt."""
    scene = Scene({ROW: 1.2})
    for i, trial in enumerate(scene.trials):
        watts = 100.0 if trial.group == 'arm' else 130.0
        host = a_host('x86-1', watts=watts, watts_source='rapl')
        hosts = {f'{trial.group}-{n}': host for n in (1, 2)}
        evidence = {**trial.evidence, 'hosts': hosts}
        scene.trials[i] = dataclasses.replace(trial, evidence=evidence)
    found = compare(scene.side('x86'), scene.side('arm'))
    lines = render(found, width, choose(['ops-per-watt'])).split('\n')
    at, *_ = [i for i, x in enumerate(lines) if x.startswith('further')]
    return lines[at], lines[at + 1]


@pytest.mark.parametrize('width', [60, 100, 140])
def test_whose_the_watts_are_is_said_in_every_width(width):
    _, text = lines_at(width)
    assert text.startswith(f'ops-per-watt     {ROW}')
    assert 'measured (rapl)  better' in text


@pytest.mark.parametrize(
    'width, left',
    [
        (140, 'x86 arm ratio interval q basis verdict'),
        (95, 'ratio interval q basis verdict'),
        (60, 'ratio interval basis verdict'),
    ],
)
def test_the_values_are_left_out_before_q(width, left):
    header, _ = lines_at(width)
    assert header.split() == f'further metrics workload {left}'.split()
