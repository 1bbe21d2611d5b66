"""What results of several hosts have in common, whatever load they made.

What the hosts say is not believed: it is read like any input.
"""

from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    List,
    Optional,
    Sequence,
    TypeVar,
)

import json

from ..runtime.failure import Failure
from ..wire.agents import clock_remark
from ..wire.join_jobs import HostResult
from ..wire.protocol import RESULT_MAX

NOTES_MAX, NOTE_MAX = 20, 300  # of one host; characters of each
APART = 1.0  # seconds between the first and the last to begin
ODD = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)

Data = Dict[str, Any]


class HostPart:
    """Hold what one host measured, on the Manager's clock."""

    began = 0.0  # Unix time

    def __init__(self, told: HostResult, data: Data) -> None:
        """Raise one of ODD for data that no trial gives."""
        self.host = told.host
        self.told = told
        self.summary: Data = dict(data['summary'])
        self.evidence: Data = dict(data['evidence'])
        self.notes = [str(n)[:NOTE_MAX] for n in data['notes'][:NOTES_MAX]]

    def figure(self, key: str) -> Optional[float]:
        """Return a number of its summary; None where it has none."""
        return number(self.summary.get(key))

    def described(self) -> Data:
        """Return its part of the load, its CPU, and how its clock went."""
        return {
            'host': self.host,
            'part': self.told.part or None,
            'flying': self.told.flying or None,
            'busy': self.figure('host_busy'),
            'cores': self.figure('client_cores'),
            'host_cores': self.figure('host_cores'),
            'thread_cores': self.figure('client_thread_cores'),
            'clock_ahead': -self.told.ahead,
            'clock_bound': self.told.bound,
        }


Part = TypeVar('Part', bound=HostPart)


def read(told: HostResult, make: Callable[[HostResult, Data], Part]) -> Part:
    """Read one host's result; raise Failure for what cannot be used."""
    try:
        with open(told.file, 'rb') as file:
            data = json.loads(
                file.read(RESULT_MAX), parse_constant=_no_number
            )
        return make(told, data)
    except OSError as error:
        raise Failure(
            'spool', f'cannot read {told.file!r}: {error.strerror}'
        ) from None
    except ODD as error:
        what = f'the result of load host {told.host}'
        raise unusable(what, error) from None


class JoinRun(Generic[Part]):
    """Read the hosts' results, and reduce them to one."""

    def __init__(
        self,
        results: Sequence[HostResult],
        make: Callable[[HostResult, Data], Part],
        reduce: Callable[[List[Part]], Data],
    ) -> None:
        self._results = results
        self._make = make
        self._reduce = reduce
        self._parts: List[Part] = []

    def prepare(self) -> None:
        """Read all; raise Failure for what cannot be used."""
        self._parts = [read(told, self._make) for told in self._results]

    def run(self) -> Data:
        """Return the result, as that of one host is."""
        try:
            return self._reduce(self._parts)
        except ODD as error:
            raise unusable('what the load hosts measured', error) from None


def unusable(what: str, error: Exception) -> Failure:
    """Say in one line why something cannot be used."""
    text = f'{type(error).__name__}: {str(error)[:100]}'
    return Failure('protocol', f'{what} cannot be used: {text}')


def _no_number(text: str) -> float:
    raise ValueError(f'{text} is no number')


def number(value: Any) -> Optional[float]:
    """Return a value that is a number, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def remarks(parts: Sequence[HostPart]) -> List[str]:
    """Say whose clock is off, and who began long after the others."""
    found = []
    for part in parts:
        told = part.told
        remark = clock_remark(part.host, told.ahead, told.bound)
        found += [remark] if remark else []
    first, last = (
        which(parts, key=lambda part: part.began) for which in (min, max)
    )
    apart = last.began - first.began
    if apart > APART:
        found.append(
            f'load host {last.host} began {apart:.1f} s after {first.host}: '
            'what both measured counts'
        )
    return found


def client(parts: Sequence[HostPart]) -> Data:
    """Return the client's CPU: of the host that had the least to spare."""

    def busiest(part: HostPart) -> float:
        return part.figure('host_busy') or 0.0

    worst = max(parts, key=busiest)
    threads = [part.figure('client_thread_cores') for part in parts]
    cores = worst.figure('host_cores')
    return {
        'client_thread_cores': max(
            (t for t in threads if t is not None), default=None
        ),
        'client_cores': worst.figure('client_cores'),
        'host_busy': worst.figure('host_busy'),
        'host_cores': None if cores is None else int(cores),
    }


def all_of(parts: Sequence[HostPart], key: str) -> List[Any]:
    """Return the evidence of all hosts, of a list that each has."""
    found: List[Any] = []
    for part in parts:
        found += list(part.evidence.get(key) or [])
    return found


def worst(parts: Sequence[HostPart], key: str) -> Optional[float]:
    """Return of a figure of the evidence the one that is farthest from 0."""
    values = [number(part.evidence.get(key)) for part in parts]
    known = [v for v in values if v is not None]
    return max(known, key=abs, default=None)


def clients(parts: Sequence[HostPart]) -> List[Data]:
    """Return what is known of each load process, with its host."""
    return [
        dict(row, host=part.host)
        for part in parts
        for row in part.evidence.get('clients') or []
    ]


def busiest_nic(parts: Sequence[HostPart]) -> Optional[Data]:
    """Return the network interface that was nearest to its limit."""
    nics = [part.evidence.get('nic') for part in parts]
    busy = [n for n in nics if isinstance(n, dict)]
    return max(busy, key=lambda n: n.get('share') or 0.0, default=None)


def dropped(parts: Sequence[HostPart]) -> int:
    """Return how many reports got lost."""
    return sum(int(p.evidence.get('events_dropped') or 0) for p in parts)
