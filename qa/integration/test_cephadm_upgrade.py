"""An upgrade of a cluster that cephadm manages, with the module in place."""

from typing import Any, Dict, Iterator, Optional, Set, Tuple

import errno
import time

import pytest

from cluster.api import CommandFailed

from . import installed, recipes, runs
from .host_browser import visit
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider, wait_answers
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 1000
PAGE, COMPARISONS = 'results', 'Comparisons'
GROUP = 'alt'
LONG = tuple('30' if word == '3' else word for word in runs.SHORT)
# There is no registry. Without the time of the build the image has the same
# digest on each host, as if it came from one, and nothing is pulled.
BUILD = (
    "printf 'FROM %s\\nLABEL next=%s\\n' | "
    'podman build --timestamp 0 --tag %s -'
)
# by the Manager that was active when it began, or by the next one
CUT = ('aborted: UPGRADE: ', 'failed: preflight refuses the run: UPGRADE: ')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster into whose Managers the module is mounted."""
    found = installed.with_module(provider)
    assert installed.mounted(found)
    yield found


@pytest.fixture(scope='module')
def before(cluster: CephadmCluster) -> Tuple[str, str]:
    """Return a run that completed before it, and what is shown of it."""
    run = completed(cluster, 'before')
    return run, cluster.ceph('perfcompare', 'show', run, fmt='')


@pytest.fixture(scope='module')
def image(cluster: CephadmCluster, before: Tuple[str, str]) -> str:
    """Build the image of the next release on each host; return its name."""
    base = cluster.ceph('config', 'get', 'mgr', 'container_image', fmt='')
    name: str = base.strip() + '-next'
    for host in NAMES:
        label = name.rpartition(':')[2]
        cluster.give(BUILD % (base.strip(), label, name), host)
    return name


def images(cluster: CephadmCluster) -> Set[str]:
    """Return the images that daemons run."""
    return {one['container_image_name'] for one in cluster.daemons()}


def completed(cluster: CephadmCluster, label: str) -> str:
    """Return a run of the group that has completed."""
    run = runs.start(cluster, [GROUP], *runs.SHORT, '--label', label)
    assert runs.ended(cluster, run)['state'] == 'completed'
    return run


def end_of(cluster: CephadmCluster, run: str) -> str:
    """Wait for the end of a run, also over failovers; return its reason."""

    def ended() -> Optional[Dict[str, Any]]:
        found = cluster.look('perfcompare show', 'mgr', run=run)
        return found['run'] if found and found['run']['ended'] else None

    found = wait_for(ended, 300, 'run %s has ended' % run)
    return '%s: %s' % (found['state'], found['reason'])


def refused(cluster: CephadmCluster) -> bool:
    """Say whether a run is refused for the upgrade, and no other reason."""
    try:
        run = runs.start(cluster, [GROUP], *runs.SHORT)
    except CommandFailed as error:
        print(error)
        return error.returncode == errno.EBUSY and 'UPGRADE' in str(error)
    raise AssertionError('run %s was accepted' % run)


def upgraded(cluster: CephadmCluster) -> bool:
    """Say whether no upgrade is in progress; a failover is part of it."""
    done = cluster.exec(['ceph', 'orch', 'upgrade', 'status'], host=NAMES[0])
    print(done.stdout, done.stderr)
    assert '"is_paused": true' not in done.stdout, done.stdout
    return 'no upgrades in progress' in done.stdout


def start(cluster: CephadmCluster, image: str) -> None:
    """Start it as printed, or have it go on."""
    _, order, *_ = recipes.commands(PAGE, COMPARISONS)[1]
    cluster.give(order.replace('<image>', image))


def test_its_begin_ends_a_run(cluster: CephadmCluster, image: str) -> None:
    """The reason names it, and no further run begins."""
    run = runs.start(cluster, [GROUP], *LONG)
    runs.wait_state(cluster, run, ['trial'], 200)
    began = time.monotonic()
    start(cluster, image)
    reason = end_of(cluster, run)
    print('%s, after %.1f s' % (reason, time.monotonic() - began))
    assert reason.startswith(CUT)
    wait_for(lambda: refused(cluster), 120, 'a run is refused', 2.0)


def test_module_and_results_survive_it(
    cluster: CephadmCluster, before: Tuple[str, str], image: str
) -> None:
    """All daemons are new; results and tab are there, and no pool is left."""
    began = time.monotonic()
    start(cluster, image)
    wait_for(lambda: upgraded(cluster), 1100, 'the upgrade is over', 5.0)
    print('upgraded after %.1f s more' % (time.monotonic() - began))
    assert images(cluster) == {image}
    wait_answers(cluster, 120)
    cluster.wait_clean(300)
    pools = cluster.ceph('osd', 'pool', 'ls')
    assert not [pool for pool in pools if 'perfcompare' in pool]
    assert 'perfcompare' in installed.enabled(cluster)
    assert installed.mounted(cluster)
    run, shown = before
    assert cluster.ceph('perfcompare', 'show', run, fmt='') == shown
    paths = ['ui-api/perfcompare/status', 'perfcompare-ui/index.html']
    found = visit(cluster, paths)
    assert {one['status'] for one in found.values()} == {200}


def renew(cluster: CephadmCluster) -> None:
    """Have another Manager where a module of Ceph's own has failed.

    Its crash module may, when all daemons are restarted; runs are refused
    for such an error, which only another Manager forgets.
    """
    checks = cluster.look('health', detail='detail')['checks']
    failed = str(checks.get('MGR_MODULE_ERROR', ''))
    assert 'perfcompare' not in failed, failed
    if failed:
        print(failed)
        cluster.ceph('mgr', 'fail', fmt='')
        wait_answers(cluster, 120)


def test_before_and_after_are_compared(
    cluster: CephadmCluster, before: Tuple[str, str]
) -> None:
    """As printed; here the next release is the same."""
    *_, order = recipes.commands(PAGE, COMPARISONS)[1]
    renew(cluster)
    after = completed(cluster, 'after')
    for old, new in (
        ('arm', GROUP),
        ('<before>', before[0]),
        ('<after>', after),
    ):
        order = order.replace(old, new)
    told = cluster.give(order)
    assert before[0] in told and after in told
    assert 'ACROSS release: nothing of it differs' in told
