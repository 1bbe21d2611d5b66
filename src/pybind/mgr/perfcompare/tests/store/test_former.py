"""What a former version (a64fa9a) wrote is read, undone and gone on with.

Its files were made by its own code on its fakes: a run of profile `smoke`,
an episode, a recovery test, what the mon store held in mid-run, and a journal
with an entry of each kind.
"""

import json
import sqlite3
import time
from pathlib import Path

import pytest

from ...common.codec import to_data
from ...model.run import RunState
from ...recovery.store import recoveries
from ...report import listing
from ...report.text import render
from ...store.database import FileDatabase
from ...store.results import Store, key_of
from ...undo.journal import Journal
from ..data.bench_data import RUN
from ..data.undo_data import make_placed
from ..fakes import running
from ..fakes.clock import FakeClock
from ..fakes.running import Rig, left

FORMER = Path(__file__).parents[1] / 'data' / 'former'
EXPECTED = json.loads((FORMER / 'expected.json').read_text(encoding='utf-8'))
KV = json.loads((FORMER / 'kv.json').read_text(encoding='utf-8'))

folder = running.folder
cluster = running.cluster


@pytest.fixture
def store(tmp_path):
    path = tmp_path / 'former.db'
    conn = sqlite3.connect(path)
    conn.executescript((FORMER / 'store.sql').read_text(encoding='utf-8'))
    conn.close()
    return Store(FileDatabase(str(path)))


def kept(found, former, where=''):
    """Assert that all a former version wrote is in what is read now."""
    if isinstance(former, dict):
        for key, value in former.items():
            if value is not None or key in found:
                kept(found[key], value, f'{where}.{key}')
    elif isinstance(former, list):
        assert len(found) == len(former), where
        for number, pair in enumerate(zip(found, former)):
            kept(*pair, f'{where}[{number}]')
    else:
        assert found == former, where


def test_its_run_and_trials_are_read(store):
    run = EXPECTED['run']['id']
    kept(to_data(store.get_run(run)), EXPECTED['run'])
    trials = store.trials(run)
    kept([to_data(t) for t in trials], EXPECTED['trials'])
    for trial in trials:
        assert store.series(run, key_of(trial)).columns


def test_its_recoveries_are_read(store):
    for name, ident in (('episode', '0000000a'), ('test', '0000000b')):
        kept(to_data(recoveries.get(store, ident)), EXPECTED[name])
        for source in recoveries.sources(store, ident):
            for table in recoveries.series(store, ident, source):
                assert table.columns


def test_its_run_is_compared(cluster, folder, store):
    rig = Rig(cluster, folder, store)
    try:
        run = EXPECTED['run']['id']
        rig.wait(lambda: not rig.service.status().warnings)
        found = rig.service.results.compare('x86', 'arm', (run,))
        names = {row.workload for row in found.rows}
        assert names == {t['workload'] for t in EXPECTED['trials']}
        assert run in render(found)
    finally:
        rig.stop()


def test_its_journal_is_undone(cluster):
    before = cluster.snapshot()
    make_placed(cluster, Journal(cluster))
    cluster.kv.clear()
    cluster.kv.update(KV['kinds'])
    report = Journal(cluster, FakeClock()).undo_all(RUN)
    assert report.clean and len(report.removed) == len(KV['kinds'])
    assert cluster.snapshot() == before


def test_its_run_under_way_goes_on(cluster, folder):
    """An upgrade in mid-run is a failover: undone, then taken up again."""
    cluster.kv.update(KV['under_way'])
    cluster.kv['active/seen'] = repr(time.time())
    rig = Rig(cluster, folder)
    try:
        rig.wait(lambda: rig.service.status().last)
        found = rig.service.results.show(KV['run']).run
        assert found.state is RunState.COMPLETED
        assert any('taken up again' in e.message for e in found.events)
        assert 'old' in listing.groups(rig.service.groups.list())
        assert left(cluster) == []
    finally:
        rig.stop()
