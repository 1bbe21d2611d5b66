"""Keep gateways running until the manager has no more use for them."""

from typing import Any, Dict, List, Optional

import json
import os
import resource
import socket
import time

from ..runtime import procstat
from ..runtime.context import Context
from ..runtime.failure import Failure, one_line, scrub
from ..runtime.processes import Child
from ..wire.answering import answers
from ..wire.gateway_jobs import IDLE, Gateway
from ..wire.protocol import Beat
from ..wire.s3_spec import CONNECTIONS_MAX
from . import certificate
from .admin import scope, set_up
from .certificate import Certificate

START = 60.0  # seconds until a gateway answers
TERM = 30.0  # seconds that it gets to end by itself
STABLE = tuple(f'--{o.replace("_", "-")}=false' for o in IDLE)


def arguments(job: Gateway, frontend: str, folder: str) -> List[str]:
    """Return the command line of one gateway."""
    return [
        job.radosgw,
        '--foreground',
        *scope(job),
        '--rgw-data',
        folder,
        '--rgw-frontends',
        frontend,
        # by default a gateway refuses what is beyond 1,024; the cluster's
        # own setting, where there is one, counts
        f'--default-rgw-max-concurrent-requests={CONNECTIONS_MAX}',
        # keys of objects that random bytes are encrypted with
        *(() if job.tls else ('--rgw-crypt-require-ssl=false',)),
        '--log-file=',
        '--log-to-stderr=true',
        '--err-to-stderr=true',
        '--log-to-file=false',
        '--log-to-syslog=false',
        '--admin-socket=',
        '--debug-rgw=0/0',
        *STABLE,
    ]


class GatewayRun:
    """Start radosgw processes and end them again."""

    def __init__(self, job: Gateway, context: Context) -> None:
        self._job = job
        self._context = context
        self._children: List[Child] = []
        self._certificate: Optional[Certificate] = None
        self.endpoints: List[str] = []

    def tools(self) -> Dict[str, str]:
        """Return the version of the gateway program."""
        context = self._context
        child = context.children.start(
            'version', [self._job.radosgw, '--version']
        )
        while child.poll() is None:
            context.pause(0.05)
        if child.poll():
            raise Failure(
                'tool',
                f'program {self._job.radosgw!r} does not run: install the '
                'package radosgw on this host',
            )
        words = child.output().split()
        version = words[2] if len(words) > 2 else 'unknown'
        return {'radosgw': version}

    def prepare(self) -> None:
        """Make the zone and start all gateways; raise Failure if not."""
        keys = set_up(self._job, self._context)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        if self._job.tls:
            self._certificate = certificate.make(
                self._job.openssl, self._job.address, self._context
            )
        for index in range(self._job.count):
            self._start(index)
        private(self._job.credentials, keys)

    def _start(self, index: int) -> None:
        job, context = self._job, self._context
        port = free_port(job.address)
        host = f'[{job.address}]' if ':' in job.address else job.address
        folder = context.path(f'rgw.{index}.data')
        os.mkdir(folder, 0o700)
        argv = arguments(job, self._frontend(f'{host}:{port}'), folder)
        child = context.children.start(f'rgw.{index}', argv)
        self._children.append(child)
        end = time.monotonic() + START
        ca_file = self._certificate.path if self._certificate else ''
        while not answers(job.address, port, ca_file):
            self._alive()
            if time.monotonic() > end:
                raise Failure(
                    'gateway', f'a gateway did not answer within {START:g} s'
                )
            context.pause(0.1)
        scheme = 'https' if ca_file else 'http'
        self.endpoints.append(f'{scheme}://{host}:{port}')

    def _frontend(self, where: str) -> str:
        """Return what the gateway listens with.

        Without tcp_nodelay each small read waits 40 ms for an ACK.
        """
        files = self._certificate
        if files is None:
            return f'beast endpoint={where} tcp_nodelay=1'
        return (
            f'beast ssl_endpoint={where} ssl_certificate={files.path} '
            f'ssl_private_key={files.key} tcp_nodelay=1'
        )

    def _alive(self) -> None:
        for child in self._children:
            code = child.poll()
            if code is not None:
                why = scrub(one_line(child.errors()))
                raise Failure(
                    'gateway', f'a gateway ended with code {code}: {why}'
                )

    def facts(self) -> Dict[str, Any]:
        """Describe this host, and where the gateways answer."""
        return {
            **procstat.facts(),
            'endpoints': list(self.endpoints),
            'ca_file': self._certificate.path if self._certificate else '',
            'pids': [child.pid for child in self._children],
        }

    def run(self) -> Dict[str, Any]:
        """Stay until `stop`; end the gateways in order."""
        context = self._context
        said = 0.0
        try:
            while True:
                context.pause(0.5)
                self._alive()
                if time.monotonic() - said > 5.0:
                    said = time.monotonic()
                    context.outbox.emit(Beat(time.time(), 'gateways run'))
        except Failure as failure:
            if failure.kind != 'stopped':
                raise
        forced = self._end()
        return {
            'started': context.start[0],
            'ended': context.now(),
            'notes': (
                [f'{forced} gateways were killed after {TERM:g} s']
                if forced
                else []
            ),
        }

    def _end(self) -> int:
        """Ask all to end; kill those that do not, return how many."""
        for child in self._children:
            child.terminate()
        end = time.monotonic() + TERM
        left = self._children
        while left and time.monotonic() < end:
            time.sleep(0.1)
            left = [c for c in left if c.poll() is None]
        for child in left:
            child.kill()
        return len(left)


def free_port(address: str) -> int:
    """Return a port that nobody listens on."""
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.bind((address, 0))
        return int(sock.getsockname()[1])


def private(path: str, data: Dict[str, str]) -> None:
    """Write secrets to a file that nobody else can read."""
    if os.path.exists(path):
        os.unlink(path)  # of a gateway that was there before
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), 'w') as file:
        json.dump(data, file)
