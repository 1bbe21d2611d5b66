"""Tests of pools/balance.py: even pools by changing as few PGs as possible."""

import random

import pytest

from ...pools.balance import balanced, spread


def _random_sets(seed, domains, pgs, size):
    """Draw sets as CRUSH does: distinct domains, any OSD of each."""
    rng = random.Random(seed)
    by_domain = {}
    for osd, domain in domains.items():
        by_domain.setdefault(domain, []).append(osd)
    return {
        ps: tuple(
            rng.choice(by_domain[d])
            for d in rng.sample(sorted(by_domain), size)
        )
        for ps in range(pgs)
    }


def _hosts(hosts, each):
    return {o: f'host{o // each}' for o in range(hosts * each)}


def _apply(sets, changes):
    return {**sets, **changes}


def _check_valid(sets, changes, domains):
    for ps, members in changes.items():
        assert len(members) == len(sets[ps])
        assert len({domains[o] for o in members}) == len(members)


def test_two_osds_share_primaries_exactly():
    sets = {ps: (0, 1) if ps < 20 else (1, 0) for ps in range(32)}
    changes = balanced(sets, {0: 'a', 1: 'b'})
    assert len(changes) == 4  # 20/12: no more than must change
    found = spread(_apply(sets, changes), [0, 1])
    assert found.primaries == {0: 16, 1: 16}
    assert found.pgs == {0: 32, 1: 32}


@pytest.mark.parametrize('seed', range(8))
@pytest.mark.parametrize(
    'hosts, each, pgs, size',
    [(2, 1, 32, 2), (3, 2, 64, 3), (4, 3, 128, 3), (5, 2, 96, 3)],
)
def test_equal_hosts_become_even(seed, hosts, each, pgs, size):
    domains = _hosts(hosts, each)
    sets = _random_sets(seed, domains, pgs, size)
    changes = balanced(sets, domains)
    _check_valid(sets, changes, domains)
    found = spread(_apply(sets, changes), list(domains))
    for counts in (found.primaries, found.pgs):
        assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize('seed', range(4))
def test_unequal_hosts_still_share_primaries(seed):
    """A lone OSD of a host holds more PGs, but leads no more of them."""
    domains = {0: 'a', 1: 'b', 2: 'c', 3: 'c', 4: 'c'}
    sets = _random_sets(seed, domains, 60, 3)
    changes = balanced(sets, domains)
    _check_valid(sets, changes, domains)
    found = spread(_apply(sets, changes), list(domains))
    assert found.pgs == {0: 60, 1: 60, 2: 20, 3: 20, 4: 20}
    assert found.primaries_max_mean == 1.0


def test_an_even_pool_is_left_alone():
    assert balanced({0: (0, 1), 1: (1, 0)}, {0: 'a', 1: 'b'}) == {}


def test_balancing_again_changes_nothing():
    domains = _hosts(4, 2)
    sets = _random_sets(1, domains, 64, 2)
    better = _apply(sets, balanced(sets, domains))
    assert balanced(better, domains) == {}


def test_holes_and_strange_osds_stay():
    domains = {0: 'a', 1: 'b'}
    sets = {0: (0, -1), 1: (0, 9), 2: (0, 1), 3: (0, 1)}
    changes = balanced(sets, domains)
    assert set(changes) <= {2, 3}
    found = spread(_apply(sets, changes), [0, 1])
    assert found.primaries == {0: 2, 1: 2}


def test_chains_of_swaps_are_found():
    """OSD 0 leads too much, but shares no PG with OSD 2, that leads none."""
    domains = {0: 'a', 1: 'b', 2: 'c'}
    sets = {0: (0, 1), 1: (0, 1), 2: (1, 2)}
    found = spread(_apply(sets, balanced(sets, domains)), [0, 1, 2])
    assert found.primaries == {0: 1, 1: 1, 2: 1}


def test_large_pools_take_little_time():
    domains = _hosts(20, 10)
    sets = _random_sets(3, domains, 2048, 3)
    changes = balanced(sets, domains)
    found = spread(_apply(sets, changes), list(domains))
    assert found.primaries_max_mean <= 1.10
    assert found.pgs_max_mean <= 1.05


def test_spread_counts_idle_osds():
    found = spread({0: (0, 1), 1: (0, 1)}, [0, 1, 2])
    assert found.primaries == {0: 2, 1: 0, 2: 0}
    assert found.primaries_max_mean == 3.0
    assert spread({}, [0]).pgs_max_mean == 1.0
