"""vdbench: `flatfile.html`, and `totals.html` or `summary.html`.

Every run (RD) with its values of `forxx` loops is a workload. Its figures are
those of the row `avg_<first>-<last>`, which leaves out the first interval and
the warm-up. vdbench states no percentiles. Response times are milliseconds.
"""

from typing import (
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

import datetime
import re

from ..wire.reading import (
    MAX_SAMPLES,
    Measured,
    Reading,
    Samples,
    number,
    shown,
    time,
)
from ..wire.strict import Malformed
from . import vdbench_totals
from .vdbench_rows import (
    asked_rate,
    count_of,
    measured,
    percent_of,
    plain,
    prepares,
    reading_of,
    size_of,
    size_seen,
    size_told,
)

Row = Mapping[str, str]

# columns that say what was asked for, which loops set
SETTINGS = (
    'xfersize',
    'threads',
    'rdpct',
    'rhpct',
    'whpct',
    'seekpct',
    'lunsize',
    'compratio',
    'dedupratio',
)

_MARK = re.compile(r'vdbench', re.I)
_STAMP = re.compile(r'(\d\d/\d\d/\d{4}-\d\d:\d\d:\d\d)-(.+)')
_OFFSET = re.compile(r'GMT([+-])(\d\d):(\d\d)')
_TAG = re.compile(r'<title>[^<]{0,200}|<[^<>]{0,200}>')  # each file has one
_AVERAGE = re.compile(r'avg_(\d{1,9})-(\d{1,9})\Z')
_CLOCK = re.compile(r'(\d\d):(\d\d):(\d\d(?:\.\d{1,6})?)\Z')


def is_mine(line: str) -> bool:
    """Say whether a file that begins with ``line`` is one of vdbench."""
    return line.startswith('<') and _MARK.search(line) is not None


def read(lines: Sequence[str]) -> Reading:
    """Read a flatfile, or totals; Malformed says what is wrong."""
    lines = [_TAG.sub('', line).strip() for line in lines]
    for i, line in enumerate(lines):
        if line.startswith('tod') and 'Interval' in line.split():
            return _flatfile(line.split(), lines[i + 1 :])
    if any(vdbench_totals.TOTALS in line for line in lines):
        return vdbench_totals.read(lines)
    raise Malformed(
        'vdbench: it has neither the columns of flatfile.html nor the runs '
        'of totals.html'
    )


def _flatfile(header: List[str], lines: Sequence[str]) -> Reading:
    names = [name.lower() for name in header]
    found: List[Measured] = []
    held: List[Row] = []
    for i, line in enumerate(lines):
        if not line or line.startswith('*') or line.split() == header:
            continue
        cells = line.split()
        if len(cells) != len(names):
            raise Malformed(
                f'vdbench: row {i + 1} of flatfile.html has {len(cells)} '
                f'columns, the header {len(names)}; it may be truncated'
            )
        row = dict(zip(names, cells))
        if _AVERAGE.match(row['interval']):
            if not prepares(row.get('run', '')):
                found.append(_run(row, held))
            held = []
        else:
            held.append(row)
    return reading_of(found)


def _run(row: Row, before: Sequence[Row]) -> Measured:
    """Return a run by its average, and the intervals that it is of."""
    where = f'vdbench: run {shown(row.get("run", ""))}'
    average = _AVERAGE.match(row['interval'])
    assert average is not None
    first, last = int(average.group(1)), int(average.group(2))
    held = [
        r for r in before
        if r['interval'].isdigit() and first <= int(r['interval']) <= last
    ]  # fmt: skip
    times = list(_seconds(held))
    step = _step(times)
    started, notes = _started(held, step, where)
    moved = number(row.get('bytes/io'), f'{where}: bytes/io')
    size = size_told(size_of(row.get('xfersize')), moved)
    speed = None
    if 'bytes/io' not in row:  # of files, not all operations move bytes
        size = size_seen(number(row.get('xfersize'), f'{where}: xfersize'))
        speed = number(row.get('mb/sec'), f'{where}: MB/sec')
    return measured(
        where,
        row.get('run', ''),
        rate=number(row.get('rate'), f'{where}: rate'),
        speed=speed,
        size=size,
        moved=moved,
        threads=count_of(row.get('threads')),
        in_flight=number(row.get('queue_depth'), f'{where}: queue_depth'),
        asked_share=percent_of(row.get('rdpct')),
        read_share=number(row.get('read%'), f'{where}: read%'),
        seeks=plain(row.get('seekpct')),
        waits={
            name: number(row.get(column), f'{where}: {column}')
            for name, column in (
                ('', 'resp'),
                ('read', 'read_resp'),
                ('write', 'write_resp'),
                ('max', 'resp_max'),
            )
        },
        seconds=step * (last - first + 1) if step else None,
        settings=_settings(row),
        samples=_samples(held, times, step, where),
        started=started,
        notes=notes,
    )


def _settings(row: Row) -> Dict[str, str]:
    found = {name: plain(row.get(name)) for name in SETTINGS}
    found['iorate'] = asked_rate(row.get('reqrate'))
    return {name: value for name, value in found.items() if value}


def _started(
    rows: Sequence[Row], step: Optional[float], where: str
) -> Tuple[Optional[float], Tuple[str, ...]]:
    """Return when intervals began, and a note where that is not certain.

    Most zones are abbreviations, which are not those of one place each.
    """
    text = rows[0].get('timestamp') if rows else None
    if text is None or step is None:
        return None, ()
    match = _STAMP.fullmatch(text)
    try:
        if match is None:
            raise ValueError(text)
        ended = datetime.datetime.strptime(match[1], '%m/%d/%Y-%H:%M:%S')
    except ValueError:
        raise Malformed(f'{where}: {shown(text)} is not a time') from None
    begin = ended.replace(tzinfo=datetime.timezone.utc).timestamp() - step
    offset = _OFFSET.fullmatch(match[2])
    if offset:
        sign, hours, minutes = offset.groups()
        begin -= int(sign + hours) * 3600 + int(sign + minutes) * 60
    elif match[2] not in ('UTC', 'GMT'):
        note = f'its times are of zone {shown(match[2])}, and taken as UTC'
        return time(begin, where), (note,)
    return time(begin, where), ()


def _seconds(rows: Sequence[Row]) -> Iterator[float]:
    """Yield the seconds of each row's end since the first one's."""
    begin = former = None
    days = 0
    for row in rows:
        match = _CLOCK.match(row.get('tod', ''))
        if match is None:
            return
        at = (
            int(match.group(1)) * 3600
            + int(match.group(2)) * 60
            + float(match.group(3))
        )
        if former is not None and at < former:
            days += 1  # it went on past midnight
        former = at
        begin = at if begin is None else begin
        yield at + 86400.0 * days - begin


def _step(times: Sequence[float]) -> Optional[float]:
    """Return the length of an interval, whole seconds as vdbench has it."""
    if len(times) < 2:
        return None
    return float(max(1, round(times[-1] / (len(times) - 1))))


def _samples(
    rows: Sequence[Row],
    times: Sequence[float],
    step: Optional[float],
    where: str,
) -> Optional[Samples]:
    if step is None or len(times) != len(rows) or len(rows) > MAX_SAMPLES:
        return None
    waits = [number(r.get('resp'), f'{where}: resp') for r in rows]
    return Samples(
        0.0,
        tuple(step * (i + 1) for i in range(len(rows))),
        tuple(number(r.get('rate'), f'{where}: rate') for r in rows),
        tuple(w / 1e3 if w is not None else None for w in waits),
    )
