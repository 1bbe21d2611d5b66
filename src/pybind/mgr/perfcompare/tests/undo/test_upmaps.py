"""PGs of others are mapped as before, after OSDs had been out."""

import dataclasses
import errno

import pytest

from ...common.errors import CommandFailed
from ...ports.faults import Upmap
from ...undo import upmaps
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster():
    found = FakeCluster()
    found.data = found.add_pool('data', pg_num=16, objects=80)
    return found


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


def _note(cluster, journal):
    """Journal all that is mapped by name, and map it so no more."""
    for text in upmaps.texts(cluster.foreign_upmaps().values()):
        journal.intend(RUN, Kind.UPMAPS, 'osd.0.0', {'upmaps': text})
    cluster.upmaps, cluster.upmap_items = {}, {}


def test_upmaps_are_words_and_parts_fit_into_entries():
    many = [
        Upmap('3.1f', (), ((1, 4), (22, 5))),
        *(Upmap(f'7.{n:x}', (1000 + n, 2, 3)) for n in range(600)),
    ]
    parts = upmaps.texts(many)
    assert parts[0].startswith('3.1f=1>4,22>5 7.0=1000,2,3 ')
    assert len(parts) > 1 and max(map(len, parts)) <= upmaps.PART
    assert [u for part in parts for u in upmaps.read(part)] == many
    assert upmaps.texts([]) == [] and upmaps.read('') == ()


@pytest.mark.parametrize('text', ['x', '3.1', '3.xy=1', '3.1=', '3.1=a>2'])
def test_what_is_no_upmap_is_no_undoing(cluster, journal, text):
    journal.intend(RUN, Kind.UPMAPS, 'osd.0.0', {'upmaps': text})
    (left,) = journal.undo_all(RUN).leftovers
    assert 'its journal entry cannot be used' in left.reason
    assert not cluster.called('upmap_again')


def test_what_was_dropped_is_set_again(cluster, journal):
    pool = cluster.data.id
    cluster.upmap_items = {(pool, 1): {0: 1}, (pool, 10): {1: 0, 2: 3}}
    cluster.upmaps = {(pool, 2): (0, 2)}
    items, places = dict(cluster.upmap_items), dict(cluster.upmaps)
    _note(cluster, journal)
    cluster.upmap_items[(pool, 10)] = {1: 0}  # a part of it was dropped
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert (cluster.upmap_items, cluster.upmaps) == (items, places)
    assert len(cluster.called('upmap_again')) == 3


def test_what_is_there_or_gone_or_of_others_is_left_alone(cluster, journal):
    pool = cluster.data.id
    cluster.upmap_items = {
        (pool, 1): {0: 1},
        (pool, 2): {1: 0},
        (99, 1): {0: 2},
    }
    _note(cluster, journal)
    cluster.upmap_items = {(pool, 1): {0: 1}, (pool, 2): {1: 3}}
    report = journal.undo_all(RUN)
    assert report.clean and not cluster.called('upmap_again')
    (kept,) = report.kept
    assert kept.reason == 'set otherwise meanwhile: 1 PG'


def test_what_would_be_dropped_again_is_told(cluster, journal):
    pool = cluster.data.id
    cluster.upmap_items = {(pool, 1): {0: 1}, (pool, 2): {0: 2}}
    _note(cluster, journal)
    cluster.set_osd(1, in_=False)  # by an operator
    cluster.upmap_again = lambda upmap: None  # the monitors drop it at once
    report = journal.undo_all(RUN)
    assert report.clean
    (kept,) = report.kept
    assert 'not set, as OSDs are out or gone: 1 PG' in kept.reason
    assert 'dropped again by the Monitors: 1 PG' in kept.reason


def test_what_the_monitors_would_refuse_is_not_asked_of_them(
    cluster, journal
):
    pool = cluster.data.id
    cluster.upmap_items = {(pool, 1): {0: 1}, (pool, 2): {9: 2}}
    cluster.upmap_items[(pool, 12)] = {0: 2}
    _note(cluster, journal)
    # PGs were merged meanwhile
    cluster.pool_table['data'] = dataclasses.replace(cluster.data, pg_num=8)
    report = journal.undo_all(RUN)  # osd.9 was removed
    assert report.clean and cluster.upmap_items == {(pool, 1): {0: 1}}
    assert len(cluster.called('upmap_again')) == 1
    (kept,) = report.kept
    assert kept.reason == 'not set, as OSDs are out or gone: 1 PG'


@pytest.mark.parametrize(
    'code, settled',
    [(errno.EINVAL, True), (errno.ENOENT, True), (errno.EPERM, False)],
)
def test_what_the_monitors_never_take_keeps_no_other_back(
    cluster, journal, code, settled
):
    """Its pool has fewer copies than when it was mapped, say."""
    pool = cluster.data.id
    cluster.upmap_items = {(pool, n): {0: 1} for n in (1, 2, 3)}
    _note(cluster, journal)
    again = cluster.upmap_again

    def refuse(upmap):
        if upmap.pgid == f'{pool}.1':
            raise CommandFailed('osd pg-upmap-items', -code, 'pool size')
        again(upmap)

    cluster.upmap_again = refuse
    report = journal.undo_all(RUN)
    assert set(cluster.upmap_items) == {(pool, 2), (pool, 3)}
    assert report.clean is settled
    assert bool(journal.entries(RUN)) is not settled
    if settled:
        (kept,) = report.kept
        assert kept.reason == 'refused by the Monitors: 1 PG'


def test_upmaps_wait_for_the_osds(cluster, journal):
    pool = cluster.data.id
    cluster.upmap_items = {(pool, 1): {0: 1}}
    _note(cluster, journal)
    journal.intend(RUN, Kind.OSD_STOP, '0', {'by': 'operator', 'weight': '1'})
    cluster.set_osd(0, up=False)
    reasons = [left.reason for left in journal.undo_all(RUN).leftovers]
    assert 'OSDs that the run took out are not in again' in reasons
    cluster.set_osd(0, up=True)
    assert journal.undo_all(RUN).clean
    assert cluster.upmap_items == {(pool, 1): {0: 1}}
