"""Tests of the blobs that hold raw series."""

import math
import random
import struct
import zlib
from array import array

import pytest

from ...common.errors import InvalidArgument
from ...model.series import NAN, Column, Table, column
from ...model.trial import Series
from ...store import series_codec
from ..data.run_data import client_series, make_series


def bits(table):
    """Return a table as something that compares NaN and -0.0 exactly."""
    return (
        table.wall_start,
        table.t.tobytes(),
        [(c.name, c.unit, c.values.tobytes()) for c in table.columns],
    )


def roundtrip(table):
    return series_codec.decode(series_codec.encode(table))


def one(values, t=None):
    t = t or [float(i + 1) for i in range(len(values))]
    return Table(1.5, array('d', t), (column('x', 'u', values),))


def test_client_series_round_trip_exactly_with_missing_samples():
    series = make_series(n=60)
    table = series_codec.from_series(series)
    assert client_series(roundtrip(table)) == series


@pytest.mark.parametrize(
    'values, dtype',
    [
        ([1.0, -128.0, 127.0], 'i1'),
        ([128.0], 'i2'),
        ([-32769.0], 'i4'),
        ([2.0**31], 'i8'),
        ([2.0**53], 'i8'),
        ([2.0**60], 'f4'),
        ([2.0**53 + 2, 0.5], 'f8'),
        ([0.5, -0.0, 1e-30 * 0], 'f4'),
        ([-0.0], 'f4'),
        ([0.1], 'f8'),
        ([1e300], 'f8'),
        ([5e-324], 'f8'),
        ([1.0, None, 3.0], 'f4'),
        ([None, None], 'f4'),
        ([], 'i1'),
    ],
)
def test_columns_take_the_smallest_dtype_that_loses_nothing(values, dtype):
    table = one(values)
    assert series_codec._dtype(table.columns[0].values) == dtype
    assert bits(roundtrip(table)) == bits(table)


def test_random_tables_round_trip_bit_by_bit():
    rng = random.Random(1)
    for _ in range(300):
        n = rng.randrange(0, 40)
        kinds = [
            lambda: float(rng.randrange(-(2**40), 2**40)),
            lambda: rng.gauss(0, 1),
            lambda: struct.unpack('<f', rng.randbytes(4))[0],
            lambda: struct.unpack('<d', rng.randbytes(8))[0],
            lambda: None,
        ]
        kind = rng.choice(kinds)
        t = sorted(rng.uniform(0, 100) for _ in range(n))
        table = Table(
            rng.uniform(0, 2e9),
            array('d', t),
            (column('a', 'op/s', [kind() for _ in range(n)]),) * 2,
        )
        assert bits(roundtrip(table)) == bits(table)


def test_irregular_times_are_kept():
    table = one([1.0, 2.0, 3.0], t=[1.0, 2.0, 3.0000001])
    assert bits(roundtrip(table)) == bits(table)


def test_regular_times_cost_nothing():
    rng = random.Random(2)
    values = [rng.random() for _ in range(600)]
    regular = one(values)
    irregular = one(values, t=[i + rng.random() for i in range(600)])
    assert (
        len(series_codec.encode(regular))
        < len(series_codec.encode(irregular)) - 3000
    )


def test_not_finite_becomes_not_available():
    col = column('x', 'u', [math.inf, -math.inf, NAN, None, 1.0])
    assert col.optional() == [None, None, None, None, 1.0]


def test_a_minute_of_client_samples_is_below_700_bytes():
    sizes = [
        len(series_codec.encode(series_codec.from_series(make_series(i))))
        for i in range(20)
    ]
    assert max(sizes) < 700


def test_unequal_lengths_are_refused():
    table = Table(0.0, array('d', [1.0]), (column('x', 'u', [1.0, 2.0]),))
    with pytest.raises(InvalidArgument, match="'x' has 2 samples"):
        series_codec.encode(table)


def test_a_start_that_is_no_time_is_refused():
    with pytest.raises(InvalidArgument, match='not a time'):
        series_codec.encode(Table(NAN, array('d'), ()))


def test_every_cut_and_every_changed_byte_is_noticed():
    blob = series_codec.encode(series_codec.from_series(make_series(n=5)))
    for end in range(len(blob)):
        with pytest.raises(InvalidArgument, match='damaged'):
            series_codec.decode(blob[:end])
    good = bits(series_codec.decode(blob))
    for i in range(len(blob)):
        bad = bytearray(blob)
        bad[i] ^= 0x10
        try:
            # zlib ignores a few bits of its first two bytes
            assert bits(series_codec.decode(bytes(bad))) == good
        except InvalidArgument:
            pass


@pytest.mark.parametrize(
    'body',
    [
        b'',
        b'\xff\xff\xff\xff',
        b'\x02\x00\x00\x00{}',
        b'\x02\x00\x00\x00[]',
        struct.pack('<I', 48)
        + b'{"wall_start":1,"n":9,"columns":[["x","u","i1"]]}'[:48],
        struct.pack('<I', 49)
        + b'{"wall_start":1,"n":9,"columns":[["x","u","i1"]]}',
        struct.pack('<I', 50)
        + b'{"wall_start":1,"n":-1,"columns":[["x","u","i1"]]}',
        struct.pack('<I', 49)
        + b'{"wall_start":1,"n":0,"columns":[["x","u","zz"]]}',
    ],
)
def test_wrong_headers_are_refused(body):
    with pytest.raises(InvalidArgument, match='damaged'):
        series_codec.decode(b'PCS1' + zlib.compress(body))


def test_a_bomb_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(series_codec, 'MAX_BYTES', 1000)
    blob = b'PCS1' + zlib.compress(b'\0' * 100000)
    with pytest.raises(InvalidArgument, match='too large'):
        series_codec.decode(blob)


def test_column_by_name():
    table = one([1.0])
    assert isinstance(table.column('x'), Column)
    with pytest.raises(KeyError):
        table.column('y')


def test_empty_series():
    series = Series(wall_start=5.0)
    table = series_codec.from_series(series)
    assert client_series(roundtrip(table)) == series
