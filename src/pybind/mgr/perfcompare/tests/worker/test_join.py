"""Results of several hosts become one: windows, sums, clocks, bad data."""

import json

import pytest

from perfcompare.worker.loads.rados.join import SAMPLES_MAX, join_run
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire import histogram, jobs
from perfcompare.worker.wire.join_jobs import HostResult, Join
from perfcompare.worker.wire.strict import Malformed

from ..data import load_jobs
from ..data.load_jobs import ACCESS


def trial(**changes):
    values = {
        'concurrency': 8,
        'clients': 4,
        'max_objects': 1001,
        'probe_rate': 100.0,
        'probe_seed': 7,
        'probe_objects': 9,
    }
    return load_jobs.trial(**{**values, **changes})


def probe(counts=None, **changes):
    found = {
        'rate': 50.0,
        'percentiles': {},
        'ops': sum((counts or {}).values()),
        'ops_per_s': 50.0,
        'share': 0.1,
        'failed': 0,
        'unfinished': 0,
        'mean': 0.001,
        'max': 0.002,
        'late': dict.fromkeys(histogram.NAMES, 0.0),
        'missing': {},
        'histogram': [[i, n] for i, n in (counts or {}).items()],
        'errors': {},
        'cpu': 0.01,
        'reason': '',
    }
    return {**found, **changes}


def result(rate, start=1000.0, seconds=10, **changes):
    """Return a host's: ``rate`` op/s of one client, 10 ms each."""
    ticks = range(seconds + 1)
    found = {
        'summary': {
            'host_busy': rate / 1000,
            'client_cores': 0.5,
            'client_thread_cores': 0.25,
            'host_cores': 4,
        },
        'notes': [],
        'evidence': {
            'clients': [{'client': 0, 'cores': 0.5}],
            'nic': {'nic': 'eth0', 'share': rate / 2000},
            'throttled': None,
            'alignment': [[{'source': 'exit'}]],
            'socket_discrepancy': -0.01,
            'concurrency': [4],
            'run_names': ['w.h0.0'],
            'nice': 5,
            'events_dropped': 1,
            'probe': probe(),
        },
        'raw': [
            {
                'client': 0,
                'start': start,
                't': [float(t) for t in ticks],
                'started': [rate * t + 4 for t in ticks],
                'finished': [rate * t for t in ticks],
                'waited': [rate * t * 0.01 for t in ticks],
                'polled_at': [start + 0.5],
                'polled_ops': [rate // 2],
                'seconds': float(seconds),
                'stop': float(seconds),
                'concurrency': 4,
                'latency_max': rate / 1e4,
            }
        ],
    }
    found.update(changes)
    return found


@pytest.fixture
def joined(tmp_path):
    """Join results as a worker does."""

    def join(
        *results,
        ahead=(0.0, 0.0),
        parts=(0.0, 0.0),
        flying=(0.0, 0.0),
        **changes,
    ):
        told = []
        for number, data in enumerate(results):
            path = tmp_path / f'{number}.json'
            text = data if isinstance(data, str) else json.dumps(data)
            path.write_text(text)
            told.append(
                HostResult(
                    f'h{number}',
                    str(path),
                    ahead[number],
                    0.001,
                    parts[number],
                    flying[number],
                )
            )
        values = dict(
            deadline=60.0,
            op='write',
            size=4096,
            duration=6.0,
            warmup=2.0,
            begin=1000.0,
            results=tuple(told),
        )
        run = join_run(Join(**{**values, **changes}))
        run.prepare()
        return run.run()

    return join


# how a job is divided


@pytest.mark.parametrize('hosts', [1, 2, 3, 4, 5])
def test_the_parts_of_a_trial_are_the_whole(hosts):
    whole = trial()
    parts = [p for p in whole.divided(hosts) if p is not None]
    assert len(parts) == min(hosts, 4)
    for part in parts:
        part.check()
        assert part.hosts == len(parts)
    assert sum(p.concurrency for p in parts) == 8
    assert sum(p.clients for p in parts) == 4
    assert sum(p.max_objects for p in parts) == 1001
    assert sum(p.probe_objects for p in parts) == 9
    assert sum(p.probe_rate for p in parts) == pytest.approx(100.0)
    assert len({p.run_name for p in parts}) == len(parts)
    assert len({p.probe_seed for p in parts}) == len(parts)


def test_populations_are_read_by_one_host_each():
    populations = tuple(
        jobs.Population(f'p.{n}', 100, 4096) for n in range(4)
    )
    whole = trial(op='rand', populations=populations)
    parts = whole.divided(2)
    named = [[p.run_name for p in part.populations] for part in parts]
    assert named == [['p.0', 'p.2'], ['p.1', 'p.3']]
    for part in parts:
        part.check()


def test_few_populations_leave_hosts_without_work():
    populations = (jobs.Population('p.0', 100, 4096),)
    first, second = jobs.Prefill(ACCESS, 8, 60.0, populations).divided(2)
    assert first.concurrency == 8 and second is None


@pytest.mark.parametrize(
    'changes, message',
    [
        (dict(results=()), '0 results'),
        (dict(results=(HostResult('a', 'x', 0.0, 0.0),) * 2), 'named twice'),
        (dict(op='append'), "'append'"),
        (dict(duration=0.0), 'at least 1 s'),
    ],
)
def test_a_join_that_cannot_be_is_refused(changes, message):
    results = (
        HostResult('a', '/a', 0.0, 0.0),
        HostResult('b', '/b', 0.0, 0.0),
    )
    values = dict(
        deadline=9.0, op='rand', size=1, duration=1.0, results=results
    )
    Join(**values).check()
    with pytest.raises(Malformed, match=message):
        Join(**{**values, **changes}).check()


# what becomes of their results


def test_operations_are_added_up(joined):
    found = joined(result(100), result(300))
    summary = found['summary']
    assert summary['ops_per_s'] == pytest.approx(400.0)
    assert summary['bytes_per_s'] == pytest.approx(400.0 * 4096)
    assert summary['latency_avg'] == pytest.approx(0.01)
    assert summary['latency_max'] == pytest.approx(0.03)
    assert summary['window'] == pytest.approx(6.0)
    # the client's figures are those of the host that had least to spare
    assert summary['host_busy'] == pytest.approx(0.3)
    assert summary['host_cores'] == 4
    told = found['evidence']['hosts']
    assert [h['host'] for h in told] == ['h0', 'h1']
    assert [h['share'] for h in told] == pytest.approx([0.25, 0.75])
    assert found['evidence']['concurrency'] == [4, 4]
    assert found['evidence']['nic']['share'] == 0.15
    assert found['evidence']['events_dropped'] == 2
    assert len(found['raw']) == 2


def test_the_part_of_each_host_is_kept(joined):
    found = joined(result(100), result(300), parts=(0.25, 0.75))
    assert [h['part'] for h in found['evidence']['hosts']] == [0.25, 0.75]
    unknown = joined(result(100), result(300))
    assert [h['part'] for h in unknown['evidence']['hosts']] == [None, None]
    both = joined(result(100), result(300), flying=(0.5, 0.5))
    assert [h['flying'] for h in both['evidence']['hosts']] == [0.5, 0.5]


def test_only_what_all_measured_counts(joined):
    found = joined(result(100), result(300, start=1001.5), duration=20.0,
                   op='seq')  # fmt: skip
    # from the warm-up of the later one to the end of the earlier one
    assert found['evidence']['window'] == [[1003.5, 1010.0]]
    assert found['evidence']['hosts'][1]['late'] == pytest.approx(1.5)
    assert found['notes'] == [
        'load host h1 began 1.5 s after h0: what both measured counts'
    ]
    assert found['summary']['ops_per_s'] == pytest.approx(400.0)


def test_clocks_are_put_right(joined):
    found = joined(result(100), result(300, start=910.0), ahead=(0.0, 90.0))
    assert found['started'] == pytest.approx(1000.0)
    assert found['summary']['window'] == pytest.approx(6.0)
    assert found['raw'][1]['start'] == pytest.approx(1000.0)
    assert found['raw'][1]['polled_at'] == [pytest.approx(1000.5)]
    assert found['evidence']['hosts'][1]['clock_ahead'] == -90.0
    assert found['evidence']['hosts'][1]['host_cores'] == 4
    assert found['notes'] == [
        "the clock of load host h1 is 90 s behind the Manager's (± 0.001 s)"
    ]


def test_hosts_that_measured_apart_are_no_trial(joined):
    with pytest.raises(Failure, match='did not measure at the same time'):
        joined(result(100), result(300, start=1005.0))


def test_percentiles_come_from_added_histograms(joined):
    quick, slow = histogram.bucket(1_000_000), histogram.bucket(9_000_000)
    first, second = result(100), result(100)
    first['evidence']['probe'] = probe({quick: 900, slow: 100})
    second['evidence']['probe'] = probe({quick: 100, slow: 900})
    found = joined(first, second)
    told = found['evidence']['probe']
    assert told['ops'] == 2000 and told['rate'] == 100.0
    # neither host's own median, nor their mean
    assert told['percentiles']['p50'] == pytest.approx(0.001, rel=0.01)
    assert told['percentiles']['p95'] == pytest.approx(0.009, rel=0.01)
    assert found['summary']['percentiles'] == told['percentiles']


def test_a_late_probe_of_one_host_says_nothing_of_all(joined):
    counts = {histogram.bucket(1_000_000): 5000}
    first, second = result(100), result(100)
    first['evidence']['probe'] = probe(counts)
    second['evidence']['probe'] = probe(
        counts, late={**dict.fromkeys(histogram.NAMES, 0.0), 'p99': 0.005}
    )
    told = joined(first, second)['evidence']['probe']
    assert 'p50' in told['percentiles'] and 'p99' not in told['percentiles']
    assert told['missing']['p99'] == 'the client host is too busy'


def test_a_probe_that_failed_on_one_host_is_named(joined):
    first, second = result(100), result(100)
    first['evidence']['probe'] = probe({1: 5})
    second['evidence']['probe'] = {
        'rate': 50.0, 'percentiles': {}, 'reason': 'the probe did not end',
    }  # fmt: skip
    told = joined(first, second)['evidence']['probe']
    assert told['reason'] == 'h1: the probe did not end'
    assert told['percentiles'] == {}


def test_a_mean_that_is_printed_a_step_lower_is_no_lie(joined):
    fine = result(16000)
    raw = fine['raw'][0]
    # 16,000 operations a second, of which the mean falls by a microsecond
    means = [250e-6 - (t > 200) * 1e-6 for t in range(len(raw['t']))]
    raw['finished'] = [16000 * 300 + 4 * i for i in range(len(raw['t']))]
    raw['waited'] = [m * n for m, n in zip(means, raw['finished'])]
    raw['waited'][-1] -= 4.0
    assert joined(result(100), fine)


def endless_polls(data):
    data['raw'][0]['polled_at'] *= SAMPLES_MAX + 1


def endless_counts(data):
    data['raw'][0]['polled_ops'] *= SAMPLES_MAX + 1


def endless_rows(data):
    data['raw'][0]['waited'] += [0.0] * SAMPLES_MAX


def backwards(data):
    data['raw'][0]['finished'][5] = 1


def no_raw(data):
    del data['raw']


def no_clients(data):
    data['raw'] = []


def far(data):
    data['raw'][0]['start'] = 1e308
    data['raw'][0]['seconds'] = 1e308


def worded(data):
    data['raw'][0]['t'][3] = 'three'


def bad_buckets(data):
    data['evidence']['probe'] = probe({10**9: 5})


def no_probe(data):
    data['evidence'].pop('probe')


@pytest.mark.parametrize(
    'spoil',
    [backwards, no_raw, no_clients, far, worded, bad_buckets, no_probe]
    + [endless_polls, endless_counts, endless_rows],
)
def test_a_lying_host_fails_in_one_line(joined, spoil):
    odd = result(300)
    spoil(odd)
    with pytest.raises(Failure, match='cannot be used') as failed:
        joined(result(100), odd)
    assert failed.value.kind == 'protocol'
    assert '\n' not in str(failed.value) and len(str(failed.value)) < 250


@pytest.mark.parametrize(
    'text', ['', '[]', '{"raw": NaN}', '[' * 100000, '{"raw": [3]}']
)
def test_what_is_no_result_fails_in_one_line(joined, text):
    with pytest.raises(Failure, match='h1 cannot be used'):
        joined(result(100), text)
