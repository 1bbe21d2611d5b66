"""What the page of a recovery is sent of notes."""

import dataclasses
from types import SimpleNamespace

from ...app.recoveries import RecoveryDetail
from ...model.recovery import (
    Episode,
    RecoveryTest,
    Scenario,
    State,
    StepKind,
    StepResult,
    TestState,
    Timeline,
)
from ...remote.calls import CALLS
from ...report.recovery.notes import notes

SUMS = 'numbers of PGs are sums over OSDs'
STAYS = 'noout stays: an alert of others wants it'


def course(group, *told):
    return Timeline(group, 0.0, 9.0, {}, notes=told)


def step(group, repetition=1, told=(), of_course=(), **more):
    return StepResult(
        group,
        repetition,
        1,
        StepKind.START,
        'osd.1 started',
        timeline=course(group, *of_course),
        notes=told,
        **more,
    )


def sent(*steps, **more):
    item = RecoveryTest(
        '1a2b3c4d',
        TestState.COMPLETED,
        Scenario.OSD_STOP,
        ('x86', 'arm'),
        0.0,
        steps=steps,
        **more,
    )
    return [(n.text, n.warns) for n in notes(item)]


def test_notes_of_a_step_stand_with_their_place():
    assert sent(step('arm', told=('osd.1 was repeated',))) == [
        ('arm, repetition 1, osd.1 started: osd.1 was repeated', False)
    ]


def test_what_was_left_is_a_warning():
    left = (
        STAYS,
        'osd.1: out by an order, not for being down, and left so',
        'not clean within 600 s, given up',
        'not peered within 600 s',
        'upmaps: not all are set again yet, which is tried anew at the end',
    )
    assert [warns for _, warns in sent(step('x86', told=left))] == [True] * 5


def test_what_holds_of_many_steps_is_said_once():
    steps = [
        step(group, n, of_course=(SUMS,))
        for group in ('x86', 'arm')
        for n in (1, 2)
    ]
    assert sent(*steps) == [(f'x86, arm, 4 steps: {SUMS}', False)]


def test_limits_of_recovery_that_differ_are_said():
    steps = [
        step('x86', settings={'osd_max_backfills': '1'}),
        step('arm', settings={'osd_max_backfills': '4'}),
    ]
    assert sent(*steps) == [
        ('osd_max_backfills differs: arm 4, x86 1', False)
    ]


def test_notes_of_the_recovery_itself_are_not_among_them():
    assert sent(step('x86'), notes=('arm: emulated by latency',)) == []


def test_groups_of_an_observed_recovery_have_theirs():
    item = Episode(
        '1a2b3c4d',
        State.CLEAN,
        0.0,
        timelines=(course('x86', SUMS), course('arm', SUMS)),
    )
    assert [n.text for n in notes(item)] == [f'x86, arm: {SUMS}']
    lone = dataclasses.replace(item, timelines=item.timelines[:1])
    assert [n.text for n in notes(lone)] == [f'x86: {SUMS}']


def test_the_page_is_sent_notes_beside_the_tables():
    item = Episode(
        '1a2b3c4d', State.CLEAN, 0.0, timelines=(course('x86', SUMS),)
    )
    kept = SimpleNamespace(show=lambda i: RecoveryDetail('episode', item, ()))
    found = CALLS['recovery_show'](
        SimpleNamespace(recoveries=kept), {'recovery': '1a2b3c4d'}
    )
    assert found['notes'] == [{'text': f'x86: {SUMS}', 'warns': False}]
    assert [t['title'] for t in found['tables']] == ['Phases']
