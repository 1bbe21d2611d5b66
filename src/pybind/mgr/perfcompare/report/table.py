"""Print aligned tables and fields."""

from typing import Sequence, Tuple

import dataclasses

from .layout import columns


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int] = (),
) -> str:
    """Return a table; the columns with an index in ``right`` align right."""
    return '\n'.join(columns(header, rows, right))


def fields(pairs: Sequence[Tuple[str, str]]) -> str:
    """Return one line for each name and value, values aligned."""
    width = max((len(name) for name, _ in pairs), default=0) + 1
    return '\n'.join(
        f'{name + ":":{width}}  {value}'.rstrip() for name, value in pairs
    )


@dataclasses.dataclass(frozen=True)
class TextTable:
    """Hold a table as it is shown; ``right`` are columns of numbers."""

    title: str
    header: Tuple[str, ...]
    rows: Tuple[Tuple[str, ...], ...]
    right: Tuple[int, ...]

    def __str__(self) -> str:
        body = table(self.header, self.rows, self.right)
        return f'{self.title.upper()}\n{body}'
