"""The image of all daemons, made of the hosts' own root file system."""

from typing import List

import errno
import os
import pathlib
import subprocess

from cluster import namespaces
from cluster.messages import ClusterError, last_line

STORE = '/images'  # where hosts have it, read-only
SCRIPT = '''
set -e
tar --create --one-file-system --directory /source . |
    podman --root "$1" --runroot /run/podman --storage-driver overlay \\
        --cgroup-manager cgroupfs --events-backend file import \\
        --change ENV=CEPH_VERSION="$2" \\
        --change ENV=CEPH_VOLUME_ALLOW_LOOP_DEVICES=true \\
        --change ENV=PATH="$PATH" \\
        --change LABEL=ceph=True \\
        --change LABEL=org.opencontainers.image.version="$2" - "$3"
'''


def build(root: pathlib.Path, store: pathlib.Path, version: str) -> str:
    """Import `root` into a store of podman's; return the image's name."""
    tag = 'localhost/ceph:' + version
    scratch = store.parent / 'scratch'
    scratch.mkdir()

    def enter() -> None:
        _mount(root, store, scratch)

    done = subprocess.run(
        ['sh', '-c', SCRIPT, 'import', STORE, version, tag],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        env={'PATH': namespaces.PATH, 'HOME': '/root', 'TMPDIR': '/tmp'},
        preexec_fn=enter,
    )
    scratch.rmdir()
    if done.returncode:
        raise ClusterError(
            'making the image failed: %s' % last_line(done.stderr),
            errno.EIO,
        )
    return tag


def _mount(
    root: pathlib.Path, store: pathlib.Path, scratch: pathlib.Path
) -> None:
    """Change into a copy of the root in which podman can work."""
    namespaces.unshare_mounts()
    place = str(scratch)
    namespaces.mount('tmpfs', place, 'tmpfs', data='mode=755,size=2g')
    folders: List[str] = [place + '/' + n for n in ('upper', 'work', 'root')]
    for folder in folders:
        os.mkdir(folder)
    inside = folders[2]
    namespaces.mount(
        'overlay',
        inside,
        'overlay',
        data='lowerdir=%s,upperdir=%s,workdir=%s' % (root, *folders[:2]),
    )
    namespaces.mount('proc', inside + '/proc', 'proc')
    os.mkdir(inside + '/dev/shm')
    namespaces.mount('tmpfs', inside + '/dev/shm', 'tmpfs')
    for source, name in ((root, '/source'), (store, STORE)):
        os.mkdir(inside + name)
        namespaces.bind(str(source), inside + name)
    os.chroot(inside)
    os.chdir('/')
