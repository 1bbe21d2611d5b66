"""One of two load hosts is cut off, hangs, or lacks what it needs.

All of these meet the host `VICTIM` when both have load. Its load must end
with its lease; the run makes its trial anew, or fails and names the host.
"""

from typing import List

import contextlib
import os
import pathlib
import signal
import time

from cluster import namespaces
from integration import agents
from integration.waiting import wait_for

from ..fault import Fault, Scene, fault, needs
from ..hosts import LoadHosts
from ..lab import LEASE
from ..states import LOAD_HOSTS
from .clocks import HOUR, library_of, set_clock
from .orders import BOUND, until_gone

KEPT, VICTIM = LOAD_HOSTS
LONG = 25.0  # seconds of load, which is not to end before its lease does
MARGIN = 3.0  # seconds until an end is seen, on a machine that is busy
AWAY = 30.0  # seconds that a host is away which comes back


def hosts_of(scene: Scene) -> LoadHosts:
    """Return the load hosts of a cluster that has some."""
    assert scene.lab.hosts is not None
    return scene.lab.hosts


class _OnHost(Fault):
    """Meet one host while there is load on both."""

    needs = needs('agent')
    seconds = 10.0

    def inject(self, scene: Scene) -> None:
        """Wait for load on both, then do it."""
        hosts = hosts_of(scene)
        wait_for(
            lambda: all(agent.making_load() for agent in hosts.all()),
            60,
            'there is load on both hosts',
            step=0.1,
        )
        self.hit(scene, hosts)

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Do it."""

    def gone(self, scene: Scene, host: str, began: float) -> None:
        """Note when the load of a host is gone, and its worker."""
        agent = hosts_of(scene).agent(host)
        until_gone(
            scene, 'load of ' + host, lambda: bool(agent.loads()), began
        )

    def verify(self, scene: Scene) -> List[str]:
        """No load may have outlived its lease, where that was timed."""
        late = scene.measured.get('load of %s gone' % VICTIM, 0.0)
        if late > LEASE + MARGIN:
            return ['load of %s lived for %.1f s' % (VICTIM, late)]
        return []


@fault
class HostCut(_OnHost):
    """The network of one load host is cut for 30 s."""

    name = 'host-cut'
    seconds = LONG

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Cut it; its load ends, the other's too, and it comes back."""
        began = time.monotonic()
        hosts.link(VICTIM, 'down')
        self.gone(scene, VICTIM, began)
        time.sleep(max(0.0, began + AWAY - time.monotonic()))
        hosts.link(VICTIM, 'up')

    def mend(self, scene: Scene) -> None:
        """Connect it."""
        hosts_of(scene).link(VICTIM, 'up')


@fault
class HostLost(_OnHost):
    """The network of one load host is cut and stays so."""

    name = 'host-lost'
    seconds = LONG
    outcomes = {'failed': VICTIM}

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Cut it."""
        began = time.monotonic()
        hosts.link(VICTIM, 'down')
        self.gone(scene, VICTIM, began)

    def mend(self, scene: Scene) -> None:
        """Connect it; its agent must be heard of again."""
        hosts = hosts_of(scene)
        hosts.link(VICTIM, 'up')
        if not scene.measured:
            return  # the run did not come so far
        began = time.monotonic()
        wait_for(
            lambda: hosts.heard(VICTIM),
            120,
            'the agent of %s is heard of again' % VICTIM,
        )
        took = round(time.monotonic() - began, 1)
        scene.measured['heard of again'] = took


@fault
class HostCutStop(_OnHost):
    """Everything is stopped while one load host is cut off."""

    name = 'host-cut-stop'
    seconds = LONG
    outcomes = {'cancelled': 'by an operator'}

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Cut it; the order reaches the other one at once."""
        cut = time.monotonic()
        hosts.link(VICTIM, 'down')
        time.sleep(1.0)
        began = time.monotonic()
        scene.lab.ask('perfcompare stop', now=True)
        self.gone(scene, KEPT, began)
        self.gone(scene, VICTIM, cut)

    def verify(self, scene: Scene) -> List[str]:
        """The host that was reached has no load within 2 s."""
        found = super().verify(scene)
        late = scene.measured['load of %s gone' % KEPT]
        if late > BOUND:
            found.append('load of %s lived for %.1f s' % (KEPT, late))
        return found

    def mend(self, scene: Scene) -> None:
        """Connect it."""
        hosts_of(scene).link(VICTIM, 'up')


@fault
class HostFreeze(_OnHost):
    """All processes of one load host hang for 30 s."""

    name = 'host-freeze'
    seconds = LONG

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Stop them in their tracks; what is thawed ends at once."""
        began = time.monotonic()
        hosts.signal(VICTIM, signal.SIGSTOP)
        frozen = set(hosts.agent(VICTIM).loads())
        time.sleep(max(0.0, began + AWAY - time.monotonic()))
        thawed = time.monotonic()
        hosts.signal(VICTIM, signal.SIGCONT)
        until_gone(
            scene,
            'thawed load',
            lambda: bool(frozen & set(hosts.agent(VICTIM).loads())),
            thawed,
        )

    def verify(self, scene: Scene) -> List[str]:
        """What was thawed has no lease any more."""
        late = scene.measured['thawed load gone']
        return ['thawed load lived for %.1f s' % late] if late > BOUND else []


@fault
class AgentKill(_OnHost):
    """The agent of one load host is killed, and started again."""

    name = 'agent-kill'
    seconds = LONG

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Kill it."""
        began = time.monotonic()
        hosts.agent(VICTIM).end()
        self.gone(scene, VICTIM, began)
        hosts.again(VICTIM)


@fault
class AgentKeyRemoved(_OnHost):
    """An operator removes the key of one load host's agent.

    What the agent is connected by holds until its ticket has expired, so
    the run may complete; whoever looks must be told that the key is gone.
    """

    name = 'agent-key-rm'
    seconds = LONG  # of 10 s a busy machine may see nothing
    outcomes = {'completed': '', 'failed': VICTIM}
    ENTITY = 'client.perfcompare.agent.' + VICTIM

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Remove it."""
        keyring = scene.lab.tell('auth get', entity=self.ENTITY)
        scene.noted['keyring'] = keyring
        scene.lab.tell('auth rm', entity=self.ENTITY)

    def verify(self, scene: Scene) -> List[str]:
        """A check of the host must say so."""
        checked = scene.lab.ask('perfcompare load-host check', host=VICTIM)
        told = [one['message'] for one in checked['findings']]
        if any('has no key' in message for message in told):
            return []
        return ['a check of the host says: ' + '; '.join(told)]

    def mend(self, scene: Scene) -> None:
        """Put it back as it was."""
        keyring = scene.noted.get('keyring')
        if keyring:
            words = ['auth', 'import', '-i', '-']
            scene.lab.live.ceph(*words, fmt='', stdin=keyring)


@fault
class AgentDiskFull(_OnHost):
    """The disk of one load host's agent is full from one moment on."""

    name = 'agent-disk-full'
    outcomes = {'completed': '', 'failed': VICTIM + '.*(space|free in)'}
    SIZE = '4m'

    def _place(self, scene: Scene) -> str:
        """Return its folder, in the cluster and on this machine."""
        return agents.folder(scene.lab.live, VICTIM)

    def _mount(self, scene: Scene) -> str:
        """Return the same as the mounts of the host have it."""
        return str(scene.lab.cluster.root) + self._place(scene)

    def ready(self, scene: Scene) -> None:
        """Give its agent a small disk."""
        hosts = hosts_of(scene)
        hosts.agent(VICTIM).end()
        os.makedirs(self._place(scene), exist_ok=True)
        hosts.in_mounts(VICTIM, lambda: namespaces.mount(
            'tmpfs', self._mount(scene), 'tmpfs', data='size=' + self.SIZE,
        ))  # fmt: skip
        scene.noted['mounted'] = 'yes'
        hosts.start()

    def _filler(self, scene: Scene) -> pathlib.Path:
        """Return a file on the small disk, as this machine reaches it."""
        pid = hosts_of(scene).agent(VICTIM).process.pid
        place = self._place(scene)
        return pathlib.Path('/proc/%d/root%s/filler' % (pid, place))

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Fill it."""
        path = self._filler(scene)
        with contextlib.suppress(OSError), open(path, 'wb') as file:
            while True:
                file.write(b'\0' * 65536)
                file.flush()

    def verify(self, scene: Scene) -> List[str]:
        """The agent must have taken the folders of workers away."""
        filler = self._filler(scene)
        left = [
            str(path.relative_to(filler.parent))
            for path in filler.parent.rglob('*')
            if path.is_file() and path != filler
        ]
        found = ['left on the full disk: ' + ', '.join(left)] if left else []
        return super().verify(scene) + found

    def mend(self, scene: Scene) -> None:
        """Take the disk away."""
        if 'mounted' not in scene.noted:
            return
        hosts = hosts_of(scene)
        hosts.agent(VICTIM).end()

        def gone() -> bool:
            try:
                hosts.in_mounts(
                    VICTIM, lambda: namespaces.unmount(self._mount(scene))
                )
            except OSError:
                return False
            return True

        wait_for(gone, 30, 'nobody uses the small disk')
        hosts.start()


class _Step(_OnHost):
    """Step the clock of all that runs on one load host."""

    # a gateway refuses what is signed an hour off
    outcomes = {'completed': '', 'failed': VICTIM, 'aborted': VICTIM}
    offset = 0
    PRELOAD = '/etc/ld.so.preload'

    def ready(self, scene: Scene) -> None:
        """Have all programs of the host go by a clock in a file."""
        hosts = hosts_of(scene)
        set_clock(scene.lab, 0)
        library = library_of(scene.lab)
        wish = library.with_name('preload')
        wish.write_text('%s\n' % library, encoding='ascii')
        # where it is mounted, on this host alone; empty on all others
        scene.lab.path(self.PRELOAD).touch()
        root = str(scene.lab.cluster.root)
        hosts.in_mounts(
            VICTIM, lambda: namespaces.bind(str(wish), root + self.PRELOAD)
        )
        scene.noted['mounted'] = 'yes'
        hosts.again(VICTIM)

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Step."""
        set_clock(scene.lab, self.offset)

    def mend(self, scene: Scene) -> None:
        """Step back; have a new agent go by the machine's clock."""
        if 'mounted' not in scene.noted:
            return
        set_clock(scene.lab, 0)
        hosts = hosts_of(scene)
        root = str(scene.lab.cluster.root)
        hosts.in_mounts(
            VICTIM, lambda: namespaces.unmount(root + self.PRELOAD)
        )
        hosts.again(VICTIM)


@fault
class HostClockForward(_Step):
    """Its clock steps one hour on."""

    name = 'host-clock-forward'
    offset = HOUR


@fault
class HostClockBack(_Step):
    """Its clock steps one hour back."""

    name = 'host-clock-back'
    offset = -HOUR
