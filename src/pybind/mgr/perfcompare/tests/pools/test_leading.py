"""Tests of pools/leading.py: primaries even by what they serve."""

import random

import pytest

from ...pools.leading import led_max_mean, leveled


def _drawn(seed, osds, pgs, size, number):
    """Return sets with even primaries, and objects that hashes spread."""
    rng = random.Random(seed)
    sets = {}
    for ps in range(pgs):
        first = ps % osds
        others = [o for o in range(osds) if o != first]
        sets[ps] = (first, *rng.sample(others, size - 1))
    objects = {ps: 0 for ps in sets}
    for _ in range(number):
        objects[rng.randrange(pgs)] += 1
    return sets, objects


@pytest.mark.parametrize('seed', range(6))
@pytest.mark.parametrize(
    'osds, pgs, size, number',
    [(2, 32, 2, 455), (3, 64, 3, 768), (12, 128, 3, 2304), (6, 64, 2, 900)],
)
def test_small_populations_become_even(seed, osds, pgs, size, number):
    sets, objects = _drawn(seed, osds, pgs, size, number)
    changes = leveled(sets, objects, range(osds))
    after = {**sets, **changes}
    assert {ps: set(m) for ps, m in after.items()} == {
        ps: set(m) for ps, m in sets.items()
    }  # no data move
    assert led_max_mean(after, objects, range(osds)) <= 1.02
    assert leveled(after, objects, range(osds)) == {}


def test_what_is_even_is_left_alone():
    sets = {0: (0, 1), 1: (1, 0)}
    assert leveled(sets, {0: 7, 1: 7}, [0, 1]) == {}
    assert leveled(sets, {}, [0, 1]) == {}
    assert led_max_mean(sets, {}, [0, 1]) == 0.0


def test_two_pgs_are_exchanged_where_one_is_too_much():
    sets = {0: (0, 1), 1: (0, 1), 2: (1, 0), 3: (1, 0)}
    objects = {0: 12, 1: 10, 2: 8, 3: 10}
    after = {**sets, **leveled(sets, objects, [0, 1])}
    assert led_max_mean(after, objects, [0, 1]) == 1.0


def test_holes_and_strange_osds_stay():
    sets = {0: (0, -1), 1: (0, 9), 2: (0, 1), 3: (0, 1)}
    changes = leveled(sets, {0: 5, 1: 5, 2: 4, 3: 4}, [0, 1])
    assert set(changes) == {2, 3}


def test_idle_osds_count():
    assert led_max_mean({0: (0, 1)}, {0: 3}, [0, 1, 2]) == 3.0


def test_large_pools_take_little_time():
    sets, objects = _drawn(1, 200, 2048, 3, 200 * 192)
    after = {**sets, **leveled(sets, objects, range(200))}
    assert led_max_mean(sets, objects, range(200)) > 1.15
    assert led_max_mean(after, objects, range(200)) <= 1.06
