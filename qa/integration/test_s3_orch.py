"""S3 workloads through gateways that an orchestrator places.

The mini orchestrator has the interface of Ceph's, and real gateways started
on the groups' hosts, with keys and options as cephadm gives them.
"""

from typing import Any, Dict, Iterator, List

import re

import pytest

from . import processes, runs
from .hands import Orders
from .live import LiveCluster
from .provision import wait_answers
from .test_placement import (  # noqa: F401
    assert_only_on,
    cluster,
    observed,
)
from .test_s3 import CLUSTER, LIGHT, places  # noqa: F401
from .waiting import wait_for

pytestmark = pytest.mark.slow
MIX = (
    '--profile', 'smoke', '--rounds', '2', '--workload', 's3-mixed',
    '--workload', 's3-get', '--size', '4K', '--replicas', '2', *LIGHT,
)  # fmt: skip


@pytest.fixture(scope='module')
def orders(cluster: LiveCluster) -> Iterator[Orders]:  # noqa: F811
    """Yield who carries out the orders of an orchestrator."""
    with Orders(cluster) as found:
        wait_answers(cluster)
        yield found
    wait_answers(cluster)


def config(cluster: LiveCluster) -> List[Dict[str, Any]]:  # noqa: F811
    """Return what the central config has for gateways of runs."""
    return [
        o for o in cluster.ceph('config', 'dump')
        if 'rgw.perfcompare' in o['section']
    ]  # fmt: skip


def journal(cluster: LiveCluster) -> List[str]:  # noqa: F811
    """Return the journal's keys."""
    keys: Any = cluster.look('config-key ls')
    return [k for k in keys if k.startswith('mgr/perfcompare/journal/')]


def placed(cluster: LiveCluster) -> List[str]:  # noqa: F811
    """Return the names of gateways that run on hosts of the cluster."""
    return [
        words[words.index('-n') + 1]
        for _, words in processes.command_lines()
        if words[0] == 'radosgw' and '-n' in words and str(cluster.dir)
        in ' '.join(words)
    ]  # fmt: skip


def assert_nothing_left(cluster: LiveCluster) -> None:  # noqa: F811
    """Assert on Ceph's own state, and on processes."""
    assert placed(cluster) == []
    assert config(cluster) == [] and journal(cluster) == []
    names = [a['entity'] for a in cluster.ceph('auth', 'ls')['auth_dump']]
    assert not [n for n in names if 'perfcompare' in n]
    pools = cluster.ceph('osd', 'pool', 'ls')
    assert not [p for p in pools if '.rgw' in p or 'perfcompare.' in p]
    assert 'No services' in cluster.ceph('orch', 'ls', fmt='')


def test_gateways_are_placed_on_the_groups_and_removed(
    cluster: LiveCluster, orders: Orders  # noqa: F811
) -> None:
    """Where an orchestrator can, it places gateways; none is left."""
    plan = cluster.ceph(
        'perfcompare', 'run', '--group', 'left', '--group', 'right', *MIX,
        '--dry-run', fmt='',
    )  # fmt: skip
    plan = ' '.join(plan.split())
    assert re.search(r'service rgw\.perfcompare-\w+-left, 1 on each of', plan)
    assert "on the groups' own hosts, beside their OSDs" in plan
    assert orders.done == []
    found = observed(cluster, ['left', 'right'], *MIX, seconds=900)
    service = 'perfcompare-%s-%%s' % found['run']
    assert sorted(orders.done) == [
        (action, service % group)
        for action in ('apply', 'remove')
        for group in ('left', 'right')
    ]
    trials = runs.trials(cluster, found['run'], 'ok')
    assert len([t for t in trials if t['round']]) == 8
    hosts = {'left': 'n1, n2', 'right': 'o1, o2'}
    for trial in trials:
        manifest = trial['manifest']
        assert trial['summary']['errors'] == 0
        assert manifest['gateway_host'] == hosts[trial['group']]
        assert manifest['gateways'] == 2
        client = trial['evidence']['client']
        assert all(e['ops'] for e in client['endpoints'])
        assert not client['nagle']['trap']
    assert_only_on(found['witness'], places(cluster), 2)
    assert_nothing_left(cluster)


def test_gateways_that_do_not_come_end_the_run(
    cluster: LiveCluster, orders: Orders  # noqa: F811
) -> None:
    """One clear line says so, and everything is undone."""
    option = 'mgr/perfcompare/gateway_patience'
    cluster.ceph('config', 'set', 'mgr', option, '10', fmt='')
    orders.refuses = True
    try:
        run = runs.start(
            cluster, ['left'], *MIX, '--gateway-source', 'orch'
        )  # fmt: skip
        runs.wait_end(cluster, 300)
    finally:
        orders.refuses = False
        cluster.ceph('config', 'rm', 'mgr', option, fmt='')
    assert runs.reason(cluster, run) == (
        'failed: 0 of 2 gateways of rgw.perfcompare-%s-left serve after '
        '10 s (the orchestrator, told once, shows none); see `ceph orch ps`, '
        'or give --gateway-source private' % run
    )
    assert_nothing_left(cluster)


def test_the_next_manager_removes_gateways(
    cluster: LiveCluster, orders: Orders  # noqa: F811
) -> None:
    """What a killed manager had placed goes when another one starts."""
    option = 'mgr/perfcompare/resume_within'
    cluster.ceph('config', 'set', 'mgr', option, '0', fmt='')
    run = runs.start(
        cluster, ['left'], *MIX, '--gateway-source', 'orch',
    )  # fmt: skip
    runs.wait_state(cluster, run, ['trial'], 300)
    assert len(placed(cluster)) == 2
    name = cluster.mgr_kill()
    cluster.mgr_start(name)
    wait_answers(cluster, 300)
    wait_for(lambda: journal(cluster) == [], 300, 'the journal is empty')
    cluster.ceph('config', 'rm', 'mgr', option, fmt='')
    assert_nothing_left(cluster)
