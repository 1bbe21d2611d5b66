"""One root file system: the disk of the hosts, and the image of the daemons.

It is made of Debian packages without their maintainer scripts, as that of the
mini cluster, so what those would have done for cephadm is done here.
"""

from typing import Dict, List

import os
import pathlib

from cluster.archive import Apt
from cluster.fetch import package_version
from cluster.kept import Record, keep
from cluster.messages import say
from cluster.rootfs import compile_python, finish, run_in
from cluster.settings import NATIVE_PACKAGES, RELEASES
from cluster.unpack import unpack

from . import image

RELEASE = RELEASES['tentacle']
GIGABYTES = 4.0
PACKAGES = sorted(
    {
        *NATIVE_PACKAGES,
        *(
            'ceph-mgr-cephadm ceph-volume cephadm lvm2 gdisk python3-routes '
            'systemd-sysv dbus openssh-server podman crun catatonit kmod '
            'tar gzip passwd login mount'
        ).split(),
    }
)
CEPH = 64045  # the user of Ceph's daemons in Debian
# Debian's interpreter inside ceph-mgr does not know its own path, without
# which cephadm's module often fails to load.
SITE = '''
import sys

if not sys.executable:
    import multiprocessing.spawn

    multiprocessing.spawn.set_executable('/usr/bin/python3')
'''


def fetch(cache: pathlib.Path) -> pathlib.Path:
    """Build root and image in the cache, once; return their folder."""
    target = cache / ('cephadm-' + RELEASE.name)
    keep(target, PACKAGES, RELEASE.suites, GIGABYTES, _build)
    return target


def _build(work: pathlib.Path, uri: str, suite: str) -> Record:
    out = work / 'out'
    root = out / 'root'
    root.mkdir()
    apt = Apt(work / 'apt', uri, suite, 'amd64')
    say('reading the package lists of %s %s' % (uri, suite))
    apt.prepare()
    debs = apt.install_files(PACKAGES)
    say('unpacking %d packages' % len(debs))
    unpack(debs, root)
    finish(root)
    _add_users(root)
    _link_programs(root)
    _mend_python(root)
    compile_python(root)
    names = [deb.name for deb in debs]
    version = upstream(package_version(names, 'ceph-mgr'))
    say('making the image of Ceph %s' % version)
    store = out / 'images'
    store.mkdir()
    tag = image.build(root, store, version)
    return {'ceph': version, 'image': tag, 'packages': names}


def upstream(version: str) -> str:
    """Return Ceph's own version of that of a package."""
    return version.rpartition(':')[2].partition('+')[0].partition('-')[0]


def _add_users(root: pathlib.Path) -> None:
    users: Dict[str, List[str]] = {
        'etc/passwd': ['ceph:x:%d:%d:Ceph:/var/lib/ceph:/usr/sbin/nologin'],
        'etc/group': ['ceph:x:%d:'],
    }
    for name, lines in users.items():
        with open(root / name, 'a', encoding='utf-8') as out:
            for line in lines:
                ids = (CEPH,) * line.count('%d')
                out.write(line % ids + '\n')
    run_in(root, ['/usr/bin/systemd-sysusers'])
    for name in ('var/lib/ceph', 'var/log/ceph'):
        for folder, _, _ in os.walk(str(root / name)):
            os.chown(folder, CEPH, CEPH)


def _link_programs(root: pathlib.Path) -> None:
    # an alternative, which cephadm looks for programs with
    (root / 'usr/bin/which').symlink_to('which.debianutils')


def _mend_python(root: pathlib.Path) -> None:
    for place in root.glob('etc/python3.*/sitecustomize.py'):
        place.write_text(SITE, encoding='utf-8')
