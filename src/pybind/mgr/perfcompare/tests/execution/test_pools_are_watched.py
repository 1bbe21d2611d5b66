"""Abort rules and signs of life while pools are made and removed."""

from perfcompare.execution.heartbeat import Heartbeat
from perfcompare.model.recovery import TestState
from perfcompare.model.run import RunState

from ..data.recovery_rig import request
from ..fakes import running
from ..fakes.running import left
from ..recovery import conftest

folder = running.folder
cluster = running.cluster
rig = running.rig
test_rig = conftest.rig


def lose_an_osd_as_pools_wait(cluster):
    cluster.creating_polls = 10**9
    wait = cluster.pg_stats_now

    def lose(osds):
        cluster.set_osd(0, up=False)
        wait(osds)

    cluster.pg_stats_now = lose


def test_an_osd_that_goes_while_pools_are_made_ends_the_run(rig, cluster):
    """It took the 180 seconds in which a pool should become clean."""
    lose_an_osd_as_pools_wait(cluster)
    found = rig.execute().run
    assert found.state is RunState.ABORTED
    assert 'OSD_DOWN' in found.reason
    assert len(cluster.called('pg_stats_now')) < 60  # five a second
    assert not rig.launcher.started
    assert left(cluster) == []


def test_a_recovery_test_is_ended_likewise(test_rig):
    lose_an_osd_as_pools_wait(test_rig.cluster)
    found = test_rig.execute(request('backfill'))
    assert found.state is TestState.STOPPED
    assert 'OSD_DOWN' in found.reason
    assert not test_rig.launcher.started
    assert left(test_rig.cluster) == []


def test_a_run_lives_while_its_pools_become_clean(rig, cluster, monkeypatch):
    beats = []
    cluster.creating_polls = 100
    beat = Heartbeat.beat

    def note(heart):
        if not cluster.called('auth_create') or rig.launcher.started:
            return beat(heart)
        beats.append(rig.clock.now)
        return beat(heart)

    monkeypatch.setattr(Heartbeat, 'beat', note)
    assert rig.execute().run.state is RunState.COMPLETED
    assert len(beats) > 90
