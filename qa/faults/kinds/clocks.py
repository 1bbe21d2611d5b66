"""The clock of the load host steps, for the processes of a run alone."""

from typing import List

import pathlib
import shutil
import struct
import subprocess
import time

from cluster import daemons, launch, sources
from cluster.messages import ClusterError

from ..fault import Fault, Scene, fault, needs
from ..lab import Lab

SOURCE = pathlib.Path(__file__).with_name('stepclock.c')
HOUR = 3600
# what a run starts on the mgr's host
PROGRAMS = ('python3', 'rados')


def folder_of(lab: Lab) -> pathlib.Path:
    """Return where the clock and its programs are, in the cluster too."""
    return lab.dir / 'tmp' / 'clock'


def library_of(lab: Lab) -> pathlib.Path:
    """Build the clock; return what programs preload to go by it."""
    folder = folder_of(lab)
    library = folder / 'stepclock.so'
    if shutil.which('gcc') is None:
        raise ClusterError('gcc is needed to step a clock; install it')
    words = ['gcc', '-O2', '-shared', '-fPIC']
    words += ['-DSTEPCLOCK="%s"' % (folder / 'offset')]
    words += ['-o', str(library), str(SOURCE)]
    subprocess.run(words, check=True)
    return library


def wrap(lab: Lab) -> pathlib.Path:
    """Return a folder of programs that run by a clock in a file."""
    folder, library = folder_of(lab), library_of(lab)
    for name in PROGRAMS:
        program = folder / name
        program.write_text(
            '#!/bin/sh\n'
            'export LD_PRELOAD=%s\n'
            'exec /usr/bin/%s "$@"\n' % (library, name),
            encoding='utf-8',
        )
        program.chmod(0o755)
    return folder


def set_clock(lab: Lab, seconds: int) -> None:
    """Step to so many seconds from the machine's time."""
    path = folder_of(lab) / 'offset'
    path.parent.mkdir(exist_ok=True)
    # in place: it is mapped
    with open(path, 'r+b' if path.exists() else 'wb') as file:
        file.write(struct.pack('=q', seconds))


def restart_mgrs(lab: Lab, folder: str) -> None:
    """Start managers anew, whose children find programs in `folder`."""
    for name in ('x', 'y'):
        if lab.pid('mgr.' + name) is not None:
            lab.kill('mgr.' + name)
    for name in ('x', 'y'):
        if not folder:
            daemons.start_mgr(lab.cluster, name)
            continue
        sources.refresh(lab.cluster)
        argv: List[str] = ['env', 'PATH=%s:/usr/bin:/bin' % folder]
        argv += ['/usr/bin/ceph-mgr', '-f', '-i', name]
        argv += ['-c', str(lab.cluster.conf)]
        launch.start(lab.cluster, 'mgr.' + name, '', argv)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        dump = lab.see('mgr dump')
        if dump['available'] and dump['standbys'] and lab.status():
            return
        time.sleep(0.5)
    raise ClusterError('no mgr with this clock')


class _Step(Fault):
    """Step the clock of what a run has on its load host."""

    needs = needs('worker')
    offset = 0
    outcomes = {'completed': '', 'failed': '.', 'aborted': '.'}

    def ready(self, scene: Scene) -> None:
        """Start managers whose children go by the clock in a file."""
        set_clock(scene.lab, 0)
        restart_mgrs(scene.lab, str(wrap(scene.lab)))

    def inject(self, scene: Scene) -> None:
        """Step."""
        set_clock(scene.lab, self.offset)

    def mend(self, scene: Scene) -> None:
        """Step back; start managers as they were."""
        set_clock(scene.lab, 0)
        restart_mgrs(scene.lab, '')


@fault
class ClockForward(_Step):
    """It steps one hour on."""

    name = 'clock-forward'
    offset = HOUR


@fault
class ClockBack(_Step):
    """It steps one hour back."""

    name = 'clock-back'
    offset = -HOUR
