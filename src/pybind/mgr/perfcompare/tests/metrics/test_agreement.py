"""What load processes count between two moments."""

import pytest

from perfcompare.metrics.agreement import (
    client_operations,
    probe_operations,
)
from perfcompare.model.outcome import RawSegment


def segment(polled_at=(), polled_ops=()):
    """Return a process that stood still in the middle of each second."""
    return RawSegment(
        client=0,
        start=100.0,
        t=[0.0, 1.0, 2.0, 3.0],
        started=[4, 104, 204, 304],
        finished=[0, 100, 200, 300],
        waited=[0.0] * 4,
        polled_at=list(polled_at),
        polled_ops=list(polled_ops),
    )


def test_close_looks_tell_what_samples_of_a_second_cannot():
    polled = segment(
        [100.2, 100.8, 101.2, 101.8, 102.2, 102.8],
        [50, 50, 150, 150, 250, 250],
    )
    assert client_operations([polled], 100.5, 102.5) == 200
    assert client_operations([polled], 100.5, 102.1) == pytest.approx(175)


def test_without_looks_the_samples_are_taken():
    assert client_operations([segment()], 100.5, 102.5) == 200
    assert client_operations([segment()], 99.0, 110.0) == 300


def test_all_clients_count():
    assert client_operations([segment(), segment()], 101.0, 102.0) == 200


def test_nothing_is_told_where_nothing_is_known():
    assert client_operations([], 100.0, 102.0) is None


def test_operations_of_a_probe_are_by_its_mean_rate():
    probe = {'rate': 100.0, 'ops_per_s': 98.0}
    assert probe_operations({'probe': probe}, 5.0, 15.0) == 980.0
    for none in ({}, {'probe': {'rate': 0.0, 'reason': 'switched off'}}):
        assert probe_operations(none, 5.0, 15.0) == 0.0
