"""What warp did on several hosts is one result, by the same seconds."""

from typing import Any, Dict, List

import dataclasses
import io
import json
import pathlib

import pytest

from perfcompare.worker.agent.child import localized
from perfcompare.worker.interop.detect import warp_benchdata
from perfcompare.worker.interop.warp_rows import Load
from perfcompare.worker.loads.s3.join import join_run
from perfcompare.worker.loads.s3.part import told
from perfcompare.worker.loads.warp import command
from perfcompare.worker.loads.warp.told import process
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.jobs import job_to_data
from perfcompare.worker.wire.join_jobs import HostResult, join_of
from perfcompare.worker.wire.s3_spec import Endpoint
from perfcompare.worker.wire.warp_jobs import WarpTrial

from ..data.interop_data import HEADER, T0, warp_rows
from ..data.s3_loads import trial

SECOND = 1_000_000_000
ZERO = int(T0.timestamp()) * SECOND  # when all hosts are to begin
WARMUP, DURATION = 2.0, 12.0
WAIT = 10_000_000  # ns of an operation
URLS = ('http://a:80', 'http://b:80')


def job(**changes: Any) -> WarpTrial:
    """Return the trial of all hosts."""
    values: Dict[str, Any] = {
        field.name: getattr(trial(), field.name)
        for field in dataclasses.fields(trial())
    }
    values.update(
        endpoints=(Endpoint('a', 80), Endpoint('b', 80)),
        mix=(50.0, 50.0, 0.0, 0.0),
        objects=64,
        warmup=WARMUP,
        duration=DURATION,
    )
    return WarpTrial(**{**values, **changes})


def rows(
    begin: float, seconds: float = 16.0, wait: int = WAIT, threads: int = 2
) -> List[str]:
    """Return what threads did, each on one endpoint, in turn put and get."""
    found = []
    for number in range(threads):
        since = int(begin * SECOND) + number
        for i in range(int(seconds * SECOND) // wait):
            op, first = (('PUT', None), ('GET', wait // 2))[i % 2]
            (row,) = warp_rows(
                op, number, since + i * wait, 1, wait, 4096, first=first
            )
            found.append(row.replace('http://a', URLS[number % 2]))
    return found


def load_of(lines: List[str]) -> Load:
    """Return what warp wrote as it is read."""
    text = '\n'.join([HEADER, *lines]) + '\n'
    return warp_benchdata(io.BufferedReader(io.BytesIO(text.encode())))


def host(lines: List[str], whole: WarpTrial, host: int = 0) -> Dict[str, Any]:
    """Return a host's result."""
    part = whole.divided(2)[host]
    assert isinstance(part, WarpTrial)
    row = process(part, load_of(lines), ZERO)
    row.update(cpu=1.0, seconds=DURATION, created=10)
    return {
        'summary': {
            'host_busy': 0.5,
            'client_cores': 0.5,
            'client_thread_cores': None,
            'host_cores': 4,
        },
        'notes': [],
        'evidence': {'told': told([row], 0), 'events_dropped': 0},
    }


def join(
    folder: pathlib.Path, whole: WarpTrial, *hosts: Dict[str, Any]
) -> Dict[str, Any]:
    """Join results as a worker does."""
    found = []
    for number, data in enumerate(hosts):
        path = folder / f'{number}.json'
        path.write_text(json.dumps(data))
        found.append(HostResult(f'h{number}', str(path), 0.0, 0.001))
    joined = join_of(whole, 60.0, 1000.0, tuple(found))
    assert joined is not None
    joined.check()
    run = join_run(joined)  # type: ignore[arg-type]
    run.prepare()
    return run.run()


def test_the_sum_of_hosts_is_what_all_did(tmp_path: pathlib.Path) -> None:
    whole = job()
    # warp is ready at moments of its own, and writes its objects first
    before = warp_rows('PUT', 0, -5 * SECOND, 20, WAIT, 4096)
    found = join(
        tmp_path,
        whole,
        host(rows(0.05), whole),
        host(
            [r.replace('http://a\t', URLS[0] + '\t') for r in before]
            + rows(1.31, wait=2 * WAIT),
            whole,
            1,
        ),
    )
    summary, evidence = found['summary'], found['evidence']
    assert evidence['tool'] == 'warp'
    assert summary['window'] == DURATION
    ops = 2 * (1200 + 600)
    assert summary['ops'] == pytest.approx(ops, abs=4)
    counted = [h['ops_per_s'] for h in evidence['hosts']]
    assert counted == pytest.approx([200, 100], rel=0.005)
    assert sum(e['ops'] for e in evidence['endpoints']) >= summary['ops']
    assert [e['url'] for e in evidence['endpoints']] == list(URLS)
    for op in ('put', 'get'):
        row = evidence['operations'][op]
        assert row['ops'] == pytest.approx(ops / 2, abs=4)
        # two thirds take 10 ms, one third 20 ms
        assert row['percentiles']['p50'] == pytest.approx(0.01, rel=0.01)
        assert row['percentiles']['p95'] == pytest.approx(0.02, rel=0.01)
    first = evidence['operations']['get']['first_byte']
    assert first['p50'] == pytest.approx(0.005, rel=0.01)
    assert evidence['hosts'][1]['late'] == pytest.approx(1.33, abs=0.01)


def test_errors_and_what_the_end_cut_off_count(
    tmp_path: pathlib.Path,
) -> None:
    whole = job()
    failed = warp_rows(
        'PUT',
        1,
        5 * SECOND,
        3,
        WAIT,
        0,
        error='Error response code SlowDown.',
    )
    # begun before the end of the window, and 3 s long
    long = warp_rows('GET', 0, 13 * SECOND, 1, 3 * SECOND, 4096, first=WAIT)
    found = join(
        tmp_path,
        whole,
        host(
            rows(0.0)
            + [
                r.replace('http://a\t', URLS[1] + '\t') for r in failed + long
            ],
            whole,
        ),
        host(rows(0.0), whole, 1),
    )
    assert found['summary']['errors'] == 3
    assert found['evidence']['errors'] == {'put SlowDown': 3}
    assert found['evidence']['hosts'][0]['errors'] == 3
    assert found['summary']['latency_max'] == pytest.approx(1.0, abs=0.02)


def test_a_host_that_is_late_measures_fewer_seconds(
    tmp_path: pathlib.Path,
) -> None:
    whole = job()
    found = join(
        tmp_path,
        whole,
        host(rows(0.0), whole),
        host(rows(3.4), whole, 1),
    )
    assert found['summary']['window'] == DURATION - 2
    assert found['summary']['ops_per_s'] == pytest.approx(400, rel=0.005)


@pytest.mark.parametrize(
    'lines, message',
    [
        (rows(0.0, 10.0), 'warp ended 4.0 s before its time'),
        (rows(20.0), 'too late'),
        (
            [r.replace(URLS[1], 'http://c:80') for r in rows(0.0)],
            "to which endpoint an operation went, but to 'http://c:80'",
        ),
    ],
)
def test_what_is_no_such_load_is_refused(
    lines: List[str], message: str
) -> None:
    with pytest.raises(Failure, match=message):
        host(lines, job())


def test_first_bytes_that_are_not_told_are_not_made_up(
    tmp_path: pathlib.Path,
) -> None:
    whole = job()
    blank = []
    for row in rows(0.0):
        cells = row.split('\t')
        cells[HEADER.split('\t').index('first_byte')] = ''
        blank.append('\t'.join(cells))
    found = join(tmp_path, whole, host(blank, whole), host(blank, whole, 1))
    assert 'first_byte' not in found['evidence']['operations']['get']


def test_each_host_has_its_part_of_the_load() -> None:
    whole = job(concurrency=8, duration=2.4, max_objects=101)
    first, second = whole.divided(2)
    assert isinstance(first, WarpTrial) and isinstance(second, WarpTrial)
    argv = command.arguments(first, '/d')
    assert argv[argv.index('--concurrent') + 1] == '4'
    assert argv[argv.index('--objects') + 1] == '32'
    # to the end of the seconds that all count, whenever it begins
    assert argv[argv.index('--duration') + 1] == '5s'
    assert first.max_objects + second.max_objects == 101


def test_a_load_host_runs_no_other_program(tmp_path: pathlib.Path) -> None:
    data = job_to_data(job(warp='/tmp/evil'))
    files = {'access.keyring': 'k', 'credentials': '{}'}
    found = localized(data, files, str(tmp_path), '/etc/ceph/ceph.conf')
    assert found['warp'] == 'warp'
