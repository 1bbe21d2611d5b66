"""Where the backend is the orchestrator that Ceph ships: S3, and the manual.

test_orchestrator serves lists of hosts and daemons that it is given, and
has no ``apply_rgw``: it cannot place a gateway, and is not to be believed
to have placed one.
"""

from typing import Any, Dict, Iterator, List, Tuple

import errno
import json
import pathlib
import re
import shlex
import shutil

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import CEPH_ORCH, Provider, wait_answers
from .state import ClusterState, wait_unchanged

CLUSTER = CEPH_ORCH.name
pytestmark = pytest.mark.slow
BACKEND = 'test_orchestrator'
TOP = pathlib.Path(__file__).resolve().parents[2]
PAGES = ('first-result', 'installation', 'load-hosts')
READ = (
    'import sys, yaml; from ceph.deployment.service_spec import ServiceSpec;'
    'spec = ServiceSpec.from_json(yaml.safe_load(open(sys.argv[1])));'
    'spec.validate(); print(spec.to_json())'
)
ORDERS = re.compile(r'^   (ceph orch (?:apply|ps|ls|redeploy).*)$', re.M)
LOAD = (
    '--profile', 'smoke', '--rounds', '1', '--workload', 's3-get',
    '--size', '4K', '--concurrency', '4', '--duration', '3',
)  # fmt: skip


def known(cluster: LiveCluster) -> List[Dict[str, Any]]:
    """Return the hosts of the cluster as that module takes them."""
    nodes = cluster.ceph('osd', 'tree')['nodes']
    return [
        {'name': n['name'], 'addr': '127.0.0.1', 'labels': [], 'devices': []}
        for n in nodes
        if n['type'] == 'host'
    ]


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster whose backend knows all of its hosts."""
    found = provider.get(CEPH_ORCH)
    found.ceph('mgr', 'module', 'enable', BACKEND, fmt='')
    found.wait_active_mgr()
    wait_answers(found)
    found.ceph('orch', 'set', 'backend', BACKEND, fmt='')
    data = found.dir / 'tmp' / 'hosts.json'
    data.write_text(json.dumps({'inventory': known(found)}), 'utf-8')
    found.ceph(BACKEND, 'load_data', '-i', str(data), fmt='')
    yield found
    found.ceph('orch', 'set', 'backend', '', fmt='')
    found.ceph('mgr', 'module', 'disable', BACKEND, fmt='')
    wait_answers(found)


def refused(cluster: LiveCluster, *words: str) -> Tuple[int, str]:
    """Return exit code and text of a run that is not to begin."""
    done = cluster.exec(
        ['ceph', 'perfcompare', 'run', '--group', 'x86', '--group', 'alt',
         *words, *runs.CONSENT]
    )  # fmt: skip
    return done.returncode, done.stderr.strip()


def test_orch_is_refused_in_one_line_and_changes_nothing(
    cluster: LiveCluster,
) -> None:
    """A backend that cannot place gateways is told from one that can."""
    assert cluster.ceph('orch', 'status')['available'] is True
    hosts = {h['hostname'] for h in cluster.ceph('orch', 'host', 'ls')}
    assert hosts == {h['name'] for h in known(cluster)}
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    code, text = refused(cluster, *LOAD, '--gateway-source', 'orch')
    assert code == errno.EINVAL
    assert text == (
        'Error EINVAL: --gateway-source orch: no orchestrator is available '
        'that can place gateways (ceph orch status); give --gateway-source '
        'private'
    )
    wait_unchanged(tracker, before)
    assert cluster.ceph('perfcompare', 'ls')['runs'] == []


def test_gateways_are_private_without_being_asked(
    cluster: LiveCluster,
) -> None:
    """The same run without --gateway-source has gateways of its own."""
    run = runs.start(cluster, ['x86', 'alt'], *LOAD)
    runs.wait_end(cluster, 300)
    assert runs.reason(cluster, run) == 'completed: '
    for trial in runs.trials(cluster, run, 'ok'):
        assert trial['summary']['errors'] == 0
        assert trial['manifest']['gateways'] == 1
    assert processes.gateways_of(cluster) == {}


def orders() -> List[List[str]]:
    """Return what the manual tells an administrator to order."""
    found: List[str] = []
    for page in PAGES:
        text = (TOP / f'doc/mgr/perfcompare/{page}.rst').read_text('utf-8')
        found += ORDERS.findall(text)
    return [shlex.split(line) for line in dict.fromkeys(found)]


def test_what_the_manual_orders_is_understood(cluster: LiveCluster) -> None:
    """Ceph's own code reads the specifications.

    This backend cannot apply it: it takes no hosts that are named.
    """
    given = orders()
    assert len(given) >= 4
    for words in given:
        if '-i' in words:
            place = cluster.dir / 'tmp' / 'given.yaml'
            shutil.copy(TOP / words[words.index('-i') + 1], place)
            words = ['python3', '-c', READ, str(place)]
        done = cluster.exec(words)
        print(words, done.stdout, done.stderr)
        assert done.returncode == 0, done.stderr
