"""Tests of what an import keeps out, and of what is told meanwhile."""

import contextlib

import pytest

from ...app.imports import Imports
from ...common.errors import Busy, InvalidArgument
from ...execution.admission import Admission, Admitted
from ...execution.notice import Notice
from ...interop import rows
from ...interop.reader import ProcessReader
from ...store.thread import DbStatus
from ...workers.control import Control
from ..data.run_data import make_run
from ..fakes import running
from ..fakes.running import REQUEST

folder = running.folder
cluster = running.cluster
rig = running.rig


@pytest.fixture
def admission():
    found = Admission()
    found.recovered()
    return found


def admitted():
    return Admitted(make_run(), Control(), Notice(lambda end: None))


def test_no_run_is_admitted_while_a_file_is_imported(admission):
    with admission.importing():
        with pytest.raises(Busy, match='a file is being imported'):
            admission.refuse_busy()
        with pytest.raises(Busy, match='a file is being imported'):
            admission.admit(admitted())
        with pytest.raises(Busy, match='a file is being imported'):
            with admission.importing():
                pass
    assert admission.current is None
    admission.admit(admitted())
    with pytest.raises(Busy, match='is active'):
        with admission.importing():
            pass


def test_an_import_that_fails_keeps_nothing_out(admission):
    with pytest.raises(InvalidArgument):
        with admission.importing():
            raise InvalidArgument('no such file')
    admission.admit(admitted())


def test_undoing_does_not_wait_for_an_import(admission):
    with admission.importing():
        with admission.undoing_alone():
            pass


@pytest.mark.parametrize('kind', ['run', 'recovery'])
def test_no_run_starts_while_a_file_is_read(rig, monkeypatch, kind):
    refused = []

    @contextlib.contextmanager
    def read(reader, text, request):
        with pytest.raises(Busy, match='a file is being imported'):
            rig.service.start(REQUEST)
        refused.append(text)
        raise InvalidArgument('it is none')
        yield

    monkeypatch.setattr(ProcessReader, 'rows', read)
    rig.wait(lambda: not rig.service.status().warnings)
    with pytest.raises(InvalidArgument, match='it is none'):
        if kind == 'run':
            rig.service.results.import_run('text', 'csv', 'arm')
        else:
            rig.service.recoveries.import_('text')
    assert refused == ['text']
    rig.execute()


class Reader:
    """Give a path where nothing is."""

    @contextlib.contextmanager
    def rows(self, text, request):
        yield '/nonexistent'


class Database:
    """Be busy for a while with what is asked."""

    def __init__(self, **values):
        self.values = {'dropped': 0, 'busy': 45.0, 'failing': '', **values}
        self.told = []

    def status(self):
        return DbStatus(waiting=2, last_dropped='trials', **self.values)

    def call(self, work, timeout):
        return work(self)


def told(monkeypatch, **values):
    """Return what is told before an import is stored, and meanwhile."""
    database = Database(**values)
    imports = Imports(database, Reader())
    found = []

    def add(store, path, placed):
        found.append(imports.problems())

    monkeypatch.setattr(rows, 'add_recovery', add)
    before = imports.problems()
    imports.recovery('text')
    assert imports.problems() == before == database.status().problems
    return before, found[0]


def test_a_file_that_is_stored_is_told_as_what_it_is(monkeypatch):
    before, meanwhile = told(monkeypatch)
    assert 'does not answer' in before[0]
    assert meanwhile == (
        'a file is being imported: for 45 s now the result database stores '
        'it; 2 writes of other results wait for that',
    )


def test_losses_and_failures_are_told_during_an_import(monkeypatch):
    _, meanwhile = told(monkeypatch, dropped=3)
    assert meanwhile[0].startswith('results were lost')
    assert 'being imported' in meanwhile[1]
    before, meanwhile = told(monkeypatch, failing='disk i/o error')
    assert meanwhile == before
    before, meanwhile = told(monkeypatch, busy=3.0)
    assert meanwhile == before == ()
