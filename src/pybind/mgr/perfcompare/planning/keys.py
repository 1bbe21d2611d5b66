"""What one key of a profile's entry, or one option, is read as."""

from typing import Any

from ..common import units
from ..common.errors import InvalidArgument
from ..common.printable import shown


def named(key: str, dash: str = '') -> str:
    """Return what a key is called where it is given.

    ``dash`` is what stands before the name of an option, '' in a profile.
    """
    return f'{dash}{key.replace("_", "-")}' if dash else key


def number(
    value: Any, place: str, least: int, most: int, size: bool = False
) -> int:
    """Return a whole number, in bytes where it is a ``size``.

    Raises InvalidArgument naming ``place`` for what is none, or is not in
    ``least`` to ``most``.
    """
    if size:
        try:
            found = units.parse_size(str(value))
        except InvalidArgument as error:
            raise InvalidArgument(f'{place}: {error.message}') from None
    elif isinstance(value, int) and not isinstance(value, bool):
        found = value
    else:
        raise InvalidArgument(
            f'{place}: {shown(value)} is not a whole number'
        )
    if not least <= found <= most:
        low, high = (
            (units.format_size(least), units.format_size(most))
            if size
            else (str(least), str(most))
        )
        raise InvalidArgument(
            f'{place}: {shown(value)} is out of range; give {low} to {high}'
        )
    return found
