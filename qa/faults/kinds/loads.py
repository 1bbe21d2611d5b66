"""What carries the load dies, or lacks memory or space."""

from typing import List

import contextlib
import os
import resource
import signal
import time

from cluster import namespaces
from integration import processes
from integration.waiting import wait_for

from ..fault import Fault, Scene, fault, needs


def workers(scene: Scene) -> List[int]:
    """Return the pids of workers."""
    found = processes.of_runs(scene.lab.live)
    return [pid for pid, line in found.items() if line.endswith(' worker')]


def kill_all(pids: List[int]) -> None:
    """Kill processes that may just have ended."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@fault
class WorkerKill(Fault):
    """The worker that leads a load is killed."""

    name = 'worker-kill'
    needs = needs('worker')
    outcomes = {'completed': '', 'failed': 'worker|killed'}

    def inject(self, scene: Scene) -> None:
        """Kill the first that appears."""
        kill_all(wait_for(lambda: workers(scene), 20, 'a worker', step=0.05))


@fault
class LoadKill(Fault):
    """A process of `rados bench`, `rbd bench` or fio is killed."""

    name = 'load-kill'
    needs = needs('load')
    outcomes = {'completed': '', 'failed': 'rados|fio|load|killed'}

    def inject(self, scene: Scene) -> None:
        """Kill the first that appears."""
        live = scene.lab.live
        kill_all(
            wait_for(lambda: processes.load_of(live), 20, 'a load', step=0.05)
        )


@fault
class GatewayKill(Fault):
    """A gateway of the run is killed."""

    name = 'gateway-kill'
    needs = needs('gateway')
    outcomes = {'completed': '', 'failed': 'gateway|connect'}

    def inject(self, scene: Scene) -> None:
        """Kill all that are there."""
        live = scene.lab.live
        kill_all(
            list(
                wait_for(lambda: processes.gateways_of(live), 20, 'a gateway')
            )
        )


@fault
class WorkerMemory(Fault):
    """The worker gets no more memory than it has."""

    name = 'worker-memory'
    needs = needs('worker')
    outcomes = {'completed': '', 'failed': '.'}

    def inject(self, scene: Scene) -> None:
        """Limit the address space of the worker and its children."""
        for pid in wait_for(lambda: workers(scene), 20, 'a worker'):
            self._limit(pid)
            for child in children_of(pid):
                self._limit(child)

    def _limit(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (1 << 20, 1 << 20))


def children_of(pid: int) -> List[int]:
    """Return the children of a process."""
    path = '/proc/%d/task/%d/children' % (pid, pid)
    try:
        with open(path, encoding='ascii') as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


@fault
class DiskFull(Fault):
    """The disk of the workspace is full from one moment on."""

    name = 'disk-full'
    outcomes = {'completed': '', 'failed': 'space'}
    SIZE = '4m'

    def _place(self, scene: Scene) -> str:
        return str(scene.lab.dir / 'tmp' / 'small')

    def ready(self, scene: Scene) -> None:
        """Give runs a small disk of their own."""
        place = self._place(scene)
        cell = scene.lab.cluster.process('cell')
        assert cell is not None
        os.makedirs(place, exist_ok=True)
        namespaces.within(cell.pid, lambda: namespaces.mount(
            'tmpfs', str(scene.lab.cluster.root) + place, 'tmpfs',
            data='size=' + self.SIZE,
        ))  # fmt: skip
        _option(scene, place)

    def inject(self, scene: Scene) -> None:
        """Fill it."""
        path = scene.lab.path(self._place(scene)) / 'filler'
        with contextlib.suppress(OSError), open(path, 'wb') as file:
            while True:
                file.write(b'\0' * 65536)
                file.flush()

    def mend(self, scene: Scene) -> None:
        """Take the disk away."""
        place = self._place(scene)
        with contextlib.suppress(FileNotFoundError):
            (scene.lab.path(place) / 'filler').unlink()
        cell = scene.lab.cluster.process('cell')
        assert cell is not None
        full = str(scene.lab.cluster.root) + place

        def gone() -> bool:
            try:
                namespaces.within(cell.pid, lambda: namespaces.unmount(full))
            except OSError:
                return False
            return True

        wait_for(gone, 30, 'nobody uses the small disk')
        _option(scene, '')
        os.rmdir(place)

    def verify(self, scene: Scene) -> List[str]:
        """The run must have taken its folder away."""
        left = [
            p.name
            for p in scene.lab.path(self._place(scene)).iterdir()
            if p.name != 'filler'
        ]
        return ['left on the full disk: %s' % ', '.join(left)] if left else []


def _option(scene: Scene, value: str) -> None:
    name = 'mgr/perfcompare/run_dir'
    scene.lab.tell('config set', who='mgr', name=name, value=value)
    if not value:
        time.sleep(0.5)  # a mgr does not hear of options that are removed
        scene.lab.tell('config rm', who='mgr', name=name)
