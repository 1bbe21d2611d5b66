"""Commands to the mon and the mgr over one connection."""

from typing import Any, Dict, List, Optional, Type

import dataclasses
import errno
import json
import subprocess
import types

from . import launch
from .messages import ClusterError, last_line
from .state import Cluster


@dataclasses.dataclass
class Request:
    """One command for the mon or the mgr, or a look at objects."""

    to: str
    cmd: Dict[str, Any]
    stdin: str = ''


def mon_request(prefix: str, stdin: str = '', **fields: Any) -> Request:
    """Return a request to the mon."""
    return Request('mon', dict(fields, prefix=prefix), stdin)


class Admin:
    """A connection as client.admin, made by a program inside."""

    def __init__(self, cluster: Cluster) -> None:
        self._process = launch.talker(
            cluster, 'rados_agent.py', subprocess.PIPE
        )
        self._answer()

    def __enter__(self) -> 'Admin':
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def _answer(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            _, text = self._process.communicate()
            raise ClusterError(
                'cannot connect to the mon: %s' % last_line(text),
                errno.ECONNREFUSED,
            )
        return json.loads(line)

    def ask(self, requests: List[Request]) -> List[Dict[str, Any]]:
        """Send commands at the same time; return their {rc, out, err}."""
        data = [dataclasses.asdict(request) for request in requests]
        for item in data:
            item['in'] = item.pop('stdin')
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(data) + '\n')
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        answers: List[Dict[str, Any]] = self._answer()
        return answers

    def must(self, requests: List[Request]) -> List[str]:
        """Send commands; return their outputs, raise when one fails."""
        answers = self.ask(requests)
        for request, answer in zip(requests, answers):
            if answer['rc']:
                raise ClusterError(
                    'ceph %s: %s'
                    % (request.cmd['prefix'], last_line(answer['err'])),
                    abs(answer['rc']),
                )
        return [answer['out'] for answer in answers]

    def mon(self, prefix: str, stdin: str = '', **fields: Any) -> str:
        """Run a mon command; return its output, raise when it fails."""
        return self.must([mon_request(prefix, stdin, **fields)])[0]

    def mgr(self, prefix: str, stdin: str = '', **fields: Any) -> str:
        """Run a mgr command; return its output, raise when it fails."""
        return self.must(
            [Request('mgr', dict(fields, prefix=prefix), stdin)]
        )[0]

    def json(self, prefix: str, **fields: Any) -> Any:
        """Run a mon command; return its JSON output."""
        return json.loads(self.mon(prefix, format='json', **fields))
