"""Parts of a comparison, for pages that show no more than these."""

from typing import Optional

import dataclasses

from ..common.errors import NotFound
from .findings.summary import Limited
from .results import Comparison, Estimate, MetricRow, Row, RowSide, Spread

DIGITS = 6  # twice as many as are shown


def brief(found: Comparison) -> Comparison:
    """Leave out of each row what only the page of that row shows.

    Single trials, blocks, operations, endpoints, percentiles and the
    evidence of limits become empty; ranges of all but operations per second,
    longest latencies, shares of OSDs and p None; numbers keep six digits. All
    verdicts, q and reasons stay.
    """
    rows = tuple(_brief(row) for row in found.rows)
    return dataclasses.replace(found, rows=rows)


def one_row(found: Comparison, workload: str) -> Comparison:
    """Leave out all rows but one; NotFound where there is none."""
    rows = tuple(row for row in found.rows if row.workload == workload)
    if not rows:
        raise NotFound(f'the comparison has no workload {workload!r}')
    return dataclasses.replace(found, rows=rows)


def with_row(found: Comparison, workload: str) -> Comparison:
    """Leave out what only the pages of other rows show."""
    rows = tuple(
        row if row.workload == workload else _brief(row) for row in found.rows
    )
    return dataclasses.replace(found, rows=rows)


def _brief(row: Row) -> Row:
    return dataclasses.replace(
        row,
        baseline=_side(row.baseline),
        candidate=_side(row.candidate),
        estimate=_estimate(row.estimate),
        per_osd=_estimate(row.per_osd),
        metrics=tuple(_metric(one) for one in row.metrics),
        pairs=(),
        order=None,
        missing_evidence=(),
    )


def _side(side: RowSide) -> RowSide:
    return dataclasses.replace(
        side,
        ops_per_s=_spread(side.ops_per_s),
        bytes_per_s=_median(side.bytes_per_s),
        ops_per_s_per_osd=_median(side.ops_per_s_per_osd),
        bytes_per_s_per_osd=_median(side.bytes_per_s_per_osd),
        latency_avg=_median(side.latency_avg),
        latency_max=None,
        percentiles={},
        dots=(),
        limited=_limited(side.limited),
        operations=(),
        endpoints=(),
        steps=(),
    )


def _metric(metric: MetricRow) -> MetricRow:
    return dataclasses.replace(
        metric,
        baseline=_median(metric.baseline),
        candidate=_median(metric.candidate),
        estimate=_estimate(metric.estimate),
    )


def _estimate(found: Estimate) -> Estimate:
    return dataclasses.replace(
        found,
        ratio=_short(found.ratio),
        low=_short(found.low),
        high=_short(found.high),
        p=None,
        p_family=None,
        q=_short(found.q),
    )


def _spread(found: Spread) -> Spread:
    return Spread(_short(found.median), _short(found.min), _short(found.max))


def _median(found: Spread) -> Spread:
    return Spread(_short(found.median))


def _short(value: Optional[float]) -> Optional[float]:
    return None if value is None else float(f'{value:.{DIGITS}g}')


def _limited(found: Limited) -> Limited:
    return dataclasses.replace(
        found,
        findings=(),
        outliers=(),
        unknown=(),
        osds_max_mean=None,
        hosts_max_mean=None,
        osds_counted=(),
        hosts_counted=(),
    )
