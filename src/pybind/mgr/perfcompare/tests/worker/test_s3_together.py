"""S3 load of several hosts, by real worker processes, made one result."""

from typing import Any, Dict, Iterator, List, Tuple

import collections
import dataclasses
import json
import os
import pathlib
import time

import pytest

from perfcompare.model.outcome import Outcome
from perfcompare.worker.wire.join_jobs import HostResult, join_of
from perfcompare.worker.wire.protocol import Ended, Ready
from perfcompare.worker.wire.s3_jobs import S3Fill, S3Load, S3Trial, S3Warm
from perfcompare.worker.wire.s3_spec import OPS, Details, Endpoint, Weighted
from perfcompare.workers.outcomes import WorkerFailed

from ..data.s3_loads import trial
from ..fakes.s3_server import S3Server
from ..fakes.worker_site import Site, drive, follow

pytestmark = pytest.mark.process

AHEAD = 1.0
REST = 0.003  # closed loops that leave the cores to others


class Rig:
    """Run a trial on so many hosts, which are all here."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._site = Site(folder)
        self._keys = folder / 'keys'
        self._keys.write_text('{"access_key": "A", "secret_key": "S"}')
        self._keys.chmod(0o600)
        self.servers = [S3Server(), S3Server()]
        self.requests: 'collections.Counter[Tuple[bytes, bytes]]' = (
            collections.Counter()
        )
        for server in self.servers:
            # two gateways of the same objects
            server.objects = self.servers[0].objects
            server.fault = self._note
            server.rest = REST

    def _note(self, method: bytes, path: bytes, serial: int) -> None:
        self.requests[method, path] += 1

    def close(self) -> None:
        """End the gateways."""
        for server in self.servers:
            server.close()

    def trial(self, **changes: Any) -> S3Trial:
        """Return the job of all hosts."""
        values = {
            'access': self._site.access,
            'credentials': str(self._keys),
            'endpoints': tuple(
                Endpoint(s.host, s.port) for s in self.servers
            ),
        }
        return trial(**{**values, **changes})

    def _workers(self, job: S3Load, hosts: int) -> List[Any]:
        """Return the workers of a job, when all are done."""
        parts = [part for part in job.divided(hosts) if part is not None]
        workers = [self._site.worker() for _ in parts]
        for worker, part in zip(workers, parts):
            worker.start(part)
        for worker in workers:
            follow(worker, Ready, go=False, beside=workers)
        self.begin = time.time() + AHEAD
        for worker in workers:
            assert worker._send('go', at=self.begin)
        for worker in workers:
            follow(worker, Ended, beside=workers)
        return workers

    def done(self, job: S3Load, hosts: int) -> List[Outcome]:
        """Do what is no trial; return what each host says."""
        return [worker.outcome() for worker in self._workers(job, hosts)]

    def measured(self, job: S3Trial, hosts: int) -> List[HostResult]:
        """Return where the results of the hosts are."""
        found = []
        for number, worker in enumerate(self._workers(job, hosts)):
            assert worker.outcome() is not None  # else it says why
            path = os.path.join(worker._folder, 'result.json')
            found.append(HostResult(f'h{number}', path, 0.0, 0.001))
        return found

    def joined(self, job: S3Trial, results: List[HostResult]) -> Outcome:
        """Return one result of theirs."""
        join = join_of(job, 60.0, self.begin, tuple(results))
        assert join is not None
        worker = self._site.worker()
        drive(worker, join)
        outcome: Outcome = worker.outcome()
        return outcome


@pytest.fixture
def rig(tmp_path: pathlib.Path) -> Iterator[Rig]:
    found = Rig(tmp_path)
    yield found
    found.close()


def data_of(told: HostResult) -> Dict[str, Any]:
    data: Dict[str, Any] = json.loads(pathlib.Path(told.file).read_text())
    return data


def test_writes_of_three_hosts_are_one_load(rig: Rig) -> None:
    job = rig.trial()
    results = rig.measured(job, 3)
    outcome = rig.joined(job, results)
    assert outcome.summary is not None
    evidence = outcome.evidence
    # no object is of two hosts
    new = {k: n for k, n in rig.requests.items() if b'/new-' in k[1]}
    assert set(new.values()) == {1}
    assert evidence['created'] == len(new)
    ops = [data_of(r)['summary']['ops'] for r in results]
    assert outcome.summary.ops == sum(ops)
    assert outcome.summary.window == 2.0 and outcome.summary.errors == 0
    assert outcome.summary.ops_per_s == pytest.approx(sum(ops) / 2.0)
    for host, mine in zip(evidence['hosts'], ops):
        assert host['ops_per_s'] == pytest.approx(mine / 2.0)
        assert host['share'] == pytest.approx(mine / sum(ops))
        assert 0.0 <= host['late'] < 2.0
    assert evidence['connections'] == 8
    counted = evidence['histograms']['put']
    inside = sum(e['ops'] for e in evidence['endpoints'])
    assert sum(counted.values()) == inside >= sum(ops)
    assert len(evidence['endpoints']) == 2
    assert min(e['ops'] for e in evidence['endpoints']) > inside / 4
    assert outcome.series is not None


def test_a_mix_has_its_objects_before_any_host_begins(rig: Rig) -> None:
    job = rig.trial(
        mix=(0.3, 0.4, 0.1, 0.1, 0.1),
        objects=51,
        own=True,
        verify=1.0,
        sizes=(Weighted(4096, 2.0), Weighted(1024)),
        buckets=2,
        prefixes=2,
        processes=2,
    )
    results = rig.measured(job, 2)
    outcome = rig.joined(job, results)
    assert outcome.summary is not None and outcome.summary.errors == 0
    evidence = outcome.evidence
    assert evidence['corrupt'] == 0 and evidence['compared'] > 0
    assert set(evidence['operations']) == {
        'put',
        'get',
        'stat',
        'delete',
        'overwrite',
    }
    assert evidence['operations']['get']['first_byte']
    told = [data_of(r)['evidence']['operations'] for r in results]
    for name, row in evidence['operations'].items():
        assert row['ops'] == sum(t[name]['ops'] for t in told)
    sums = [data_of(r)['summary']['ops'] for r in results]
    assert outcome.summary.ops == sum(sums)


def test_a_rate_is_that_of_all(rig: Rig) -> None:
    job = rig.trial(rate=150.0, duration=8.0)
    outcome = rig.joined(job, rig.measured(job, 3))
    assert outcome.summary is not None
    assert outcome.summary.ops_per_s == pytest.approx(150.0, rel=0.05)
    assert outcome.evidence['rate'] == 150.0


def test_errors_are_told_by_host(rig: Rig) -> None:
    def refuse(method: bytes, path: bytes, serial: int) -> Any:
        number = path.rpartition(b'-')[2]
        if b'/new-' in path and int(number) % 2:  # of the second host
            return b'HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n'
        return None

    job = rig.trial(rate=100.0, concurrency=4)
    for server in rig.servers:
        server.fault = refuse
    with pytest.raises(WorkerFailed, match='no operation succeeded'):
        rig.measured(job, 2)


def changed(told: HostResult, **changes: Any) -> None:
    """Make another host say something else."""
    data = data_of(told)
    data['evidence']['told'][0].update(changes)
    pathlib.Path(told.file).write_text(json.dumps(data))


@pytest.mark.parametrize(
    'changes, why',
    [
        ({'end': 1}, 'did not end with the window'),
        ({'corrupt': -1}, '-1 is no count'),
        ({'cpu': 'x'}, 'x is no figure'),
        ({'begin': 2_900_000_000}, 'only 0.1 s of 2 s could be measured'),
        ({'endpoints': [{}] * 3}, 'more endpoints than there are'),
        (
            {'endpoints': [{'url': 'http://other:1', 'intervals': []}]},
            "'http://other:1' is no endpoint",
        ),
    ],
)
def test_what_a_host_says_is_not_believed(
    rig: Rig, changes: Dict[str, Any], why: str
) -> None:
    job = rig.trial(concurrency=2, rate=20.0)
    results = rig.measured(job, 2)
    changed(results[1], **changes)
    with pytest.raises(WorkerFailed, match=why) as refused:
        rig.joined(job, results)
    assert '\n' not in str(refused.value)


EVERY = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.1, 1.0, 1.0)  # as OPS


@pytest.mark.parametrize(
    'options',
    [
        {'buckets': 3, 'prefixes': 4},
        {'encryption': 'sse-c', 'details': Details(tags=2, part_streams=2)},
        {'details': Details(checksum='crc32', delete_batch=5)},
        {'owner': 'run1', 'fresh': True, 'sign_payload': True},
    ],
)
def test_every_operation_is_done_by_all_hosts(
    rig: Rig, options: Dict[str, Any]
) -> None:
    whole = rig.trial(
        mix=EVERY,
        objects=900,
        own=True,
        verify=1.0,
        concurrency=7,
        sizes=(Weighted(4096, 2.0), Weighted(1024)),
        duration=4.0,
    )
    how = options.get('details', Details())
    options['details'] = dataclasses.replace(
        how, list_keys=10, range_size=512, delete_batch=5
    )
    job = dataclasses.replace(whole, **options)
    for server in rig.servers:
        server.locks, server.tags = rig.servers[0].locks, rig.servers[0].tags
        server.uploads = rig.servers[0].uploads
    rig.servers[1].begun = 1_000_000  # its uploads have other names
    results = rig.measured(job, 3)
    outcome = rig.joined(job, results)
    assert outcome.summary is not None
    evidence = outcome.evidence
    assert evidence['errors'] == {} and evidence['corrupt'] == 0
    assert set(evidence['operations']) == set(OPS)
    for told in results:
        assert len(data_of(told)['evidence']['operations']) == len(OPS)


def test_what_hosts_wrote_together_is_warmed_and_read(rig: Rig) -> None:
    shared = {
        name: getattr(rig.trial(), name)
        for name in (
            'access',
            'deadline',
            'concurrency',
            'endpoints',
            'credentials',
            'bucket',
            'sizes',
        )
    }
    shared.update(prefix='4K-', objects=101)
    for kind in (S3Fill, S3Warm):
        outcomes = rig.done(kind(**shared), 3)
        counts = [p.objects for o in outcomes for p in o.populations]
        assert sum(counts) == 101
    method = collections.Counter(
        m for m, path in rig.requests.elements() if b'/4K-' in path
    )
    assert (method[b'PUT'], method[b'GET']) == (101, 101)
    job = rig.trial(
        mix=(0.0, 1.0, 0.0, 0.0),
        prefix='4K-',
        objects=101,
        verify=1.0,
        duration=6.0,
    )
    outcome = rig.joined(job, rig.measured(job, 3))
    assert outcome.summary is not None and outcome.summary.errors == 0
    assert outcome.evidence['corrupt'] == 0
    assert set(outcome.evidence['operations']) == {'get'}
    read = {
        path
        for method, path in rig.requests
        if method == b'GET' and b'/4K-' in path
    }
    assert len(read) == 101
