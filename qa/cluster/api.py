"""The mini cluster for tests: a class around the program.

from cluster.api import MiniCluster

with MiniCluster('/var/tmp/my-test', arm=False) as cluster:
    cluster.ceph('osd', 'tree')            # parsed JSON
    cluster.exec(['rados', 'lspools'])     # CompletedProcess
"""

from typing import Any, Dict, List, Optional, Sequence, TypeVar, Union

import json
import pathlib
import subprocess
import sys
import time
import types

Self = TypeVar('Self', bound='MiniCluster')

_PACKAGE_PARENT = pathlib.Path(__file__).resolve().parents[1]


class CommandFailed(Exception):
    """A command ended with another exit code than 0."""

    def __init__(self, argv: Sequence[str], code: int, text: str) -> None:
        super().__init__('%s: exit %d: %s' % (' '.join(argv), code, text))
        self.returncode = code
        self.stderr = text


class MiniCluster:
    """One cluster in one folder.

    `options` are further words for `up`, such as `--mgrs 2`.
    """

    package = 'cluster'  # which the program is

    def __init__(
        self,
        directory: Union[str, pathlib.Path],
        release: str = 'tentacle',
        arm: bool = True,
        options: Sequence[str] = (),
    ) -> None:
        self.dir = pathlib.Path(directory)
        self.release = release
        self.options = list(options) + ([] if arm else ['--no-arm'])

    def __enter__(self: Self) -> Self:
        self.up()
        return self

    def __exit__(
        self,
        kind: Optional[type],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        self.down()

    def verb(self, *words: str, timeout: float = 600) -> str:
        """Run a verb of the program; return stdout, raise if it fails."""
        done = self._run(list(words), '', timeout)
        if done.returncode:
            text = done.stderr.strip()
            raise CommandFailed(words, done.returncode, text)
        return done.stdout

    def _run(
        self, words: List[str], stdin: str, timeout: float
    ) -> 'subprocess.CompletedProcess[str]':
        argv = [sys.executable, '-m', self.package, '--dir', str(self.dir)]
        return subprocess.run(
            argv + self._general() + words,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=timeout,
            cwd=str(_PACKAGE_PARENT),
        )

    def _general(self) -> List[str]:
        """Return the options before the verb."""
        return ['--release', self.release]

    def up(self) -> None:
        """Create and start the cluster; return when it is healthy."""
        self.verb('up', *self.options, timeout=1200)

    def down(self) -> None:
        """Remove the cluster; nothing happens when there is none."""
        self.verb('down')

    def status(self) -> Dict[str, Any]:
        """Return daemons with pids, hosts, addresses, dashboard login."""
        found: Dict[str, Any] = json.loads(self.verb('status', '--json'))
        return found

    def pid(self, name: str) -> Optional[int]:
        """Return the pid of a daemon such as `mgr.x`, None when not up."""
        found: Optional[int] = self.status()['daemons'][name]['pid']
        return found

    def exec(
        self,
        argv: Sequence[str],
        stdin: str = '',
        timeout: float = 120,
        host: str = '',
    ) -> 'subprocess.CompletedProcess[str]':
        """Run a tool inside; return its exit code, stdout and stderr."""
        words = ['exec'] + (['--host', host] if host else []) + ['--']
        return self._run(words + list(argv), stdin, timeout)

    def ceph(
        self,
        *words: str,
        fmt: str = 'json',
        stdin: str = '',
        timeout: float = 120,
    ) -> Any:
        """Run `ceph WORDS`; return parsed JSON, or text with fmt=''.

        Raises CommandFailed, with `returncode` (an errno) and `stderr`.
        """
        argv = ['ceph'] + list(words) + (['--format', fmt] if fmt else [])
        done = self.exec(argv, stdin, timeout)
        if done.returncode:
            text = done.stderr.strip()
            raise CommandFailed(argv, done.returncode, text)
        if fmt.startswith('json'):
            return json.loads(done.stdout) if done.stdout.strip() else None
        return done.stdout

    def osd_stop(self, number: int) -> None:
        """End an OSD by SIGTERM and wait until it is gone."""
        self.verb('osd', 'stop', str(number))

    def osd_kill(self, number: int) -> None:
        """Kill an OSD by SIGKILL."""
        self.verb('osd', 'kill', str(number))

    def osd_start(self, number: int) -> None:
        """Start an OSD that was stopped or killed."""
        self.verb('osd', 'start', str(number))

    def osd_freeze(self, number: int) -> None:
        """Stop an OSD in its tracks (SIGSTOP): it hangs, it does not die."""
        self.verb('osd', 'freeze', str(number))

    def osd_thaw(self, number: int) -> None:
        """Let a frozen OSD go on."""
        self.verb('osd', 'thaw', str(number))

    def mon_stop(self, name: str) -> None:
        """End a mon by SIGTERM and wait until it is gone."""
        self.verb('mon', 'stop', name)

    def mon_start(self, name: str) -> None:
        """Start a mon that was stopped."""
        self.verb('mon', 'start', name)

    def mgr_add(self, name: str = '') -> None:
        """Add a standby mgr."""
        self.verb('mgr', 'add', *([name] if name else []))

    def mgr_kill(self, name: str = '') -> str:
        """Kill a mgr (the active one by default); return its name."""
        words = [name] if name else []
        return self.verb('mgr', 'kill', *words).strip()

    def mgr_start(self, name: str) -> None:
        """Start a mgr that was killed."""
        self.verb('mgr', 'start', name)

    def mgr_fail(self, name: str = '') -> str:
        """Fail the active mgr over; return the name of the failed one."""
        words = [name] if name else []
        return self.verb('mgr', 'fail', *words).strip()

    def wait_clean(self, timeout: float = 120) -> None:
        """Wait for all OSDs up, all PGs active+clean and a mgr."""
        self.verb('wait', str(int(timeout)), timeout=timeout + 30)

    def wait_active_mgr(self, timeout: float = 60) -> str:
        """Wait until a mgr is active and answers; return its name."""
        deadline = time.monotonic() + timeout
        while True:
            found = self.ceph('mgr', 'dump')
            if found['available']:
                name: str = found['active_name']
                return name
            if time.monotonic() > deadline:
                raise TimeoutError('no active mgr in %d s' % timeout)
            time.sleep(0.3)
