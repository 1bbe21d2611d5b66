"""A cluster that the real cephadm manages, for tests: `qa/cephadm`."""

from typing import Any, Dict, List

import pathlib
import shutil

from cluster import cgroups
from cluster.bringup import clean
from managed.state import HOSTS, Managed

from .live import LiveCluster
from .waiting import wait_for

TOP = pathlib.Path(__file__).resolve().parents[2]
SOURCES = '/root/perfcompare'  # of the module, on each host
# what the manual's recipes take of the sources
PARTS = (
    '.dockerignore',
    'src/pybind/mgr/perfcompare',
    'dashboard-plugin/dist',
    'dashboard-plugin/controller',
    'packaging',
)
NAMES = tuple(host.name for host in HOSTS)
OSDS = 4


def _copy(source: pathlib.Path, target: pathlib.Path) -> None:
    if source.is_dir():
        ignored = shutil.ignore_patterns('__pycache__')
        shutil.copytree(str(source), str(target), ignore=ignored)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(str(source), str(target))


class CephadmCluster(LiveCluster):
    """Be a cluster of hosts on which commands are given as in the manual."""

    package = 'managed'

    def _general(self) -> List[str]:
        return []

    def folder(self) -> Managed:
        """Return the cluster as its program has it."""
        return Managed(self.dir)

    def owns(self, pid: int) -> bool:
        """Say whether a process runs on a host of the cluster."""
        group = cgroups.folder_of(self.folder().token())
        assert group
        try:
            text = pathlib.Path('/proc/%d/cgroup' % pid).read_text('utf-8')
        except OSError:
            return False
        return '/%s/' % group.name in text

    def root(self, host: str) -> pathlib.Path:
        """Return the root of a host, as seen from outside."""
        pid = self.folder().first_process(host).pid
        return pathlib.Path('/proc/%d/root' % pid)

    def bring_sources(self) -> None:
        """Put the sources on each host, as they are now."""
        for host in NAMES:
            target = self.root(host) / SOURCES.lstrip('/')
            shutil.rmtree(str(target), ignore_errors=True)
            for part in PARTS:
                _copy(TOP / part, target / part)

    def give(
        self, command: str, host: str = NAMES[0], timeout: float = 300
    ) -> str:
        """Give a command of the manual in a shell; return what it prints."""
        line = 'cd %s && %s' % (SOURCES, command)
        done = self.exec(['bash', '-c', line], timeout=timeout, host=host)
        print('%s# %s\n%s%s' % (host, command, done.stdout, done.stderr))
        assert done.returncode == 0, '%s: %s' % (command, done.stderr)
        return done.stdout

    def daemons(self, kind: str = '') -> List[Dict[str, Any]]:
        """Return the daemons that the orchestrator knows, asked anew."""
        words = ['--daemon-type', kind] if kind else []
        found: List[Dict[str, Any]] = self.ceph(
            'orch', 'ps', *words, '--refresh'
        )
        return found

    def wait_clean(self, timeout: float = 120) -> None:
        """Wait for all OSDs up, all PGs active+clean and a mgr."""

        def settled() -> bool:
            status = self.look('status')
            return bool(status) and clean(status, OSDS)

        wait_for(settled, timeout, 'all PGs are clean', 1.0)
