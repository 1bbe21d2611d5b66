"""Objects in several buckets, with several prefixes."""

import random

import pytest

from perfcompare.worker.loads.s3 import removal
from perfcompare.worker.loads.s3.keys import Namer, Population, bucket_of
from perfcompare.worker.wire.s3_spec import (
    BUCKETS_MAX,
    PREFIXES_MAX,
    Objects,
    Weighted,
    bucket_names,
)
from perfcompare.worker.wire.strict import Malformed

SIZES = (Weighted(1),)


def namer(prefix: str, count: int, buckets: int, prefixes: int) -> Namer:
    return Namer('b', Objects(prefix, count, SIZES, 0, buckets, prefixes))


def test_one_bucket_without_prefixes_is_as_it_was() -> None:
    found = namer('r-', 9, 1, 1)
    assert found.key(7).path == b'/b/r-00000007'
    assert found.path(7) == '/b/r-00000007'


@pytest.mark.parametrize('buckets, prefixes', [(4, 1), (1, 8), (4, 8)])
def test_numbers_take_places_in_turn(buckets: int, prefixes: int) -> None:
    found = namer('own-', 0, buckets, prefixes)
    cells = buckets * prefixes
    paths = [found.key(number).path for number in range(3 * cells)]
    assert len(set(paths)) == 3 * cells
    places = [path.rpartition(b'/')[0] for path in paths]
    assert len(set(places[:cells])) == cells
    assert places[:cells] == places[cells : 2 * cells]
    names = bucket_names('b', buckets)
    assert {bucket_of(path).decode()[1:] for path in paths} == set(names)
    # what the end of a run removes
    for number, path in enumerate(paths):
        assert path.decode() == found.path(number)
        assert removal.ours(path[len(bucket_of(path)) + 1 :].decode())


def test_deletes_of_many_are_of_one_bucket() -> None:
    objects = Population(
        namer('r-', 30, 3, 2), namer('w-', 0, 3, 2), 0, 1, random.Random(1)
    )
    objects.adopt(30)
    seen = 0
    while True:
        keys = objects.doomed_batch(4)
        if not keys:
            break
        assert len(keys) == 4
        assert len({bucket_of(key.path) for key in keys}) == 1
        seen += 4
        assert len(objects) == 30 - seen
    assert seen == 24  # two are left in each bucket
    assert len(objects) == 6
    assert objects.read() is not None  # none of them is withheld
    objects = Population(
        namer('r-', 5, 1, 1), namer('w-', 0, 1, 1), 0, 1, random.Random(1)
    )
    objects.adopt(5)
    assert len(objects.doomed_batch(4, True)) == 4
    assert len(objects.doomed_batch(4, True)) == 1
    assert objects.doomed_batch(4, True) == []


@pytest.mark.parametrize(
    'buckets, prefixes',
    [(0, 1), (BUCKETS_MAX + 1, 1), (1, 0), (1, PREFIXES_MAX + 1)],
)
def test_numbers_out_of_range_are_refused(
    buckets: int, prefixes: int
) -> None:
    with pytest.raises(Malformed, match='not within'):
        Objects('r-', 0, SIZES, 0, buckets, prefixes).check()


@pytest.mark.parametrize(
    'name', ['photos/own-00000001', '0/own-00000001', '000/new-00000001',
             '00/photo.jpg', '00/', '00//own-00000001',
             'perfcompare-warp/photo.jpg', 'perfcompare-warp/1.x.rnd/a',
             'gs93gFo6/1.CglrJM)4kXTZJTz).rnd',
             'perfcompare-warp/a/b/1.CglrJM)4kXTZJTz).rnd'],
)  # fmt: skip
def test_names_of_others_with_slashes_stay(name: str) -> None:
    assert not removal.ours(name)


@pytest.mark.parametrize('folder', ['', 'gs93gFo6/', 'J(DM03yS/'])
def test_names_that_warp_gives_below_our_prefix_are_ours(folder: str) -> None:
    name = f'{removal.WARP}/{folder}12.CglrJM)4kXTZJTz).rnd'
    assert removal.ours(name)
