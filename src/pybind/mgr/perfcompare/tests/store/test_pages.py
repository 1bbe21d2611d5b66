"""Tests of what a page of trials costs to read."""

import pytest

from ...store import records as records_module
from ...store import sql
from ...store.database import FileDatabase
from ...store.records import Records
from ...store.results import Store, TrialRecord, key_of
from ..data.run_data import make_manifest, make_run, make_trial

RUN = '0a1b2c3d'
TRIALS = 12


@pytest.fixture
def store():
    """Hold a run of which each trial has a manifest of its own."""
    found = Store(FileDatabase(), clock=lambda: 1700000000.0)
    found.put_run(make_run(RUN))
    found.put_trials(
        RUN,
        [
            TrialRecord(
                make_trial(
                    RUN,
                    number,
                    manifest={
                        **make_manifest('x86'),
                        'client_host': 'c1',
                        'at': number,
                    },
                )
            )
            for number in range(TRIALS)
        ],
    )
    return found


@pytest.fixture
def decoded(monkeypatch):
    """List the manifests that are decoded."""
    found = []

    def mapping(value):
        found.append(value)
        return value

    monkeypatch.setattr(sql, 'mapping', mapping)
    return found


def pages(store, **parts):
    found = []
    for first in range(0, TRIALS, 3):
        found += store.trials(RUN, first=first, number=3, **parts)
    return tuple(found)


def test_pages_read_each_manifest_once(store, decoded):
    paged = pages(store)
    assert sorted(m['at'] for m in decoded) == list(range(TRIALS))
    assert paged == store.trials(RUN)


def test_pages_without_manifests_read_none_and_all_else(store, decoded):
    paged = pages(store, manifests=False)
    assert decoded == []
    for found, whole in zip(paged, store.trials(RUN)):
        assert found.manifest == {}
        assert found.evidence == whole.evidence != {}
        assert key_of(found) == key_of(whole)


def test_one_trial_reads_its_own_manifest(store, decoded):
    trial = store.trial(RUN, key_of(make_trial(RUN, 5)))
    assert [m['at'] for m in decoded] == [5] == [trial.manifest['at']]


class Reads:
    """Count the trials that each read answers with."""

    def __init__(self, store):
        self.store = store
        self.pages = []

    def insist(self, work, seconds):
        found = work(self.store)
        self.pages.append(len(found))
        return found


def test_who_takes_over_reads_page_by_page_and_no_evidence(
    store, monkeypatch
):
    monkeypatch.setattr(records_module, 'PAGE', 5)
    reads = Reads(store)
    found = Records(reads).trials(RUN, 60.0)
    assert reads.pages == [5, 5, 2]
    assert [key_of(t) for t in found] == [
        key_of(t) for t in store.trials(RUN)
    ]
    assert all(t.evidence == {} for t in found)
    assert {str(t.manifest) for t in found} == {"{'client_host': 'c1'}"}
