"""Which tool wrote a file, and its results; several files may be joined.

Files joined one after the other (`cat`) are rounds of one run, in their
order: each begins where a header, or a further JSON document, begins.
"""

from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
)

import dataclasses
import io
import itertools
import json

from ..wire.reading import MAX_MEASURED, Measured, Reading, shown
from ..wire.strict import Malformed
from . import (
    apart,
    cbt,
    cosbench,
    cosbench_series,
    elbencho,
    fio,
    table,
    vdbench,
    warp_csv,
    warp_json,
    warp_rows,
)

MAX_LINES = 500_000  # of a small CSV
MAX_DOCUMENT = 128 << 20  # characters of JSON, and of a small CSV

# a round of a workload -> the first group in it, and whether it states it
Rounds = Dict[Tuple[Any, ...], Tuple[str, bool]]

_SMALL: Tuple[Tuple[str, str, Callable[[List[str]], Reading]], ...] = (
    (cosbench.RESULT, 'cosbench', cosbench.read_result),
    (cosbench.MATRIX, 'cosbench', cosbench.read_result),
    (cosbench.STAGE, 'cosbench', cosbench.read_stage),
    (elbencho.HEADER, 'elbencho', elbencho.read_csv),
)


def read(stream: io.BufferedReader, tool: str = 'auto') -> Reading:
    """Read all that ``stream`` holds; Malformed says what is wrong."""
    if cbt.is_mine(stream.peek(512)):
        _expect(tool, 'cbt')
        return _rounds(iter([cbt.read(stream)]))
    try:
        text = io.TextIOWrapper(stream, 'utf-8', newline='\n')
        return _read(text, tool)
    except UnicodeDecodeError:
        raise Malformed('it is not text; is it compressed?') from None
    except RecursionError:
        raise Malformed('its JSON is nested too deeply') from None


def warp_benchdata(stream: io.BufferedReader) -> warp_rows.Load:
    """Read one CSV of warp, every operation of it."""
    text = io.TextIOWrapper(stream, 'utf-8', newline='\n')
    header = text.readline()
    if not header.startswith(warp_csv.HEADER):
        raise Malformed(f'it begins with {shown(header)}')
    return warp_rows.load(text, header)


def _read(text: io.TextIOWrapper, tool: str) -> Reading:
    first = ''
    for first in text:
        first = first.lstrip('\ufeff')
        if first.strip() and not first.startswith(fio.NOISE):
            break
    if not first.strip():
        raise Malformed('it is empty')
    if first.lstrip()[0] in '{[':
        return _documents(first, text, tool)
    if vdbench.is_mine(first):
        _expect(tool, 'vdbench')
        return _rounds(iter([vdbench.read(_lines(first, text))]))
    if first.startswith(warp_csv.HEADER):
        _expect(tool, 'warp')
        return _rounds(_warp(first, text))
    return _rounds(_tables(first.rstrip('\r\n'), text, tool))


def _expect(tool: str, found: str) -> None:
    if tool not in ('auto', found):
        raise Malformed(f'it is a file of {found}, not of {tool}')


def _warp(header: str, text: Iterator[str]) -> Iterator[Reading]:
    """Yield one reading for each joined file."""
    following: List[str] = [header]

    def rows() -> Iterator[str]:
        for line in text:
            if line.startswith(warp_csv.HEADER):
                following.append(line)
                return
            yield line

    while following:
        yield warp_csv.read(rows(), following.pop())


def _tables(header: str, text: Iterator[str], tool: str) -> Iterator[Reading]:
    reader = _reader(header, tool)
    held, size = [header], 0
    for line in text:
        size += len(line)
        line = line.rstrip('\r\n')
        if not line:
            continue
        if size > MAX_DOCUMENT:
            raise Malformed(f'it has more than {MAX_DOCUMENT >> 20} MiB')
        following = _known(line)
        if following is not None and len(held) > 1:
            yield reader(held)
            reader, held = _reader(line, tool), []
        held.append(line)
        if len(held) > MAX_LINES:
            raise Malformed(f'it has more than {MAX_LINES:,} lines')
    yield reader(held)


def _lines(first: str, text: Iterator[str]) -> List[str]:
    """Return all lines, so many as a file of results may have."""
    held, size = [first.rstrip('\r\n')], len(first)
    for line in text:
        size += len(line)
        held.append(line.rstrip('\r\n'))
        if size > MAX_DOCUMENT:
            raise Malformed(f'it has more than {MAX_DOCUMENT >> 20} MiB')
        if len(held) > MAX_LINES:
            raise Malformed(f'it has more than {MAX_LINES:,} lines')
    return held


def _known(line: str) -> Optional[Callable[[List[str]], Reading]]:
    for start, _, reader in _SMALL:
        if line.startswith(start):
            return reader
    return table.read_csv if table.is_header(line) else None


def _tool(line: str) -> str:
    return next(
        (t for start, t, _ in _SMALL if line.startswith(start)), 'csv'
    )


def _reader(header: str, tool: str) -> Callable[[List[str]], Reading]:
    if header.startswith(cosbench.HISTORY):
        raise Malformed(
            "COSBench's run-history.csv names runs and has no results; "
            "import <id>-<name>.csv of the run's folder"
        )
    if header.startswith(cosbench.HISTOGRAM):
        raise Malformed(
            "COSBench's histogram has no rates; import <id>-<name>.csv"
        )
    reader = _known(header)
    if reader is None:
        raise Malformed(
            f'it is not known what it is: it begins with {shown(header)}; '
            'read are exports of perfcompare, results of warp (CSV, JSON), '
            'COSBench (CSV), fio (JSON), elbencho (CSV, JSON), vdbench '
            '(flatfile.html, totals.html) and CBT (a tar of its archive), '
            'and CSV with the columns workload and ops_per_s'
        )
    _expect(tool, _tool(header))
    return reader


def _documents(first: str, text: Iterator[str], tool: str) -> Reading:
    parts, size = [first], len(first)
    for line in text:
        size += len(line)
        if size > MAX_DOCUMENT:
            raise Malformed(f'it has more than {MAX_DOCUMENT >> 20} MiB')
        if line.strip():
            parts.append(line)
    found: List[Reading] = []
    decoded = _decoded(''.join(parts))
    for phases, held in itertools.groupby(decoded, elbencho.is_mine):
        if phases:
            _expect(tool, 'elbencho')
            found.append(elbencho.read_json(list(held)))
        else:
            found += [_document(data, tool) for data in held]
    return _rounds(iter(found))


def _decoded(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    at = count = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text):
            return
        count += 1
        if count > MAX_MEASURED:
            raise Malformed(f'it has more than {MAX_MEASURED} documents')
        try:
            data, at = decoder.raw_decode(text, at)
        except ValueError as error:
            raise Malformed(f'it is not complete JSON ({error})') from None
        yield data


def _no_constant(name: str) -> Any:
    raise ValueError(f'{name} is not a number of JSON')


def _document(data: Any, tool: str) -> Reading:
    if warp_json.is_mine(data):
        _expect(tool, 'warp')
        return warp_json.read(data)
    if fio.is_mine(data):
        _expect(tool, 'fio')
        return fio.read(data)
    if isinstance(data, dict) and 'latency_at_max_bandwidth' in data:
        raise Malformed(
            "CBT's files for plots do not say which operation they are of; "
            'import its archive: tar -cz -C <archive> . | base64'
        )
    if isinstance(data, dict) and data.get('format') == table.FORMAT:
        _expect(tool, 'json')
        return table.read_json(data)
    keys = ', '.join(sorted(map(str, data))[:6]) if data else 'nothing'
    raise Malformed(
        f'its JSON is of no known tool (it has {keys[:120]}); read are '
        'exports of perfcompare, results of warp, fio and elbencho, and '
        f'documents of format {table.FORMAT}'
    )


def _rounds(readings: Iterator[Reading]) -> Reading:
    """Put joined files together: each is a round, unless it says which.

    A time series of COSBench completes a row of the result before it.
    """
    parts: List[List[Measured]] = []  # of each file
    head: Optional[Reading] = None
    whole = False  # the last one was a result
    count = 0
    for reading in readings:
        if head is None:
            head = reading
        elif (head.tool, head.version) != (reading.tool, reading.version):
            raise Malformed(
                f'files of {head.tool} {head.version} and {reading.tool} '
                f'{reading.version} are joined; import each by itself'
            )
        series = cosbench_series.series_of(reading)
        if series is not None and whole:
            parts[-1] = cosbench_series.complete(parts[-1], series)
            continue
        whole = whole or series is None
        parts.append(list(reading.measured))
        count += len(reading.measured)
        if count > MAX_MEASURED:
            raise Malformed(f'it has more than {MAX_MEASURED} results')
    assert head is not None
    rows: List[Measured] = []
    held: Rounds = {}
    next_round = 1
    for part in apart.set_apart(parts):
        rows += _numbered(part, next_round, held)
        next_round = max(row.round for row in rows) + 1
    return dataclasses.replace(head, measured=tuple(rows))


def _numbered(
    measured: Sequence[Measured], first: int, held: Rounds
) -> List[Measured]:
    """Give a round to rows without: the next one of their workload."""
    seen: Dict[Tuple[Any, ...], int] = {}
    found = []
    for row in measured:
        workload = (
            row.workload,
            row.op,
            row.size,
            row.concurrency,
            row.apart,
        )
        stated = bool(row.round)
        if not stated:
            key = (row.group, *workload)
            seen[key] = seen.get(key, first - 1) + 1
            row = dataclasses.replace(row, round=seen[key])
        group, known = held.setdefault(
            (*workload, row.round), (row.group, stated)
        )
        # they would be paired: rounds of other groups must be stated
        if group != row.group and not (stated and known):
            raise Malformed(
                f'rows of {shown(group)} and {shown(row.group)} of '
                f'{shown(row.workload or row.op)} share round {row.round}, '
                'which not all of them state; number the rounds of both if '
                'they were measured in turn, else import each group by itself'
            )
        found.append(row)
    return found
