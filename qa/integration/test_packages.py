"""The Debian packages, installed by dpkg on a cluster, upgraded, removed."""

from typing import Iterator, List

import pathlib
import re

import pytest

from cluster.namespaces import root_of

from . import agents, packages, runs
from .host_browser import visit
from .live import LiveCluster
from .provision import PACKAGED, Provider, consent, enable, wait_answers
from .state import ClusterState, wait_unchanged

pytestmark = pytest.mark.slow
CLUSTER = PACKAGED.name
SECONDS = 300
HOST = 'load-1'
GROUPS = ('x86', 'alt')
VERSIONS = ('0.9', '0.9.1')
AGENT = '/usr/share/perfcompare-load-agent'


@pytest.fixture(scope='module')
def built(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Return a folder with the packages of two versions."""
    folder = tmp_path_factory.mktemp('packages')
    for version in VERSIONS:
        packages.build(version, folder / version)
    return folder


@pytest.fixture(scope='module')
def cluster(provider: Provider, built: pathlib.Path) -> Iterator[LiveCluster]:
    """Yield a cluster whose dpkg knows of its Ceph, and of no module."""
    found = provider.get(PACKAGED)
    packages.know_of_ceph(root(found))
    yield found


def root(cluster: LiveCluster) -> pathlib.Path:
    """Return the root of all that runs in the cluster."""
    found = root_of(cluster.folder())
    assert found is not None
    return found


def restarted(cluster: LiveCluster) -> None:
    """Restart the Manager, as systemctl does."""
    cluster.mgr_start(cluster.mgr_kill())
    cluster.wait_active_mgr(120)


def files(cluster: LiveCluster) -> List[str]:
    """Return what there is of the module, the page and the agent."""
    found: List[str] = []
    for folder in ('usr/share', 'usr/lib/systemd'):
        for path in (root(cluster) / folder).rglob('*perfcompare*'):
            found.append(str(path))
    return found


def test_they_are_installed(
    cluster: LiveCluster, built: pathlib.Path
) -> None:
    """The module is not there before, and is complete after."""
    assert not files(cluster)
    packages.dpkg(root(cluster), '-i', *packages.of(built / VERSIONS[0]))
    restarted(cluster)
    enable(cluster)
    consent(cluster)
    told = cluster.ceph('perfcompare', 'doctor', fmt='')
    assert told.rstrip().endswith('Runs can start.'), told


def test_the_dashboard_has_the_tab(cluster: LiveCluster) -> None:
    """Its files and routes are those of the package."""
    login = cluster.status()['dashboard']
    by = (login['user'], login['password'], '')
    page = 'perfcompare-ui/index.html'
    found = visit(cluster, [page, 'ui-api/perfcompare/status', ''], by)
    assert {one['status'] for one in found.values()} == {200}, found
    scripts = re.findall(
        r'(?:src|href)="([^":]+\.(?:js|css))"', found[page]['text']
    )
    assert scripts
    told = visit(cluster, ['perfcompare-ui/' + n for n in scripts], by)
    assert {one['status'] for one in told.values()} == {200}


def test_a_run_from_a_packaged_load_agent(cluster: LiveCluster) -> None:
    """Both are of one version; nothing is left of the run."""
    agents.add(cluster, HOST)
    agent = agents.start(cluster, HOST, AGENT)
    try:
        tracker = ClusterState(cluster)
        before = tracker.snapshot()
        words = (*runs.SHORT, '--rounds', '1', '--load-hosts', HOST)
        run = runs.start(cluster, GROUPS, *words)
        ended = runs.ended(cluster, run)
        assert (ended['state'], ended['reason']) == ('completed', '')
        assert ended['plan']['client_host'] == HOST
        wait_unchanged(tracker, before, 60)
    finally:
        agent.end()


def test_they_are_upgraded_and_removed(
    cluster: LiveCluster, built: pathlib.Path
) -> None:
    """Runs stay readable; without the module nothing of it remains."""
    (run,) = cluster.ceph('perfcompare', 'ls')['runs']
    shown = cluster.ceph('perfcompare', 'show', run['id'], fmt='')
    packages.dpkg(root(cluster), '-i', *packages.of(built / VERSIONS[1]))
    restarted(cluster)
    wait_answers(cluster, 120)
    again = cluster.ceph('perfcompare', 'show', run['id'], fmt='')
    assert again == shown
    cluster.ceph('mgr', 'module', 'disable', 'perfcompare', fmt='')
    packages.dpkg(root(cluster), '-P', *packages.NAMES)
    assert not files(cluster)
    restarted(cluster)
    assert 'perfcompare' not in cluster.ceph('mgr', 'dump')['modules']
