"""Options that say their range have both ends, and values stay in it."""

import logging

import pytest

from perfcompare.common.settings import OPTIONS, Settings
from perfcompare.store import retention

BOUNDED = [o for o in OPTIONS if 'min' in o or 'max' in o]
KEPT = ('retention_runs', 'retention_recoveries')


def read(**values):
    return Settings.read(values.get)


@pytest.mark.parametrize('option', OPTIONS, ids=lambda o: o['name'])
def test_mons_enforce_a_range_only_with_both_ends(option):
    assert ('min' in option) == ('max' in option)


@pytest.mark.parametrize('option', BOUNDED, ids=lambda o: o['name'])
def test_a_value_outside_is_taken_as_the_nearest_bound(option):
    name, low, high = option['name'], option['min'], option['max']
    assert getattr(read(**{name: low - 1}), name) == low
    assert getattr(read(**{name: high + 1}), name) == high
    for value in (low, option['default'], high):
        assert getattr(read(**{name: value}), name) == value


def test_what_is_no_number_is_taken_as_the_default():
    found = read(max_tenant_impact=float('nan'))
    assert found.max_tenant_impact == Settings.max_tenant_impact


def test_a_value_outside_is_told_once(caplog):
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            read(resume_within=-17)
    (line,) = caplog.messages
    assert 'mgr/perfcompare/resume_within is -17, not 0 to' in line
    assert 'taken as 0' in line


@pytest.mark.parametrize('name', KEPT)
def test_nothing_is_kept_is_never_what_a_number_says(name):
    """As with days and bytes, 0 keeps all."""
    settings = read(**{name: 0})
    limits = {
        'retention_runs': retention.of_runs,
        'retention_recoveries': retention.of_recoveries,
    }
    assert limits[name](settings).runs is None
    results = [
        retention.Kept(n, f'{n:08x}', 100.0 + n, 1, n % 2 == 1)
        for n in range(4)
    ]
    assert retention.beyond(results, limits[name](settings), 1e9) == []
