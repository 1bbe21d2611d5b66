"""Bring a cluster up: from an empty folder to active+clean."""

from typing import Any, Dict, List, Tuple

import errno
import json
import os
import pathlib
import subprocess
import time
import uuid

from . import (
    claims,
    conf,
    daemons,
    dashboard,
    disks,
    exporters,
    launch,
    namespaces,
    network,
)
from .admin import Admin, Request, mon_request
from .messages import ClusterError, say
from .state import Cluster, Settings
from .topology import Osd

PATIENCE = 300.0


def up(cluster: Cluster, settings: Settings, mgrs: int) -> None:
    """Create and start everything; return when the cluster is healthy."""
    token = cluster.create()
    with cluster.lock():
        settings.token = token
        settings.number = claims.claim(cluster.dir, token)
        settings.fsid = str(uuid.uuid4())
        cluster.save(settings)
        names = list(conf.MGR_NAMES[:mgrs])
        namespaces.start_cell(cluster)
        network.build(cluster)
        disks.build(cluster)
        _choose_ports(settings)
        cluster.save(settings)
        conf.write(cluster, names)
        _make_mons(cluster)
        for name in conf.mon_names(cluster):
            daemons.start_mon(cluster, name)
        with connect(cluster) as admin:
            say('the mons are up (cluster number %d)' % settings.number)
            if settings.dashboard:
                admin.must(dashboard.option_requests(cluster, names))
            for name in names:
                create_mgr(cluster, admin, name)
            _make_osds(cluster, admin)
            if settings.exporters:
                exporters.start(cluster)
            wait_clean(cluster, admin, PATIENCE, healthy=True)
            if settings.dashboard:
                dashboard.create_user(cluster, admin)


def _choose_ports(settings: Settings) -> None:
    """Take the usual ports where they are free."""
    net = settings.network
    settings.mon_port = network.free_port(
        net.service(conf.FIRST_MON_SLOT), 3300
    )
    first_mgr = net.service(conf.FIRST_MGR_SLOT)
    settings.dashboard_port = network.free_port(first_mgr, 8080)


def _make_mons(cluster: Cluster) -> None:
    folder, settings = cluster.dir, cluster.settings
    (folder / 'mon').mkdir()
    keyring = folder / 'keyring'
    script = '''
set -e
ceph-authtool --create-keyring "$1" --gen-key -n mon. --cap mon 'allow *'
ceph-authtool "$1" --gen-key -n client.admin --cap mon 'allow *' \\
    --cap osd 'allow *' --cap mgr 'allow *' --cap mds 'allow *'
monmaptool --create --fsid "$2" "$3/monmap"
folder=$3
shift 3
while [ $# -gt 0 ]; do
    monmaptool --addv "$1" "$2" "$folder/monmap"
    names="$names $1"
    shift 2
done
for name in $names; do
    ceph-mon --mkfs -i "$name" --monmap "$folder/monmap" \\
        --keyring "$folder/keyring" -c "$folder/ceph.conf"
done
'''
    argv = ['sh', '-c', script, 'make-mons', str(keyring)]
    argv += [settings.fsid, str(folder)]
    for name in conf.mon_names(cluster):
        argv += [name, conf.mon_address(cluster, name)]
    launch.run(cluster, argv)


def connect(cluster: Cluster) -> Admin:
    """Connect as soon as all mons answer."""
    deadline = time.monotonic() + 30
    for name in ('mon.' + n for n in conf.mon_names(cluster)):
        socket = cluster.dir / 'run' / (name + '.asok')
        while not socket.exists() and time.monotonic() < deadline:
            if cluster.process(name) is None:
                raise ClusterError(
                    '%s ended: %s' % (name, launch.log_tail(cluster, name)),
                    errno.EIO,
                )
            time.sleep(0.05)
    return Admin(cluster)


def create_mgr(cluster: Cluster, admin: Admin, name: str) -> None:
    """Make a mgr's key and folder and start it."""
    folder = cluster.dir / 'mgr' / name
    folder.mkdir(parents=True, exist_ok=True)
    entity = 'mgr.' + name
    caps = ['mon', 'allow profile mgr', 'osd', 'allow *', 'mds', 'allow *']
    text = admin.mon('auth get-or-create', entity=entity, caps=caps)
    _write_secret(folder / 'keyring', text)
    daemons.start_mgr(cluster, name)


def _write_secret(path: pathlib.Path, text: str) -> None:
    handle = os.open(str(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, 'w', encoding='utf-8') as out:
        out.write(text)


def _make_keys(cluster: Cluster, count: int) -> List[str]:
    """Return new cephx keys; their format differs between releases."""
    script = 'for i in $(seq "$1"); do ceph-authtool --gen-print-key; done'
    argv = ['sh', '-c', script, 'make-keys', str(count)]
    return launch.run(cluster, argv).split()


def _make_osds(cluster: Cluster, admin: Admin) -> None:
    """Register all OSDs, make their stores side by side, start them."""
    making: List[Tuple[Osd, 'subprocess.Popen[bytes]']] = []
    osds = cluster.settings.osds
    keys = _make_keys(cluster, len(osds))
    ids = [str(uuid.uuid4()) for _ in osds]
    say('making %d OSDs' % len(osds))
    for osd, identity, key in zip(osds, ids, keys):
        # The mon numbers them in turn, so these cannot go out together.
        secret = json.dumps({'cephx_secret': key})
        admin.mon('osd new', stdin=secret, uuid=identity, id=osd.id)
        making.append((osd, _make_store(cluster, osd, identity, key)))
    admin.must([_class_request(osd) for osd in osds])
    admin.must([_place_request(osd) for osd in osds])
    deadline = time.monotonic() + PATIENCE
    while making:
        for osd, child in list(making):
            code = child.poll()
            if code is None:
                continue
            name = 'mkfs.%d' % osd.id
            cluster.forget(name)
            if code:
                raise ClusterError(
                    'cannot make the store of osd.%d: %s'
                    % (osd.id, launch.log_tail(cluster, name)),
                    errno.EIO,
                )
            making.remove((osd, child))
            daemons.start_osd(cluster, osd)
        if time.monotonic() > deadline:
            raise ClusterError(
                'the stores of %d OSDs are not made after %d s'
                % (len(making), PATIENCE),
                errno.ETIMEDOUT,
            )
        time.sleep(0.05)


def _make_store(
    cluster: Cluster, osd: Osd, identity: str, key: str
) -> 'subprocess.Popen[bytes]':
    folder = cluster.dir / 'osd' / str(osd.id)
    folder.mkdir(parents=True, exist_ok=True)
    _write_secret(folder / 'keyring', '[osd.%d]\nkey = %s\n' % (osd.id, key))
    argv = daemons.osd_command(cluster, osd)
    argv += ['--mkfs', '--osd-uuid', identity]
    return launch.start(cluster, 'mkfs.%d' % osd.id, osd.host.name, argv)


def _class_request(osd: Osd) -> Request:
    fields: Dict[str, Any] = {
        'class': osd.host.device_class,
        'ids': ['osd.%d' % osd.id],
    }
    return mon_request('osd crush set-device-class', **fields)


def _place_request(osd: Osd) -> Request:
    return mon_request(
        'osd crush add',
        id=osd.id,
        weight=1.0,
        args=['host=' + osd.host.name, 'root=default'],
    )


def clean(status: Dict[str, Any], osds: int) -> bool:
    """Tell from `ceph status` whether all is up and all PGs are clean.

    Warnings do not matter here: a test may have provoked one.
    """
    states = {
        state['state_name']: state['count']
        for state in status['pgmap'].get('pgs_by_state', [])
    }
    pgs = status['pgmap'].get('num_pgs', 0)
    return (
        status['osdmap']['num_up_osds'] == osds
        and status['mgrmap']['available']
        and pgs > 0
        and states == {'active+clean': pgs}
    )


def told(osds: List[Dict[str, Any]], pgs: List[Dict[str, Any]]) -> bool:
    """Tell whether all PGs have reported since their OSDs are up.

    What a manager knows of PGs whose OSD restarted is from before.
    """
    up_from = {osd['osd']: osd['up_from'] for osd in osds}
    return all(
        int(pg['reported_epoch']) >= up_from.get(osd, 0)
        for pg in pgs
        for osd in pg['up']
    )


def _told(admin: Admin) -> bool:
    found = admin.json('pg dump', dumpcontents=['pgs'])
    return told(admin.json('osd dump')['osds'], found['pg_stats'])


def wait_clean(
    cluster: Cluster, admin: Admin, patience: float, healthy: bool
) -> None:
    """Wait for all OSDs up, all PGs active+clean, and HEALTH_OK if asked."""
    deadline = time.monotonic() + patience
    osds = len(cluster.settings.osds)
    shown = -1
    while True:
        status = admin.json('status')
        health = status['health']
        good = not healthy or health['status'] == 'HEALTH_OK'
        if clean(status, osds) and good and _told(admin):
            say('all PGs are active+clean, %s' % health['status'])
            return
        if status['osdmap']['num_up_osds'] != shown:
            shown = status['osdmap']['num_up_osds']
            say('%d of %d OSDs up' % (shown, osds))
        if healthy and 'MGR_MODULE_DEPENDENCY' in health['checks']:
            # Waiting does not help against this one.
            check = health['checks']['MGR_MODULE_DEPENDENCY']
            raise ClusterError(
                "%s; 'exec ceph health detail' says which"
                % check['summary']['message'],
                errno.EIO,
            )
        if time.monotonic() > deadline:
            raise ClusterError(
                'not clean after %d s: %s; see exec ceph -s'
                % (patience, ', '.join(health['checks']) or 'PGs'),
                errno.ETIMEDOUT,
            )
        time.sleep(0.25)
