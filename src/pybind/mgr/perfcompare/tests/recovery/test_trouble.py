"""Tests of looks for trouble that no change of the map explains."""

import pytest

from ...model.recovery import CauseKind, Mark, State
from ...recovery.observe import observer, watch
from .test_observer import Scene
from .test_staying import STUCK, StuckScene


@pytest.fixture
def large(monkeypatch):
    """Let a cluster of eight PGs have too many to look at each."""
    monkeypatch.setattr(observer, 'WALK_PGS', 4)
    monkeypatch.setattr(watch, 'WALK_PGS', 4)
    monkeypatch.setattr(watch, 'WALK_PGS_ONCE', 4)


@pytest.fixture(params=('each PG', 'sums'))
def scene(request):
    if request.param == 'sums':
        request.getfixturevalue('large')
    found = StuckScene(STUCK[0])
    found.turn(150)
    return found


def replace(scene, index, **fields):
    """Let one PG report something; return what it had reported."""
    old = scene.cluster.pg_reports[index]
    fields.setdefault('last_change', scene.now)
    scene.cluster.pg_reports[index] = old._replace(**fields)
    return old


def is_watching(scene):
    return scene.observer.status().state == 'watching'


def test_balancer_that_moves_a_pg_opens_nothing(scene):
    words = ('active', 'remapped', 'backfilling')
    old = replace(scene, 0, words=words, remapped=True, misplaced=5)
    scene.turn(100)
    scene.cluster.pg_reports[0] = old._replace(last_change=scene.now)
    scene.turn(100)
    assert is_watching(scene) and scene.put == []


@pytest.mark.parametrize('passing', ['scrubbing', 'snaptrim', 'laggy'])
def test_what_passes_in_a_stuck_pg_is_no_news(scene, passing):
    words = scene.cluster.pg_reports[-1].words
    replace(scene, -1, words=words + (passing,))
    scene.turn(40)
    replace(scene, -1, words=words)
    scene.turn(1)
    scene.down()
    scene.turn(5)
    scene.up()
    scene.turn(100)
    assert is_watching(scene)
    assert {e.causes[0].kind for e, _ in scene.put} == {CauseKind.OSD_DOWN}


def test_osd_that_carries_a_stuck_pg_restarts(scene):
    scene.down(2)
    scene.turn(5)
    scene.up(2)
    back = scene.now
    # it peered, and is what it was
    epoch = scene.cluster.epoch
    replace(scene, -1, became_active=back, mapping_epoch=epoch)
    scene.turn(12)
    assert is_watching(scene)
    episode, _ = scene.put[-1]
    assert episode.state is State.CLEAN
    found = episode.timelines[0].mark(Mark.T5)
    assert abs(found.at - back) <= (found.accuracy or 0.0) + 0.5


def test_stuck_pg_that_alone_had_a_part_tells_when_all_was_over():
    scene = StuckScene(STUCK[0])
    scene.turn(150)
    fields = dict(words=scene.cluster.pg_reports[-1].words)
    scene.cluster.set_osd(2, up=False)
    scene.cluster.osd_epochs[2] = (1, 1, scene.cluster.epoch)
    replace(scene, -1, words=('undersized', 'degraded', 'peered'))
    scene.turn(5)
    scene.cluster.set_osd(2, up=True)
    epoch = scene.cluster.epoch
    scene.cluster.osd_epochs[2] = (epoch, 1, epoch - 1)
    back = scene.now
    for number in range(8):
        if 2 in scene.cluster.pg_reports[number].osds:
            replace(scene, number, mapping_epoch=epoch, last_change=1.0)
    replace(
        scene, -1, mapping_epoch=epoch, became_active=back, **fields
    )  # fmt: skip
    scene.turn(12)
    assert is_watching(scene)
    whole = scene.put[-1][0].timelines[0]
    for mark in (Mark.T2, Mark.T4, Mark.T5):
        assert whole.mark(mark).at == pytest.approx(back, abs=0.5)


def test_what_passes_as_the_module_begins_is_no_news():
    scene = StuckScene(STUCK[0])
    words = scene.cluster.pg_reports[-1].words
    scene.observer = scene.another()
    scene.turn(2)
    replace(scene, -1, words=words + ('laggy',))
    scene.turn(2)
    replace(scene, -1, words=words)
    scene.turn(150)
    assert is_watching(scene) and scene.put == []


def test_new_trouble_beside_a_stuck_pg_begins_after_the_last_look(scene):
    began = scene.now
    replace(scene, 0, words=('active', 'recovering', 'degraded'), degraded=3)
    scene.turn(80)
    episode = scene.observer.current()
    assert episode.causes[0].kind is CauseKind.UNKNOWN
    assert began - 70.0 <= episode.began <= began
    replace(scene, 0, words=('active', 'clean'), degraded=0)
    scene.turn(12)
    assert is_watching(scene)
    assert scene.put[-1][0].state is State.CLEAN


def test_unfound_objects_are_news_only_once(scene):
    words = ('active', 'recovery_unfound', 'degraded')
    replace(scene, 0, words=words, degraded=3, unfound=1)
    scene.turn(80)
    assert scene.observer.current().causes[0].kind is CauseKind.UNKNOWN
    scene.observer = scene.another()
    scene.observer._handover.forget()
    scene.turn(150)
    assert is_watching(scene)


@pytest.mark.parametrize('ago', [0.0, 3.0, 6.0])
def test_what_the_last_good_look_could_not_know_is_news(ago):
    """PGs had not reported it by then."""
    scene = Scene()
    scene.turn(40)
    looked = len(scene.cluster.called('pg_sums'))
    while len(scene.cluster.called('pg_sums')) == looked:
        scene.turn(1, seconds=1.0)
    began = scene.now - 1.0 - ago
    old = dict(became_active=1.0, mapping_epoch=1)
    for index in range(len(scene.cluster.pg_facts())):
        if not scene.cluster.pg_reports:
            scene.cluster.pg_reports[:] = scene.cluster.pg_facts()
        replace(
            scene, index, words=('active', 'degraded'), degraded=3,
            last_change=began, **old,
        )  # fmt: skip
    scene.turn(80)
    t1 = scene.observer.current().timelines[0].mark(Mark.T1)
    assert abs(t1.at - began) <= t1.accuracy


def test_pg_that_healed_is_waited_for_when_it_lacks_copies_again(large):
    scene = StuckScene(STUCK[0])
    scene.turn(150)
    scene.down()
    scene.turn(5)
    scene.up()
    stuck = replace(scene, -1, words=('active', 'clean'), degraded=0)
    scene.turn(20)
    assert is_watching(scene)
    scene.down()
    scene.report('active+clean')
    scene.cluster.pg_reports[-1] = stuck._replace(last_change=scene.now)
    scene.turn(80)
    assert scene.observer.current() is not None
