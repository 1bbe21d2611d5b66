"""Pairs of many values are found without making them."""

import random

import pytest

from ...analysis import pairs, ranks
from ...analysis.stats import median


def values(n, seed, levels=0):
    rng = random.Random(seed)
    found = [rng.gauss(0.0, 1.0) for _ in range(n)]
    return [round(v * levels) / levels for v in found] if levels else found


@pytest.mark.parametrize('levels', [0, 3])
@pytest.mark.parametrize('n1, n2', [(1, 1), (1, 9), (7, 7), (12, 5)])
def test_pairs_that_are_not_made_are_the_same(n1, n2, levels, monkeypatch):
    a, b = values(n1, 1, levels), values(n2, 2, levels)
    made = pairs.averages(a), pairs.differences(a, b)
    monkeypatch.setattr(pairs, 'MADE', 0)
    found = pairs.averages(a), pairs.differences(a, b)
    assert [list(one) for one in found] == [list(one) for one in made]
    assert found[1][-1] == made[1][-1]
    assert found[1][:2] == made[1][:2]
    with pytest.raises(IndexError):
        found[0][len(made[0])]


@pytest.mark.parametrize('x', [[3.0], [1.0, 4.0], [0.5, -2.0, 7.0]])
def test_the_middle_is_the_median(x):
    assert pairs.middle(sorted(x)) == median(x)


def test_pairs_of_many_values_are_not_made():
    a, b = values(300, 3), values(200, 4)
    found = pairs.differences(a, b)
    assert not isinstance(found, list)
    made = sorted(v - w for v in b for w in a)
    assert (found[1234], found[-1235]) == (made[1234], made[-1235])
    assert ranks.shift_estimate(a, b) == median(made)
    assert not isinstance(pairs.averages(a), list)
    made = sorted((v + w) / 2.0 for i, v in enumerate(a) for w in a[i:])
    assert ranks.hodges_lehmann(a) == median(made)
    interval = ranks.signed_rank_interval(a, 0.05)
    assert interval.low in made and interval.high in made
