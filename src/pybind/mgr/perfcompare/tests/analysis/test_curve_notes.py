import pytest

from ...analysis.curve_notes import (
    Point,
    knee,
    notes,
    response_time,
    scalability,
)


def usl(sigma, kappa, speed=100.0):
    def rate(n):
        return speed * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))

    return [Point(n, rate(n), n / rate(n)) for n in (1, 2, 4, 8, 16, 32, 64)]


def test_scalability_is_what_made_the_curve():
    assert scalability(usl(0.05, 0.001)) == pytest.approx([0.05, 0.001])
    assert scalability(usl(0.0, 0.0)) == pytest.approx([0, 0], abs=1e-9)


def test_what_would_be_negative_is_none():
    superlinear = [Point(n, n**1.2, None) for n in (1, 2, 4, 8)]
    assert scalability(superlinear) == [0.0, 0.0]


def test_knee_is_farthest_above_the_line():
    curve = [Point(n, min(n, 8) * 10.0, None) for n in (1, 2, 4, 8, 16, 32)]
    assert knee(curve) == 8
    assert knee([Point(1, 5.0, None), Point(2, 4.0, None)]) is None
    straight = [Point(n, 10.0 * n, None) for n in (1, 2, 3)]
    assert knee(straight) is None


def test_response_time_is_the_area_by_the_peak():
    curve = [Point(1, 100.0, 1.0), Point(2, 200.0, 3.0), Point(4, 150.0, 9.0)]
    # 100 op/s at 1 s, then 100 more at 2 s on average
    assert response_time(curve) == pytest.approx(1.5)
    assert response_time([Point(1, 100.0, None)]) is None


def test_notes_have_intervals_and_do_not_change():
    rounds = [usl(0.05, 0.001, speed) for speed in (90, 100, 110, 105)]
    found = {note.id: note for note in notes(rounds)}
    assert list(found) == ['knee', 'response-time', 'contention', 'coherency']
    for note in found.values():
        assert note.low <= note.value <= note.high
    assert found['response-time'].low < found['response-time'].high
    assert notes(rounds) == notes(rounds)
    assert notes(rounds[:2]) == []
