"""Tests of what the next Manager is left, and of what it cannot know."""

import dataclasses
import json

import pytest

from ...model.recovery import Detection, Fate, Mark, Timeline
from ...recovery.judge.milestones import reached
from ...recovery.judge.timeline import make_timeline
from ...recovery.observe.handover import OPEN, Handover, Left
from ...recovery.observe.pgbook import Scope
from ..fakes.cluster import FakeCluster
from .test_observer import Scene, big_episode
from .test_scope_events import TwoGroups
from .test_timeline import T, poll

WAY = {'recovering': 3, 'backfilling': 4}


def kept(groups, downs=12, sizes=()):
    """Return the timelines that fit, of so many groups."""
    cluster = FakeCluster()
    episode = big_episode(groups, 12)
    named = [
        dataclasses.replace(
            t,
            size=dataclasses.replace(t.size, pgs=pgs),
            states={**t.states, **WAY},
            detections=tuple(
                Detection(i, 1795211151.0, 0.1) for i in range(downs)
            ),
        )
        for t, pgs in zip(episode.timelines, sizes or range(99, 0, -1))
    ]
    episode = dataclasses.replace(episode, timelines=tuple(named))
    Handover(cluster).save(Left(episode, 10, 20))
    return Handover(cluster).load().episode.timelines


@pytest.mark.parametrize('groups', (3, 4, 6))
def test_moments_of_all_groups_are_kept_before_what_goes_with_them(groups):
    found = kept(groups)
    assert [t.scope for t in found] == [f'group-{i}' for i in range(groups)]
    for timeline in found:
        assert len(timeline.marks) == 5
        # how data came back is not told otherwise
        assert {w: timeline.states[w] for w in WAY} == WAY


def test_the_smallest_groups_go_first():
    sizes = [3] + [100 + i for i in range(15)]
    found = kept(16, sizes=sizes)
    assert 5 < len(found) < 16
    assert found[0].scope == 'group-0'  # the whole cluster
    assert found[1].scope == f'group-{17 - len(found)}'


@pytest.mark.parametrize('seconds, less', [(4.0, True), (40.0, False)])
def test_figures_of_two_managers_are_at_least(seconds, less):
    """Data began to move before the second one looked, or after."""
    marks = {'t1': reached(T, 0.1, ''), 't2': reached(T + 1, 0.1, '')}
    prior = Timeline('x', T, T + 9, marks)
    polls = [
        poll(20, affected=9, unclean=9, remapped=9,
             objects_recovered=0.0),
        poll(50, affected=9, unclean=2, remapped=2,
             working_at=seconds, objects_recovered=5.0,
             states={'backfilling': 1}),
        poll(60, affected=9, clean_at=55.0, objects_recovered=9.0),
    ]  # fmt: skip
    found = make_timeline('x', T, T + 60, [], polls, prior=prior)
    assert bool([n for n in found.notes if 'at least' in n]) is less
    found = make_timeline('x', T, T + 60, [], polls)
    assert not [n for n in found.notes if 'at least' in n]


def forget(scene, name):
    """Let the note be without a group."""
    note = Handover(scene.cluster)
    left = note.load()
    rest = tuple(t for t in left.episode.timelines if t.scope != name)
    episode = dataclasses.replace(left.episode, timelines=rest)
    note.save(left._replace(episode=episode))


@pytest.mark.parametrize('why', ('left out', 'set meanwhile', 'twice'))
def test_nobody_knows_when_a_group_began_that_was_not_left(why):
    scene = Scene()
    if why == 'set meanwhile':
        scene.scopes = [Scope('y', frozenset((9,)))]
    scene.turn(2)
    scene.down()
    scene.turn(4)
    scene.now += 7000.0
    scene.turn(2)
    assert OPEN in scene.cluster.kv
    if why != 'set meanwhile':
        forget(scene, 'x86')
    scene.scopes = [Scope('x86', frozenset((0, 1)))]
    scene.observer = scene.another()
    scene.turn(3)
    if why == 'twice':
        scene.now += 70.0
        scene.turn(2)
        scene.observer = scene.another()
        scene.turn(3)
    scene.up()
    back = scene.now
    scene.turn(12)
    episode, _ = scene.put[-1]
    whole, group = episode.timelines
    assert whole.mark(Mark.T1).reached
    assert group.scope == 'x86'
    for mark in (Mark.T1, Mark.T2, Mark.T3):
        assert group.mark(mark).fate is Fate.UNKNOWN
    assert group.mark(Mark.T5).at == pytest.approx(back, abs=0.5)
    assert group.span(Mark.T1, Mark.T5) is None
    assert [n for n in group.notes if 'another Manager' in n]
    assert not [n for n in whole.notes if 'another Manager' in n]


def test_each_manager_has_its_own_part_of_the_series():
    scene = Scene()
    scene.turn(2)
    scene.down()
    scene.turn(4)
    for _ in range(12):
        scene.now += 700.0  # what is sampled is stored meanwhile
        scene.turn(2)
        scene.observer = scene.another()
        scene.turn(3)
    scene.up()
    scene.turn(12)
    names = [n for _, tables in scene.put for n in tables if 'x86' in n]
    assert names == ['x86'] + [f'x86#{n}' for n in range(1, 13)]


def test_a_note_of_a_former_version_tells_the_part_by_its_handovers():
    cluster = FakeCluster()
    note = Handover(cluster)
    episode = dataclasses.replace(big_episode(3, 12), handovers=(T, T + 9))
    note.save(Left(episode, 10, 20, part=11))
    assert note.load().part == 11
    data = json.loads(cluster.kv[OPEN])
    del data['part']
    cluster.kv[OPEN] = json.dumps(data)
    assert note.load().part == 2


def test_group_that_fails_after_the_failover_is_timed():
    scene = TwoGroups()
    scene.down(2)
    scene.turn(4)
    scene.observer = scene.another()
    scene.turn(30)
    scene.down(0)
    began = scene.now
    scene.turn(5)
    scene.up(0)
    scene.up(2)
    scene.turn(12)
    episode, _ = scene.put[-1]
    assert episode.handovers
    found = {t.scope: t.mark(Mark.T1) for t in episode.timelines}
    assert found['x86'].at == pytest.approx(began, abs=0.5)
    assert found['arm'].at < began - 60.0
