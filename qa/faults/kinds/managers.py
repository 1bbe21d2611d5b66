"""Managers that die, stand down, or lose the module."""

import signal
import subprocess
import time

from cluster import launch
from integration.waiting import wait_for

from ..fault import Fault, Scene, fault


@fault
class MgrKill(Fault):
    """The active mgr is killed, and started again as systemd does it."""

    name = 'mgr-kill'

    def inject(self, scene: Scene) -> None:
        """Kill it, wait for a moment, start it."""
        name = 'mgr.' + scene.lab.active()
        scene.lab.kill(name)
        time.sleep(1.0)
        scene.lab.start(name)


@fault
class MgrFail(Fault):
    """An operator has the standby take over."""

    name = 'mgr-fail'

    def inject(self, scene: Scene) -> None:
        """Fail it."""
        scene.lab.fail_mgr()


@fault
class MgrsKilled(Fault):
    """Active and standby mgr die at once, and come back later."""

    name = 'mgrs-killed'

    def inject(self, scene: Scene) -> None:
        """Kill both; nobody renews a lease for 15 s."""
        for name in ('mgr.x', 'mgr.y'):
            scene.lab.kill(name)
        time.sleep(15.0)
        for name in ('mgr.x', 'mgr.y'):
            scene.lab.start(name)


@fault
class ModuleCycle(Fault):
    """The module is disabled in mid-run, and enabled again."""

    name = 'module-cycle'

    def inject(self, scene: Scene) -> None:
        """Disable it for five seconds.

        Until it has taken up the run is part of the end, and may take long.
        """
        scene.lab.tell('mgr module disable', module='perfcompare')
        time.sleep(5.0)
        scene.lab.live.ceph(
            'mgr', 'module', 'enable', 'perfcompare', '--force', fmt=''
        )


@fault
class CliInterrupted(Fault):
    """Commands of the module are interrupted while they run."""

    name = 'cli-interrupted'
    COMMANDS = ('status', 'ls', 'show RUN', 'export RUN', 'cleanup',
                'preflight --group xs')  # fmt: skip

    def inject(self, scene: Scene) -> None:
        """Start each, and interrupt it after a moment."""
        for number, words in enumerate(self.COMMANDS):
            argv = ['ceph', 'perfcompare']
            argv += [scene.run if w == 'RUN' else w for w in words.split()]
            child = subprocess.Popen(
                launch.entered(scene.lab.cluster, '', argv),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=launch.outer_environment(),
            )
            try:
                child.wait(0.4 + 0.1 * number)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGINT)
                try:
                    child.wait(10.0)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()


@fault
class BlocklistDatabase(Fault):
    """The client through which all modules reach their databases goes."""

    name = 'blocklist-db'
    # it opens its own database anew once only
    kills = r'^mgr\.\w+ in devicehealth: '

    def inject(self, scene: Scene) -> None:
        """Blocklist the client of libcephsqlite."""
        found = scene.lab.see('mgr dump')['active_clients']
        for client in found:
            if client['name'] == 'libcephsqlite':
                one = client['addrvec'][0]
                address = '%s/%d' % (one['addr'], one['nonce'])
                scene.noted['address'] = address
                scene.lab.tell(
                    'osd blocklist', blocklistop='add', addr=address
                )
                return
        raise AssertionError('no client of the database: %r' % found)

    def mend(self, scene: Scene) -> None:
        """Remove the entry; a new mgr makes a new client."""
        lab, address = scene.lab, scene.noted.get('address')
        if address is None:
            return
        before = lab.active()
        lab.fail_mgr()
        wait_for(lambda: lab.active() not in ('', before), 60, 'a new mgr')
        lab.tell('osd blocklist', blocklistop='rm', addr=address)
