import dataclasses
import math
import random

import pytest

from ...analysis import adaptive, counts, of_blocks, verdict
from ...analysis.comparison import compare
from ...analysis.pairing import pair_blocks
from ...analysis.sides import Side
from ..data.comparison_data import Scene

W = 'write-4K-c16'


def counted(scene, number):
    """Have each trial of a scene count so many operations in its window."""
    for i, trial in enumerate(scene.trials):
        ops = number if trial.group == 'x86' else round(number * 0.9)
        scene.trials[i] = dataclasses.replace(
            trial, summary=dataclasses.replace(trial.summary, ops=ops)
        )
    return scene


def estimate(scene):
    return compare(scene.side('x86'), scene.side('arm')).rows[0].estimate


@pytest.mark.parametrize('number', [20, 1000])
def test_an_interval_is_no_narrower_than_what_was_counted(number):
    found = estimate(counted(Scene({W: 0.9}, noise=0.0), number))
    off = math.hypot(1 / number, 1 / round(number * 0.9))
    assert found.low == pytest.approx(0.9 * math.exp(-off))
    assert found.high == pytest.approx(0.9 * math.exp(off))


def test_a_difference_of_few_operations_is_none():
    """Of 20 operations 18 are not a tenth less: nobody knows the parts."""
    assert estimate(counted(Scene({W: 0.9}), 1000)).verdict == 'slower'
    assert estimate(counted(Scene({W: 0.9}), 10)).verdict == 'inconclusive'


def test_of_operations_that_nobody_counted_the_interval_is_the_spread():
    found = estimate(counted(Scene({W: 0.9}, noise=0.0), 0))
    assert found.low == pytest.approx(found.high)


def test_stored_runs_are_no_better_known():
    runs = [
        counted(Scene({W: 0.9}, noise=0.0, run=f'0000000{i}'), 100)
        for i in range(8)
    ]
    sides = [
        Side(group, tuple(s.side(group).runs[0] for s in part))
        for group, part in (('x86', runs[:4]), ('arm', runs[4:]))
    ]
    found = compare(*sides).rows[0].estimate
    assert math.log(found.high / found.low) == pytest.approx(
        2 * math.hypot(1 / 100, 1 / 90)
    )


def test_a_workload_of_few_operations_does_not_stop_early():
    """Three and five operations are not a difference beyond doubt."""
    x, looks = [math.log(5 / 3)] * 3, (3, 4, 5)
    off = [math.hypot(1 / 3, 1 / 5)] * 3
    assert adaptive.first_stop(x, looks, 1) == 3
    assert adaptive.first_stop(x, looks, 1, off) is None
    assert of_blocks.measure_blocks(x, 7, 1, off).stopped_after is None


def test_three_rounds_of_few_operations_decide_nothing():
    x = [math.log(5 / 3)] * 3
    assert of_blocks.measure_blocks(x, 3).clear
    found = of_blocks.measure_blocks(x, 3, counted=[0.3] * 3)
    assert not found.clear
    assert found.decisive[0] < math.log(1.25)


def test_what_each_block_counted_is_known_by_its_trials():
    scene = counted(Scene({W: 0.9}), 100)
    pairing = pair_blocks(scene.trials, 'x86', 'arm')
    assert pairing.counted(W) == [math.hypot(1 / 100, 1 / 90)] * 7
    assert pairing.counted('other') == []
    assert counts.of_ratio([], scene.trials) == 0.0


@pytest.mark.parametrize('rate', [30.0, 1000.0])
def test_rates_that_repeat_exactly_are_held_by_intervals(rate):
    """Groups do so many operations in a window, and parts of one more."""
    draw, truth, held = random.Random(4), 0.93, 0
    for _ in range(200):
        first = rate * draw.uniform(0.95, 1.05)
        begun = draw.random(), draw.random()
        a, b = (
            math.floor(r + part)
            for r, part in zip((first, truth * first), begun)
        )
        off = [math.hypot(1 / a, 1 / b)] * 7
        found = of_blocks.measure_blocks([math.log(b / a)] * 7, 7, None, off)
        held += found.low <= math.log(truth) <= found.high
    assert held >= 190


def test_too_few_operations_ask_for_longer_trials_not_for_more_blocks():
    scene = counted(Scene({W: 0.97}), 10)
    found = estimate(scene)
    assert found.verdict_text == 'inconclusive (too few operations)'
    assert found.blocks_needed is None
    assert found.detail.endswith('give a longer --duration')


def test_blocks_that_are_needed_have_to_reach_less_than_the_margin():
    x = [0.2 * (i % 2) - 0.1 for i in range(8)]
    few, many = (
        verdict.blocks_needed(of_blocks.measure_blocks(x, 8, counted=[off]))
        for off in (0.0, 0.04)
    )
    assert few and many and few < many
