"""Where things lie, and what each release consists of."""

from typing import Dict, Tuple

import dataclasses
import errno
import os
import pathlib

from .messages import ClusterError

DEFAULT_DIR = pathlib.Path('/var/tmp/perfcompare-minicluster')
DEFAULT_CACHE = pathlib.Path('/var/cache/perfcompare')
CLAIMS = pathlib.Path('/run/perfcompare-minicluster')
CHECKOUT = pathlib.Path(__file__).resolve().parents[2]

# As seen inside the cluster's root file system.
ARM_ROOT = '/opt/arm64'
MODULES = '/usr/share/ceph/mgr'
TOKEN_FILE = '.minicluster'

# Of an OSD, as mClock takes it: operations in a second.
CAPACITY = 5000

# An emulated CPU that every supported qemu knows; /proc/cpuinfo shows it.
QEMU_CPU = 'neoverse-n1'
SHIM = 'libaioshim.so'

NATIVE_PACKAGES = (
    'base-files base-passwd bash dash coreutils util-linux hostname sed grep '
    'mawk findutils libc-bin netbase iproute2 procps python3 python3-numpy '
    'ceph-base ceph-common ceph-mon ceph-mgr ceph-mgr-dashboard ceph-osd '
    'radosgw libsqlite3-mod-ceph libqatzip3 prometheus-node-exporter fio '
    'ca-certificates'
).split()

# What an emulated OSD needs: these, and the libraries they depend on.
ARM_PACKAGES = ('ceph-osd', 'ceph-base', 'ceph-common')


@dataclasses.dataclass(frozen=True)
class Release:
    """One supported Ceph release and the Debian suites that carry it."""

    name: str
    major: int
    suites: Tuple[str, ...]
    extra_packages: Tuple[str, ...]
    python_repair: bool


RELEASES: Dict[str, Release] = {
    # forky is a moving suite; sid is the way out on a day it is broken.
    'tentacle': Release('tentacle', 20, ('forky', 'sid'), (), False),
    # The repaired pyOpenSSL wants six.
    'reef': Release('reef', 18, ('trixie',), ('python3-six',), True),
}


def release_named(name: str) -> Release:
    """Return the release; raise one line with the known names otherwise."""
    try:
        return RELEASES[name]
    except KeyError:
        raise ClusterError(
            "release '%s' is not known; use one of: %s"
            % (name, ', '.join(RELEASES))
        ) from None


def cache_folder(option: str = '') -> pathlib.Path:
    """Return the cache folder by option, environment or default."""
    text = option or os.environ.get('PERFCOMPARE_CACHE', '')
    return clean_path(text, 'cache folder') if text else DEFAULT_CACHE


def clean_path(text: str, what: str) -> pathlib.Path:
    """Return an absolute path; refuse characters that mount options eat."""
    path = pathlib.Path(os.path.abspath(text))
    if any(char in str(path) for char in ':,\\" \n'):
        raise ClusterError(
            "%s '%s' contains a colon, comma, quote, backslash or space; "
            'choose another name' % (what, path)
        )
    return path


def need_root() -> None:
    """Raise unless the program runs as root."""
    if os.geteuid() != 0:
        raise ClusterError(
            'this needs root (namespaces, mounts, chroot); use sudo',
            errno.EPERM,
        )


def need_space(folder: pathlib.Path, gigabytes: float, what: str) -> None:
    """Raise unless the file system of `folder` has that many GB free."""
    probe = folder
    while not probe.exists():
        probe = probe.parent
    stat = os.statvfs(str(probe))
    free = stat.f_bavail * stat.f_frsize / 1e9
    if free < gigabytes:
        raise ClusterError(
            '%s needs %.1f GB, only %.1f GB are free in %s; free some or '
            'choose another folder' % (what, gigabytes, free, probe),
            errno.ENOSPC,
        )
