"""Stopped OSDs that stay in: no step waits for their recovery."""

import dataclasses
import json
import zlib

import pytest

from ...common.codec import to_data
from ...model.recovery import (
    Fate,
    Mark,
    Moment,
    Phase,
    PhaseFigures,
    RecoveryTest,
    Scenario,
    Size,
    Span,
    StepKind,
    StepResult,
    TestState,
    Timeline,
)
from ...recovery.judge.comparison import compare
from ...recovery.judge.unawaited import NOT_AWAITED
from ...recovery.store import archive, briefs
from ...recovery.store import recoveries as store
from ...report.recovery import text
from ...store.results import FileDatabase, Store
from ..data.recovery_rig import Watched, request

REACHED = {
    Mark.T1: Moment(Fate.REACHED, 1.0, 0.1, 'osd map'),
    Mark.T2: Moment(Fate.REACHED, 3.0, 0.1, 'pg stats'),
}


def timeline(group, fate, seconds):
    end = Moment(fate, 1.0 + seconds, 0.1)
    marks = {**REACHED, Mark.T3: end, Mark.T4: end, Mark.T5: end}
    return Timeline(
        group, 0.0, 90.0, {mark.value: one for mark, one in marks.items()}
    )


def made(auto_out=False, back=True):
    """Return a test as former versions stored it."""
    steps = [
        StepResult(
            group, repetition, index, kind, title, 'osd.1',
            timeline(group, fate, seconds),
        )
        for group in ('x86', 'arm')
        for repetition in (1, 2)
        for index, kind, title, fate, seconds in (
            (1, StepKind.STOP, 'OSD stopped', Fate.CENSORED, 33.0),
            (2, StepKind.START, 'OSD back', Fate.REACHED, 7.0),
        )[: 2 if back else 1]
    ]  # fmt: skip
    return RecoveryTest(
        '0000000b', TestState.COMPLETED, Scenario.OSD_STOP, ('x86', 'arm'),
        0.0, 1.0, steps=tuple(steps),
        plan={'recovery': {'repetitions': 2, 'auto_out': auto_out}},
    )  # fmt: skip


def phase(name, censored):
    return PhaseFigures(name, 1.0, Span(2.0, 0.1, censored))


def test_phases_that_no_step_waited_for_are_not_told(db):
    test = made()
    line = dataclasses.replace(
        test.steps[0].timeline,
        size=Size(pgs=8, bytes_recovered=9.0),
        phases=(
            phase(Phase.DETECTION, False), phase(Phase.PEERING, False),
            phase(Phase.WAITING, True),
        ),
    )  # fmt: skip
    steps = [dataclasses.replace(s, timeline=line) for s in test.steps[:1]]
    test = kept(db, dataclasses.replace(test, steps=tuple(steps)))
    shown = text.timeline(test.steps[0].timeline)
    assert 'peering' in shown and '>' not in shown
    # it was not the end of what moves
    (moved,) = [r for r in compare(test).times if r.figure == 'moved']
    assert moved.cut


@pytest.fixture
def db():
    return Store(FileDatabase())


def kept(db, test):
    """Store a test as a former version did; return it as it is read."""
    store.put(db, test, {})
    body = zlib.compress(json.dumps(to_data(test)).encode())
    first = briefs._group_brief('x86', test.steps[0].timeline)
    shown = dataclasses.replace(briefs.brief(test), groups=(first,))
    with db.database.transaction(write=True) as conn:
        conn.execute(
            'UPDATE recovery SET body=?, brief=?',
            (body, json.dumps(to_data(shown))),
        )
    store.renew(db)
    return store.get(db, test.id)


def test_what_no_step_waited_for_has_no_rows_and_is_no_family(db):
    found = compare(kept(db, made()))
    rows = [(r.step, r.figure) for r in found.times]
    assert rows == [
        (1, 'peered'), (2, 'peered'), (2, 'redundant'), (2, 'clean')
    ]  # fmt: skip
    assert not any(r.cut for r in found.times)


def test_it_is_said_where_moments_are(db):
    step = kept(db, made()).steps[0]
    assert step.timeline.mark(Mark.T5) == NOT_AWAITED
    shown = text.timeline(step.timeline)
    (line,) = [x for x in shown.splitlines() if x.startswith('t5')]
    assert line.split() == ['t5', 'all', 'clean', 'not', 'waited', 'for']
    assert '>' not in line


def test_lists_show_the_step_that_waits_for_a_recovery(db):
    kept(db, made())
    (info,) = store.ls(db, 10, 0).items
    assert [g.group for g in info.groups] == ['x86', 'arm']
    assert [g.clean.seconds for g in info.groups] == [7.0, 7.0]


def test_a_test_that_never_came_so_far_shows_how_it_went(db):
    kept(db, made(back=False))
    (info,) = store.ls(db, 10, 0).items
    assert [g.clean for g in info.groups] == [None, None]
    assert [g.peered.seconds for g in info.groups] == [2.0, 2.0]


def test_osds_that_are_marked_out_are_waited_for(db):
    test = kept(db, made(auto_out=True))
    assert test == made(auto_out=True)
    (info,) = store.ls(db, 10, 0).items
    # --hold is no time that anything took
    assert info.groups[0].clean.seconds == 7.0
    assert any(r.cut for r in compare(test).times)


def test_lists_show_the_first_step_that_ended_with_all_clean():
    test = made(auto_out=True)
    steps = [
        dataclasses.replace(
            s, timeline=timeline(s.group, Fate.REACHED, 50.0 / s.index)
        )
        for s in test.steps
    ]
    found = briefs.brief(dataclasses.replace(test, steps=tuple(steps)))
    assert [g.clean.seconds for g in found.groups] == [50.0, 50.0]


def test_step_that_was_given_up_is_what_lists_show():
    out = StepResult(
        'x86', 1, 1, StepKind.OUT, 'osd.1 out', 'osd.1',
        timeline('x86', Fate.CENSORED, 900.0),
    )  # fmt: skip
    back = dataclasses.replace(
        out, index=2, kind=StepKind.IN,
        timeline=timeline('x86', Fate.REACHED, 7.0),
    )  # fmt: skip
    test = dataclasses.replace(
        made(), scenario=Scenario.OSD_OUT, steps=(out, back)
    )
    assert briefs.brief(test).groups[0].clean.censored


def test_lists_unpack_no_bodies(db, monkeypatch):
    kept(db, made(auto_out=True, back=False))
    monkeypatch.setattr(store, '_item', None)
    (info,) = store.ls(db, 10, 0).items
    assert info.groups[0].clean.censored


def test_files_of_former_versions_say_the_same(db):
    item, _ = archive.parse(archive.dump(made(), {}))
    assert item.steps[0].timeline.mark(Mark.T4) == NOT_AWAITED


def test_a_test_is_stored_so(rig, monkeypatch):
    end = Watched.end

    def ended(watch):
        monkeypatch.setattr(watch, 'clean', False, raising=False)
        found = end(watch)
        # once it is back, all is clean
        if any(not o.up for o in rig.cluster.osds.values()):
            return found
        marks = {**found.marks, 't5': found.marks['t1']}
        return dataclasses.replace(found, marks=marks)

    monkeypatch.setattr(Watched, 'end', ended)
    rig.cluster.backend = 'cephadm'
    test = rig.execute(request('osd-stop', groups=('x86',), repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    fates = {s.kind: s.timeline.mark(Mark.T5) for s in test.steps[1:3]}
    assert fates[StepKind.STOP] == NOT_AWAITED
    assert fates[StepKind.START].reached
