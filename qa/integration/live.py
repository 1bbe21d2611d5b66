"""A mini cluster with a standing connection, to look at it often.

A start of the `ceph` tool takes a third of a second of CPU. What a test *does*
goes through the tool, started once for all commands; what it only *looks at*
comes by a connection.
"""

from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
)

import contextlib
import errno
import json
import os
import signal
import subprocess
import threading
import time

from cluster import bringup, daemons, mgrs, status
from cluster.admin import Admin, Request
from cluster.api import CommandFailed, MiniCluster
from cluster.messages import ClusterError
from cluster.state import Cluster
from cluster.tool import Tool

Question = Tuple[str, Dict[str, Any]]
if TYPE_CHECKING:
    Done = subprocess.CompletedProcess[str]


def _in_progress(code: int, text: str) -> bool:
    """Say whether the module's answer is being made."""
    return abs(code) == errno.EAGAIN and 'the same command again' in text


def _asked(once: 'Callable[[], Done]', timeout: float) -> 'Done':
    """Return a command's answer; ask again while it is being made."""
    deadline = time.monotonic() + timeout
    while True:
        done = once()
        late = time.monotonic() > deadline
        if late or not _in_progress(done.returncode, done.stderr):
            return done
        time.sleep(0.3)


def _mounts(pid: int) -> str:
    try:
        return os.readlink('/proc/%d/ns/mnt' % pid)
    except OSError:
        return ''


class LiveCluster(MiniCluster):
    """Be a mini cluster that answers looks at once."""

    _admin: Optional[Admin] = None
    _kept: Optional[Tool] = None
    # threads of a test act by turns: the program runs once at a time
    _acting = threading.Lock()
    _turn = threading.Lock()

    def folder(self) -> Cluster:
        """Return the cluster as its program has it."""
        return Cluster(self.dir)

    def owns(self, pid: int) -> bool:
        """Say whether a process shares the mounts of all in the cluster."""
        cell = self.folder().processes()['cell'].pid
        return _mounts(pid) == _mounts(cell)

    def verb(self, *words: str, timeout: float = 600) -> str:
        """Run a verb of the program; return stdout, raise if it fails."""
        with self._acting:
            return super().verb(*words, timeout=timeout)

    @contextlib.contextmanager
    def _hold(self, *words: str) -> Iterator[Cluster]:
        """Yield the cluster for what the program's verb `words` does."""
        folder = self.folder()
        with self._acting:
            try:
                with folder.lock():
                    yield folder
            except ClusterError as error:
                raise CommandFailed(words, error.errno, str(error)) from None

    def status(self) -> Dict[str, Any]:
        """Return daemons with pids, hosts, addresses, dashboard login."""
        return status.as_data(self.folder())

    def pid(self, name: str) -> Optional[int]:
        """Return the pid of a daemon such as `mgr.x`, None when not up."""
        process = self.folder().process(name)
        return process.pid if process else None

    def osd_stop(self, number: int) -> None:
        """End an OSD by SIGTERM and wait until it is gone."""
        self._end_osd('stop', number, signal.SIGTERM)

    def osd_kill(self, number: int) -> None:
        """Kill an OSD by SIGKILL."""
        self._end_osd('kill', number, signal.SIGKILL)

    def _end_osd(self, action: str, number: int, sig: int) -> None:
        with self._hold('osd', action, str(number)) as folder:
            daemons.find_osd(folder, number)
            daemons.end(folder, 'osd.%d' % number, sig)

    def osd_start(self, number: int) -> None:
        """Start an OSD that was stopped or killed."""
        with self._hold('osd', 'start', str(number)) as folder:
            osd = daemons.find_osd(folder, number)
            daemons.refuse_running(folder, 'osd.%d' % number)
            daemons.start_osd(folder, osd)

    def osd_freeze(self, number: int) -> None:
        """Stop an OSD in its tracks (SIGSTOP): it hangs, it does not die."""
        with self._hold('osd', 'freeze', str(number)) as folder:
            daemons.signal_one(folder, 'osd.%d' % number, signal.SIGSTOP)

    def osd_thaw(self, number: int) -> None:
        """Let a frozen OSD go on."""
        with self._hold('osd', 'thaw', str(number)) as folder:
            daemons.signal_one(folder, 'osd.%d' % number, signal.SIGCONT)

    def mon_start(self, name: str) -> None:
        """Start a mon that was stopped."""
        with self._hold('mon', 'start', name) as folder:
            daemons.refuse_running(folder, daemons.find_mon(folder, name))
            daemons.start_mon(folder, name)

    def mgr_kill(self, name: str = '') -> str:
        """Kill a mgr (the active one by default); return its name."""
        with self._hold('mgr', 'kill', name) as folder:
            if not name:
                with self._standing() as admin:
                    name = mgrs.active(admin)
            return mgrs.kill(folder, name)

    def mgr_start(self, name: str) -> None:
        """Start a mgr that was killed."""
        with self._hold('mgr', 'start', name) as folder:
            mgrs.start(folder, name)

    def mgr_fail(self, name: str = '') -> str:
        """Fail the active mgr over; return the name of the failed one."""
        with self._hold('mgr', 'fail', name) as folder:
            with self._standing() as admin:
                return mgrs.fail(folder, admin, name)

    def wait_clean(self, timeout: float = 120) -> None:
        """Wait for all OSDs up, all PGs active+clean and a mgr."""
        try:
            with self._standing() as admin:
                bringup.wait_clean(self.folder(), admin, timeout, False)
        except ClusterError as error:
            raise CommandFailed(['wait'], error.errno, str(error)) from None

    def exec(
        self,
        argv: Sequence[str],
        stdin: str = '',
        timeout: float = 120,
        host: str = '',
    ) -> 'Done':
        """Run a tool inside; ask again while an answer is being made."""
        once = super().exec
        words = len(argv) > 1 and not host  # else it reads its input
        # while another thread has it, it is started anew
        if argv[0] == 'ceph' and words and self._turn.acquire(False):
            return self._tool(argv, stdin, timeout)
        return _asked(lambda: once(argv, stdin, timeout, host), timeout)

    def _tool(
        self, argv: Sequence[str], stdin: str, timeout: float
    ) -> 'Done':
        try:
            if self._kept is None:
                self._kept = Tool(self.folder())
            run = self._kept.run
            return _asked(lambda: run(argv, stdin, timeout), timeout)
        except BaseException:  # its answer would be that of the next
            self._forget()
            raise
        finally:
            self._turn.release()

    def _forget(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()

    def down(self) -> None:
        """Remove the cluster."""
        self._hang_up()
        super().down()

    def upgrade(self, release: str) -> None:
        """Restart all of it on a newer release, on the same data."""
        self._hang_up()
        self.release = release
        self.verb('upgrade')

    def _hang_up(self) -> None:
        self._close()
        self._forget()

    def _ask(self, requests: List[Request]) -> List[Dict[str, Any]]:
        """Ask over the standing connection."""
        with self._standing() as admin:
            return admin.ask(requests)

    @contextlib.contextmanager
    def _standing(self) -> Iterator[Admin]:
        """Yield the standing connection."""
        if self._admin is None:
            self._admin = Admin(self.folder())
        try:
            yield self._admin
        except BaseException:  # its answer would be that of the next
            self._close()
            raise

    def _close(self) -> None:
        admin, self._admin = self._admin, None
        if admin is not None:
            admin.close()

    def looks(self, questions: List[Question], to: str = 'mon') -> List[Any]:
        """Return the JSON output of several commands, None for failures."""
        requests = [
            Request(to, dict(fields, prefix=prefix, format='json'))
            for prefix, fields in questions
        ]
        answers = self._ask(requests)
        for i, request in enumerate(requests):
            while _in_progress(answers[i]['rc'], answers[i]['err']):
                time.sleep(0.1)
                answers[i] = self._ask([request])[0]
        return [None if a['rc'] else json.loads(a['out']) for a in answers]

    def pool_rm(self, name: str) -> None:
        """Remove a pool of others, as an administrator has to."""
        option = ('mon', 'mon_allow_pool_delete')
        self.ceph('config', 'set', *option, 'true', fmt='')
        words = ('osd', 'pool', 'rm', name, name)
        deadline = time.monotonic() + 10.0
        try:
            while True:  # the mons follow a moment later
                try:
                    self.ceph(*words, '--yes-i-really-really-mean-it', fmt='')
                    return
                except CommandFailed as error:
                    if error.returncode != errno.EPERM:
                        raise
                    if time.monotonic() > deadline:
                        raise
        finally:
            self.ceph('config', 'rm', *option, fmt='')

    def objects(self, pool: str, most: int = 1 << 30) -> List[str]:
        """Return names of a pool's objects; none where there is no pool."""
        command = {'pool': pool, 'list': most}
        (found,) = self._ask([Request('objects', command)])
        if found['rc'] == -errno.ENOENT:
            return []
        assert not found['rc'], found['err']
        names: List[str] = json.loads(found['out'])
        return names

    def sums(self, pool: str, names: Sequence[str]) -> List[str]:
        """Return the MD5 checksums of objects, all of which can be read."""
        return self._of_objects({'pool': pool, 'md5': list(names)})

    def fill(self, pool: str, names: Sequence[str], size: int) -> None:
        """Make objects of so many random bytes."""
        self._of_objects({'pool': pool, 'fill': list(names), 'bytes': size})

    def _of_objects(self, command: Dict[str, Any]) -> List[str]:
        (found,) = self._ask([Request('objects', command)])
        assert not found['rc'], found['err']
        told: List[str] = json.loads(found['out'])
        return told

    def look(self, prefix: str, to: str = 'mon', **fields: Any) -> Any:
        """Return the JSON output of one command, None when it fails."""
        return self.looks([(prefix, fields)], to)[0]
