"""Print ratios, intervals and verdicts: the cells of several tables."""

from typing import Optional

import math

from ..analysis.findings.table import NOT_AVAILABLE
from ..analysis.measured import SIZE
from ..analysis.results import Estimate
from ..common.units import apart_from, format_bound

DASH = '-'
KEY = f'{DASH}  not available'


def shown(text: Optional[str]) -> str:
    """Return a figure for a table: what is not available is a dash there."""
    return DASH if text in (None, NOT_AVAILABLE) else str(text)


def number(value: float) -> str:
    """Return a ratio with three significant digits, at most 3 decimals.

    Near 1 it has more: on which side of it an end lies must be seen; so
    have tiny ones.
    """
    if 0.0 < value < 0.00995:
        return f'{value:.{min(20, 2 - math.floor(math.log10(value)))}f}'
    if 0.995 <= value < 1.005:
        return apart_from(value, 1.0, 3)
    decimals = 3 if value < 0.995 else 2 if value < 9.995 else 1
    return f'{value:.{decimals}f}' if value < 99.95 else f'{value:.0f}'


def interval(estimate: Estimate) -> str:
    """Return '[low, high]'."""
    if estimate.low is None or estimate.high is None:
        return DASH
    return f'[{number(estimate.low)}, {number(estimate.high)}]'


def ratio(estimate: Estimate) -> str:
    """Return the ratio alone."""
    return DASH if estimate.ratio is None else number(estimate.ratio)


def p_value(value: Optional[float]) -> str:
    """Return a p or a q."""
    if value is None:
        return DASH
    return '<.001' if value < 0.001 else apart_from(value, SIZE, 3)


def verdict(estimate: Estimate) -> str:
    """Return the verdict with its bound; '' where there is none."""
    if estimate.bound is not None:
        return f'{estimate.verdict_text}, < {format_bound(estimate.bound)}'
    return estimate.verdict_text
