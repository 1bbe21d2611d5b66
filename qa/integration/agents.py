"""Load agents on hosts of a mini cluster, as an operator starts them."""

from typing import Any, Dict, List, Sequence

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from . import processes
from .live import LiveCluster
from .waiting import wait_for

QA = pathlib.Path(__file__).resolve().parents[1]
WORKER = QA.parent / 'src' / 'pybind' / 'mgr' / 'perfcompare' / 'worker'


def install(cluster: LiveCluster) -> None:
    """Copy the agent's program where only this cluster has it."""
    # /tmp is the machine's: files of another version may lie there
    to = _program(cluster) / WORKER.name
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(
        WORKER, to, ignore=shutil.ignore_patterns('__pycache__', '*.pyc')
    )


def keyring(host: str) -> str:
    """Return where the key of a host is, in the cluster."""
    return f'/etc/ceph/ceph.client.perfcompare.agent.{host}.keyring'


def folder(cluster: LiveCluster, host: str) -> str:
    """Return where an agent makes its folder, in the cluster."""
    return str(cluster.dir / f'load-agent-{host}')


def programs(
    cluster: LiveCluster,
    host: str,
    without: Sequence[str] = (),
    more: Sequence[str] = (),
) -> str:
    """Return a folder with the programs of a host, ``without`` some.

    ``more`` are paths of this machine.
    """
    path = pathlib.Path(folder(cluster, host) + '-bin')
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    done = cluster.exec(['sh', '-c', f'ln -s /usr/bin/* {path}'])
    assert done.returncode == 0, done.stderr
    for name in (*without, *(os.path.basename(p) for p in more)):
        (path / name).unlink(missing_ok=True)
    for source in more:
        shutil.copy(source, path)
    return str(path)


def _program(cluster: LiveCluster) -> pathlib.Path:
    return cluster.dir / 'load-agent'


class Agent:
    """One agent on one host."""

    def __init__(
        self,
        cluster: LiveCluster,
        host: str,
        program: str = '',
        path: str = '',
    ) -> None:
        """Start it from a folder ``program``, by default the copied one.

        ``path`` has the programs that it finds, by default all of the host.
        """
        self.cluster = cluster
        self.host = host
        self.net = ''  # of its host, once it is there
        self._log = open(str(cluster.dir / f'agent.{host}.log'), 'a')
        argv = [sys.executable, '-m', 'cluster', '--dir', str(cluster.dir)]
        argv += ['--release', cluster.release, 'exec', '--host', host, '--']
        argv += ['env', f'PYTHONPATH={program or _program(cluster)}']
        argv += [f'PATH={path}'] if path else []
        argv += ['python3', '-B', '-m']
        argv += ['worker', 'agent', '--host', host]
        argv += ['--dir', folder(cluster, host)]
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            cwd=str(QA),
        )

    def signal(self, number: int) -> None:
        """Send a signal to the agent alone."""
        self.process.send_signal(number)

    def lives(self) -> bool:
        """Say whether it was not ended."""
        return self.process.poll() is None

    def told(self) -> str:
        """Return what it printed."""
        path = self.cluster.dir / f'agent.{self.host}.log'
        return path.read_text('utf-8')

    def loads(self) -> List[int]:
        """Return workers and load programs in the network of its host."""
        return [pid for pid in loads() if _net(pid) == self.net]

    def making_load(self) -> List[int]:
        """Return the load programs among `loads`, without the workers."""
        return [
            pid
            for pid, line in loads().items()
            if not processes.is_worker(line.split()) and _net(pid) == self.net
        ]

    def benches(self) -> List[int]:
        """Return the load programs alone: a measurement has begun."""
        return [
            pid
            for pid, line in loads().items()
            if ' bench ' in line and _net(pid) == self.net
        ]

    def end(self) -> None:
        """End it, whatever state it is in."""
        for number in (signal.SIGCONT, signal.SIGKILL):
            with contextlib.suppress(OSError):
                self.process.send_signal(number)
        self.process.wait()
        self._log.close()


def link(cluster: LiveCluster, host: str, to: str) -> None:
    """Set the network interface of a host ``up`` or ``down``."""
    words = ['ip', 'link', 'set', 'eth0', to]
    done = cluster.exec(words, host=host)
    assert done.returncode == 0, done.stderr


def state(cluster: LiveCluster, host: str) -> Dict[str, Any]:
    """Return what is known of a load host."""
    (found,) = [
        one
        for one in cluster.ceph('perfcompare', 'load-host', 'ls')
        if one['host'] == host
    ]
    return dict(found)


def add(cluster: LiveCluster, host: str) -> None:
    """Make a host a load host, and put its key where its agent looks."""
    added = cluster.ceph('perfcompare', 'load-host', 'add', host)
    script = f'umask 077; cat > {keyring(host)}'
    done = cluster.exec(['sh', '-c', script], added['keyring'])
    assert done.returncode == 0, done.stderr


def start(
    cluster: LiveCluster, host: str, program: str = '', path: str = ''
) -> Agent:
    """Start an agent and wait until the Manager heard of it."""
    began = time.monotonic()
    agent = Agent(cluster, host, program, path)

    def heard() -> bool:
        found = state(cluster, host)
        seen = found['seen']
        ready = found['state'] in ('ready', 'loading')
        return ready and seen is not None and seen < elapsed()

    def elapsed() -> float:
        return time.monotonic() - began - 1.0

    try:
        wait_for(heard, 40, f'the agent of {host} is heard of')
    except BaseException:
        print(agent.told())
        agent.end()
        raise
    agent.net = _net(agent.process.pid)
    return agent


def loads() -> Dict[int, str]:
    """Return workers and load programs of this machine, by pid."""
    return {
        pid: ' '.join(words)
        for pid, words in processes.command_lines()
        if processes.is_worker(words) or processes.makes_load(words)
    }


def _net(pid: int) -> str:
    try:
        return os.readlink(f'/proc/{pid}/ns/net')
    except OSError:
        return ''


def elsewhere(agent: Agent) -> List[str]:
    """Return the load programs that run on other hosts than its own."""
    here = processes.of_runs(agent.cluster)
    return [line for line in here.values() if ' bench ' in line]


def gone(seconds: float, agent: Agent) -> float:
    """Wait until no load is left; return how long it took."""
    began = time.monotonic()
    wait_for(
        lambda: not agent.loads(),
        seconds,
        'load ends by itself',
        step=0.25,
    )
    return time.monotonic() - began
