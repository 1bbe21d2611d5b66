"""What recovery tests refuse for the sake of other pools, and predict."""

from typing import Any, Iterator

import pytest

from cluster.api import CommandFailed

from . import recoveries, runs
from .live import LiveCluster
from .provision import PAIRS
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    LIGHT,
    LITTLE,
    READS,
    cluster,
    unchanged,
)

CLUSTER = PAIRS.name
POOL = 'at-stake'


@pytest.fixture
def pool(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> Iterator[str]:
    """Yield a pool of two copies on the four OSDs of a group."""
    recoveries.make_pool(cluster, POOL, 'x86', 100)
    yield POOL
    recoveries.remove_pool(cluster, POOL)


def asked(
    cluster: LiveCluster, scenario: str, *words: str  # noqa: F811
) -> Any:
    """Ask for a test of one group; return the answer."""
    return cluster.ceph(
        'perfcompare', 'recovery', 'run', '--group', 'x86', '--scenario',
        scenario, *(LIGHT + LITTLE + READS + words), *runs.CONSENT,
    )  # fmt: skip


def refused(cluster: LiveCluster, scenario: str) -> str:  # noqa: F811
    """Return why a scenario is refused."""
    with pytest.raises(CommandFailed) as info:
        asked(cluster, scenario)
    assert info.value.returncode == 22
    return str(info.value.stderr)


def test_no_pool_loses_its_io(
    cluster: LiveCluster, pool: str  # noqa: F811
) -> None:
    """Whatever its rule: ok-to-stop is asked for all that would stop."""
    cluster.ceph('osd', 'pool', 'set', pool, 'min_size', '2', fmt='')
    for scenario in ('osd-down', 'osd-stop', 'host-stop'):
        text = refused(cluster, scenario)
        assert scenario + ' is not possible' in text
        assert 'would serve no I/O' in text
    cluster.ceph('osd', 'pool', 'set', pool, 'size', '4', fmt='')
    cluster.wait_clean(60)
    assert 'have no other place' in refused(cluster, 'osd-out')


@pytest.mark.slow
def test_out_is_predicted_as_crush_does_it(
    cluster: LiveCluster, pool: str  # noqa: F811
) -> None:
    """What two copies on two hosts lose on one stays on that host."""
    rule = 'rule-hosts'
    words = ['osd', 'crush', 'rule', 'create-replicated']
    cluster.ceph(*words, rule, 'default', 'host', 'x86', fmt='')
    cluster.ceph('osd', 'pool', 'set', pool, 'crush_rule', rule, fmt='')
    try:
        cluster.wait_clean(60)
        plan = asked(cluster, 'osd-out', '--dry-run')
        (own,) = plan['plan']['recovery']['groups']
        (osd,) = own['steps'][0]['osds']
        assert pool in own['forecast']['pools']
        assert {osd, own['forecast']['fill_osd']} in ({0, 1}, {2, 3})
    finally:
        old = 'rule-' + POOL
        cluster.ceph('osd', 'pool', 'set', pool, 'crush_rule', old, fmt='')
        cluster.wait_clean(60)
        cluster.ceph('osd', 'crush', 'rule', 'rm', rule, fmt='')
