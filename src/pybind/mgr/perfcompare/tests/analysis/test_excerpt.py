"""Tests of parts of a comparison."""

import json

from ...analysis import excerpt
from ...analysis.comparison import compare
from ...common.codec import to_data
from ..data.comparison_data import Scene

NAMES = [
    f'write-{size}K-c{load}' for size in (4, 8, 16, 64) for load in (1, 4)
]


def size(found) -> int:
    return len(json.dumps(to_data(found)))


def test_a_list_has_no_more_than_it_shows():
    scene = Scene({name: 0.7123456789 for name in NAMES}, noise=0.05)
    found = compare(scene.side('x86'), scene.side('arm'))
    listed = excerpt.brief(found)
    assert size(listed.rows) < 0.5 * size(found.rows)
    for row, whole in zip(listed.rows, found.rows):
        # all that verdicts are read by, as it was to six digits
        assert row.estimate.verdict is whole.estimate.verdict
        assert row.estimate.verdict_text == whole.estimate.verdict_text
        assert abs(row.estimate.ratio / whole.estimate.ratio - 1) < 1e-5
        assert len(json.dumps(row.estimate.ratio)) <= 8
        assert row.estimate.p is row.estimate.p_family is None
        assert (row.estimate.q is None) == (whole.estimate.q is None)
        assert row.baseline.ops_per_s.min is not None
        assert row.baseline.latency_avg.min is None
        assert row.baseline.latency_avg.median is not None
        assert [m.id for m in row.metrics] == [m.id for m in whole.metrics]
        assert row.metrics_missing == whole.metrics_missing
