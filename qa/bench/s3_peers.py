"""Run one S3 load by our generator or by warp, and meter its CPU.

Both are whole process groups, metered alike from outside: CPU-seconds
that the group used within the measured window, per operations that ended
in it. The window is the one that the tool's own result is about.
"""

from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

import bisect
import dataclasses
import glob
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

import inside
import rig  # noqa: F401  (puts our modules on the path)

from perfcompare.model.outcome import Outcome
from perfcompare.worker.interop import content, detect
from perfcompare.worker.interop.warp_csv import measure
from perfcompare.worker.wire.jobs import Access
from perfcompare.worker.wire.protocol import LEASE_TTL, Ended, Live, Ready
from perfcompare.worker.wire.reading import Measured
from perfcompare.worker.wire.s3_jobs import S3Fill, S3Load, S3Trial
from perfcompare.worker.wire.s3_spec import Endpoint, Weighted
from perfcompare.workers.process import ProcessLauncher

TICKS = os.sysconf('SC_CLK_TCK')
WARMUP = 1.0
SLACK = 1.0  # seconds between readings, where the machine is busy
# put, get, stat, delete: the mix of the study that users compare with
MIXES = {
    'put': (1.0, 0.0, 0.0, 0.0),
    'get': (0.0, 1.0, 0.0, 0.0),
    'stat': (0.0, 0.0, 1.0, 0.0),
    'mixed': (35.0, 45.0, 15.0, 5.0),
}


@dataclasses.dataclass(frozen=True)
class Target:
    """Say where the load goes; ``filled`` needs no objects to be written."""

    host: str
    port: int
    tls: bool = False
    access: str = 'AKIABENCH'
    secret: str = 'secret'
    ca_file: str = ''
    filled: bool = False


class Cell(NamedTuple):
    """Name one load."""

    op: str
    size: int
    concurrency: int

    @property
    def objects(self) -> int:
        """Return how many objects are read."""
        # a mix of warp needs more than it has operations in flight
        least = 64 if self.size > 1 << 20 else 512
        return max(least, self.concurrency + 1)


class Figures(NamedTuple):
    """Hold what a load made of itself."""

    ops_per_s: float
    cpu: float  # CPU-seconds per 1,000 operations
    p99: float  # seconds; nan: not known
    errors: int


def _running(process: str) -> float:
    """Return the CPU-seconds of a process's threads, to the nanosecond.

    Its own counters go by whole ticks, of which a light load has few, but
    hold the threads that ended as well.
    """
    total = 0
    for path in glob.glob(f'{process}/task/*/schedstat'):
        try:
            with open(path, encoding='ascii') as file:
                total += int(file.read().split()[0])
        except OSError:
            continue
    return total / 1e9


class GroupMeter(threading.Thread):
    """Read the CPU time of a process group, again and again."""

    def __init__(self, group: int) -> None:
        super().__init__(daemon=True)
        self._group = group
        self._ended = threading.Event()
        # the group has just begun: warp may measure from its start on
        self._samples: List[Tuple[float, float]] = [(time.time(), 0.0)]

    def run(self) -> None:
        """Read until stopped."""
        while not self._ended.is_set():
            used = self._used()
            if used:
                self._samples.append((time.time(), used))
            self._ended.wait(0.1)

    def _used(self) -> float:
        total = 0.0
        for path in glob.glob('/proc/[0-9]*/stat'):
            try:
                with open(path, encoding='ascii', errors='replace') as file:
                    fields = file.read().rpartition(')')[2].split()
            except OSError:
                continue
            if int(fields[2]) == self._group:
                # user and system time, its own and of reaped children
                own = sum(int(f) for f in fields[11:13]) / TICKS
                reaped = sum(int(f) for f in fields[13:15]) / TICKS
                total += max(own, _running(os.path.dirname(path))) + reaped
        return total

    def stop(self) -> None:
        """End reading."""
        self._ended.set()
        self.join()

    def between(self, begin: float, end: float) -> float:
        """Return the CPU-seconds used between two Unix times."""
        return self._at(end) - self._at(begin)

    def _at(self, when: float) -> float:
        times = [t for t, _ in self._samples]
        i = bisect.bisect_right(times, when)
        if i == len(times) and times and when - times[-1] < SLACK:
            return self._samples[-1][1]
        if not 0 < i < len(times):
            raise SystemExit('the meter missed the measured window')
        (t0, c0), (t1, c1) = self._samples[i - 1 : i + 1]
        return c0 + (c1 - c0) * (when - t0) / (t1 - t0)


def _common(target: Target, cell: Cell, folder: str) -> Dict[str, object]:
    keys = os.path.join(folder, 'keys')
    if not os.path.exists(keys):
        flags = os.O_WRONLY | os.O_CREAT
        with os.fdopen(os.open(keys, flags, 0o600), 'w') as file:
            json.dump(
                {'access_key': target.access, 'secret_key': target.secret},
                file,
            )
    # no cluster is behind it: the S3 jobs never open these
    access = Access('/dev/null', '/dev/null', 'client.bench', 'bench')
    return {
        'access': access,
        'concurrency': cell.concurrency,
        'endpoints': (Endpoint(target.host, target.port, target.tls),),
        'credentials': keys,
        'bucket': f'perfcompare-bench-{cell.size}',
        'ca_file': target.ca_file,
        'sizes': (Weighted(cell.size),),
        'objects': cell.objects,
        'prefix': 'reads-',
        'nice': 0,
    }


def work(
    job: S3Load,
    folder: str,
    measured: Callable[[], object] = lambda: None,
    python: Optional[str] = None,
) -> Tuple[Outcome, GroupMeter]:
    """Have a worker do a job as the manager would.

    ``measured`` is called when the measured window has begun; ``python`` is
    what runs the worker, None: what a manager of Ceph's release has.
    """
    told = False
    name = f'worker.{time.monotonic_ns()}'
    python = python or inside.python(folder)
    worker = ProcessLauncher(folder, python).worker(name)
    worker.start(job)
    assert worker.pid is not None
    meter = GroupMeter(worker.pid)
    meter.start()
    renewed = time.monotonic()
    try:
        while True:
            events = worker.poll()
            if any(isinstance(e, Ready) for e in events):
                worker.go()
            if any(isinstance(e, Ended) for e in events):
                break
            phases = [e.phase for e in events if isinstance(e, Live)]
            if 'measure' in phases and not told:
                told = True
                measured()
            if time.monotonic() > renewed + LEASE_TTL / 3:
                worker.renew()
                renewed = time.monotonic()
            time.sleep(0.2)
        return worker.outcome(), meter
    finally:
        worker.kill()
        meter.stop()
        worker.discard()


def trial_job(
    target: Target, cell: Cell, seconds: float, folder: str, rate: float = 0.0
) -> S3Trial:
    """Return the job of one load."""
    own = cell.op == 'mixed'
    values = _common(target, cell, folder)
    values['prefix'] = 'own-' if own else 'reads-'
    if cell.op == 'put':
        values['objects'] = 0
    if own:
        values['bucket'] = f'perfcompare-bench-{time.monotonic_ns()}'
    return S3Trial(
        **values,  # type: ignore[arg-type]
        deadline=seconds + 120.0,
        mix=MIXES[cell.op],
        duration=seconds,
        warmup=WARMUP,
        rate=rate,
        own=own,
        # as new as those of warp: to write over objects takes longer
        write_prefix=f'new-{time.monotonic_ns()}-',
        max_objects=10**8,
    )


def ours(
    target: Target, cell: Cell, seconds: float, python: Optional[str] = None
) -> Figures:
    """Run our generator."""
    folder = tempfile.mkdtemp(prefix='pc-bench-', dir='/var/tmp')
    try:
        reads = cell.op in ('get', 'stat')
        if reads and not target.filled:
            values = dict(_common(target, cell, folder), concurrency=16)
            work(
                S3Fill(**values, deadline=600.0),  # type: ignore[arg-type]
                folder,
                python=python,
            )
        outcome, meter = work(
            trial_job(target, cell, seconds, folder), folder, python=python
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = outcome.summary
    assert found is not None and found.ops_per_s
    cpu = meter.between(outcome.ended - found.window, outcome.ended)
    return Figures(
        found.ops_per_s,
        1000.0 * cpu / found.ops,
        found.percentiles.get('p99', float('nan')),
        found.errors,
    )


def warp(
    target: Target,
    cell: Cell,
    seconds: float,
    program: str = 'warp',
    full: bool = False,
) -> Figures:
    """Run warp with its payload unsigned, and warmed up, as ours is.

    ``full`` has warp 1.1 and later keep every request. By default these
    keep sums, from which the warm-up cannot be taken out again.
    """
    folder = tempfile.mkdtemp(prefix='pc-bench-', dir='/var/tmp')
    data = pathlib.Path(folder) / 'data'
    argv = [
        program, cell.op, '--host', f'{target.host}:{target.port}',
        '--obj.size', str(cell.size), '--concurrent', str(cell.concurrency),
        '--duration', f'{seconds + WARMUP:.0f}s', '--noclear',
        '--bucket', f'perfcompare-warp-{cell.size}', '--lookup', 'path',
        '--region', 'us-east-1', '--disable-sha256-payload', '--no-color',
        '--disable-multipart', '--benchdata', str(data),
    ]  # fmt: skip
    if cell.op != 'put':
        argv += ['--objects', str(cell.objects)]
    if cell.op == 'mixed':
        for op, share in zip(
            ('put', 'get', 'stat', 'delete'), MIXES['mixed']
        ):
            argv += [f'--{op}-distrib', f'{share:.0f}']
    if target.tls:
        argv += ['--tls', '--insecure']
    if full:
        argv.append('--full')
    env = dict(os.environ, WARP_ACCESS_KEY=target.access)
    env['WARP_SECRET_KEY'] = target.secret
    try:
        child = subprocess.Popen(
            argv,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd=folder,
        )
        meter = GroupMeter(child.pid)
        meter.start()
        try:
            output, _ = child.communicate(timeout=seconds + 180)
        finally:
            child.kill()
            meter.stop()
        if child.returncode:
            raise SystemExit(f'warp: {output[-800:].decode()}')
        found = _benchdata(str(data))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert found.started and found.duration and found.ops_per_s
    cpu = meter.between(found.started, found.started + found.duration)
    return Figures(
        found.ops_per_s,
        1000.0 * cpu / (found.ops_per_s * found.duration),
        found.percentiles.get('p99', float('nan')),
        found.errors or 0,
    )


def _benchdata(data: str) -> Measured:
    """Read what warp wrote: every request, or sums."""
    if os.path.exists(f'{data}.csv.zst'):
        with content.Content(f'{data}.csv.zst') as stream:
            return measure(detect.warp_benchdata(stream), WARMUP)
    with content.Content(f'{data}.json.zst') as stream:
        (found,) = detect.read(stream, 'warp').measured
    return found
