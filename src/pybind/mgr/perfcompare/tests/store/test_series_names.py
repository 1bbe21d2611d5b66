"""Tests of what series of hosts with long names cost."""

import pytest

from ...store.database import FileDatabase
from ...store.results import Store, TrialRecord, key_of
from ..data.run_data import make_run, make_trial

RUN = '0a1b2c3d'
HOST = 'rack-07.' + 'a' * 63 + '.' + 'b' * 63 + '.storage.example.com'


@pytest.fixture
def store():
    found = Store(FileDatabase(), clock=lambda: 1700000000.0)
    found.put_run(make_run(RUN))
    return found


def record(*sources, **values):
    made = TrialRecord.of(make_trial(**values), None)
    made.series.update({source: b'samples' for source in sources})
    return made


def stored(store, made):
    return store.blobs(RUN, key_of(made.trial), sorted(made.series))


@pytest.mark.parametrize('host', [HOST, 'h' * 253])
def test_a_host_may_have_every_name_that_dns_allows(store, host):
    one = record('client', f'host.{host}')
    store.put_trials(RUN, [one])
    assert stored(store, one) == one.series
    assert store.trials(RUN) == (one.trial,)


def test_a_series_that_cannot_be_named_costs_itself_and_a_note(store):
    one = record('client', 'host.' + 'h' * 300, 'host.a b', position=0)
    two = record('client', position=1)
    store.put_trials(RUN, [one, two])
    assert stored(store, one) == {'client': b'samples'}
    found = store.trials(RUN)
    assert len(found) == 2
    assert found[1] == two.trial
    (note,) = [
        n for n in found[0].evidence['notes'] if n.startswith('not stored')
    ]
    assert note == (
        "not stored, as their names cannot be: series 'host.a b', "
        "'host.hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh..."
    )
