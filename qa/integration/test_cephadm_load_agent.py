"""Load agents as a service of cephadm, by the manual's own commands."""

from typing import Any, Dict, Iterator, List, Sequence, Tuple

import re
import time

import pytest

from cluster.api import CommandFailed

from . import installed, processes, recipes, runs
from .orchestrated import NAMES, SOURCES, CephadmCluster
from .provision import CEPHADM, Provider
from .state import ClusterState, wait_unchanged
from .test_cephadm_s3 import OPTION
from .test_cephadm_s3 import WORDS as S3_WORDS
from .test_cephadm_s3 import assert_measured as assert_served
from .test_cephadm_s3 import gateways
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 800
PAGE, WITH_CEPHADM = 'load-hosts', 'With cephadm'
HOST = NAMES[1]
SPEC = SOURCES + '/packaging/load-agent.yaml'
SERVICE = 'container.perfcompare-load-agent'
GROUPS = ('x86', 'alt')
ONE = GROUPS[:1]
# of what is cut: cephadm took up an order up to 23 s later
LONG = tuple('40' if word == '3' else word for word in runs.SHORT)
ENDS = {
    'killed': ('podman kill $(podman ps -q --filter name=%s)'
               % SERVICE.partition('.')[2], HOST),
    'restarted': ('ceph orch restart ' + SERVICE, NAMES[0]),
}  # fmt: skip


def given(block: int) -> List[str]:
    """Return the commands of a block of the page, for our host."""
    printed = recipes.commands(PAGE, WITH_CEPHADM)[block]
    return [re.sub(r'\bload-1\b', HOST, command) for command in printed]


def agent(cluster: CephadmCluster) -> Dict[str, Any]:
    """Return the load host as the module has it."""
    (found,) = cluster.ceph('perfcompare', 'load-host', 'ls')
    assert found['host'] == HOST
    return dict(found)


def apply(cluster: CephadmCluster) -> None:
    """Have the service, as printed; wait for its agent."""
    image = cluster.ceph('config', 'get', 'mgr', 'container_image', fmt='')
    name = r's|^  image: .*|  image: %s|' % image.strip()
    cluster.give("sed -i '%s' %s" % (name, SPEC))
    for command in given(0):
        cluster.give(command)
    order, look = given(1)
    began = time.monotonic()
    cluster.give(order)
    wait_ready(cluster)
    print('from apply to an agent: %.1f s' % (time.monotonic() - began))
    assert HOST in cluster.give(look)
    checked = cluster.give('ceph perfcompare load-host check ' + HOST)
    assert 'REFUSE' not in checked


def wait_ready(cluster: CephadmCluster) -> None:
    """Wait until the agent is heard of."""
    wait_for(
        lambda: agent(cluster)['state'] == 'ready', 120, 'the agent is there'
    )


def remove(cluster: CephadmCluster) -> None:
    """Remove the service, as printed; nothing is left of it."""
    for command in given(2):
        cluster.give(command)
    wait_for(
        lambda: not [
            one for one in cluster.daemons() if one['service_name'] == SERVICE
        ],
        120,
        'the service is gone',
        2.0,
    )
    with pytest.raises(CommandFailed):
        cluster.ceph('auth', 'get', 'client.perfcompare.agent.' + HOST)
    key = '/etc/ceph/ceph.client.perfcompare.agent.%s.keyring' % HOST
    wait_for(
        lambda: cluster.exec(['test', '-e', key], host=HOST).returncode != 0,
        120,
        'its keyring is gone',
        2.0,
    )
    cluster.ceph('orch', 'host', 'label', 'rm', HOST, 'loadgen', fmt='')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster with the service; nothing of it is left afterwards."""
    found = installed.with_module(provider)
    tracker = ClusterState(found)
    before = tracker.snapshot()
    # cephadm's own list of keyrings, which is empty in the end
    before['keys'].setdefault('mgr/cephadm/client_keyrings', '')
    apply(found)
    yield found
    remove(found)
    wait_unchanged(tracker, before, 60)


def assert_measured(
    cluster: CephadmCluster, run: str, groups: Sequence[str] = GROUPS
) -> None:
    """Assert that the run completed with load from that host alone."""
    assert runs.reason(cluster, run) == 'completed: '
    done = runs.trials(cluster, run, 'ok')
    assert {t['group'] for t in done} == set(groups)
    assert {t['manifest']['client_host'] for t in done} == {HOST}


def test_the_agent_makes_load(cluster: CephadmCluster) -> None:
    """A run is completed, its load in a container of the service."""
    run = runs.start(cluster, GROUPS, *runs.SHORT, '--load-hosts', HOST)
    runs.wait_end(cluster, 600)
    assert_measured(cluster, run)


def loading(cluster: CephadmCluster) -> Tuple[str, List[int]]:
    """Return a run from that host, and the pids of its load."""
    words = (*LONG, '--rounds', '1', '--load-hosts', HOST)
    run = runs.start(cluster, ONE, *words)
    runs.wait_state(cluster, run, ['trial'], 200)
    pids = wait_for(lambda: processes.load_of(cluster), 60, 'there is load')
    return run, pids


@pytest.mark.parametrize('way', sorted(ENDS))
def test_an_agent_that_ends_voids_the_trial(
    cluster: CephadmCluster, way: str
) -> None:
    """Its load goes with it; the next one makes the block anew."""
    order, host = ENDS[way]
    run, first = loading(cluster)
    cluster.give(order, host)
    began = time.monotonic()
    wait_for(
        lambda: not set(first) & set(processes.load_of(cluster)),
        60,
        'the load is gone',
        0.2,
    )
    print('load gone after %.1f s' % (time.monotonic() - began))
    runs.wait_end(cluster, 600)
    assert_measured(cluster, run, ONE)
    cut, *_ = runs.trials(cluster, run, 'void')
    print(cut['reason'])
    assert HOST in cut['reason']
    assert not processes.of_runs(cluster)
    wait_ready(cluster)


def test_after_a_failover_the_next_manager_has_the_agent(
    cluster: CephadmCluster,
) -> None:
    """It ends the load of the former one, and makes that of the next."""
    run, _ = loading(cluster)
    installed.fail_over(cluster)
    runs.wait_end(cluster, 600)
    assert_measured(cluster, run, ONE)
    assert not processes.of_runs(cluster)
    wait_ready(cluster)


def test_s3_load_goes_to_gateways_of_the_orchestrator(
    cluster: CephadmCluster,
) -> None:
    """The host reaches them where cephadm has placed them."""
    cluster.ceph('config', 'set', 'mgr', OPTION, 'false', fmt='')
    try:
        words = (*S3_WORDS, '--gateway-source', 'orch', '--load-hosts', HOST)
        run = runs.start(cluster, GROUPS, *words)
        runs.wait_end(cluster, 600)
        assert_measured(cluster, run)
        assert_served(cluster, run)
    finally:
        # it has the dashboard look for gateways that change
        wait_for(lambda: not gateways(cluster), 120, 'no gateway is left')
        cluster.ceph('config', 'rm', 'mgr', OPTION, fmt='')
