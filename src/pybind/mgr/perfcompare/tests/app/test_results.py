"""How stored results are read, over a store in memory."""

import pytest

from ...app import errands
from ...app import results as results_module
from ...app.results import Results
from ...common.errors import InProgress
from ...common.settings import Settings
from ...store.results import FileDatabase, Store, TrialRecord
from ..data.run_data import make_run, make_trial

RUN = '0a1b2c3d'
TRIALS = 120


class Database:
    """Count the reads, each of which others may have to wait for."""

    def __init__(self):
        self.store = Store(FileDatabase())
        self.reads = 0

    def call(self, work, timeout=5.0):
        self.reads += 1
        return work(self.store)


@pytest.fixture
def database():
    found = Database()
    found.store.put_run(make_run(RUN, rounds=TRIALS // 4))
    records = []
    for number in range(1, TRIALS // 4 + 1):
        for block, name in enumerate(('write-4K-c16', 'rand-64K-c4/osd')):
            for position in range(2):
                trial = make_trial(
                    RUN, number, block, position, workload=name
                )
                records.append(TrialRecord(trial))
    found.store.put_trials(RUN, records)
    return found


def results(database):
    return Results(database, None, Settings, None)


def test_osds_of_many_small_trials_take_few_reads(database):
    found = results(database).osds(RUN)
    assert sum(t.trials for t in found.tables) == TRIALS
    assert database.reads <= 3


def test_an_export_that_takes_long_is_waited_for_once(database, monkeypatch):
    """Whoever asks again and again holds no thread for as long again."""
    found = results(database)
    waited = []

    class Exports:
        def text(self, run, patience):
            waited.append(patience)
            raise InProgress('10 %')

    found._exports = Exports()
    monkeypatch.setattr(errands, 'PATIENCE', 0.1)
    for _ in range(3):
        with pytest.raises(InProgress):
            found.export(RUN)
    assert waited == [0.1, errands.BRIEF, errands.BRIEF]


def test_osds_of_large_trials_are_never_held_as_a_whole(
    database, monkeypatch
):
    size = database.store.run_size(RUN) // TRIALS
    monkeypatch.setattr(results_module, 'PAGE_BYTES', 7 * size)
    few = results(database).osds(RUN)
    assert database.reads == 1 + -(-(TRIALS + 1) // 7)
    monkeypatch.undo()
    assert few == results(database).osds(RUN)
