"""Build a release's root file systems in the cache folder, once."""

from typing import List

import concurrent.futures
import errno
import pathlib
import platform
import re
import shutil

from .archive import Apt
from .armroot import add_qemu, build_arm, build_shim, emulated_version
from .kept import Record, info, keep, made_of
from .messages import ClusterError, say
from .repair import repair_python
from .rootfs import build_native
from .settings import NATIVE_PACKAGES, Release, need_root

GIGABYTES = 2.5


def installed(cache: pathlib.Path, release: Release) -> pathlib.Path:
    """Return the folder of a fetched release; raise when it is not there."""
    folder = cache / release.name
    if not (folder / 'info.json').exists():
        raise ClusterError(
            "release '%s' is not in %s; run 'minicluster --release %s fetch'"
            % (release.name, cache, release.name),
            errno.ENOENT,
        )
    return folder


def wanted(release: Release) -> List[str]:
    """Return the packages that a release's folder is to be made of."""
    return sorted({*NATIVE_PACKAGES, *release.extra_packages})


def current(folder: pathlib.Path, release: Release) -> bool:
    """Say whether a folder is complete, and of what is wanted today."""
    return made_of(folder, wanted(release))


def fetch(cache: pathlib.Path, release: Release, again: bool) -> pathlib.Path:
    """Fetch a release unless it is there; return its folder."""
    need_root()
    if platform.machine() != 'x86_64':
        raise ClusterError(
            'this machine is %s; the mini cluster needs x86_64, because its '
            'arm64 OSDs are emulated on it' % platform.machine(),
            errno.ENOTSUP,
        )
    for tool in ('dpkg-deb', 'tar', 'apt-get', 'chroot'):
        if not shutil.which(tool):
            raise ClusterError(
                "no '%s' on this machine; the mini cluster needs Debian"
                % tool,
                errno.ENOENT,
            )
    target = cache / release.name

    def build(work: pathlib.Path, uri: str, suite: str) -> Record:
        return _build(work, release, uri, suite)

    keep(target, wanted(release), release.suites, GIGABYTES, build, again)
    return target


def _build(
    work: pathlib.Path, release: Release, uri: str, suite: str
) -> Record:
    out = work / 'out'
    native_root, arm_root = out / 'root', out / 'arm64'
    native_root.mkdir(parents=True)
    arm_root.mkdir(parents=True)
    amd64 = Apt(work / 'apt-amd64', uri, suite, 'amd64')
    arm64 = Apt(work / 'apt-arm64', uri, suite, 'arm64')
    say('reading the package lists of %s %s' % (uri, suite))

    def emulation() -> None:
        emulator = amd64.with_store('qemu').download(['qemu-user'])
        add_qemu(emulator, arm_root)
        build_shim(
            amd64.with_store('cross'),
            work / 'cross',
            arm_root / 'usr/lib/aarch64-linux-gnu',
        )

    def arm() -> List[str]:
        arm64.prepare()
        return build_arm(arm64, arm_root)

    def native() -> List[str]:
        names = build_native(amd64, native_root, release.extra_packages)
        if release.python_repair:
            repair_python(amd64, native_root, work / 'wheels')
        return names

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        arm_job = pool.submit(arm)
        amd64.prepare()
        native_job = pool.submit(native)
        emulation_job = pool.submit(emulation)
        names = {'amd64': native_job.result(), 'arm64': arm_job.result()}
        emulation_job.result()
    return {
        'release': release.name,
        'ceph': {a: package_version(n, 'ceph-osd') for a, n in names.items()},
        'python': package_version(names['amd64'], 'python3'),
        'emulated': emulated_version(arm_root),
        'packages': names,
    }


def package_version(debs: List[str], package: str) -> str:
    """Return the version of one package among .deb file names."""
    for name in debs:
        match = re.match(r'^%s_([^_]+)_' % re.escape(package), name)
        if match:
            return match.group(1).replace('%3a', ':')
    return 'none'


def summary(record: Record) -> str:
    """Return one line: suite and exact versions."""
    return 'Ceph %s (amd64) and %s (arm64), Python %s, of Debian %s' % (
        record['ceph']['amd64'],
        record['ceph']['arm64'],
        record['python'],
        record['suite'],
    )


def report(cache: pathlib.Path, release: Release) -> List[str]:
    """Return lines that say what is fetched, and what is not as expected."""
    record = info(installed(cache, release))
    lines = [
        '%s: %s; built in %.0f s'
        % (release.name, summary(record), record['seconds'])
    ]
    return lines + surprises(record, release)


def surprises(record: Record, release: Release) -> List[str]:
    """Return one line for each thing about the versions to know."""
    found: List[str] = []
    native, arm = record['ceph']['amd64'], record['ceph']['arm64']
    if not native.startswith('%d.' % release.major):
        found.append(
            'note: Debian %s no longer has Ceph %d.x but %s'
            % (record['suite'], release.major, native)
        )
    if native != arm:
        found.append(
            'note: amd64 has Ceph %s and arm64 %s: a cluster of mixed '
            'versions' % (native, arm)
        )
    return found
