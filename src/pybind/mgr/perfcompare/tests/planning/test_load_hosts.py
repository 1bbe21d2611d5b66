"""What a load host can make is planned, and everything else refused."""

import pytest

from ...common.errors import InvalidArgument
from ...model.plan import RunOptions
from ...planning.load_hosts import called
from ...planning.load_hosts import check as load_hosts_check
from ...planning.load_hosts import spread
from ...planning.profiles import applied, catalog
from ...planning.s3 import options as s3_options
from ..data.plans import make


@pytest.mark.parametrize(
    'op, given, word',
    [
        ('write', {}, ''),
        ('s3-put', {'gateway_source': 'existing'}, ''),
        ('s3-put', {'gateway_source': 'orch'}, ''),
        ('s3-put', {}, 'gateways of the run'),
        ('s3-put', {'gateway_source': 'private'}, 'gateways of the run'),
        ('rbd-read', {}, ''),
        ('rbd-read', {'rbd_client': 'bench'}, 'a load of rbd-bench'),
    ],
)
def test_what_a_load_host_makes(op, given, word):
    def check(profile, options):
        load_hosts_check(profile, options)
        s3_options.check(profile, options)

    profile = applied.apply(
        catalog.get('quick'), RunOptions.of(workloads=(op,), **given)
    )
    check(profile, RunOptions.of(**given))
    options = RunOptions.of(load_hosts=('h1',), **given)
    if not word:
        return check(profile, options)
    with pytest.raises(InvalidArgument, match=word):
        check(profile, options)


def test_images_are_dealt_out_evenly_to_several_hosts():
    """They are more, and smaller: the working set stays what it is."""
    words = dict(profile='smoke', workloads=('rbd-randread',), images=4)
    alone, shared = (
        make(load_hosts=hosts, concurrency=('16',), **words)
        for hosts in (('h1',), ('h1', 'h2', 'h3'))
    )
    assert {w.clients for w in alone.profile.workloads} == {4}
    assert {w.clients for w in shared.profile.workloads} == {6}
    for one, three in zip(alone.groups, shared.groups):
        held = [
            {p.role: p.max_bytes for p in group.pools}
            for group in (one, three)
        ]
        (before,), (after,) = (found.values() for found in held)
        assert after == pytest.approx(before, rel=0.1)
    with pytest.raises(InvalidArgument, match='give --images 6, or no'):
        make(load_hosts=('h1', 'h2', 'h3'), image_size='64M', **words)
    with pytest.raises(InvalidArgument, match='raise --concurrency'):
        make(load_hosts=('h1', 'h2', 'h3'), concurrency=('4',), **words)


def test_clients_are_dealt_out_evenly_to_several_hosts():
    """What is in flight stays that of the group."""
    three = ('h1', 'h2', 'h3')
    plan = make(
        profile='smoke',
        load_hosts=three,
        clients=4,
        concurrency=('16',),
    )
    for workload in plan.profile.workloads:
        assert workload.clients == 6
        assert workload.concurrency.value == 16
    alone = make(
        profile='smoke',
        load_hosts=three[:1],
        clients=4,
        concurrency=('16',),
    )
    assert {w.clients for w in alone.profile.workloads} == {4}


@pytest.mark.parametrize('clients, planned', [(1, 1), (2, 3), (4, 6)])
def test_one_s3_client_is_as_many_processes_as_a_host_finds_right(
    clients, planned
):
    options = RunOptions.of(load_hosts=('h1', 'h2', 'h3'))
    profile = applied.apply(
        catalog.get('quick'),
        RunOptions.of(
            workloads=('s3-get',), clients=clients, concurrency=('16',)
        ),
    )
    spread_out = spread(profile, options, (4, 4))
    assert {w.clients for w in spread_out.workloads} == {planned}


@pytest.mark.parametrize(
    'given, told',
    [
        (
            {'concurrency': ('2',)},
            'has 2 operations in flight, fewer than 3 clients on 3 load hosts',
        ),
        (
            {'workloads': ('s3-delete',), 'gateway_source': 'existing'},
            's3-delete.* comes from one load host at a time, not from 3',
        ),
        (
            {
                'workloads': ('rbd-randread',),
                'rbd_client': 'bench',
            },
            "a load of rbd-bench, which only the Manager's host makes",
        ),
    ],
)
def test_what_three_hosts_cannot_share_is_refused(given, told):
    with pytest.raises(InvalidArgument, match=told):
        make(profile='smoke', load_hosts=('h1', 'h2', 'h3'), **given)


def test_hosts_have_one_name_together():
    """Equal for equal hosts only, however many there are."""
    assert called(['b', 'a']) == 'a, b'
    many = [f'h{n:02}' for n in range(40)]
    assert called(many).startswith('h00, h01, h02, h03, h04 and more (40, ')
    assert called(many) == called(many[::-1])
    assert called(many) != called([*many[:-1], 'h99'])
