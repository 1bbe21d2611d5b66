"""--auto-out where the monitors would mark nothing out, on fakes."""

import dataclasses

import pytest

from ...common.errors import InvalidArgument, PerfcompareError, TryAgain
from ...model.topology import Bucket
from ...recovery.plan import marking_out
from ...recovery.plan.precautions import Precautions
from ..data.recovery_rig import request
from ..fakes.clock import FakeClock

INTERVAL = 'mon_osd_down_out_interval'
SUBTREE = 'mon_osd_down_out_subtree_limit'
RATIO = 'mon_osd_min_in_ratio'


@pytest.fixture
def cluster(rig):
    rig.cluster.mon_runtime[INTERVAL] = '10'
    rig.cluster.mon_runtime[RATIO] = '0.5'
    return rig.cluster


def draft(rig, scenario='osd-stop', **more):
    given = dict({'groups': ('x86',), 'auto_out': True}, **more)
    return rig.service.tests.draft(request(scenario, **given)).plan


def racked(cluster):
    """Put each host into a rack of its own."""
    hosts = [b for b in cluster.buckets.values() if b.type == 'host']
    for number, host in enumerate(hosts):
        name = f'rack-{host.name}'
        cluster.buckets[name] = Bucket(
            -100 - number, name, 'rack', (host.id,)
        )
    root = cluster.buckets['default']
    cluster.buckets['default'] = dataclasses.replace(
        root, items=tuple(-100 - n for n in range(len(hosts)))
    )


@pytest.mark.parametrize(
    'option, value, wanted',
    [
        (INTERVAL, '0', r'is 0: ceph config set mon \w+ 600'),
        (INTERVAL, '600', 'stopped for 30 s: give --hold 660, or ceph'),
        (INTERVAL, '30', 'give --hold 90'),
        (INTERVAL, '86400', r'30 s: ceph config set mon \w+ 15'),
        (RATIO, '1.0001', 'osd.. are too many of'),
    ],
)
def test_options_that_keep_osds_in_are_refused(
    rig, cluster, option, value, wanted
):
    assert draft(rig)
    cluster.mon_runtime[option] = value
    with pytest.raises(InvalidArgument, match=wanted) as raised:
        draft(rig)
    assert option in raised.value.message
    # with noout it does not matter
    assert draft(rig, auto_out=False)


def test_a_host_that_is_a_whole_rack_stays_in(rig, cluster):
    assert draft(rig, 'host-stop')
    racked(cluster)
    with pytest.raises(InvalidArgument, match='all of rack .rack-x86') as why:
        draft(rig, 'host-stop')
    assert why.value.message.endswith(f'ceph config set mon {SUBTREE} row')
    cluster.mon_runtime[SUBTREE] = 'row'
    assert draft(rig, 'host-stop')
    cluster.mon_runtime[SUBTREE] = ''
    assert draft(rig, 'host-stop')


def test_a_host_stays_in_where_that_is_the_limit(rig, cluster):
    cluster.mon_runtime[SUBTREE] = 'host'
    with pytest.raises(InvalidArgument, match='all of host') as why:
        draft(rig, 'host-stop')
    assert why.value.message.endswith(f'{SUBTREE} chassis')


def test_a_host_whose_other_osds_are_down_is_down_as_a_whole(rig, cluster):
    cluster.mon_runtime[SUBTREE] = 'host'
    assert not marking_out.problem(cluster, [0], [], 30.0)
    assert 'all of host' in marking_out.problem(cluster, [0], [1], 30.0)
    cluster.set_osd(1, up=False)
    assert 'all of host' in marking_out.problem(cluster, [0], [], 30.0)


def test_what_was_set_since_the_plan_ends_the_test(rig, cluster):
    plan = draft(rig)
    step = plan.recovery.of('x86').steps[0]
    check = Precautions(
        cluster, plan.recovery, lambda: None, FakeClock(), lambda: True
    ).check
    check(step)
    cluster.mon_runtime[INTERVAL] = '0'
    with pytest.raises(PerfcompareError, match='mark no OSD out'):
        check(step)


def test_monitors_that_are_not_known_yet_are_a_matter_of_time(rig, cluster):
    del cluster.mon_runtime[INTERVAL]
    with pytest.raises(TryAgain, match='not known yet'):
        draft(rig)
