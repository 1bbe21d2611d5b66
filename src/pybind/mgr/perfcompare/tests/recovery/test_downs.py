"""Tests of how OSDs were found down: lines as Ceph 18.2 and 20.2 write them."""

import dataclasses

import pytest

from ...app.recoveries import Recoveries
from ...model.recovery import (
    CauseKind,
    Detection,
    DownKind,
    Fate,
    Moment,
    RecoveryTest,
    Scenario,
    StepKind,
    StepResult,
    TestState,
    Timeline,
)
from ...recovery.judge import comparison
from ...recovery.judge.downs import OsdDownLog, detections, read
from ...recovery.observe.mapwatch import EpochClock
from ...report.recovery import comparison as comparisontext
from ...report.recovery import text
from .test_timeline import event

T = 1000.0
CLEAN = 'osd.1 marked itself down and dead'
REFUSED = (
    'osd.12 failed (root=default,host=p1) (connection refused reported by '
    'osd.5)'
)
SILENT = (
    'osd.1 failed (root=default,host=p1) (2 reporters from different host '
    'after 22.485212 >= grace 20.170459)'
)


def entry(seconds, message):
    return {
        'stamp': f'1970-01-01T00:{int(16 * 60 + 40 + seconds) // 60:02d}:'
        f'{int(40 + seconds) % 60:02d}.000000+0000',
        'message': message,
        'channel': 'cluster',
    }


@pytest.mark.parametrize(
    'line, osd, kind',
    (
        (CLEAN, 1, DownKind.ITSELF),
        ('osd.3 marked itself down', 3, DownKind.ITSELF),
        (REFUSED, 12, DownKind.REFUSED),
        (SILENT, 1, DownKind.SILENT),
        (
            'osd.2 marked down after no beacon for 901.5 seconds',
            2,
            DownKind.NO_BEACON,
        ),
        (
            'Monitor daemon marked osd.7 down, but it is still running',
            7,
            DownKind.LIVING,
        ),
    ),
)
def test_line_of_the_cluster_log_says_how(line, osd, kind):
    found = read(T, line)
    assert (found.osd, found.kind) == (osd, kind)


@pytest.mark.parametrize(
    'line',
    (
        'osd.1 marked itself dead as of e35',
        'osd.1 [v2:127.0.0.1:6800/1,v1:127.0.0.1:6801/1] boot',
        'Health check failed: 1 osds down (OSD_DOWN)',
        'a note about osd.1 failed (x) (connection refused',
        '',
    ),
)
def test_other_lines_say_nothing(line):
    assert read(T, line) is None


def test_silence_and_grace_are_the_words_of_the_monitors():
    found = read(T, SILENT)
    assert found.silence == pytest.approx(22.485212)
    assert (found.grace, found.reporters) == (pytest.approx(20.170459), 2)


def down(at, osd):
    return event(at, 10, kind=CauseKind.OSD_DOWN, osd=osd)


def test_each_osd_that_goes_down_has_what_was_told_of_it():
    log = OsdDownLog()
    log.note(entry(0, SILENT))
    log.note(entry(1, REFUSED))
    log.note({'message': None})
    found = detections([down(0.4, 1), down(1.5, 12), down(2, 4)], log.of)
    assert [(d.osd, d.kind) for d in found] == [
        (1, DownKind.SILENT),
        (12, DownKind.REFUSED),
        (4, DownKind.UNKNOWN),
    ]
    assert [d.after for d in found] == [None] * 3


def test_line_of_another_time_is_of_another_failure():
    log = OsdDownLog()
    log.note(entry(-60, REFUSED))
    (found,) = detections([down(0, 12)], log.of)
    assert found.kind is DownKind.UNKNOWN


def test_reason_of_the_monitors_comes_before_the_complaint_of_the_osd():
    log = OsdDownLog()
    log.note(entry(0, SILENT))
    log.note(
        entry(2, 'Monitor daemon marked osd.1 down, but it is still running')
    )
    (found,) = detections([down(1.8, 1)], log.of)
    assert found.kind is DownKind.SILENT


def test_time_counts_from_our_order():
    order = Moment(Fate.REACHED, T - 2.5, 0.1, 'order')
    log = OsdDownLog()
    found = detections([down(0, 1), down(1, 9)], log.of, (1,), order)
    assert [(d.osd, d.after) for d in found] == [(1, 2.5)]


def test_lines_come_with_the_notifications_of_the_manager():
    recoveries = Recoveries.__new__(Recoveries)
    recoveries._clock = EpochClock()
    recoveries.noted('clog', entry(0, REFUSED))
    recoveries.noted('clog', 'not a line')
    assert recoveries._clock.downs.of(12, T).kind is DownKind.REFUSED


def shown(*found):
    return text.timeline(Timeline('x86', T, T, {}, detections=tuple(found)))


def test_show_tells_how_and_how_long():
    plain = shown(
        Detection(1, T, 0.1, DownKind.SILENT, 24.0, 22.5, 20.2, 2),
        Detection(2, T, 0.1, DownKind.ITSELF, 0.84),
        Detection(3, T, 0.1, DownKind.REFUSED),
    )
    assert 'heartbeats missing (2 reporters)' in plain
    assert '24.0 s from the order; silent for 22.5 s, grace 20.2 s' in plain
    assert 'marked itself down                0.84 s from the order' in plain
    assert 'connection refused                not available' in plain


def test_show_names_so_many_osds_and_no_more():
    plain = shown(*(Detection(i, T, 0.1) for i in range(25)))
    assert 'osd.19' in plain and 'osd.20' not in plain
    assert 'and 5 more OSDs' in plain


def stops(**by_group):
    steps = tuple(
        StepResult(
            group,
            1,
            1,
            StepKind.STOP,
            f'{group}-1 stopped',
            f'{group}-1',
            Timeline(group, T, T, {}, detections=tuple(found)),
        )
        for group, found in by_group.items()
    )
    return RecoveryTest(
        '12345678',
        TestState.COMPLETED,
        Scenario.HOST_STOP,
        tuple(by_group),
        T,
        steps=steps,
    )


def test_groups_are_compared_by_the_last_osd_and_the_longest_silence():
    clean = Detection(1, T, 0.1, DownKind.ITSELF, 1.0)
    dead = Detection(2, T, 0.1, DownKind.SILENT, 25.0, 22.0, 20.0, 3)
    test = stops(
        x86=(clean, dataclasses.replace(clean, osd=3, after=1.5)),
        arm=(clean, dead),
    )
    found = comparison.compare(test)
    rows = {r.figure: [s.median for s in r.sides] for r in found.times}
    assert rows == {'all detected': [1.5, 25.0], 'silent': [None, 22.0]}
    assert all(r.verdict is None for r in found.times)
    assert found.found_down == {
        'x86': ('marked itself down (2)',),
        'arm': ('heartbeats missing (1)', 'marked itself down (1)'),
    }
    plain = comparisontext.render(found)
    assert 'x86: stopped OSDs found by: marked itself down (2)' in plain
    assert 'all detected' in plain and '22.0 s' in plain


def test_operators_step_has_no_time_of_an_order():
    test = stops(x86=(Detection(1, T, 0.1, DownKind.REFUSED),))
    found = comparison.compare(test)
    assert found.times == ()
    assert found.found_down == {'x86': ('connection refused (1)',)}
