"""OSDs and mons die or hang."""

import re
import signal
import time

from ..fault import Fault, Scene, fault
from ..lab import OSDS

VICTIM = 'osd.%d' % OSDS[-1]


@fault
class OsdKill(Fault):
    """An OSD of the group is killed and stays away."""

    name = 'osd-kill'
    seconds = 15.0
    outcomes = {
        'aborted': r'^OSD_DOWN: .*\b%s\b' % re.escape(VICTIM),
        'failed': r'osd\.\d|OSD|PGs',
    }

    def inject(self, scene: Scene) -> None:
        """Kill it."""
        scene.lab.kill(VICTIM)

    def mend(self, scene: Scene) -> None:
        """Start it."""
        scene.lab.start(VICTIM)


@fault
class OsdFreeze(Fault):
    """An OSD of the group hangs for 40 s."""

    name = 'osd-freeze'
    seconds = 15.0
    outcomes = {
        'aborted': 'OSD_DOWN|SLOW_OPS|SLOW_OP|PG_|PGS_|DEADLINE|BLIND',
        'failed': '.',
    }
    passes_in = frozenset({'cooling', 'test-recovered'})

    def inject(self, scene: Scene) -> None:
        """Stop it in its tracks, and let it go on."""
        scene.lab.signal(VICTIM, signal.SIGSTOP)
        time.sleep(40.0)
        scene.lab.signal(VICTIM, signal.SIGCONT)

    def mend(self, scene: Scene) -> None:
        """Restart it: BlueStore warns of frozen seconds for a day."""
        if scene.lab.pid(VICTIM) is not None:
            scene.lab.kill(VICTIM)
        scene.lab.start(VICTIM)


@fault
class MonStop(Fault):
    """One of three mons ends and stays away."""

    name = 'mon-stop'
    seconds = 15.0
    outcomes = {'aborted': 'MON_DOWN|MON_ELECTION'}

    def inject(self, scene: Scene) -> None:
        """Stop the leader, the worst one to lose."""
        status = scene.lab.see('quorum_status')
        scene.noted['mon'] = 'mon.' + str(status['quorum_leader_name'])
        scene.lab.kill(scene.noted['mon'])

    def mend(self, scene: Scene) -> None:
        """Start it."""
        if 'mon' in scene.noted:
            scene.lab.start(scene.noted['mon'])


@fault
class QuorumLost(Fault):
    """Two of three mons end, and are back after 45 s.

    Longer than the module waits for a change: what it ordered last is yet
    to be done when the mons are back, and it must bear that in mind.
    """

    name = 'quorum-lost'
    seconds = 15.0
    outcomes = {'completed': '', 'failed': 'mon', 'aborted': '.'}
    MONS = ('mon.b', 'mon.c')

    def inject(self, scene: Scene) -> None:
        """Kill them when the mons have what the state begins with."""
        time.sleep(0.3)
        for name in self.MONS:
            scene.lab.kill(name)
        time.sleep(45.0)
        self.mend(scene)

    def mend(self, scene: Scene) -> None:
        """Start them."""
        for name in self.MONS:
            scene.lab.start(name)
