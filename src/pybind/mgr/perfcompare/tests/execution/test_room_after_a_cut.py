"""What a run that was cut left is removed before room is asked for."""

import dataclasses

import pytest

from ...model.recovery import TestState
from ...model.run import RunState
from ...recovery.run import assembly
from ..data.recovery_rig import HOSTS, TestRig, Watched, request
from ..fakes import running
from ..fakes.cluster import FakeCluster
from ..fakes.running import Rig

folder = running.folder
cluster = running.cluster
LAG = 8.0  # seconds until OSDs report how much is free


def _fill(cluster, clock, seconds):
    """Have OSDs remove PGs that fill them, and tell what is free later."""
    end = clock.now + seconds
    topology, dump = cluster.topology, cluster.osd_perf_dump

    def filled():
        found = topology()
        if clock.now >= end + LAG:
            return found
        return dataclasses.replace(
            found,
            osds={
                ident: dataclasses.replace(
                    osd, used_bytes=int(0.79 * osd.size_bytes)
                )
                for ident, osd in found.osds.items()
            },
        )

    def removes(osd, *args):
        if clock.now < end:
            return {'osd': {'numpg_removing': 8}}
        return dump(osd, *args)

    cluster.topology, cluster.osd_perf_dump = filled, removes


def _cut_run(cluster, folder):
    first = Rig(cluster, folder)
    first.launcher.steps = 3
    run = first.start()
    first.wait(lambda: len(first.launcher.started) > 8)
    first.stop()
    return first, run


@pytest.mark.parametrize('seconds', [900, 10**6])
def test_a_run_goes_on_when_its_pools_are_removed(cluster, folder, seconds):
    first, run = _cut_run(cluster, folder)
    _fill(cluster, first.clock, seconds)
    second = Rig(cluster, folder, first.store)
    told = []
    second.clock._on_wait = lambda _: told.append(second.service.status())
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    if seconds < 1000:
        assert found.state is RunState.COMPLETED, found.reason
    else:
        assert found.state is not RunState.COMPLETED
        assert 'fullest OSD' in found.reason
    messages = {s.progress.message for s in told if s.progress}
    assert any('osd.0 removes 8 PGs' in message for message in messages)


def test_a_cancel_ends_the_wait(cluster, folder):
    first, run = _cut_run(cluster, folder)
    _fill(cluster, first.clock, 10**6)
    second = Rig(cluster, folder, first.store)
    asked = []

    def cancel(_):
        progress = second.service.status().progress
        if progress and 'removes' in progress.message and not asked:
            asked.append(second.clock.now)
            second.service.cancel(run)

    second.clock._on_wait = cancel
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    assert found.state is RunState.CANCELLED
    assert found.ended < asked[0] + 60


def test_so_does_a_recovery_test(folder, monkeypatch):
    monkeypatch.setattr(assembly, 'StepWatch', Watched)
    cluster = FakeCluster(HOSTS)
    first = TestRig(cluster, folder)
    create = cluster.pool_create

    def cut(*args):
        cluster.pool_create = create
        first.stopping.set()
        first.service.shutdown()
        create(*args)

    cluster.pool_create = cut
    run = first.launch(request('backfill', repetitions=1))
    first.thread.join(20)
    _fill(cluster, first.clock, 900)
    second = TestRig(cluster, folder, first.store)
    try:
        test = second.stored(run)
    finally:
        second.stop()
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
