"""One generator process: its endpoints by name, and their figures."""

from typing import Any, Dict, Iterator, List

import pathlib
import time

import pytest

from perfcompare.tests.fakes.s3_server import SLOW_DOWN, S3Server
from perfcompare.worker.loads.s3.process import Generator
from perfcompare.worker.loads.s3.results import Window, endpoints
from perfcompare.worker.loads.s3.shared_state import SharedState
from perfcompare.worker.wire.s3_spec import (
    OPS,
    Details,
    Endpoint,
    Objects,
    Phase,
    ProcessSpec,
    Target,
    Weighted,
)

pytestmark = pytest.mark.process

SIZES = (Weighted(1000),)
PART = 5 << 20


@pytest.fixture
def servers() -> Iterator[List[S3Server]]:
    found = [S3Server(), S3Server()]
    yield found
    for server in found:
        server.close()


def generator_of(
    servers: List[S3Server], folder: pathlib.Path, **more: Any
) -> Generator:
    """Return a process that uses a name and an address.

    ``more`` of its spec replaces what is here: the second of two, which
    begins with the second endpoint.
    """
    board = SharedState(str(folder / 'board'), create=True)
    spec: Dict[str, Any] = {
        'index': 1,
        'processes': 2,
        'objects': Objects('r-', 0, SIZES),
        'writes': Objects('w-', 0, SIZES),
    }
    return Generator(
        ProcessSpec(
            connections=4,
            seed=1,
            target=Target(
                tuple(
                    Endpoint(host, server.port)
                    for host, server in zip(
                        ('localhost', '127.0.0.1'), servers
                    )
                ),
                'A',
                'S',
                'b',
            ),
            **{**spec, **more},
        ),
        board,
    )


def load(servers: List[S3Server], folder: pathlib.Path) -> Dict[str, Any]:
    """Write for a while."""
    generator = generator_of(servers, folder)
    assert generator.connect() == 4
    start = time.perf_counter_ns() + 10**8
    phase = Phase('load', (1.0, 0.0, 0.0, 0.0), 0.0, 1.0)
    return generator.run(1, phase, start)


def test_each_endpoint_has_figures_of_its_own(
    servers: List[S3Server], tmp_path: pathlib.Path
) -> None:
    result = load(servers, tmp_path)
    window = Window([result], False)
    first, second = endpoints([window])
    assert first['url'] == f'http://localhost:{servers[0].port}'
    assert second['url'] == f'http://127.0.0.1:{servers[1].port}'
    assert first['ops'] and second['ops']
    assert first['ops'] + second['ops'] == window.inside.ops()
    # what is under way at the end is no part of the window
    for server, row in zip(servers, (first, second)):
        assert row['ops'] <= len(server.objects) <= row['ops'] + 2
        assert row['latency_avg'] > 0 and row['errors'] == 0
    # bursts of deletes have a window each
    both = endpoints([window, window])
    assert [row['ops'] for row in both] == [
        2 * first['ops'],
        2 * second['ops'],
    ]
    # the other process makes the even numbers
    names = {name for server in servers for name in server.objects}
    assert {int(name[-8:]) % 2 for name in names} == {1}


def test_errors_are_of_the_endpoint_that_made_them(
    servers: List[S3Server], tmp_path: pathlib.Path
) -> None:
    servers[1].fault = lambda method, path, serial: SLOW_DOWN[0]
    window = Window([load(servers, tmp_path)], False)
    first, second = endpoints([window])
    assert first['ops'] and not first['errors']
    assert second['errors'] and not second['ops']
    assert window.judged.failed() >= second['errors']


def uploads(servers: List[S3Server], folder: pathlib.Path) -> Window:
    """Upload in parts for a while, through two gateways of one store."""
    servers[1].objects = servers[0].objects
    servers[1].uploads = servers[0].uploads
    servers[1].begun = 1 << 20  # ids of its own
    generator = generator_of(
        servers,
        folder,
        writes=Objects('w-', 0, (Weighted(2 * PART),)),
        details=Details(part_size=PART, part_streams=2),
        streams=2,
    )
    assert generator.connect() == 8
    start = time.perf_counter_ns() + 10**8
    mix = tuple(float(op == 'multipart') for op in OPS)
    phase = Phase('load', mix, 0.0, 2.0)
    return Window([generator.run(1, phase, start)], False)


def test_an_upload_is_of_the_endpoint_that_completed_it(
    servers: List[S3Server], tmp_path: pathlib.Path
) -> None:
    completed = [0, 0]

    def note(number: int) -> Any:
        def answer(method: bytes, path: bytes, serial: int) -> None:
            completed[number] += method == b'POST' and b'uploadId' in path

        return answer

    for number, server in enumerate(servers):
        server.fault = note(number)
    window = uploads(servers, tmp_path)
    rows = endpoints([window])
    assert window.judged.errors == {}
    assert sum(row['ops'] for row in rows) == window.inside.ops()
    for row, number in zip(rows, completed):
        # what is under way at the end is no part of the window
        assert row['ops'] and number - 4 <= row['ops'] <= number


def test_a_failed_part_is_an_error_of_the_endpoint_that_refused_it(
    servers: List[S3Server], tmp_path: pathlib.Path
) -> None:
    servers[1].fault = lambda method, path, serial: (
        SLOW_DOWN[0] if b'partNumber' in path else None
    )
    first, second = endpoints([uploads(servers, tmp_path)])
    assert second['errors'] and not first['errors']


def test_a_pass_reads_each_object_once(
    servers: List[S3Server], tmp_path: pathlib.Path
) -> None:
    generator = generator_of(servers[:1], tmp_path, index=0, processes=1)
    assert generator.connect() == 4
    fill = Phase('fill', (1.0,), 0.0, 0.0, create=(0, 1, 50), forget=True)
    soon = time.perf_counter_ns() + 10**7
    assert generator.run(1, fill, soon)['missing'] == 0
    seen: List[bytes] = []

    def note(method: bytes, path: bytes, serial: int) -> None:
        seen.append(method + path)

    servers[0].fault = note
    read = Phase('warm', (0.0, 1.0), 0.0, 0.0, read=(0, 1, 50))
    result = generator.run(2, read, time.perf_counter_ns() + 10**7)
    window = Window([result], False)
    assert window.judged.ops('get') == 50 and not window.judged.errors
    assert len(seen) == len(set(seen)) == 50
    assert all(text.startswith(b'GET/b/r-') for text in seen)
