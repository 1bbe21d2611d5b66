"""No run begins of which it is known that no result can be stored."""

from typing import Any, Iterator

import sqlite3

import pytest

from ...app import result_database
from ...common.errors import Busy, TryAgain
from ...guard import doctor
from ...guard.checks.finding import Severity
from ...guard.checks.preflight import Check
from ...store import schema
from ...store.results import Store
from ..data.guard_data import checks
from ..fakes import running
from ..fakes.running import REQUEST, Rig

folder = running.folder
cluster = running.cluster


@pytest.fixture
def rig(cluster: Any, folder: Any) -> Iterator[Rig]:
    found = Rig(cluster, folder)
    found.wait(lambda: not found.service.status().warnings)
    yield found
    found.stop()


def _downgraded(rig: Rig) -> None:
    """Leave the database as a newer module does."""
    database = rig.store.database
    with database.transaction(write=True) as conn:
        conn.execute(
            "UPDATE PerfcompareMeta SET value = ? WHERE key = 'schema'",
            (len(schema.STEPS) + 1,),
        )
    database._prepared = None


def _told(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(rig.service, '_exporters', lambda: ((), ''))
    return doctor.text(rig.service.doctor())


def _only(rig: Rig) -> Check:
    (found,) = checks(rig.service.preflight(REQUEST), 'RESULTS')
    return found


def test_a_database_that_answers_is_fine(rig: Rig) -> None:
    found = _only(rig)
    assert (found.severity, found.remedy) == (Severity.OK, '')


def test_a_database_of_a_newer_module_refuses_runs(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    _downgraded(rig)
    found = _only(rig)
    assert found.severity is Severity.REFUSE
    assert f'has schema {len(schema.STEPS) + 1}' in found.message
    with pytest.raises(Busy, match='RESULTS: no result could be stored: '):
        rig.service.start(REQUEST)
    assert rig.service.status().progress is None
    told = _told(rig, monkeypatch)
    assert 'No run can start: no result could be stored: ' in told
    assert 'Runs can start.' not in told


def test_a_database_that_cannot_be_read_refuses_runs(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **words: Any) -> Any:
        raise sqlite3.DatabaseError('file is not a database')

    monkeypatch.setattr(Store, 'ready', broken)
    monkeypatch.setattr(Store, 'list_runs', broken)
    found = _only(rig)
    assert found.severity is Severity.REFUSE
    assert 'file is not a database' in found.message
    assert 'file is not a database' in _told(rig, monkeypatch)


def test_one_that_does_not_answer_now_is_told_of(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(store: Store) -> None:
        raise TryAgain('the result database cannot be opened yet')

    monkeypatch.setattr(Store, 'ready', silent)
    found = _only(rig)
    assert found.severity is Severity.WARN
    assert found.message == 'the result database cannot be opened yet'


def test_writes_that_were_lost_are_told_of(rig: Rig) -> None:
    def hopeless(store: Store) -> None:
        raise KeyError('x')

    database = rig.service._database
    database.submit(hopeless, 'the state of run x')
    rig.wait(lambda: database.status().dropped == 1)
    found = _only(rig)
    assert found.severity is Severity.WARN
    assert 'results were lost' in found.message
    told = result_database.ask(database, rig.service._imports)
    assert not told.refused and told.problems


def test_a_file_that_is_imported_is_no_trouble_of_the_database(
    rig: Rig,
) -> None:
    rig.service._imports.under_way = True
    found = _only(rig)
    assert found.severity is Severity.WARN
    assert found.message == result_database.IMPORTING


def test_a_run_under_way_never_waits_for_the_database(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(
        result_database, 'ask', lambda *known: asked.append(1)
    )
    run = rig.execute().run
    assert run.state.value == 'completed'
    assert asked == [1]  # before it was accepted
