"""The programs that load and reduction need: found, asked, remembered.

Asking runs in the caller's thread, without a shell, all programs at once,
under one common time limit; answers are kept until the program changes.
"""

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import dataclasses
import logging
import os
import re
import shutil
import signal
import subprocess
import threading

from ...common.clock import SYSTEM
from ...ports.clock import Clock

log = logging.getLogger(__name__)

# what builds an image with those that Ceph's own may lack, by name
BUILD_ARGS = {
    'numpy': 'WITH_NUMPY=yes',
    'fio': 'WITH_FIO=yes',
    'fio-engine-rbd': 'WITH_FIO=yes',
}
TIMEOUT = 5.0  # seconds, for all programs together
RETRY = 60.0  # seconds until a failed answer is asked for again


class ToolSpec(NamedTuple):
    """Say how to ask for a tool, what needs it and who packages it."""

    name: str
    argv: Tuple[str, ...]
    need: str
    deb: str
    rpm: str
    version: str = r'version v?([0-9][^\s()]*)'
    required: bool = False
    used: bool = True  # where nobody asks for it by an option


SPECS: Tuple[ToolSpec, ...] = (
    ToolSpec(
        'rados',
        ('rados', '--version'),
        'all load; without it no run starts',
        'ceph-common',
        'ceph-common',
        required=True,
    ),
    ToolSpec(
        'python3',
        ('python3', '--version'),
        'the worker of each trial; without it no run starts',
        'python3',
        'python3',
        version=r'Python ([0-9]\S*)',
        required=True,
    ),
    ToolSpec(
        'numpy',
        ('python3', '-c', 'import numpy; print(numpy.__version__)'),
        'reducing long series in the worker; all else works without it',
        'python3-numpy',
        'python3-numpy',
        version=r'^([0-9]\S*)',
    ),
    ToolSpec(
        'python3-rados',
        (
            'python3',
            '-c',
            'import rados; v = rados.Rados(conf={}).version(); '
            'print(v.major, v.minor, v.extra, sep=".")',
        ),
        'latency percentiles of RADOS loads; all else works without it',
        'python3-rados',
        'python3-rados',
        version=r'^([0-9]\S*)',
    ),
    ToolSpec(
        'radosgw',
        ('radosgw', '--version'),
        'S3 workloads through private gateways; all else works without it',
        'radosgw',
        'ceph-radosgw',
    ),
    ToolSpec(
        'radosgw-admin',
        ('radosgw-admin', '--version'),
        'S3 workloads through gateways that the run makes; all else works '
        'without it',
        'ceph-common',
        'ceph-common',
    ),
    ToolSpec(
        'openssl',
        ('openssl', 'version'),
        'S3 workloads with --s3-tls; all else works without it',
        'openssl',
        'openssl',
        version=r'^OpenSSL ([0-9]\S*)',
    ),
    ToolSpec(
        'fio',
        ('fio', '--version'),
        'RBD workloads; without it --rbd-client bench',
        'fio',
        'fio',
        version=r'fio-([0-9]\S*)',
        used=False,
    ),
    ToolSpec(
        'fio-engine-rbd',
        ('fio', '--enghelp=rbd'),
        'RBD workloads; without it --rbd-client bench',
        'fio',
        'fio-engine-rbd',
        used=False,
    ),
    ToolSpec(
        'rbd',
        ('rbd', '--version'),
        'RBD workloads',
        'ceph-common',
        'ceph-common',
        used=False,
    ),
    ToolSpec(
        'warp',
        ('warp', '--version'),
        '--s3-client warp',
        '',
        '',
        used=False,
    ),
    ToolSpec(
        'zstd',
        ('zstd', '--version'),
        '--s3-client warp, and importing files compressed by zstd',
        'zstd',
        'zstd',
        version=r'v([0-9][^\s,]*)',
        used=False,
    ),
)


@dataclasses.dataclass(frozen=True)
class Tool:
    """Report one tool: where it is and which version, or what is wrong."""

    name: str
    path: Optional[str]  # None: not installed
    version: Optional[str]  # None: it gave none
    problem: str  # empty when it can be used
    need: str
    deb: str
    rpm: str
    required: bool
    used: bool = True

    @property
    def usable(self) -> bool:
        """Say whether the tool is there and answered."""
        return not self.problem

    @property
    def remedy(self) -> str:
        """Return which package to install, empty when not needed."""
        if self.usable:
            return ''
        if not self.deb:
            return 'no distribution packages it: install it by hand'
        if self.deb == self.rpm:
            way = f'install the package {self.deb}'
        else:
            way = f'install {self.deb} (Debian) or {self.rpm} (RPM)'
        if self.name not in BUILD_ARGS:
            return way
        return (
            f'{way}; with cephadm build an image with --build-arg '
            + BUILD_ARGS[self.name]
        )


State = Tuple[object, ...]  # what changes when a program is replaced
_Started = Tuple[ToolSpec, State, Optional['subprocess.Popen[bytes]'], str]


class Toolbox:
    """Find the tools and remember their versions; safe to share."""

    def __init__(
        self,
        specs: Sequence[ToolSpec] = SPECS,
        path: Optional[str] = None,
        timeout: float = TIMEOUT,
        clock: Clock = SYSTEM,
    ) -> None:
        self._clock = clock
        self._specs = tuple(specs)
        self._path = path
        self._timeout = timeout
        self._lock = threading.Lock()
        # by name: what the program was when it was asked, and its answer
        self._known: Dict[str, Tuple[State, float, Tool]] = {}

    def get(self, name: str) -> Tool:
        """Return one tool by its name; KeyError when there is no such."""
        return self.all((name,))[name]

    def all(self, names: Optional[Sequence[str]] = None) -> Dict[str, Tool]:
        """Return the tools by name, asking only those not yet known."""
        specs = [s for s in self._specs if names is None or s.name in names]
        with self._lock:
            found: Dict[str, Tool] = {}
            to_ask = []
            for spec in specs:
                state = self._state(spec)
                known = self._known.get(spec.name)
                if (
                    known
                    and known[0] == state
                    and (
                        known[2].usable or self._clock.monotonic() < known[1]
                    )
                ):
                    found[spec.name] = known[2]
                else:
                    to_ask.append((spec, state))
            for spec, state, tool in self._ask(to_ask):
                self._known[spec.name] = (
                    state,
                    self._clock.monotonic() + RETRY,
                    tool,
                )
                found[spec.name] = tool
        return {spec.name: found[spec.name] for spec in specs}

    def _state(self, spec: ToolSpec) -> State:
        """Return what changes when the program is replaced."""
        path = shutil.which(spec.argv[0], path=self._path)
        if path is None:
            return (None,)
        try:
            info = os.stat(path)
        except OSError:
            return (None,)
        return (path, info.st_ino, info.st_mtime_ns)

    def _ask(
        self, to_ask: Sequence[Tuple[ToolSpec, State]]
    ) -> List[Tuple[ToolSpec, State, Tool]]:
        """Start all programs, then collect within one time limit."""
        deadline = self._clock.monotonic() + self._timeout
        started: List[_Started] = []
        for spec, state in to_ask:
            started.append((spec, state, *_start(spec, state)))
        results = []
        for spec, state, child, problem in started:
            version = None
            if child is not None:
                version, problem = _answer(
                    spec, child, deadline - self._clock.monotonic()
                )
            path = state[0] if isinstance(state[0], str) else None
            results.append((spec, state, _tool(spec, path, version, problem)))
        return results


def _start(
    spec: ToolSpec, state: State
) -> Tuple[Optional['subprocess.Popen[bytes]'], str]:
    """Start the program; return it, or None and the problem."""
    path = state[0]
    if not isinstance(path, str):
        return None, 'not installed'
    try:
        child = subprocess.Popen(
            [path, *spec.argv[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return None, f'cannot be started: {error.strerror}'
    return child, ''


def _tool(
    spec: ToolSpec,
    path: Optional[str],
    version: Optional[str],
    problem: str,
) -> Tool:
    return Tool(
        spec.name,
        path,
        version,
        problem,
        spec.need,
        spec.deb,
        spec.rpm,
        spec.required,
        spec.used,
    )


def _answer(
    spec: ToolSpec, child: 'subprocess.Popen[bytes]', seconds: float
) -> Tuple[Optional[str], str]:
    """Return the version and the problem; the child is gone after."""
    try:
        output, _ = child.communicate(timeout=max(0.0, seconds))
    except subprocess.TimeoutExpired:
        _end(child)
        log.warning('%s did not answer in time', ' '.join(spec.argv))
        return None, 'did not answer in time'
    text = output.decode('utf-8', 'replace').strip()
    if child.returncode != 0:
        lines = text.splitlines()
        reason = lines[-1] if lines else f'exit code {child.returncode}'
        if 'No module' in reason:
            return None, 'not installed'
        return None, f'failed: {reason[:120]}'
    match = re.search(spec.version, text, re.MULTILINE)
    return (match.group(1) if match else None), ''


def _end(child: 'subprocess.Popen[bytes]') -> None:
    """Kill the child with its own children, and never wait for long."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except OSError:
        child.kill()
    try:
        child.communicate(timeout=1.0)
    except subprocess.TimeoutExpired:
        log.warning('process %d does not end', child.pid)
        if child.stdout:
            child.stdout.close()
