"""Start programs inside the cluster and end them again."""

from typing import Dict, List, Optional, Sequence

import errno
import os
import pathlib
import signal
import subprocess
import sys
import time

from .messages import ClusterError, last_line
from .settings import ARM_ROOT, QEMU_CPU, SHIM
from .state import Cluster, Process
from .topology import Host


def entered(
    cluster: Cluster, host: str, argv: Sequence[str], group: str = ''
) -> List[str]:
    """Return the command line that runs `argv` inside the cluster."""
    return [
        sys.executable,
        '-m',
        cluster.entering,
        str(cluster.dir),
        host,
        group,
        '--',
    ] + list(argv)


def talker(
    cluster: Cluster, program: str, errors: int
) -> 'subprocess.Popen[str]':
    """Start a program of this folder inside, which answers line by line.

    ``errors`` is what subprocess takes for standard error.
    """
    source = pathlib.Path(__file__).with_name(program)
    words = ['python3', '-c', source.read_text(encoding='utf-8')]
    return subprocess.Popen(
        entered(cluster, '', [*words, str(cluster.conf)]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        universal_newlines=True,
        env=outer_environment(),
    )


def outer_environment() -> Dict[str, str]:
    """Return this process's environment, able to import this package."""
    environment = dict(os.environ)
    package = pathlib.Path(__file__).resolve().parents[1]
    environment['PYTHONPATH'] = str(package)
    return environment


def emulated(argv: Sequence[str], preload: str) -> List[str]:
    """Return the command line of an arm64 program under the emulator."""
    command = [ARM_ROOT + '/qemu-aarch64', '-cpu', QEMU_CPU, '-L', ARM_ROOT]
    if preload:
        command += ['-E', 'LD_PRELOAD=' + preload]
    return command + [ARM_ROOT + argv[0]] + list(argv[1:])


def on_host(
    host: Host, argv: Sequence[str], preload: str = SHIM
) -> List[str]:
    """Return a command line as this host runs it, emulated or not."""
    return emulated(argv, preload) if host.emulated else list(argv)


def start(
    cluster: Cluster,
    name: str,
    host: str,
    argv: Sequence[str],
    group: str = '',
) -> 'subprocess.Popen[bytes]':
    """Start a daemon in the background and record it under `name`."""
    log = cluster.dir / 'log' / (name + '.out')
    with open(log, 'ab') as out:
        child = subprocess.Popen(
            entered(cluster, host, argv, group),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env=outer_environment(),
            cwd='/',
        )
    cluster.record(name, child.pid)
    return child


def run(
    cluster: Cluster,
    argv: Sequence[str],
    host: str = '',
    stdin: str = '',
    timeout: float = 60,
) -> str:
    """Run a tool inside the cluster; return its output, raise if it fails."""
    try:
        done = subprocess.run(
            entered(cluster, host, argv),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            env=outer_environment(),
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        raise ClusterError(
            '%s gave no answer in %d s' % (argv[0], timeout),
            errno.ETIMEDOUT,
        ) from None
    if done.returncode:
        raise ClusterError(
            '%s failed: %s' % (argv[0], last_line(done.stderr)),
            errno.EIO,
        )
    return done.stdout


def end(process: Optional[Process], sig: int, patience: float) -> bool:
    """Send a signal and wait; tell whether the process is gone."""
    if process is None:
        return True
    if process.alive():
        os.kill(process.pid, sig)
        if sig == signal.SIGTERM:
            # A frozen process would not see the request.
            os.kill(process.pid, signal.SIGCONT)
    return wait_gone([process], patience)


def wait_gone(processes: Sequence[Process], patience: float) -> bool:
    """Wait until all are gone; reap those that are our own children."""
    deadline = time.monotonic() + patience
    while True:
        for process in processes:
            try:
                os.waitpid(process.pid, os.WNOHANG)
            except ChildProcessError:
                pass
        if not any(process.alive() for process in processes):
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)


def log_tail(cluster: Cluster, name: str) -> str:
    """Return the last line that a daemon printed, for a message."""
    for suffix in ('.out', '.log'):
        path = cluster.dir / 'log' / (name + suffix)
        if path.exists() and path.stat().st_size:
            return last_line(path.read_text('utf-8', errors='replace'))
    return 'nothing in its log'
