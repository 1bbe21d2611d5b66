"""Objects, proportions and records of the S3 generator."""

from typing import Any, Dict, List, Set

import os
import random

import pytest

from perfcompare.tests.memory import traced
from perfcompare.worker.loads.s3 import keys
from perfcompare.worker.loads.s3.keys import Key, Namer, Population, shares
from perfcompare.worker.loads.s3.mix import DECK, Drain, Fill, Mix, deck
from perfcompare.worker.loads.s3.payload import BLOCK, Payload
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.loads.s3.results import Window, details, series
from perfcompare.worker.loads.s3.tasks import Copy
from perfcompare.worker.wire import histogram
from perfcompare.worker.wire.s3_spec import (
    DELETE,
    GET,
    OVERWRITE,
    PUT,
    RANGE,
    STAT,
    Objects,
    Phase,
    Weighted,
)

MIXED = (35.0, 45.0, 15.0, 5.0)
SIZES = (Weighted(4096, 70.0), Weighted(65536, 30.0))
SECOND = 10**9


def population(count: int = 100, process: int = 0, of: int = 1) -> Population:
    found = Population(
        Namer('b', Objects('r-', count, SIZES)),
        Namer('b', Objects('w-', 0, SIZES)),
        process,
        of,
        random.Random(process),
    )
    found.adopt(count)
    return found


def paths(objects: Population) -> Set[bytes]:
    return {objects._key(k, at).path for at, k in enumerate(objects._live)}


def phase(limit: int = 0, bound: int = 0) -> Phase:
    return Phase('x', MIXED, 0.0, 1.0, limit=limit, bound=bound)


def test_a_deck_has_the_exact_proportions() -> None:
    cards = deck(MIXED, random.Random(1))
    assert len(cards) == DECK
    assert [cards.count(op) for op in (PUT, GET, STAT, DELETE)] == [
        350,
        450,
        150,
        50,
    ]


def test_no_operation_with_a_weight_is_left_out() -> None:
    cards = deck((1e6, 1.0, 1.0, 0.0), random.Random(1))
    assert (cards.count(GET), cards.count(STAT)) == (1, 1)
    assert cards.count(DELETE) == 0


def test_shares_lose_nothing() -> None:
    assert sum(shares([1 / 3, 1 / 3, 1 / 3], 1000)) == 1000
    assert shares([0.5, 0.5], 3) in ([1, 2], [2, 1])


def test_a_mix_keeps_its_proportions_and_never_reads_what_is_gone() -> None:
    objects = population()
    mix = Mix(phase(limit=20000), objects, random.Random(2))
    there = paths(objects)
    seen: List[int] = []
    under_way = []
    while True:
        choice = mix.next()
        if choice is None:
            break
        op, key = choice
        seen.append(op)
        if op == PUT:
            assert key.path not in there
            there.add(key.path)
            objects.written(key, True)
        elif op == DELETE:
            assert key.path in there and key.readers == 0
            assert all(k is not key for _, k in under_way)
            there.remove(key.path)
            objects.deleted(key, True, False)
        else:
            assert key.path in there
            under_way.append((op, key))
            if len(under_way) > 16:
                objects.was_read(under_way.pop(0)[1])
    assert [seen.count(op) for op in range(4)] == [7000, 9000, 3000, 1000]
    assert mix.substituted == 0


def test_processes_share_a_population_without_overlap() -> None:
    parts = [population(100, i, 3) for i in range(3)]
    found = [paths(p) for p in parts]
    assert sum(map(len, found)) == len(set.union(*found)) == 100
    made = [p.new().path for p in parts for _ in range(50)]
    assert len(set(made)) == 150


def test_objects_that_are_there_are_keys_when_they_are_used() -> None:
    made: List[int] = []

    class Counting(Namer):
        def key(self, number: int) -> Key:
            made.append(number)
            return super().key(number)

    namer = Counting('b', Objects('r-', 0, (Weighted(1),)))
    population = Population(namer, namer, 1, 2, random.Random(1))
    # a load that begins late measures nothing at first
    population.adopt(2_000_000)
    assert made == [] and len(population) == 1_000_000
    key, gone = population.read(), population.doomed()
    assert key is not None and gone is not None
    assert made == [key.number, gone.number]
    assert key.number % 2 == 1 and key.readers == 1
    population.deleted(gone, False, True)
    assert len(population) == 1_000_000


def test_an_object_that_nobody_uses_takes_few_bytes() -> None:
    objects = population(1000)
    objects.uses(reads=True, deletes=True)
    before = len(objects)
    with traced(keys.__file__, __file__) as held:
        for _ in range(20_000):
            objects.written(objects.new(), True)
            key = objects.read()
            assert key is not None
            objects.was_read(key)
        assert 0 < held() < 20_000 * 12
    assert len(objects) == before + 20_000


def test_two_readers_share_an_object_that_stays_until_both_ended() -> None:
    objects = population(1)
    first, second = objects.read(), objects.read()
    assert first is not None and first is second
    assert objects.doomed() is None
    objects.was_read(first)
    assert objects.doomed() is None
    objects.was_read(second)
    gone = objects.doomed()
    assert gone is not None and gone.path == first.path
    assert objects.read() is None


def test_a_copy_holds_what_was_copied_whoever_deletes_it() -> None:
    objects = population(1)
    objects.uses(reads=True, deletes=True, copies=True)
    objects.new()  # so that names and contents have other numbers
    source = objects.read()
    assert source is not None
    first = Copy(source, objects.new())
    first.settle(objects, True, False)
    copy = Copy(first.made_key, objects.new())
    objects.written(copy.made_key, True)
    name = copy.made_key.path
    for _ in range(3):
        keys = [objects.doomed() for _ in range(3)]
        (found,) = [key for key in keys if key and key.path == name]
        assert (found.number, found.size) == (source.number, source.size)
        for key in keys:
            assert key is not None
            objects.deleted(key, False, present=True)


def test_nothing_to_read_is_replaced_by_a_put() -> None:
    shares = (1e-6, 1.0, 0.0, 0.0)
    phase = Phase('x', shares, 0.0, 1.0)
    mix = Mix(phase, population(0), random.Random(1))
    assert mix.next()[0] == PUT  # type: ignore[index]
    assert mix.substituted == 1


@pytest.mark.parametrize('op', [GET, STAT, OVERWRITE, RANGE])
def test_a_load_that_makes_nothing_makes_nothing(op: int) -> None:
    phase = Phase('x', tuple(float(op == i) for i in range(10)), 0.0, 1.0)
    objects = population(0)
    mix = Mix(phase, objects, random.Random(1))
    assert mix.next() is None
    assert (mix.substituted, objects.created) == (0, 0)


@pytest.mark.parametrize('stay', [True, False])
def test_of_few_objects_all_processes_read_those_that_stay(
    stay: bool,
) -> None:
    found = []
    for process in range(3):
        part = population(0, process, 3)
        part.adopt(2, stay)
        found.append(sorted(paths(part)))
    whole = [b'/b/r-00000000', b'/b/r-00000001']
    apart = [whole[:1], whole[1:], []]
    assert found == ([whole] * 3 if stay else apart)


def test_a_bound_stops_puts() -> None:
    mix = Mix(
        Phase('x', (1.0, 0.0, 0.0, 0.0), 0.0, 1.0, bound=3),
        population(0),
        random.Random(1),
    )
    assert [mix.next() is None for _ in range(4)] == [False] * 3 + [True]
    assert mix.exhausted


def test_drain_takes_each_object_once() -> None:
    objects = population(50)
    drain = Drain(objects)
    found = set()
    while True:
        choice = drain.next()
        if choice is None:
            break
        found.add(choice[1].path)
    assert len(found) == 50 and len(objects) == 0


def test_a_failed_delete_leaves_the_object() -> None:
    objects = population(1)
    key = objects.doomed()
    assert key is not None and objects.doomed() is None
    objects.deleted(key, False, True)
    again = objects.doomed()
    assert again is not None and again.path == key.path


def test_fills_write_each_number_once() -> None:
    namer = Namer('b', Objects('r-', 10, SIZES))
    found = []
    for process in range(3):
        numbers = range(process, 10, 3)
        fill = Fill(namer, numbers)
        while True:
            choice = fill.next()
            if choice is None:
                break
            found.append(choice[1].number)
    assert sorted(found) == list(range(10))


def test_sizes_follow_their_weights_and_the_number_only() -> None:
    first = Namer('b', Objects('r-', 0, SIZES))
    again = Namer('c', Objects('q-', 0, SIZES))
    sizes = [first.key(i).size for i in range(2000)]
    assert sizes == [again.key(i).size for i in range(2000)]
    assert sizes.count(4096) == pytest.approx(1400, abs=3)


def test_names_are_encoded() -> None:
    key = Namer('b', Objects('a b/', 0, SIZES)).key(7)
    assert key.path == b'/b/a%20b/00000007'


@pytest.mark.parametrize('size', [1, 4096, BLOCK - 1, BLOCK + 5, 9 << 20])
def test_content_is_known_at_every_place(size: int) -> None:
    payload = Payload(1)
    whole = payload.content(508, size)
    assert len(whole) == size
    assert payload.same(508, 0, whole)
    half = size // 2
    assert payload.same(508, half, whole[half:])
    if size > 1:
        changed = bytearray(whole)
        changed[half] ^= 1
        assert not payload.same(508, 0, bytes(changed))
    at = payload.offset(508)
    first = os.pread(payload.file(), BLOCK, at)
    assert first[:size] == whole[:BLOCK]
    # what an object takes of memory does not depend on its size
    assert os.fstat(payload.file()).st_size == 2 * BLOCK


def test_content_is_the_same_in_every_process() -> None:
    assert Payload(3).content(1, 99) == Payload(3).content(1, 99)
    assert Payload(3).content(1, 99) != Payload(4).content(1, 99)


def result(recorder: Recorder, begin: int, end: int) -> dict:  # type: ignore
    return {
        'begin': begin,
        'end': end,
        'endpoints': [{'url': 'u', 'intervals': recorder.intervals}],
    }


def test_intervals_add_up_to_the_window() -> None:
    zero = 5 * SECOND
    recorder = Recorder(zero, 2.5, 12.0)
    # one operation of 10 ms every 10 ms, for 15 s
    for i in range(1, 1501):
        now = zero + i * SECOND // 100
        recorder.done(GET, now, now - SECOND // 100, 100, now - SECOND // 200)
    recorder.error(PUT, zero + 3 * SECOND * 5, '503 SlowDown')
    recorder.finish(zero + 15 * SECOND + SECOND // 2)
    begin, end = zero + 5 * SECOND // 2, zero + 29 * SECOND // 2
    window = Window([result(recorder, begin, end)], False)
    assert window.seconds == 12.0
    assert window.inside.ops() == 1200
    assert window.inside.moved() == 120000
    assert window.inside.latency() == pytest.approx(0.01)
    assert window.inside.failed() == 0
    assert window.rates() == pytest.approx([100.0] * 6)
    row = window.inside.described(12.0)['get']
    assert row['percentiles']['p99'] == pytest.approx(0.01, rel=0.01)
    assert row['first_byte']['p50'] == pytest.approx(0.005, rel=0.01)
    found = series([window], 100.0, 5.0)
    assert found['wall_start'] == 100.0
    assert sum(found['ops']) == pytest.approx(
        100.0 * len(found['ops']), rel=0.1
    )
    assert details(window)['p99'][3] == pytest.approx(0.01, rel=0.01)
    both = Window([result(recorder, begin, end)] * 2, False)
    assert both.inside.ops() == 2400
    assert both.rates() == pytest.approx([200.0] * 6)
    drained = Window([result(recorder, begin, end)], True)
    assert drained.judged.ops() == 1251
    assert drained.judged.errors == {'put 503 SlowDown': 1}


def test_rates_are_of_the_window_where_latencies_are_of_the_drain_too() -> (
    None
):
    # open loop at 2/s; what was to begin in the window ends in the drain
    recorder = Recorder(0, 0.0, 2.0)
    for begin, end in ((0.0, 0.5), (0.5, 1.5), (1.0, 3.0), (1.5, 4.0)):
        recorder.done(GET, int(end * SECOND), int(begin * SECOND), 8, 0)
    recorder.finish(4 * SECOND)
    result: Dict[str, Any] = {
        'begin': recorder.begin,
        'end': recorder.end,
        'endpoints': [{'url': 'u', 'intervals': recorder.intervals}],
    }
    window = Window([result], True)
    row = window.judged.described(window.seconds, window.inside)['get']
    assert row['ops'] == 4 and row['latency_avg'] == 1.5
    assert row['ops_per_s'] == 1.0 and row['bytes_per_s'] == 8.0


def test_a_long_trial_has_a_bounded_number_of_intervals() -> None:
    recorder = Recorder(0, 10.0, 14400.0)
    for second in range(14411):
        recorder.done(PUT, second * SECOND, second * SECOND - 1, 1, 0)
    recorder.finish(14411 * SECOND)
    assert len(recorder.intervals) < 1000
    window = Window([result(recorder, 10 * SECOND, 14410 * SECOND)], False)
    assert window.inside.ops() == 14400


def test_a_value_is_recorded_in_its_bucket() -> None:
    recorder = Recorder(0, 0.0, 0.0)
    values = [0, 1, 255, 256, 12345, 10**9, 600 * 10**9, 1 << 41]
    for value in values:
        recorder.done(PUT, value + 10, 10, 0, 0)
    recorder.finish(1 << 42)
    found = histogram.merge(
        i['ops'].get('put', {}).get('histogram', {})
        for i in recorder.intervals
    )
    assert found == {histogram.bucket(v): 1 for v in values}


def test_objects_of_other_sizes_are_deleted_but_not_read() -> None:
    existing = Namer('b', Objects('own-', 0, (Weighted(16384),)))
    created = Namer('b', Objects('new-', 0, (Weighted(4096),)))
    found = Population(existing, created, 0, 1, random.Random(1), apart=True)
    for number in range(4):
        found.written(existing.key(number), True)  # by a fill
    assert found.doomed() is None  # deletes never take what is read
    for _ in range(4):
        found.written(found.new(), True)
    assert len(found) == 8
    for _ in range(50):
        key = found.read()
        assert key is not None and key.size == 16384
        found.was_read(key)
    gone = found.doomed()
    assert gone is not None and gone.size == 4096
    found.deleted(gone, False, True)  # it is still there
    assert len(found) == 8
