"""The `rados` program: its command lines, output and complaints."""

from typing import Any, Dict, List, Optional, Sequence

import dataclasses
import json
import math
import os
import re
import shutil
import socket
import struct
import subprocess

from ...runtime.failure import Failure, keyring_secrets, one_line, scrub
from ...runtime.processes import leashed
from ...wire.jobs import Access

# librados lets no more bytes and operations than these be in flight, so a
# higher concurrency would be one on paper only.
INFLIGHT_BYTES = 100 << 20
INFLIGHT_OPS = 1024

PRINTED = 1e-6  # seconds, in steps of which it prints a mean latency


@dataclasses.dataclass(frozen=True)
class Sample:
    """Hold the totals that `rados bench` knew ``t`` s after its start."""

    t: float
    started: int
    finished: int
    waited: float  # seconds: the latencies of all finished operations


@dataclasses.dataclass(frozen=True)
class Bench:
    """Hold the outcome of one `rados bench` process."""

    samples: List[Sample]  # about one per second, the last one at the end
    seconds: float  # ramp and drain included
    ops: int
    size: int
    latency_max: Optional[float]
    prefix: str = ''  # of the objects' names; writes only


def connect_args(access: Access, socket_name: str = '') -> List[str]:
    """Return the program with what it needs to reach the cluster."""
    args = [access.rados, '-c', access.conf, '--keyring', access.keyring]
    args += ['-n', access.entity, '--log-file=']
    if socket_name:
        # of its own: ceph.conf may name one path for all clients
        args += ['--admin-socket', socket_name]
    return args + ['-p', access.pool]


def bench_args(
    access: Access,
    op: str,
    seconds: int,
    concurrency: int,
    size: int,
    run_name: str,
    max_objects: int,
    socket_name: str,
    part: int = 0,
) -> List[str]:
    """Return the command line of one `rados bench` process."""
    args = connect_args(access, socket_name)
    args += raised_limits(concurrency, size)
    args += ['bench', str(seconds), op, '-t', str(concurrency)]
    args += ['--run-name', run_name, '--format', 'json']
    if op == 'write':
        args += ['-b', str(part or size), '-O', str(size), '--no-cleanup']
        args += ['--max-objects', str(max_objects)]
    else:
        args += ['--no-verify']
    return args


def raised_limits(concurrency: int, size: int) -> List[str]:
    """Raise librados' limits where they are below what was asked for."""
    args = []
    if concurrency * size > INFLIGHT_BYTES:
        args += [f'--objecter-inflight-op-bytes={2 * concurrency * size}']
    if concurrency > INFLIGHT_OPS:
        args += [f'--objecter-inflight-ops={2 * concurrency}']
    return args


def parse(text: str) -> Bench:
    """Read the JSON that `rados bench` prints at its end.

    Raises Failure when it is cut or holds what cannot be. The samples'
    times are exact although only whole seconds are printed: the program
    divides by the true time to get ``avg_bw``.
    """
    start = text.find('{')
    if start < 0:
        raise Failure('load', 'rados bench printed no result')
    try:
        data = json.loads(text[start:])
        size = int(data.get('op_size') or _total(data, 'size'))
        rows = [_row(row, size) for row in data['datas']]
        seconds = float(data['total_time_run'])
        ops = int(_total(data, 's_made'))
        waited = float(data['average_latency']) * ops
        worst = float(data['max_latency'])
    except (ValueError, LookupError, TypeError) as error:
        raise Failure(
            'load', f'the result of rados bench cannot be read: {error!r}'
        ) from None
    samples = _in_order(rows, seconds)
    if ops > 0:
        samples.append(Sample(seconds, ops, ops, waited))
    return Bench(
        samples=samples,
        seconds=seconds,
        ops=ops,
        size=size,
        latency_max=worst if ops and math.isfinite(worst) else None,
        prefix=str(data.get('object_prefix', '')),
    )


def _total(data: Dict[str, Any], what: str) -> Any:
    names = {
        'size': ('write_size', 'read_size'),
        's_made': ('total_writes_made', 'total_reads_made'),
    }[what]
    return data[names[0] if names[0] in data else names[1]]


def _row(row: Dict[str, str], size: int) -> Sample:
    finished, rate = int(row['finished']), float(row['avg_bw'])
    second = int(row['sec'])
    t = float(second)
    if finished > 0 and rate > 0 and math.isfinite(rate):
        exact = finished * size / (rate * (1 << 20))
        # six digits are too few for rates of some bytes per second; and
        # the printer can be late, never early
        if exact * 5e-7 / rate < 0.02 and exact > second - 0.1:
            t = exact
    return Sample(
        t, int(row['started']), finished, float(row['avg_lat']) * finished
    )


def _in_order(rows: Sequence[Sample], seconds: float) -> List[Sample]:
    kept = [Sample(0.0, 0, 0, 0.0)]
    for row in rows:
        last = kept[-1]
        if last.t < row.t < seconds and row.finished >= last.finished:
            kept.append(row)
    return kept


def complaint(
    access: Access, code: Optional[int], errors: str, what: str
) -> Failure:
    """Turn a failed `rados` process into one line with a fitting kind."""
    text = scrub(one_line(errors), keyring_secrets(access.keyring))
    kinds = (
        (r'cannot run', 'tool'),
        (r'error opening pool', 'pool'),
        (r'Must write data|read got -2\b', 'population'),
        (r'\((28|122)\) ', 'full'),
        (r'monclient|mon config|authenticat|couldn.t connect', 'access'),
        (r'\((1|13)\) (Operation not|Permission)', 'access'),
        (r'keyring', 'access'),
    )
    kind = next((k for p, k in kinds if re.search(p, text)), 'load')
    if code is not None and code < 0:
        ended = f'was killed by signal {-code}'
    else:
        ended = f'failed with code {code}'
    return Failure(kind, f'{what} {ended}: {text or "no message"}')


def run(
    access: Access, args: Sequence[str], timeout: float, what: str
) -> 'subprocess.CompletedProcess[bytes]':
    """Run a short `rados` command; Failure when it does not end in time."""
    try:
        return subprocess.run(
            leashed(connect_args(access) + list(args)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        raise Failure(
            'deadline', f'{what}: no answer of the cluster in {timeout:g} s'
        ) from None


def version(access: Access) -> str:
    """Return the version of the program; Failure when it is not there."""
    if shutil.which(access.rados) is None:
        raise Failure(
            'tool',
            f'program {access.rados!r} was not found: install ceph-common '
            'on this host',
        )
    try:
        done = subprocess.run(
            [access.rados, '--version'],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(
            'tool', f'cannot run {access.rados!r}: {error}'
        ) from None
    text = done.stdout.decode('utf-8', 'replace')
    if done.returncode:
        raise Failure(
            'tool', f'{access.rados!r} does not work: {one_line(text)}'
        )
    return one_line(text)


@dataclasses.dataclass(frozen=True)
class Metadata:
    """Hold what a write of `rados bench` leaves under its run name."""

    size: int
    objects: int  # or writes, where each object takes several
    pid: int

    def object_name(self, index: int) -> str:
        """Name object ``index`` as a reader on this host will."""
        host = os.fsencode(socket.gethostname())[:29].decode()
        return f'benchmark_data_{host}_{self.pid}_object{index}'


def metadata(access: Access, run_name: str) -> Optional[Metadata]:
    """Read the object ``run_name``; None when there is none."""
    done = run(access, ['get', run_name, '-'], 30, f'reading {run_name!r}')
    if done.returncode:
        errors = done.stderr.decode('utf-8', 'replace')
        if '(2) No such file' in errors and 'opening pool' not in errors:
            return None
        raise complaint(
            access, done.returncode, errors, f'reading {run_name!r}'
        )
    try:
        size, objects, pid = struct.unpack_from('<Qii', done.stdout)
    except struct.error:
        return None
    return Metadata(size, objects, pid)


def object_size(access: Access, name: str) -> Optional[int]:
    """Return the size of object ``name``; None when it does not exist."""
    done = run(access, ['stat', name], 30, f'looking for {name!r}')
    match = re.search(rb'size (\d+)\s*$', done.stdout)
    return int(match.group(1)) if match and not done.returncode else None
