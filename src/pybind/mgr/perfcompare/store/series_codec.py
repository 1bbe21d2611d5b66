"""Series of samples as compact, lossless blobs, and back.

A blob is the magic ``PCS1`` and a zlib stream of: length of the header
(uint32), header (JSON), then the bytes of each column. All is little
endian. The header holds ``wall_start`` (Unix time), ``n``, ``step``
(seconds; absent where the times are irregular and form the first column
``t``) and ``columns``: name, unit and dtype of each. A column takes the
smallest dtype that holds every value exactly, with its bytes transposed
(all first bytes, all second bytes, …), which makes smooth series compress
to about half. NaN means "not available".
"""

from typing import Any, Callable, Dict, Iterable, Optional, Tuple

import json
import math
import struct
import sys
import zlib
from array import array

from ..common.errors import InvalidArgument
from ..model.series import Column, Table, column
from ..model.trial import Series

MAGIC = b'PCS1'
MAX_BYTES = 64 * 1024 * 1024  # of one decoded series

# our name of each dtype, its code in the array module and its bytes
_CODES = {
    'i1': ('b', 1),
    'i2': ('h', 2),
    'i4': ('i', 4),
    'i8': ('q', 8),
    'f4': ('f', 4),
    'f8': ('d', 8),
}
_EXACT = 2**53  # whole numbers up to here are exact as a double


def encode(table: Table) -> bytes:
    """Return ``table`` as a blob; InvalidArgument on unequal lengths."""
    n = len(table.t)
    header: Dict[str, Any] = {'wall_start': table.wall_start, 'n': n}
    step = regular_step(table.t)
    columns = list(table.columns)
    if step is None and n:
        columns.insert(0, Column('t', 's', table.t))
    elif step is not None:
        header['step'] = step
    packed = []
    header['columns'] = []
    for col in columns:
        if len(col.values) != n:
            raise InvalidArgument(
                f'series column {col.name!r} has {len(col.values)} samples, '
                f'its times are {n}'
            )
        dtype, data = _pack(col.values)
        packed.append(data)
        header['columns'].append([col.name, col.unit, dtype])
    try:
        text = json.dumps(header, separators=(',', ':'), allow_nan=False)
    except ValueError:
        raise InvalidArgument(
            f'series starts at {table.wall_start!r}, which is not a time'
        ) from None
    head = text.encode()
    body = struct.pack('<I', len(head)) + head + b''.join(packed)
    return MAGIC + zlib.compress(body, 9)


def decode(
    blob: bytes, wanted: Optional[Callable[[str], bool]] = None
) -> Table:
    """Return the table of ``blob``; InvalidArgument when it is damaged.

    Of its columns those that are ``wanted``, all by default.
    """
    try:
        return _decode(bytes(blob), wanted)
    except (
        ValueError,
        KeyError,
        TypeError,
        struct.error,
        zlib.error,
        OverflowError,
    ) as err:
        raise InvalidArgument(
            f'series blob of {len(blob)} bytes is damaged: {err}'
        ) from None


def from_series(series: Series) -> Table:
    """Return the client series of a trial as a table."""
    return Table(
        series.wall_start,
        array('d', series.t),
        (
            column('ops', 'op/s', series.ops),
            column('latency', 's', series.latency),
        ),
    )


def regular_step(t: 'array[float]') -> Optional[float]:
    """Return the step when ``t`` is exactly step, 2·step, …; else None."""
    if not t or not (t[0] > 0.0 and math.isfinite(t[0])):
        return None
    step = t[0]
    if all(v == step * (i + 1) for i, v in enumerate(t)):
        return step
    return None


def regular_times(step: float, n: int) -> 'array[float]':
    """Return the times step, 2·step, … n·step."""
    return array('d', [step * (i + 1) for i in range(n)])


def _pack(values: 'array[float]') -> Tuple[str, bytes]:
    dtype = _dtype(values)
    code, size = _CODES[dtype]
    items: Iterable[float] = values
    if dtype[0] == 'i':
        items = [int(v) for v in values]
    typed = array(code, items)
    if sys.byteorder == 'big':
        typed.byteswap()
    raw = typed.tobytes()
    return dtype, b''.join(raw[i::size] for i in range(size))


def _unpack(dtype: str, n: int, data: bytes) -> 'array[float]':
    code, size = _CODES[dtype]
    raw = bytearray(n * size)
    for i in range(size):
        raw[i::size] = data[i * n : (i + 1) * n]
    typed = array(code)
    typed.frombytes(bytes(raw))
    if sys.byteorder == 'big':
        typed.byteswap()
    return array('d', typed)


def _dtype(values: 'array[float]') -> str:
    whole = all(
        v.is_integer() and -_EXACT <= v <= _EXACT for v in values
    ) and not any(v == 0.0 and math.copysign(1.0, v) < 0 for v in values)
    if whole:
        low, high = min(values, default=0.0), max(values, default=0.0)
        for dtype in ('i1', 'i2', 'i4'):
            bound = 2.0 ** (8 * _CODES[dtype][1] - 1)
            if -bound <= low and high < bound:
                return dtype
        return 'i8'
    try:
        narrow = array('f', values)
    except OverflowError:
        return 'f8'
    if array('d', narrow).tobytes() == values.tobytes():
        return 'f4'
    # a double beyond the range of floats becomes infinite in some releases
    exact = all(a == b or b != b for a, b in zip(narrow, values))
    return 'f4' if exact else 'f8'


def _decode(blob: bytes, wanted: Optional[Callable[[str], bool]]) -> Table:
    if blob[:4] != MAGIC:
        raise ValueError('it does not start with PCS1')
    stream = zlib.decompressobj()
    body = stream.decompress(blob[4:], MAX_BYTES)
    if not stream.eof:
        raise ValueError('it is truncated or too large')
    (length,) = struct.unpack_from('<I', body)
    header = json.loads(body[4 : 4 + length])
    n = int(header['n'])
    offset = 4 + length
    columns = []
    for name, unit, dtype in header['columns']:
        size = n * _CODES[dtype][1]
        data = body[offset : offset + size]
        if len(data) != size:
            raise ValueError(f'column {name!r} is cut')
        times = 'step' not in header and offset == 4 + length
        if times or wanted is None or wanted(name):
            columns.append(Column(name, unit, _unpack(dtype, n, data)))
        offset += size
    if offset != len(body):
        raise ValueError(f'{len(body) - offset} bytes too many')
    if 'step' in header:
        t = regular_times(float(header['step']), n)
    elif n:
        t = columns.pop(0).values
    else:
        t = array('d')
    return Table(float(header['wall_start']), t, tuple(columns))
