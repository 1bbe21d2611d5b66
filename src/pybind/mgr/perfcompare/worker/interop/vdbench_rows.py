"""vdbench: what one run (RD) becomes, from whichever of its files."""

from typing import Any, Dict, Iterator, Mapping, Optional, Sequence

import re

from ..wire.reading import (
    Measured,
    Reading,
    Samples,
    nominal_size,
    number,
    whole,
)
from ..wire.strict import Malformed
from .naming import short_size

MIB = 1 << 20
SECTOR = 512  # of which sizes are multiples
NEAR = 0.01  # by which the mean of one size differs from it at most
FAR = 15.0  # percent of reads in a mix that chance does not explain
# vdbench's numbers for iorate=max and iorate=curve, of all releases
UNLIMITED = ('999977', '999988', '9999977', '9999988')
PREPARED = ('SD_format', 'format_for_')  # runs that fill what is tested

_NAME = re.compile(r'[^A-Za-z0-9._-]+')
_SIZE = re.compile(r'(\d{1,12})([kmg]?)\Z', re.I)
_WHOLE = re.compile(r'\.0*\Z')
_POINT = re.compile(r'\((\d{1,3}%)\)\Z')
_RANDOM = ('100', 'random')
_SEQUENTIAL = ('0', 'eof', 'seq', 'seqnz', 'sequential')


def measured(
    where: str,
    run: str,
    rate: Optional[float],
    speed: Optional[float],
    size: Optional[int],
    moved: Optional[float],
    threads: Optional[int],
    in_flight: Optional[float],
    asked_share: Optional[float],
    read_share: Optional[float],
    seeks: str,
    waits: Mapping[str, Optional[float]],
    seconds: Optional[float],
    settings: Dict[str, str],
    samples: Optional[Samples] = None,
    started: Optional[float] = None,
    notes: Sequence[str] = (),
) -> Measured:
    """Return a run by figures in vdbench's units; Malformed without any.

    ``settings`` are those of its loops: runs (RD) have unlike names, so that
    what of one name differs in them is another test. ``moved`` are the bytes
    of an I/O on average; ``speed`` is in MiB/s, None to compute it, as what
    vdbench calls MB may be of 1000**2.
    """
    if rate is None:
        raise Malformed(f'{where}: its rate is not there')
    share = _share(asked_share, read_share)
    kind = _kind(read_share if share is None else share, seeks)
    parts = [_NAME.sub('-', run).strip('-.')[:40] or 'run']
    # what came of it differs a little from test to test
    if kind == 'io-mixed' and share is not None:
        parts.append(f'r{share:g}')
    if size:
        parts.append(short_size(size))
    if threads:
        parts.append(f't{threads}')
    limited = _limit(settings.get('iorate', ''))
    point = _POINT.search(run)
    if point:  # of a curve: a part of what this very test reached
        settings = {n: v for n, v in settings.items() if n != 'iorate'}
        limited = f'curve {point.group(1)}'
    return Measured(
        op=kind,
        workload='-'.join(parts),
        size=size,
        started=started,
        duration=seconds,
        ops_per_s=rate,
        bytes_per_s=_speed(rate, moved, speed),
        latency_avg=_millis(waits.get('')),
        latency_max=_millis(waits.get('max')),
        samples=samples,
        settings=settings,
        limited=limited,
        operations=(
            _directions(rate, read_share, waits)
            if kind == 'io-mixed' and read_share is not None
            else {}
        ),
        notes=(
            'vdbench states no latency percentiles',
            *_flight(threads, in_flight),
            *([f'its rate was limited: {limited}'] if limited else []),
            *notes,
        ),
    )


def _limit(rate: str) -> str:
    return '' if rate in ('', 'max') else f'iorate={rate}'


def _flight(
    threads: Optional[int], in_flight: Optional[float]
) -> Iterator[str]:
    """Yield how many operations were in flight, as far as it is told.

    Each SD (LUN) has so many threads, and no file has the number of SDs.
    """
    if threads:
        yield f'threads={threads} of each SD; their number is not told'
    if in_flight:  # 0.0 may be little as well
        yield f'on average {in_flight:.3g} I/O were in flight'


def size_told(asked: Optional[int], moved: Optional[float]) -> Optional[int]:
    """Return the size that was asked for; a power of two for several.

    vdbench gives the first size of a list, and none for unlike workloads.
    """
    if not moved or (asked and abs(moved - asked) <= NEAR * asked):
        return asked
    return nominal_size(moved, 1, False)


def size_seen(moved: Optional[float]) -> Optional[int]:
    """Return the size of I/O by its mean alone.

    One that is no whole number of sectors is that of several sizes.
    """
    return nominal_size(moved, 1, moved % SECTOR == 0) if moved else None


def _share(asked: Optional[float], seen: Optional[float]) -> Optional[float]:
    """Return the share of reads that was asked for, if it was done."""
    if asked is None or seen is None:
        return None
    far = FAR if 0.0 < asked < 100.0 else NEAR * 100.0
    return asked if abs(asked - seen) <= far else None


def _speed(
    rate: float, moved: Optional[float], speed: Optional[float]
) -> Optional[float]:
    if speed is not None:
        return speed * MIB
    return None if moved is None else rate * moved


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


def size_of(text: Optional[str]) -> Optional[int]:
    """Return the bytes of `4096` or `4k`; None where sizes differ."""
    match = _SIZE.match(text or '')
    if match is None:
        return None
    powers = {'': 0, 'k': 10, 'm': 20, 'g': 30}
    return int(match.group(1)) << powers[match.group(2).lower()] or None


def count_of(text: Optional[str]) -> Optional[int]:
    """Return a whole number; None for `(none)`, `n/a` and loops."""
    try:
        return whole(text, '') or None
    except Malformed:
        return None


def plain(text: Optional[str]) -> str:
    """Return '100' for '100.0000', and nothing for what is not told."""
    known = (text or '').strip()
    return '' if known.lower() == 'n/a' else _WHOLE.sub('', known)


def asked_rate(text: Optional[str]) -> str:
    """Return the rate that was asked for: a number, or 'max'."""
    known = plain(text)
    return 'max' if known in UNLIMITED else known


def prepares(run: str) -> bool:
    """Say whether a run fills what others test."""
    return run.startswith(PREPARED)


def percent_of(text: Optional[str]) -> Optional[float]:
    """Return a percentage; None for what is none."""
    try:
        return number(text, '')
    except Malformed:
        return None


def reading_of(found: Sequence[Measured]) -> Reading:
    """Return those runs that did any I/O; Malformed without one."""
    runs = tuple(row for row in found if row.ops_per_s)
    if not runs:
        raise Malformed(
            'vdbench: no run in it has an average (avg_<first>-<last>) with '
            'I/O'
        )
    return Reading('vdbench', '', runs)
