"""The Debian packages: built, and given to the dpkg of a root."""

from typing import List

import pathlib
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
NAMES = (
    'ceph-mgr-perfcompare',
    'ceph-mgr-perfcompare-dashboard',
    'perfcompare-load-agent',
)
# the cluster's Ceph was unpacked from these, which dpkg was not told
CEPH = (
    'ceph-common', 'ceph-mgr', 'ceph-mgr-dashboard', 'python3',
    'python3-rados',
)  # fmt: skip
STATUS = """\
Package: %s
Status: install ok installed
Maintainer: nobody <nobody@localhost>
Architecture: all
Version: 20.2.4
Description: a part of Ceph that is here
"""


def build(version: str, to: pathlib.Path) -> None:
    """Build all packages of a version into a folder."""
    words = ['deb', '--version', version, '--output', str(to)]
    subprocess.run([str(TOP / 'packaging/build'), *words], check=True)


def of(folder: pathlib.Path) -> List[str]:
    """Return the files of all packages in a folder."""
    return sorted(map(str, folder.glob('*.deb')))


def know_of_ceph(root: pathlib.Path) -> None:
    """Tell the dpkg of a root of the Ceph that is there."""
    database = root / 'var/lib/dpkg'
    (database / 'triggers').mkdir(exist_ok=True)
    told = '\n'.join(STATUS % name for name in CEPH)
    (database / 'status').write_text(told, 'utf-8')


def dpkg(root: pathlib.Path, *words: str) -> None:
    """Do something by dpkg in a root, which may have no tar."""
    given = ['dpkg', '--root', str(root), '--log', '/dev/null']
    given += ['--force-script-chrootless', *words]
    subprocess.run(given, check=True)
