"""A mini cluster with a standing connection, to look at it often.

The `ceph` tool takes half a second of CPU for each command; what a test
*does* goes through it, what it only *looks at* comes by this connection.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import errno
import json
import subprocess
import threading
import time

from cluster.admin import Admin, Request
from cluster.api import CommandFailed, MiniCluster
from cluster.state import Cluster

Question = Tuple[str, Dict[str, Any]]


def _in_progress(code: int, text: str) -> bool:
    """Say whether the module's answer is being made."""
    return abs(code) == errno.EAGAIN and 'the same command again' in text


class LiveCluster(MiniCluster):
    """Be a mini cluster that answers looks at once."""

    _admin: Optional[Admin] = None
    # threads of a test act by turns: the program runs once at a time
    _acting = threading.Lock()

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
    ) -> 'subprocess.CompletedProcess[str]':
        """Run a tool inside; ask again while an answer is being made."""
        deadline = time.monotonic() + timeout
        while True:
            done = super().exec(argv, stdin, timeout, host)
            if not _in_progress(done.returncode, done.stderr):
                return done
            if time.monotonic() > deadline:
                return done
            time.sleep(0.3)

    def down(self) -> None:
        """Remove the cluster."""
        if self._admin is not None:
            self._admin.close()
            self._admin = None
        super().down()

    def looks(self, questions: List[Question], to: str = 'mon') -> List[Any]:
        """Return the JSON output of several commands, None for failures."""
        if self._admin is None:
            self._admin = Admin(Cluster(self.dir))
        requests = [
            Request(to, dict(fields, prefix=prefix, format='json'))
            for prefix, fields in questions
        ]
        answers = self._admin.ask(requests)
        for i, request in enumerate(requests):
            while _in_progress(answers[i]['rc'], answers[i]['err']):
                time.sleep(0.1)
                answers[i] = self._admin.ask([request])[0]
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

    def look(self, prefix: str, to: str = 'mon', **fields: Any) -> Any:
        """Return the JSON output of one command, None when it fails."""
        return self.looks([(prefix, fields)], to)[0]
