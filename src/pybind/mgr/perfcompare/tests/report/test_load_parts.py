"""What `show` prints of operations and endpoints of S3 trials."""

from typing import Any, Dict

from ...model.trial import Trial, TrialState, TrialSummary
from ...report import load_parts


def figures(rate: float, latency: float, **more: Any) -> Dict[str, Any]:
    return {
        'ops_per_s': rate,
        'bytes_per_s': 4e6,
        'latency_avg': latency,
        'percentiles': {'p50': latency, 'p99': 3 * latency},
        **more,
    }


def trial(
    number: int, operations: Any, endpoints: Any = (), **more: Any
) -> Trial:
    values: Dict[str, Any] = {
        'state': TrialState.OK,
        'summary': TrialSummary(1.0, 1.0, 1.0, 1.0, 10.0, 1),
        **more,
    }
    return Trial(
        run='0a1b2c3d',
        round=number,
        block=1,
        attempt=1,
        position=0,
        workload='s3-mixed-4K-c8',
        group='arm',
        started=0.0,
        ended=1.0,
        evidence={
            'client': {'operations': operations, 'endpoints': endpoints}
        },
        **values,
    )


def end(url: str, ops: int, errors: int) -> Dict[str, Any]:
    row = figures(0.0, 0.002, url=url, ops=ops, errors=errors)
    del row['ops_per_s']
    return row


def test_medians_of_judged_trials_by_operation() -> None:
    trials = [
        trial(
            number,
            {
                'put': figures(100.0 * number, 0.01),
                'get': figures(
                    200.0, 0.004, first_byte={'p50': 0.003, 'p99': 0.009}
                ),
            },
        )
        for number in (1, 2, 3)
    ]
    # conditioning, and one that was cut
    trials.append(trial(0, {'put': figures(9e9, 9.0)}))
    trials.append(trial(4, {}, state=TrialState.VOID, summary=None))
    (text,) = load_parts.tables(trials)
    header, get, put = text.splitlines()
    assert header.split()[-2:] == ['TTFB', 'P99']
    assert get.split()[2:] == (
        'get 200 op/s 4.00 MB/s 4.00 ms 4.00 ms 12.0 ms 3.00 ms 9.00 ms'.split()
    )
    assert put.split()[2:] == (
        'put 200 op/s 4.00 MB/s 10.0 ms 10.0 ms 30.0 ms - -'.split()
    )
    assert len(header) <= 120


def test_what_too_few_operations_cannot_say_is_a_dash() -> None:
    few = {'ops_per_s': 1.0, 'latency_avg': 1.0, 'percentiles': {}}
    (text,) = load_parts.tables([trial(1, {'get': few})])
    assert text.split().count('-') == 5
    assert 'not available' not in text


def test_a_mix_of_fio_shows_both_directions() -> None:
    both = {
        'read': figures(700.0, 0.004, bytes_per_s=7e6),
        'write': figures(300.0, 0.01, bytes_per_s=3e6),
        'stat': figures(1.0, 0.01, bytes_per_s=0.0),
    }
    (text,) = load_parts.tables([trial(1, both)])
    header, read, stat, write = text.splitlines()
    assert header.split()[3:5] == ['OPS', 'BYTES']
    assert read.split()[2:7] == ['read', '700', 'op/s', '7.00', 'MB/s']
    assert stat.split()[2:6] == ['stat', '1.00', 'op/s', '-']
    assert write.split()[2:7] == ['write', '300', 'op/s', '3.00', 'MB/s']


def test_endpoints_are_shown_where_there_are_several() -> None:
    one = end('http://a:80', 1000, 0)
    two = end('http://b:80', 500, 3)
    (text,) = load_parts.tables([trial(n, {}, [one, two]) for n in (1, 2)])
    lines = text.splitlines()
    assert lines[1].split()[2:5] == ['http://a:80', '100', 'op/s']
    assert lines[2].split()[2:5] == ['http://b:80', '50.0', 'op/s']
    assert [line.split()[-1] for line in lines[1:]] == ['0', '6']
    assert load_parts.tables([trial(1, {}, [one])]) == []


def test_other_tools_have_nothing_of_it() -> None:
    assert load_parts.tables([trial(1, {'put': figures(1.0, 1.0)})]) == []
    rados = trial(1, {})
    rados.evidence['client'] = {'tool': 'rados'}
    assert load_parts.tables([rados]) == []


def test_errors_are_listed_by_operation_and_status() -> None:
    trials = [trial(n, {'put': figures(1.0, 0.1)}) for n in (1, 2)]
    for one in trials:
        one.evidence['client']['errors'] = {'put 503 SlowDown': 3}
    (text,) = load_parts.tables(trials)
    assert text.splitlines()[1].split()[2:] == 'put 503 SlowDown 6'.split()
    for one in trials:
        one.evidence['client']['attempts'] = {'ECONNREFUSED': 4}
    (text,) = load_parts.tables(trials)
    assert 'connect ECONNREFUSED 8' in ' '.join(text.split())


def test_all_percentiles_of_each_operation_are_a_table() -> None:
    stated = {'p50': 0.001, 'p99': 0.003, 'p99.9': 0.01, 'p99.99': 0.02}
    trials = [
        trial(
            1,
            {
                'get': figures(9.0, 0.001, percentiles=stated),
                'put': figures(9.0, 0.002),
            },
        )
    ]
    _, text = load_parts.tables(trials)
    header, get, put = text.splitlines()
    assert header.split()[3:] == ['P50', 'P99', 'P99.9', 'P99.99']
    assert get.split()[2:] == ('get 1.00 ms 3.00 ms 10.0 ms 20.0 ms'.split())
    assert put.split()[2:] == 'put 2.00 ms 6.00 ms - -'.split()
