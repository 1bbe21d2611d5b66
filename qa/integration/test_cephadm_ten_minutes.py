"""The page of a first result, command by command, on a cephadm cluster."""

from typing import Iterator, List

import re

import pytest

from . import installed, recipes, runs
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider
from .state import ClusterState, wait_unchanged

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 1500
PAGE = 'first-result'
PLAN = '3. See the Plan'
# a ratio with its interval from some of six blocks
JUDGED = r'^%s .* [\d.]+ +\[.*\] .* [3-6]/6'


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster from which the module is gone, sources on its hosts."""
    yield installed.without_module(provider)


def here(command: str) -> str:
    """Return a command with this cluster's groups, whose host has OSDs.

    The page names the option that this needs.
    """
    command = command.replace('arm', 'alt')
    return command.replace(' --adaptive', ' --adaptive --allow-local-client')


def step(title: str) -> List[List[str]]:
    """Return the commands of a step."""
    return [
        [here(c) for c in block] for block in recipes.commands(PAGE, title)
    ]


def test_1_install_and_enable(cluster: CephadmCluster) -> None:
    """Files on each host, the specification, and the doctor."""
    copy, (order, look), (enable, doctor) = step('1. Install and Enable')
    for host in NAMES:
        for command in copy:
            cluster.give(command, host)
    installed.replaced_by(cluster, order, look)
    installed.enable_by(cluster, enable)
    assert cluster.give(doctor).rstrip().endswith('Runs can start.')


def test_2_name_the_groups(cluster: CephadmCluster) -> None:
    """All hosts are x86 here, which the proposal says."""
    (detect,), names = step('2. Name the Groups')
    assert 'nothing was set' in cluster.give(detect)
    hosts = dict(zip(('newer', 'older'), NAMES))
    for command in names:
        words = command.split()
        group = words[words.index('set') + 1]
        words[words.index('--hosts') + 1] = hosts[group]
        cluster.give(' '.join(words))
        cluster.give('ceph perfcompare group rm %s' % group)


def test_3_see_the_plan(cluster: CephadmCluster) -> None:
    """It is refused until consent is given."""
    assert '``--allow-local-client``' in recipes.section(PAGE, PLAN)
    (plan,), (consent, check) = step(PLAN)
    assert 'POOL_DELETE  REFUSE' in cluster.give(plan)
    cluster.give(consent)
    assert '0 refused' in cluster.give(check)


def test_4_run_it(cluster: CephadmCluster) -> None:
    """It starts, shows how far it is, and is stopped with nothing left."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    (start,), (status,), (stop,) = step('4. Run It')
    assert 'accepted: x86, alt, profile smoke' in cluster.give(start)
    assert 'progress:' in cluster.give(status)
    runs.wait_state(cluster, last(cluster), ['trial'], 200)
    cluster.give(stop)
    runs.wait_end(cluster, 120)
    assert 'no run is active' in cluster.give(status)
    wait_unchanged(tracker, before, 60)


def last(cluster: CephadmCluster) -> str:
    """Return the id of the newest run."""
    (found,) = cluster.ceph('perfcompare', 'ls', '--limit', '1')['runs']
    run: str = found['id']
    return run


def test_5_read_the_result(cluster: CephadmCluster) -> None:
    """The run of the page goes to its end, and the groups are compared."""
    (start,), *_ = step('4. Run It')
    cluster.give(start)
    runs.wait_end(cluster, 1100)
    assert runs.reason(cluster, last(cluster)) == 'completed: '
    ((compare,),) = step('5. Read the Result')
    told = cluster.give(compare)
    assert 'alt (candidate) against x86 (baseline)' in told
    for workload in ('write-4K-c16', 'rand-4K-c16'):
        assert re.search(JUDGED % workload, told, re.M), workload


def test_6_nothing_is_left(cluster: CephadmCluster) -> None:
    """The pool is the Managers' own."""
    ((cleanup, pools),) = step('6. Check That Nothing Is Left')
    assert 'nothing was left to undo' in cluster.give(cleanup)
    assert cluster.give(pools).split() == ['.mgr']
