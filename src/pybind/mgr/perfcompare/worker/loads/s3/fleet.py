"""Lead the generator processes of one job: start, phases, results."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import dataclasses
import json
import math
import os
import sys
import time

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...runtime.processes import Child
from ...wire.jobs import split
from ...wire.protocol import REPORT_PERIOD, RESULT_MAX, Slice
from ...wire.s3_spec import (
    SPEC,
    Objects,
    Phase,
    ProcessSpec,
    Target,
    to_file,
)
from ...wire.strict import encode
from . import shared_state
from .process import SLICES, write_private
from .shared_state import SharedState, State
from .slices import Tap, on_wall

_SCRIPT = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), 'generator.py'
)
START = 30.0  # seconds until a process is ready
HEAD_START = 0.3  # seconds from the order to the common begin
PAUSE = 0.2  # seconds; processes tell no more often how far they are
RESULT = 30.0  # seconds from the end of load to a process's result
# so many connections keep one process's core busy; more processes than
# that only take cores from each other
PER_PROCESS = 32
# as few do where large objects are encrypted, 1 ms of CPU for each MiB
PER_PROCESS_TLS = 8
LARGE = 1 << 20  # bytes

Watch = Callable[[List[State]], None]
Turn = Tuple[int, int, int]  # first, step and number of some objects


def processes_for(
    connections: int, cores: float, encrypted: float = 0.0
) -> int:
    """Return how many processes a load gets, when nobody says so.

    Half the cores at most: gateways and daemons on this host need some.
    ``encrypted`` is the mean size (bytes) of objects that go over TLS.
    """
    each = PER_PROCESS_TLS if encrypted >= LARGE else PER_PROCESS
    wanted = math.ceil(connections / each)
    return max(1, min(wanted, int(cores // 2), 64))


class Fleet:
    """Hold generator processes that do phase after phase together."""

    def __init__(
        self,
        context: Context,
        target: Target,
        objects: Objects,
        writes: Objects,
        connections: int,
        processes: int,
        seed: int,
        nice: int,
        host: int = 0,
        hosts: int = 1,
        **options: Any,
    ) -> None:
        """Start them; they are some of those of all ``hosts``."""
        self._context = context
        self.processes = min(processes, connections)
        self.host, self.hosts = host, hosts
        self._phase = 0
        self._children: List[Child] = []
        self._boards: List[SharedState] = []
        self._taps: List[Tap] = []
        shares = split(connections, self.processes)
        for index, share in enumerate(shares):
            spec = ProcessSpec(
                # hosts need not have as many: each has every so-many-th
                # number, and divides these
                index=host + hosts * index,
                processes=hosts * self.processes,
                connections=share,
                seed=seed,
                target=target,
                objects=objects,
                writes=writes,
                **options,
            )
            stem = context.path(f's3.{index}')
            self._boards.append(SharedState(stem + '.board', create=True))
            write_private(stem + SPEC, to_file(spec))
            if spec.slices:
                self._taps.append(Tap(stem + SLICES))
        for index in range(self.processes):
            argv = [sys.executable, '-I', '-S', '-B', _SCRIPT]
            argv += [context.folder, f's3.{index}']
            self._children.append(
                context.children.start(f's3.{index}', argv, nice)
            )

    @property
    def pids(self) -> Dict[int, int]:
        """Return process ids with their index."""
        return {c.pid: i for i, c in enumerate(self._children)}

    def slices(self) -> Tuple[Slice, ...]:
        """Return the latencies that processes told since the last call."""
        offset = self._context.wall(0.0)
        return tuple(
            on_wall(item, offset) for tap in self._taps for item in tap.read()
        )

    def ready(self) -> None:
        """Wait until all are connected, as far as they can be."""
        self._wait(shared_state.READY, time.monotonic() + START, None, 0.02)

    def _wait(
        self,
        doing: int,
        end: float,
        watch: Optional[Watch],
        pause: float = PAUSE,
        busy: float = 0.0,  # monotonic; none has ended before
    ) -> None:
        while True:
            states = [b.told() for b in self._boards]
            if all(
                s.doing == doing and s.phase == self._phase for s in states
            ):
                return
            for child in self._children:
                code = child.poll()
                if code is not None:
                    text = child.errors().strip().splitlines()[-1:]
                    raise Failure(
                        'load',
                        f'a load process ended with code {code}: '
                        + (text[0] if text else 'no message'),
                    )
            if time.monotonic() > end:
                raise Failure('deadline', 'a load process does not answer')
            if watch is not None:
                # what an earlier phase did is no part of this one
                watch(
                    [
                        s if s.phase == self._phase else shared_state.NOTHING
                        for s in states
                    ]
                )
            # the end of a process, or a command, ends it early
            until_end = busy - time.monotonic()
            self._context.pause(max(pause, min(until_end, REPORT_PERIOD)))

    def run(
        self,
        phases: Sequence[Phase],
        seconds: float,
        watch: Optional[Watch] = None,
        at: Optional[float] = None,
        pause: float = PAUSE,
    ) -> List[Dict[str, Any]]:
        """Do one phase each, begun together; return their results.

        ``seconds`` is the longest that it may take. They begin at monotonic
        time ``at``, in a moment if there is none; whether they have ended is
        looked at each ``pause`` seconds.
        """
        self._phase += 1
        number = self._phase
        for index, phase in enumerate(phases):
            path = self._context.path(f's3.{index}.phase.{number}')
            write_private(path, encode(phase))
        start = time.monotonic() + HEAD_START if at is None else at
        lasting = min(p.warmup + p.duration for p in phases)
        for board in self._boards:
            board.order(number, int(start * 1e9))
        self._wait(
            shared_state.FINISHED,
            time.monotonic() + seconds + RESULT,
            watch,
            pause,
            busy=start + lasting if all(p.duration for p in phases) else 0.0,
        )
        return [self._result(index, number) for index in range(len(phases))]

    def _result(self, index: int, number: int) -> Dict[str, Any]:
        path = self._context.path(f's3.{index}.result.{number}')
        try:
            if os.path.getsize(path) > RESULT_MAX:
                raise Failure('spool', f'{path!r} is too large')
            with open(path, encoding='utf-8') as file:
                result: Dict[str, Any] = json.load(file)
            os.unlink(path)
        except (OSError, ValueError) as error:
            raise Failure('spool', f'{path!r}: {error}') from None
        return result

    def turns(self, count: int) -> List[Turn]:
        """Return which of ``count`` objects each process has."""
        return turns_of(count, self.processes, self.host, self.hosts)

    def end(self) -> None:
        """Let all processes end by themselves."""
        for board in self._boards:
            board.order(-1, 0)
        for tap in self._taps:
            tap.close()
        self._taps.clear()


def begun(
    phase: Phase, agreed: float, earliest: float
) -> Tuple[Phase, float]:
    """Return a phase that all hosts begin at ``agreed``, and when it does.

    A host that cannot begin before ``earliest`` measures the same seconds as
    the others all the same: its warm-up is shorter, and where that does not
    do, whole seconds of the window are not its. Times are monotonic.
    """
    late = max(0.0, earliest - agreed)
    lost = max(0, math.ceil(late - phase.warmup))
    if lost >= phase.duration:
        raise Failure('short', f'the load began {late:.1f} s too late')
    return (
        dataclasses.replace(
            phase,
            warmup=phase.warmup + lost - late,
            duration=phase.duration - lost,
        ),
        agreed + late,
    )


def shared(phase: Phase, processes: int) -> List[Phase]:
    """Divide a phase among processes: its rate, limit and bound."""
    limits = split(phase.limit, processes)
    bounds = split(phase.bound, processes)
    return [
        dataclasses.replace(
            phase,
            rate=phase.rate / processes,
            # 0 would be "no limit"
            limit=max(1, limits[i]) if phase.limit else 0,
            bound=max(1, bounds[i]) if phase.bound else 0,
        )
        for i in range(processes)
    ]


FILL = Phase('fill', mix=(1.0, 0.0, 0.0, 0.0), warmup=0.0, duration=0.0)
PASS = Phase('warm', mix=(0.0, 1.0, 0.0, 0.0), warmup=0.0, duration=0.0)
REFILL = dataclasses.replace(FILL, again=True)


def fills(
    turns: Sequence[Turn], first: int = 0, forget: bool = False
) -> List[Phase]:
    """Return the phases that write objects from ``first`` on."""
    return [
        dataclasses.replace(
            FILL,
            create=(first + at, step, number),
            forget=forget,
        )
        for at, step, number in turns
    ]


def passes(turns: Sequence[Turn]) -> List[Phase]:
    """Return the phases that read each of some objects once."""
    return [dataclasses.replace(PASS, read=turn) for turn in turns]


def turns_of(
    count: int, processes: int, host: int = 0, hosts: int = 1
) -> List[Turn]:
    """Return first, step and number of the objects of each process.

    ``count`` are those of all hosts.
    """
    step = hosts * processes
    return [
        (first, step, len(range(first, count, step)))
        for first in range(host, step, hosts)
    ]
