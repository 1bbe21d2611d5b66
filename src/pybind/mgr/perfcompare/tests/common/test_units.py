from typing import Any

import pytest

from ...common import units
from ...common.errors import InvalidArgument


@pytest.mark.parametrize(
    'text, expected',
    [
        ('4K', 4096),
        ('64k', 65536),
        ('4M', 4 << 20),
        ('1.5M', 3 << 19),
        ('4096', 4096),
        ('4KiB', 4096),
        ('4 KB', 4096),
        (' 2G ', 2 << 30),
        ('100B', 100),
        ('0.5K', 512),
    ],
)
def test_sizes_are_powers_of_1024(text: str, expected: int) -> None:
    assert units.parse_size(text) == expected


@pytest.mark.parametrize(
    'text',
    ['', 'K', '-4K', '4X', '0', '0.0K', '4K4', '1e3', '4,5K', '9' * 30],
)
def test_bad_size_is_named_with_a_remedy(text: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        units.parse_size(text)
    assert text[:20] in str(error.value)
    assert '\n' not in str(error.value)


def test_fraction_of_a_byte_is_refused() -> None:
    with pytest.raises(InvalidArgument, match='whole number of bytes'):
        units.parse_size('0.3K')


@pytest.mark.parametrize(
    'count', [1, 5000, 4096, 1536 << 10, 4 << 20, 3 << 40]
)
def test_size_name_is_exact_both_ways(count: int) -> None:
    assert units.parse_size(units.format_size(count)) == count


@pytest.mark.parametrize(
    'function, value, expected',
    [
        (units.format_size, 3 << 19, '1536K'),
        (units.format_bytes, 800, '800 B'),
        (units.format_bytes, 1536, '1.50 KiB'),
        (units.format_bytes, 1023.9 * 1024, '1.00 MiB'),
        (units.format_bytes, 3 << 31, '6.00 GiB'),
        (units.format_byte_rate, 136e6, '136 MB/s'),
        (units.format_byte_rate, 999.9e3, '1.00 MB/s'),
        (units.format_byte_rate, None, 'not available'),
        (units.format_ops, 10903.4, '10,903 op/s'),
        (units.format_ops, 33.94, '33.9 op/s'),
        (units.format_ops, 999.9, '1,000 op/s'),
        (units.format_latency, 0.0065, '6.50 ms'),
        (units.format_latency, 0.00034, '340 us'),
        (units.format_latency, 0.99999, '1.00 s'),
        (units.format_latency, None, 'not available'),
        (units.format_duration, 0.4, '0.4 s'),
        (units.format_duration, 45, '45 s'),
        (units.format_duration, 59.6, '1 min'),
        (units.format_duration, 200, '3 min 20 s'),
        (units.format_duration, 3599.9, '1 h'),
        (units.format_duration, 10164, '2 h 49 min'),
        (units.format_duration, 86399, '1 d'),
        (units.format_duration, 90000, '1 d 1 h'),
        (units.format_duration, -5, '-5 s'),
        (units.format_time, 1795196446.9, '2026-11-20T17:40:46Z'),
    ],
)
def test_formats(function: Any, value: float, expected: str) -> None:
    assert function(value) == expected


@pytest.mark.parametrize(
    'text, seconds', [('60', 60), ('90s', 90), ('5m', 300), ('1.5h', 5400)]
)
def test_durations(text: str, seconds: float) -> None:
    assert units.parse_duration(text) == seconds


@pytest.mark.parametrize('text', ['', 'soon', '-5', '5 weeks', 'nan', 'inf'])
def test_bad_duration(text: str) -> None:
    with pytest.raises(InvalidArgument, match='is not a duration'):
        units.parse_duration(text)


def test_times_are_in_utc() -> None:
    assert units.format_time(1795196446.9) == '2026-11-20T17:40:46Z'


def test_counted_nouns() -> None:
    assert units.count(1, 'host') == '1 host'
    assert units.count(2048, 'object') == '2,048 objects'
    assert units.count(2, 'entry', 'entries') == '2 entries'
