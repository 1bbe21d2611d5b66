"""Objects that are read through S3 from caches, and from devices."""

from typing import Iterator

import pytest

from .live import LiveCluster
from .provision import GATEWAYS, Provider
from .test_placement import placed
from .test_s3 import Found, assert_gone, assert_measured, s3_run

CLUSTER = GATEWAYS.name
SECONDS = 90
CACHED, DEVICE = 's3-get-64K-c4', 's3-get-64K-c4-device'


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with two groups by hosts."""
    with placed(provider, GATEWAYS) as found:
        yield found


@pytest.fixture(scope='module')
def both(cluster: LiveCluster) -> Found:
    """Return a run of one group that reads in both ways."""
    return s3_run(
        cluster, ['left'], '--workload', 's3-get', '--size', '64K',
        '--concurrency', '4', '--duration', '4', '--replicas', '2',
        '--cache', 'both', seconds=600,
    )  # fmt: skip


def test_reads_come_from_where_they_should(
    cluster: LiveCluster, both: Found
) -> None:
    """What was read by the OSDs tells which cache it came from.

    A part of each read is of indexes and of metadata, which are cached in
    both.
    """
    assert_measured(both, {CACHED, DEVICE}, 1)
    shares = {
        trial['workload']: trial['manifest']['cache_share']
        for trial in both['shown']['trials']
        if trial['round']
    }
    print(shares)
    assert shares[CACHED] > 0.4
    assert shares[DEVICE] < 0.25


def test_both_ways_are_rows_of_their_own(
    cluster: LiveCluster, both: Found
) -> None:
    """The table says which is which."""
    text = cluster.ceph('perfcompare', 'show', both['run'], fmt='')
    assert CACHED in text
    assert DEVICE in text


def test_nothing_is_left(cluster: LiveCluster, both: Found) -> None:
    """Objects of both are gone with their pools."""
    assert_gone(cluster)
