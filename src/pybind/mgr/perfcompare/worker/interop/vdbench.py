"""vdbench: `flatfile.html`, and `totals.html` or `summary.html`.

Every run (RD) with its values of `forxx` loops is a workload. Its figures are
those of the row `avg_<first>-<last>`, which leaves out the first interval and
the warm-up. vdbench states no percentiles. Response times are milliseconds,
`MB/sec` are MiB/s.
"""

from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import re

from ..wire.reading import (
    MAX_SAMPLES,
    Measured,
    Reading,
    Samples,
    number,
    shown,
    whole,
)
from ..wire.strict import Malformed
from .naming import short_size

MIB = 1 << 20
TOTALS = 'Starting RD='

Row = Mapping[str, str]

_MARK = re.compile(r'vdbench', re.I)
_TAG = re.compile(r'<[^<>]{0,200}>')
_AVERAGE = re.compile(r'avg_(\d{1,9})-(\d{1,9})\Z')
_CLOCK = re.compile(r'(\d\d):(\d\d):(\d\d(?:\.\d{1,6})?)\Z')
_START = re.compile(r'Starting RD=([^;\s]{1,64});(.{0,2000})')
_SETTING = re.compile(r'\b(elapsed|warmup|threads|xfersize|rdpct)=(\S+)')
_NAME = re.compile(r'[^A-Za-z0-9._-]+')
_SIZE = re.compile(r'(\d{1,12})([kmg]?)\Z', re.I)
_RANDOM = ('100', '100.0', 'random')
_SEQUENTIAL = ('0', '0.0', 'eof', 'seq', 'seqnz', 'sequential')


def is_mine(line: str) -> bool:
    """Say whether a file that begins with ``line`` is one of vdbench."""
    return line.startswith('<') and _MARK.search(line) is not None


def read(lines: Sequence[str]) -> Reading:
    """Read a flatfile, or totals; Malformed says what is wrong."""
    plain = [_TAG.sub('', line).strip() for line in lines]
    for i, line in enumerate(plain):
        if line.startswith('tod') and 'Interval' in line.split():
            return _flatfile(line.split(), plain[i + 1 :])
    if any(TOTALS in line for line in plain):
        return _totals(plain)
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
            found.append(_run(row, held))
            held = []
        else:
            held.append(row)
    return _reading(found)


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
    read_share = number(row.get('read%'), f'{where}: read%')
    return _measured(
        where,
        row.get('run', ''),
        rate=number(row.get('rate'), f'{where}: rate'),
        speed=number(row.get('mb/sec'), f'{where}: MB/sec'),
        size=_bytes(row.get('xfersize')) or _bytes(row.get('bytes/io')),
        threads=_count(row.get('threads')),
        read_share=read_share,
        seeks=row.get('seekpct', ''),
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
        samples=_samples(held, times, step, where),
    )


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


def _totals(lines: Sequence[str]) -> Reading:
    """Read what `totals.html` says of each run of raw I/O."""
    found: List[Measured] = []
    run, rest = '', ''
    settings: Dict[str, str] = {}
    for line in lines:
        start = _START.search(line)
        if start is not None:
            run, rest = start.group(1), start.group(2)
            settings = dict(
                (name, value.rstrip(';'))
                for name, value in _SETTING.findall(rest)
            )
            continue
        cells = line.split()
        if len(cells) < 3 or not _CLOCK.match(cells[0]):
            continue
        average = _AVERAGE.match(cells[1])
        if average is None:
            continue
        where = f'vdbench: run {shown(run)}'
        if len(cells) < 7:
            raise Malformed(
                f'{where}: its average has {len(cells)} columns; read are '
                'totals of raw I/O, not of file systems'
            )
        # rate, MB/s, bytes, read %, response time: first in each release
        rate, speed, size, share, wait = cells[2:7]
        first, last = int(average.group(1)), int(average.group(2))
        whole_time = sum(
            _count(settings.get(name)) or 0 for name in ('elapsed', 'warmup')
        )
        found.append(
            _measured(
                where,
                run,
                rate=number(rate, f'{where}: rate'),
                speed=number(speed, f'{where}: MB/sec'),
                size=_bytes(settings.get('xfersize')) or _bytes(size),
                threads=_count(settings.get('threads')),
                read_share=number(share, f'{where}: read pct'),
                seeks='',
                waits={'': number(wait, f'{where}: resp time')},
                seconds=(
                    whole_time * (last - first + 1) / last
                    if whole_time and last
                    else None
                ),
            )
        )
    return _reading(found)


def _measured(
    where: str,
    run: str,
    rate: Optional[float],
    speed: Optional[float],
    size: Optional[int],
    threads: Optional[int],
    read_share: Optional[float],
    seeks: str,
    waits: Mapping[str, Optional[float]],
    seconds: Optional[float],
    samples: Optional[Samples] = None,
) -> Measured:
    if rate is None:
        raise Malformed(f'{where}: its rate is not there')
    kind = _kind(read_share, seeks)
    parts = [_NAME.sub('-', run).strip('-.')[:40] or 'run']
    if kind == 'io-mixed' and read_share is not None:
        parts.append(f'r{round(read_share)}')
    if size:
        parts.append(short_size(size))
    if threads:
        parts.append(f'c{threads}')
    return Measured(
        op=kind,
        workload='-'.join(parts),
        size=size,
        concurrency=threads,
        duration=seconds,
        ops_per_s=rate,
        bytes_per_s=None if speed is None else speed * MIB,
        latency_avg=_millis(waits.get('')),
        latency_max=_millis(waits.get('max')),
        samples=samples,
        operations=(
            _directions(rate, read_share, waits)
            if kind == 'io-mixed' and read_share is not None
            else {}
        ),
        notes=('vdbench states no latency percentiles',),
    )


def _kind(read_share: Optional[float], seeks: str) -> str:
    if read_share is None:
        return 'other'
    if 0.0 < read_share < 100.0:
        return 'io-mixed'
    name = 'read' if read_share else 'write'
    if seeks.lower() in _RANDOM:
        return f'io-rand{name}'
    # totals do not say, and a share of seeks is neither
    return f'io-{name}' if seeks.lower() in _SEQUENTIAL else 'other'


def _directions(
    rate: float, read_share: float, waits: Mapping[str, Optional[float]]
) -> Dict[str, Any]:
    share = read_share / 100.0
    return {
        name: {
            'ops_per_s': rate * part,
            'latency_avg': _millis(waits.get(name)),
        }
        for name, part in (('read', share), ('write', 1.0 - share))
    }


def _millis(value: Optional[float]) -> Optional[float]:
    return None if value is None else value / 1e3


def _bytes(text: Optional[str]) -> Optional[int]:
    """Return the bytes of `4096` or `4k`; None where sizes differ."""
    match = _SIZE.match(text or '')
    if match is None:
        return None
    powers = {'': 0, 'k': 10, 'm': 20, 'g': 30}
    return int(match.group(1)) << powers[match.group(2).lower()] or None


def _count(text: Optional[str]) -> Optional[int]:
    """Return a whole number; None for `(none)`, `n/a` and loops."""
    try:
        return whole(text, '') or None
    except Malformed:
        return None


def _reading(found: Sequence[Measured]) -> Reading:
    runs = tuple(row for row in found if row.ops_per_s)
    if not runs:
        raise Malformed(
            'vdbench: no run in it has an average (avg_<first>-<last>) with '
            'I/O'
        )
    return Reading('vdbench', '', runs)
