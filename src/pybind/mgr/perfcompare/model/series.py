"""Series of samples that share their times, as tables."""

from typing import Iterable, List, Optional, Tuple

import dataclasses
import math
from array import array

NAN = float('nan')  # "not available"


@dataclasses.dataclass(frozen=True)
class Column:
    """Hold one quantity of a table as doubles; NaN is "not available"."""

    name: str
    unit: str
    values: 'array[float]'

    def optional(self) -> List[Optional[float]]:
        """Return the values as a list, with None for "not available"."""
        return [None if v != v else v for v in self.values]


@dataclasses.dataclass(frozen=True)
class Table:
    """Hold columns of samples that share their times.

    ``t`` are seconds since ``wall_start`` (Unix time), the end of each
    interval; every column has the length of ``t``.
    """

    wall_start: float
    t: 'array[float]'
    columns: Tuple[Column, ...]

    def column(self, name: str) -> Column:
        """Return the column ``name``; KeyError when absent."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


def column(name: str, unit: str, values: Iterable[Optional[float]]) -> Column:
    """Make a column; None and what is not finite become NaN."""
    return Column(
        name,
        unit,
        array(
            'd',
            [NAN if v is None or not math.isfinite(v) else v for v in values],
        ),
    )
