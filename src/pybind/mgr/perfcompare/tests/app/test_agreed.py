"""What starts is the plan that was shown and agreed to."""

import dataclasses
import errno

import pytest

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
