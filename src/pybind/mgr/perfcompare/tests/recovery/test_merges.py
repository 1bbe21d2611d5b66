"""Tests of PGs that merge: what they hand on was not recovered."""

import pytest

from ...recovery.observe.merges import parent
from ...recovery.observe.pgbook import PgTracker, Scope
from ...recovery.observe.sumbook import SumTracker
from .test_sums import sums
from .test_watch import pg, walk

OLD = dict(objects_recovered=900, bytes_recovered=9000)
# as it is after the merge, which is an interval of its own
MERGED = dict(
    mapping_epoch=12, became_active=605.0, last_change=605.5,
    objects_recovered=1900, bytes_recovered=19000,
)  # fmt: skip


@pytest.mark.parametrize(
    'ps, pg_num, into',
    [(7, 7, 3), (7, 4, 3), (7, 3, 1), (6, 4, 2), (3, 8, 3)],
)
def test_pgs_merge_into_those_that_they_came_of(ps, pg_num, into):
    assert parent(ps, pg_num) == into


@pytest.fixture
def book():
    made = PgTracker([Scope('all')], 11, 600.0)
    found = walk(made, 601, [pg(i, **OLD) for i in range(4)], pg_num=4)
    assert found.conclusive
    return made


def own(**fields):
    return pg(1, **dict(MERGED, **fields))


def counted(poll):
    return poll.objects_recovered, poll.bytes_recovered, poll.worked_by


def test_pg_that_takes_another_one_in_recovers_nothing(book):
    rest = [pg(0, **OLD), pg(2, **OLD)]
    whole = own(objects_recovered=1800, bytes_recovered=18000)
    found = walk(book, 606, [*rest, whole])
    assert counted(found) == (0, 0, None)
    # and what is recovered then counts
    found = walk(book, 610, [*rest, own()])
    assert counted(found)[:2] == (100, 1000)


def test_source_may_go_before_its_parent_reports(book):
    rest = [pg(0, **OLD), pg(2, **OLD)]
    more = dict(objects_recovered=905, bytes_recovered=9050)
    assert counted(walk(book, 603, [*rest, pg(1, **more)]))[:2] == (5, 50)
    found = walk(book, 606, [*rest, own()])
    assert counted(found)[:2] == (100, 1000)


def test_many_that_merge_at_once_are_all_taken_off(book):
    whole = pg(
        0, **dict(MERGED, objects_recovered=3600, bytes_recovered=36000)
    )
    assert counted(walk(book, 606, [whole])) == (0, 0, None)


def test_sums_do_not_count_what_pgs_take_along_that_are_split_off():
    book = SumTracker([Scope('all')])
    looks = [(4, 900), (8, 900), (8, 450), (8, 800), (8, 905)]
    found = [
        book.polls(
            600.0 + i, 7.0,
            sums(objects_recovered=count, by_pool={1: {'active+clean': n}}),
            True,
        )[0]
        for i, (n, count) in enumerate(looks)
    ]  # fmt: skip
    assert [p.objects_recovered for p in found] == [0, 0, 0, 0, 5]


def test_sums_do_not_count_what_comes_back():
    book = SumTracker([Scope('all')])
    pgs = {'active+clean': 4}
    looks = [
        (4, 9000, 900),
        (3, 7000, 700),  # one went
        (3, 7500, 750),  # others recover
        (3, 9600, 960),  # its parent reports
        (2, 9000, 900),
    ]
    found = [
        book.polls(
            600.0 + i, 7.0,
            sums(
                bytes_recovered=size, objects_recovered=count,
                by_pool={1: dict(pgs, **{'active+clean': n})},
            ), True,
        )[0]
        for i, (n, size, count) in enumerate(looks)
    ]  # fmt: skip
    assert [p.bytes_recovered for p in found] == [0, 0, 0, 600, 600]
    assert [p.objects_recovered for p in found] == [0, 0, 0, 60, 60]


def test_pool_that_is_removed_after_a_merge_owes_nothing():
    """What others recover then is counted, and so it is after a while."""
    clean = {'active+clean': 8}
    both = {1: clean, 2: {'active+clean': 32}}
    fewer = {1: clean, 2: {'active+clean': 31}}
    for removed, looks in (
        (True, [(both, 900), (fewer, 900), ({2: fewer[2]}, 200)]),
        # a PG went, and its parent never reported
        (False, [(both, 900), (fewer, 700), (fewer, 700)]),
    ):
        book = SumTracker([Scope('all')])
        at = 600.0
        for pools, count in looks:
            at += 2.0
            found = sums(objects_recovered=count, by_pool=pools)
            book.polls(at, 7.0, found, True)
        at += 2.0 if removed else 60.0
        later = sums(objects_recovered=count + 100, by_pool=pools)
        (poll,) = book.polls(at, 7.0, later, True)
        assert poll.objects_recovered == 100
