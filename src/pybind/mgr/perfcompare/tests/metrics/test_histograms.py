"""Latency distributions of OSDs."""

import math

import pytest

from perfcompare.metrics import histograms
from perfcompare.metrics.histograms import READ, WRITE, Histogram

from ..data.osd_data import histogram_dump


def test_dump_is_read_in_nanoseconds_over_all_sizes():
    found = histograms.parse(histogram_dump({1: 5, 2: 3}), WRITE)
    assert found.upper[0] == pytest.approx(100e-6)
    assert found.upper[1] == pytest.approx(200e-6)
    assert math.isinf(found.upper[-1])
    assert found.counts[:3] == (5, 3, 0)
    assert found.total == 8


def test_negative_latencies_are_left_out():
    assert histograms.parse(histogram_dump({0: 7, 3: 1}), WRITE).total == 1


@pytest.mark.parametrize(
    'dump',
    [{}, {'osd': {}}, {'osd': {WRITE: {}}}, {'osd': {WRITE: []}}],
)
def test_dump_of_another_shape_is_not_available(dump):
    assert histograms.parse(dump, WRITE) is None


def test_cut_dump_is_not_available():
    dump = histogram_dump({1: 1})
    dump['osd'][WRITE]['values'].pop()
    assert histograms.parse(dump, WRITE) is None


def test_percentile_lies_within_its_bucket():
    found = histograms.parse(histogram_dump({4: 90, 8: 10}), WRITE)
    low, high = found.bounds(0.5)
    assert (low, high) == pytest.approx((400e-6, 800e-6))
    assert low < found.percentile(0.5) < high
    assert found.bounds(0.95) == pytest.approx((6.4e-3, 12.8e-3))
    # half of the ten that are there lie below
    assert found.percentile(0.95) == pytest.approx(
        math.sqrt(6.4e-3 * 12.8e-3)
    )


def test_first_bucket_is_interpolated_from_nothing():
    found = histograms.parse(histogram_dump({1: 10}), WRITE)
    assert found.percentile(0.5) == pytest.approx(50e-6)


def test_infinite_bucket_gives_its_lower_bound():
    found = Histogram((1.0, math.inf), (0, 4))
    assert found.percentile(0.5) == 1.0


def test_no_operations_have_no_percentiles():
    assert Histogram((1.0, math.inf), (0, 0)).percentile(0.5) is None


def test_restart_shows_as_fewer_operations():
    before = Histogram((1.0, math.inf), (5, 0))
    assert Histogram((1.0, math.inf), (2, 0)).minus(before) is None


def test_group_is_merged_by_adding_what_came_between():
    first = histograms.parse_kinds(histogram_dump({4: 10}))
    second = histograms.parse_kinds(histogram_dump({4: 110, 6: 10}))
    third = histograms.parse_kinds(histogram_dump({4: 20, 6: 890}))
    found = histograms.evidence(
        {0: first, 1: first, 2: first}, {0: second, 1: third, 2: None}
    )
    assert list(found) == ['write']
    write = found['write']
    assert write['count'] == 100 + 10 + 10 + 890
    assert (write['osds'], write['osds_missing']) == (2, 1)
    assert write['bounds']['p50'] == pytest.approx([1.6e-3, 3.2e-3])
    assert write['bounds']['p50'][0] <= write['p50'] <= 3.2e-3
    assert 'twice' in write['accuracy']
    assert sum(n for _, n in write['buckets']) == write['count']


def test_percentiles_without_ten_operations_beyond_are_not_available():
    def told(number):
        whole = histograms.parse(histogram_dump({4: number}), WRITE)
        return histograms.describe(whole, 1, 1)

    for number, names in [
        (19, []), (20, ['p50']), (199, ['p50']), (200, ['p50', 'p95']),
        (999, ['p50', 'p95']), (1000, ['p50', 'p95', 'p99']),
    ]:  # fmt: skip
        found = told(number)
        assert [n for n in histograms.PERCENTILES if found[n]] == names
        assert [n for n, edges in found['bounds'].items() if edges] == names
        assert found['count'] == number and found['buckets']
    assert told(19)['p50'] is None and told(19)['bounds']['p50'] == []


def test_kinds_without_operations_are_absent():
    same = histograms.parse_kinds(histogram_dump({4: 10}, READ))
    assert histograms.evidence({0: same}, {0: same}) == {}
