"""Tests of what happened while no Manager watched: soon seen, or long ago."""

import dataclasses
import threading

import pytest

from ...model.recovery import CauseKind
from ...ports.recovery_reads import OsdFacts
from ...recovery.observe.handover import SEEN, Handover
from ..fakes.cluster import FakeCluster
from .test_observer import Scene

DAY = 86400.0


class Away(Scene):
    """Hold an observer that begins when none has watched for a while."""

    def __init__(self, kept, **restarts):
        super().__init__()
        self.restarts = restarts
        self.made = self.cluster.map_facts
        self.cluster.map_facts = self.facts
        self.cluster.epoch = 500
        self.cluster.kv_set(SEEN, kept)
        self.report('active+clean', mapping_epoch=406)

    def report(self, state, **fields):
        super().report(state)
        reports = self.cluster.pg_reports
        reports[:] = [p._replace(**fields) for p in reports]

    def facts(self):
        found = self.made()
        osds = dict(found.osds)
        for name, (down_at, ago) in self.restarts.items():
            went = self.now - ago if ago else 0.0
            osds[int(name[3:])] = OsdFacts(
                True, True, 1.0, down_at + 5, 499, down_at, went
            )
        return dataclasses.replace(
            found, osds=osds, modified=self.now - 100.0
        )

    def causes(self):
        self.turn(15)
        return [(c.kind, c.osds) for e, _ in self.put for c in e.causes]


@pytest.mark.parametrize('kept', ['100', '100 {}'])
def test_what_nobody_saw_for_weeks_is_no_recovery(kept):
    """OSDs restarted while the module was disabled: who knows how it went."""
    scene = Away(kept, osd0=(200, 20 * DAY), osd1=(400, 7 * DAY))
    scene.cluster.kv_set(SEEN, kept.format(scene.now - 21 * DAY))
    assert scene.causes() == []


@pytest.mark.parametrize('kept', ['100', '100 {}'])
def test_osd_that_is_new_since_weeks_is_no_recovery(kept):
    scene = Away(kept, osd0=(195, 0.0))
    scene.cluster.kv_set(SEEN, kept.format(scene.now - 21 * DAY))
    assert scene.causes() == []


@pytest.mark.parametrize('kept', ['100', '100 {}'])
def test_what_happened_just_now_is_found_after_weeks(kept):
    """A module that watches a quiet cluster notes nothing for weeks."""
    scene = Away(kept, osd0=(200, 20 * DAY), osd1=(400, 150.0))
    scene.cluster.kv_set(SEEN, kept.format(scene.now - 21 * DAY))
    assert scene.causes() == [
        (CauseKind.OSD_DOWN, (1,)),
        (CauseKind.OSD_UP, (1,)),
    ]


def test_osd_that_came_up_since_another_manager_left_is_found():
    scene = Away('404', osd1=(400, 7 * DAY))
    scene.observer.turn()
    assert scene.put == []
    scene.cluster.kv_set(SEEN, f'404 {scene.now - 60.0}')
    scene.observer = scene.another()
    assert scene.causes() == [(CauseKind.OSD_UP, (1,))]


def test_manager_that_leaves_says_until_when_it_watched():
    scene = Scene()
    scene.turn(2)
    scene.now += 3 * DAY
    stopping = threading.Event()
    stopping.set()
    scene.observer._main(stopping)
    epoch = scene.cluster.epoch
    assert Handover(scene.cluster).seen() == (epoch, round(scene.now, 3))


def test_when_all_was_recorded_is_kept():
    cluster = FakeCluster()
    Handover(cluster).close(404, 1796046525.25)
    assert Handover(cluster).seen() == (404, 1796046525.25)
    cluster.kv_set(SEEN, '404')  # of a former version
    assert Handover(cluster).seen()[0] == 404
    for damaged in ('x', '4 x', '404 5 6', ' '):
        cluster.kv_set(SEEN, damaged)
        assert Handover(cluster).seen() is None
