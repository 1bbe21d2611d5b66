"""What fio tells of a load while it goes on, also where it is damaged."""

import json
import os
import pathlib

import pytest

from perfcompare.worker.loads.rbd import output, status
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire import histogram

STARTED = 1_000_000.0
DATA = pathlib.Path(__file__).parent.parent / 'data'


def told(at, read=(), write=(), errors=0):
    """Return a result of fio, ``at`` seconds after its start."""

    def side(bins):
        bins = dict(bins)
        return {'lat_ns': {'N': sum(bins.values()), 'bins': bins}}

    job = {
        'job_start': int(STARTED * 1e3),
        'read': side(read),
        'write': side(write),
        'total_err': errors,
    }
    data = {'timestamp_ms': int((STARTED + at) * 1e3), 'jobs': [job]}
    return (json.dumps(data, indent=2) + '\n').encode()


@pytest.fixture
def pipe(tmp_path):
    """Return a tap, and what writes to it."""
    path = str(tmp_path / 'x.status')
    tap = status.StatusTap(path, 'fio on image x')
    fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    yield tap, lambda data: os.write(fd, data)
    os.close(fd)


def counts(part):
    return {name: sum(pairs[1::2]) for name, pairs in part.latencies.items()}


def test_slices_have_what_ended_since_the_result_before(pipe):
    tap, write = pipe
    write(told(1, read={'1000': 3}))
    (first,) = tap.read()
    assert (first.begin, first.end) == (STARTED, STARTED + 1)
    assert first.latencies == {'read': (histogram.bucket(1000), 3)}
    write(told(2, read={'1000': 5, '2000': 1}, write={'3000': 2}))
    write(told(3, read={'1000': 5, '2000': 1}, write={'3000': 9}, errors=4))
    second, third = tap.read()
    assert (second.begin, second.end) == (STARTED + 1, STARTED + 2)
    assert counts(second) == {'read': 3, 'write': 2}
    assert counts(third) == {'write': 7}
    assert tap.errors == 4
    assert tap.read() == []


def test_a_fio_that_does_not_say_when_it_began_tells_slices(pipe):
    tap, write = pipe
    # fio 3.33 says when it tells, and how many ms it took until then
    result = json.loads((DATA / 'recorded_fio_mix.json').read_text())
    (job,) = result['jobs']
    assert 'job_start' not in job
    write((json.dumps(result, indent=2) + '\n').encode())
    (first,) = tap.read()
    assert first.begin == pytest.approx(1795491903.371 - 1.003)
    assert first.end == 1795491903.371
    assert counts(first) == {n: job[n]['lat_ns']['N'] for n in output.SIDES}
    result['timestamp_ms'] += 1000
    bins = job['read']['lat_ns']['bins']
    bins[min(bins)] += 5
    write((json.dumps(result, indent=2) + '\n').encode())
    (second,) = tap.read()
    assert second.begin == first.end
    assert counts(second) == {'read': 5}


def test_one_without_a_log_began_before_it_told(tmp_path):
    text = (DATA / 'recorded_fio_w.json').read_text()
    job, told = output.result(text, 'fio')
    log = str(tmp_path / 'none')
    found = output.load(job, log, 1.0, 'fio', told)
    assert found.started == pytest.approx(1795491906.628 - 1.001)
    with pytest.raises(Failure, match='does not say when'):
        output.load(job, log, 1.0, 'fio')


def test_a_result_that_comes_in_parts_is_one(pipe):
    tap, write = pipe
    data = told(1, read={'1000': 3})
    write(b'fio: a note comes first\n' + data[:40])
    assert tap.read() == []
    write(data[40:])
    assert [counts(part) for part in tap.read()] == [{'read': 3}]
    assert json.loads(tap.last()[tap.last().find('{') :])['jobs']


@pytest.mark.parametrize(
    'bad',
    [
        b'{\n}\n',
        b'no result\n}\n',
        b'{\n "jobs": 7\n}\n',
        told(2, read={'1000': -1, 'x': 3}),
        told(-5),
        told(1),
        b'\xff\xfe\x1b[2J\n}\n',
        b'[' * 30_000 + b'\n}\n',
    ],
)
def test_what_cannot_be_read_is_told_by_the_next_one(pipe, bad):
    tap, write = pipe
    write(told(1, read={'1000': 3}))
    tap.read()
    write(bad)
    assert tap.read() == []
    write(told(3, read={'1000': 10}))
    (part,) = tap.read()
    assert (part.begin, part.end) == (STARTED + 1, STARTED + 3)
    assert counts(part) == {'read': 7}


def test_what_never_ends_is_not_kept(pipe, monkeypatch):
    monkeypatch.setattr(status, 'HELD_MAX', 1000)
    tap, write = pipe
    for _ in range(5):
        write(b'x' * 400)
        tap.read()
    assert len(tap._rest) <= 1400
    write(b'\n}\n' + told(1, read={'1000': 3}))
    assert [counts(part) for part in tap.read()] == [{'read': 3}]


def test_counts_that_fall_are_not_negative(pipe):
    tap, write = pipe
    write(told(1, read={'1000': 9}))
    write(told(2, read={'1000': 4}))
    assert [counts(part) for part in tap.read()] == [{'read': 9}, {}]
