"""What several hosts counted of an S3 load is one result, or refused."""

from typing import Any, Dict, List

import json
import pathlib
import random

import pytest

from perfcompare.worker.loads.s3 import checked
from perfcompare.worker.loads.s3.fleet import begun
from perfcompare.worker.loads.s3.join import join_run
from perfcompare.worker.loads.s3.part import told
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.loads.s3.results import Tally
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire import histogram
from perfcompare.worker.wire.join_jobs import HostResult, join_of
from perfcompare.worker.wire.s3_spec import GET, PUT, Details, Phase

from ..data.s3_loads import trial

Data = Dict[str, Any]
URL = 'http://gw:80'
WARMUP, DURATION = 2.0, 12.0
SECOND = 1_000_000_000


class Done:
    """Hold what ended when, and how long it took (ns)."""

    def __init__(self, seed: int, rate: int = 200) -> None:
        rng = random.Random(seed)
        whole = int((WARMUP + DURATION) * SECOND)
        at = sorted(rng.randrange(whole) for _ in range(rate * 14))
        self.ops = [
            (rng.choice((GET, PUT)), t, int(rng.lognormvariate(15, 0.5)))
            for t in at
        ]

    def process(self, zero: int, late: float = 0.0) -> Data:
        """Return what a process that counts from ``zero`` on tells."""
        phase = Phase('load', (1.0,), WARMUP, DURATION)
        phase, begin = begun(phase, 0.0, late)
        start = zero + int(begin * 1e9)
        recorder = Recorder(start, phase.warmup, phase.duration)
        for op, at, took in self.ops:
            if zero + at >= start:
                now = zero + at
                recorder.done(op, now, now - took, 4096, now - took // 2)
        recorder.error(PUT, zero + 5 * SECOND, '503 SlowDown', 'busy')
        recorder.under_way(GET, 77_000_000)
        recorder.finish(recorder.end + 1000)
        return {
            **dict.fromkeys(checked.COUNTS, 0),
            'start': start,
            'begin': recorder.begin,
            'end': recorder.end,
            'connected': 4,
            'cpu': 1.0,
            'seconds': 14.0,
            'backed_off': 0.0,
            'lag': 0.0,
            'run_queue': None,
            'refused': '',
            'endpoints': [
                {
                    'url': URL,
                    'intervals': recorder.intervals,
                    'unfinished': recorder.pending(),
                    'examples': recorder.examples,
                }
            ],
        }


def host(processes: List[Data], zero: int, busy: float = 0.5) -> Data:
    """Return a host's result."""
    return {
        'summary': {
            'host_busy': busy,
            'client_cores': 0.5,
            'client_thread_cores': 0.25,
            'host_cores': 4,
        },
        'notes': [],
        'evidence': {
            'told': told(processes, zero),
            'clients': [{'client': 0, 'cores': 0.5}],
            'nic': {'name': 'eth0', 'share': busy},
            'throttled': None,
            'nagle': {'trap': False},
            'events_dropped': 1,
        },
    }


def join(folder: pathlib.Path, *hosts: Data, **changes: Any) -> Data:
    """Join results as a worker does."""
    found = []
    for number, data in enumerate(hosts):
        path = folder / f'{number}.json'
        path.write_text(json.dumps(data))
        found.append(HostResult(f'h{number}', str(path), 0.0, 0.001))
    whole = trial(warmup=WARMUP, duration=DURATION, **changes)
    job = join_of(whole, 60.0, 1000.0, tuple(found))
    assert job is not None
    job.check()
    run = join_run(job)  # type: ignore[arg-type]
    run.prepare()
    return run.run()


@pytest.mark.parametrize('rate', [0.0, 50.0])
def test_what_was_given_up_is_told_where_it_is_no_error(
    tmp_path: pathlib.Path, rate: float
) -> None:
    hosts = [host([dict(Done(i).process(0), cut=i)], 0) for i in (1, 2)]
    found = join(tmp_path, *hosts, rate=rate)
    assert found['evidence']['cut'] == 3
    note = '3 operations had not ended ten seconds after the load'
    assert (note in found["notes"]) is (not rate)


def within(done: List[Done], begin: float, end: float) -> List[Any]:
    """Return the operations that ended between two seconds."""
    return [
        op
        for one in done
        for op in one.ops
        if begin * SECOND <= op[1] < end * SECOND
    ]


def expected(ops: List[Any], unfinished: int) -> Dict[str, float]:
    """Return percentiles of all, as one histogram of them has them."""
    counts: histogram.Sparse = {}
    for took in [op[2] for op in ops] + [77_000_000] * unfinished:
        index = histogram.bucket(took)
        counts[index] = counts.get(index, 0) + 1
    return histogram.percentiles(counts)


def test_the_sum_of_hosts_is_what_one_would_have_counted(
    tmp_path: pathlib.Path,
) -> None:
    done = [Done(seed) for seed in range(4)]
    # clocks of hosts have nothing in common
    zeros = (5 * SECOND + 17, 900 * SECOND)
    found = join(
        tmp_path,
        host([d.process(zeros[0]) for d in done[:3]], zeros[0], 0.4),
        host([done[3].process(zeros[1])], zeros[1], 0.9),
    )
    ops = within(done, 2.0, 14.0)
    summary, evidence = found['summary'], found['evidence']
    assert summary['ops'] == len(ops)
    assert summary['window'] == 12.0
    assert summary['ops_per_s'] == len(ops) / 12.0
    assert summary['errors'] == 4
    assert evidence['errors'] == {'put 503 SlowDown': 4}
    assert summary['percentiles'] == expected(ops, 4)
    puts = [op for op in ops if op[0] == PUT]
    assert evidence['operations']['put']['ops'] == len(puts)
    assert evidence['operations']['put']['percentiles'] == expected(puts, 0)
    first = [(GET, 0, op[2] - op[2] // 2) for op in ops if op[0] == GET]
    told_first = evidence['operations']['get']['first_byte']
    assert told_first == expected(first, 0)
    (endpoint,) = evidence['endpoints']
    assert endpoint['ops'] == len(ops) and endpoint['errors'] == 4
    (piece,) = evidence['window']
    assert piece == pytest.approx([1002.3, 1014.3])
    assert len(summary['windows']) == 6
    # of the host that has less to spare
    assert summary['host_busy'] == 0.9
    assert [h['host'] for h in evidence['hosts']] == ['h0', 'h1']
    assert [h['errors'] for h in evidence['hosts']] == [3, 1]
    mine = within(done[3:], 2.0, 14.0)
    assert evidence['hosts'][1]['ops_per_s'] == len(mine) / 12.0
    assert evidence['hosts'][1]['errors_by_reason'] == {'put 503 SlowDown': 1}
    assert sum(h['share'] for h in evidence['hosts']) == pytest.approx(1.0)


@pytest.mark.parametrize('late, begin', [(1.37, 2.0), (2.61, 3.0)])
def test_what_all_measured_counts(
    tmp_path: pathlib.Path, late: float, begin: float
) -> None:
    done = [Done(1), Done(2)]
    found = join(
        tmp_path,
        host([done[0].process(0)], 0),
        host([done[1].process(7 * SECOND, late)], 7 * SECOND),
    )
    ops = within(done, begin, 14.0)
    assert found['summary']['ops'] == len(ops)
    assert found['summary']['window'] == 14.0 - begin
    assert found['summary']['percentiles'] == expected(ops, 2)
    assert found['evidence']['hosts'][1]['late'] == pytest.approx(late)
    assert any('h1 began' in note for note in found['notes'])


def test_a_late_host_spoils_steps_of_a_rate(tmp_path: pathlib.Path) -> None:
    parts = [
        host([Done(1).process(0)], 0),
        host([Done(2).process(0, 2.6)], 0),
    ]
    with pytest.raises(Failure, match='did not begin at the same time'):
        join(tmp_path, *parts, rate=100.0, details=Details(ramp_steps=4))


def test_few_seconds_in_common_are_no_trial(tmp_path: pathlib.Path) -> None:
    parts = [
        host([Done(1).process(0)], 0),
        host([Done(2).process(0, 4.6)], 0),
    ]
    with pytest.raises(Failure, match=r'only 9\.0 s of 12 s'):
        join(tmp_path, *parts)


def odd(where: str, value: Any) -> Data:
    """Return a result with something else at a place of its tree."""
    data: Any = json.loads(json.dumps(host([Done(1).process(0)], 0)))
    *path, last = where.split('.')
    place = data['evidence']['told']
    for word in path:
        place = place[int(word) if word.isdigit() else word]
    place[int(last) if last.isdigit() else last] = value
    return dict(data)


INTERVAL = '0.endpoints.0.intervals.3'


@pytest.mark.parametrize(
    'where, value',
    [
        ('0', None),
        ('0.end', 1),
        ('0.end', 'soon'),
        ('0.begin', -5),
        ('0.start', 1e300),
        ('0.cpu', float('nan')),
        ('0.connected', True),
        ('0.refused', 'two\nlines'),
        ('0.endpoints', {}),
        ('0.endpoints.0.url', 'http://evil:80'),
        ('0.endpoints.0.intervals', [{}] * 5000),
        ('0.endpoints.0.examples', ['\x1b[2J']),
        ('0.endpoints.0.unfinished', {'get': {}}),
        (f'{INTERVAL}.from', 0),
        (f'{INTERVAL}.to', 1 << 60),
        (f'{INTERVAL}.errors', {'x' * 10: -1}),
        (f'{INTERVAL}.errors', {str(n): 1 for n in range(9000)}),
        (f'{INTERVAL}.attempts', []),
        (f'{INTERVAL}.ops', {'nothing': {'histogram': {}, 'max': 0}}),
        (f'{INTERVAL}.ops.get.histogram', {'99999999': 1}),
        (f'{INTERVAL}.ops.get.histogram', {'-1': 1}),
        (f'{INTERVAL}.ops.get.histogram', {'x': 1}),
        (f'{INTERVAL}.ops.get.max', 1.5),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    tmp_path: pathlib.Path, where: str, value: Any
) -> None:
    with pytest.raises(Failure) as refused:
        join(tmp_path, host([Done(1).process(0)], 0), odd(where, value))
    text = str(refused.value)
    assert text.isprintable() and len(text) < 300
    assert 'load host h1 cannot be used' in text


def test_a_host_tells_each_interval_once() -> None:
    done = [Done(seed) for seed in range(3)]
    rows = told([d.process(0) for d in done], 0)
    assert [len(r['endpoints']) for r in rows] == [1, 0, 0]
    (endpoint,) = rows[0]['endpoints']
    assert len(endpoint['intervals']) == 15  # with what came after the end
    tally = Tally()
    for interval in endpoint['intervals']:
        tally.add(interval)
    assert tally.ops() == sum(len(d.ops) for d in done)
