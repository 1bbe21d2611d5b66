"""How stored results are read, over a store in memory."""

import pytest

from ...app import errands
from ...app import results as results_module
from ...app.requests import TrialOsds
from ...app.results import Results
from ...common.errors import InProgress, InvalidArgument, NotFound
from ...common.settings import Settings
from ...metrics.osd_table import OsdRow, OsdTable, Spread
from ...report import journal, osds
from ...store import sql
from ...store.results import FileDatabase, Store, TrialKey, TrialRecord
from ...undo.entries import Entry, Kind
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


def test_osds_are_read_without_manifests(database, monkeypatch):
    """They are of no use there, and a page may be one trial."""
    decoded = []
    monkeypatch.setattr(
        sql, 'mapping', lambda value: decoded.append(value) or value
    )
    found = results(database).osds(RUN)
    assert found.tables and decoded == []
    key = TrialKey(1, 0, 1, 0)
    assert results(database).trial(RUN, key).manifest in decoded


def test_a_trial_is_told_by_round_workload_and_group(database):
    found = results(database)
    key = found.trial_key(RUN, 3, 'rand-64K-c4/osd', 'arm')
    trial = found.trial(RUN, key)
    told = (trial.round, trial.workload, trial.group)
    assert told == (3, 'rand-64K-c4/osd', 'arm')
    with pytest.raises(NotFound, match='no trial with --round 99'):
        found.trial_key(RUN, 99, None, None)
    with pytest.raises(InvalidArgument, match='give --workload$'):
        found.trial_key(RUN, 3, None, 'arm')


def test_one_trial_prints_its_osds_and_their_spread():
    row = OsdRow(3, ops_per_s=50.0, share=0.5, latency=0.002, inside=1.5)
    table = OsdTable('w', 'arm', 1, (row,), row, {})
    spread = {
        name: Spread(2, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0)
        for name in ('ops_per_s', 'share', 'latency', 'inside')
    }
    shown = osds.trial(TrialOsds(table, 2, spread))
    assert '1 of 2 OSDs' in shown and 'osd.3' in shown
    (line,) = [li for li in shown.split('\n') if li.startswith('ops_per_s')]
    assert line.split()[1:4] == ['1.00', 'op/s', '1.00']


def test_a_journal_is_a_table_and_says_when_it_is_empty():
    entry = Entry(RUN, 4, Kind.CONFIG, 'mon_x', value='1', was_set=False)
    assert 'mon_x' in journal.entries(RUN, [entry])
    assert 'nothing of run' in journal.entries(RUN, [])


def test_the_bound_of_what_is_stored_is_told_as_what_it_is(database):
    """It holds for each kind, not for what is summed up before it."""
    assert (
        results(database)
        .stored()
        .endswith(
            ' of runs and 0 B of recoveries are stored; up to 4.00 GiB are kept '
            'of each kind: runs, observed recoveries, tests, and imported ones '
            'of each apart'
        )
    )
    whole = Results(database, None, lambda: Settings(retention_bytes=0), None)
    assert whole.stored().endswith('are stored')
