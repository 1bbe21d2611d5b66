"""Unpack .deb files into a root file system without maintainer scripts."""

from typing import Iterable, List

import concurrent.futures
import errno
import pathlib
import subprocess

from .messages import ClusterError, last_line

USR_LINKS = ('bin', 'sbin', 'lib', 'lib64')
# Nothing of this is needed to run a daemon; it is half of the files.
LEFT_OUT = ('doc', 'man', 'locale', 'info', 'lintian', 'bug', 'icons')


def make_usr_links(root: pathlib.Path) -> None:
    """Create the merged /usr layout, so that parallel tars agree on it."""
    for name in USR_LINKS:
        (root / 'usr' / name).mkdir(parents=True, exist_ok=True)
        link = root / name
        if not link.is_symlink():
            link.symlink_to('usr/' + name)


def unpack_one(
    deb: pathlib.Path, root: pathlib.Path, leave_out: Iterable[str]
) -> None:
    """Unpack one package; raise one line when dpkg-deb or tar fails."""
    excludes = ['--exclude=./usr/share/%s/*' % name for name in leave_out]
    excludes += ['--exclude=./%s' % name for name in USR_LINKS]
    reader = subprocess.Popen(
        ['dpkg-deb', '--fsys-tarfile', str(deb)], stdout=subprocess.PIPE
    )
    writer = subprocess.run(
        ['tar', 'x', '-C', str(root), '--keep-directory-symlink']
        + ['--no-same-owner', '--delay-directory-restore', '--warning=none']
        + excludes,
        stdin=reader.stdout,
        stderr=subprocess.PIPE,
        universal_newlines=True,
    )
    if reader.stdout:
        reader.stdout.close()
    if reader.wait() or writer.returncode:
        raise ClusterError(
            'unpacking %s failed: %s' % (deb.name, last_line(writer.stderr)),
            errno.EIO,
        )


def unpack(
    debs: List[pathlib.Path],
    root: pathlib.Path,
    leave_out: Iterable[str] = LEFT_OUT,
    jobs: int = 2,
) -> None:
    """Unpack packages in parallel, the biggest first."""
    make_usr_links(root)
    ordered = sorted(debs, key=lambda deb: -deb.stat().st_size)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tasks = [
            pool.submit(unpack_one, deb, root, leave_out) for deb in ordered
        ]
        for task in tasks:
            task.result()


def extract_file(
    deb: pathlib.Path, member: str, target: pathlib.Path
) -> None:
    """Write one executable file of a package to `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    reader = subprocess.Popen(
        ['dpkg-deb', '--fsys-tarfile', str(deb)], stdout=subprocess.PIPE
    )
    with open(target, 'wb') as out:
        done = subprocess.run(
            ['tar', 'xO', member], stdin=reader.stdout, stdout=out
        )
    if reader.stdout:
        reader.stdout.close()
    reader.wait()
    if done.returncode or not target.stat().st_size:
        raise ClusterError(
            '%s has no file %s' % (deb.name, member), errno.ENOENT
        )
    target.chmod(0o755)
