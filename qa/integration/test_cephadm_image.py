"""The recipe with a derived image, on a cluster that cephadm manages."""

from typing import Iterator, List

import re

import pytest

from . import installed, recipes
from .host_browser import visit
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 500
PAGE = installed.PAGE
TITLE = 'Containers: A Derived Image'
BASE = re.compile(r'\$\(ceph [^)]+\)')
IMAGE = 'localhost/ceph-perfcompare:test'


def filled(command: str, manager: str = '') -> str:
    """Return a command with what it leaves to be named."""
    for name, value in (
        ('<registry>/ceph-perfcompare:<version>', IMAGE),
        ('mgr.<name>', manager),
    ):
        command = command.replace(name, value)
    return command


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster without the module; it ends on its own image."""
    found = installed.without_module(provider)
    own = found.ceph('config', 'get', 'mgr', 'container_image', fmt='')
    yield found
    if 'perfcompare' in installed.enabled(found):
        found.ceph('mgr', 'module', 'disable', 'perfcompare', fmt='')
    redeploy(found, own.strip())


def redeploy(cluster: CephadmCluster, image: str) -> None:
    """Redeploy the Managers with an image as printed, the standbys first."""
    *_, order = recipes.commands(PAGE, TITLE)[0]
    for manager in standbys_first(cluster):
        before = container(cluster, manager)
        line = filled(order, manager).replace(IMAGE, image)
        wait_for(lambda: scheduled(cluster, line), 60, line, 5.0)
        wait_for(
            lambda: container(cluster, manager) not in ('', before),
            180,
            '%s was redeployed' % manager,
            3.0,
        )


def standbys_first(cluster: CephadmCluster) -> List[str]:
    """Return the names of the Managers as the orchestrator has them."""
    found = cluster.ceph('mgr', 'dump')
    names = [one['name'] for one in found['standbys']]
    return ['mgr.' + name for name in [*names, found['active_name']]]


def scheduled(cluster: CephadmCluster, line: str) -> bool:
    """Give the order; say whether it was taken."""
    done = cluster.exec(['bash', '-c', line])
    print('# %s\n%s%s' % (line, done.stdout, done.stderr))
    return done.returncode == 0


def container(cluster: CephadmCluster, manager: str) -> str:
    """Return the container in which a Manager runs, '' for none."""
    for one in cluster.daemons('mgr'):
        if one['daemon_name'] == manager and one['status_desc'] == 'running':
            found: str = one['container_id']
            return found
    return ''


def test_it_installs_as_printed(cluster: CephadmCluster) -> None:
    """Built on each host, as there is no registry to push to."""
    build, push, _ = recipes.commands(PAGE, TITLE)[0]
    assert push.startswith('podman push')
    base = cluster.ceph('config', 'get', 'mgr', 'container_image', fmt='')
    for host in NAMES:
        line = build
        if host != NAMES[0]:  # which alone has the administrator's key
            line = BASE.sub(base.strip(), line)
        cluster.give(filled(line), host)
    redeploy(cluster, IMAGE)
    installed.enable(cluster)
    _, doctor = recipes.commands(PAGE, installed.AFTER)[0]
    assert cluster.give(doctor).rstrip().endswith('Runs can start.')


def test_the_dashboard_has_the_tab(cluster: CephadmCluster) -> None:
    """The image has the dashboard's part."""
    paths = ['ui-api/perfcompare/status', 'perfcompare-ui/index.html']
    found = visit(cluster, paths)
    assert {one['status'] for one in found.values()} == {200}
