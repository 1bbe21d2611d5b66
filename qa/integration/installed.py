"""The module on a cluster that cephadm manages, installed as printed."""

from typing import Any, List

import pathlib
import re
import shlex

import pytest

from cluster.messages import ClusterError
from managed import machine

from . import recipes
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider, consent, wait_answers
from .waiting import wait_for

PAGE = 'installation'
MOUNTS = 'Containers: Bind Mounts'
AFTER = 'After the Installation'
REMOVING = 'Removing'
PLAIN = '''service_type: mgr
service_name: mgr
placement:
  hosts:
  - %s
'''
FOUND = r'perfcompare/([\w./-]+)|^(\S+)$'
REPLACED = 300.0  # seconds for both Managers, on a busy machine


def cluster_of(provider: Provider) -> CephadmCluster:
    """Return the cluster; skip where this machine cannot have it."""
    token: pathlib.Path = provider.base / CEPHADM.name / 'token'
    if not token.exists():
        try:
            machine.check()
        except ClusterError as error:
            pytest.skip(str(error))
    found = provider.get(CEPHADM)
    assert isinstance(found, CephadmCluster)
    return found


def with_module(provider: Provider) -> CephadmCluster:
    """Return the cluster with the module enabled, and consent given."""
    cluster = cluster_of(provider)
    if 'perfcompare' not in enabled(cluster):
        copy_files(cluster)
        apply(cluster)
        enable(cluster)
        consent(cluster)
    return cluster


def enabled(cluster: CephadmCluster) -> List[str]:
    """Return the modules that are enabled."""
    found: List[str] = cluster.ceph('mgr', 'module', 'ls')['enabled_modules']
    return found


def copy_files(cluster: CephadmCluster) -> None:
    """Copy the files on each host, as printed."""
    cluster.bring_sources()
    for host in NAMES:
        for command in recipes.commands(PAGE, MOUNTS)[0]:
            cluster.give(command, host)


def apply(cluster: CephadmCluster) -> None:
    """Apply the specification, as printed; wait as the manual says."""
    replaced_by(cluster, *recipes.commands(PAGE, MOUNTS)[1])


def replaced_by(cluster: CephadmCluster, order: str, look: str) -> None:
    """Give an order that replaces all Managers; look until the last is."""
    before = {one['container_id'] for one in managers(cluster)}
    cluster.give(order)

    def replaced() -> bool:
        cluster.give(look)
        now = managers(cluster)
        return len(now) == len(NAMES) and all(
            one['status_desc'] == 'running'
            and one['container_id'] not in before
            for one in now
        )

    wait_for(replaced, REPLACED, 'all Managers were replaced', 5.0)


def managers(cluster: CephadmCluster) -> List[Any]:
    """Return the Managers as the orchestrator has them."""
    return cluster.daemons('mgr')


def fail_over(cluster: CephadmCluster) -> None:
    """Have the other Manager be the active one; wait until it answers."""
    first = cluster.ceph('mgr', 'dump')['active_name']
    cluster.ceph('mgr', 'fail', fmt='')
    wait_for(
        lambda: cluster.ceph('mgr', 'dump')['active_name'] not in ('', first),
        60,
        'another Manager is active',
    )
    wait_answers(cluster, 400)


def enable(cluster: CephadmCluster) -> None:
    """Enable the module, as printed, as soon as all Managers have it."""
    enable_by(cluster, recipes.commands(PAGE, AFTER)[0][0])


def enable_by(cluster: CephadmCluster, order: str) -> None:
    """Give the order that enables it until all Managers have it."""

    def done() -> bool:
        try:
            cluster.give(order)
        except AssertionError as error:
            assert 'all mgr daemons do not support module' in str(error)
            return False
        return True

    wait_for(done, 60, 'all Managers have the module', 5.0)
    wait_answers(cluster, 120)


def without_module(provider: Provider) -> CephadmCluster:
    """Return the cluster without the module, sources on its hosts."""
    cluster = cluster_of(provider)
    if 'perfcompare' in enabled(cluster):
        remove(cluster)
    elif mounted(cluster):
        unmount(cluster)
    cluster.bring_sources()  # a command is given in their folder
    for host in NAMES:
        cluster.give('rm -rf /opt/perfcompare', host)
    return cluster


def remove(cluster: CephadmCluster) -> None:
    """Remove the module and all that is of it, as the manual has it."""
    (stop, status, cleanup), hosts, secrets, (disable,), data = (
        recipes.commands(PAGE, REMOVING)
    )
    done = cluster.exec(shlex.split(stop))
    assert done.returncode == 0 or 'no run is active' in done.stderr
    assert 'no run is active' in cluster.give(status)
    assert 'nothing was left to undo' in cluster.give(cleanup)
    _remove_load_hosts(cluster, *hosts)
    _remove_secrets(cluster, *secrets)
    cluster.give(disable)
    if mounted(cluster):
        unmount(cluster)
    _remove_data(cluster, data)


def _remove_load_hosts(
    cluster: CephadmCluster, look: str, service: str, *each: str
) -> None:
    """Remove the load hosts, as printed; the service where there is one."""
    cluster.give(look)
    if service.split()[-1] in cluster.ceph('orch', 'ls', fmt=''):
        cluster.give(service)
    for one in cluster.ceph('perfcompare', 'load-host', 'ls'):
        for command in each:
            cluster.give(command.replace('<host>', one['host']))


def _remove_secrets(
    cluster: CephadmCluster, look: str, keys: str, passwords: str
) -> None:
    """Remove keys of gateways and passwords of exporters, as printed."""
    cluster.give(look)
    for one in cluster.ceph('perfcompare', 'gateways', 'ls'):
        cluster.give(keys.replace('<group>', one['group']))
    cluster.give(passwords)
    left = cluster.ceph('config-key', 'ls')
    secret = re.compile('mgr/perfcompare/(gateway-|exporter/|load-host/)')
    assert not [key for key in left if secret.match(key)]


def mounted(cluster: CephadmCluster) -> bool:
    """Say whether the specification of Managers has the mounts."""
    words = ('orch', 'ls', 'mgr', '--export')
    return '/perfcompare' in cluster.ceph(*words, fmt='')


def unmount(cluster: CephadmCluster) -> None:
    """Apply the specification without the mounts."""
    spec = PLAIN % '\n  - '.join(NAMES)
    (cluster.root(NAMES[0]) / 'root/plain.yaml').write_text(spec, 'utf-8')
    look = recipes.commands(PAGE, MOUNTS)[1][1]
    replaced_by(cluster, 'ceph orch apply -i /root/plain.yaml', look)


def _remove_data(cluster: CephadmCluster, given: List[str]) -> None:
    """Remove what remains, by the commands that find it and remove it."""
    for find, remove in zip(given[::2], given[1::2]):
        done = cluster.exec(['sh', '-c', find])  # grep may find nothing
        for name in map(''.join, re.findall(FOUND, done.stdout, re.M)):
            cluster.give(re.sub(r'<\w+>', name, remove))
