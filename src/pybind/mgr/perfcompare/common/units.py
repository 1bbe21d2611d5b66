"""Sizes, rates, durations and times: from text and to text, with units.

Sizes of objects count in powers of 1024, as everywhere in Ceph ('4K' is
4096 bytes); rates are decimal (1 MB/s is 10^6 bytes per second).
"""

from typing import Optional

import datetime
import fractions
import math
import re

from .errors import InvalidArgument

_POWERS = {'': 0, 'K': 1, 'M': 2, 'G': 3, 'T': 4, 'P': 5}
_SIZE = re.compile(
    r'^\s*([0-9]{1,20}(?:\.[0-9]{1,6})?)\s*([KMGTP]?)(?:I?B)?\s*$', re.I
)
_DURATION = re.compile(
    r'^\s*([0-9]{1,9}(?:\.[0-9]{1,6})?)\s*(s|sec|m|min|h|d)?\s*$', re.I
)
_SECONDS = {'s': 1, 'sec': 1, 'm': 60, 'min': 60, 'h': 3600, 'd': 86400}

# Unix times that are believed: the years 1970 to 2099
EPOCH = 0.0
LAST_TIME = 4102444800.0


def parse_size(text: str) -> int:
    """Return the bytes of '4K', '64KiB', '1.5M' or '4096'.

    All suffixes are powers of 1024. Raises InvalidArgument when the text is
    no size, is zero, or is no whole number of bytes.
    """
    match = _SIZE.match(str(text))
    if not match:
        raise InvalidArgument(
            f'{_short(text)} is not a size; give a number with an optional '
            'K, M, G or T, e.g. 4K, 64K, 4M'
        )
    power = _POWERS[match.group(2).upper()]
    exact = fractions.Fraction(match.group(1)) * 1024**power
    if exact.denominator != 1:
        raise InvalidArgument(
            f'{_short(text)} is not a whole number of bytes; give e.g. 1536K'
        )
    if exact <= 0:
        raise InvalidArgument(
            f'{_short(text)} is not a size: it must be above 0'
        )
    return int(exact)


def format_size(count: int) -> str:
    """Return the exact short name of a size, e.g. '4K', '1536K', '5000'.

    The inverse of parse_size; used in the names of workloads and pools.
    """
    for suffix in 'TGMK':
        unit = 1024 ** _POWERS[suffix]
        if count >= unit and count % unit == 0:
            return f'{count // unit}{suffix}'
    return str(count)


def apart_from(value: float, limit: float, decimals: int) -> str:
    """Return a number with as many decimals as tell it from ``limit``.

    At least as many as given, and six at most.
    """
    while decimals < 6 and value != limit:
        if float(f'{value:.{decimals}f}') != limit:
            break
        decimals += 1
    return f'{value:.{decimals}f}'


def format_bound(percent: float) -> str:
    """Return the least bound in tenths that is not below it: '2.6%'."""
    return f'{math.ceil(10.0 * percent - 1e-9) / 10.0:.1f}%'


def format_bytes(count: float) -> str:
    """Return an amount of data for people, e.g. '1.5 GiB', '800 B'."""
    value = float(count)
    for unit in ('B', 'KiB', 'MiB', 'GiB', 'TiB'):
        if abs(value) < 1023.5 or unit == 'TiB':
            break
        value /= 1024
    if unit == 'B':
        return f'{value:.0f} B'
    return f'{_three(value)} {unit}'


def format_byte_rate(rate: Optional[float]) -> str:
    """Return bytes per second for people, e.g. '136 MB/s' (decimal)."""
    if rate is None:
        return 'not available'
    value = float(rate)
    for unit in ('B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'):
        if abs(value) < 999.5 or unit == 'TB/s':
            break
        value /= 1000
    return f'{_three(value)} {unit}'


def format_ops(rate: Optional[float]) -> str:
    """Return operations per second, e.g. '10,903 op/s', '33.9 op/s'."""
    if rate is None:
        return 'not available'
    if 999.5 <= abs(rate) < 1e15:
        return f'{rate:,.0f} op/s'
    return f'{_three(rate)} op/s'


def format_latency(seconds: Optional[float]) -> str:
    """Return a latency with a fitting unit, e.g. '6.50 ms', '340 us'."""
    if seconds is None:
        return 'not available'
    if abs(seconds) >= 0.9995:
        return f'{_three(seconds)} s'
    if abs(seconds) >= 0.0009995:
        return f'{_three(seconds * 1e3)} ms'
    return f'{_three(seconds * 1e6)} us'


def parse_duration(text: str) -> float:
    """Return the seconds of '60', '90s', '5m' or '2h'.

    Raises InvalidArgument when the text is no duration.
    """
    match = _DURATION.match(str(text))
    if not match:
        raise InvalidArgument(
            f'{_short(text)} is not a duration; give seconds, or a number '
            'with s, m, h or d, e.g. 60 or 5m'
        )
    return float(match.group(1)) * _SECONDS[(match.group(2) or 's').lower()]


def format_duration(seconds: Optional[float]) -> str:
    """Return a duration for people, e.g. '45 s', '3 min 20 s', '2 h 49 min'.

    At most two units; below a minute tenths are kept where they matter.
    """
    if seconds is None:
        return 'not available'
    if not abs(seconds) <= LAST_TIME:
        return 'not a duration'
    if seconds < 0:
        return '-' + format_duration(-seconds)
    if seconds < 9.95 and abs(seconds - round(seconds)) >= 0.05:
        return f'{seconds:.1f} s'
    whole = int(round(seconds))
    if whole < 60:
        return f'{whole} s'
    if whole < 3600:
        return _two(whole, 60, 'min', 's')
    # round to what is shown, so that 59 min 59 s more never reads as '60'
    minutes = int(math.floor(whole / 60 + 0.5))
    if minutes < 1440:
        return _two(minutes, 60, 'h', 'min')
    return _two(int(math.floor(minutes / 60 + 0.5)), 24, 'd', 'h')


def format_span(least: Optional[float], most: float) -> str:
    """Return an estimate for people: 'about 50 s', '3 min to 6 min 20 s'."""
    low, high = (
        format_duration(10 * math.ceil(seconds / 10))
        for seconds in (most if least is None else least, most)
    )
    return f'about {high}' if low == high else f'{low} to {high}'


def format_time(unix: Optional[float]) -> str:
    """Return a Unix time as ISO 8601 UTC, e.g. '2026-11-20T17:40:46Z'.

    What is no time of this era, as a damaged record may have, is said so.
    """
    if unix is None:
        return 'not available'
    if not EPOCH <= unix <= LAST_TIME:  # NaN neither
        return 'not a time'
    when = datetime.datetime.fromtimestamp(
        math.floor(unix), datetime.timezone.utc
    )
    return when.strftime('%Y-%m-%dT%H:%M:%SZ')


def count(number: int, noun: str, plural: Optional[str] = None) -> str:
    """Return a number with its noun, e.g. '1 host', '2,048 objects'."""
    word = noun if number == 1 else (plural or noun + 's')
    return f'{number:,} {word}'


def _three(value: float) -> str:
    """Return a number with three digits; in 1e15 form only if huge."""
    size = abs(value)
    if size >= 1e15:
        return f'{value:.2e}'
    if size >= 99.95:
        return f'{value:.0f}'
    if size >= 9.995:
        return f'{value:.1f}'
    return f'{value:.2f}'


def _two(value: int, per: int, big: str, small: str) -> str:
    high, low = divmod(value, per)
    if not low:
        return f'{high} {big}'
    return f'{high} {big} {low} {small}'


def _short(value: object, limit: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "...'"
