"""The command line of the mini cluster."""

from typing import Optional, Sequence

import argparse
import pathlib
import signal

from . import (
    bringup,
    daemons,
    fetch,
    gateways,
    mgrs,
    namespaces,
    settings,
    sources,
    status,
    teardown,
    topology,
    upgrade,
)
from .admin import Admin
from .enter import become
from .messages import ClusterError, say
from .state import Cluster, Settings
from .words import command_of, in_one_line


def parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    top = argparse.ArgumentParser(
        prog='minicluster', description='A real Ceph cluster on one machine.'
    )
    top.add_argument(
        '--dir', default=str(settings.DEFAULT_DIR), help='cluster folder'
    )
    top.add_argument('--release', default='tentacle', help='tentacle or reef')
    top.add_argument(
        '--cache', default='', help='folder of the fetched files'
    )
    verbs = top.add_subparsers(dest='verb', metavar='VERB', required=True)

    one = verbs.add_parser('fetch', help='build the root file systems')
    one.add_argument('--again', action='store_true', help='build anew')

    _add_up(verbs.add_parser('up', help='create and start a cluster'))

    verbs.add_parser(
        'upgrade', help='stop all, start it on the newer --release'
    )
    verbs.add_parser('down', help='remove the cluster and all it has')
    one = verbs.add_parser('status', help='show daemons and addresses')
    one.add_argument('--json', action='store_true')

    one = verbs.add_parser('exec', help='run a tool inside the cluster')
    one.add_argument('--host', default='', help='on this storage host')
    one.add_argument('command', nargs=argparse.REMAINDER)

    one = verbs.add_parser('logs', help='show log files')
    one.add_argument('daemon', nargs='?', default='', help='such as osd.0')
    one.add_argument('-n', type=int, default=40, help='lines (default 40)')

    one = verbs.add_parser('osd', help='stop, kill, start, freeze or thaw')
    one.add_argument(
        'action', choices=['stop', 'kill', 'start', 'freeze', 'thaw']
    )
    one.add_argument('id', type=int)

    one = verbs.add_parser('mon', help='stop, kill or start a mon')
    one.add_argument('action', choices=['stop', 'kill', 'start'])
    one.add_argument('name', help='such as b')

    one = verbs.add_parser('mgr', help='add, kill, start or fail a mgr')
    one.add_argument('action', choices=['add', 'kill', 'start', 'fail'])
    one.add_argument('name', nargs='?', default='')

    one = verbs.add_parser('rgw', help='start or stop a gateway')
    one.add_argument('action', choices=['start', 'stop', 'place', 'displace'])
    one.add_argument('name', nargs='?', default='a')
    one.add_argument('--host', default='', help='on this native host')
    one.add_argument('--port', type=int, default=0, help='place: listen here')
    one.add_argument('--frontend', default='', help='its further options')

    one = verbs.add_parser('wait', help='wait until all PGs are clean')
    one.add_argument('--healthy', action='store_true', help='and HEALTH_OK')
    one.add_argument('seconds', type=int, nargs='?', default=120)
    return top


def _add_up(up: argparse.ArgumentParser) -> None:
    checkout = settings.CHECKOUT
    up.add_argument(
        '--hosts',
        nargs='+',
        default=[],
        metavar='HOST:CLASS[:OSDS[:native|emulated]]',
        help='class arm is emulated unless said otherwise (default: %s)'
        % ' '.join(topology.DEFAULT_HOSTS),
    )
    up.add_argument(
        '--no-arm',
        action='store_true',
        help='no emulation (default hosts: %s)'
        % ' '.join(topology.NATIVE_HOSTS),
    )
    up.add_argument('--osds-per-host', type=int)
    up.add_argument('--osd-size', default='10G', help='sparse file per OSD')
    up.add_argument('--mons', type=int, default=1, choices=[1, 3, 5])
    up.add_argument('--mgrs', type=int, default=1, choices=[1, 2, 3])
    up.add_argument('--net', default='lo', choices=['lo', 'ns'])
    up.add_argument('--dashboard', action='store_true')
    up.add_argument('--exporters', action='store_true')
    up.add_argument(
        '--disks',
        default='file',
        choices=['file', 'loop'],
        help='what an OSD has: a file, or a loop device with its own counters',
    )
    up.add_argument(
        '--db-size',
        default='',
        help='its metadata on a second loop device of this size',
    )
    up.add_argument(
        '--client-iops',
        type=int,
        default=0,
        help='operations of clients that mClock lets each OSD do in a second '
        '(1 to %d; default: no limit)' % settings.CAPACITY,
    )
    up.add_argument('--without-numpy', action='store_true')
    up.add_argument(
        '--enabled',
        action='store_true',
        help='the module is enabled before the first mgr starts',
    )
    up.add_argument(
        '--ceph-orchestrator',
        action='store_true',
        help="test_orchestrator is Ceph's own, which does nothing",
    )
    up.add_argument(
        '--module', default=str(checkout / 'src/pybind/mgr/perfcompare')
    )
    up.add_argument(
        '--controller',
        default=str(checkout / 'dashboard-plugin/controller/perfcompare.py'),
    )
    up.add_argument('--ui', default=str(checkout / 'dashboard-plugin/dist'))
    up.add_argument(
        '--programs',
        default='',
        metavar='FOLDER',
        help='files of it are programs that all in the cluster can find',
    )


def _programs(text: str) -> pathlib.Path:
    """Return the folder of further programs."""
    found = settings.clean_path(text, 'folder of programs')
    if not found.is_dir():
        raise ClusterError("--programs: '%s' is no folder" % found)
    return found


def _up(cluster: Cluster, args: argparse.Namespace) -> int:
    release = settings.release_named(args.release)
    hosts = topology.parse_hosts(args.hosts, args.osds_per_host, args.no_arm)
    size = topology.parse_size(args.osd_size)
    db_size = topology.parse_size(args.db_size) if args.db_size else 0
    if db_size and args.disks != 'loop':
        raise ClusterError('--db-size needs --disks loop')
    if not 0 <= args.client_iops <= settings.CAPACITY:
        raise ClusterError(
            "--client-iops: '%d' is not within 1 … %d"
            % (args.client_iops, settings.CAPACITY)
        )
    programs = str(_programs(args.programs)) if args.programs else ''
    settings.need_root()
    cache = settings.cache_folder(args.cache)
    roots = fetch.fetch(cache, release, False)
    for line in fetch.report(cache, release):
        say(line)
    osds = len(topology.osds_of(hosts))
    settings.need_space(cluster.dir, 1 + 0.5 * osds, 'a cluster')
    chosen = Settings(
        token='',
        release=release.name,
        roots=str(roots),
        number=0,
        net=args.net,
        hosts=hosts,
        module=str(pathlib.Path(args.module).resolve()),
        controller=str(pathlib.Path(args.controller).resolve()),
        ui=str(pathlib.Path(args.ui).resolve()),
        dashboard=args.dashboard,
        numpy=not args.without_numpy,
        exporters=args.exporters,
        disks=args.disks,
        db_size=db_size,
        mini_orchestrator=not args.ceph_orchestrator,
        osd_size=size,
        programs=programs,
        mons=args.mons,
        client_iops=args.client_iops,
        enabled=args.enabled,
    )
    bringup.up(cluster, chosen, args.mgrs)
    print(status.text(cluster))
    return 0


def _upgrade(cluster: Cluster, args: argparse.Namespace) -> int:
    release = settings.release_named(args.release)
    roots = fetch.fetch(settings.cache_folder(args.cache), release, False)
    with cluster.lock():
        upgrade.upgrade(cluster, release, roots)
    print(status.text(cluster))
    return 0


def _exec(cluster: Cluster, args: argparse.Namespace) -> int:
    command = command_of(args.command)
    root = namespaces.root_of(cluster)
    if root:
        sources.copy_controller(cluster, root)
    return become(cluster, args.host, command)


def _osd(cluster: Cluster, args: argparse.Namespace) -> int:
    osd = daemons.find_osd(cluster, args.id)
    name = 'osd.%d' % osd.id
    if args.action == 'start':
        daemons.refuse_running(cluster, name)
        daemons.start_osd(cluster, osd)
    elif args.action in ('freeze', 'thaw'):
        freeze = args.action == 'freeze'
        daemons.signal_one(
            cluster, name, signal.SIGSTOP if freeze else signal.SIGCONT
        )
    else:
        stop = args.action == 'stop'
        daemons.end(cluster, name, signal.SIGTERM if stop else signal.SIGKILL)
    return 0


def _mon(cluster: Cluster, args: argparse.Namespace) -> int:
    name = daemons.find_mon(cluster, args.name)
    if args.action == 'start':
        daemons.refuse_running(cluster, name)
        daemons.start_mon(cluster, args.name)
    else:
        stop = args.action == 'stop'
        daemons.end(cluster, name, signal.SIGTERM if stop else signal.SIGKILL)
    return 0


def _mgr(cluster: Cluster, args: argparse.Namespace) -> int:
    if args.action == 'start':
        if not args.name:
            raise ClusterError("start which mgr? For example 'mgr start x'")
        mgrs.start(cluster, args.name)
    elif args.action == 'add':
        print(mgrs.add(cluster, args.name))
    elif args.action == 'kill' and args.name:
        print(mgrs.kill(cluster, args.name))
    else:
        with Admin(cluster) as admin:
            if args.action == 'kill':
                print(mgrs.kill(cluster, mgrs.active(admin)))
            else:
                print(mgrs.fail(cluster, admin, args.name))
    return 0


def run(args: argparse.Namespace) -> int:
    """Run one verb; return the exit code."""
    cluster = Cluster(settings.clean_path(args.dir, 'cluster folder'))
    if args.verb == 'fetch':
        release = settings.release_named(args.release)
        cache = settings.cache_folder(args.cache)
        fetch.fetch(cache, release, args.again)
        print('\n'.join(fetch.report(cache, release)))
        return 0
    if args.verb == 'up':
        return _up(cluster, args)
    settings.need_root()
    if args.verb == 'down':
        if not teardown.down(cluster):
            say('no cluster in %s' % cluster.dir)
        return 0
    if args.verb == 'upgrade':
        return _upgrade(cluster, args)
    if args.verb == 'exec':
        return _exec(cluster, args)
    if args.verb == 'osd':
        with cluster.lock():
            return _osd(cluster, args)
    if args.verb == 'mon':
        with cluster.lock():
            return _mon(cluster, args)
    if args.verb == 'mgr':
        with cluster.lock():
            return _mgr(cluster, args)
    if args.verb == 'rgw':
        with cluster.lock():
            if args.action == 'start':
                print(
                    gateways.start(
                        cluster, args.name, args.host, args.frontend
                    )
                )
            elif args.action == 'place':
                gateways.place(
                    cluster, args.name, args.host, args.port, args.frontend
                )
            elif args.action == 'displace':
                gateways.displace(cluster, args.name)
            else:
                gateways.stop(cluster, args.name)
        return 0
    if args.verb == 'wait':
        with Admin(cluster) as admin:
            bringup.wait_clean(cluster, admin, args.seconds, args.healthy)
        return 0
    if args.verb == 'status':
        print(status.as_json(cluster) if args.json else status.text(cluster))
        return 0
    if args.verb == 'logs':
        print(status.logs(cluster, args.daemon, args.n))
        return 0
    raise ClusterError("verb '%s' is not known" % args.verb)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the program; return its exit code."""
    args = parser().parse_args(argv)
    return in_one_line('minicluster', lambda: run(args))
