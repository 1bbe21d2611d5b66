"""Build what an emulated OSD needs: arm64 files, qemu and the aio shim."""

from typing import Dict, List, Sequence

import pathlib
import re
import shutil

from .archive import Apt, dependency_names
from .messages import say
from .rootfs import prepare_chroot, run_in
from .settings import ARM_PACKAGES, QEMU_CPU, SHIM
from .unpack import LEFT_OUT, extract_file, make_usr_links, unpack

CROSS_PACKAGES = [
    'gcc-aarch64-linux-gnu',
    'libc6-dev-arm64-cross',
    'libc-bin',
]
_LIBRARY = re.compile(r'^(lib.*|zlib1g)$')
_NO_LIBRARY = re.compile(r'-(dev|doc|data|l10n|bin|runtime)$')


def library_closure(
    records: Dict[str, Dict[str, str]], start: Sequence[str]
) -> List[str]:
    """Return `start` and the libraries they need, directly or not.

    `records` are the control fields of the full closure. Only shared
    libraries are followed: a daemon that is started by hand needs neither
    init system, nor Python, nor what those two pull in.
    """
    provides: Dict[str, List[str]] = {}
    for name, fields in records.items():
        for group in dependency_names(fields.get('Provides', '')):
            for virtual in group:
                provides.setdefault(virtual, []).append(name)
    kept: List[str] = []
    todo = [name for name in start if name in records]
    while todo:
        name = todo.pop()
        if name in kept:
            continue
        kept.append(name)
        fields = records[name]
        wanted = dependency_names(fields.get('Depends', ''))
        wanted += dependency_names(fields.get('Pre-Depends', ''))
        for group in wanted:
            for option in group:
                for real in [option] + provides.get(option, []):
                    if real in records and _is_library(real):
                        todo.append(real)
    return sorted(kept)


def _is_library(name: str) -> bool:
    return bool(_LIBRARY.match(name)) and not _NO_LIBRARY.search(name)


def build_arm(apt: Apt, root: pathlib.Path) -> List[str]:
    """Unpack the arm64 files into `root`; return the .deb names."""
    everything = apt.closure(list(ARM_PACKAGES))
    names = library_closure(apt.records(everything), ARM_PACKAGES)
    names.append('prometheus-node-exporter')
    debs = apt.download(names)
    say('arm64 root: unpacking %d packages' % len(debs))
    unpack(debs, root, LEFT_OUT + ('bash-completion', 'zsh', 'systemd'))
    # The emulator reads libraries by path; the loader's cache is a bonus
    # that only an arm64 ldconfig could write.
    return [deb.name for deb in debs]


def add_qemu(debs: List[pathlib.Path], root: pathlib.Path) -> None:
    """Take the one static emulator out of its package."""
    package = next(d for d in debs if d.name.startswith('qemu-user_'))
    extract_file(package, './usr/bin/qemu-aarch64', root / 'qemu-aarch64')


def build_shim(apt: Apt, folder: pathlib.Path, target: pathlib.Path) -> None:
    """Compile the aio shim for arm64 with a compiler in a throw-away root.

    The compiler is unpacked, not installed: the machine stays as it is.
    """
    debs = apt.install_files(CROSS_PACKAGES)
    unpack(debs, folder)
    prepare_chroot(folder)
    source = pathlib.Path(__file__).with_name('aioshim.c')
    shutil.copyfile(str(source), str(folder / 'tmp/aioshim.c'))
    compiler = sorted((folder / 'usr/bin').glob('aarch64-linux-gnu-gcc*'))[0]
    run_in(
        folder,
        ['/usr/bin/' + compiler.name, '-O2', '-Wall', '-Wextra', '-fPIC']
        + ['-shared', '-o', '/tmp/' + SHIM, '/tmp/aioshim.c', '-lpthread'],
    )
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(str(folder / 'tmp' / SHIM), str(target / SHIM))


def emulated_version(root: pathlib.Path) -> str:
    """Run the emulated ceph-osd once; return what it says of itself."""
    make_usr_links(root)
    argv = [str(root / 'qemu-aarch64'), '-cpu', QEMU_CPU, '-L', str(root)]
    # Not by chroot: the emulator is static and maps paths itself.
    return run_in(
        pathlib.Path('/'),
        argv
        + ['-E', 'LD_PRELOAD=' + SHIM, str(root / 'usr/bin/ceph-osd')]
        + ['--version'],
    ).strip()
