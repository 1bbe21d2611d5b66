"""Large data as JSON, piece by piece.

One call of the encoder keeps all other threads of the Manager waiting until
it returns; between two pieces they have their turn.
"""

from typing import Any, Iterator, Tuple

import json

DEPTH = 5  # that far down containers are pieces of their own


class Written(Tuple[str, ...]):
    """Hold data that is JSON already, in pieces."""


def pieces(
    data: Any, encoder: json.JSONEncoder, depth: int = DEPTH
) -> Iterator[str]:
    """Return what ``encoder``, which does not indent, makes of ``data``."""
    if isinstance(data, Written):
        yield from data
    elif not depth or not data or not isinstance(data, (dict, list)):
        yield encoder.encode(data)
    elif isinstance(data, list):
        mark = '['
        for value in data:
            yield mark
            yield from pieces(value, encoder, depth - 1)
            mark = encoder.item_separator
        yield ']'
    else:
        mark = '{'
        for key in sorted(data) if encoder.sort_keys else data:
            yield mark + encoder.encode(key) + encoder.key_separator
            yield from pieces(data[key], encoder, depth - 1)
            mark = encoder.item_separator
        yield '}'
