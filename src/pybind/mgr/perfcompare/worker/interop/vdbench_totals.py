"""vdbench: `totals.html` or `summary.html`, of raw I/O."""

from typing import Dict, List, Optional, Sequence

import re

from ..wire.reading import Measured, Reading, number, shown
from ..wire.strict import Malformed
from .vdbench_rows import (
    asked_rate,
    measured,
    percent_of,
    plain,
    prepares,
    reading_of,
    size_of,
    size_seen,
    size_told,
)

TOTALS = 'Starting RD='

_AVERAGE = re.compile(r'avg_(\d{1,9})-(\d{1,9})\Z')
_CLOCK = re.compile(r'\d\d:\d\d:\d\d(?:\.\d{1,6})?\Z')
# a release leaves no space before a label of ten characters
_JOINED = re.compile(r'(\d\d:\d\d:\d\d\.\d{1,6})(?=avg_)')
_START = re.compile(r'Starting RD=([^;\s]{1,64});?(.{0,2000})')
# of the header, and of the start, of runs of file systems
_FILES = re.compile(r'\.ReqstdOps\.|\bfwdrate=')
_HEADER = re.compile(r'\binterval\s+(i/o\s.{0,1000})')
_TIME = re.compile(r'\b(elapsed|warmup)=(\d{1,9})')
_RATE = re.compile(r'I/O rate: (?:Uncontrolled |Controlled )?(\w+)')
_LOOP = re.compile(r'\b(\w{1,20})=(\S{1,40})')


def read(lines: Sequence[str]) -> Reading:
    """Read what `totals.html` says of each run of raw I/O."""
    found: List[Measured] = []
    run, lasting = '', 0
    settings: Dict[str, str] = {}
    queue: Optional[int] = None
    for line in lines:
        if _FILES.search(line):
            raise Malformed(
                'vdbench: read are totals of raw I/O, not of file systems'
            )
        start = _START.search(line)
        if start is not None:
            run, rest = start.group(1), start.group(2)
            lasting = sum(int(value) for _, value in _TIME.findall(rest))
            settings = _settings(rest)
            continue
        queue = _queue(line, queue)
        cells = _JOINED.sub(r'\1 ', line).split()
        if len(cells) < 3 or not _CLOCK.match(cells[0]):
            continue
        average = _AVERAGE.match(cells[1])
        if average is None or prepares(run):
            continue
        where = f'vdbench: run {shown(run)}'
        if len(cells) < 7:
            raise Malformed(
                f'{where}: its average has {len(cells)} columns; it may be '
                'truncated'
            )
        # rate, MB/s, bytes, read %, response time: first in each release
        rate, _, size, share, wait = cells[2:7]
        moved = number(size, f'{where}: bytes')
        first, last = int(average.group(1)), int(average.group(2))
        found.append(
            measured(
                where,
                run,
                rate=number(rate, f'{where}: rate'),
                speed=None,
                size=(
                    size_told(size_of(settings['xfersize']), moved)
                    if 'xfersize' in settings
                    else size_seen(moved)
                ),
                moved=moved,
                threads=size_of(settings.get('threads')),  # 1k is 1024
                in_flight=(
                    number(cells[queue], f'{where}: queue depth')
                    if queue is not None and queue < len(cells)
                    else None
                ),
                asked_share=percent_of(settings.get('rdpct')),
                read_share=number(share, f'{where}: read pct'),
                seeks='',
                waits={'': number(wait, f'{where}: resp time')},
                seconds=(
                    lasting * (last - first + 1) / last
                    if lasting and last
                    else None
                ),
                settings=settings,
            )
        )
    return reading_of(found)


def _queue(line: str, known: Optional[int]) -> Optional[int]:
    """Return the column of the queue's depth, which releases move about.

    A header stands before the first run only: later lines keep its column.
    """
    header = _HEADER.search(line)
    if header is None:
        return known
    names = header.group(1).split()
    # before these are the time and the interval
    return 2 + names.index('queue') if 'queue' in names else None


def _settings(text: str) -> Dict[str, str]:
    """Return what `I/O rate: 1000; …; For loops: seekpct=80` says."""
    given, _, loops = text.partition('For loops:')
    rate = _RATE.search(given)
    found = {'iorate': asked_rate(rate.group(1))} if rate else {}
    found.update((name, plain(value)) for name, value in _LOOP.findall(loops))
    if found.get('iorate', '').lower() in ('max', 'curve'):
        found['iorate'] = 'max'
    return found
