"""Curves of latencies are made of histograms, and say what they lack."""

import dataclasses
import random

import pytest

from ...analysis import distribution
from ...analysis.distribution import distributions, points
from ...worker.wire import histogram
from ..data.run_data import make_trial

RUN = '0a1b2c3d'


def trial(**client):
    found = make_trial(RUN, 1, 0, 0)
    return dataclasses.replace(found, evidence={'client': client})


def counted(values):
    counts = {}
    for value in values:
        at = histogram.bucket(int(value * 1e9))
        counts[at] = counts.get(at, 0) + 1
    return counts


def test_a_bucket_ends_where_the_next_begins():
    rng = random.Random(3)
    for index in [0, 1, 255, 256, 257] + [
        rng.randrange(4000) for _ in '5' * 99
    ]:
        upper = histogram.upper(index)
        assert histogram.bucket(int(upper)) == index + 1
        assert histogram.bucket(int(upper) - 1) == index


def test_histograms_of_trials_are_added_up():
    """Two trials of unlike size: the larger one weighs more."""
    fast = trial(histograms={'get': counted([0.001] * 300)})
    slow = trial(histograms={'get': counted([0.1] * 100)})
    (found,) = distributions([fast, slow], [fast])
    assert found.source == 'clients'
    left = found.baseline
    assert (left.samples, left.trials, left.reason) == (400, 2, '')
    assert [share for _, share in left.points] == [0.75, 1.0]
    assert left.points[0][0] == pytest.approx(0.001, rel=0.01)
    assert left.points[1][0] == pytest.approx(0.1, rel=0.01)


def test_a_curve_lies_on_the_percentiles_of_its_histogram():
    rng = random.Random(1)
    values = [rng.lognormvariate(-6, 1) for _ in range(20000)]
    counts = counted(values)
    (found,) = distributions([trial(histograms={'put': counts})], [])
    curve = found.baseline.points
    assert len(curve) < 150
    assert [s for _, s in curve] == sorted(s for _, s in curve)
    for at, share in curve:
        exact = sum(v <= at for v in values) / len(values)
        assert share == pytest.approx(exact, abs=0.001)
    for name in ('p50', 'p99', 'p99.9'):
        q = histogram.NAMES[name]
        stated = histogram.quantile(counts, q)
        near = min(curve, key=lambda p: abs(p[1] - q))
        assert near[0] == pytest.approx(stated, rel=0.35)


def test_kinds_of_operations_stand_beside_all_of_them():
    mixed = trial(
        histograms={'get': counted([0.001] * 9), 'put': counted([0.1])},
        probe={'histogram': [[histogram.bucket(10**6), 5]]},
    )
    mixed.evidence['histograms'] = {
        'read': {'buckets': [[0.0001, 3], [0.0002, 1], [None, 1]]}
    }
    found = distributions([mixed], [])
    assert [one.source for one in found] == [
        'clients',
        'clients: get',
        'clients: put',
        'latency probe',
        'OSDs: read',
    ]
    assert found[0].baseline.samples == 10
    assert all(one.candidate.reason for one in found)
    # what took longer than the last bound of an OSD is in no point
    assert found[-1].baseline.points == ((0.0001, 0.6), (0.0002, 0.8))


def test_what_a_side_lacks_is_said():
    known = trial(histograms={'get': counted([0.001])})
    (found,) = distributions([known, trial()], [trial()])
    assert found.baseline.reason == 'without 1 of 2 trials'
    assert found.candidate.points == ()
    assert found.candidate.reason == 'no histogram was recorded'


@pytest.mark.parametrize(
    'client',
    (
        {'histograms': 3},
        {'histograms': {'get': 'x'}},
        {'histograms': {'get': {'x': 1}}},
        {'histograms': {'get': {'5': 'many'}}},
        {'histograms': {'get': {'5': -1}}},
        {'probe': {'histogram': [[1], 'ab', None, [1, None]]}},
    ),
)
def test_damaged_histograms_count_as_none(client):
    assert distributions([trial(**client)], [trial()]) == ()


def test_a_tail_keeps_its_points():
    """A curve is thinned out in what is common, not in what is rare."""
    counts = {0.001 * (at + 1): 10 for at in range(10000)}
    shares = [1 - share for _, share in points(counts)]
    assert len(shares) < 150
    assert sum(0 < s < 0.001 for s in shares) >= 5
    assert distribution.STEP < 1
