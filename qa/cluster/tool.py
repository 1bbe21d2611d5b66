"""The `ceph` tool of a cluster, started once for many commands."""

from typing import Any, Dict, Sequence

import json
import select
import subprocess

from . import launch
from .state import Cluster


class Tool:
    """The tool's own main program, in a process that stays.

    For one thread at a time.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._process = launch.talker(
            cluster, 'ceph_agent.py', subprocess.DEVNULL
        )
        self._answer(60.0)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def run(
        self, argv: Sequence[str], stdin: str, timeout: float
    ) -> 'subprocess.CompletedProcess[str]':
        """Run a command as ``subprocess.run`` does.

        Raises TimeoutExpired, and EOFError where it has ended.
        """
        assert self._process.stdin
        request = {'words': list(argv[1:]), 'in': stdin}
        try:
            self._process.stdin.write(json.dumps(request) + '\n')
            self._process.stdin.flush()
        except BrokenPipeError:
            raise EOFError('the tool has ended') from None
        found = self._answer(timeout)
        return subprocess.CompletedProcess(
            argv, found['rc'], found['out'], found['err']
        )

    def _answer(self, timeout: float) -> Dict[str, Any]:
        out = self._process.stdout
        assert out
        # one line for each request: nothing waits in the buffer
        if not select.select([out], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(['ceph'], timeout)
        line = out.readline()
        if not line:
            raise EOFError('the tool has ended')
        found: Dict[str, Any] = json.loads(line)
        return found
