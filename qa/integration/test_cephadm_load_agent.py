"""Load agents as a service of cephadm, by the manual's own commands."""

from typing import Any, Dict, List

import re
import time

import pytest

from cluster.api import CommandFailed

from . import installed, recipes, runs
from .orchestrated import NAMES, SOURCES, CephadmCluster
from .provision import CEPHADM, Provider
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 240
PAGE, WITH_CEPHADM = 'load-hosts', 'With cephadm'
HOST = NAMES[1]
SPEC = SOURCES + '/packaging/load-agent.yaml'
SERVICE = 'container.perfcompare-load-agent'
GROUPS = ('x86', 'alt')


def given(block: int) -> List[str]:
    """Return the commands of a block of the page, for our host."""
    printed = recipes.commands(PAGE, WITH_CEPHADM)[block]
    return [re.sub(r'\bload-1\b', HOST, command) for command in printed]


def agent(cluster: CephadmCluster) -> Dict[str, Any]:
    """Return the load host as the module has it."""
    (found,) = cluster.ceph('perfcompare', 'load-host', 'ls')
    assert found['host'] == HOST
    return dict(found)


def test_a_service_of_agents_makes_load_and_goes(provider: Provider) -> None:
    """From the order to load in a container; nothing is left afterwards."""
    cluster = installed.with_module(provider)
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    # cephadm's own list of keyrings, which is empty in the end
    before['keys'].setdefault('mgr/cephadm/client_keyrings', '')
    image = cluster.ceph('config', 'get', 'mgr', 'container_image', fmt='')
    name = r's|^  image: .*|  image: %s|' % image.strip()
    cluster.give("sed -i '%s' %s" % (name, SPEC))
    for command in given(0):
        cluster.give(command)
    apply, look = given(1)
    began = time.monotonic()
    cluster.give(apply)
    wait_for(
        lambda: agent(cluster)['state'] == 'ready', 120, 'the agent is there'
    )
    print('from apply to an agent: %.1f s' % (time.monotonic() - began))
    assert HOST in cluster.give(look)
    checked = cluster.give('ceph perfcompare load-host check ' + HOST)
    assert 'REFUSE' not in checked

    run = runs.start(cluster, GROUPS, *runs.SHORT, '--load-hosts', HOST)
    runs.wait_end(cluster, 600)
    assert runs.reason(cluster, run) == 'completed: '
    done = runs.trials(cluster, run, 'ok')
    assert done
    assert {t['manifest']['client_host'] for t in done} == {HOST}

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
    wait_unchanged(tracker, before, 60)
