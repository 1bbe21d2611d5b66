"""Start and stop RADOS gateways, as a production cluster has them."""

from typing import List

import errno
import os
import re
import signal
import socket
import time

from . import conf, daemons, launch, network
from .admin import Admin
from .messages import ClusterError
from .state import Cluster

PATIENCE = 90.0
# A gateway takes up to 20 s to leave.
STOP_PATIENCE = 30.0
ENTITY = re.compile(r'client\.rgw\.[\w.-]+\Z', re.A)
# as cephadm gives them
CEPHADM_CAPS = ['mon', 'allow *', 'mgr', 'allow rw']
CEPHADM_CAPS += ['osd', 'allow rwx tag rgw *=*']
CAPS = ['mon', 'allow rw', 'osd', 'allow rwx', 'mgr', 'allow rw']


def start(cluster: Cluster, name: str, host: str, options: str = '') -> str:
    """Start gateway `name`, on a native host if named; return its URL.

    `options` are further ones of the frontend, e.g. for TLS; without one
    of this name `tcp_nodelay` is on.
    """
    if not name.isalnum():
        raise ClusterError(
            "'%s' is no name for a gateway; use letters" % name
        )
    daemons.refuse_running(cluster, 'rgw.' + name)
    address = _address(cluster, host)
    port = network.free_port(address, 8000) if not host else 8000
    folder = cluster.dir / 'rgw' / name
    folder.mkdir(parents=True, exist_ok=True)
    entity = 'client.rgw.' + name
    with Admin(cluster) as admin:
        text = admin.mon('auth get-or-create', entity=entity, caps=CAPS)
    handle = os.open(str(folder / 'keyring'), os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(handle, 'w', encoding='utf-8') as out:
        out.write(text)
    endpoint = '%s:%d' % (address, port)
    argv = ['radosgw', '-f', '-n', entity, '-c', str(cluster.conf)]
    argv += ['--keyring', str(folder / 'keyring'), '--rgw-data', str(folder)]
    if 'tcp_nodelay' not in options:
        options = 'tcp_nodelay=1 ' + options
    frontend = 'beast endpoint=%s %s' % (endpoint, options)
    argv += ['--rgw-frontends', frontend.strip()]
    launch.start(cluster, 'rgw.' + name, host, argv)
    (folder / 'endpoint').write_text(endpoint, encoding='utf-8')
    _wait_listening(cluster, name, address, port)
    return 'http://%s/' % endpoint


def place(
    cluster: Cluster, entity: str, host: str, port: int, options: str
) -> None:
    """Start a gateway as an orchestrator does: with a key of its name.

    `entity` is like client.rgw.<service>.<host>.<word>; what the gateway
    serves is in the central configuration. `options` are the frontend's.
    """
    if not ENTITY.match(entity):
        raise ClusterError("'%s' is not a name of a gateway" % entity)
    name = entity[len('client.rgw.') :]
    daemons.refuse_running(cluster, 'rgw.' + name)
    address = _address(cluster, host)
    folder = cluster.dir / 'rgw' / name
    folder.mkdir(parents=True, exist_ok=True)
    with Admin(cluster) as admin:
        text = admin.mon(
            'auth get-or-create', entity=entity, caps=CEPHADM_CAPS
        )
    keyring = folder / 'keyring'
    handle = os.open(
        str(keyring), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600
    )
    with os.fdopen(handle, 'w', encoding='utf-8') as out:
        out.write(text)
    endpoint = 'endpoint=%s:%d %s' % (address, port, options)
    argv = ['radosgw', '-f', '-n', entity, '-c', str(cluster.conf)]
    argv += ['--keyring', str(keyring), '--rgw-data', str(folder)]
    argv += ['--rgw-frontends', 'beast %s' % endpoint.strip()]
    launch.start(cluster, 'rgw.' + name, host, argv)
    _wait_listening(cluster, name, address, port)


def displace(cluster: Cluster, entity: str) -> None:
    """Stop a gateway that was placed, and remove its key."""
    name = entity[len('client.rgw.') :]
    if cluster.process('rgw.' + name) is not None:
        stop(cluster, name)
    with Admin(cluster) as admin:
        admin.mon('auth rm', entity=entity)


def _address(cluster: Cluster, host: str) -> str:
    settings = cluster.settings
    if not host:
        return settings.network.service(conf.FIRST_RGW_SLOT)
    for known in settings.hosts:
        if known.name == host:
            if known.emulated:
                raise ClusterError(
                    "host '%s' is emulated; gateways run on native hosts"
                    % host,
                    errno.ENOTSUP,
                )
            return known.address(settings.network)
    raise ClusterError(
        "no host '%s'; this cluster has: %s"
        % (host, ', '.join(known.name for known in settings.hosts)),
        errno.ENOENT,
    )


def _wait_listening(
    cluster: Cluster, name: str, address: str, port: int
) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection((address, port), 2).close()
            return
        except OSError:
            pass
        if cluster.process('rgw.' + name) is None:
            raise ClusterError(
                'the gateway ended: %s'
                % launch.log_tail(cluster, 'rgw.' + name),
                errno.EIO,
            )
        if time.monotonic() > deadline:
            raise ClusterError(
                'the gateway does not listen on %s:%d after %d s'
                % (address, port, PATIENCE),
                errno.ETIMEDOUT,
            )
        time.sleep(0.2)


def stop(cluster: Cluster, name: str) -> None:
    """Stop a gateway; kill it when it does not leave."""
    process = cluster.process('rgw.' + name)
    daemons.running(cluster, 'rgw.' + name)
    if not launch.end(process, signal.SIGTERM, STOP_PATIENCE):
        launch.end(process, signal.SIGKILL, 5)
    cluster.forget('rgw.' + name)


def endpoints(cluster: Cluster) -> List[str]:
    """Return the URLs of the running gateways."""
    found = []
    for path in sorted(cluster.dir.glob('rgw/*/endpoint')):
        if cluster.process('rgw.' + path.parent.name):
            found.append('http://%s/' % path.read_text(encoding='utf-8'))
    return found
