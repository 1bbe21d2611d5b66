"""Operations in flight for each OSD are refused by what they add up to."""

import pytest

from ...analysis import rows
from ...analysis.evidence import LATENCY_BOUND
from ...common.errors import InvalidArgument
from ...worker.wire.s3_spec import CONNECTIONS_MAX
from ..data.cluster_maps import build
from ..data.plans import hosts, make

OSDS = 300


def wide():
    return build(hosts('ssd', OSDS // 10, 10) + hosts('nvme', 4))


def plan(*, concurrency=('16/osd',), **given):
    return make(wide(), ('ssd', 'nvme'), concurrency=concurrency, **given)


def test_s3_load_that_a_worker_refuses_is_refused_when_it_is_planned():
    with pytest.raises(InvalidArgument) as refused:
        plan(workloads=('s3-get',))
    told = str(refused.value)
    assert '16/osd is 4,800 operations in flight on 300 OSDs' in told
    assert "more than the 4,096 that the Manager's host can keep" in told
    assert 'give --concurrency 13/osd or less' in told
    plan(workloads=('s3-get',), concurrency=('13/osd',))


def test_several_load_hosts_keep_more_in_flight():
    given = dict(workloads=('s3-get',), gateway_source='existing')
    plan(load_hosts=('h1', 'h2'), **given)
    with pytest.raises(InvalidArgument, match='the 4,096 that 1 load host'):
        plan(load_hosts=('h1',), **given)


def test_parts_of_uploads_are_connections_as_well():
    words = dict(workloads=('s3-multipart',), sizes=('64M',))
    given = dict(words, part_streams=8)
    assert CONNECTIONS_MAX // 8 == 512
    with pytest.raises(InvalidArgument, match='600 .* than the 512 that'):
        plan(concurrency=('2/osd',), **given)
    plan(concurrency=('1/osd',), **given)


def test_points_of_a_curve_are_refused_by_their_name():
    with pytest.raises(InvalidArgument, match='end the --curve at 13/osd'):
        plan(workloads=('s3-get',), curve='1..16/osd', concurrency=None)


def test_images_keep_what_their_processes_can():
    given = dict(workloads=('rbd-randread',), images=1, clients=1)
    told = 'the 4,096 that 1 client can keep; .* or more --images'
    with pytest.raises(InvalidArgument, match=told):
        plan(**given)
    plan(**{**given, 'images': 2})


def test_rados_clients_keep_any_number_in_flight():
    made = plan(workloads=('write',))
    (workload,) = {w.concurrency.total(OSDS) for w in made.profile.workloads}
    assert workload == 4800


@pytest.mark.parametrize('op', ['write', 'rbd-randread'])
def test_clients_that_the_smallest_group_has_no_operation_for(op):
    given = dict(workloads=(op,), clients=8, concurrency=('1/osd',))
    told = '8 clients cannot share 1/osd, 4 operations in flight on 4 OSDs'
    with pytest.raises(InvalidArgument, match=told) as refused:
        plan(**given)
    assert 'give --concurrency 2/osd or more' in str(refused.value)
    plan(**{**given, 'concurrency': ('2/osd',)})


def test_s3_has_as_many_clients_as_operations():
    plan(workloads=('s3-get',), clients=8, concurrency=('1/osd',))


def told(made):
    return [x for x in made.labels if x.startswith(LATENCY_BOUND)]


def test_rows_that_tell_the_time_of_an_operation_only_are_named():
    topology = build(hosts('ssd', 4, 4) + hosts('nvme', 4, 5))
    made = make(topology, ('ssd', 'nvme'), profile='smoke')
    (label,) = told(made)
    assert 'write-4K-c16, rand-4K-c16: no more' in label
    assert '(ssd 16, nvme 20)' in label
    assert 'give --concurrency 8/osd or --profile standard' in label
    for workload in made.profile.workloads:
        assert rows.label(workload, (16, 20)) == LATENCY_BOUND


@pytest.mark.parametrize(
    'given',
    [
        {'concurrency': ('8/osd',)},
        {'concurrency': ('17',)},
        {'curve': '1..64'},
    ],
)
def test_rows_that_are_saturated_or_points_of_a_curve_are_not(given):
    topology = build(hosts('ssd', 4, 4) + hosts('nvme', 4, 5))
    assert not told(make(topology, ('ssd', 'nvme'), **given))


def test_of_many_such_rows_the_first_are_named():
    made = make(concurrency=('1', '2'), sizes=('4K', '8K'), rounds=7)
    assert told(made)[0].count(',') > 3 and ' and 4 more:' in told(made)[0]
