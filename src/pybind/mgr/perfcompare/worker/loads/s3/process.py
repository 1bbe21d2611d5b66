"""One generator process: reads its spec, does phases, writes results.

Started by fleet.py with a private folder and its label. It connects, says
that it is ready, and begins each phase when the board says so.
"""

from typing import Any, Dict, List, Optional

import gc
import json
import os
import random
import resource
import signal
import socket
import ssl
import sys
import time

from ...wire.s3_spec import (
    DELETES,
    MULTIDELETE,
    SPEC,
    Endpoint,
    Phase,
    ProcessSpec,
    Target,
    drains,
    from_file,
    weights,
)
from ...wire.strict import decode
from . import addressing, shared_state, skew
from .connection_pool import OPENS
from .extras import extras
from .keys import Namer, Population
from .loop import Loop
from .mix import Drain, Fill, Mix, Pass, Source
from .payload import PIECE, Payload
from .recorder import Recorder
from .shared_state import SharedState, State
from .site import Address, Site, Wire
from .sized import SizedMix, SizedPopulation
from .slices import Cutter

CONNECT = 10.0  # seconds for all connections, before a phase
HASHING = 5.0  # seconds of hashing before there is load
SLICES = '.slices'  # the end of the name of a pipe


def resolve(endpoint: Endpoint) -> List[Address]:
    """Return the addresses of an endpoint; OSError when there are none."""
    found = socket.getaddrinfo(
        endpoint.host, endpoint.port, type=socket.SOCK_STREAM
    )
    return [(int(family), address) for family, _, _, _, address in found]


def tls_context(target: Target) -> Optional[ssl.SSLContext]:
    """Return how certificates are verified; None without TLS."""
    if not any(endpoint.tls for endpoint in target.endpoints):
        return None
    context = ssl.create_default_context(cafile=target.ca_file or None)
    if not target.verify_tls:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class Generator:
    """Carry out the phases of one process."""

    def __init__(
        self,
        spec: ProcessSpec,
        board: SharedState,
        cutter: Optional[Cutter] = None,
    ) -> None:
        self._spec = spec
        self._board = board
        target = spec.target
        drawn = spec.seed + spec.writes.turn
        self._rng = random.Random(drawn * 4099 + spec.index)
        self._payload = Payload(spec.seed)
        checksum = spec.details.checksum
        plain = not all(e.tls for e in target.endpoints)
        if spec.hash_ahead and (spec.signed_payload or checksum and plain):
            self._payload.hash_ahead(
                [item.size for item in spec.writes.sizes],
                HASHING,
                PIECE if checksum else 0,
            )
        self._existing = Namer(target.bucket, spec.objects)
        self._created = Namer(target.bucket, spec.writes)
        kind = SizedPopulation if spec.details.sizes else Population
        self._population = kind(
            self._existing,
            self._created,
            spec.index,
            spec.processes,
            self._rng,
            apart=spec.keep
            or bool(spec.details.sizes)
            or spec.objects.sizes != spec.writes.sizes,
            pick=skew.pick(spec.details, self._rng),
        )
        more = extras(spec.encryption, spec.details.tags, spec.seed)
        sites = [
            Site(i, e.named(target.bucket), e.tls, resolve(e))
            for i, e in enumerate(target.endpoints)
        ]
        # each process begins with another endpoint
        turn = spec.index % len(sites)
        self._loop = Loop(
            sites[turn:] + sites[:turn],
            [addressing.signer(target, e, more) for e in target.endpoints],
            Wire(self._payload, tls_context(target)),
            self._population,
            spec.connections * spec.streams,
            self._rng,
            spec.timeout,
            spec.verify,
            spec.signed_payload,
            OPENS / spec.processes,
            spec.connections,
            checksum,
            more,
        )
        self._loop.on_tick = self._tick
        self._cutter = cutter
        self._recorders: List[Recorder] = []
        self._phase = 0

    def connect(self) -> int:
        """Connect; return how many connections are there."""
        return self._loop.connect(_after(CONNECT))

    def _tick(self, now: int) -> bool:
        self._tell(shared_state.LOADING)
        if self._cutter is not None:
            self._cutter.tick(now)
        return self._board.ordered().phase >= 0

    def _tell(self, doing: int) -> None:
        recorders = self._recorders
        totals = [r.totals() for r in recorders]
        self._board.tell(
            State(
                doing,
                self._phase,
                sum(t.finished for t in totals),
                sum(r.failed + r.refused for r in recorders),
                sum(t.moved for t in totals),
                sum(t.waited for t in totals),
                self._loop.in_flight,
            )
        )

    def ready(self) -> None:
        """Say that the next phase can begin."""
        self._tell(shared_state.READY)

    def finished(self) -> None:
        """Say that the phase is over and its result is in its file."""
        self._tell(shared_state.FINISHED)

    def _source(self, phase: Phase) -> Source:
        spec = self._spec
        self._population.fills(not phase.forget)
        if phase.create:
            first, step, count = phase.create
            numbers = range(first, first + step * count, step)
            return Fill(self._existing, numbers)
        if phase.read:
            first, step, count = phase.read
            numbers = range(first, first + step * count, step)
            return Pass(self._existing, numbers)
        if phase.again:
            return Fill(self._existing, self._population.take_missing())
        if phase.adopt:
            takes = any(weights(phase.mix)[op] for op in DELETES)
            self._population.adopt(spec.objects.count, spec.keep or not takes)
        if drains(phase.mix):
            many = weights(phase.mix)[MULTIDELETE] > 0
            size = spec.details.delete_batch if many else 0
            return Drain(self._population, size)
        if isinstance(self._population, SizedPopulation):
            return SizedMix(phase, self._population, self._rng, spec.details)
        return Mix(phase, self._population, self._rng, spec.details)

    def run(self, number: int, phase: Phase, start: int) -> Dict[str, Any]:
        """Do a phase that begins at ``start`` (ns); return its result."""
        self._phase = number
        self._recorders = [
            Recorder(start, phase.warmup, phase.duration, phase.timed)
            for _ in self._spec.target.endpoints
        ]
        if self._cutter is not None:
            self._cutter.begin(self._recorders, start)
        end = self._recorders[0].end
        source = self._source(phase)
        connected = self._loop.connect(min(start, _after(CONNECT)))
        began = resource.getrusage(resource.RUSAGE_SELF)
        waited_before = _run_queue()
        clock = time.perf_counter_ns()
        self._loop.run(
            source,
            self._recorders,
            start,
            end,
            phase.rate,
            self._spec.index / self._spec.processes,
            self._spec.details.poisson,
            # a fill has no users
            self._spec.details.think if phase.duration else 0.0,
            self._spec.details.exponential,
            self._spec.details.ramp_steps,
        )
        now = time.perf_counter_ns()
        for recorder in self._recorders:
            recorder.finish(now)
        used = resource.getrusage(resource.RUSAGE_SELF)
        waited = _run_queue()
        loop = self._loop
        return {
            'phase': phase.name,
            'start': start,
            'begin': self._recorders[0].begin,
            'end': min(end, now),
            'endpoints': [
                {
                    'url': e.url(),
                    'intervals': r.intervals,
                    'unfinished': r.pending(),
                    'examples': r.examples,
                }
                for e, r in zip(self._spec.target.endpoints, self._recorders)
            ],
            'connected': connected,
            'cpu': used.ru_utime
            + used.ru_stime
            - began.ru_utime
            - began.ru_stime,
            'seconds': (now - max(clock, start)) / 1e9,
            'run_queue': (
                None
                if waited is None or waited_before is None
                else waited - waited_before
            ),
            'preempted': used.ru_nivcsw - began.ru_nivcsw,
            'reconnects': loop.reconnects,
            'retried': loop.retried,
            'refused': loop.refused,
            'backed_off': loop.backed_off,
            'corrupt': loop.corrupt,
            'compared': loop.compared,
            'late': loop.arrivals.late,
            'lag': loop.arrivals.lag / 1e9,
            'cut': loop.cut,
            'substituted': source.substituted,
            'exhausted': source.exhausted,
            'created': self._population.created,
            'rewritten': self._population.rewritten,
            'abandoned': self._population.abandoned,
            'missing': len(self._population.missing),
        }


def _after(seconds: float) -> int:
    return time.perf_counter_ns() + int(seconds * 1e9)


def _run_queue() -> Optional[float]:
    """Return the seconds that we waited for a core, if the kernel says."""
    try:
        with open('/proc/self/schedstat', encoding='ascii') as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return None


def write_private(path: str, data: Any) -> None:
    """Write JSON to a new file of ours, complete or not at all."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    fd = os.open(path + '.new', flags, 0o600)
    with os.fdopen(fd, 'w') as file:
        # at once: json.dump() takes the encoder that is written in Python
        file.write(json.dumps(data, separators=(',', ':')))
    os.rename(path + '.new', path)


def allow_connections() -> None:
    """Take all descriptors that the kernel lets us have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main(argv: List[str]) -> int:
    """Run `generator.py FOLDER LABEL`; phases come in LABEL.phase.N."""
    leader = os.getppid()
    stem = os.path.join(argv[1], argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    allow_connections()
    board = SharedState(stem + '.board')
    with open(stem + SPEC, encoding='utf-8') as file:
        # whatever becomes of us, its keys stay on no disk
        os.unlink(file.name)
        spec = from_file(json.load(file))
    try:
        cutter = Cutter(stem + SLICES) if spec.slices else None
        generator = Generator(spec, board, cutter)
    except OSError as error:
        sys.stderr.write(f'{error}\n')
        return 1
    generator.connect()
    gc.collect()
    gc.freeze()
    gc.disable()  # nothing here makes cycles while there is load
    number = 0
    generator.ready()
    # others may need hours for their shares of a fill: only a leader that is
    # gone ends the wait, which kills us where the kernel does as it was told
    while True:
        order = board.ordered()
        if order.phase < 0 or os.getppid() != leader:
            return 0
        if order.phase == number:
            time.sleep(0.002)
            continue
        number = order.phase
        with open(f'{stem}.phase.{number}', encoding='utf-8') as file:
            phase = decode(Phase, json.load(file), 'phase')
        result = generator.run(number, phase, order.start)
        write_private(f'{stem}.result.{number}', result)
        gc.collect()
        generator.finished()
