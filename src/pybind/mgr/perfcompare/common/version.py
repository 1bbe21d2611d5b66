"""The version of this module, stored with each run."""

from typing import Any, Iterator, List, Optional

import contextlib
import re

from .errors import InvalidArgument

VERSION = '0.1.0'

_NUMBERS = re.compile(r'\d{1,6}(\.\d{1,6}){1,3}')


@contextlib.contextmanager
def made_by(version: Any) -> Iterator[None]:
    """Read what a version of this module made.

    Where it is a later one, what it added is no fault of who gave it, and
    InvalidArgument says so.
    """
    try:
        yield
    except InvalidArgument as error:
        later = _later(version)
        if later is None:
            raise
        raise InvalidArgument(
            f'made by perfcompare {later}, this is {VERSION}: update the '
            f'module ({error.message})'
        ) from None


def _later(version: Any) -> Optional[str]:
    """Return a version that is after this one; None for all else."""
    found = _NUMBERS.match(version) if isinstance(version, str) else None
    if found is None or _parts(found.group()) <= _parts(VERSION):
        return None
    return found.group()


def _parts(version: str) -> List[int]:
    return [int(part) for part in version.split('.')]
