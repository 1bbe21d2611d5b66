"""Load a hostile gateway by a real worker, and hold it to its promises."""

from typing import Any, Dict, List, NamedTuple, Tuple

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from perfcompare.tests.fakes.hostile_gateway import MODES
from perfcompare.worker.loads.s3.loop import GRACE
from perfcompare.worker.loads.s3.recorder import NAMES
from perfcompare.worker.wire.jobs import Access
from perfcompare.worker.wire.protocol import Ended, Ready
from perfcompare.worker.wire.s3_jobs import S3Trial
from perfcompare.worker.wire.s3_spec import (
    OPS,
    PART_LEAST,
    Details,
    Endpoint,
    Weighted,
)
from perfcompare.workers.outcomes import WorkerFailed
from perfcompare.workers.process import ProcessLauncher

SERVER = 'perfcompare.tests.fakes.hostile_gateway'
PLACE = pathlib.Path(__file__).parents[3]
# copied once: pytest changes it while threads would copy it
ENVIRONMENT = {**os.environ, 'PYTHONPATH': str(PLACE)}
CONNECTIONS = 8
RATE = 100.0  # operations/s of the open loop
RATE_OF_LARGE = 10.0
TIMEOUT = 1.5  # seconds of an operation
SLACK = 30.0  # seconds that a busy machine may need
MEMORY = 120 << 20  # bytes that a generator process has at most
GROWTH = 12 << 20  # bytes that it grows by while there is load
MIXES: Dict[str, Dict[str, float]] = {
    'both': {'put': 50, 'get': 50},
    'put': {'put': 100},
    'get': {'get': 100},
    'range': {'range': 100},
    'list': {'list': 100},
    'copy': {'copy': 100},
    'multipart': {'multipart': 100},
    'multidelete': {'put': 80, 'multidelete': 20},
    'many': {
        'put': 40, 'overwrite': 10, 'range': 20, 'list': 10, 'copy': 10,
        'multidelete': 10,
    },
}  # fmt: skip
NAMED = '|'.join(OPS)
DETAILS = Details(
    range_size=1024, list_keys=8, delete_batch=4, part_streams=2
)
# how attempts to connect fail, and operations of connections that were new
CONNECT = (
    'ECONNRESET|EPIPE|closed|closed at once|closed while idle|timeout|'
    'bytes while idle|TLS: .*|certificate not trusted'
)


class Cell(NamedTuple):
    """Name one load."""

    mode: str
    loop: str  # closed or open
    share: float  # of requests or connections that are treated badly
    checksum: str = ''  # behind what is written


class Found(NamedTuple):
    """Hold what both sides counted, and what was wrong with it."""

    cell: Cell
    seconds: float
    ops: int
    errors: Dict[str, int]
    attempts: Dict[str, int]
    retried: int
    reconnects: int
    failure: str
    server: Dict[str, Any]
    memory: Tuple[int, int]  # bytes, at first and at most
    problems: Tuple[str, ...] = ()

    def row(self) -> List[str]:
        """Return a row of a table."""
        server = self.server
        return [
            self.cell.mode,
            self.cell.loop,
            f'{self.cell.share:g}',
            f'{self.seconds:.1f}',
            f'{self.ops}/{server.get("good", 0)}',
            f'{sum(self.errors.values())}/{server.get("bad", 0)}',
            str(self.retried),
            f'{server["crowd"]:.0f}',
            f'{(self.memory[1] - self.memory[0]) >> 20}',
            '; '.join(self.problems) or 'held',
        ]


COLUMNS = (
    'mode', 'loop', 'share', 's', 'good: ours/its', 'bad: ours/its',
    'retried', 'conn/s', 'MiB more', 'verdict',
)  # fmt: skip


def measure(
    cell: Cell,
    folder: pathlib.Path,
    seconds: float,
    certificates: Tuple[str, ...],
    pause: float = 0.0,
) -> Found:
    """Load a gateway for ``seconds``; say what became of it.

    ``certificates`` are certificate and key, and those of a stranger.
    The gateway rests for ``pause`` seconds after each good answer.
    """
    folder.mkdir(parents=True)
    spec = MODES[cell.mode]
    argv = [
        sys.executable,
        '-m',
        SERVER,
        cell.mode,
        '--share',
        str(cell.share),
    ]
    argv += ['--burst', str(_connections(cell)), '--pause', str(pause)]
    if spec.tls:
        argv += ['--certificates', *certificates]
    server = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    try:
        assert server.stdin is not None and server.stdout is not None
        port = int(server.stdout.readline())
        found = _load(cell, folder, seconds, port, certificates[0])
        server.stdin.close()
        counts = json.loads(server.stdout.readline())
    finally:
        server.kill()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()
    found = found._replace(server=counts)
    return found._replace(problems=tuple(_problems(found, seconds)))


def _job(
    cell: Cell, folder: pathlib.Path, seconds: float, port: int, ca: str
) -> S3Trial:
    spec = MODES[cell.mode]
    keys = folder / 'keys'
    keys.write_text(json.dumps({'access_key': 'A', 'secret_key': 'S'}))
    keys.chmod(0o600)
    rate = RATE if spec.size <= 1 << 20 else RATE_OF_LARGE
    return S3Trial(
        access=Access('/dev/null', '/dev/null', 'client.x', 'p'),
        deadline=seconds + GRACE + SLACK,
        concurrency=CONNECTIONS,
        endpoints=(Endpoint('localhost', port, bool(spec.tls)),),
        credentials=str(keys),
        bucket='b',
        prefix='r-',
        objects=64,
        sizes=(Weighted(spec.size),),
        mix=tuple(float(MIXES[spec.ops].get(op, 0)) for op in OPS),
        details=dataclasses.replace(
            DETAILS, part_size=PART_LEAST, checksum=cell.checksum
        ),
        duration=seconds,
        write_prefix='new-',
        max_objects=10**7,
        timeout=TIMEOUT,
        rate=rate if cell.loop == 'open' else 0.0,
        verify=spec.verify,
        ca_file=ca if spec.tls else '',
        processes=1,
    )


def _load(
    cell: Cell, folder: pathlib.Path, seconds: float, port: int, ca: str
) -> Found:
    worker = ProcessLauncher(str(folder / 'run'), sys.executable).worker('w')
    worker.start(_job(cell, folder, seconds, port, ca))
    began = time.monotonic()
    first = most = 0
    gone = False
    try:
        while time.monotonic() < began + seconds + GRACE + 2 * SLACK:
            events = worker.poll()
            if any(isinstance(e, Ready) for e in events):
                worker.go()
                gone, began = True, time.monotonic()
            if any(isinstance(e, Ended) for e in events):
                break
            worker.renew()
            time.sleep(0.1)
            memory = _memory(worker.pid or 0)
            most = max(most, memory)
            if gone and not first and time.monotonic() > began + 0.5:
                first = memory
        took = time.monotonic() - began
        try:
            outcome = worker.outcome()
        except WorkerFailed as failed:
            return Found(
                cell, took, 0, {}, {}, 0, 0, str(failed), {}, (first, most)
            )
    finally:
        worker.kill()
        worker.discard()
    client = outcome.evidence
    return Found(
        cell,
        took,
        sum(row['ops'] for row in client['operations'].values()),
        client['errors'],
        client['attempts'],
        client['retried'],
        client['reconnects'],
        '',
        {},
        (first, most),
    )


def _memory(group: int) -> int:
    """Return the bytes of a worker's load process; 0 where there is none."""
    try:
        with open(
            f'/proc/{group}/task/{group}/children', encoding='ascii'
        ) as file:
            children = file.read().split()
    except OSError:
        return 0
    most = 0
    for child in children:
        try:
            with open(f'/proc/{child}/statm', encoding='ascii') as file:
                most = max(most, int(file.read().split()[1]) * 4096)
        except OSError:
            continue
    return most


def _problems(found: Found, seconds: float) -> List[str]:
    cell, server = found.cell, found.server
    spec = MODES[cell.mode]
    wrong = []
    if found.seconds > seconds + GRACE + SLACK:
        wrong.append(f'it took {found.seconds:.0f} s')
    if not spec.fresh and server['crowd'] > 100:
        wrong.append(f'{server["crowd"]:.0f} connections/s')
    if found.memory[1] > MEMORY:
        wrong.append(f'{found.memory[1] >> 20} MiB')
    if found.memory[0] and found.memory[1] - found.memory[0] > GROWTH:
        wrong.append('memory grew')
    if 'garbage' in server:
        wrong.append(f'{server["garbage"]} requests of leftovers')
    wrong += _misnamed(found, spec.names)
    if not found.failure:
        wrong += _miscounted(found)
    return wrong


def _misnamed(found: Found, names: str) -> List[str]:
    cell = found.cell
    known = f'({names}|timeout|unfinished|other errors)'
    if MODES[cell.mode].accept:
        known = f'({names}|{CONNECT}|unfinished|ECONNREFUSED)'
    if not names:
        known = 'timeout' if cell.loop == 'open' else ''
    if len(found.errors) > NAMES:
        return [f'{len(found.errors)} names']
    named = [n for n in found.errors if n != 'never begun']
    wrong = [
        f'named {name!r}'
        for name in named
        if not re.fullmatch(f'({NAMED}) {known}', name)
    ]
    wrong += [
        f'connect {name!r}'
        for name in found.attempts
        if not re.fullmatch(CONNECT, name)
    ]
    if found.failure:
        text = re.fullmatch(
            'no operation succeeded(; most errors were '
            f"'(({NAMED}) {known}|connect ({CONNECT}))'|"
            r'; \d+ were under way at its end, for up to \d+\.\d s)?',
            found.failure,
        )
        if not text:
            wrong.append(f'failure {found.failure!r}')
    if not all(n.isprintable() for n in [*found.errors, found.failure]):
        wrong.append('escapes')
    return wrong


def _connections(cell: Cell) -> int:
    """Return how many there are: an upload has one for each part."""
    streams = MODES[cell.mode].ops == 'multipart'
    return CONNECTIONS * (DETAILS.part_streams if streams else 1)


def _miscounted(found: Found) -> List[str]:
    server, spec = found.server, MODES[found.cell.mode]
    wrong = []
    connections = _connections(found.cell)
    extra = server.get('good', 0) - found.ops
    # what we gave up may be answered yet
    late = sum(
        number
        for name, number in found.errors.items()
        if name.endswith((' timeout', ' unfinished')) and not spec.stays
    )
    if not 0 <= extra <= connections + late:
        wrong.append(f'{extra} good answers too many')
    failed = sum(
        n for name, n in found.errors.items() if name != 'never begun'
    )
    if not spec.accept and not spec.fresh:
        extra = server.get('bad', 0) - failed
        # the server never saw a request on a connection that it had closed
        if not -connections - late <= extra <= connections + found.retried:
            wrong.append(f'{extra} bad answers too many')
    # some are lost before the load begins, and some not yet accepted
    opened = server['connections'] - connections
    least = 0 if spec.accept else opened - connections
    if not least <= found.reconnects <= opened + connections:
        wrong.append(f'{found.reconnects} of {opened} reconnects')
    return wrong
