"""Mixes whose operations have sizes of their own."""

from typing import Dict, List, Tuple

import collections
import pathlib
import random
import time

import pytest

from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.tests.worker.test_s3_process import (  # noqa: F401
    generator_of,
    servers,
)
from perfcompare.worker.loads.s3.keys import Namer
from perfcompare.worker.loads.s3.results import Window
from perfcompare.worker.loads.s3.sized import SizedMix, SizedPopulation
from perfcompare.worker.wire.s3_spec import (
    DELETE,
    GET,
    OPS,
    PUT,
    RANGE,
    STAT,
    Details,
    Objects,
    Phase,
    Weighted,
)
from perfcompare.worker.wire.strict import Malformed

READ = (Weighted(1000), Weighted(8000))
WRITE = (Weighted(3000),)


def by_op(**sizes: int) -> Tuple[int, ...]:
    return tuple(sizes.get(name, 0) for name in OPS)


def shares(**weights: float) -> Tuple[float, ...]:
    return tuple(float(weights.get(name, 0)) for name in OPS)


SIZES = by_op(get=1000, range=8000, put=3000)
MIX = shares(get=40, range=20, put=25, stat=10, delete=5)
DETAILS = Details(range_size=500, sizes=SIZES)


def population(count: int, process: int = 0) -> SizedPopulation:
    rng = random.Random(1)
    existing = Namer('b', Objects('r-', count, READ))
    created = Namer('b', Objects('w-', 0, WRITE))
    found = SizedPopulation(existing, created, process, 2, rng, apart=True)
    found.adopt(count)
    return found


def test_each_operation_has_objects_of_its_size() -> None:
    objects = population(200)
    assert len(objects) == 100  # of this process
    mix = SizedMix(
        Phase('load', MIX, 0.0, 1.0), objects, random.Random(2), DETAILS
    )
    seen: Dict[int, List[int]] = collections.defaultdict(list)
    for _ in range(1000):
        choice = mix.next()
        assert choice is not None
        op, key = choice
        seen[op].append(key.size)
        if op == PUT:
            objects.written(key, True)
        elif op in (GET, STAT):
            objects.was_read(key)
    assert set(seen[GET]) == {1000} and set(seen[PUT]) == {3000}
    # of any size; both are there as often
    assert set(seen[STAT]) == {1000, 8000}
    # what is deleted was made by the load; the population stays
    assert set(seen[DELETE]) == {3000}
    assert seen[RANGE] and mix.substituted == 0
    number = {op: len(sizes) for op, sizes in seen.items()}
    assert number[GET] == 400 and number[RANGE] == 200


def test_what_a_run_of_writes_leaves_is_kept_by_its_size() -> None:
    objects = population(0)
    key = objects.existing.key(0)
    objects.written(key, True)
    assert len(objects) == 1
    objects.wanted = key.size
    found = objects.read()
    assert found is not None and found.number == 0
    objects.wanted = key.size + 1
    assert objects.read() is None


@pytest.mark.parametrize('sizes', [(1,), by_op(get=-1), by_op(get=1 << 50)])
def test_sizes_that_cannot_be(sizes: Tuple[int, ...]) -> None:
    with pytest.raises(Malformed, match='is not a size for each of'):
        Details(sizes=sizes).check()


@pytest.mark.process
def test_what_a_server_sees(
    servers: List[S3Server], tmp_path: pathlib.Path  # noqa: F811
) -> None:
    server = servers[0]
    generator = generator_of(
        [server],
        tmp_path,
        index=0,
        processes=1,
        objects=Objects('r-', 60, READ),
        writes=Objects('w-', 0, WRITE),
        details=DETAILS,
        verify=1.0,
    )
    assert generator.connect() == 4

    def soon() -> int:
        return time.perf_counter_ns() + 10**7

    fill = Phase('fill', shares(put=1), 0.0, 0.0, create=(0, 1, 60))
    assert generator.run(1, fill, soon())['missing'] == 0
    held = {path: len(body) for path, body in server.objects.items()}
    assert set(held.values()) == {1000, 8000}
    asked: Dict[bytes, List[bytes]] = collections.defaultdict(list)

    def note(method: bytes, path: bytes, serial: int) -> None:
        asked[method].append(path)

    server.fault = note
    load = Phase('load', MIX, 0.0, 0.5, bound=100000)
    result = generator.run(2, load, soon())
    window = Window([result], False)
    assert not window.judged.errors and not result['corrupt']
    assert result['substituted'] == 0
    for name in ('get', 'range', 'put', 'stat', 'delete'):
        assert window.judged.ops(name) > 0, name
    # each get moves 1000 bytes, each range 500 of 8000
    assert window.judged.bytes['get'] == 1000 * window.judged.ops('get')
    assert window.judged.bytes['range'] == 500 * window.judged.ops('range')
    assert window.judged.bytes['put'] == 3000 * window.judged.ops('put')
    gone = set(asked[b'DELETE'])
    assert gone and all(b'/w-' in path for path in gone)
    assert {len(b) for p, b in server.objects.items() if b'w-' in p} == {3000}
