"""Loads that meet their bound of objects, by real worker processes."""

from typing import Any, Iterator

import pathlib

import pytest

from ...model.outcome import Outcome
from ...worker.wire.s3_jobs import S3Probe, S3Trial
from ...workers.outcomes import WorkerFailed
from ..fakes.s3_server import S3Server
from ..fakes.s3_work import carry_out

pytestmark = pytest.mark.process

BOUND = 20


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


def put(
    cls: Any, folder: pathlib.Path, server: S3Server, **fields: Any
) -> Outcome:
    """Write for 2 s, but no more than BOUND objects."""
    return carry_out(
        cls,
        folder,
        server,
        concurrency=2,
        prefix='own-',
        mix=(1.0, 0.0, 0.0, 0.0),
        duration=2.0,
        write_prefix='new-',
        max_objects=BOUND,
        **fields,
    )


def written(server: S3Server) -> int:
    return sum(b'/new-' in path for path in server.objects)


def test_a_gentle_start_ends_there(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    assert put(S3Probe, tmp_path, server).kind == 's3-probe'
    assert written(server) == BOUND


def test_a_trial_fails_by_it(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    with pytest.raises(WorkerFailed, match='met its bound of 20 objects'):
        put(S3Trial, tmp_path, server)


def test_at_a_rate_it_is_not_met(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    outcome = put(S3Trial, tmp_path, server, rate=5.0)
    assert outcome.summary is not None and outcome.summary.errors == 0
    assert written(server) == 10


def test_the_warm_up_is_no_part_of_the_window(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    outcome = put(S3Trial, tmp_path, server, rate=5.0, warmup=1.0)
    ((begin, end),) = outcome.evidence['window']
    assert begin - outcome.started == pytest.approx(1.0, abs=1e-3)
    assert end - begin == pytest.approx(2.0, abs=1e-3)
    assert outcome.evidence['between'] == 0
