"""How many processes make an S3 load."""

from typing import Tuple

import pytest

from perfcompare.worker.loads.s3.fleet import processes_for
from perfcompare.worker.loads.s3.run import encrypted_size
from perfcompare.worker.wire.jobs import Access
from perfcompare.worker.wire.s3_jobs import S3Trial
from perfcompare.worker.wire.s3_spec import Endpoint, Weighted

MIB = 1 << 20


@pytest.mark.parametrize(
    'connections, cores, encrypted, expected',
    [
        (1, 2.0, 0.0, 1),
        (250, 2.0, 0.0, 1),  # a half of the cores
        (64, 16.0, 0.0, 2),
        (64, 16.0, 4096.0, 2),
        (64, 32.0, 4.0 * MIB, 8),
        (2000, 256.0, 0.0, 63),
        (2000, 256.0, 4.0 * MIB, 64),
    ],
)
def test_processes_follow_connections_cores_and_encryption(
    connections: int, cores: float, encrypted: float, expected: int
) -> None:
    assert processes_for(connections, cores, encrypted) == expected


@pytest.mark.parametrize(
    'tls, writes, expected',
    [
        (False, (), 0.0),
        (True, (), 3.0 * MIB),
        (True, (Weighted(8 * MIB),), 8.0 * MIB),
        (True, (Weighted(4096),), 3.0 * MIB),
    ],
)
def test_size_that_is_encrypted(
    tls: bool, writes: Tuple[Weighted, ...], expected: float
) -> None:
    job = S3Trial(
        access=Access('/c', '/k', 'client.x', 'x'),
        deadline=60.0,
        concurrency=8,
        endpoints=(Endpoint('a', 80), Endpoint('b', 443, tls)),
        sizes=(Weighted(4 * MIB, 2.0), Weighted(MIB)),
        write_sizes=writes,
    )
    assert encrypted_size(job) == expected
