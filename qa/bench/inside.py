"""The Python that a worker of a manager runs on, outside of any cluster.

That of the machine may be another one, with another OpenSSL, and may be
built without optimization: its CPU time says little of what users see.

Usage: inside.py ROOT ARG…   become the Python of a root
"""

import os
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from cluster.fetch import installed  # noqa: E402
from cluster.namespaces import (  # noqa: E402
    CLONE_NEWNS,
    MS_BIND,
    MS_PRIVATE,
    MS_REC,
    mount,
    unshare,
)
from cluster.settings import cache_folder, release_named  # noqa: E402

PYTHON = '/usr/bin/python3'
LAYER = '/mnt'  # hidden by it in this process's namespace only


def python(folder: str, release: str = 'tentacle') -> str:
    """Return a program, written to a folder, that is a release's Python."""
    root = installed(cache_folder(), release_named(release)) / 'root'
    path = pathlib.Path(folder) / 'python3'
    words = [sys.executable, os.path.abspath(__file__), str(root)]
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', 'utf-8')
    path.chmod(0o755)
    return str(path)


def enter(lower: str) -> None:
    """Have a root as this process's own, the work folder in it.

    The root is not changed: it lies below a layer in memory, with the
    machine's /proc, /sys, /dev, /tmp and /var/tmp.
    """
    here = os.getcwd()
    unshare(CLONE_NEWNS)
    mount('none', '/', flags=MS_REC | MS_PRIVATE)
    mount('tmpfs', LAYER, 'tmpfs', data='mode=755')
    for name in ('upper', 'work', 'root'):
        os.mkdir(f'{LAYER}/{name}')
    root = f'{LAYER}/root'
    layers = f'lowerdir={lower},upperdir={LAYER}/upper,workdir={LAYER}/work'
    mount('overlay', root, 'overlay', data=layers)
    for folder in ('/proc', '/sys', '/dev', '/tmp', '/var/tmp', here):
        os.makedirs(root + folder, exist_ok=True)
        mount(folder, root + folder, flags=MS_BIND | MS_REC)
    os.chroot(root)
    os.chdir(here)


if __name__ == '__main__':
    enter(sys.argv[1])
    os.execv(PYTHON, [PYTHON] + sys.argv[2:])
