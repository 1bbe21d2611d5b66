"""Columns of floats as text, between a scraper and the manager."""

from typing import Sequence

import base64
import sys
from array import array


def encode(values: Sequence[float]) -> str:
    """Return doubles as little-endian floats, in base64."""
    data = array('f', values)
    if sys.byteorder == 'big':
        data.byteswap()
    return base64.b64encode(data.tobytes()).decode('ascii')


def decode(text: str) -> 'array[float]':
    """Return the floats of a text of ``encode`` as doubles."""
    data = array('f')
    data.frombytes(base64.b64decode(text, validate=True))
    if sys.byteorder == 'big':
        data.byteswap()
    return array('d', data)
