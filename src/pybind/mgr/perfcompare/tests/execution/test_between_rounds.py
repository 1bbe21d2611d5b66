"""What a run waits for between its rounds, and what it tells of it."""

import dataclasses
import time

import pytest

from perfcompare.common.errors import TryAgain
from perfcompare.guard.checks import capacity
from perfcompare.model.run import RunState
from perfcompare.planning.waiting import (
    COOLING,
    NOTICED,
    REMOVAL,
    SETTLING,
)
from perfcompare.report import listing

from ..fakes import running
from ..fakes.clock import FakeClock
from ..fakes.running import REQUEST, Rig

folder = running.folder
cluster = running.cluster
rig = running.rig
LAG = 6.0  # seconds until an OSD knows of a pool that is gone


class Removal:
    """Have OSDs remove PGs of a round's pools, a while after these go."""

    def __init__(self, cluster, seconds, lag=LAG, silent=False):
        self.cluster = cluster
        self.seconds, self.lag, self.silent = seconds, lag, silent
        self.full = False  # pools need the room of those that go
        self.nearfull = 0.04  # while they are there
        self.gone = []  # when pools were removed
        self.begun = []  # when pools were made, and whether others went
        self.on_wait = lambda now: None
        self.clock = FakeClock(time.time(), self._passes, nap=0.001)
        self._remove, self._create = cluster.pool_remove, cluster.pool_create
        self._dump = cluster.osd_perf_dump
        cluster.pool_remove = self._removed
        cluster.pool_create = self._created
        cluster.osd_perf_dump = self._dumped
        cluster.osd_newest_map = self._newest_map

    @property
    def under_way(self):
        return bool(self.gone) and (
            self.clock.now < self.gone[-1] + self.lag + self.seconds
        )

    def _passes(self, _):
        full = self.full and self.under_way
        self.cluster.ratios['nearfull'] = self.nearfull if full else 0.85
        self.on_wait(self.clock.now)

    def _removed(self, name):
        self._remove(name)
        if name.endswith('.write'):
            self.gone.append(self.clock.now)
            self._passes(0)

    def _created(self, name, *args):
        if name.endswith('.write'):
            self.begun.append((self.clock.now, self.under_way))
        self._create(name, *args)

    def _dumped(self, osd):
        if osd == 0 and self.under_way:
            if self.clock.now > self.gone[-1] + self.lag:
                if self.silent:
                    raise TryAgain('osd.0 is silent')
                return {'osd': {'numpg_removing': 8}}
        return self._dump(osd)

    def _newest_map(self, osd):
        unknown = self.gone and self.clock.now < self.gone[-1] + self.lag
        return 0 if unknown and osd == 0 else self.cluster.epoch

    def run(self, folder):
        rig = Rig(self.cluster, folder, clock=self.clock)
        try:
            return rig.execute()
        finally:
            rig.stop()


@pytest.mark.parametrize('silent', [False, True])
@pytest.mark.parametrize('full', [False, True])
def test_a_round_waits_for_the_removal_of_the_one_before(
    cluster, folder, full, silent
):
    """OSDs that do not know of it yet, or do not answer, are not done."""
    removal = Removal(cluster, 500 if full else 200, silent=silent)
    removal.full = full
    detail = removal.run(folder)
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    assert len(removal.begun) == 8
    assert not any(during for _, during in removal.begun)
    assert not any('unsettled' in t.evidence for t in detail.trials)


def test_osds_that_learn_late_of_pools_that_are_gone_are_waited_for(
    cluster, folder
):
    removal = Removal(cluster, 30, lag=45.0)
    detail = removal.run(folder)
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    assert len(removal.begun) == 8
    assert not any(during for _, during in removal.begun)
    assert not any('unsettled' in t.evidence for t in detail.trials)


def test_osds_that_know_at_once_are_not_waited_for(cluster, folder):
    removal = Removal(cluster, 0, lag=0.0)
    detail = removal.run(folder)
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    waited = [
        at - max(gone for gone in removal.gone if gone <= at)
        for at, _ in removal.begun[2:]
    ]
    assert waited and max(waited) < NOTICED + 2


def test_osds_that_never_learn_of_it_did_not_settle(cluster, folder):
    removal = Removal(cluster, 0, lag=1000.0)
    told = []
    rig = Rig(cluster, folder, clock=removal.clock)

    def waits(now):
        progress = rig.service.status().progress
        if progress is not None:
            told.append(progress.message)

    removal.on_wait = waits
    try:
        detail = rig.execute()
    finally:
        rig.stop()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    assert 'waits for OSDs: osd.0 has an older OSD map' in told
    marked = [t for t in detail.trials if 'unsettled' in t.evidence]
    assert marked == [
        t for t in detail.trials if t.round and t.group == 'x86'
    ]
    assert marked[0].evidence['unsettled'] == ['osd.0 has an older OSD map']


def test_it_waits_no_longer_where_there_is_room(cluster, folder):
    removal = Removal(cluster, 1000)
    detail = removal.run(folder)
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    assert [during for _, during in removal.begun[2:]] == [True] * 6
    marked = [t for t in detail.trials if 'unsettled' in t.evidence]
    assert marked and all(t.group == 'x86' for t in marked)
    text = listing.run(detail)
    assert f'began after {SETTLING:.0f} s of cooling on OSDs' in text


def _without_reads(plan):
    groups = tuple(
        dataclasses.replace(g, pools=tuple(p for p in g.pools if p.per_round))
        for g in plan.groups
    )
    return dataclasses.replace(plan, groups=groups)


def _fill_of_a_round(cluster, folder):
    rig = Rig(cluster, folder)
    try:
        plan = rig.service.draft(REQUEST).plan
    finally:
        rig.stop()
    plan = _without_reads(plan)
    return capacity.predicted(cluster.topology(), plan, None)[0].after


def test_no_round_begins_that_would_fill_an_osd(cluster, folder):
    """Others wrote, or what goes takes longer than anybody waits for."""
    removal = Removal(cluster, 10**6)
    removal.full = True
    removal.nearfull = _fill_of_a_round(cluster, folder) - 0.001
    detail = removal.run(folder)
    assert detail.run.state is RunState.FAILED
    assert 'no room for the next round: osd.' in detail.run.reason
    assert {t.round for t in detail.trials} == {0}
    assert running.left(cluster) == []


def test_what_is_read_is_there_and_needs_no_room_again(cluster, folder):
    removal = Removal(cluster, 10**6)
    rig = Rig(cluster, folder, clock=removal.clock)
    plan = rig.service.draft(REQUEST).plan
    rounds, all_pools = (
        capacity.predicted(cluster.topology(), p, None)[0].after
        for p in (_without_reads(plan), plan)
    )
    assert rounds < all_pools
    narrow = (rounds + all_pools) / 2 + capacity.MARGIN

    def on_wait(_):
        cluster.ratios['nearfull'] = narrow if removal.gone else 0.85

    removal.on_wait = on_wait
    try:
        detail = rig.execute()
    finally:
        rig.stop()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    waited = [
        at - max(gone for gone in removal.gone if gone <= at)
        for at, _ in removal.begun[2:]
    ]
    assert waited and max(waited) < REMOVAL


def test_after_the_last_round_nobody_waits(cluster, folder):
    removal = Removal(cluster, 10**6)
    removal.full = True
    removal.nearfull = _fill_of_a_round(cluster, folder) + 0.01
    began = removal.clock.now
    detail = removal.run(folder)
    ended = detail.run.ended
    last = max(t.ended for t in detail.trials)
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    assert ended - last < COOLING + 60
    assert ended - began > REMOVAL + 3 * SETTLING


@pytest.mark.parametrize('full', [False, True])
def test_the_wait_is_told_and_a_stop_ends_it(cluster, folder, full):
    removal = Removal(cluster, 10**6)
    removal.full = full
    rig = Rig(cluster, folder, clock=removal.clock)
    told = []

    def waits(now):
        progress = rig.service.status().progress
        if removal.gone and progress is not None and not told:
            if 'osd.0 removes 8 PGs' in progress.message:
                told.append((now, progress))
                rig.service.stop(now=False)

    removal.on_wait = waits
    try:
        detail = rig.execute()
    finally:
        rig.stop()
    ((now, progress),) = told
    assert progress.state is RunState.COOLING
    assert detail.run.state is RunState.CANCELLED
    assert detail.run.ended < now + 60


def test_what_osds_do_before_a_run_is_waited_for_and_told(rig, cluster):
    """E.g. the pools of the run before, or of a Manager that went away."""
    cluster.perf[0] = {'osd': {'numpg_removing': 40}}
    detail = rig.execute()
    began = detail.run.events[0].at
    assert min(t.started for t in detail.trials) > began + SETTLING
    marked = [t for t in detail.trials if 'unsettled' in t.evidence]
    assert marked == [t for t in detail.trials if t.group == 'x86']
    assert marked[0].evidence['unsettled'] == ['osd.0 removes 40 PGs']
