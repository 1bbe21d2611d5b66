"""Loads of fewer objects than processes, by real workers."""

from typing import Any, Dict, Iterator, List

import pathlib

import pytest

from ...model.outcome import Outcome
from ...worker.wire.s3_jobs import S3Fill, S3Trial
from ...worker.wire.s3_spec import Weighted
from ..fakes.s3_server import S3Server
from ..fakes.s3_work import carry_out

pytestmark = pytest.mark.process

PROCESSES = 3


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


def do(
    folder: pathlib.Path, server: S3Server, cls: Any, **fields: Any
) -> Outcome:
    """Carry out a job with one object, by several processes."""
    values: Dict[str, Any] = dict(
        concurrency=6, prefix='r-', objects=1, processes=PROCESSES
    )
    return carry_out(cls, folder, server, **{**values, **fields})


def test_a_hot_object_is_read_and_nothing_is_written(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    for name in ('fill', 'load'):
        (tmp_path / name).mkdir()
    do(tmp_path / 'fill', server, S3Fill)
    there = set(server.objects)
    read: List[bytes] = []

    def note(method: bytes, path: bytes, serial: int) -> None:
        if method == b'GET':
            read.append(path)

    server.fault = note
    found = do(
        tmp_path / 'load', server, S3Trial, mix=(0.0, 1.0, 0.0, 0.0),
        duration=1.0,
    )  # fmt: skip
    client = found.evidence
    assert set(client['operations']) == {'get'}
    assert client['substituted'] == client['created'] == 0
    assert client['processes'] == PROCESSES
    assert found.summary is not None and found.summary.errors == 0
    assert read.count(b'/b/r-00000000') >= found.summary.ops > 0
    assert set(server.objects) == there


def test_a_mix_reads_the_one_object_that_it_wrote(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    found = do(
        tmp_path, server, S3Trial, mix=(10.0, 90.0, 0.0, 0.0), duration=1.0,
        own=True, write_prefix='new-', write_sizes=(Weighted(1000),),
        max_objects=100_000,
    )  # fmt: skip
    client = found.evidence
    assert client['substituted'] == 0
    assert client['operations']['get']['ops'] > 0
