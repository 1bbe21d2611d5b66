"""The command line of a cluster that cephadm manages."""

from typing import Optional, Sequence

import argparse
import pathlib

from cluster import claims, settings, teardown
from cluster.kept import info
from cluster.messages import say
from cluster.words import command_of, in_one_line

from . import bootstrap, disks, hosts, machine, network
from .enter import become
from .rootfs import fetch
from .state import HOSTS, Managed

DEFAULT_DIR = '/var/tmp/perfcompare-cephadm'
GIGABYTES = 4.0


def parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    top = argparse.ArgumentParser(
        prog='cephadm',
        description='A Ceph cluster that the real cephadm manages, of two '
        'hosts with systemd and podman, on one machine.',
    )
    top.add_argument('--dir', default=DEFAULT_DIR, help='cluster folder')
    top.add_argument(
        '--cache', default='', help='folder of the fetched files'
    )
    verbs = top.add_subparsers(dest='verb', metavar='VERB', required=True)
    verbs.add_parser('fetch', help='build root file system and image')
    verbs.add_parser('up', help='create and start a cluster')
    verbs.add_parser('down', help='remove the cluster and all it has')
    one = verbs.add_parser('exec', help='run a command on a host')
    one.add_argument(
        '--host', default='', help='on this one (default: %s)' % HOSTS[0].name
    )
    one.add_argument('command', nargs=argparse.REMAINDER)
    return top


def _up(cluster: Managed, cache: pathlib.Path) -> None:
    machine.check()
    roots = fetch(cache)
    settings.need_space(cluster.dir, GIGABYTES, 'a cluster')
    token = cluster.create()
    with cluster.lock():
        cluster.keep(roots)
        claims.claim(cluster.dir, token)
        for host in HOSTS:
            hosts.prepare(cluster, host)
        disks.attach(cluster)
        network.start_switch(cluster)
        for host in HOSTS:
            hosts.boot(cluster, host, roots)
        network.connect(cluster, roots / 'root')
        hosts.wait_booted(cluster)
        bootstrap.bootstrap(cluster, info(roots)['image'])
        bootstrap.add_hosts(cluster)
        bootstrap.add_osds(cluster)
        bootstrap.wait_healthy(cluster)


def run(args: argparse.Namespace) -> int:
    """Run one verb; return the exit code."""
    cluster = Managed(settings.clean_path(args.dir, 'cluster folder'))
    if args.verb == 'fetch':
        machine.check()
        fetch(settings.cache_folder(args.cache))
    elif args.verb == 'up':
        _up(cluster, settings.cache_folder(args.cache))
    elif args.verb == 'down':
        settings.need_root()
        if not teardown.down(cluster):
            say('no cluster in %s' % cluster.dir)
    else:
        settings.need_root()
        return become(cluster, args.host, command_of(args.command))
    return 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the program; return its exit code."""
    args = parser().parse_args(argv)
    return in_one_line('cephadm', lambda: run(args))
