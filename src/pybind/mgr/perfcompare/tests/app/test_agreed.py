"""What starts is the plan that was shown and agreed to."""

import dataclasses
import errno

import pytest

from ...model.topology import PoolIo
from ...planning.agreed import digest
from ...remote import calls
from ..data.recovery_rig import HOSTS, TestRig, request
from ..fakes.cluster import FakeCluster
from ..fakes.running import REQUEST, Rig, folder  # noqa: F401

WISH = {'groups': ['x86', 'arm'], 'profile': 'smoke'}
LESS = ['arm-1', 'arm-2']
FOUND = 'the plan has changed since you saw it: look at it again'


@pytest.fixture
def rig(folder):  # noqa: F811
    found = Rig(FakeCluster([*HOSTS, ('arm-3', 'arm', 'aarch64', 2)]), folder)
    yield found
    found.stop()


def call(rig, name, **args):
    return calls.call(rig.service, name, args)


def planned(rig, name='plan', **args):
    found = call(rig, name, **args)['data']
    return found['digest'], found['plan']['seed']


def test_a_plan_that_is_made_again_is_the_same(rig):
    seen, seed = planned(rig, **WISH)
    assert planned(rig, **WISH, seed=seed)[0] == seen
    assert planned(rig, **WISH, seed=seed, consent=True)[0] == seen
    assert planned(rig, **WISH, seed=seed + 1)[0] != seen
    assert planned(rig, **WISH, seed=seed, rounds=2)[0] != seen


def test_what_was_seen_starts(rig):
    seen, seed = planned(rig, **WISH)
    rig.wait(lambda: not rig.service.status().warnings)
    found = call(rig, 'run', **WISH, seed=seed, digest=seen)
    rig.ended(found['data']['run'])


def test_a_group_that_changed_meanwhile_is_not_loaded(rig):
    seen, seed = planned(rig, **WISH)
    # somebody narrows it
    assert 'data' in call(rig, 'group_create', group='arm', hosts=LESS)
    rig.wait(lambda: not rig.service.status().warnings)
    found = call(rig, 'run', **WISH, seed=seed, digest=seen)
    assert found['errno'] == errno.ESTALE and found['error'] == FOUND
    assert rig.service.status().progress is None


def test_who_has_seen_no_plan_starts_as_before(rig):
    rig.wait(lambda: not rig.service.status().warnings)
    rig.ended(call(rig, 'run', **WISH, digest=None)['data']['run'])


def test_a_digest_is_text(rig):
    assert 'is not text' in call(rig, 'run', **WISH, digest=7)['error']


def test_of_recovery_tests_as_well(folder):  # noqa: F811
    rig = TestRig(FakeCluster(HOSTS), folder)
    try:
        wish = {'groups': ['x86', 'arm'], 'workloads': ['none'], 'seed': 3}
        wish.update(pg_num=8, size='4K', data='64K')
        seen, _ = planned(rig, 'recovery_plan', **wish)
        assert planned(rig, 'recovery_plan', **wish)[0] == seen
        found = call(rig, 'recovery_run', **wish, hold=7, digest=seen)
        assert found['error'] == FOUND
    finally:
        rig.stop()


def test_what_space_and_pgs_bound_changes_by_itself(folder):  # noqa: F811
    rig = TestRig(FakeCluster(HOSTS), folder)
    try:
        plan = rig.service.tests.draft(request('backfill')).plan
        test = plan.recovery
        fewer = dataclasses.replace(
            plan,
            bytes_written=plan.bytes_written // 2,
            recovery=dataclasses.replace(
                test,
                groups=tuple(
                    dataclasses.replace(one, write_objects=7)
                    for one in test.groups
                ),
            ),
        )
        assert fewer != plan and digest(fewer) == digest(plan)
    finally:
        rig.stop()


def test_bytes_are_rounded(rig):
    plan = rig.service.draft(dataclasses.replace(REQUEST, seed=1)).plan

    def with_bytes(number):
        groups = tuple(
            dataclasses.replace(
                group,
                pools=tuple(
                    dataclasses.replace(pool, max_bytes=number)
                    for pool in group.pools
                ),
            )
            for group in plan.groups
        )
        return digest(dataclasses.replace(plan, groups=groups))

    assert with_bytes(1_200_000) == with_bytes(1_201_000)
    assert with_bytes(1_200_000) != with_bytes(2_400_000)


def test_consent_answers_what_was_seen_to_ask_for_it(rig):
    """It was given for data of others; now their clients are busy, too."""
    pool = rig.cluster.add_pool('rbd', objects=3, stored_bytes=4096)
    seen, seed = planned(rig, **WISH)
    wish = dict(WISH, seed=seed, digest=seen, consent=True)
    rig.wait(lambda: not rig.service.status().warnings)
    rig.cluster.io[pool.id] = PoolIo(400.0, 300.0)
    found = call(rig, 'run', **wish)
    assert found['errno'] == errno.ESTALE
    assert 'LOAD: other clients do 700 op/s' in found['error']
    assert rig.service.status().progress is None
    again, _ = planned(rig, **dict(WISH, seed=seed, consent=True))
    assert again == planned(rig, **WISH, seed=seed)[0] != seen
    rig.ended(call(rig, 'run', **dict(wish, digest=again))['data']['run'])


def test_what_asked_for_consent_and_is_gone_refuses_nothing(rig):
    pool = rig.cluster.add_pool('rbd', objects=3, stored_bytes=4096)
    rig.cluster.io[pool.id] = PoolIo(400.0, 300.0)
    seen, seed = planned(rig, **WISH)
    wish = dict(WISH, seed=seed, digest=seen)
    rig.wait(lambda: not rig.service.status().warnings)
    found = call(rig, 'run', **wish)
    assert found['errno'] == errno.EPERM  # no consent was given at all
    assert 'the plan is shown by POST /plan' in found['error']
    rig.cluster.io.clear()
    rig.ended(call(rig, 'run', **wish, consent=True)['data']['run'])


def test_what_needed_no_consent_is_looked_at_again(rig):
    pool = rig.cluster.add_pool('rbd')
    seen, seed = planned(rig, **WISH)
    rig.cluster.io[pool.id] = PoolIo(1.0, 0.0)
    rig.wait(lambda: not rig.service.status().warnings)
    found = call(rig, 'run', **WISH, seed=seed, digest=seen)
    assert found['errno'] == errno.ESTALE
    assert 'CONSENT: pools with data or clients: rbd' in found['error']


def test_who_has_seen_no_plan_consents_to_all(rig):
    """A script that sends consent alone, and the command."""
    pool = rig.cluster.add_pool('rbd', objects=3, stored_bytes=4096)
    rig.cluster.io[pool.id] = PoolIo(400.0, 300.0)
    rig.wait(lambda: not rig.service.status().warnings)
    found = call(rig, 'run', **WISH, consent=True)['data']
    assert {w.split(':')[0] for w in found['warnings']} >= {'LOAD', 'CONSENT'}
    rig.ended(found['run'])
