"""What a load agent and the Manager say to each other: one exchange.

The agent asks (`perfcompare agent sync`), the Manager answers; nothing is
ever said in the other direction. Lines of a worker and orders for it are
numbered, so that one that is repeated or lost neither doubles nor loses any.
"""

from typing import Any, Dict, Optional, Tuple

import dataclasses
import hashlib
import json
import os
import re

from .strict import Malformed, decode, encode

AGENT_PROTOCOL = 1
COMMAND = 'perfcompare agent sync'
ENTITY = 'client.perfcompare.agent.'  # and the name of the host

MESSAGE_MAX = 256 << 10  # bytes of what an agent says at one time
LINES_MAX = 256  # in one message
PIECE = 96 << 10  # characters of a result in one line
LINE_BOUND = 128 << 10  # characters of a line
PACKED_MAX = 32 << 20  # bytes of a result, compressed
TEXT_MAX = 200  # characters of a fact

CLOCK_OFF = 0.1  # seconds that a clock may be off
IDLE = 10.0  # seconds between two exchanges, while no run wants the host
BUSY = 1.0

# what may be done on a load host; everything else is refused there
REMOTE_KINDS = (
    'prefill',
    'warm',
    'trial',
    'probe',
    's3-fill',
    's3-warm',
    's3-trial',
    's3-probe',
    'warp-trial',
    'rbd-prefill',
    'rbd-warm',
    'rbd-trial',
    'rbd-probe',
)
EVENT, RESULT, ENDED = 'event', 'result', 'ended'
START, SAY, KILL = 'start', 'say', 'kill'
# the files of a job, which travel with it: where their paths stand
FILES: Tuple[Tuple[str, ...], ...] = (
    ('access', 'keyring'),
    ('credentials',),
    ('ca_file',),
)
# what a job names as a program, found on its host by this name alone
PROGRAMS = ('fio', 'rbd', 'warp')
_TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_HOST = re.compile(r'[A-Za-z0-9](?:[A-Za-z0-9.-]{0,61}[A-Za-z0-9])?\Z')
_WORKER = re.compile(r'[a-z0-9][a-z0-9.-]{0,60}\Z')
_IDENT = re.compile(r'[0-9a-f]{16}\Z')


@dataclasses.dataclass(frozen=True)
class HostFacts:
    """Describe a load host; None is not known."""

    hostname: str
    arch: str
    kernel: str
    cpu: str
    cores: float  # that the agent may use
    memory_bytes: Optional[int] = None  # in all
    memory_free: Optional[int] = None  # that a process may still take
    addresses: Tuple[str, ...] = ()
    python: str = ''
    numpy: bool = False
    rados: str = ''  # version of the program; '': there is none
    # versions of other programs that some loads need, where they work
    programs: Dict[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class ClockReading:
    """Tell the agent's clock against the Manager's."""

    offset: float  # seconds that the Manager's is ahead
    bound: float  # seconds, half of the round trip
    steps: int = 0  # that the agent saw its own clock make


def clock_remark(host: str, ahead: float, bound: float) -> str:
    """Say that a load host's clock is off; '' where it is not.

    The Manager's is ``ahead`` of it by so many seconds, within ``bound``.
    """
    if abs(ahead) <= CLOCK_OFF + bound:
        return ''
    way = 'behind' if ahead > 0 else 'ahead of'
    return (
        f'the clock of load host {host} is {abs(ahead):.3g} s {way} the '
        f"Manager's (± {bound:.2g} s)"
    )


@dataclasses.dataclass(frozen=True)
class Line:
    """Hold one line of a worker, or what the agent says of it."""

    worker: str
    kind: str  # EVENT, RESULT (a piece of it) or ENDED
    text: str


@dataclasses.dataclass(frozen=True)
class Sync:
    """Hold all that an agent says at one time."""

    protocol: int
    program: str  # digest of its sources
    boot: str  # of this process of the agent
    epoch: str  # of the Manager that it knows; '': none
    first: int  # number of the first of ``lines``
    got: int  # number of the last order that it has
    lines: Tuple[Line, ...] = ()
    facts: Optional[HostFacts] = None
    clock: Optional[ClockReading] = None


@dataclasses.dataclass(frozen=True)
class Order:
    """Hold one order for a worker."""

    number: int
    what: str  # START, SAY (a command line) or KILL
    worker: str
    line: str = ''
    job: Dict[str, Any] = dataclasses.field(default_factory=dict)
    files: Dict[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Answer:
    """Hold all that the Manager says to an agent at one time."""

    protocol: int
    epoch: str  # of this Manager
    got: int  # number of the last line that it has
    period: float  # seconds until the next exchange
    now: float  # Unix time of the Manager
    orders: Tuple[Order, ...] = ()
    lease: float = 0.0  # seconds that the worker may go on; 0: unsaid
    facts: bool = False  # whether the host is to be described


def sync_text(sync: Sync) -> str:
    """Return what an agent says as text."""
    return json.dumps(encode(sync), separators=(',', ':'))


def parse_sync(text: str) -> Sync:
    """Read what an agent says; raise Malformed for what cannot be right.

    It is another host's input: nothing of it is believed.
    """
    if len(text) > MESSAGE_MAX:
        raise Malformed(f'{len(text)} bytes are more than {MESSAGE_MAX}')
    sync: Sync = decode(Sync, _mapping(text), 'sync')
    if sync.protocol != AGENT_PROTOCOL:
        return sync  # the rest may be read in another way
    _need(_IDENT.match(sync.boot) is not None, 'boot')
    _need(not sync.epoch or _IDENT.match(sync.epoch) is not None, 'epoch')
    _need(0 < sync.first < 1 << 53, 'first')
    _need(0 <= sync.got < 1 << 53, 'got')
    _need(len(sync.lines) <= LINES_MAX, 'lines')
    for line in sync.lines:
        _need(_WORKER.match(line.worker) is not None, 'worker')
        _need(line.kind in (EVENT, RESULT, ENDED), 'kind')
        _need(len(line.text) <= LINE_BOUND and '\n' not in line.text, 'text')
    if sync.facts is not None:
        _check_facts(sync.facts)
    if sync.clock is not None:
        _need(abs(sync.clock.offset) < 1e10, 'offset')
        _need(0 <= sync.clock.bound < 1e6, 'bound')
        _need(0 <= sync.clock.steps < 1 << 53, 'steps')
    return sync


def _check_facts(facts: HostFacts) -> None:
    texts = [
        facts.hostname,
        facts.arch,
        facts.kernel,
        facts.cpu,
        facts.python,
        facts.rados,
        *facts.programs.values(),
        *facts.addresses,
    ]
    _need(len(facts.addresses) <= 256, 'addresses')
    _need(len(facts.programs) <= 16, 'programs')
    _need(all(_WORKER.match(n) for n in facts.programs), 'programs')
    _need(all(len(t) <= TEXT_MAX for t in texts), 'facts')
    _need(all(t.isprintable() for t in texts), 'facts')
    _need(0 < facts.cores < 1e6, 'cores')
    for number in (facts.memory_bytes, facts.memory_free):
        _need(number is None or 0 <= number < 1 << 60, 'memory')


def answer_text(answer: Answer) -> str:
    """Return what the Manager says as text."""
    return json.dumps(encode(answer), separators=(',', ':'))


def parse_answer(text: str) -> Answer:
    """Read what the Manager says; raise Malformed when it is no answer."""
    answer: Answer = decode(Answer, _mapping(text), 'answer')
    _need(answer.protocol == AGENT_PROTOCOL, 'protocol')
    _need(_IDENT.match(answer.epoch) is not None, 'epoch')
    _need(0.05 <= answer.period <= 3600, 'period')
    for order in answer.orders:
        _need(_WORKER.match(order.worker) is not None, 'worker')
        _need(order.what in (START, SAY, KILL), 'what')
    return answer


def check_host(host: str) -> str:
    """Return the name of a load host; raise Malformed when it is none."""
    if not _HOST.match(host):
        raise Malformed(
            f'{host[:80]!r} is not the name of a host: letters, digits, '
            'dots and dashes, 63 at most'
        )
    return host


def program_digest() -> str:
    """Return a digest of the worker's sources, equal where they are.

    They are read anew: whoever runs keeps that of its begin.
    """
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(_TOP):
        folders.sort()
        for name in sorted(n for n in names if n.endswith('.py')):
            path = os.path.join(folder, name)
            digest.update(os.path.relpath(path, _TOP).encode() + b'\0')
            with open(path, 'rb') as file:
                digest.update(file.read() + b'\0')
    return digest.hexdigest()[:12]


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise Malformed(f'{what}: not within its bounds')


def _mapping(text: str) -> Dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed('not JSON') from None
    if not isinstance(data, dict):
        raise Malformed('not a JSON object')
    return data
