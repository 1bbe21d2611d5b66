"""Read what is stored part by part, so that damage costs one part only.

A page of the database that was damaged, or a row that another version wrote,
must not hide all else: the part is left out, and whoever shows the rest says
which one it was.
"""

from typing import Any, Callable, Dict, List, TypeVar, Union

import errno

from ..common.errors import PerfcompareError
from ..common.printable import shown

T = TypeVar('T')
U = TypeVar('U')


class Damaged(PerfcompareError):
    """Say that something stored cannot be read, and what it is."""

    errno = errno.EIO


class ReadableParts:
    """Read parts of one thing; note those that cannot be read."""

    def __init__(self, where: str, strict: bool = False) -> None:
        """Raise Damaged for the first one when ``strict``."""
        self._where = where
        self._strict = strict
        self.lost: List[str] = []

    def read(
        self, name: str, work: Callable[[], T], instead: U
    ) -> Union[T, U]:
        """Return what ``work`` reads, or ``instead`` of it."""
        if self._strict:
            return self.whole(self._where, name, work)
        try:
            return work()
        # whatever damage, or another version, makes of it
        except Exception as error:
            self.lost.append(_text(name, error))
            return instead

    @staticmethod
    def whole(where: str, name: str, work: Callable[[], T]) -> T:
        """Return what ``work`` reads; raise Damaged if that cannot be."""
        try:
            return work()
        except Exception as error:
            raise Damaged(f'{where}: {_text(name, error)}') from None


def mapping(value: Any) -> Dict[str, Any]:
    """Return a mapping; TypeError when it is none."""
    if not isinstance(value, dict):
        raise TypeError(f'{type(value).__name__} is not a mapping')
    return value


def _text(name: str, error: Exception) -> str:
    if isinstance(error, PerfcompareError):
        return f'{name} cannot be read ({error.message})'
    why = ' '.join(str(error).split())[:100]
    return f'{name} cannot be read ({type(error).__name__}: {shown(why)})'
