"""Tests of flags of the OSD map that hold a recovery up."""

import dataclasses

import pytest

from ...model.recovery import Fate, Moment, StepKind
from ...model.recovery_plan import PlannedStep
from ...ports import recovery_reads as sights
from ...recovery.judge.flags import named, note, seconds_set
from ...recovery.judge.records import MapEvent
from ...recovery.judge.timeline import make_timeline
from ...recovery.observe.mapwatch import EpochClock, diff
from ...recovery.run.stepwatch import StepWatch
from .test_scope_events import SCOPES, TwoGroups
from .test_timeline import T, event, poll
from .test_watch import osdmap

NOTE = 'flags of the OSD map were set meanwhile: '


def flagged(scene, *flags):
    scene.cluster.flags = list(flags)
    scene.cluster.epoch += 1


def notes(timeline):
    return [n[len(NOTE) :] for n in timeline.notes if n.startswith(NOTE)]


def test_recovery_that_was_paused_overnight_says_so():
    scene = TwoGroups()
    scene.down(0)
    scene.turn(3)
    flagged(scene, 'norecover', 'sortbitwise')
    began = scene.now
    scene.turn(3)
    scene.now += 12 * 3600.0
    flagged(scene, 'sortbitwise')
    scene.turn(3)
    scene.up(0)
    scene.turn(12)
    ((episode, _),) = scene.put[-1:]
    for timeline in episode.timelines:
        assert notes(timeline) == ['norecover (12 h)']
        told = [e for e in timeline.events if 'flag' in e.text]
        assert [e.text for e in told] == [
            'flag norecover set',
            'flag norecover unset',
        ]
        assert told[0].at == pytest.approx(began, abs=0.5)
    # a flag is no cause, and moves nothing
    assert len(episode.causes) == 2


def test_flags_open_no_episode():
    scene = TwoGroups()
    flagged(scene, 'noout')
    scene.turn(5)
    assert scene.observer.status().state == 'watching'
    scene.down(0)
    scene.turn(3)
    scene.up(0)
    scene.turn(12)
    assert notes(scene.put[0][0].timelines[0]) == ['noout (all the time)']


def test_next_manager_knows_only_what_it_sees():
    scene = TwoGroups()
    flagged(scene, 'nobackfill')
    scene.turn(2)
    scene.down(0)
    scene.turn(3)
    scene.observer = scene.another()
    scene.turn(2)
    scene.up(0)
    scene.turn(12)
    (found,) = notes(scene.put[-1][0].timelines[0])
    assert found.startswith('nobackfill (at least ')


def test_step_of_a_test_says_so():
    scene = TwoGroups()
    step = PlannedStep(StepKind.STOP, 'stopped', 'osd.0', (0,), ('x86-1',))
    watch = StepWatch(scene.cluster, scene.clock, SCOPES[0], Moment(), step)
    watch._watch._now = watch._watch._monotonic = scene.monotonic
    scene.down(0)
    for flags in ((), ('pauserd', 'pausewr'), ()):
        flagged(scene, *flags)
        watch.tick()
        scene.now += 10.0
    (found,) = notes(watch.end())
    assert found == 'pauserd (10 s), pausewr (10 s)'


def test_flags_count_between_two_times_only():
    def event(at, *flags):
        return MapEvent(at, 0.1, 1, False, False, flags=frozenset(flags))

    events = [event(10.0, 'noup'), event(20.0), event(90.0, 'noout')]
    held = seconds_set(events, frozenset(('noin',)), 15.0, 50.0)
    assert held == {'noup': 5.0}
    held = seconds_set(events, frozenset(('noin',)), 0.0, 50.0)
    assert held == {'noin': 10.0, 'noup': 10.0}
    assert note(events, frozenset(), 30.0, 50.0, False) is None


def test_change_of_flags_is_no_interval():
    new = dataclasses.replace(osdmap(11), flags=frozenset(('noup',)))
    (event,) = diff(osdmap(10), new, EpochClock())
    assert not (event.interval or event.up_thru or event.causes)
    assert event.flags == {'noup'}


def test_only_flags_that_hinder_are_read():
    found = sights.map_facts(
        {
            'epoch': 5, 'modified': '0.0', 'osds': [], 'pools': [],
            'flags_set': ['noout', 'pauserd', 'sortbitwise'],
        }
    )  # fmt: skip
    assert found.flags == {'noout', 'pauserd'}


def test_flags_count_from_the_order_on():
    """One that hides a failure is gone before the map tells of it."""
    order = Moment(Fate.REACHED, T, 0.1, 'order')
    events = [
        MapEvent(T + 1, 0.1, 10, False, False, flags=frozenset(('nodown',))),
        MapEvent(T + 4, 0.1, 11, False, False, flags=frozenset()),
        event(5, 12),
    ]
    polls = [poll(at, affected=9) for at in (6, 20)]
    (found,) = notes(make_timeline('x', T, T + 60, events, polls, order))
    assert found == 'nodown (3 s)'
    assert not notes(make_timeline('x', T, T + 60, events, polls))
    assert named(NOTE + found) == {'nodown'}
    assert named('noout (5 s)') == set()
