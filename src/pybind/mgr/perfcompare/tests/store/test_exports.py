"""Tests of how the files of runs are made."""

import json
import threading
import time

import pytest

from ...common import json_pieces as jsonpieces
from ...common.errors import Busy, NotFound, TryAgain
from ...store import archive, exports
from ...store.database import FileDatabase
from ...store.exports import Exports
from ...store.results import Store
from ...store.thread import DbThread
from ..data.run_data import make_records, make_run

RUN = '0a1b2c3d'
OTHER = 'ffffffff'


class Slow(Store):
    """Read pages of trials only when told to."""

    def __init__(self):
        super().__init__(FileDatabase())
        self.go = threading.Event()
        self.pages = 0

    def records(self, run, first=0, number=-1):
        self.pages += 1
        if first:
            self.go.wait(120)
        return super().records(run, first, number)


@pytest.fixture
def store(monkeypatch):
    monkeypatch.setattr(exports, 'PAGE', 5)
    found = Slow()
    for run in (RUN, OTHER):
        found.add_run(make_run(run), make_records(run, rounds=3, n=5))
    yield found
    found.go.set()


@pytest.fixture
def database(store):
    thread = DbThread(store)
    thread.start()
    yield thread
    thread.stop()


def fetched(made, run=RUN):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            return made.text(run, 0.01)
        except TryAgain:
            pass
    raise AssertionError('never made')


def test_a_large_file_is_made_while_other_commands_are_answered(
    store, database
):
    made = Exports(database)
    begun = time.monotonic()
    with pytest.raises(TryAgain, match='give the same command again'):
        made.text(RUN, 0.05)
    assert time.monotonic() - begun < 60.0
    with pytest.raises(Busy, match=f'run {RUN} is being exported'):
        made.text(OTHER, 0.05)
    store.go.set()
    text = fetched(made)
    assert text == archive.export(store.get_run(RUN), store.records(RUN))
    assert len(archive.parse(text).records) == 16
    assert fetched(made, OTHER) != text


def test_no_other_write_waits_for_the_whole_file(store, database):
    store.go.set()
    Exports(database).text(RUN, 20.0)
    assert store.pages == 4


def test_errors_reach_the_one_who_asked(database):
    made = Exports(database)
    for _ in range(2):
        with pytest.raises(NotFound):
            made.text('00000000', 20.0)


def test_a_file_that_nobody_fetches_is_forgotten(
    store, database, monkeypatch
):
    monkeypatch.setattr(exports, 'KEPT', 0.05)
    made = Exports(database)
    with pytest.raises(TryAgain):
        made.text(RUN, 0.01)
    store.go.set()
    deadline = time.monotonic() + 120
    while made._job is not None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_many_that_ask_for_one_file_share_it(store, database):
    """Else ten browsers wait for ten files, made one after the other."""
    store.go.set()
    made = Exports(database)
    found = [made.text(RUN, 20.0) for _ in range(10)]
    assert store.pages == 4
    assert len(set(found)) == 1


def test_a_file_is_soon_forgotten_once_fetched(store, database, monkeypatch):
    monkeypatch.setattr(exports, 'SHARED', 0.05)
    store.go.set()
    made = Exports(database)
    made.text(RUN, 20.0)
    deadline = time.monotonic() + 120
    while made._job is not None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_run_that_is_removed_has_no_file(store, database):
    store.go.set()
    made = Exports(database)
    made.text(RUN, 20.0)
    store.rm_run(RUN)
    made.removed(RUN)
    with pytest.raises(NotFound):
        made.text(RUN, 20.0)


@pytest.mark.parametrize(
    'encoder',
    [
        json.JSONEncoder(),
        json.JSONEncoder(sort_keys=True, separators=(',', ':')),
    ],
)
@pytest.mark.parametrize('depth', [0, 1, 2, 5])
def test_pieces_are_what_the_encoder_makes_at_once(encoder, depth):
    data = {
        'b': [1, 2.5, None, True, 'é"', []],
        'a': {'y': {'z': [{}, [[1]]]}, 'x': ''},
    }
    found = ''.join(jsonpieces.pieces(data, encoder, depth))
    assert found == encoder.encode(data)
