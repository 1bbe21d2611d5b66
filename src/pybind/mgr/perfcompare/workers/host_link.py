"""The Manager's end of the channel to one load host.

Commands of agents are served in the one thread that serves all commands of
the module: nothing here asks anybody, writes a file or waits.
"""

from typing import Any, Deque, Dict, List, Optional, Sequence, Tuple

import collections
import threading

from ..common.errors import (
    AlreadyExists,
    InvalidArgument,
    NotPermitted,
    TryAgain,
)
from ..guard.collect.facts import Machine
from ..guard.collect.procinfo import MemoryRoom
from ..ports.clock import Clock
from ..worker.wire.agents import (
    AGENT_PROTOCOL,
    BUSY,
    IDLE,
    KILL,
    SAY,
    START,
    Answer,
    ClockReading,
    HostFacts,
    Line,
    Order,
    Sync,
)
from ..worker.wire.protocol import LEASE_TTL

SILENT = 25.0  # seconds without a word, after which an idle host is away
WAITING_MAX = 4 << 20  # characters that wait for whoever leads the worker
BURST = 20  # messages at one time
RATE = 5.0  # messages per second that refill it
REPLACED = 16  # former agents of a host that are remembered
KEYLESS = 64  # agents that are remembered whose key was removed
ORDERS_MAX = 64
FACTS = 60.0  # seconds that what a host said of itself is good for


class HostLink:
    """Exchange lines and orders with the agent of one host.

    At most one worker is led at a time; `attach` names it.
    """

    def __init__(
        self,
        host: str,
        epoch: str,
        clock: Clock,
        program: str,
        keyless: Sequence[str] = (),
    ) -> None:
        """Hear agents of one ``program`` alone.

        ``epoch`` is of this link alone: both ends count from 1. The key of
        the agents ``keyless`` was removed; their connections may live on.
        """
        self.host = host
        self.facts: Optional[HostFacts] = None
        self.reading: Optional[ClockReading] = None
        self.seen: Optional[float] = None  # monotonic
        self.refused = 0
        self.last_refusal = ''
        self.other_version = False
        self._facts_at = float('-inf')
        self._epoch = epoch
        self._clock = clock
        self._program = program
        self._lock = threading.Lock()
        self._boot = ''
        self._former: Deque[str] = collections.deque(maxlen=REPLACED)
        self._keyless = tuple(keyless)
        self._away: Deque[str] = collections.deque(maxlen=REPLACED)
        self._got = 0  # number of the last line
        self._number = 0  # of the last order
        self._orders: Deque[Order] = collections.deque()
        self._lines: Deque[Line] = collections.deque()
        self._waiting = 0
        self._worker = ''
        self._lost = ''  # why the worker is surely gone
        self._closed = ''  # why no worker may be on it
        self._lease_end = float('-inf')
        self._granted = float('-inf')  # until when a worker may live
        self._wanted = float('-inf')  # until when it is asked for often
        self._tokens = float(BURST)
        self._filled = clock.monotonic()

    # what its agent says

    def refuse(self, why: str) -> None:
        """Count a message that was not taken."""
        self.refused += 1
        self.last_refusal = why[:200]

    def turn_away(self, boot: str) -> None:
        """Remember an agent that is not heard: it has the key of now."""
        with self._lock:
            if boot not in self._away:
                self._away.append(boot)

    def admit(self) -> None:
        """Take a token for a message; TryAgain when there is none."""
        with self._lock:
            now = self._clock.monotonic()
            self._tokens = min(
                float(BURST), self._tokens + (now - self._filled) * RATE
            )
            self._filled = now
            if self._tokens < 1:
                raise TryAgain(
                    f'load host {self.host!r} says more than {RATE:g} '
                    'messages per second'
                )
            self._tokens -= 1

    def sync(self, said: Sync) -> Answer:
        """Take what the agent says, and answer.

        Raises InvalidArgument for another program, AlreadyExists for an
        agent that another one replaced, NotPermitted for one without a key.
        """
        with self._lock:
            self._check(said)
            if said.boot != self._boot:
                self._begin(said.boot)
            now = self._clock.monotonic()
            self.seen = now
            if said.clock is not None:
                self.reading = said.clock
            if said.facts is not None:
                self.facts, self._facts_at = said.facts, now
            if said.epoch == self._epoch:
                self._hear(said)
            return self._answer(said.epoch == self._epoch, now)

    def _check(self, said: Sync) -> None:
        self.other_version = (
            said.protocol != AGENT_PROTOCOL or said.program != self._program
        )
        if self.other_version:
            raise InvalidArgument(
                f'the program of the agent of load host {self.host!r} is '
                f'{said.program[:12]!r}, the Manager has {self._program!r}: '
                'install the version of the Manager there and start the '
                'agent again'
            )
        if said.boot in self._keyless:
            raise NotPermitted(
                f'load host {self.host!r} was removed and added again: its '
                'agent needs the new key; if it has it, start it again'
            )
        if said.boot in self._former:
            raise AlreadyExists(
                f'another agent serves load host {self.host!r}: end this '
                'one, or that one and start this one again'
            )

    def _begin(self, boot: str) -> None:
        """Speak with another process of the agent; its worker is gone."""
        if self._boot:
            self._former.append(self._boot)
        self._boot = boot
        self._got = 0
        if self._worker and not self._lost:
            # orders that were never fetched are none of a worker's
            fetched = not any(o.what == START for o in self._orders)
            if fetched:
                self._lost = f'the agent on {self.host} was started anew'
        self._number_again()

    def _number_again(self) -> None:
        """Keep what another process of the agent is to do: no former work."""
        kept = [o for o in self._orders if o.worker == self._worker]
        self._orders.clear()
        self._number = 0
        for order in kept if not self._lost else ():
            self._put(order.what, order.line, order.job, order.files)

    def _hear(self, said: Sync) -> None:
        while self._orders and self._orders[0].number <= said.got:
            self._orders.popleft()
        for number, line in enumerate(said.lines, said.first):
            if number <= self._got:
                continue  # once more
            if number > self._got + 1 or self._waiting > WAITING_MAX:
                break
            self._got = number
            if line.worker == self._worker:
                self._lines.append(line)
                self._waiting += len(line.text)

    def _answer(self, known: bool, now: float) -> Answer:
        busy = bool(self._worker) or now < self._wanted
        lease = 0.0
        if known and self._worker and not self._lost:
            lease = max(0.0, self._lease_end - now)
            first = any(o.what == START for o in self._orders)
            if lease > 0:
                ends = now + (LEASE_TTL if first else lease)
                self._granted = max(self._granted, ends)
        return Answer(
            protocol=AGENT_PROTOCOL,
            epoch=self._epoch,
            got=self._got,
            period=BUSY if busy else IDLE,
            now=self._clock.wall(),
            orders=tuple(self._orders) if known else (),
            lease=lease,
            facts=now - self._facts_at > FACTS,
        )

    # what whoever leads its worker says

    def want(self, seconds: float) -> None:
        """Have the agent ask often for a while: orders are to come.

        Whoever wants it for longer is not hurt.
        """
        with self._lock:
            until = self._clock.monotonic() + seconds
            self._wanted = max(self._wanted, until)

    def unwant(self) -> None:
        """Have the agent ask seldom: no orders are to come."""
        with self._lock:
            self._wanted = float('-inf')

    def attach(
        self, worker: str, job: Dict[str, Any], files: Dict[str, str]
    ) -> None:
        """Order the start of a worker; what was said before is forgotten."""
        with self._lock:
            self._worker, self._lost = worker, self._closed
            self._lines.clear()
            self._waiting = 0
            self._orders = collections.deque(
                o for o in self._orders if o.what == KILL
            )
            self._lease_end = self._clock.monotonic() + LEASE_TTL
            self._put(START, '', job, files)

    def detach(self, worker: str, over: bool) -> None:
        """Speak of a worker no more; nothing that waits for it is told.

        One that is not known to be ``over`` is to be killed, however late
        its agent asks again.
        """
        with self._lock:
            if self._worker != worker:
                return
            self._orders = collections.deque(
                o for o in self._orders if o.worker != worker
            )
            if not over and len(self._orders) < ORDERS_MAX:
                self._put(KILL)
            self._worker = ''
            self._lines.clear()
            self._waiting = 0

    def say(self, worker: str, line: str) -> bool:
        """Order a line to be said to the worker; False when it is gone."""
        with self._lock:
            return self._order(worker, SAY, line)

    def kill(self, worker: str) -> bool:
        """Order the worker's end; its lease is renewed no more."""
        with self._lock:
            return self._order(worker, KILL)

    def _order(self, worker: str, what: str, line: str = '') -> bool:
        if self._worker != worker or self._lost:
            return False
        if what == KILL:
            if (KILL, worker) in ((o.what, o.worker) for o in self._orders):
                return True
            self._lease_end = min(self._lease_end, self._clock.monotonic())
        elif len(self._orders) >= ORDERS_MAX:
            return False
        self._put(what, line)
        return True

    def _put(
        self,
        what: str,
        line: str = '',
        job: Optional[Dict[str, Any]] = None,
        files: Optional[Dict[str, str]] = None,
    ) -> None:
        self._number += 1
        self._orders.append(
            Order(
                self._number, what, self._worker, line, job or {}, files or {}
            )
        )

    def renew(self, worker: str, seconds: float) -> bool:
        """Let the worker go on; False when it cannot be reached."""
        with self._lock:
            if self._worker != worker or self._lost:
                return False
            self._lease_end = self._clock.monotonic() + seconds
            return True

    def take(self, worker: str) -> List[Line]:
        """Return what was said of the worker since it was asked last."""
        with self._lock:
            if self._worker != worker:
                return []
            found = list(self._lines)
            self._lines.clear()
            self._waiting = 0
            return found

    def agents(self) -> Tuple[str, ...]:
        """Return the agents that asked, whose key is one key."""
        with self._lock:
            boot = (self._boot,) if self._boot else ()
            known = (*self._keyless, *self._former, *self._away, *boot)
            return known[-KEYLESS:]

    def lose(self, why: str) -> None:
        """Say that the host is none any more: its worker gets no lease."""
        with self._lock:
            self._closed = why
            if self._worker and not self._lost:
                self._lost = why
            self._orders.clear()

    def open(self) -> None:
        """Say that workers may be on it."""
        with self._lock:
            self._closed = ''

    def closed(self) -> bool:
        """Say whether no worker may be on it."""
        with self._lock:
            return bool(self._closed)

    def lost(self, worker: str) -> str:
        """Return why the worker is gone or ends itself; '' while not."""
        with self._lock:
            if self._worker != worker:
                return f'another worker is on {self.host}'
            return self._lost

    def left(self) -> float:
        """Return for how long a worker may still live that nobody hears."""
        return self._granted - self._clock.monotonic()

    def silent(self) -> float:
        """Return for how many seconds nothing was heard of the agent."""
        if self.seen is None:
            return float('inf')
        return self._clock.monotonic() - self.seen

    def room(self) -> Machine:
        """Return what preflight asks of the machine."""
        facts = self.facts
        if facts is None:
            return Machine('', (), None, self.host)
        room = facts.memory_free
        return Machine(
            facts.hostname,
            facts.addresses,
            None if room is None else MemoryRoom(room, 'as its agent says'),
            self.host,
        )

    def known(self) -> bool:
        """Say whether its agent was heard of, and said what the host is."""
        return self.facts is not None and self.silent() < LEASE_TTL

    def hostname(self) -> str:
        """Return how the host calls itself, else its name here."""
        return self.facts.hostname if self.facts else self.host

    def arch(self) -> str:
        """Return the architecture of the host, '' where it is not known."""
        return self.facts.arch if self.facts else ''

    def addresses(self) -> Tuple[str, ...]:
        """Return the IPs of the host that others may reach it by."""
        found = self.facts.addresses if self.facts else ()
        return tuple(a for a in found if not a.startswith('fe80:'))

    @property
    def loading(self) -> bool:
        """Say whether there is a worker on it."""
        return bool(self._worker)
