"""Tests of scrubs, which change a PG's state after it became clean."""

from ...recovery.judge.milestones import find_t5
from ...recovery.judge.records import MapEvent
from ...recovery.observe.pgbook import PgTracker, Scope
from .test_watch import osdmap, pg, walk

EVENTS = [MapEvent(600.0, 0.1, 12, True, False)]


def walked(at, *pgs):
    book = PgTracker([Scope('all')], 11, 600.0)
    return walk(book, at, pgs, osdmap(12))


def scrubbed(**fields):
    """Return a PG whose scrub ended long after it became clean."""
    return pg(
        0, mapping_epoch=12, became_active=603.0, last_change=690.0,
        scrubbed=689.9, **fields,
    )  # fmt: skip


def test_end_of_a_scrub_is_not_since_when_a_pg_is_clean():
    found = find_t5(600.0, EVENTS, [walked(700.0, scrubbed())])
    assert (found.at, found.accuracy) == (646.5, 43.5)


def test_looks_before_and_after_the_end_tell_more_than_a_scrub():
    ill = pg(0, 'active+recovering', mapping_epoch=12, last_change=603.0)
    polls = [
        walked(640.0, ill),
        walked(650.0, pg()),
        walked(700.0, scrubbed()),
    ]
    found = find_t5(600.0, EVENTS, polls)
    assert (found.at, found.accuracy) == (641.5, 8.5)


def test_pg_that_was_clean_later_than_the_scrubbed_one_is_exact():
    other = pg(1, mapping_epoch=12, became_active=603.0, last_change=695.0)
    found = find_t5(600.0, EVENTS, [walked(700.0, scrubbed(), other)])
    assert (found.at, found.accuracy) == (695.0, 0.1)


def test_pg_that_is_being_scrubbed_became_clean_before_that():
    """It may have recovered from when it became active to the scrub."""
    busy = pg(
        0, 'active+clean+scrubbing+deep', mapping_epoch=12,
        became_active=603.0, last_change=690.0,
    )  # fmt: skip
    found = find_t5(600.0, EVENTS, [walked(700.0, busy)])
    assert (found.at, found.accuracy) == (646.5, 43.5)
