"""Tests of the observer: what it records, and what it leaves alone."""

import dataclasses
import json
import threading
import time

import pytest

from ...model.group import emulated_label
from ...model.recovery import (
    Cause,
    CauseKind,
    Detection,
    DownKind,
    Episode,
    Fate,
    Moment,
    Size,
    State,
    Timeline,
)
from ...recovery.observe.handover import LIMIT, OPEN, SEEN, Handover, Left
from ...recovery.observe.mapwatch import EpochClock, diff
from ...recovery.observe.observer import Observer
from ...recovery.observe.open_episode import WHOLE
from ...recovery.observe.pgbook import Scope
from ..fakes.cluster import FakeCluster

CHANGES = ('set', 'remove', 'create', 'upmap', 'crush_', 'pool_set', 'auth_')


class Scene:
    """Hold an observer of a fake cluster, with a clock of its own."""

    def __init__(self, cluster=None, scopes=()):
        self.scopes = scopes or [Scope('x86', frozenset((0, 1)))]
        self.now = time.time()
        self.set_by = 0.0  # seconds, of the wall clock only
        self.busy = False
        self.enabled = True
        self.put = []
        self.cluster = cluster or FakeCluster()
        if not self.cluster.pool_table:
            self.cluster.add_pool('data', pg_num=8, objects=80)
        self.observer = self.another()

    def wall(self):
        return self.now

    def monotonic(self):
        return self.now

    def another(self):
        self.clock = EpochClock()
        return Observer(
            self.cluster,
            self.clock,
            lambda: self.scopes,
            lambda episode, tables: self.put.append((episode, tables)),
            lambda: self.busy,
            lambda: self.enabled,
            now=lambda: self.now + self.set_by,
            monotonic=lambda: self.now,
        )

    def turn(self, times=1, seconds=2.1):
        for _ in range(times):
            self.observer.turn()
            self.now += seconds

    def down(self, osd=0):
        """Let an OSD go down, and its PGs peer without it."""
        self.cluster.set_osd(osd, up=False)
        self.cluster.osd_epochs[osd] = (1, 1, self.cluster.epoch)
        self.report('active+undersized+degraded', degraded=10)

    def up(self, osd=0):
        self.cluster.set_osd(osd, up=True)
        epoch = self.cluster.epoch
        self.cluster.osd_epochs[osd] = (epoch, 1, epoch - 1)
        self.report('active+clean')

    def report(self, state, **fields):
        """Let all PGs report a state that they have from now on."""
        del self.cluster.pg_reports[:]
        facts = self.cluster.pg_facts()
        fields.update(
            words=tuple(state.split('+')),
            last_change=self.now,
            became_active=self.now,
            mapping_epoch=self.cluster.epoch,
        )
        self.cluster.pg_reports.extend(f._replace(**fields) for f in facts)


def stamp(at):
    """Return a time as the cluster log has it."""
    text = time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(at))
    return f'{text}.{int(at % 1 * 1e6):06d}+0000'


@pytest.fixture
def scene():
    found = Scene()
    found.turn(2)
    return found


def test_a_clock_that_is_set_back_hides_no_recovery(scene):
    scene.set_by = -3600.0
    scene.down()
    scene.turn(3)
    assert scene.observer.status().state == 'recording'
    assert scene.observer.current() is not None
    scene.set_by = -7200.0
    scene.up()
    scene.turn(12)
    assert scene.observer.status().state == 'watching'
    assert scene.put[-1][0].state is State.CLEAN


def test_an_episode_says_which_of_its_groups_are_emulated():
    scopes = [
        Scope('slow', frozenset((0, 1)), emulated=True),
        Scope('elsewhere', frozenset((99,)), emulated=True),
    ]
    scene = Scene(scopes=scopes)
    scene.turn(2)
    scene.down()
    scene.turn(3)
    # the next mgr says it once, too
    scene.observer = scene.another()
    scene.up()
    scene.turn(12)
    episode, _ = scene.put[-1]
    assert episode.handovers
    assert [n for n in episode.notes if 'emulated' in n] == [
        emulated_label('slow')
    ]


def test_a_quiet_cluster_is_left_alone(scene):
    before = scene.cluster.snapshot()
    looks = len(scene.cluster.called('map_facts'))
    scene.turn(20)
    assert len(scene.cluster.called('map_facts')) == looks
    assert scene.put == []
    assert scene.cluster.snapshot() == before
    assert scene.observer.status().state == 'watching'


def test_an_osd_that_went_and_came_is_one_episode(scene):
    scene.down()
    scene.turn(5)
    assert scene.observer.status().state == 'recording'
    assert scene.observer.current().state is State.OPEN
    scene.up()
    scene.turn(12)
    ((episode, tables),) = scene.put
    assert episode.state is State.CLEAN
    assert [c.kind for c in episode.causes] == [
        CauseKind.OSD_DOWN,
        CauseKind.OSD_UP,
    ]
    assert episode.groups == (WHOLE, 'x86')
    assert set(tables) == {WHOLE, 'x86'}
    assert episode.timelines[0].size.degraded == 80
    assert scene.observer.status().state == 'watching'
    assert scene.observer.status().episodes == 1


def test_observation_changes_nothing_but_its_own_notes(scene):
    before = scene.cluster.snapshot()
    del scene.cluster.calls[:]
    scene.down()
    scene.turn(40)
    scene.up()
    scene.turn(12)
    after = scene.cluster.snapshot()
    own = {k for k in after['kv'] if k.startswith('recovery/')}
    assert own == {SEEN}
    for name in before:
        if name not in ('kv', 'osds'):
            assert before[name] == after[name]
    verbs = {c.verb for c in scene.cluster.calls}
    assert not {v for v in verbs if v.startswith(CHANGES)} - {'kv_set'}


def test_a_change_that_moves_nothing_is_dropped(scene):
    scene.cluster.set_osd(0, in_=True)
    scene.cluster.osd_epochs[3] = (1, 1, scene.cluster.epoch)
    scene.cluster.set_osd(3, up=False)
    scene.turn(12)
    assert scene.put == []
    assert OPEN not in scene.cluster.kv
    assert scene.observer.status().state == 'watching'


def test_an_open_episode_survives_the_manager(scene):
    scene.down()
    scene.turn(4)
    assert OPEN in scene.cluster.kv
    scene.observer = scene.another()
    scene.turn(3)
    scene.up()
    scene.turn(12)
    ((episode, tables),) = scene.put
    assert len(episode.handovers) == 1
    assert episode.causes[0].kind is CauseKind.OSD_DOWN
    assert episode.timelines[0].size.degraded == 80
    assert set(tables) == {WHOLE + '#1', 'x86#1'}
    assert OPEN not in scene.cluster.kv


def test_what_happened_while_no_manager_looked_is_found(scene):
    scene.down()
    scene.turn(3)
    scene.up()
    scene.turn(12)
    assert len(scene.put) == 1
    scene.down(1)  # together with the host of the manager
    scene.observer = scene.another()
    scene.turn(3)
    scene.up(1)
    scene.turn(12)
    assert len(scene.put) == 2
    causes = scene.put[1][0].causes
    assert (causes[0].kind, causes[0].osds) == (CauseKind.OSD_DOWN, (1,))


def test_an_episode_is_stored_while_it_lasts(scene):
    scene.down()
    scene.turn(4)
    scene.now += 700.0
    scene.turn(2)
    assert [e.state for e, _ in scene.put] == [State.OPEN]
    scene.now += 3 * 86400.0
    scene.turn(2)
    scene.up()
    scene.turn(12)
    assert scene.put[-1][0].state is State.CLEAN
    assert len({e.id for e, _ in scene.put}) == 1


def test_recoveries_of_runs_are_theirs(scene):
    scene.busy = True
    scene.turn(2)
    assert scene.observer.status().state == 'paused'
    scene.down()
    scene.turn(3)
    scene.up()
    scene.turn(3)
    scene.busy = False
    scene.turn(12)
    assert scene.put == []


def run_ends(scene):
    """Let a run take an OSD down and bring it up again, and end."""
    scene.turn(2)
    scene.busy = True
    scene.turn(2)
    scene.down()
    scene.turn(2)
    scene.up()
    scene.turn(2)
    scene.busy = False


def test_next_mgr_does_not_record_what_a_run_did(scene):
    run_ends(scene)
    scene.turn()
    scene.observer = scene.another()
    scene.turn(12)
    assert scene.put == []


def test_run_that_ended_as_the_mgr_left_is_known_to_the_next(scene):
    run_ends(scene)
    stopping = threading.Event()
    stopping.set()
    scene.observer._main(stopping)
    scene.observer = scene.another()
    scene.turn(12)
    assert scene.put == []


def test_end_of_a_run_is_soon_seen(scene):
    run_ends(scene)
    assert scene.observer._patience() <= 2.0


def test_nothing_is_judged_before_a_run_that_was_left_is_known():
    scene = Scene()
    scene.observer._ready = lambda: False
    scene.turn(3)
    assert scene.cluster.called('map_facts') == []


def test_a_run_ends_an_open_episode(scene):
    scene.down()
    scene.turn(4)
    scene.busy = True
    scene.turn(2)
    ((episode, _),) = scene.put
    assert episode.state is State.STOPPED
    assert 'a run or test began' in episode.notes[0]
    clean = episode.timelines[0].marks['t5']
    assert clean.fate is Fate.CENSORED


def test_the_option_turns_it_off(scene):
    scene.enabled = False
    scene.turn(2)
    scene.down()
    scene.turn(5)
    assert scene.put == []
    assert scene.observer.status().state == 'off'


def test_degraded_objects_that_no_change_explains_are_recorded(scene):
    scene.report('active+degraded', degraded=3)
    scene.turn(80)
    assert scene.observer.current().causes[0].kind is CauseKind.UNKNOWN
    scene.report('active+clean')
    scene.turn(12)
    assert len(scene.put) == 1


def test_the_balancer_opens_no_episode(scene):
    scene.cluster.upmap_items[(1, 0)] = {0: 1}
    scene.cluster.epoch += 1
    scene.turn(6)
    assert scene.observer.status().state == 'watching'


def big_episode(groups=40, causes=80, downs=0):
    marks = {
        f't{i}': Moment(Fate.REACHED, 1795211149.031 + i, 0.1, 'pg stats')
        for i in range(1, 6)
    }
    return Episode(
        'deadbeef', State.OPEN, 1795211149.031,
        causes=tuple(
            Cause(CauseKind.OSD_DOWN, 1795211149.0, (i,), f'osd.{i} down')
            for i in range(causes)
        ),
        timelines=tuple(
            Timeline(
                f'group-{i}', 0.0, 1.0, marks,
                size=Size(100, 10**9, 10**8, 10**8, 0, 1e15, 1e9),
                states={'degraded': 999, 'undersized': 999},
                detections=(
                    Detection(3, 1795211149.0, 0.1, DownKind.REFUSED),
                    Detection(
                        4, 1795211150.5, 0.1, DownKind.SILENT,
                        silence=21.25, grace=20.0, reporters=2,
                    ),
                ) + tuple(
                    Detection(i, 1795211151.0, 0.1) for i in range(downs)
                ),
            )
            for i in range(groups)
        ),
    )  # fmt: skip


def test_what_is_kept_in_the_mon_store_stays_small():
    cluster = FakeCluster()
    Handover(cluster).save(Left(big_episode(downs=60), 10, 20))
    assert len(cluster.kv[OPEN].encode()) <= LIMIT < 4096
    left = Handover(cluster).load()
    assert left.episode.timelines[0].scope == 'group-0'
    assert (left.epoch, left.seen) == (10, 20)
    assert left.episode.causes[0].osds == (0,)


def test_what_was_kept_comes_back():
    cluster = FakeCluster()
    episode = big_episode(groups=2, causes=3)
    Handover(cluster).save(Left(episode, 10, 20))
    left = Handover(cluster).load().episode
    assert left.causes == episode.causes
    assert left.timelines == episode.timelines


def test_note_of_a_module_that_knew_of_no_detection_is_read():
    cluster = FakeCluster()
    Handover(cluster).save(Left(big_episode(groups=1, causes=1), 10, 20))
    note = json.loads(cluster.kv[OPEN])
    del note['timelines'][0][6]
    cluster.kv_set(OPEN, json.dumps(note))
    (timeline,) = Handover(cluster).load().episode.timelines
    assert timeline.detections == ()
    assert timeline.size.pgs == 100


def test_how_an_osd_was_found_down_survives_the_manager(scene):
    scene.clock.downs.note(
        {
            'stamp': stamp(scene.now),
            'message': 'osd.0 failed (root=default,host=a) (connection '
            'refused reported by osd.1)',
        }
    )
    scene.down()
    scene.turn(4)
    scene.observer = scene.another()
    scene.turn(3)
    scene.up()
    scene.turn(12)
    ((episode, _),) = scene.put
    for timeline in episode.timelines:
        (found,) = timeline.detections
        assert (found.osd, found.kind) == (0, DownKind.REFUSED)
        assert (found.after, found.silence) == (None, None)


def test_a_damaged_note_is_no_reason_to_stop():
    cluster = FakeCluster()
    cluster.kv_set(OPEN, '{"id": 1')
    assert Handover(cluster).load() is None
    cluster.kv_set(SEEN, 'x')
    assert Handover(cluster).seen() is None
    assert dataclasses.is_dataclass(Episode)


# cost


class Costly(FakeCluster):
    """Take as much CPU for a look at the map as with 10,000 OSDs."""

    LOOK = 0.2
    spent = 0.0

    def map_facts(self):
        self.spent += self.LOOK
        return super().map_facts()

    def pg_sums(self):
        self.spent += self.LOOK
        return super().pg_sums()


def costly_scene():
    cluster = Costly()
    scene = Scene(cluster)
    scene.observer = Observer(
        cluster,
        scene.clock,
        lambda: [],
        lambda episode, tables: scene.put.append((episode, tables)),
        lambda: False,
        lambda: True,
        now=lambda: scene.now,
        monotonic=lambda: scene.now,
        cpu=lambda: cluster.spent,
    )
    scene.observer.turn()
    return scene


def share_of(scene, seconds):
    """Let one epoch a second pass; return the share of a CPU it took."""
    before = scene.cluster.spent
    for _ in range(seconds):
        scene.cluster.epoch += 1
        scene.turn(seconds=1.0)
    return (scene.cluster.spent - before) / seconds


def test_an_epoch_a_second_costs_no_more_however_dear_maps_are():
    scene = costly_scene()
    share_of(scene, 100)  # what was saved up is spent
    assert 0.002 < share_of(scene, 1000) < 0.008
    # also while a recovery is followed, which sees each map anew
    scene.down()
    share_of(scene, 100)
    assert scene.observer.status().episode
    assert 0.002 < share_of(scene, 1000) < 0.008


@pytest.mark.parametrize('hint', ('states of PGs', 'the cluster log'))
def test_what_something_hints_at_is_looked_at_at_once(hint):
    scene = costly_scene()
    share_of(scene, 100)
    share_of(scene, 3)  # what is left is for what matters
    looks = len(scene.cluster.called('map_facts'))
    share_of(scene, 2)
    assert len(scene.cluster.called('map_facts')) == looks
    scene.cluster.set_osd(0, up=False)
    if hint == 'states of PGs':
        scene.report('active+undersized+degraded', degraded=10)
    else:
        scene.clock.tell({'message': 'osd.0 failed (root=default,host=a)'})
        scene.clock.told_at = scene.now
    scene.turn(seconds=1.0)
    assert len(scene.cluster.called('map_facts')) == looks + 1
    assert scene.observer.status().episode


def test_a_map_that_was_passed_over_tells_how_well_it_is_known():
    scene = costly_scene()
    old = scene.cluster.map_facts()
    clock = EpochClock()
    clock.note(old.epoch + 1)
    clock._times[0] = (old.epoch + 1, time.time() - 25.0)
    clock.note(old.epoch + 9)
    scene.cluster.epoch += 9
    new = dataclasses.replace(scene.cluster.map_facts(), crush=2)
    (event,) = diff(old, new, clock)
    assert 24.0 < event.accuracy < 26.0
