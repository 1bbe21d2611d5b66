"""Parts of a comparison, for pages that show no more than these."""

import dataclasses

from ..common.errors import NotFound
from .findings.summary import Limited
from .results import Comparison, Row, RowSide


def brief(found: Comparison) -> Comparison:
    """Leave out of each row what only the page of that row shows.

    Single trials, blocks, S3 operations, endpoints and the evidence of
    limits become empty; all figures, verdicts and reasons stay.
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
        pairs=(),
        order=None,
        missing_evidence=(),
    )


def _side(side: RowSide) -> RowSide:
    return dataclasses.replace(
        side,
        dots=(),
        limited=_limited(side.limited),
        operations=(),
        endpoints=(),
    )


def _limited(found: Limited) -> Limited:
    return dataclasses.replace(found, findings=(), outliers=(), unknown=())
