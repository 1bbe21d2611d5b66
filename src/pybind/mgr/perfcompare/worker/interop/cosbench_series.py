"""COSBench: which stage of a result a time series belongs to.

A series does not name its stage, so that it is known by what it measured.
"""

from typing import List, Optional, Sequence

import dataclasses
import statistics

from ..wire.reading import Measured, Reading
from ..wire.strict import Malformed

NEAR = 0.05  # by which figures of one stage differ at most


def series_of(reading: Reading) -> Optional[Measured]:
    """Return a stage's rates over time; None where it is something else."""
    if reading.tool != 'cosbench' or len(reading.measured) != 1:
        return None
    (only,) = reading.measured
    return only if only.samples is not None else None


def complete(rows: Sequence[Measured], series: Measured) -> List[Measured]:
    """Return the rows of a result, that of ``series`` with its samples.

    Raises Malformed unless exactly one row can be of the same stage.
    """
    fitting = [
        i
        for i, row in enumerate(rows)
        if row.samples is None and row.op == series.op and _alike(row, series)
    ]
    if len(fitting) != 1:
        raise Malformed(
            f'COSBench CSV: the series of a stage of {series.op} '
            f'({series.ops} operations) fits '
            f'{len(fitting) or "none"} of the results before it; import it '
            'by itself'
        )
    found = list(rows)
    (at,) = fitting
    samples = series.samples
    started = rows[at].started
    if samples is not None and started is not None:
        samples = dataclasses.replace(samples, start=started)
    found[at] = dataclasses.replace(rows[at], samples=samples)
    return found


def _alike(row: Measured, series: Measured) -> bool:
    """Compare sizes, and the number of operations or their rate.

    A result counts none of the ramps, a series has what was before them
    and after them as well.
    """
    return _near(_size(row), _size(series)) and (
        _near(row.ops, series.ops) or _near(row.ops_per_s, _usual(series))
    )


def _size(row: Measured) -> Optional[float]:
    if not row.bytes_per_s or not row.ops_per_s:
        return None
    return row.bytes_per_s / row.ops_per_s


def _usual(series: Measured) -> Optional[float]:
    """Return the median rate of the moments in which anything was done."""
    assert series.samples is not None
    rates = [rate for rate in series.samples.ops if rate]
    return statistics.median(rates) if rates else None


def _near(one: Optional[float], other: Optional[float]) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= NEAR * max(one, other)
