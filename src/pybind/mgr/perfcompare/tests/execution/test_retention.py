"""Results that go: when they are old, and never before there are any."""

import dataclasses
import time

from perfcompare.model.run import RunState
from perfcompare.recovery.store import recoveries
from perfcompare.store.results import FileDatabase, Store

from ..fakes import running
from ..fakes.clock import FakeClock
from ..fakes.running import Rig
from ..recovery.test_store import episode

folder = running.folder
cluster = running.cluster
DAY = 86400


class SetClock(FakeClock):
    """Be a clock that somebody sets."""

    ahead = 0.0

    def wall(self):
        return self.now + self.ahead


class Watched(FileDatabase):
    """Count how often the database is opened."""

    opened = 0

    def _connection(self):
        self.opened += 1
        return super()._connection()


def test_a_manager_that_begins_does_not_open_the_database(cluster, folder):
    """Opening it makes a pool, a file in it and our tables."""
    database = Watched()
    rig = Rig(cluster, folder, Store(database))
    try:
        rig.settings = dataclasses.replace(rig.settings, retention_days=30)
        rig.service.options_changed()
        for _ in range(2):
            rig.clock.now += DAY
            waits = len(rig.clock.waits)
            rig.wait(lambda: len(rig.clock.waits) > waits + 20)
        assert database.opened == 0
        rig.service.results.list()
        assert database.opened
    finally:
        rig.stop()


def test_results_that_are_old_go_each_day_without_runs(cluster, folder):
    clock = FakeClock(time.time(), nap=0.001)
    store = Store(FileDatabase(), clock.wall)
    rig = Rig(cluster, folder, store, clock=clock)
    rig.settings = dataclasses.replace(rig.settings, retention_days=30)
    try:
        run = rig.execute().run
        assert run.state is RunState.COMPLETED, run.reason
        recoveries.put(store, episode(), {})
        clock.now += 29 * DAY
        waits = len(clock.waits)
        rig.wait(lambda: len(clock.waits) > waits + 20)
        assert rig.service.results.list().total == 1
        assert rig.service.recoveries.list().total == 1
        clock.now += 3 * DAY
        rig.wait(lambda: rig.service.results.list().total == 0)
        rig.wait(lambda: rig.service.recoveries.list().total == 0)
    finally:
        rig.stop()


def test_less_that_is_kept_counts_from_the_first_use_on(cluster, folder):
    """The Manager before left it; this one has not looked at it yet."""
    rig = Rig(cluster, folder)
    rig.execute(), rig.execute()
    rig.stop()
    rig = Rig(cluster, folder, rig.store)
    try:
        rig.settings = dataclasses.replace(rig.settings, retention_runs=1)
        rig.service.options_changed()
        rig.wait(lambda: rig.service.results.list().total == 1)
    finally:
        rig.stop()


def test_a_clock_that_was_set_ahead_makes_nothing_old(cluster, folder):
    """Not when something new is stored, either: the day is Expiry's."""
    clock = SetClock(time.time(), nap=0.001)
    store = Store(FileDatabase(), clock.wall)
    rig = Rig(cluster, folder, store, clock=clock)
    rig.settings = dataclasses.replace(rig.settings, retention_days=30)
    try:
        rig.execute()
        recoveries.put(store, episode(), {})
        clock.ahead += 400 * DAY
        rig.execute()
        rig.service.recoveries._put(episode('0000000c'), {})
        rig.service._stored()  # as an import does
        kept = rig.service._runner._records._retention()
    finally:
        rig.stop()
    assert store.list_runs().total == 2
    assert recoveries.ls(store, 9, 0).total == 2
    assert kept.runs and kept.age is None  # of recovery tests
