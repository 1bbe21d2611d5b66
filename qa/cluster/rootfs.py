"""Build the native root file system of a release from Debian packages."""

from typing import List, Sequence

import errno
import os
import pathlib
import shutil
import stat
import subprocess

from .archive import Apt, ArchiveError
from .messages import ClusterError, last_line, say
from .settings import NATIVE_PACKAGES
from .unpack import unpack

FOLDERS = (
    'proc sys dev tmp run root opt var/lib/ceph var/log/ceph var/run '
    'etc/ceph mnt'
).split()
NEEDED = frozenset(
    'ceph-mon ceph-mgr ceph-mgr-dashboard ceph-osd radosgw'.split()
)
DEVICES = {'null': (1, 3), 'zero': (1, 5), 'urandom': (1, 9)}


def build_native(
    apt: Apt, root: pathlib.Path, extra: Sequence[str]
) -> List[str]:
    """Build `root`; return the .deb names it consists of."""
    packages = apt.existing(NATIVE_PACKAGES + list(extra))
    missing = NEEDED - set(packages)
    if missing:  # another suite may have them
        raise ArchiveError(
            '%s has no %s today' % (apt.suite, ', '.join(sorted(missing)))
        )
    debs = apt.install_files(packages)
    say('native root: unpacking %d packages' % len(debs))
    unpack(debs, root)
    finish(root)
    say('native root: compiling Python files')
    compile_python(root)
    return [deb.name for deb in debs]


def prepare_chroot(root: pathlib.Path) -> None:
    """Make what any chroot needs that no package ships."""
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / 'tmp').chmod(0o1777)
    for name, (major, minor) in DEVICES.items():
        node = root / 'dev' / name
        if not node.exists():
            os.mknod(
                str(node), 0o666 | stat.S_IFCHR, os.makedev(major, minor)
            )
    run_in(root, ['/sbin/ldconfig'])


def finish(root: pathlib.Path) -> None:
    """Do the few things that maintainer scripts would have done."""
    prepare_chroot(root)
    copies = {
        'usr/share/base-passwd/passwd.master': 'etc/passwd',
        'usr/share/base-passwd/group.master': 'etc/group',
        'usr/share/libc-bin/nsswitch.conf': 'etc/nsswitch.conf',
    }
    for source, target in copies.items():
        if (root / source).exists() and not (root / target).exists():
            shutil.copyfile(str(root / source), str(root / target))
    # python3-requests does not load without a bundle of certificates.
    bundle = root / 'etc/ssl/certs/ca-certificates.crt'
    bundle.parent.mkdir(parents=True, exist_ok=True)
    with open(bundle, 'wb') as out:
        for path in sorted(root.glob('usr/share/ca-certificates/*/*.crt')):
            out.write(path.read_bytes())
    for link, target in {'awk': 'mawk', 'sh': 'dash'}.items():
        path = root / 'usr/bin' / link
        if not path.is_symlink() and not path.exists():
            path.symlink_to(target)
    # numpy does not load without these, which no maintainer script linked
    for name in ('blas', 'lapack'):
        for found in root.glob('usr/lib/*/%s/lib%s.so.3' % (name, name)):
            path = found.parents[1] / found.name
            if not path.is_symlink() and not path.exists():
                path.symlink_to('%s/%s' % (name, found.name))


def compile_python(root: pathlib.Path) -> None:
    """Write byte code, else every start of the mgr compiles all modules."""
    library = sorted((root / 'usr/lib').glob('python3.*'))
    trees = ['/usr/share/ceph/mgr', '/usr/lib/python3/dist-packages']
    trees += ['/usr/lib/' + path.name for path in library]
    argv = ['/usr/bin/python3', '-m', 'compileall', '-qq', '-x', '/tests?/']
    jobs = [
        subprocess.Popen(
            ['chroot', str(root)] + argv + part,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={'PATH': '/usr/sbin:/usr/bin', 'LC_ALL': 'C.UTF-8'},
        )
        for part in (trees[:1], trees[1:])
    ]
    # The result is only speed, and some packages ship files that no
    # longer compile: the exit code says nothing of use.
    for job in jobs:
        job.wait()


def run_in(root: pathlib.Path, argv: List[str]) -> str:
    """Run a command by chroot; return its output, raise if it fails."""
    done = subprocess.run(
        ['chroot', str(root)] + argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        env={
            'PATH': '/usr/sbin:/usr/bin:/sbin:/bin',
            'LC_ALL': 'C.UTF-8',
        },
    )
    if done.returncode:
        raise ClusterError(
            '%s in %s failed: %s'
            % (argv[0], root, last_line(done.stderr + done.stdout)),
            errno.EIO,
        )
    return done.stdout
