"""Figures of short phases stay true in steps of hours, in bounded memory."""

import types

import pytest

from ...model.recovery import Phase, PhaseFigures, Span, Timeline
from ...recovery.judge import impact, latencies
from ...recovery.judge.closeups import AFTER, BEFORE, Closeups
from ...recovery.judge.impact import Sample
from ...recovery.judge.latencies import MOST, LatencyRecorder
from ...recovery.judge.thinning import since, thinned
from ...recovery.run import clientload
from ...recovery.run.felt import ClientImpact
from ...recovery.run.stepwatch import client_table
from ...worker.wire import histogram

MS = 1_000_000
FAST, SLOW = histogram.bucket(2 * MS), histogram.bucket(900 * MS)
T0 = 1_700_000_000.0
HOUR = 3600.0


def _load(book, begin, seconds, every, slow=()):
    """Add slices of ten operations; slow ones in the spans that are named."""
    for number in range(int(seconds / every)):
        at = begin + number * every
        is_slow = any(first <= at < last for first, last in slow)
        book.add(at, at + 0.5, {'read': (SLOW if is_slow else FAST, 10)})


def _percentiles(book, begin, end):
    counted = book.between(begin, end)
    return impact.percentiles(histogram.merge(counted.values()))


# latencies


def test_first_minute_of_a_step_is_known_at_its_end():
    """Sixteen images tell a slice a second each, for half an hour."""
    book = LatencyRecorder(near := Closeups())
    near.begin(T0)
    book.begin(T0)
    _load(book, T0, 1800.0, 1 / 16, slow=[(T0, T0 + 60)])
    first = _percentiles(book, T0, T0 + 60)
    assert first['samples'] == pytest.approx(16 * 60 * 10, rel=0.01)
    assert first['p50'] == pytest.approx(0.9, rel=0.01)
    later = _percentiles(book, T0 + 61, T0 + 1800)
    assert later['p99'] == pytest.approx(0.002, rel=0.01)
    assert len(book._slots) <= MOST + 4 * (BEFORE + AFTER) + 2


def test_step_after_a_long_hold_has_all_its_operations():
    book = LatencyRecorder(near := Closeups())
    near.begin(T0)
    book.begin(T0)
    _load(book, T0, 2 * HOUR, 1 / 4)
    begin = T0 + 2 * HOUR
    near.begin(begin)
    book.begin(begin)
    _load(book, begin, 2 * HOUR, 1 / 4, slow=[(begin, begin + 150)])
    found = _percentiles(book, begin, begin + 2 * HOUR)
    assert found['samples'] == 2 * HOUR * 4 * 10
    assert found['p99'] == pytest.approx(0.9, rel=0.01)
    assert book.counted == 4 * HOUR * 4 * 10


def test_what_happens_late_is_known_where_somebody_saw_the_change():
    """An operator stops the OSD after an hour."""
    book = LatencyRecorder(near := Closeups())
    near.begin(T0)
    book.begin(T0)
    _load(book, T0, HOUR, 1 / 2)
    change = T0 + HOUR
    near.add(change)
    _load(book, change, 3 * HOUR, 1 / 2, slow=[(change, change + 7)])
    assert book.resolves(change + 1, change + 7)
    assert _percentiles(book, change + 1, change + 7)['p50'] > 0.8
    assert not book.resolves(change + HOUR, change + HOUR + 7)
    assert book.resolves(change + HOUR, change + HOUR + 60)


def test_counts_may_be_large():
    book = LatencyRecorder()
    for _ in range(3):
        book.add(1.0, 1.5, {'read': (FAST, (1 << 32) - 1)})
    assert book.between(0.0, 9.0) == {'read': {FAST: 3 * ((1 << 32) - 1)}}


def test_phases_that_are_too_short_have_no_percentiles_and_say_why(
    monkeypatch,
):
    monkeypatch.setattr(latencies, 'MOST', 64)
    book = LatencyRecorder()
    _load(book, T0, HOUR, 1 / 2)
    spans = ((Phase.PEERING, 600.0, 3.0), (Phase.RECOVERY, 603.0, 1200.0))
    timeline = Timeline(
        'x86',
        T0,
        T0 + HOUR,
        {},
        phases=tuple(
            PhaseFigures(phase, T0 + begin, Span(seconds, 0.1))
            for phase, begin, seconds in spans
        ),
    )
    samples = [Sample(T0 + t, 20 * t, t, 0.0, 0) for t in range(3600)]
    client = types.SimpleNamespace(
        samples={'rbd-read': samples}, latencies={'rbd-read': book}
    )
    felt = ClientImpact(client, 4096)
    (note,) = felt.too_short(timeline)
    assert 'rbd-read: no percentiles of peering: too short beside' in note
    peering, recovery = felt.in_phases(timeline, {}).phases
    assert peering.client['rbd-read_p50'] is None
    assert peering.client['rbd-read_ops_per_s'] == pytest.approx(20)
    assert recovery.client['rbd-read_p50'] == pytest.approx(0.002, rel=0.01)


# samples


def _samples(count, stalls=()):
    return [
        Sample(T0 + t, 100 * t, t / 2, 5.0 if t in stalls else 0.0, 3 * t)
        for t in range(count)
    ]


def test_thinned_samples_keep_sums_stalls_and_what_is_near_changes():
    near = Closeups()
    near.begin(T0)
    near.add(T0 + 2000)
    whole = _samples(4000, stalls=(900, 1501))
    kept = thinned(thinned(whole, near, 2000), near, 900)
    assert len(kept) < 0.4 * len(whole) and kept[-2:] == whole[-2:]
    assert set(kept) <= set(whole)
    close = [s for s in whole if s.at in near]
    assert len(close) == BEFORE + 2 * AFTER and set(close) <= set(kept)
    for begin, end in ((700, 1600), (10, 3990), (1990, 2010)):
        found = impact.figures(kept, 4096, T0 + begin, T0 + end)
        wanted = impact.figures(whole, 4096, T0 + begin, T0 + end)
        assert found == pytest.approx(wanted, abs=9)
        for name in ('stall', 'ops_per_s', 'latency'):
            assert found[name] == pytest.approx(wanted[name]), name


def test_samples_of_a_step_that_is_over_go():
    whole = _samples(1000)
    kept = since(whole, T0 + 900)
    assert kept == whole[870:]
    assert since(whole[:10], T0 + 900) == whole[9:10]
    assert since([], T0) == []


def test_samples_of_a_week_are_bounded_and_so_is_their_series(monkeypatch):
    monkeypatch.setattr(clientload, 'MOST', 1000)
    near, kept = Closeups(), {'read': [], 'write': []}
    near.begin(T0)
    for t in range(20_000):
        for index, own in enumerate(kept.values()):
            own.append(Sample(T0 + t + index / 2, 100 * t, t, 0.0))
            if len(own) > clientload.MOST:
                own[:] = thinned(own, near, clientload.MOST // 2)
    assert all(len(own) <= 1001 for own in kept.values())
    table = client_table(kept, T0, T0 + 20_000)
    assert 500 < len(table.t) < 2500
    for column in table.columns[::2]:
        values = column.optional()[5:]
        assert None not in values
        assert values == pytest.approx([100.0] * len(values))
