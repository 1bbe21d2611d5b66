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
    List,
    Optional,
    Sequence,
    Tuple,
)

import errno
import json
import os
import subprocess
import threading
import time

from cluster.admin import Admin, Request
from cluster.api import CommandFailed, MiniCluster
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
        if self._admin is not None:
            self._admin.close()
            self._admin = None
        self._forget()

    def _ask(self, requests: List[Request]) -> List[Dict[str, Any]]:
        """Ask over the standing connection."""
        if self._admin is None:
            self._admin = Admin(self.folder())
        return self._admin.ask(requests)

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
