"""The cluster under test: quick acts on it, and putting it right again."""

from typing import Any, Dict, List, Optional

import json
import os
import pathlib
import signal
import time

from cluster import daemons, launch, mgrs, sources
from cluster.admin import Admin, Request
from cluster.messages import ClusterError
from cluster.state import Cluster
from integration.live import LiveCluster
from integration.provision import enable
from integration.waiting import wait_for

from .hosts import LoadHosts
from .states import LOAD_HOSTS

UP = (
    '--no-arm', '--mons', '3', '--mgrs', '2',
    '--hosts', 'p1:x86:2', 'p2:x86:2', 'q1:alt:2', 'q2:alt:2',
)  # fmt: skip
AGAIN = 'the same command again'  # has the answer
GROUPS = {'xs': ['p1', 'p2'], 'alts': ['q1', 'q2']}
OSDS = (0, 1, 2, 3)  # of group xs
LEASE = 10.0  # seconds; so that a cut run is taken up soon
OPTIONS = {
    ('mgr', 'mgr/perfcompare/worker_lease'): '%.0f' % LEASE,
    ('mgr', 'mgr/perfcompare/allow_failure_tests'): 'true',
    ('mgr', 'mgr/perfcompare/enable_pool_delete'): 'true',
    # a mgr that does not answer is replaced soon
    ('mon', 'mon_mgr_beacon_grace'): '20',
    # a recovery test writes more objects than PG logs can tell of
    ('osd', 'osd_target_pg_log_entries_per_osd'): '1000',
    ('osd', 'osd_min_pg_log_entries'): '50',
    ('osd', 'osd_max_pg_log_entries'): '100',
}
# two hosts for load, which have a network of their own and no OSD
UP_JOINT = (
    '--no-arm', '--mons', '3', '--mgrs', '2', '--net', 'ns',
    '--hosts', 'p1:x86:2', 'p2:x86:2',
    *(name + ':load:0' for name in LOAD_HOSTS),
)  # fmt: skip
PATIENCE = 240.0

Fields = Dict[str, Any]


class Refused(Exception):
    """Say what a command of the suite was answered."""

    def __init__(self, prefix: str, code: int, text: str) -> None:
        super().__init__('%s: %d %s' % (prefix, code, text))
        self.code = code


class Lab:
    """One cluster, in which many faults are tried one after the other."""

    def __init__(
        self,
        directory: pathlib.Path,
        module: pathlib.Path,
        joint: bool = False,
        served: bool = False,
    ) -> None:
        """Use a copy of the module, which faults may change.

        ``joint``: with hosts for load; ``served``: and a gateway for them.
        """
        self.dir = directory
        self.module = module
        up = UP_JOINT if joint else UP
        self.live = LiveCluster(
            directory, options=[*up, '--module', str(module)]
        )
        self.hosts = LoadHosts(self.live, served) if joint else None
        self.cluster = Cluster(directory)
        self._admin: Optional[Admin] = None

    # life

    def up(self) -> None:
        """Bring it up, or take up the one that is there."""
        if not (self.dir / 'token').exists():
            self.live.up()
        else:
            # also a standby has loaded the module as it was
            for name in ('mgr.x', 'mgr.y'):
                if self.pid(name) is not None:
                    self.kill(name)
            self.start_all()  # also what an interrupted piece killed
        self.arrange()

    def arrange(self) -> None:
        """Enable the module; set options and groups."""
        enable(self.live)
        for (who, name), value in OPTIONS.items():
            self.tell('config set', who=who, name=name, value=value)
        known = {host.name for host in self.cluster.settings.hosts}
        for group, hosts in GROUPS.items():
            if known.issuperset(hosts):
                self.ask('perfcompare group set', group=group, hosts=hosts)
        if self.hosts is not None:
            self.hosts.arrange()

    def close(self) -> None:
        """End the connection to the cluster, and the agents of hosts."""
        if self.hosts is not None:
            self.hosts.close()
        if self._admin is not None:
            self._admin.close()
            self._admin = None

    def down(self) -> None:
        """Remove it."""
        self.close()
        self.live.down()

    # commands

    def _one(self, request: Request) -> str:
        if self._admin is None:
            self._admin = Admin(self.cluster)
        (answer,) = self._admin.ask([request])
        if answer['rc']:
            raise Refused(
                str(request.cmd['prefix']), -answer['rc'], answer['err']
            )
        return str(answer['out'])

    def tell(self, prefix: str, **fields: Any) -> str:
        """Give the mons a command; Refused when it fails."""
        return self._one(Request('mon', dict(fields, prefix=prefix)))

    def ask(self, prefix: str, **fields: Any) -> Any:
        """Give the active mgr a command; return its JSON."""
        command = dict(fields, prefix=prefix, format='json')
        while True:
            try:
                text = self._one(Request('mgr', command))
            except Refused as refused:  # the answer is being made
                if AGAIN not in str(refused):
                    raise
                time.sleep(0.2)
            else:
                return json.loads(text) if text.strip() else None

    def see(self, prefix: str, **fields: Any) -> Any:
        """Return what the mons answer, as JSON."""
        return json.loads(self.tell(prefix, format='json', **fields))

    def status(self) -> Optional[Fields]:
        """Return `perfcompare status`, None when nobody answers."""
        try:
            found: Fields = self.ask('perfcompare status')
            return found
        except Refused:
            return None

    # processes

    def pid(self, name: str) -> Optional[int]:
        """Return the pid of a daemon that runs."""
        return self.live.pid(name)

    def signal(self, name: str, number: int) -> None:
        """Send a signal to a daemon."""
        os.kill(daemons.running(self.cluster, name), number)

    def kill(self, name: str) -> None:
        """Kill a daemon and wait until it is gone."""
        daemons.end(self.cluster, name, signal.SIGKILL)

    def active(self) -> str:
        """Return the name of the active mgr, '' when there is none."""
        return str(self.see('mgr dump')['active_name'])

    def start(self, name: str) -> None:
        """Start a daemon that is not running."""
        if self.pid(name) is not None:
            return
        kind, _, rest = name.partition('.')
        if kind == 'mgr':
            self.live.mgr_start(rest)
        elif kind == 'mon':
            self.live.mon_start(rest)
        else:
            self.live.osd_start(int(rest))

    def fail_mgr(self) -> None:
        """Have the standby take over."""
        sources.refresh(self.cluster)
        self.tell('mgr fail', who=self.active())

    def path(self, path: str) -> pathlib.Path:
        """Return where a file inside the cluster is, seen from outside."""
        cell = self.cluster.process('cell')
        assert cell is not None
        return pathlib.Path('/proc/%d/root%s' % (cell.pid, path))

    def inside(self, *argv: str, timeout: float = 60) -> str:
        """Run a program inside; return its output."""
        return launch.run(self.cluster, argv, timeout=timeout)

    # putting right

    def _daemons(self) -> List[str]:
        found = ['mon.' + name for name in 'abc']
        found += ['mgr.' + name for name in mgrs.names(self.cluster)]
        return found + ['osd.%d' % o.id for o in self.cluster.settings.osds]

    def start_all(self) -> None:
        """Start and thaw every daemon."""
        for name in self._daemons():
            if self.pid(name) is None:
                self.start(name)
            else:
                self.signal(name, signal.SIGCONT)
        if self.hosts is not None:
            self.hosts.start()

    def wait_well(self, seconds: float = PATIENCE) -> None:
        """Wait for all daemons, clean PGs, a standby and HEALTH_OK."""

        def well() -> bool:
            try:
                found = self.see('mgr dump')
                if not found['available'] or not found['standbys']:
                    return False
                return bool(self.see('health')['status'] == 'HEALTH_OK')
            except (Refused, ClusterError):
                return False

        deadline = time.monotonic() + seconds
        self.live.wait_clean(seconds)
        wait_for(well, max(1.0, deadline - time.monotonic()), 'HEALTH_OK')
        if self.hosts is not None:
            self.hosts.wait_heard()
