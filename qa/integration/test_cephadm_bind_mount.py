"""The recipe with bind mounts, on a cluster that the real cephadm manages."""

from typing import Iterator

import re

import pytest

from . import installed, recipes, runs
from .host_browser import visit
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider, consent
from .state import ClusterState, wait_unchanged

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 600


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster that never had the module, or has it no more."""
    yield installed.without_module(provider)


def test_it_installs_as_printed(cluster: CephadmCluster) -> None:
    """The Managers are replaced, and find what a run needs."""
    installed.copy_files(cluster)
    installed.apply(cluster)
    installed.enable(cluster)
    _, doctor = recipes.commands(installed.PAGE, installed.AFTER)[0]
    told = cluster.give(doctor)
    for tool in ('rados', 'python3', 'python3-rados', 'radosgw'):
        assert re.search(r'^%s +ok ' % tool, told, re.M), tool
    assert told.rstrip().endswith('Runs can start.')


def test_the_dashboard_has_the_tab(cluster: CephadmCluster) -> None:
    """Controller and page come from the mounted files."""
    found = visit(
        cluster,
        ['ui-api/perfcompare/status', 'perfcompare-ui/index.html',
         'api/perfcompare/group', ''],
    )  # fmt: skip
    for path, answer in found.items():
        print(path, answer['status'], answer['type'], len(answer['text']))
    assert {one['status'] for one in found.values()} == {200}
    assert (
        '"permissions": ["read"' in found['ui-api/perfcompare/status']['text']
    )
    page = found['perfcompare-ui/index.html']['text']
    scripts = re.findall(r'(?:src|href)="([^":]+\.(?:js|css))"', page)
    assert scripts
    files = visit(cluster, ['perfcompare-ui/' + name for name in scripts])
    assert {one['status'] for one in files.values()} == {200}


def test_a_run_leaves_all_as_it_was(cluster: CephadmCluster) -> None:
    """Two groups by device class are compared."""
    consent(cluster)
    told = cluster.give('ceph perfcompare group detect')
    assert 'x86_64' in told
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    run = runs.start(cluster, ['x86', 'alt'], *runs.SHORT)
    runs.wait_end(cluster, 900)
    assert runs.reason(cluster, run) == 'completed: '
    text = cluster.ceph('perfcompare', 'compare', 'x86', 'alt', fmt='')
    print(text)
    assert 'x86: 2 OSDs on host1, host2; x86_64; Ceph 20.2.4' in text
    cluster.wait_clean()
    wait_unchanged(tracker, before, 60)


def test_it_is_removed_as_printed(cluster: CephadmCluster) -> None:
    """Nothing of the module is left, in the Managers nor in the cluster."""
    agent = 'client.perfcompare.agent.' + NAMES[1]
    cluster.ceph('perfcompare', 'load-host', 'add', NAMES[1])
    words = ('orch', 'client-keyring', 'set', agent, NAMES[1])
    cluster.ceph(*words, fmt='')
    installed.remove(cluster)
    keys = cluster.ceph('auth', 'ls')['auth_dump']
    assert agent not in [key['entity'] for key in keys]
    assert agent not in cluster.ceph('orch', 'client-keyring', 'ls', fmt='')
    assert 'perfcompare' not in installed.enabled(cluster)
    keys = cluster.ceph('config-key', 'ls')
    assert not [key for key in keys if key.startswith('mgr/perfcompare/')]
    settings = cluster.ceph('config', 'dump')
    assert not [one for one in settings if 'perfcompare' in one['name']]
    objects = ['rados', '-p', '.mgr', '--namespace', 'perfcompare', 'ls']
    assert cluster.exec(objects).stdout == ''
    for host in NAMES:
        done = cluster.exec(
            ['sh', '-c', 'podman exec $(podman ps -q --filter name=-mgr-) '
             'ls /usr/share/ceph/mgr/perfcompare'],
            host=host,
        )  # fmt: skip
        assert 'No such file' in done.stderr, done.stderr
