"""The load hosts of a cluster under test: their agents, and a gateway."""

from typing import Callable, Dict, List

import contextlib
import json
import os
import pathlib
import signal

from cluster import namespaces
from integration import agents, runs
from integration.agents import Agent
from integration.live import LiveCluster
from integration.steady import steady_pools, wait_balanced
from integration.waiting import wait_for

from .states import LOAD_HOSTS

GROUP = 'xs'
GATEWAY = 'a'
# makes the pools that a gateway makes when it first has a bucket
FIRST = (
    '--profile', 'smoke', '--rounds', '1', '--workload', 's3-put',
    '--size', '4K', '--concurrency', '4', '--duration', '3',
    '--gateway-source', 'existing',
)  # fmt: skip


class LoadHosts:
    """Have an agent on each load host, and a gateway that is no run's."""

    def __init__(self, live: LiveCluster, served: bool) -> None:
        """``served``: there is a gateway, for S3 load."""
        self._live = live
        self._agents: Dict[str, Agent] = {}
        self._served = served

    def arrange(self) -> None:
        """Enroll the hosts and start their agents, and the gateway."""
        agents.install(self._live)
        known = self._live.ceph('perfcompare', 'load-host', 'ls')
        for host in LOAD_HOSTS:
            if host not in [one['host'] for one in known]:
                agents.add(self._live, host)
            self.link(host, 'up')  # an interrupted piece may have cut it
            if host not in self._agents:
                self._agents[host] = agents.start(self._live, host)
        self.start()
        if self._served:
            self._serve()

    def _serve(self) -> None:
        """Start a gateway unless it is there; a run makes its pools."""
        live = self._live
        if live.folder().process('rgw.' + GATEWAY) is not None:
            return
        with steady_pools(live):
            url = live.verb('rgw', 'start', GATEWAY).split()[-1]
        words = ['radosgw-admin', 'user', 'create', '--uid=op']
        keys = live.exec([*words, '--display-name=op']).stdout
        live.ceph(
            'perfcompare', 'gateways', 'set', GROUP, '--endpoint', url,
            '-i', '-', fmt='', stdin=keys,
        )  # fmt: skip
        with steady_pools(live):
            runs.ended(live, runs.start(live, [GROUP], *FIRST))
        # what it moves later would be taken for a change of ours
        wait_balanced(live)

    def left(self) -> List[str]:
        """Return a line for all that runs left on hosts and the gateway."""
        found = []
        for host, agent in self._agents.items():
            where = pathlib.Path(agents.folder(self._live, host))
            found += [
                'perfcompare: process %d on %s' % (pid, host)
                for pid in agent.loads()
            ]
            found += [
                'perfcompare: file %s on %s' % (path, host)
                for path in where.rglob('*')
                if path.is_file()
            ]
        if self._served:
            done = self._live.exec(['radosgw-admin', 'bucket', 'list'])
            found += [
                'bucket ' + name
                for name in json.loads(done.stdout)
                if 'perfcompare' in name
            ]
        return found

    def agent(self, host: str) -> Agent:
        """Return the agent of a host."""
        return self._agents[host]

    def all(self) -> List[Agent]:
        """Return the agents of all hosts."""
        return list(self._agents.values())

    def start(self) -> None:
        """Start the agents that ended; thaw those that did not."""
        for host, agent in list(self._agents.items()):
            if agent.process.poll() is None:
                agent.signal(signal.SIGCONT)
            else:
                self.again(host)

    def heard(self, host: str) -> bool:
        """Say whether the Manager hears of the agent of a host."""
        return bool(agents.state(self._live, host)['state'] == 'ready')

    def wait_heard(self) -> None:
        """Wait until it hears of all."""
        wait_for(
            lambda: all(self.heard(host) for host in self._agents),
            120,
            'the agents are heard of',
        )

    def again(self, host: str) -> None:
        """Replace the agent of a host by a new one."""
        self._agents[host].end()
        self._agents[host] = agents.start(self._live, host)

    def close(self) -> None:
        """End all agents."""
        for agent in self._agents.values():
            agent.end()
        self._agents.clear()

    def link(self, host: str, state: str) -> None:
        """Set the network interface of a host ``up`` or ``down``."""
        agents.link(self._live, host, state)

    def signal(self, host: str, number: int) -> None:
        """Send a signal to the agent of a host and all that it started."""
        agent = self._agents[host]
        for pid in [agent.process.pid, *agent.loads()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def in_mounts(self, host: str, work: Callable[[], None]) -> None:
        """Do something where the mounts of a host are."""
        holder = self._live.folder().process('net.' + host)
        assert holder is not None
        namespaces.within(holder.pid, work)
