"""What the manager and a worker say to each other: one JSON per line.

Commands (manager to worker): prepare, go, lease, stop. Each has an ``id``
that its acknowledgement repeats. Events (worker to manager) are the classes
below. All figures of a trial travel in a spool file, not in an event.
"""

from typing import Any, Dict, Optional, Tuple, Union

import dataclasses
import json

from .strict import Malformed, decode, encode

PROTOCOL = 1
LEASE_TTL = 15.0  # seconds
LEASE_MAX = 120.0
LEASE_LOST = 'the lease was not renewed'  # said in the log by then
REPORT_PERIOD = 1.0  # seconds between two reports of a load
LINE_MAX = 1 << 20  # bytes of one line
RESULT_FILE = 'result.json'
RESULT_MAX = 256 << 20  # bytes of a file, also of a client's output
LOG_FILE = 'worker.log'
COMMANDS = ('prepare', 'go', 'lease', 'stop')


@dataclasses.dataclass(frozen=True)
class Hello:
    """Open the conversation."""

    protocol: int
    pid: int
    python: str
    numpy: bool  # long series can be reduced


@dataclasses.dataclass(frozen=True)
class Ack:
    """Answer the command ``id``; ``error`` says why it was refused."""

    id: int
    error: str = ''


@dataclasses.dataclass(frozen=True)
class Ready:
    """Say that all is checked and `go` starts the load."""

    tools: Dict[str, str]  # program: version
    facts: Dict[str, Any]  # of the client host, for the manifest


@dataclasses.dataclass(frozen=True)
class Started:
    """Give the trial's one clock pair, read at the same moment."""

    wall: float  # Unix time
    mono: float  # monotonic, of the worker's host


@dataclasses.dataclass(frozen=True)
class Slice:
    """Tell the latencies of operations that ended in a part of time.

    By operation: bucket, count, bucket, count, … of a histogram as
    worker/wire/histogram.py has it.
    """

    begin: float  # Unix time
    end: float
    latencies: Dict[str, Tuple[int, ...]]


@dataclasses.dataclass(frozen=True)
class Live:
    """Show progress, about once per second; may be dropped."""

    wall: float
    t: float  # seconds since Started
    phase: str  # 'warm-up', 'measure', 'drain', or the job's kind
    ops: int  # finished so far
    ops_per_s: Optional[float]  # since the last one
    bytes_per_s: Optional[float]
    latency: Optional[float]  # seconds, mean since the last one
    in_flight: int
    stalled: float  # seconds since an operation finished
    clients: int  # of which figures are in
    dropped: int = 0  # events that were dropped before this one
    errors: int = 0  # operations that failed so far
    failing_host: str = ''  # of several, that most of these are of
    slices: Tuple[Slice, ...] = ()  # new ones, where the job wants any
    # operations that the job can have done in all until the next one, where
    # `ops` does not tell: of a part of it, or of none
    most: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class Beat:
    """Show life where there is no load to show; may be dropped."""

    wall: float
    state: str
    dropped: int = 0


@dataclasses.dataclass(frozen=True)
class Done:
    """Say that the spool file is complete."""

    file: str
    bytes: int
    sha256: str


@dataclasses.dataclass(frozen=True)
class Failed:
    """Say in one line why there is no result; ``kind`` is for programs."""

    kind: str
    error: str


@dataclasses.dataclass(frozen=True)
class Ended:
    """Say that the process is gone (made on the manager's side)."""

    returncode: int


Event = Union[Hello, Ack, Ready, Started, Live, Beat, Done, Failed, Ended]
_EVENTS: Dict[str, Any] = {
    cls.__name__.lower(): cls
    for cls in (Hello, Ack, Ready, Started, Live, Beat, Done, Failed)
}


def event_line(event: Event) -> bytes:
    """Return ``event`` as one line."""
    data: Dict[str, Any] = {'event': type(event).__name__.lower()}
    data.update(encode(event))
    return json.dumps(data, separators=(',', ':')).encode() + b'\n'


def parse_event(line: bytes) -> Event:
    """Read one line of a worker; raise Malformed when it is none."""
    data = _mapping(line)
    name = data.pop('event', None)
    if name not in _EVENTS:
        raise Malformed(f'unknown event {name!r}')
    event: Event = decode(_EVENTS[name], data, str(name))
    return event


def command_line(name: str, ident: int, **values: Any) -> bytes:
    """Return one command as a line."""
    data = dict(values, cmd=name, id=ident)
    return json.dumps(data, separators=(',', ':')).encode() + b'\n'


def parse_command(line: bytes) -> Dict[str, Any]:
    """Read one command; raise Malformed when it is none."""
    data = _mapping(line)
    if data.get('cmd') not in COMMANDS:
        raise Malformed(f'unknown command {data.get("cmd")!r}')
    if type(data.get('id')) is not int:
        raise Malformed('a command needs a whole number as its id')
    return data


def _mapping(line: bytes) -> Dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Malformed(f'not JSON: {error}') from None
    if not isinstance(data, dict):
        raise Malformed('not a JSON object')
    return data
