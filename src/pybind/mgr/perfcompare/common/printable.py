"""Text that is safe to print, whoever wrote the words in it.

Labels, notes, reasons, names of hosts and what a file said reach a terminal
and the cluster log. Control characters would move the cursor, recolor or
hide what stands there; marks of text direction would show it in another
order. They are shown as escapes instead.
"""

from typing import Any, Sequence

import re
import reprlib

MESSAGE = 4000  # characters of an error

# C0 but the newline, DEL, C1, separators of lines, marks of direction,
# halves of pairs
_UNSAFE = re.compile(
    '[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e'
    '\u2066-\u2069\ud800-\udfff]'
)
_PIECE = 1 << 16  # characters at a time: other threads have their turn


def printable(text: str) -> str:
    """Return text whose only control character is the newline."""
    if len(text) <= _PIECE:
        return _UNSAFE.sub(_escaped, text)
    pieces = range(0, len(text), _PIECE)
    return ''.join(
        _UNSAFE.sub(_escaped, text[at : at + _PIECE]) for at in pieces
    )


def line(text: str) -> str:
    """Return text as one line, for the cell of a table."""
    return printable(text.replace('\n', ' '))


def message(text: str) -> str:
    """Return an error so that it can be printed, without its middle."""
    if len(text) > MESSAGE:
        text = f'{text[: MESSAGE - 500]} … {text[-400:]}'
    return printable(text)


def shown(value: Any, limit: int = 40) -> str:
    """Return a value for an error message, shortened, however large."""
    if isinstance(value, (str, bytes)):
        value = value[: limit + 1]
    try:
        text = repr(value) if _plain(value) else reprlib.repr(value)
    except ValueError:  # a whole number of thousands of digits
        text = f'a value of type {type(value).__name__}'
    return text if len(text) <= limit else text[: limit - 3] + '...'


def _plain(value: Any) -> bool:
    return isinstance(value, (str, bytes, int, float, bool, type(None)))


def _escaped(found: 're.Match[str]') -> str:
    code = ord(found.group())
    return f'\\x{code:02x}' if code < 256 else f'\\u{code:04x}'


def some(names: Sequence[str], limit: int = 5) -> str:
    """Return the first names of many, and how many more there are."""
    more = f' and {len(names) - limit} more' if len(names) > limit else ''
    return ', '.join(names[:limit]) + more
