"""What recovery tests plan, choose and refuse; pure functions."""

import dataclasses

import pytest

from ...ceph import osdmap as osdmap_data
from ...common.errors import InvalidArgument, NotPermitted
from ...model.group import Group, GroupSpec
from ...model.recovery import Scenario, StepKind
from ...model.recovery_plan import Forecast, PlannedStep
from ...model.topology import MgrState, MonState, Pool
from ...ports.faults import Departure, StopAdvice
from ...recovery.plan import (
    defaults,
    movement_forecast,
    pglogs,
    safety,
    targets,
)
from ...recovery.plan.request import RecoveryRequest
from ..fakes.cluster import FakeCluster

PLACES = {0: 'a', 1: 'a', 2: 'b', 3: 'b'}


# moves


def test_move_keeps_one_osd_per_failure_domain():
    sets = {ps: (ps % 2, 2 + ps % 2) for ps in range(8)}
    found = targets.moves(sets, PLACES)
    assert len(found) == 8
    for ps, (source, target) in found.items():
        after = [target if o == source else o for o in sets[ps]]
        assert len({PLACES[o] for o in after}) == 2
        assert source in sets[ps] and target not in sets[ps]


def test_moves_fall_evenly_on_osds():
    sets = {ps: (0, 2) for ps in range(8)}
    found = targets.moves(sets, PLACES)
    takes = [target for _, target in found.values()]
    assert takes.count(1) == takes.count(3) == 4


def test_pg_with_a_hole_is_not_moved():
    assert not targets.moves({0: (0, -1)}, PLACES)


def test_backfill_needs_a_place_to_move_to():
    assert targets.can_move(PLACES, 2)
    assert targets.can_move({0: 'a', 1: 'b', 2: 'c'}, 2)
    assert not targets.can_move({0: 'a', 2: 'b'}, 2)


def test_osds_with_the_managers_pool_come_last():
    topology = FakeCluster().topology()
    osds = sorted(topology.osds)[:3]
    assert targets.order_osds(topology, osds, {osds[0]})[-1] == osds[0]


# PG logs


@pytest.mark.parametrize(
    'pgs, expected', [(1, 10000), (100, 3000), (100000, 250)]
)
def test_log_keeps_what_ceph_computes(pgs, expected):
    assert pglogs.log_entries({}, pgs) == expected


@pytest.mark.parametrize('entries', [1, 350, 10100])
def test_no_pg_has_so_few_objects_that_its_log_holds_all(entries):
    mean = pglogs.objects_beyond(entries, 64) / 64
    assert mean - 5 * mean**0.5 == pytest.approx(entries, abs=0.1)


# fewer PGs


def least(osds):
    groups = [Group(GroupSpec(f'g{n}'), tuple(range(n)), (), 2) for n in osds]
    wanted = RecoveryRequest(groups=('a',), size='64K')
    found = defaults.choices(wanted, groups, 128)
    return [choice.request.pg_num for choice in found if choice.in_parts]


def test_each_osd_has_two_pgs_to_move_at_least():
    assert least([12, 12]) == [128, 64, 32]
    assert least([4]) == [128, 64, 32, 16, 8]


def test_groups_of_unlike_size_keep_pgs_that_fall_evenly():
    """Of 32 PGs one of 10 OSDs moves 4 of 3.2, one of 12 only 3 of 2.7."""
    assert least([12, 10]) == [128, 64]


def test_pgs_that_were_asked_for_stay():
    wanted = RecoveryRequest(groups=('a',), pg_num=8)
    group = Group(GroupSpec('g'), (1, 2, 3, 4), (), 2)
    found = list(defaults.choices(wanted, [group], 8))
    assert {choice.request.pg_num for choice in found} == {8}
    assert found[0].request.size == '64K' and not found[0].in_parts


# consent


def test_backfill_needs_no_option():
    assert safety.consent_problem(Scenario.BACKFILL, False, False) is None


def test_failures_need_the_option_and_consent():
    problem = safety.consent_problem(Scenario.OSD_OUT, False, True)
    assert isinstance(problem, NotPermitted)
    assert 'allow_failure_tests' in problem.message
    problem = safety.consent_problem(Scenario.OSD_OUT, True, False)
    assert '--yes-i-really-mean-it' in problem.message
    assert safety.consent_problem(Scenario.OSD_OUT, True, True) is None


# hosts


def around(active='mgr-host', mons=None, quorum=('a', 'b', 'c')):
    places = {'a': 'x86-1', 'b': 'b-host', 'c': 'c-host'}
    return safety.Surroundings(
        MgrState('x', (), {}, {}, active),
        MonState(1, quorum, ('a', 'b', 'c')),
        mons or places,
    )


@pytest.fixture
def topology():
    return FakeCluster().topology()


def test_host_with_the_active_manager_is_refused(topology):
    problem = safety.host_problem('x86-1', (), topology, around('x86-1'))
    assert 'active Manager' in problem


def test_host_with_one_of_three_mons_may_stop(topology):
    assert not safety.host_problem('x86-1', (), topology, around())


def test_host_with_a_mon_that_the_quorum_needs_is_refused(topology):
    problem = safety.host_problem(
        'x86-1', (), topology, around(quorum=('a', 'b'))
    )
    assert 'mon.a' in problem and 'quorum' in problem


def test_second_host_counts_the_mons_of_the_first(topology):
    found = safety.host_problem(
        'x86-1', (), topology, around(), stopped=('b-host',)
    )
    assert 'no quorum' in found


def test_osds_below_no_host_move_nowhere_and_are_not_stopped(topology):
    """CRUSH does not choose them by host, and noout is set by host."""
    osds = sorted(topology.osds)
    lost = dataclasses.replace(topology.osds[osds[0]], host='')
    found = dataclasses.replace(
        topology, osds={**topology.osds, osds[0]: lost}
    )
    assert sorted(targets.domains(found, osds, 'host')) == osds[1:]
    assert sorted(targets.domains(found, osds, 'osd')) == osds
    assert targets.order_osds(found, osds, ()) == osds[1:]
    assert '' not in dict(targets.order_hosts(found, osds, ()))


def test_pool_must_survive_all_stopped_domains():
    assert not safety.domains_problem(3, 2, 1)
    assert 'can lose 1' in safety.domains_problem(3, 2, 2)


def test_step_takes_one_failure_domain_at_a_time():
    step = PlannedStep(StepKind.STOP, 't', 'x', (0, 1), ('h1', 'h2'))
    assert 'only one' in safety.single_domain_problem(step)
    back = dataclasses.replace(step, kind=StepKind.START)
    assert not safety.single_domain_problem(back)


def test_advice_of_the_mons_is_final():
    assert not safety.advice_problem([1], StopAdvice(True))
    text = safety.advice_problem([1, 2], StopAdvice(False, bad_pgs=4))
    assert 'osd.1, osd.2' in text and '4 PGs' in text


# osd-out


def test_forecast_fills_the_remaining_osds_by_weight(topology):
    osds = sorted(topology.osds)[:2]
    filled = dict(topology.osds)
    for osd in osds:
        filled[osd] = dataclasses.replace(
            filled[osd], used_bytes=4 << 30, size_bytes=10 << 30
        )
    full = dataclasses.replace(topology, osds=filled)
    found = safety.forecast_out([osds[0]], {osds[1]: 1.0}, full, 1 << 30)
    assert found.bytes_moved == 4 << 30
    assert found.seconds == 4.0
    assert found.fill == pytest.approx(0.8)
    assert 'osd.' in safety.fill_problem(found, 0.8)
    assert not safety.fill_problem(found, 0.9)


def test_one_osd_takes_all_that_comes_back(topology):
    """However many give it back."""
    osds = sorted(topology.osds)
    filled = {
        osd: dataclasses.replace(one, used_bytes=2 << 40, size_bytes=4 << 40)
        for osd, one in topology.osds.items()
    }
    full = dataclasses.replace(topology, osds=filled)
    shares = {osd: 1 / (len(osds) - 2) for osd in osds[2:]}
    found = safety.forecast_out(osds[:2], shares, full, 50 << 20)
    assert found.seconds_back == (2 << 40) / (50 << 20)  # 41,943 s
    assert found.seconds == pytest.approx(
        2 * found.seconds_back / (len(osds) - 2)
    )
    assert safety.forecast_out(osds[:1], {}, full, 1).seconds_back == 0.0


def test_return_that_no_limit_is_enough_for_is_said_to_be_so():
    slow = Forecast(seconds=10.0, seconds_back=41943.0)
    assert not safety.slow_problem(slow, 41943.0)
    text = safety.slow_problem(slow, 1800.0)
    assert 'about 11 h 39 min one way' in text and '--limit 41943' in text
    text = safety.slow_problem(Forecast(seconds_back=1e6), 1800.0)
    assert '--limit being 604800 at the most' in text


def test_departure_counts_all_pgs_that_move_on_account_of_it():
    now = {'1.0': [0, 2], '1.1': [2, 0], '1.2': [1, 2], '1.3': [1, 3]}
    then = {'1.0': [1, 2], '1.1': [2, 1], '1.2': [1, 3], '1.3': [1, 3]}
    found = osdmap_data.departure([0], now, then)
    assert found == Departure(2, {1: 2, 3: 1})
    assert not movement_forecast.problem(0, {'a': found})


def test_pgs_without_another_place_are_told():
    none = 0x7FFFFFFF
    now = {'1.0': [0, 2], '1.1': [2, 0], '1.2': [1, 2]}
    then = {'1.0': [2], '1.1': [2, none], '1.2': [1, 2]}
    found = osdmap_data.departure([0], now, then)
    assert found == Departure(2, {}, 2)
    assert "2 of 2 PGs of pool 'a' on osd.0" in movement_forecast.problem(
        0, {'a': found}
    )


def test_large_pools_weigh_more_than_small_ones():
    pools = [
        Pool(1, 'large', 2, 1, 4, 4, 4, 4, 0, stored_bytes=4000),
        Pool(2, 'small', 2, 1, 4, 4, 4, 4, 0, stored_bytes=1000),
    ]
    gone = {'large': Departure(2, {1: 2}), 'small': Departure(2, {3: 2})}
    shares = movement_forecast.takers(gone, pools, {})
    assert shares == pytest.approx({1: 0.8, 3: 0.2})
    # a chunk of a code has less than a copy, whatever its min_size is
    cluster = FakeCluster()
    cluster.ec_profiles['four-two'] = {'k': '4', 'm': '2'}
    coded = dataclasses.replace(
        pools[0], size=6, min_size=6, erasure_code_profile='four-two'
    )
    chunks = movement_forecast.data_chunks(cluster, [coded, pools[1]])
    assert chunks == {'large': 4}
    shares = movement_forecast.takers(gone, [coded, pools[1]], chunks)
    assert shares == pytest.approx({1: 0.5, 3: 0.5})
    assert movement_forecast.takers({}, pools, {}) == {}


def test_departure_of_a_host_counts_each_copy():
    now = {'1.0': [0, 2], '1.1': [2, 1], '1.2': [0, 1]}
    then = {'1.0': [4, 2], '1.1': [2, 4], '1.2': [4]}
    found = osdmap_data.departure([0, 1], now, then)
    assert found == Departure(4, {4: 3}, 1)


def test_unknown_fill_is_refused():
    assert 'not known' in safety.fill_problem(Forecast(), 0.9)


# requests


@pytest.mark.parametrize(
    'fields, word',
    [
        ({'scenario': 'observe'}, 'observe'),
        ({'scenario': 'osd-down', 'nodes': 2}, '--nodes 2'),
        ({'scenario': 'osd-out', 'stop_by': 'operator'}, '--stop-by'),
        ({'workloads': ('seq',)}, "'seq'"),
        ({'workloads': ('none', 'rand')}, "'none'"),
        ({'repetitions': 0}, '--repetitions 0'),
        ({'hold': 1.0}, '--hold 1'),
        ({'mclock_profile': 'fast'}, "'fast'"),
        ({'scenario': 'osd-stop', 'stop_by': 'me'}, "'me'"),
        ({'images': 2}, '--images 2 is for RBD loads'),
        ({'workloads': ('none',), 'images': 2}, '--images 2'),
        ({'workloads': ('s3-put',), 'block_size': '4K'}, '--block-size 4K'),
        ({'workloads': ('rbd-rw',), 'images': 17}, '--images 17'),
        ({'workloads': ('rbd-rw',), 'block_size': 'x'}, "'x'"),
        (
            {'workloads': ('rbd-rw',), 'images': 4, 'concurrency': 3},
            '--concurrency 3 cannot be shared by 4 images',
        ),
        ({'workloads': ('rbd-rw', 'rand')}, 'exclude each other'),
    ],
)
def test_request_names_what_is_wrong(fields, word):
    with pytest.raises(InvalidArgument) as info:
        RecoveryRequest(groups=('x86',), **fields).checked()
    assert word in info.value.message


def test_load_can_be_left_out():
    request = RecoveryRequest(groups=('x86',), workloads=('none',))
    assert request.checked().workloads == ()
