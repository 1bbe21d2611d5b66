"""How much recovery tests write, on small OSDs and on large ones."""

import pytest

from ...common.errors import InvalidArgument
from ...model.topology import PgCounts
from ...report.recovery.plan import describe
from ..data.recovery_rig import request


def small_osds(cluster):
    """Have PG logs as long as Ceph has them, on OSDs of 10 GiB."""
    cluster.osd_defaults.update(
        osd_min_pg_log_entries='250',
        osd_max_pg_log_entries='10000',
        osd_target_pg_log_entries_per_osd='300000',
    )
    for osd in cluster.topology().osds:
        cluster.set_osd(osd, used_bytes=0, size_bytes=10 << 30)


def test_defaults_fit_small_osds(rig):
    small_osds(rig.cluster)
    wanted = request('backfill', size=None, data=None, pg_num=None)
    draft = rig.service.tests.draft(wanted)
    test = draft.plan.recovery
    assert test.size == 64 << 10
    # more writes than logs hold, and few objects to be recovered
    own = test.of('arm')
    pgs = draft.plan.groups[0].pools[0].pg_num
    assert own.fill_ops(test.size) > 10100 * pgs > 2 * own.all_objects
    check, *_ = [c for c in draft.preflight.checks if c.id == 'CAPACITY']
    assert check.severity.value == 'ok'
    assert any('chosen for room and time' in t for t in draft.plan.labels)
    assert f'{pgs} PGs in place of 64' in describe(draft.plan)


def test_defaults_of_osds_out_fit_small_osds(rig):
    small_osds(rig.cluster)
    wanted = request('osd-out', size=None, data=None, pg_num=None)
    plan = rig.service.tests.draft(wanted).plan
    assert plan.recovery.of('arm').forecast.fill < 0.5


def test_first_test_on_small_osds_takes_minutes(rig, monkeypatch):
    """Also where they are emulated: what takes long is told, and fewer."""
    small_osds(rig.cluster)
    monkeypatch.setattr('platform.machine', lambda: 'x86_64')
    for osd in list(rig.cluster.osds):
        rig.cluster.set_osd(osd, addresses=('127.0.1.1',))
    for scenario in ('backfill', 'osd-out', 'osd-down'):
        wanted = request(
            scenario,
            size=None,
            data=None,
            pg_num=None,
            repetitions=None,
            workloads=(),
        )
        plan = rig.service.tests.draft(wanted).plan
        assert any("'arm' is emulated" in label for label in plan.labels)
        assert plan.seconds < 30 * 60


def test_a_test_has_no_rows_that_would_get_no_verdict(rig):
    """Other numbers of PGs per OSD are a matter of runs."""
    for osd in (1, 3):
        rig.cluster.set_osd(osd, up=False)
    plan = rig.service.tests.draft(request('osd-down')).plan
    assert sorted(len(g.osds) for g in plan.groups) == [2, 4]
    assert not any('PGs per OSD' in label for label in plan.labels)


def test_a_test_has_no_rows_that_are_latency_bound(rig):
    wanted = request('backfill', workloads=('write',), concurrency=1)
    plan = rig.service.tests.draft(wanted).plan
    assert not any('latency-bound' in label for label in plan.labels)


def test_large_osds_keep_the_usual_defaults(rig):
    """Real clusters have other PGs: logs are shorter, and room is there."""
    small_osds(rig.cluster)
    for osd in rig.cluster.topology().osds:
        rig.cluster.set_osd(osd, size_bytes=4 << 40)
    rig.cluster.osd_defaults['osd_target_pg_log_entries_per_osd'] = '60000'
    wanted = request('backfill', size=None, data=None, pg_num=None)
    plan = rig.service.tests.draft(wanted).plan
    own = plan.recovery.of('x86')
    assert (plan.recovery.size, own.log_objects) == (64 << 10, 0)
    assert plan.groups[0].pools[0].pg_num == 64
    assert not any('chosen' in label for label in plan.labels)


def test_what_was_asked_for_stays_and_is_refused_with_its_own_options(rig):
    small_osds(rig.cluster)
    wanted = request('backfill', size='64K', data=None, pg_num=64)
    draft = rig.service.tests.draft(wanted)
    assert draft.plan.recovery.size == 64 << 10
    check, *_ = [c for c in draft.preflight.checks if c.id == 'CAPACITY']
    assert check.severity.value == 'refuse'
    assert '--data' in check.remedy and '--profile' not in check.remedy


def test_logs_are_as_long_as_on_the_osd_with_the_fewest_pgs(rig, monkeypatch):
    """A primary trims logs by how many PGs are on its own OSD."""
    small_osds(rig.cluster)
    rig.cluster.osd_defaults['osd_target_pg_log_entries_per_osd'] = '60000'
    own = {str(osd): {'active+clean': 200} for osd in rig.cluster.osds}
    own['1'] = {'active+clean': 16}
    found = PgCounts({'active+clean': 400}, {}, own)
    monkeypatch.setattr(rig.cluster, 'pg_counts', lambda: found)
    test = rig.service.tests.draft(request('backfill')).plan.recovery
    assert test.log_entries == {'x86': 60000 // 18, 'arm': 60000 // 202}


def large_osds(cluster):
    for osd in cluster.topology().osds:
        cluster.set_osd(osd, used_bytes=2 << 40, size_bytes=8 << 40)


def test_data_that_would_not_be_home_in_time_is_not_sent_away(rig):
    large_osds(rig.cluster)
    rig.cluster.add_pool('data', size=2, stored_bytes=1 << 40)
    with pytest.raises(InvalidArgument, match='give --limit 4194'):
        rig.service.tests.draft(request('osd-out', groups=('x86',)))
    wanted = request('osd-out', groups=('x86',), limit=43200.0)
    plan = rig.service.tests.draft(wanted).plan
    # there and back, twice
    assert 4 * 41943 <= plan.seconds <= plan.seconds_max
    assert 'and back in about 11 h 39 min' in describe(plan)


def test_plan_tells_where_stopped_osds_may_not_be_clean_in_time(rig):
    large_osds(rig.cluster)
    rig.cluster.add_pool('data', size=2, stored_bytes=1 << 40)
    wanted = request('osd-stop', groups=('x86',), auto_out=True, hold=601)
    plan = rig.service.tests.draft(wanted).plan
    assert 'if all of it moves, its data needs about' in describe(plan)
    # each step is given up then
    assert plan.seconds < plan.seconds_max
