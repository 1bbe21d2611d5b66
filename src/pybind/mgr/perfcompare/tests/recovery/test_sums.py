"""Tests of what is known of clusters with too many PGs to look at each."""

from ...ports import recovery_reads as sights
from ...ports.recovery_reads import PgSums
from ...recovery.observe.pgbook import Scope
from ...recovery.observe.sumbook import SumTracker

CLEAN = {'active+clean': 8}
ILL = {'active+undersized+degraded': 8}


def sums(states=None, **fields):
    values = dict(
        copies=100, degraded=0, misplaced=0, unfound=0, bytes_recovered=500,
        objects_recovered=5, states=states or CLEAN, by_osd={}, by_pool={},
    )  # fmt: skip
    values.update(fields)
    return PgSums(**values)


def test_states_of_a_pool_are_its_own():
    """PGs of others that are ill for weeks keep no test from settling."""
    book = SumTracker([Scope('arm', pools=frozenset((7,)))])
    found = sums({**CLEAN, **ILL}, by_pool={7: CLEAN, 8: ILL})
    (poll,) = book.polls(601.0, 7.0, found, True)
    assert (poll.pgs, poll.unclean, poll.settled) == (8, 0, True)
    assert not poll.is_degraded


def test_sums_are_those_of_the_mgr():
    names = (
        'object_copies objects_degraded objects_misplaced objects_unfound '
        'bytes_recovered objects_recovered'
    )
    counts = {f'num_{n}': i for i, n in enumerate(names.split())}
    found = sights.pg_sums(
        {
            'pg_stats_sum': {'stat_sum': counts},
            'all': {**CLEAN, **ILL},
            'by_osd': {'3': CLEAN},
            'by_pool': {'7': CLEAN, '8': ILL},
        }
    )
    assert found[:6] == (0, 1, 2, 3, 4, 5)
    assert found.by_osd == {3: CLEAN}
    assert found.by_pool == {7: CLEAN, 8: ILL}


def test_sums_serve_where_there_are_too_many_pgs():
    short = {'active+undersized+degraded': 1}
    found = sums({'active+clean': 7, **short}, degraded=9, by_osd={2: short})
    book = SumTracker([Scope('all'), Scope('b', frozenset((2,)))])
    whole, group = book.polls(601, 7.0, found, True)
    assert (whole.degraded, whole.unclean, whole.walked) == (9, 1, False)
    assert (group.unclean, group.copies) == (1, 0)
    later = found._replace(objects_recovered=8)
    assert book.polls(603, 7.0, later, True)[0].objects_recovered == 3.0
