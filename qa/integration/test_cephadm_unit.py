"""The packaged load agent, started by systemd on a host of its own."""

from typing import Any, Dict, Iterator, List

import pathlib
import re

import pytest

from . import installed, packages, processes, recipes, runs
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 240
PAGE, MAKING = 'load-hosts', 'Make a load host'
HOST = NAMES[1]
UNIT = 'perfcompare-load-agent@' + HOST
CONF = '/etc/ceph/ceph.conf'
KEYRING = '/etc/ceph/ceph.client.perfcompare.agent.%s.keyring' % HOST
GROUPS = ('x86', 'alt')
FILE = '/usr/share/perfcompare-load-agent/worker/supervisor.py'
FORMER = '/root/supervisor.py'
DYNAMIC = range(61184, 65520)  # user ids that systemd gives by itself


def given() -> List[str]:
    """Return the first commands of the page: to add, and two to start."""
    (add, *_), starts = recipes.commands(PAGE, MAKING)[:2]
    return [re.sub(r'\bload-1\b', HOST, one) for one in (add, *starts)]


def agent(cluster: CephadmCluster) -> Dict[str, Any]:
    """Return the load host as the module has it."""
    (found,) = cluster.ceph('perfcompare', 'load-host', 'ls')
    return dict(found)


def wait_ready(cluster: CephadmCluster) -> None:
    """Wait until the agent is heard of."""
    wait_state(cluster, 'ready')


def wait_state(cluster: CephadmCluster, state: str) -> None:
    """Wait until the load host is in a state."""
    wait_for(
        lambda: agent(cluster)['state'] == state, 60, 'its state is ' + state
    )


def replace_files(cluster: CephadmCluster) -> None:
    """Have files of another version, and replace them while it runs."""
    on_host(cluster, 'cp -p %s %s; echo "#" >> %s' % (FILE, FORMER, FILE))
    on_host(cluster, 'systemctl restart ' + UNIT)
    wait_state(cluster, 'other version')
    on_host(cluster, 'mv %s %s' % (FORMER, FILE))
    wait_ready(cluster)  # it has ended, and systemd has started it
    assert on_host(cluster, 'systemctl show -P NRestarts ' + UNIT) == '1'


def on_host(cluster: CephadmCluster, command: str) -> str:
    """Return what a command prints on the load host."""
    return cluster.give(command, HOST).strip()


@pytest.fixture
def cluster(
    provider: Provider, tmp_path: pathlib.Path
) -> Iterator[CephadmCluster]:
    """Yield a cluster with the package on one host, which goes again."""
    found = installed.with_module(provider)
    root = found.root(HOST)
    packages.build('0.9', tmp_path)
    packages.know_of_ceph(root)
    (file,) = [p for p in packages.of(tmp_path) if 'load-agent' in p]
    packages.dpkg(root, '-i', file)
    conf = found.give('ceph config generate-minimal-conf')
    found.exec(['sh', '-c', 'cat > ' + CONF], conf, host=HOST)
    on_host(found, 'systemctl daemon-reload')
    yield found
    on_host(found, 'systemctl disable --now ' + UNIT)
    packages.dpkg(root, '-P', 'perfcompare-load-agent')
    on_host(found, 'systemctl daemon-reload; rm %s %s' % (CONF, KEYRING))


def test_the_unit_makes_load(cluster: CephadmCluster) -> None:
    """As a user of its own; killed in a trial or replaced, it comes back."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    add, *starts = given()
    printed = cluster.give(add)
    paste = re.search(r'^install -m 600 .*^END$', printed, re.M | re.S)
    assert paste, printed
    on_host(cluster, paste.group())
    for start in starts:
        assert start in printed
        on_host(cluster, start)
    wait_ready(cluster)
    assert on_host(cluster, 'systemctl is-active ' + UNIT) == 'active'
    pid = on_host(cluster, 'systemctl show -P MainPID ' + UNIT)
    assert int(on_host(cluster, 'stat -c %u /proc/' + pid)) in DYNAMIC
    checked = cluster.give('ceph perfcompare load-host check ' + HOST)
    assert 'OK: load host %s is ready' % HOST in checked

    words = ['20' if word == '3' else word for word in runs.SHORT]
    words += ['--rounds', '1', '--load-hosts', HOST]
    run = runs.start(cluster, GROUPS, *words)
    runs.wait_state(cluster, run, ['trial'], 200)
    wait_for(lambda: processes.load_of(cluster), 60, 'there is load')
    on_host(cluster, 'systemctl kill -s KILL ' + UNIT)
    runs.wait_end(cluster, 600)
    assert runs.reason(cluster, run) == 'completed: '
    done = runs.trials(cluster, run, 'ok')
    assert {t['group'] for t in done} == set(GROUPS)
    assert {t['manifest']['client_host'] for t in done} == {HOST}
    cut, *_ = runs.trials(cluster, run, 'void')
    print(cut['reason'])
    assert HOST in cut['reason']

    replace_files(cluster)
    on_host(cluster, 'systemctl stop ' + UNIT)
    assert on_host(cluster, 'pgrep -fc "[w]orker agent" || true') == '0'
    cluster.ceph('perfcompare', 'load-host', 'rm', HOST, fmt='')
    wait_unchanged(tracker, before, 60)
