"""The operations of a benchmark of MinIO's warp: tab-separated (benchdata).

Columns are found by name, as newer releases added some. The rows begin
with the preparation (objects that will be read); the load are the operations
of the last phase.
"""

from typing import Dict, Iterable, Iterator, List, NamedTuple, Tuple

import array
import datetime
import heapq
import itertools
import re

from ..wire import strict
from ..wire.reading import OPS, shown

_NEEDED = ('thread', 'op', 'n_objects', 'bytes', 'error', 'start', 'end')
_STEP = 1_000_000_000  # ns
SLICES = 1024  # of a load, that are sorted one by one
MAX_REASONS = 32
MAX_ENDPOINTS = 1000  # that are told apart
_CODE = re.compile(r'Error response code ([A-Za-z]{1,40})\.')
LEAST_SHARE = 0.5  # of a phase, in which all threads must be at work

Malformed = strict.Malformed


class _Clock:
    """Read times of RFC 3339 with nanoseconds."""

    def __init__(self) -> None:
        self._minutes: Dict[Tuple[str, str], int] = {}

    def nanos(self, text: str) -> int:
        """Return Unix nanoseconds."""
        head, rest = text[:17], text[17:]
        zone = 'Z'
        if rest.endswith('Z'):
            rest = rest[:-1]
        else:
            rest, zone = rest[:-6], rest[-6:]
        base = self._minutes.get((head, zone))
        if base is None:
            offset = '+00:00' if zone == 'Z' else zone
            when = datetime.datetime.fromisoformat(f'{head}00{offset}')
            base = int(when.timestamp()) * _STEP
            self._minutes[(head, zone)] = base
        seconds, _, part = rest.partition('.')
        return base + int(seconds) * _STEP + int((part + '000000000')[:9])


class _Reasons:
    """Name errors by what they have in common.

    The text is S3's message, or its code where the server sent none; one
    of the network ends with its reason, after the address.
    """

    def __init__(self) -> None:
        self._known: Dict[str, str] = {}

    def name(self, error: str) -> str:
        """Return a short name; 'failed' once there are too many."""
        match = _CODE.search(error)
        found = match.group(1) if match else error.strip('"')
        if '://' in found:
            found = found.rpartition(': ')[2]
        found = ''.join(c for c in found[:60] if c.isprintable()).rstrip('.')
        if found not in self._known:
            if len(self._known) == MAX_REASONS:
                return 'failed'
            self._known[found] = found
        # the same text for all, not one for each
        return self._known[found]


class Rows:
    """Hold the operations of one type, in 38 bytes each."""

    def __init__(self) -> None:
        self.thread = array.array('i')
        self.start = array.array('q')
        self.end = array.array('q')
        self.first = array.array('q')  # 0: not recorded
        self.bytes = array.array('q')
        self.place = array.array('h')  # number of the endpoint; -1: not told
        self.objects = 0
        # of those that failed: the same, and the reason of each
        self.failed_thread = array.array('i')
        self.failed_start = array.array('q')
        self.failed = array.array('q')  # ends
        self.failed_at = array.array('h')  # endpoints
        self.why: List[str] = []

    def span(self) -> Tuple[int, int]:
        """Return when the first began and the last ended."""
        return (
            min(itertools.chain(self.start, self.failed_start)),
            max(itertools.chain(self.end, self.failed)),
        )

    def times(self) -> Iterator[Tuple[int, int, int]]:
        """Yield thread, begin and end of each, of failed ones as well."""
        yield from zip(self.thread, self.start, self.end)
        yield from zip(self.failed_thread, self.failed_start, self.failed)


class Done(NamedTuple):
    """Hold one operation; times are Unix nanoseconds."""

    end: int
    op: str  # as our own loads call it
    place: int  # number of the endpoint; -1: not told
    start: int
    size: int  # bytes
    first: int  # when the first byte was there; 0: not recorded
    why: str  # why it failed; '': it did not


class Load:
    """Hold the operations of a benchmark, and what of them is its load."""

    def __init__(self, found: Dict[str, Rows], endpoints: List[str]) -> None:
        """Raise Malformed where there are none, or some of no known type."""
        self.found = found
        self.endpoints = endpoints  # as warp names them
        done = {op: rows for op, rows in found.items() if rows.start}
        if not done:
            raise Malformed('warp CSV: no operation in it succeeded')
        self.done = done
        self.last = max(done, key=lambda op: done[op].span()[1])
        self.start = done[self.last].span()[0]
        # a type that goes on while the last one does is part of a mix
        self.phase = {
            op: rows
            for op, rows in done.items()
            if rows.span()[1] > self.start
        }
        self.kinds = {op: _kind(op) for op in self.phase}

    @property
    def threads(self) -> int:
        """Return how many threads made the load."""
        return len(
            {t for rows in self.phase.values() for t, _, _ in rows.times()}
        )

    @property
    def began(self) -> int:
        """Return the Unix time (ns) of its first operation."""
        return min(rows.span()[0] for rows in self.phase.values())

    @property
    def ended(self) -> int:
        """Return the Unix time (ns) of its last operation."""
        return max(rows.span()[1] for rows in self.phase.values())

    def active(self) -> Tuple[int, int, bool]:
        """Return from when to when all threads were at work.

        Where that is less than half of the load it is the whole load, and
        the last value says so.
        """
        return _active(list(self.phase.values()))

    def operations(self) -> Iterator[Done]:
        """Yield those of the load, in the order of their ends."""
        return heapq.merge(
            *[
                self._of(rows, self.kinds[op][3:])
                for op, rows in self.phase.items()
            ],
            *[
                self._failed(rows, _kind(op)[3:])
                for op, rows in self.found.items()
            ],
        )

    def _of(self, rows: Rows, op: str) -> Iterator[Done]:
        for i in ordered(rows.end):
            yield Done(
                rows.end[i],
                op,
                rows.place[i],
                rows.start[i],
                rows.bytes[i],
                rows.first[i],
                '',
            )

    def _failed(self, rows: Rows, op: str) -> Iterator[Done]:
        began = self.began
        for i in ordered(rows.failed):
            end = rows.failed[i]
            if end > began:
                place, start = rows.failed_at[i], rows.failed_start[i]
                yield Done(end, op, place, start, 0, 0, rows.why[i])


def ordered(times: 'array.array[int]') -> Iterator[int]:
    """Yield the places of times in their order, with 4 bytes for each.

    To sort all at once takes twice as much as all that is known of them.
    """
    if not times:
        return
    low = min(times)
    width = (max(times) - low) // SLICES + 1
    begins = [0] * (SLICES + 1)
    for time in times:
        begins[(time - low) // width + 1] += 1
    begins = list(itertools.accumulate(begins))
    following = begins[:]
    places = array.array('i', bytes(4 * len(times)))
    for place, time in enumerate(times):
        part = (time - low) // width
        places[following[part]] = place
        following[part] += 1
    for begin, end in zip(begins, begins[1:]):
        yield from sorted(places[begin:end], key=times.__getitem__)


def _kind(op: str) -> str:
    kind = OPS.get(op.lower())
    if kind is None:
        raise Malformed(
            f'warp CSV: operation {shown(op)} is not one of GET, PUT, '
            'STAT, LIST and DELETE'
        )
    return kind


def load(lines: Iterable[str], header: str) -> Load:
    """Return the operations that the rows after ``header`` are of.

    Malformed says which row is wrong.
    """
    names = header.rstrip('\n').split('\t')
    for name in _NEEDED:
        if name not in names:
            raise Malformed(f'warp CSV: there is no column {name!r}')
    place = {name: i for i, name in enumerate(names)}
    columns = [place[name] for name in _NEEDED]
    first = place.get('first_byte')
    client = place.get('client_id')
    endpoint = place.get('endpoint')
    clock = _Clock()
    threads: Dict[Tuple[str, str], int] = {}
    endpoints: Dict[str, int] = {}
    found: Dict[str, Rows] = {}
    reasons = _Reasons()
    for i, line in enumerate(lines):
        if line.startswith('#') or line == '\n':
            continue
        cells = line.rstrip('\n').split('\t')
        if len(cells) != len(names):
            raise Malformed(
                f'warp CSV: row {i + 2} has {len(cells)} columns, not '
                f'{len(names)}; it may be truncated'
            )
        thread, op, objects, size, error, start, end = [
            cells[c] for c in columns
        ]
        rows = found.get(op)
        if rows is None:
            rows = found[op] = Rows()
        try:
            began, ended = clock.nanos(start), clock.nanos(end)
            where = -1
            if endpoint is not None:
                name = cells[endpoint]
                if len(endpoints) < MAX_ENDPOINTS:
                    endpoints.setdefault(name, len(endpoints))
                where = endpoints.get(name, -1)
            who = (cells[client] if client is not None else '', thread)
            of = threads.setdefault(who, len(threads))
            if error:
                rows.failed_thread.append(of)
                rows.failed_start.append(began)
                rows.failed.append(ended)
                rows.failed_at.append(where)
                rows.why.append(reasons.name(error))
                continue
            rows.thread.append(of)
            rows.start.append(began)
            rows.end.append(ended)
            rows.bytes.append(int(size))
            rows.place.append(where)
            rows.objects += int(objects)
            byte = cells[first] if first is not None else ''
            rows.first.append(clock.nanos(byte) if byte else 0)
        except (ValueError, OverflowError):
            raise Malformed(
                f'warp CSV: row {i + 2} cannot be read: {shown(line[:120])}'
            ) from None
    return Load(found, list(endpoints))


def _active(phase: List[Rows]) -> Tuple[int, int, bool]:
    """Return when the last thread had begun and the first one stopped.

    A thread whose operations fail is at work. Where that is less than half
    of the phase, it is the whole phase.
    """
    first_end: Dict[int, int] = {}
    last_start: Dict[int, int] = {}
    for rows in phase:
        for thread, start, end in rows.times():
            if end < first_end.get(thread, end + 1):
                first_end[thread] = end
            if start > last_start.get(thread, -1):
                last_start[thread] = start
    begin, end = max(first_end.values()), min(last_start.values())
    spans = [rows.span() for rows in phase]
    first, last = min(s[0] for s in spans), max(s[1] for s in spans)
    # a moment in which a few operations happened to end is no rate
    if end - begin >= LEAST_SHARE * (last - first):
        return begin, end, True
    return first, last, False
