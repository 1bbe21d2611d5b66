"""Bring the module's and the dashboard plugin's sources into the cluster.

Folders are bind-mounted read-only into the cluster's own namespace, so an
edit is seen by the next `mgr fail`. The dashboard's controller must be a
regular file and an editor replaces files on saving, so it is copied, by
every verb that starts or fails a mgr and by `exec`.

A start of the mgr or of a worker compiles what it imports of the module, a
mgr all of it, unless byte code lies beside the sources: it is written there
once for each release's Python, before the mount is made read-only.
"""

import contextlib
import os
import pathlib
import subprocess
import sys

from . import namespaces
from .messages import ClusterError, say
from .settings import MODULES
from .state import Cluster

MODULE = MODULES + '/perfcompare'
UI = MODULES + '/perfcompare-ui'
# Ceph accepts a backend by its name only: ours takes the place of the dummy
ORCHESTRATOR = MODULES + '/test_orchestrator'
CONTROLLER = MODULES + '/dashboard/controllers/perfcompare.py'
PROGRAMS = '/usr/local/bin'  # in the path of all, and empty


def refresh(cluster: Cluster) -> None:
    """Mount the folders that exist now and copy the controller."""
    settings = cluster.settings
    root = namespaces.root_of(cluster)
    if root is None:
        return
    if pathlib.Path(settings.module).is_dir():
        _bind_once(cluster, root, settings.module, MODULE, compiled=True)
    else:
        say('no module sources in %s; going on without' % settings.module)
    if settings.mini_orchestrator:
        own = pathlib.Path(__file__).with_name('mini_orchestrator')
        _bind_once(cluster, root, str(own), ORCHESTRATOR)
    if pathlib.Path(settings.ui).is_dir():
        _bind_once(cluster, root, settings.ui, UI)
    if settings.programs:
        _bind_once(cluster, root, settings.programs, PROGRAMS)
    copy_controller(cluster, root)


def copy_controller(cluster: Cluster, root: pathlib.Path) -> None:
    """Copy the controller when it is new or changed."""
    source = pathlib.Path(cluster.settings.controller)
    target = root / CONTROLLER.lstrip('/')
    try:
        wanted = source.stat()
    except FileNotFoundError:
        return
    try:
        have = target.stat()
        same = (have.st_mtime_ns, have.st_size) == (
            wanted.st_mtime_ns,
            wanted.st_size,
        )
    except FileNotFoundError:
        same = False
    if not same and target.parent.is_dir():
        fresh = target.with_name('.perfcompare.new')
        fresh.write_bytes(source.read_bytes())
        os.utime(str(fresh), ns=(wanted.st_atime_ns, wanted.st_mtime_ns))
        os.replace(str(fresh), str(target))


def _bind_once(
    cluster: Cluster,
    root: pathlib.Path,
    source: str,
    target: str,
    compiled: bool = False,
) -> None:
    """Mount a folder unless that very folder is mounted there."""
    place = root / target.lstrip('/')
    if place.is_dir():
        if os.path.samestat(os.stat(str(place)), os.stat(source)):
            return
    bind_in_cell(cluster, source, target, compiled)


def bind_in_cell(
    cluster: Cluster, source: str, target: str, compiled: bool = False
) -> None:
    """Have a child enter the cluster's namespace and mount there."""
    child = os.fork()
    if child == 0:
        try:
            cell = cluster.process('cell')
            assert cell
            namespaces.join(cell.pid, 'mnt')
            full = str(cluster.root) + target
            os.makedirs(full, exist_ok=True)
            namespaces.bind(source, full)
            if compiled:
                compile_python(str(cluster.root), target)
            namespaces.seal(full)
            os._exit(0)
        except BaseException as error:  # nothing may return from a fork
            print('minicluster: %s' % error, file=sys.stderr, flush=True)
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if status:
        raise ClusterError('cannot mount %s as %s' % (source, target))


def compile_python(root: str, folder: str) -> None:
    """Write byte code of a folder in a root, as the owner of the folder.

    What is written already is kept. Where it cannot be written, all goes on
    as without it: it is only speed.
    """
    owner = os.stat(root + folder)

    def enter() -> None:
        os.chroot(root)
        os.chdir('/')
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)

    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            ['/usr/bin/python3', '-m', 'compileall', '-qq']
            + ['-x', '/tests/', folder],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={'PATH': '/usr/bin:/bin', 'LC_ALL': 'C.UTF-8'},
            preexec_fn=enter,
        )
