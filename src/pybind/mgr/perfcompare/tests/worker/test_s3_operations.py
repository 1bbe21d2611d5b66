"""Operations beyond put, get, stat and delete, against a real server."""

from typing import Any, Dict, Iterator, Optional

import collections
import time

import pytest

from perfcompare.tests.fakes.s3_loop import Bench
from perfcompare.tests.fakes.s3_server import SLOW_DOWN, S3Server
from perfcompare.worker.loads.s3 import removal
from perfcompare.worker.loads.s3.bucket import Client
from perfcompare.worker.loads.s3.loop import Loop
from perfcompare.worker.loads.s3.mix import Drain, Mix
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.loads.s3.results import Window
from perfcompare.worker.loads.s3.sigv4 import Signer
from perfcompare.worker.loads.s3.site import Wire
from perfcompare.worker.wire.s3_spec import (
    OPS,
    Details,
    Endpoint,
    Phase,
    Target,
    Weighted,
)

pytestmark = pytest.mark.process

MIB = 1 << 20


def mix(**shares: float) -> Any:
    return tuple(float(shares.get(op, 0.0)) for op in OPS)


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


class Many(Bench):
    """Hold a loop that does what is asked of it, with details."""

    def __init__(
        self,
        server: S3Server,
        size: int = 4096,
        connections: int = 4,
        lanes: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(
            server, (Weighted(size),), connections, verify=1.0, **options
        )
        self.existing.count = 0
        if lanes:
            self.loop.close()
            self.loop = Loop(
                [c.site for c in self.loop.all[:1]],
                [Signer('A', 'S', 'us-east-1', 'x')],
                Wire(self.payload, None),
                self.population,
                connections,
                self.rng,
                60.0,
                lanes=lanes,
            )

    def fill(self, count: int) -> None:
        super().fill(count)
        self.existing.count = count

    def load(
        self,
        shares: Any,
        details: Details = Details(),
        seconds: float = 1.5,
        rate: float = 0.0,
        limit: int = 0,
        source: Optional[Any] = None,
    ) -> Window:
        self.loop.connect(time.perf_counter_ns() + 10**9)
        start = time.perf_counter_ns()
        recorder = Recorder(start, 0.0, seconds)
        phase = Phase('x', shares, 0.0, seconds, rate=rate, limit=limit)
        self.source = source or Mix(phase, self.population, self.rng, details)
        self.loop.run(self.source, [recorder], start, recorder.end, rate)
        recorder.finish(time.perf_counter_ns())
        result: Dict[str, Any] = {
            'begin': recorder.begin,
            'end': recorder.end,
            'endpoints': [
                {
                    'url': 'u',
                    'intervals': recorder.intervals,
                    'unfinished': recorder.pending(),
                }
            ],
        }
        return Window([result], bool(rate))


def test_ranges_are_read_and_compared(server: S3Server) -> None:
    bench = Many(server, 300000)
    bench.fill(4)
    window = bench.load(mix(range=1), Details(range_size=70000))
    assert window.judged.errors == {}
    assert 0 < window.judged.ops('range') <= bench.loop.compared
    assert window.judged.bytes['range'] == 70000 * window.judged.ops()


def test_a_range_of_other_bytes_is_corrupt(server: S3Server) -> None:
    bench = Many(server, 300000)
    bench.fill(1)
    content = server.objects[b'/b/r-00000000']
    server.objects[b'/b/r-00000000'] = content[1:] + b'x'
    window = bench.load(mix(range=1), Details(range_size=70000), 1.0)
    assert bench.loop.corrupt > 0
    assert set(window.judged.errors) == {'range corrupt'}


def test_a_range_that_is_ignored_is_an_error(server: S3Server) -> None:
    bench = Many(server)
    bench.fill(1)
    whole = b'HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n'
    whole += server.objects[b'/b/r-00000000']
    server.fault = lambda method, path, serial: whole
    window = bench.load(mix(range=1), Details(range_size=1024), 1.0)
    assert set(window.judged.errors) <= {
        'range range ignored',
        'range corrupt',
    }


def test_listings_are_whole_pages(server: S3Server) -> None:
    bench = Many(server)
    bench.fill(50)
    window = bench.load(mix(list=1), Details(list_keys=20))
    assert window.judged.errors == {}
    assert window.judged.ops('list') > 0
    assert window.judged.moved() > 20 * window.judged.ops('list')
    for number in range(45):
        del server.objects[b'/b/r-%08d' % number]
    window = bench.load(mix(list=1), Details(list_keys=20), 1.0)
    assert set(window.judged.errors) == {'list names are missing'}


def test_overwrites_leave_as_many_objects(server: S3Server) -> None:
    bench = Many(server)
    bench.fill(10)
    before = dict(server.objects)
    window = bench.load(mix(overwrite=1))
    assert window.judged.errors == {} and window.judged.ops('overwrite') > 0
    assert server.objects == before
    assert bench.population.rewritten >= window.judged.ops('overwrite')
    assert bench.population.created == 0


def test_copies_can_be_read_as_their_sources(server: S3Server) -> None:
    bench = Many(server)
    bench.fill(10)
    window = bench.load(mix(copy=1, get=1))
    assert window.judged.errors == {} and bench.loop.corrupt == 0
    assert window.judged.ops('copy') > 0 < window.judged.ops('get')
    copies = [k for k in server.objects if k.startswith(b'/b/w-')]
    assert len(copies) == bench.population.created
    assert len(bench.population) == 10 + len(copies)


def test_deletes_of_many_take_all_there_is(server: S3Server) -> None:
    bench = Many(server)
    bench.fill(50)
    window = bench.load(
        mix(multidelete=1), source=Drain(bench.population, 20), seconds=20.0
    )
    assert window.judged.errors == {}
    assert window.judged.ops('multidelete') == 3
    assert server.objects == {}


def test_a_delete_that_failed_leaves_its_objects(server: S3Server) -> None:
    bench = Many(server, connections=1)
    bench.fill(20)
    server.fault = lambda method, path, serial: (
        SLOW_DOWN[0] if b'delete' in path and serial < 22 else None
    )
    window = bench.load(
        mix(multidelete=1), source=Drain(bench.population, 10), seconds=20.0
    )
    assert window.judged.errors == {'multidelete 503 SlowDown': 1}
    assert server.objects == {} and window.judged.ops('multidelete') == 2


def test_a_mix_of_deletes_of_many_keeps_its_objects(
    server: S3Server,
) -> None:
    bench = Many(server)
    bench.fill(40)
    window = bench.load(
        mix(put=10, get=5, multidelete=1), Details(delete_batch=10), 3.0
    )
    assert window.judged.errors == {}
    assert window.judged.ops('multidelete') > 0
    assert len(server.objects) == len(bench.population)


@pytest.mark.parametrize('rate', [0.0, 40.0])
def test_uploads_in_parts_are_whole_objects(
    server: S3Server, rate: float
) -> None:
    bench = Many(server, 12 * MIB + 5, connections=6, lanes=2)
    server.part_pause = 0.2
    window = bench.load(
        mix(multipart=1),
        Details(part_size=5 * MIB, part_streams=3),
        # ten uploads at a rate: what is begun has to end in time
        seconds=0.25 if rate else 1.0,
        rate=rate,
    )
    assert window.judged.errors == {}
    assert window.judged.ops('multipart') > 0 == bench.loop.in_flight
    assert window.judged.moved() == window.judged.ops() * (12 * MIB + 5)
    assert server.uploads == {}
    for path, content in server.objects.items():
        number = int(path[-8:])
        assert content == bench.payload.content(number, 12 * MIB + 5)
    # two uploads of three parts each, and never more
    assert 3 <= server.peak <= 6


@pytest.mark.parametrize('rate', [0.0, 40.0])
def test_uploads_of_one_part_at_a_time_end(
    server: S3Server, rate: float
) -> None:
    bench = Many(server, 12 * MIB, connections=3)
    window = bench.load(
        mix(multipart=1),
        Details(part_size=5 * MIB, part_streams=1),
        seconds=30.0,
        rate=rate,
        limit=7,
    )
    assert window.judged.errors == {} and window.judged.ops('multipart') == 7
    assert server.uploads == {} and bench.loop.in_flight == 0
    assert 1 <= server.peak <= 3
    assert server.begun == len(server.objects) == 7


def test_an_upload_that_fails_is_aborted_and_counts_once(
    server: S3Server,
) -> None:
    bench = Many(server, 12 * MIB, connections=3, lanes=1)
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 403 Forbidden\r\nContent-Length: 32\r\n\r\n'
        b'<Error><Code>Denied</Code></Err>'
        if b'partNumber' in path
        else None
    )
    window = bench.load(
        mix(multipart=1),
        Details(part_size=5 * MIB, part_streams=3),
        limit=2,
        seconds=30.0,
    )
    assert window.judged.errors == {'multipart 403 Denied': 2}
    assert server.uploads == {} == server.objects
    assert bench.loop.in_flight == 0
    assert bench.population.abandoned == 2


def test_uploads_that_nobody_ended_are_aborted_with_their_bucket(
    server: S3Server,
) -> None:
    client = Client(
        Target((Endpoint(server.host, server.port),), 'A', 'S', 'b')
    )
    for name in ('new-00000001', 'new-00000002', 'theirs'):
        client.request('POST', f'/b/{name}', query='uploads=')
    assert removal.abort_uploads(client, 'b') == 2
    client.close()
    assert [name for name, _ in server.uploads.values()] == [b'/b/theirs']


def test_a_mix_of_everything_keeps_count(server: S3Server) -> None:
    bench = Many(server, 6 * MIB, connections=8, lanes=4)
    bench.fill(8)
    shares = mix(
        put=2, get=2, stat=2, delete=1, overwrite=1, range=2, list=1,
        multipart=2, copy=1,
    )  # fmt: skip
    window = bench.load(
        shares,
        Details(range_size=MIB, part_size=5 * MIB, part_streams=2),
        3.0,
    )
    assert window.judged.errors == {} and bench.loop.corrupt == 0
    assert len(server.objects) == len(bench.population)
    assert server.uploads == {}
    assert bench.loop.in_flight == 0


def test_objects_are_spread_over_buckets_and_prefixes(
    server: S3Server,
) -> None:
    bench = Many(server, spread=(3, 2))
    bench.fill(60)
    places = collections.Counter(
        path.rpartition(b'r-')[0] for path in server.objects
    )
    assert set(places.values()) == {10} and set(places) == {
        b'/%b/%b/' % (bucket, folder)
        for bucket in (b'b', b'b-b1', b'b-b2')
        for folder in (b'00', b'01')
    }
    shares = mix(
        put=10, get=2, range=1, list=2, copy=2, overwrite=1, multidelete=1
    )
    details = Details(range_size=1024, list_keys=8, delete_batch=5)
    window = bench.load(shares, details, 4.0)
    assert window.judged.errors == {} and bench.loop.corrupt == 0
    for op in ('list', 'copy', 'multidelete'):
        assert window.judged.ops(op) > 0
    assert len(server.objects) == len(bench.population)


def test_pages_of_buckets_are_whole(server: S3Server) -> None:
    bench = Many(server, spread=(3, 2))
    bench.fill(60)
    details = Details(list_keys=20)
    window = bench.load(mix(list=1), details, 20.0, limit=60)
    assert window.judged.errors == {} and window.judged.ops('list') > 6
    # one that is missing is missed, wherever it was
    del server.objects[b'/b-b2/01/r-00000059']
    window = bench.load(mix(list=1), details, 20.0, limit=60)
    assert set(window.judged.errors) == {'list names are missing'}
