"""What a comparison's row has of S3 operations and endpoints."""

from typing import Any, Dict

import dataclasses

from ...analysis import load_parts
from ...analysis.comparison import compare
from ...common.codec import to_data
from ..data.comparison_data import Scene

W = 'write-4K-c16'


def record(ops: int, latency: float, **more: Any) -> Dict[str, Any]:
    return {
        'ops': ops,
        'ops_per_s': ops / 30.0,
        'bytes_per_s': ops / 30.0 * 4096,
        'latency_avg': latency,
        'percentiles': {'p50': latency, 'p99': 3 * latency},
        **more,
    }


def trials(*clients: Dict[str, Any]) -> Any:
    made = Scene({W: 1.0}, rounds=len(clients)).trials
    judged = [t for t in made if t.round and t.group == 'x86']
    return [
        dataclasses.replace(
            trial,
            evidence={'client': client},
            summary=dataclasses.replace(
                trial.summary, errors=sum(client.get('errors', {}).values())
            ),
        )
        for trial, client in zip(judged, clients)
    ]


def test_percentiles_are_medians_of_those_that_every_trial_states() -> None:
    first = {'p50': 0.001, 'p99': 0.002, 'p99.9': 0.004}
    (get,) = load_parts.operations(
        trials(
            {'operations': {'get': record(30000, 0.003, first_byte=first)}},
            {'operations': {'get': record(900, 0.009, first_byte=first)}},
            {'operations': {'get': record(3000, 0.004, first_byte=first)}},
        )
    )
    assert (get.name, get.trials, get.ops) == ('get', 3, 33900)
    assert get.ops_per_s == 100.0 and get.latency_avg == 0.004
    # 900 operations have 9 beyond their p99
    assert get.percentiles == {'p50': 0.004}
    assert get.first_byte == {'p50': 0.001}
    assert get.errors is None


def test_both_directions_of_a_mix_of_fio_move_bytes() -> None:
    both = {'read': record(3000, 0.004), 'write': record(900, 0.002)}
    read, write = load_parts.operations(trials({'operations': both}))
    assert (read.name, read.bytes_per_s) == ('read', 409600.0)
    assert (write.name, write.bytes_per_s) == ('write', 122880.0)


def test_errors_are_of_their_operations() -> None:
    errors = {'get 503 SlowDown': 3, 'get wrong size': 1, 'put EPIPE': 2}
    operations = {'get': record(3000, 0.004), 'stat': record(600, 0.001)}
    client = {
        'operations': operations,
        'errors': {**errors, 'connect ECONNREFUSED': 7, 'never begun': 5},
    }
    get, put, stat = load_parts.operations(trials(client, client))
    assert (get.errors, put.errors, stat.errors) == (8, 4, 0)
    assert put.ops == 0 and put.ops_per_s == 0.0 and put.latency_avg is None
    assert get.bytes_per_s and stat.bytes_per_s is None


def test_what_did_not_finish_in_a_trial_counts_as_nothing_there() -> None:
    found = load_parts.operations(
        trials(
            {'operations': {'get': record(3000, 0.1)}, 'errors': {}},
            {
                'operations': {
                    'get': record(3000, 0.1),
                    'delete': record(30, 0.2),
                },
                'errors': {},
            },
        )
    )
    assert [(row.name, row.trials) for row in found] == [
        ('delete', 2),
        ('get', 2),
    ]
    assert found[0].ops_per_s == 0.5 and found[0].percentiles == {}
    assert found[0].latency_avg is None and found[0].errors == 0


def test_endpoints_have_rates_of_the_measured_window() -> None:
    def end(url: str, ops: int, errors: int) -> Dict[str, Any]:
        row = record(ops, 0.002, url=url, errors=errors)
        del row['ops_per_s'], row['bytes_per_s']
        return row

    client = {
        'endpoints': [end('http://b:80', 3000, 1), end('http://a:80', 600, 0)]
    }
    a, b = load_parts.endpoints(trials(client, client))
    assert (a.name, a.ops, a.ops_per_s, a.errors) == (
        'http://a:80',
        1200,
        20.0,
        0,
    )
    assert (b.ops_per_s, b.errors, b.bytes_per_s) == (100.0, 2, None)
    assert b.percentiles == {'p50': 0.002, 'p99': 0.006}


def test_what_a_tool_does_not_tell_is_not_available() -> None:
    few = {'ops': None, 'ops_per_s': 5.0, 'latency_avg': 0.1}
    (trial,) = trials({'operations': {'put': few}, 'errors': {}})
    # some failed, and it is not said which
    assert trial.summary is not None
    summary = dataclasses.replace(trial.summary, errors=4)
    trial = dataclasses.replace(trial, summary=summary)
    (put,) = load_parts.operations([trial])
    assert put.ops is None and put.errors is None and put.percentiles == {}
    assert put.ops_per_s == 5.0
    assert load_parts.endpoints([trial]) == ()


def test_rows_have_them_of_both_sides_and_rados_has_none() -> None:
    made = Scene({W: 0.5}, rounds=7)
    side = compare(made.side('x86'), made.side('arm')).rows[0].baseline
    assert side.operations == side.endpoints == ()
    made.change(
        lambda t: t.group == 'arm',
        evidence={'client': {'operations': {'put': record(3000, 0.01)}}},
    )
    (row,) = compare(made.side('x86'), made.side('arm')).rows
    assert row.baseline.operations == ()
    (put,) = row.candidate.operations
    assert put.trials == row.candidate.trials == 7
    assert to_data(row)['candidate']['operations'][0]['name'] == 'put'
