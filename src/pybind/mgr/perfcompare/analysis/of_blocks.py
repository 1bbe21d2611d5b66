"""Measure rows by their blocks: log-ratios of trials made in turn."""

from typing import Optional, Sequence

import dataclasses

from . import adaptive, counts, ranks, stats
from .measured import MIN_BLOCKS, SD_FLOOR, SIZE, IntervalKind, Measure, Rule

SMOKE_BLOCKS = 3
CUT_SHARE = 0.5  # of SIZE, times the squared share of blocks that are there
SMOKE_SHARE = 0.1  # of SIZE: a 99.5 % interval, and 10 p


def _range(x: Sequence[float]) -> Measure:
    """Measure n >= 1 blocks that have no interval of their own."""
    n = len(x)
    test = stats.t_test(x, SD_FLOOR) if n > 1 else None
    return Measure(
        Rule.FIXED,
        n,
        ranks.hodges_lehmann(x),
        min(x),
        max(x),
        1.0 - 2.0 / 2**n,
        IntervalKind.RANGE,
        p=test.p if test else None,
        deviation=stats.deviation(x) if n > 1 else None,
    )


def measure_blocks(
    x: Sequence[float],
    planned: int,
    rows: Optional[int] = None,
    counted: Sequence[float] = (),
    cut: bool = False,
    stopped: Optional[bool] = None,
) -> Measure:
    """Measure the log-ratios of a row's complete blocks, in their order.

    ``planned`` is the number of blocks set beforehand; ``rows`` the number
    of planned rows of the report when the run is adaptive, else None;
    ``counted`` how far off each ratio may be, as operations are whole;
    ``cut`` is a run that was not completed, maybe as its results pleased;
    ``stopped`` says whether these are the blocks until the stop of the row,
    None that they tell: what stops a row is its operations per second.
    """
    looks = adaptive.looks(planned) if rows is not None else ()
    if looks and rows is not None:
        at = looks if stopped is None else (len(x),) if stopped else ()
        stop = adaptive.first_stop(x, at, rows, counted)
        if stop is not None:
            off = counts.of_blocks(counted[:stop])
            return _measure_stop(x[:stop], rows, off)
    rule = Rule.ADAPTIVE if looks else Rule.FIXED
    off = counts.of_blocks(counted)
    if cut and MIN_BLOCKS <= len(x) < planned:
        return _measure_cut(x, planned, rule, off)
    share = adaptive.END_SHARE if looks else 1.0
    return _measure_all(x, planned, rule, off, share)


def cut_share(blocks: int, planned: int) -> float:
    """Return what is spent of SIZE on a run that ended early (0…1)."""
    return CUT_SHARE * (blocks / planned) ** 2


def _measure_cut(
    x: Sequence[float], planned: int, rule: Rule, off: float
) -> Measure:
    """Measure blocks of a run that somebody or something ended.

    It may have been watched and ended at any block, so less than 5 % is
    spent on it (see `qa/bench/pooled.py`). What is far beyond ×1.25 is
    found as by a look of --adaptive.
    """
    test = stats.t_test(x, adaptive.SD_FLOOR)
    half = test.half_width(adaptive.look_size(1)) + off
    if abs(test.mean) - half > adaptive.MARGIN:
        found = _measure_stop(x, 1, off)
        return dataclasses.replace(found, rule=rule, stopped_after=None)
    share = adaptive.END_SHARE if rule is Rule.ADAPTIVE else 1.0
    share *= cut_share(len(x), planned)
    return dataclasses.replace(
        _measure_all(x, planned, rule, off, share), cut_of=planned
    )


def _measure_all(
    x: Sequence[float], planned: int, rule: Rule, off: float, share: float
) -> Measure:
    if rule is not Rule.ADAPTIVE:
        rule = Rule.SMOKE if planned == SMOKE_BLOCKS else Rule.FIXED
    if not x:
        return Measure(rule, 0)
    measured = dataclasses.replace(_range(x), rule=rule)
    if rule is Rule.SMOKE:
        return _measure_smoke(x, measured, off) if len(x) == 3 else measured
    interval = ranks.signed_rank_interval(x, SIZE * share)
    if interval is None or measured.p is None:
        return measured
    return dataclasses.replace(
        measured,
        low=interval.low - off,
        high=interval.high + off,
        coverage=interval.coverage,
        counted=off,
        kind=IntervalKind.SIGNED_RANK,
        p_family=min(1.0, measured.p / share),
    )


def _measure_smoke(
    x: Sequence[float], measured: Measure, off: float
) -> Measure:
    test = stats.t_test(x, adaptive.SD_FLOOR)
    half = test.half_width(SIZE * SMOKE_SHARE) + off
    return dataclasses.replace(
        measured,
        p=test.p,
        p_family=min(1.0, test.p / SMOKE_SHARE),
        clear=abs(test.mean) - half > adaptive.MARGIN,
        gate=(test.mean - half, test.mean + half),
    )


def _measure_stop(x: Sequence[float], rows: int, off: float) -> Measure:
    test = stats.t_test(x, adaptive.SD_FLOOR)
    tail = adaptive.look_size(rows)
    half = test.half_width(tail) + off
    return Measure(
        Rule.ADAPTIVE,
        len(x),
        ranks.hodges_lehmann(x),
        test.mean - half,
        test.mean + half,
        1.0 - tail,
        IntervalKind.T,
        p=test.p,
        p_family=min(1.0, test.p / adaptive.LOOK_SHARE),
        clear=True,
        stopped_after=len(x),
        deviation=stats.deviation(x),
    )
