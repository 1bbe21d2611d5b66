"""What a run left is removed without the module, by plain commands."""

from typing import Any, Iterator, List

import json
import pathlib
import subprocess

import pytest

from . import processes, runs
from .handed_on import by_the_kept_tool
from .live import LiveCluster
from .provision import SMALL, Provider, enable
from .state import ClusterState, differences, pg_mapping, wait_unchanged
from .waiting import wait_for

CLUSTER = SMALL.name
QA = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with groups by hosts."""
    found = provider.get(SMALL)
    for side in ('x86', 'alt'):
        hosts = '%s-1,%s-2' % (side, side)
        found.ceph(
            'perfcompare', 'group', 'set', side + 's', '--hosts', hosts
        )
    yield found
    enable(found)  # a failed test may have left it disabled
    for side in ('x86', 'alt'):
        found.ceph('perfcompare', 'group', 'rm', side + 's')


def cleanup(cluster: LiveCluster, *words: str) -> Any:
    """Run qa/cleanup on a cluster."""
    with by_the_kept_tool(cluster) as ceph:
        return subprocess.run(
            [
                str(QA / 'cleanup'), '--ceph', ceph,
                '--run-dir', str(cluster.dir / 'run'), *words,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=500,
        )  # fmt: skip


def lines_of(text: str, word: str) -> List[str]:
    """Return the lines that begin with `word`."""
    return [line for line in text.split('\n') if line.startswith(word)]


def test_leftovers_go_without_the_module(cluster: LiveCluster) -> None:
    """A killed manager and a disabled module leave nothing for good."""
    cluster.wait_clean()
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    assert 'nothing' in cleanup(cluster).stdout
    run = runs.start(cluster, ['x86s', 'alts'], *runs.SHORT, '--rounds', '1')
    runs.wait_state(cluster, run, ['trial'])
    assert cleanup(cluster, '--yes').returncode == 1  # a run is active
    name = cluster.mgr_kill()
    cluster.ceph('mgr', 'module', 'disable', 'perfcompare', fmt='')
    wait_for(lambda: not processes.of_runs(cluster), 20, 'load ends')
    cluster.mgr_start(name)
    wait_for(
        lambda: all(up for up, _ in pg_mapping(cluster).values()),
        60, 'the new manager knows where PGs are',
    )  # fmt: skip

    left = tracker.snapshot()
    found = cleanup(cluster)
    assert found.returncode == 1, found.stdout
    kinds = ('pool', 'rule', 'link', 'root', 'key', 'record', 'folder')
    for kind in kinds:
        assert lines_of(found.stdout, 'found: ' + kind), kind
    assert differences(left, tracker.snapshot()) == []

    done = cleanup(cluster, '--yes')
    assert done.returncode == 0, done.stdout
    again = cleanup(cluster)
    assert again.returncode == 0 and 'nothing' in again.stdout
    enable(cluster)
    wait_unchanged(tracker, before, 60)


def test_names_of_others_are_not_touched(cluster: LiveCluster) -> None:
    """A pool that only has such a name, without our mark, stays."""
    name = 'perfcompare.0badcafe.x86.write'
    enable(cluster)
    cluster.ceph('osd', 'pool', 'create', name, '1', '1', '--autoscale-mode',
                 'off', fmt='')  # fmt: skip
    cluster.ceph('osd', 'pool', 'application', 'enable', name, 'rbd', fmt='')
    try:
        done = cleanup(cluster, '--yes')
        by_module = cluster.ceph('perfcompare', 'cleanup')
        assert 'not touched: pool ' + name in done.stdout
        assert name in cluster.ceph('osd', 'pool', 'ls')
        assert name not in json.dumps(by_module.get('removed', []))
    finally:
        cluster.pool_rm(name)
