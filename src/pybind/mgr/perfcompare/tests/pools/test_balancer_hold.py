"""A balancer that chooses primaries is held while a run has pools."""

import dataclasses

import pytest

from ...pools.balancer_hold import BALANCER, MODE
from ...undo.journal import Journal
from ..data.bench_data import RUN, run_plan
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from .test_benchpool import _bench


def prepared(cluster, **changes):
    """Prepare a run; return the mode that the balancer has then."""
    plan = dataclasses.replace(run_plan(cluster), **changes)
    _bench(cluster, plan).prepare()
    return cluster.module_options[MODE]


@pytest.mark.parametrize('mode', ['read', 'upmap-read'])
@pytest.mark.parametrize('is_set', [False, True])
def test_the_balancer_leaves_primaries_of_a_run_alone(mode, is_set):
    """It would order pg-upmap-primary for them within a minute."""
    cluster = FakeCluster()
    cluster.module_options[MODE] = mode
    if is_set:
        cluster.config[('mgr', MODE)] = mode
    before = dict(cluster.config)
    assert prepared(cluster) == 'none'
    assert cluster.config[('mgr', MODE)] == 'none'
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean
    assert cluster.config == before


def test_modes_that_leave_primaries_stay():
    """What upmap moves is seen by each trial."""
    cluster = FakeCluster()
    before = len(cluster.called('config_set'))
    assert prepared(cluster) == 'upmap'
    cluster = FakeCluster()
    cluster.module_options.update({MODE: 'upmap-read', BALANCER: 'false'})
    assert prepared(cluster) == 'upmap-read'
    assert len(cluster.called('config_set')) == before


def test_a_run_without_pools_of_its_own_holds_nothing():
    cluster = FakeCluster()
    cluster.module_options[MODE] = 'upmap-read'
    groups = tuple(
        dataclasses.replace(g, pools=()) for g in run_plan(cluster).groups
    )
    assert prepared(cluster, groups=groups) == 'upmap-read'


def test_a_mode_that_an_operator_sets_meanwhile_stays():
    cluster = FakeCluster()
    cluster.module_options[MODE] = 'upmap-read'
    prepared(cluster)
    cluster.config_set('mgr', MODE, 'crush-compat')
    Journal(cluster, FakeClock()).undo_all(RUN)
    assert cluster.config[('mgr', MODE)] == 'crush-compat'
