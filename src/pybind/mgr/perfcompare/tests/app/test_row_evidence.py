"""What is behind one row: judged trials, hosts, latencies, in one answer."""

import dataclasses
from array import array

import pytest

from ...app.results import Results
from ...app.row_evidence import read
from ...common.errors import InvalidArgument, NotFound
from ...common.settings import Settings
from ...model.series import Table, column
from ...store.results import FileDatabase, Store, TrialRecord
from ..data.run_data import make_run, make_trial

RUN = '0a1b2c3d'
ROW = 'write-4K-c16'


class Database:
    def __init__(self):
        self.store = Store(FileDatabase())

    def call(self, work, timeout=5.0):
        return work(self.store)


def load(started, values=(10, 20, 30)):
    t = array('d', range(1, 1 + len(values)))
    return Table(started, t, (column('ops', 'op/s', values),))


def of_host(started, busy):
    return Table(
        started - 1.0,
        array('d', (1, 2, 3)),
        (
            column('cpu_busy', '', [busy] * 3),
            column('disk.sda.util', '', [0.5] * 3),
            column('mem_available', 'B', [1] * 3),
        ),
    )


def record(number, position, attempt=1, **changes):
    trial = make_trial(
        RUN,
        number,
        0,
        position,
        attempt=attempt,
        evidence={
            'client': {'histograms': {'write': {'300': 5}}},
            'hosts': {
                'osd-1': {'role': 'osd'},
                'bench': {'role': 'client'},
            },
        },
    )
    trial = dataclasses.replace(trial, **changes)
    tables = {
        'client': load(trial.started),
        'host.osd-1': of_host(trial.started, 0.25),
        'host.bench': of_host(trial.started, 0.99),
    }
    return TrialRecord.of(trial, None, tables)


@pytest.fixture
def store():
    return Database()


def evidence(database, records, round='', row=ROW):
    database.store.put_run(make_run(RUN))
    database.store.put_trials(RUN, records)
    found = Results(database, None, Settings, None)
    return found.row_evidence('x86', 'arm', [RUN], row, round)


def rounds(*numbers):
    return [record(n, position) for n in numbers for position in (0, 1)]


def test_all_rounds_with_their_hosts_on_one_time_axis(store):
    found = evidence(store, rounds(0, 1, 2))
    assert [(r.run, r.round) for r in found.rounds] == [(RUN, 1), (RUN, 2)]
    assert [(c.side, c.round) for c in found.courses] == [
        (0, 1),
        (0, 2),
        (1, 1),
        (1, 2),
    ]
    for one in found.courses:
        assert one.load.t == (1.0, 2.0, 3.0)
        assert one.load.lines['ops'] == (10, 20, 30)
        # the scraper began a second before the load; clients are left out
        assert one.hosts.t == (0.0, 1.0, 2.0)
        assert one.hosts.lines['cpu'] == (0.25,) * 3
        assert one.hosts.lines['disk'] == (0.5,) * 3
        assert one.osd_hosts == 1


def test_the_last_trials_are_shown_or_those_of_a_round(store):
    found = evidence(store, rounds(1, 2))
    assert [(s.side, s.trial.round) for s in found.shown] == [(0, 2), (1, 2)]
    assert found.shown[0].trial.evidence['client']
    for text in ('1', f'{RUN}:1'):
        found = evidence(store, [], text)
        assert [s.trial.round for s in found.shown] == [1, 1]


def test_trials_are_those_of_the_pairs_in_whatever_order_runs_are_named(
    store,
):
    other = '0a1b2c3e'
    runs = [make_run(RUN), make_run(other)]
    records = {run.id: rounds(1) for run in runs}
    records[RUN].append(record(2, 0))  # of which there is no other side
    for run in runs:
        store.store.put_run(run)
        store.store.put_trials(
            run.id,
            [
                dataclasses.replace(
                    one, trial=dataclasses.replace(one.trial, run=run.id)
                )
                for one in records[run.id]
            ],
        )
    found = read(
        store,
        lambda run: tuple(store.store.trials(run)),
        [('x86', runs), ('arm', runs[::-1])],
        ROW,
    )
    assert [(one.run, one.round) for one in found.rounds] == [
        (RUN, 1),
        (other, 1),
    ]


def test_latencies_are_those_of_judged_trials(store):
    """A repeated block counts once, as it does in the comparison."""
    again = [record(1, position, attempt=2) for position in (0, 1)]
    found = evidence(store, rounds(1) + again)
    (one,) = found.distributions
    assert one.baseline.samples == 5
    assert len(found.courses) == 2


def test_a_damaged_series_is_a_gap_not_an_error(store):
    records = rounds(1)
    series = {**records[0].series, 'client': b'PCS1 no'}
    records[0] = dataclasses.replace(records[0], series=series)
    found = evidence(store, records)
    lacking = [c for c in found.courses if not c.load.t]
    assert len(lacking) == 1
    assert lacking[0].hosts.lines['cpu']


def test_without_series_there_are_none(store):
    records = [dataclasses.replace(r, series={}) for r in rounds(1)]
    found = evidence(store, records)
    assert [c.load.t for c in found.courses] == [(), ()]


@pytest.mark.parametrize(
    'round, row, error',
    (
        ('7', ROW, NotFound),
        (f'{RUN}:0', ROW, NotFound),
        ('0b0b0b0b:1', ROW, NotFound),
        ('x', ROW, InvalidArgument),
        ('9' * 99, ROW, InvalidArgument),
        ('', 'no-4K-c1', NotFound),
    ),
)
def test_what_is_not_there_is_said_in_one_line(store, round, row, error):
    with pytest.raises(error) as told:
        evidence(store, rounds(1), round, row)
    assert '\n' not in str(told.value)


def test_rounds_after_an_adaptive_stop_are_not_among_the_judged(store):
    run = make_run(RUN, rounds=7)
    options = dataclasses.replace(run.plan.options, adaptive=True)
    plan = dataclasses.replace(run.plan, options=options)
    store.store.put_run(dataclasses.replace(run, plan=plan))
    records = []
    for number in range(1, 8):
        for position in (0, 1):
            trial = make_trial(RUN, number, 0, position)
            speed = 7.0 if trial.group == 'arm' else 1.0
            summary = dataclasses.replace(
                trial.summary, ops_per_s=1000.0 * speed, ops=100000
            )
            records.append(record(number, position, summary=summary))
    store.store.put_trials(RUN, records)
    results = Results(store, None, Settings, None)
    found = results.row_evidence('x86', 'arm', [RUN], ROW, '')
    assert [r.round for r in found.rounds] == [1, 2, 3]


def test_blocks_of_two_load_hosts_are_there_where_that_is_compared(store):
    records = []
    for number in (1, 2):
        for position in (0, 1):
            manifest = {'client_host': f'c{position}'}
            records.append(record(number, position, manifest=manifest))
    with pytest.raises(NotFound):
        evidence(store, records)
    results = Results(store, None, Settings, None)
    across = ['client_host']
    found = results.row_evidence('x86', 'arm', [RUN], ROW, across=across)
    assert [r.round for r in found.rounds] == [1, 2]
