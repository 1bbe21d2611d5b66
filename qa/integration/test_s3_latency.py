"""Latencies that OSDs tell, held against those that S3 clients see."""

from typing import Any, Dict, List, Tuple

import json
import math

import pytest

from . import loads, mclock, runs
from .live import LiveCluster
from .provision import WIDE, Provider

CLUSTER = WIDE.name
GROUP = 'x86'
EXACT = 1.005  # the client's histogram is exact to 0.4 %


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with three hosts in each group."""
    return provider.get(WIDE)


def gets(
    cluster: LiveCluster, concurrency: int, seconds: int
) -> Dict[str, Any]:
    """Return a trial of S3 reads, with its series."""
    run = runs.start(
        cluster, [GROUP], '--profile', 'smoke', '--workload', 's3-get',
        '--size', '4K', '--concurrency', str(concurrency), '--duration',
        str(seconds), '--rounds', '1',
    )  # fmt: skip
    runs.wait_end(cluster, 600)
    assert runs.reason(cluster, run) == 'completed: '
    text = runs.export(cluster, run)
    exported = json.loads(text)['content']['trials']
    found = runs.show(cluster, run)['trials']
    (at,) = [i for i, t in enumerate(found) if t['round'] == 1]
    return dict(found[at], series=exported[at]['series'])


def both(trial: Dict[str, Any]) -> List[Tuple[str, float, float, float]]:
    """Return percentiles: name, the client's, bounds of the OSDs' bucket.

    Each S3 read of a small object is one read of an OSD, so percentiles
    of both are of the same operations.
    """
    spread = trial['evidence']['histograms']['read']
    window = trial['evidence']['osd_window']
    requests = loads.operations(trial['series']['client'], *window)
    print('%d reads of OSDs, %.0f of S3: %.3f' % (
        spread['count'], requests, spread['count'] / requests))  # fmt: skip
    assert 0.9 < spread['count'] / requests < 1.1
    rows = []
    for name, bounds in spread['bounds'].items():
        client = trial['summary']['percentiles'].get(name)
        if client is None or not bounds:
            continue  # too few for it
        low, high = bounds
        rows.append((name, client, low, high))
        print('%s: S3 %.3f ms, OSDs %.3f … %.3f ms' % (
            name, 1e3 * client, 1e3 * low, 1e3 * high))  # fmt: skip
    assert rows
    return rows


@pytest.mark.slow
def test_no_percentile_of_osds_is_above_that_of_the_client(
    cluster: LiveCluster,
) -> None:
    """What a client waits for contains what the OSD took, each time."""
    rows = both(gets(cluster, 4, 15))
    assert [name for name, *_ in rows] == ['p50', 'p95', 'p99']
    for name, client, low, _ in rows:
        assert low <= client * EXACT, name


# a percentile of the client: that of the OSDs, and of all else, above which
# together no more requests lie than above it
SPLIT = {
    'p50': (0.55, 'p95'),
    'p90': (0.95, 'p95'),
    'p95': (0.96, 'p99'),
    'p99': (0.991, 'p99.9'),
}


def top(trial: Dict[str, Any], share: float) -> float:
    """Return a latency (s) that this share of OSD reads stayed below."""
    spread = trial['evidence']['histograms']['read']
    left = share * spread['count']
    for upper, count in spread['buckets']:
        left -= count
        if left <= 0:
            return math.inf if upper is None else float(upper)
    raise AssertionError('a share above 1')


@pytest.mark.slow
def test_percentiles_of_osds_bracket_those_of_the_client(
    cluster: LiveCluster,
) -> None:
    """Where OSDs take most of the time, percentiles are known both ways.

    Percentiles do not add up. But of all requests, no more take longer
    than a + b than take longer than a in the OSD, or longer than b
    elsewhere. What is elsewhere is no more than what the same requests
    take as a whole while nothing holds the OSDs.
    """
    free = gets(cluster, 16, 15)
    elsewhere = free['summary']['percentiles']
    with mclock.limited(cluster, [0, 1, 2], 100):
        held = gets(cluster, 16, 15)
    rows = {name: row for name, *row in both(held)}
    assert set(rows) >= {'p50', 'p95', 'p99'}
    for name, (share, rest) in SPLIT.items():
        client = held['summary']['percentiles'][name]
        if rest not in elsewhere:
            continue  # too few for it
        high = top(held, share) + elsewhere[rest]
        print(
            '%s: S3 %.1f ms, below %.1f ms' % (name, 1e3 * client, 1e3 * high)
        )
        assert client <= high * EXACT, name
    for name, (client, low, _) in rows.items():
        assert low <= client * EXACT, name
