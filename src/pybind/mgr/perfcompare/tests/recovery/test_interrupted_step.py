"""Tests of what becomes of a step that a failover cut."""

import pytest

from ...common.errors import PerfcompareError
from ...model.recovery import (
    CauseKind,
    Episode,
    Fate,
    Mark,
    Moment,
    State,
    StepKind,
)
from ...model.recovery_plan import PlannedStep
from ...recovery.observe import interrupted_step
from ...recovery.observe.handover import LIMIT, STEP, Handover, Left
from ...recovery.observe.interrupted_step import InterruptedStep
from ...recovery.observe.pgbook import Scope
from ...recovery.run.step_checkpoint import StepCheckpoint
from ...recovery.run.stepwatch import StepWatch
from ..fakes.cluster import FakeCluster
from .test_observer import Scene

STOP = PlannedStep(StepKind.STOP, 'OSD stopped', 'osd.0', (0,), ('x86-1',))
X86 = Scope('x86', frozenset((0, 1)))
NOTE = 'OSD stopped on x86'


class TestScene(Scene):
    """Hold a test's step that is under way, and what follows a failover."""

    __test__ = False

    def begin(self):
        ordered = Moment(Fate.REACHED, self.now, 0.1, 'order')
        self.watch = StepWatch(self.cluster, self.clock, X86, ordered, STOP)
        self.watch._watch._now = lambda: self.now
        self.watch._watch._monotonic = lambda: self.now
        self.kept = StepCheckpoint(self.cluster, self)
        self.kept.begin(self.watch, NOTE)

    def see(self, times=3):
        for _ in range(times):
            self.watch.tick()
            self.now += 2.1
            self.kept.tick()

    def fail_over(self):
        self.busy = True  # a test is to be taken up
        self.observer = self.another()


@pytest.fixture
def scene():
    found = TestScene()
    found.turn(2)
    return found


def test_step_that_was_cut_is_followed_to_its_end(scene):
    began = scene.now
    scene.begin()
    scene.down()
    scene.see()
    scene.fail_over()
    scene.turn(3)
    assert scene.observer.status().state == 'recording'
    assert scene.observer.current().state is State.OPEN
    scene.up()
    back = scene.now
    scene.turn(12)
    ((episode, tables),) = scene.put
    assert episode.state is State.CLEAN
    assert episode.notes == (NOTE,)
    assert len(episode.handovers) == 1
    assert [c.kind for c in episode.causes] == [
        CauseKind.OSD_DOWN,
        CauseKind.OSD_UP,
    ]
    (timeline,) = episode.timelines
    assert timeline.scope == 'x86' and timeline.size.degraded == 70
    assert timeline.mark(Mark.T0).at == pytest.approx(began, abs=0.01)
    assert timeline.mark(Mark.T1).at == pytest.approx(began, abs=0.5)
    assert timeline.mark(Mark.T5).at == pytest.approx(back, abs=0.5)
    assert set(tables) == {'x86'}
    assert STEP not in scene.cluster.kv
    # and what the undo changed is no episode of its own
    scene.busy = False
    scene.turn(12)
    assert len(scene.put) == 1


def test_peering_that_no_report_told_of_yet_is_not_kept(scene):
    """That PGs have reported nothing does not mean that they peered."""
    scene.begin()
    scene.cluster.set_osd(0, up=False)
    scene.cluster.osd_epochs[0] = (1, 1, scene.cluster.epoch)
    scene.see(1)
    left = Handover(scene.cluster, STEP).load()
    (timeline,) = left.episode.timelines
    assert timeline.mark(Mark.T1).reached
    assert not timeline.mark(Mark.T2).reached
    scene.report('active+undersized+degraded', degraded=10)
    scene.see(8)
    (timeline,) = Handover(scene.cluster, STEP).load().episode.timelines
    assert timeline.mark(Mark.T2).reached


def test_step_that_nothing_came_of_is_dropped(scene):
    scene.begin()
    scene.fail_over()
    scene.turn(12)
    assert scene.put == []
    assert STEP not in scene.cluster.kv
    assert scene.observer.status().state == 'paused'


def test_test_that_goes_on_ends_the_observation(scene):
    scene.begin()
    scene.down()
    scene.see()
    cut = InterruptedStep(
        scene.cluster, scene.clock, lambda: scene.now, lambda: scene.now
    )
    assert cut.following  # nobody has looked yet
    put = []
    cut.turn(lambda *found: put.append(found))
    assert cut.following and not put
    cut.let_go()
    cut.turn(lambda *found: put.append(found))
    assert not cut.following
    ((episode, _),) = put
    assert episode.state is State.STOPPED
    assert interrupted_step.UNSEEN in episode.notes
    assert cut.recorded == episode.id
    assert episode.timelines[0].mark(Mark.T5).fate is Fate.CENSORED


def test_step_is_kept_for_yet_another_manager(scene):
    scene.begin()
    scene.down()
    scene.see()
    for _ in range(2):
        scene.fail_over()
        scene.turn(20)
    scene.up()
    scene.turn(12)
    ((episode, _),) = scene.put
    assert len(episode.handovers) == 2
    assert episode.timelines[0].size.degraded == 70


def test_step_of_long_ago_is_not_followed(scene):
    scene.begin()
    scene.down()
    scene.see()
    scene.up()
    scene.now += 2 * interrupted_step.OLD
    scene.fail_over()
    scene.turn(12)
    assert scene.put == []
    assert STEP not in scene.cluster.kv


def test_a_step_that_ends_is_forgotten(scene):
    scene.begin()
    assert STEP in scene.cluster.kv
    scene.kept.end()
    assert STEP not in scene.cluster.kv


def test_a_mon_store_that_is_silent_ends_no_step(scene):
    scene.cluster.fail_on('kv_set', times=99, error=PerfcompareError('gone'))
    scene.begin()
    scene.down()
    scene.see()
    scene.kept.leave()
    assert STEP not in scene.cluster.kv
    timeline = scene.watch.end()
    assert timeline.mark(Mark.T1).reached
    assert timeline.size.degraded == 70


def test_scope_of_thousands_of_osds_fits():
    cluster = FakeCluster()
    scope = Scope('arm', frozenset(range(0, 10_000, 2)))
    episode = Episode('ab', State.OPEN, 1.0, notes=(NOTE,))
    Handover(cluster, STEP).save(Left(episode, 10, 20, scope))
    assert len(cluster.kv[STEP]) <= LIMIT
    left = Handover(cluster, STEP).load()
    assert left.scope == scope
    assert left.episode.notes == (NOTE,)
    pools = Scope('arm', None, frozenset((7,)))
    Handover(cluster, STEP).save(Left(episode, 10, 20, pools))
    assert Handover(cluster, STEP).load().scope == pools
