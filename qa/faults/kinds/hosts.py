"""One of several load hosts is cut off, hangs, or lacks what it needs."""

from typing import Any, Dict, List

import json
import os
import pathlib
import signal
import time

from cluster import namespaces
from integration import agents
from integration.agents import Agent
from integration.waiting import wait_for

from ..fault import Fault, Scene, fault, needs
from ..hosts import LoadHosts
from ..states import LOAD_HOSTS
from .clocks import HOUR, library_of, set_clock
from .orders import BOUND, until_gone

KEPT, VICTIM = LOAD_HOSTS
LONG = 25.0  # seconds of load, which is not to end before its lease does
LEASE = 15.0  # seconds that a worker lives of which nobody hears
MARGIN = 3.0  # until that is seen, on a machine that is busy
AWAY = 30.0


def hosts_of(scene: Scene) -> LoadHosts:
    """Return the load hosts of a cluster that has some."""
    assert scene.lab.hosts is not None
    return scene.lab.hosts


def loaded(agent: Agent) -> bool:
    """Say whether a load is under way on a host, not just a worker."""
    return len(agent.loads()) > 1


class _OnHost(Fault):
    """Meet one host while there is load on both."""

    needs = needs('agent')
    seconds = 10.0

    def inject(self, scene: Scene) -> None:
        """Wait for load on both, then do it."""
        hosts = hosts_of(scene)
        wait_for(
            lambda: all(loaded(agent) for agent in hosts.all()),
            60,
            'there is load on both hosts',
            step=0.1,
        )
        self.hit(scene, hosts)

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Do it."""

    def gone(self, scene: Scene, host: str, began: float) -> None:
        """Note when the load of a host is gone."""
        agent = hosts_of(scene).agent(host)
        until_gone(
            scene, 'load of ' + host, lambda: bool(agent.loads()), began
        )

    def verify(self, scene: Scene) -> List[str]:
        """No load may have outlived its lease."""
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
            return
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
        """Stop them in their tracks; what goes on later ends at once."""
        began = time.monotonic()
        hosts.signal(VICTIM, signal.SIGSTOP)
        frozen = set(hosts.agent(VICTIM).loads())
        time.sleep(max(0.0, began + AWAY - time.monotonic()))
        thawed = time.monotonic()
        hosts.signal(VICTIM, signal.SIGCONT)
        until_gone(
            scene,
            'what was thawed is',
            lambda: bool(frozen & set(hosts.agent(VICTIM).loads())),
            thawed,
        )

    def verify(self, scene: Scene) -> List[str]:
        """What was thawed has no lease any more."""
        found = super().verify(scene)
        late = scene.measured['what was thawed is gone']
        if late > BOUND:
            found.append('what was thawed lived for %.1f s' % late)
        return found


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
    """An operator removes the key of one load host's agent."""

    name = 'agent-key-rm'
    outcomes = {'completed': '', 'failed': VICTIM}
    ENTITY = 'client.perfcompare.agent.' + VICTIM

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Remove it."""
        (found,) = scene.lab.see('auth get', entity=self.ENTITY)
        scene.noted['key'] = json.dumps(found)
        scene.lab.tell('auth rm', entity=self.ENTITY)

    def mend(self, scene: Scene) -> None:
        """Put it back as it was."""
        if 'key' not in scene.noted:
            return
        found: Dict[str, Any] = json.loads(scene.noted['key'])
        lines = ['[%s]' % self.ENTITY, 'key = ' + found['key']]
        for who, caps in found['caps'].items():
            quoted = caps.replace('"', '\\"')
            lines.append('caps %s = "%s"' % (who, quoted))
        text = '\n'.join(lines) + '\n'
        words = ['auth', 'import', '-i', '-']
        scene.lab.live.ceph(*words, fmt='', stdin=text)


@fault
class AgentDiskFull(_OnHost):
    """The disk of one load host's agent is full from one moment on."""

    name = 'agent-disk-full'
    outcomes = {'completed': '', 'failed': VICTIM}
    SIZE = '4m'

    def _place(self, scene: Scene) -> str:
        return agents.folder(scene.lab.live, VICTIM)

    def _mount(self, scene: Scene) -> str:
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
        pid = hosts_of(scene).agent(VICTIM).process.pid
        place = self._place(scene)
        return pathlib.Path('/proc/%d/root%s/filler' % (pid, place))

    def hit(self, scene: Scene, hosts: LoadHosts) -> None:
        """Fill it."""
        try:
            with open(self._filler(scene), 'wb') as file:
                while True:
                    file.write(b'\0' * 65536)
                    file.flush()
        except OSError:
            pass

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

    outcomes = {'completed': '', 'failed': VICTIM}
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
