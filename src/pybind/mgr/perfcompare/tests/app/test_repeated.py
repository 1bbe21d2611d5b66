"""What was done counts, though the connection failed before it was told."""

from typing import Any, Iterator, Tuple

import contextlib
import pathlib
import sqlite3
import types

import pytest

from ...app.imports import Imports
from ...app.removal import PATIENCE
from ...app.results import Results
from ...common.errors import AlreadyExists, NotFound
from ...common.settings import Settings
from ...interop.request import ImportRequest
from ...recovery.store import recoveries
from ...store.results import FileDatabase, Store
from ...store.thread import DbThread
from ..data.run_data import make_records, make_run
from ..fakes import running
from ..fakes.running import Rig
from ..recovery.test_store import episode, series

folder = running.folder
cluster = running.cluster
RUN = 'ab12cd34'


class Flaky(FileDatabase):
    """Fail before a write, or after its COMMIT, some times."""

    before = 0
    after = 0

    @contextlib.contextmanager
    def transaction(
        self, write: bool = False
    ) -> Iterator[sqlite3.Connection]:
        if write and self.before:
            self.before -= 1
            raise sqlite3.OperationalError('disk I/O error')
        with super().transaction(write) as conn:
            yield conn
        if write and self.after:
            self.after -= 1
            raise sqlite3.OperationalError('disk I/O error')


class Reader:
    """Have a file of rows, whatever is imported."""

    def __init__(self, path: str) -> None:
        self._path = path

    @contextlib.contextmanager
    def rows(self, text: str, request: Any) -> Iterator[str]:
        """Return the path of the rows."""
        yield self._path


@pytest.fixture
def flaky() -> Flaky:
    return Flaky()


@pytest.fixture
def database(flaky: Flaky) -> Iterator[DbThread]:
    found = DbThread(Store(flaky))
    found.start()
    yield found
    found.stop()


@pytest.fixture
def imports(database: DbThread, tmp_path: pathlib.Path) -> Imports:
    path = str(tmp_path / 'rows')
    file = FileDatabase(path)
    Store(file).add_run(make_run(RUN), make_records(RUN))
    recoveries.put(Store(file), episode(), series())
    file.close()
    return Imports(database, Reader(path))


def _take(imports: Imports) -> Any:
    return imports.run(ImportRequest('{}'))


def _counts(database: DbThread) -> Tuple[int, int]:
    return database.call(
        lambda s: (s.list_runs().total, recoveries.ls(s, 9, 0).total)
    )


def _results(database: DbThread) -> Results:
    runner: Any = types.SimpleNamespace(current=None)
    imports: Any = None
    return Results(database, runner, Settings, imports)


@pytest.mark.parametrize('when', ['before', 'after'])
def test_an_import_that_arrived_is_no_failure(
    imports: Imports, database: DbThread, flaky: Flaky, when: str
) -> None:
    setattr(flaky, when, 1)
    assert _take(imports).id == RUN
    setattr(flaky, when, 1)
    assert imports.recovery('{}').id == episode().id
    assert _counts(database) == (1, 1)
    assert database.call(lambda s: s.count_trials(RUN)) > 0


def test_one_that_is_read_in_vain_afterwards_is_none_either(
    imports: Imports, database: DbThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_run, failed = Store.get_run, []

    def once(store: Store, run: str) -> Any:
        if not failed:
            failed.append(run)
            raise sqlite3.OperationalError('disk I/O error')
        return get_run(store, run)

    monkeypatch.setattr(Store, 'get_run', once)
    assert _take(imports).id == RUN
    assert failed == [RUN]


def test_an_import_under_a_derived_id_is_repeated_as_such(
    imports: Imports, database: DbThread, flaky: Flaky
) -> None:
    other = make_run(RUN, created=1.0)
    database.call(lambda s: s.add_run(other, ()))
    flaky.after = 1
    found = imports.run(ImportRequest('{"format": "perfcompare-run"}'))
    assert found.id != RUN
    assert _counts(database)[0] == 2


@pytest.mark.parametrize('when', ['before', 'after'])
def test_what_was_stored_before_still_fails(
    imports: Imports, database: DbThread, flaky: Flaky, when: str
) -> None:
    _take(imports)
    imports.recovery('{}')
    setattr(flaky, when, 1)
    with pytest.raises(AlreadyExists, match='stored already'):
        _take(imports)
    setattr(flaky, when, 1)
    with pytest.raises(AlreadyExists, match='stored already'):
        imports.recovery('{}')


@pytest.mark.parametrize('when', ['before', 'after'])
def test_a_removal_that_arrived_is_no_failure(
    imports: Imports, database: DbThread, flaky: Flaky, when: str
) -> None:
    _take(imports)
    setattr(flaky, when, 1)
    _results(database).remove(RUN)
    assert _counts(database)[0] == 0
    setattr(flaky, when, 1)
    with pytest.raises(NotFound):
        _results(database).remove(RUN)


def test_a_recovery_is_removed_likewise(cluster: Any, folder: Any) -> None:
    flaky = Flaky()
    rig = Rig(cluster, folder, Store(flaky))
    try:
        recoveries.put(rig.store, episode(), {})
        flaky.after = 1
        rig.service.recoveries.remove(episode().id)
        with pytest.raises(NotFound):
            rig.service.recoveries.remove(episode().id)
    finally:
        rig.stop()


def test_a_removal_may_take_longer_than_a_query(database: DbThread) -> None:
    database.call(lambda s: s.add_run(make_run(RUN), ()))
    asked, real = [], database.call

    def call(work: Any, timeout: float = 5.0) -> Any:
        asked.append(timeout)
        return real(work, timeout)

    database.call = call  # type: ignore[method-assign]
    _results(database).remove(RUN)
    assert asked == [PATIENCE] and PATIENCE >= 60.0
