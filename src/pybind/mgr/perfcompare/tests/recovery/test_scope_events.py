"""Tests of recoveries that share an episode: each has its own moments."""

import dataclasses

import pytest

from ...model.recovery import Cause, CauseKind, Mark
from ...recovery.judge.records import MapEvent
from ...recovery.judge.scope_events import fewer, find_t1, of_scope
from ...recovery.observe.pgbook import Scope
from .test_observer import Scene
from .test_timeline import T, event, poll

HOURS = 5 * 3600.0
SCOPES = [Scope('x86', frozenset((0, 1))), Scope('arm', frozenset((2, 3)))]
DOWN, UP, CRUSH = CauseKind.OSD_DOWN, CauseKind.OSD_UP, CauseKind.CRUSH


class TwoGroups(Scene):
    """Hold an observer of two groups that share no PG."""

    def __init__(self):
        super().__init__(scopes=SCOPES)
        self.made = self.cluster.map_facts
        self.cluster.map_facts = lambda: dataclasses.replace(
            self.made(), modified=self.now
        )
        self.say(0, 'active+clean', first=True)
        self.say(2, 'active+clean', first=True)
        self.turn(2)

    def say(self, osd, state, first=False, **fields):
        """Let the PGs of a group report a state that they have from now."""
        old = [p for p in self.cluster.pg_reports if osd not in p.osds]
        if first:
            old = [p for p in old if p.osds in ((0, 1), (2, 3))]
        del self.cluster.pg_reports[:]
        made = self.cluster.pg_facts()
        half = made[:4] if osd == 0 else made[4:]
        self.cluster.pg_reports.extend(
            old
            + [
                p._replace(
                    osds=(osd, osd + 1), words=tuple(state.split('+')),
                    last_change=1.0 if first else self.now,
                    became_active=1.0 if first else self.now,
                    mapping_epoch=1 if first else self.cluster.epoch,
                    **fields,
                )
                for p in half
            ]
        )  # fmt: skip

    def down(self, osd=0):
        self.cluster.set_osd(osd, up=False)
        self.cluster.osd_epochs[osd] = (1, 1, self.cluster.epoch)
        self.say(osd, 'active+undersized+degraded', degraded=10)

    def up(self, osd=0):
        self.cluster.set_osd(osd, up=True)
        epoch = self.cluster.epoch
        self.cluster.osd_epochs[osd] = (epoch, 1, epoch - 1)
        self.say(osd, 'active+clean')

    def alive(self, osd):
        """Let an OSD be recorded as alive."""
        self.cluster.epoch += 1
        up_from, _, down_at = self.cluster.osd_epochs.get(osd, (1, 1, 0))
        self.cluster.osd_epochs[osd] = (up_from, self.cluster.epoch, down_at)


def test_group_that_fails_hours_later_begins_when_it_does():
    scene = TwoGroups()
    began = scene.now
    scene.down(0)
    scene.turn(10)
    assert scene.observer.current().groups == ('(cluster)', 'x86')
    scene.now += HOURS
    scene.turn(3)
    scene.down(2)
    later = scene.now
    scene.turn(1)
    # OSDs of the other group are recorded as alive meanwhile
    scene.alive(1)
    scene.turn(10)
    scene.up(2)
    scene.turn(10)
    scene.up(0)
    scene.turn(10)
    ((episode, _),) = scene.put[-1:]
    x86, arm = episode.timelines[1:]
    assert x86.mark(Mark.T1).at == pytest.approx(began, abs=0.5)
    assert arm.mark(Mark.T1).at == pytest.approx(later, abs=0.5)
    assert arm.mark(Mark.T1).source == 'osd map'
    assert arm.mark(Mark.T2).at == pytest.approx(later, abs=0.5)
    assert arm.span(Mark.T1, Mark.T5).seconds < 60.0


def test_change_that_nothing_came_of_is_not_the_first():
    events = [event(0, 10, kind=CRUSH, osd=-1), event(3600, 20, kind=DOWN)]
    events[0] = MapEvent(T, 0.1, 10, True, False, (Cause(CRUSH, T),))
    quiet = [poll(at) for at in (2, 10, 3500)]
    ill = [poll(3605, affected=9, unclean=9, first_epoch=20)]
    assert find_t1(events, quiet + ill, own={0}).at == T + 3600
    assert find_t1(events, quiet + ill).at == T + 3600
    # nobody looked between
    assert find_t1(events, ill, own={0}).at == T


def test_osd_that_came_back_between_two_looks_had_gone_before():
    events = [event(0, 11, kind=DOWN), event(1, 13, kind=UP)]
    polls = [poll(-3), poll(3, affected=9, first_epoch=13)]
    assert find_t1(events, polls, own={0}).at == T


def test_pgs_that_came_from_others_begin_where_these_were_mapped():
    """Nothing names an OSD of theirs, but an epoch does."""
    events = [
        event(0, 11, kind=DOWN, osd=7),
        event(50, 20, kind=CauseKind.UPMAP, osd=8),
    ]
    polls = [poll(40), poll(55, affected=1, unclean=1, first_epoch=20)]
    assert find_t1(events, polls, own={0}).at == T + 50


def test_sums_know_the_own_osds_first():
    events = [event(0, 11, kind=DOWN, osd=7), event(50, 20, kind=DOWN)]
    values = dict(walked=False, conclusive=False)
    polls = [poll(40, **values), poll(55, unclean=9, **values)]
    assert find_t1(events, polls, own={0}).at == T + 50
    # an OSD that shares PGs with the group
    assert find_t1(events, polls, own={3}).at == T + 50
    polls = [poll(-3, **values), poll(55, unclean=9, **values)]
    found = find_t1(events, polls, own={3})
    assert (found.at, found.accuracy) == (T + 24.95, pytest.approx(25.05))


def test_only_own_osds_that_live_tell_of_own_pgs():
    lived = MapEvent(
        T + 5, 0.1, 12, False, True, through=11, lived={0: 9, 7: 11}
    )
    other = event(6, 13, kind=UP, osd=7)
    own, none = of_scope([event(0), lived, other], {0}, T + 1)
    assert (own.up_thru, own.through) == (True, 9)
    assert (none.interval, none.causes) == (False, ())
    assert of_scope([lived], {3}, T)[0].up_thru is False
    assert of_scope([lived], None, T) == [lived]


def test_events_with_a_cause_are_kept_longest():
    many = [event(i, i, kind=DOWN if i % 10 == 5 else None)
            for i in range(100)]  # fmt: skip
    kept = fewer(many, 40)
    assert len(kept) == 40
    assert [e.epoch for e in kept if e.causes] == list(range(5, 100, 10))
    assert kept[:20] == many[:20] and kept[-1] == many[-1]
    assert len(fewer([event(i, kind=DOWN) for i in range(9)], 4)) == 4
