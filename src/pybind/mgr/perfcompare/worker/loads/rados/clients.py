"""One client of a job: a `rados bench` process after another."""

from typing import Any, Dict, List, Optional, Tuple

import dataclasses
import statistics

from ...runtime.processes import Child, Children
from ...wire.jobs import Access
from .rados_bench import Bench, Sample, bench_args, complaint, parse
from .windows import Segment

COMPARABLE = 4.0  # seconds


@dataclasses.dataclass(frozen=True)
class Poll:
    """Hold what a client's admin socket said at a moment."""

    at: float  # monotonic
    ops: int  # replies received
    waited: float  # seconds, all operations together
    in_flight: int


def to_poll(at: float, reply: Any) -> Optional[Poll]:
    """Read the answer to `perf dump objecter`; None if it is none."""
    try:
        counters = reply['objecter']
        latency = counters.get('op_latency', {})
        return Poll(
            at,
            int(counters['op_reply']),
            float(latency.get('sum', 0.0)),
            int(counters['op_active']),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


@dataclasses.dataclass(frozen=True)
class Order:
    """Say what one client does; ``seconds`` is the limit of a process."""

    op: str
    concurrency: int
    size: int
    run_name: str
    max_objects: int = 0
    part: int = 0  # bytes of a write, where that is less than an object


class Client:
    """Run processes of one client, one at a time, and keep their samples."""

    def __init__(
        self,
        index: int,
        access: Access,
        order: Order,
        children: Children,
        nice: int,
    ) -> None:
        self.index = index
        self.order = order
        self.segments: List[Segment] = []
        self.alignments: List[Dict[str, Any]] = []
        self.polls: List[List[Poll]] = []  # of each segment
        self.last: Optional[Poll] = None
        self.child: Optional[Child] = None
        self._access = access
        self._children = children
        self._nice = nice
        self._polls: List[Poll] = []
        self._before = (0, 0.0)  # totals of the processes that ended
        self._count = 0
        self._seconds = 0

    @property
    def what(self) -> str:
        """Name the process under way for an error message."""
        return f'rados bench {self.order.op} (client {self.index})'

    @property
    def socket(self) -> str:
        """Name the admin socket of the process under way."""
        return f'c{self.index}.{self._count}.asok'

    def start(self, seconds: int) -> None:
        """Start a process for at most ``seconds`` s of load."""
        self._count += 1
        self._polls, self.last, self._seconds = [], None, seconds
        order = self.order
        args = bench_args(
            self._access,
            order.op,
            seconds,
            order.concurrency,
            order.size,
            order.run_name,
            order.max_objects,
            self.socket,
            order.part,
        )
        self.child = self._children.start(
            f'c{self.index}.{self._count}', args, self._nice
        )

    def add(self, poll: Poll) -> None:
        """Keep what the admin socket said."""
        # a read begins with one operation that `rados bench` counts not
        extra = 0 if self.order.op == 'write' else 1
        poll = dataclasses.replace(poll, ops=max(0, poll.ops - extra))
        self._polls.append(poll)
        self.last = poll

    def totals(self) -> Tuple[int, float]:
        """Return operations and seconds waited, as last heard of."""
        now = (self.last.ops, self.last.waited) if self.last else (0, 0.0)
        return self._before[0] + now[0], self._before[1] + now[1]

    def finished(self) -> Optional[Bench]:
        """Return the result of the process once it ended.

        Raises Failure when the process failed.
        """
        child = self.child
        if child is None:
            return None
        code = child.poll()
        if code is None:
            return None
        self.child = None
        if code:
            raise complaint(self._access, code, child.errors(), self.what)
        bench = parse(child.output())
        start, how = align(self._polls, bench, child.started, child.ended)
        stop = None if self.order.op == 'seq' else float(self._seconds)
        share = self.order.concurrency
        segment = Segment(bench, start, stop, share)
        how['discrepancy'] = discrepancy(self._polls, segment)
        self.alignments.append(how)
        if self.order.op == 'seq':
            refined = refine(bench, self._polls, start)
            segment = Segment(refined, start, stop, share)
        self.segments.append(segment)
        self.polls.append(self._polls)
        ops, waited = self._before
        last = bench.samples[-1]
        self._before = (ops + bench.ops, waited + last.waited)
        self.last = None
        return bench


def align(
    polls: List[Poll],
    bench: Bench,
    started: float,
    ended: Optional[float],
) -> Tuple[float, Dict[str, Any]]:
    """Find when, on the worker's clock, the bench's seconds began.

    Each poll tells when an operation count was reached, the bench tells
    how long after its start that was. Without polls the moment of exit is
    what is left, which is some milliseconds too late.
    """
    latest = (ended if ended is not None else started) - bench.seconds
    found = []
    for poll in polls:
        after = _reached(bench, poll.ops)
        if after is not None:
            found.append(poll.at - after)
    if len(found) < 2:
        return latest, {'source': 'exit', 'spread': None}
    start = min(max(statistics.median(found), started), latest)
    spread = statistics.median(abs(f - start) for f in found)
    return start, {'source': 'admin socket', 'spread': spread}


def _reached(bench: Bench, ops: int) -> Optional[float]:
    for a, b in zip(bench.samples, bench.samples[1:]):
        if a.finished < ops < b.finished:
            share = (ops - a.finished) / (b.finished - a.finished)
            return a.t + share * (b.t - a.t)
    return None


def refine(bench: Bench, polls: List[Poll], start: float) -> Bench:
    """Add the polls to the samples, for processes of a few seconds only.

    Latencies of the socket lack the time in the program's own queue, so
    they are scaled to the mean that the bench reports.
    """
    end = bench.samples[-1]
    inside = [
        p
        for p in polls
        if 0 < p.ops < bench.ops and 0 < p.at - start < bench.seconds
    ]
    if not inside or not inside[-1].waited or not bench.ops:
        return bench
    scale = end.waited / bench.ops * inside[-1].ops / inside[-1].waited
    more = [
        Sample(p.at - start, p.ops + p.in_flight, p.ops, p.waited * scale)
        for p in inside
    ]
    samples = [Sample(0.0, 0, 0, 0.0)]
    for sample in sorted(bench.samples + more, key=lambda s: s.t):
        last = samples[-1]
        if sample.t > last.t and (
            sample.finished >= last.finished and sample.waited >= last.waited
        ):
            samples.append(sample)
    return dataclasses.replace(bench, samples=samples)


def discrepancy(polls: List[Poll], segment: Segment) -> Optional[float]:
    """Compare the socket's rate with the bench's over the same time.

    Returns the relative difference; None for less than COMPARABLE
    seconds, over which the bench's samples are too coarse.
    """
    steady = segment.steady()
    if steady is None:
        return None
    inside = [p for p in polls if steady[0] <= p.at <= steady[1]]
    if not inside or inside[-1].at - inside[0].at < COMPARABLE:
        return None
    first, last = inside[0], inside[-1]
    by_bench = segment.totals(last.at)[0] - segment.totals(first.at)[0]
    if by_bench <= 0:
        return None
    return (last.ops - first.ops) / by_bench - 1.0
