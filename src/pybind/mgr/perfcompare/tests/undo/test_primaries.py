"""OSDs lead PGs of others as before, after OSDs had been out."""

import dataclasses
import errno
import threading
import time

import pytest

from ...common.errors import CommandFailed
from ...undo import primaries
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
    """Choose the last OSD of PG 1 to lead it, and journal that."""
    pool = cluster.data
    osd = cluster.pg_map(pool.name)[1].acting[-1]
    wanted = {f'{pool.id}.1': osd}
    (text,) = primaries.texts(wanted)
    journal.intend(RUN, Kind.UPMAPS, 'o.primaries.0', {'primaries': text})
    return osd, {(pool.id, 1): osd}


def test_primaries_are_words_and_parts_fit_into_entries():
    many = {f'9.{n:x}': n % 7 for n in range(2000)}
    parts = primaries.texts(many)
    assert len(parts) > 1 and max(map(len, parts)) <= primaries.PART
    assert {k: v for p in parts for k, v in primaries.read(p).items()} == many
    assert primaries.texts({}) == []


def test_primaries_that_were_dropped_are_chosen_again(cluster, journal):
    _, wanted = _note(cluster, journal)
    assert journal.undo_all(RUN).clean
    assert cluster.primaries == wanted
    assert not journal.entries(RUN)
    _note(cluster, journal)
    assert journal.undo_all(RUN).clean  # they are there
    assert len(cluster.called('primary_again')) == 1


def test_a_primary_that_was_chosen_otherwise_stays(cluster, journal):
    osd, wanted = _note(cluster, journal)
    cluster.primaries = {pg: osd + 1 for pg in wanted}
    (kept,) = journal.undo_all(RUN).kept
    assert kept.reason == 'primaries set otherwise meanwhile: 1 PG'
    assert set(cluster.primaries.values()) == {osd + 1}


def _mapped(cluster, **fields):
    pg_map = cluster.pg_map

    def changed(pool):
        return [dataclasses.replace(pg, **fields) for pg in pg_map(pool)]

    cluster.pg_map = changed
    return pg_map


def test_primaries_wait_for_data_that_is_elsewhere(cluster, journal):
    osd, wanted = _note(cluster, journal)
    real = _mapped(cluster, acting=(97, 98))
    (left,) = journal.undo_all(RUN).leftovers
    assert 'when that is over' in left.reason
    cluster.pg_map = real
    assert journal.undo_all(RUN).clean and cluster.primaries == wanted


def test_who_leads_only_until_data_is_home_is_not_there_yet(cluster, journal):
    """A `pg_temp` has it lead: by the map it comes after another."""
    osd, wanted = _note(cluster, journal)
    real = _mapped(cluster, up=(97, osd), acting=(osd, 97))
    (left,) = journal.undo_all(RUN).leftovers
    assert 'when that is over' in left.reason
    cluster.pg_map = real
    assert journal.undo_all(RUN).clean and cluster.primaries == wanted


def test_who_leads_by_the_map_needs_no_choice(cluster, journal):
    osd, _ = _note(cluster, journal)
    _mapped(cluster, up=(osd, 97), acting=(osd, 97))
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert not cluster.called('primary_again')


def test_who_leads_while_another_is_down_may_yet_need_its_choice(
    cluster, journal
):
    """By the map the other one comes first as soon as it is up."""
    osd, wanted = _note(cluster, journal)
    real = _mapped(cluster, up=(osd,), acting=(osd,))
    other = next(o for o in cluster.osds if o != osd)
    cluster.set_osd(other, up=False)
    (left,) = journal.undo_all(RUN).leftovers
    assert 'OSDs of theirs are down' in left.reason
    cluster.pg_map = real
    cluster.set_osd(other, up=True)
    assert journal.undo_all(RUN).clean and cluster.primaries == wanted


@pytest.mark.parametrize('state', [{}, {'up': False, 'in_': False}])
def test_a_pg_that_lacks_osds_is_waited_for_only_while_one_is_down(
    cluster, journal, state
):
    """A pool can have more copies than there are hosts."""
    osd, _ = _note(cluster, journal)
    _mapped(cluster, up=(osd,), acting=(osd,))
    cluster.set_osd(next(o for o in cluster.osds if o != osd), **state)
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert not cluster.called('primary_again')


def test_a_primary_that_does_not_last_is_told(cluster, journal):
    _note(cluster, journal)
    cluster.primary_again = lambda pgid, osd: None  # dropped at once
    report = journal.undo_all(RUN)
    (kept,) = report.kept
    assert kept.reason == 'primaries dropped again by the Monitors: 1 PG'
    assert report.clean


def test_a_pool_that_goes_meanwhile_takes_no_other_along(cluster, journal):
    """An entry has PGs of several pools."""
    gone = cluster.add_pool('gone', pg_num=4)
    osd = cluster.pg_map('data')[1].acting[-1]
    wanted = {f'{cluster.data.id}.1': osd, f'{gone.id}.1': osd}
    (text,) = primaries.texts(wanted)
    journal.intend(RUN, Kind.UPMAPS, 'o.primaries.0', {'primaries': text})
    pg_map = cluster.pg_map

    def removed(pool):
        if pool == 'gone':
            raise CommandFailed('osd pool get', -errno.ENOENT, pool)
        return pg_map(pool)

    cluster.pg_map = removed
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert cluster.primaries == {(cluster.data.id, 1): osd}


def test_a_primary_that_has_its_pg_no_more_is_told(cluster, journal):
    _note(cluster, journal)
    _mapped(cluster, up=(97, 98))
    (kept,) = journal.undo_all(RUN).kept
    assert kept.reason.endswith('have these PGs no more: 1 PG')
    assert not cluster.primaries and not journal.entries(RUN)


def test_a_primary_that_is_down_is_waited_for(cluster, journal):
    """Whoever is down is in no up set, and may be back in a minute."""
    osd, wanted = _note(cluster, journal)
    real = _mapped(cluster, up=(97, 98), acting=(97, 98))
    cluster.set_osd(osd, up=False)
    (left,) = journal.undo_all(RUN).leftovers
    assert 'OSDs of theirs are down' in left.reason
    assert 'when that is over' in left.reason
    assert 'up and in again and data is home' in left.remedy
    assert 'never comes back: `ceph osd out`' in left.remedy
    cluster.pg_map = real
    cluster.set_osd(osd, up=True)
    assert journal.undo_all(RUN).clean and cluster.primaries == wanted


@pytest.mark.parametrize('state', [{'in_': False, 'up': False}, None])
def test_a_primary_that_is_out_or_removed_is_told(cluster, journal, state):
    """Also one that the monitors marked out for being down."""
    osd, _ = _note(cluster, journal)
    _mapped(cluster, up=(97, 98))
    if state is None:
        known = {o: f for o, f in cluster.osd_flagged().items() if o != osd}
        cluster.osd_flagged = lambda: known
    else:
        cluster.set_osd(osd, **state)
    (kept,) = journal.undo_all(RUN).kept
    assert kept.reason.endswith('have these PGs no more: 1 PG')
    assert not journal.entries(RUN)


def _refuse(cluster, text):
    """Have the monitors take no primary; return what takes them again."""
    again = cluster.primary_again

    def refuse(pgid, osd):
        raise CommandFailed('osd pg-upmap-primary', -errno.EINVAL, text)

    cluster.primary_again = refuse
    return again


def test_a_primary_that_the_monitors_refuse_is_told(cluster, journal):
    _note(cluster, journal)
    _refuse(cluster, 'osd.1 - illegal pg after the change')
    (kept,) = journal.undo_all(RUN).kept
    assert kept.reason == 'primaries refused by the Monitors: 1 PG'


@pytest.mark.parametrize(
    'text',
    ['osd.1 is not in acting set for pg 1.1', 'osd.1 is already primary'],
)
def test_a_refusal_of_what_is_so_for_a_while_is_not_the_end(
    cluster, journal, text
):
    """PGs have moved since, or one that keeps a place leads for now."""
    _, wanted = _note(cluster, journal)
    again = _refuse(cluster, text)
    (left,) = journal.undo_all(RUN).leftovers
    assert 'when that is over' in left.reason
    cluster.primary_again = again
    assert journal.undo_all(RUN).clean and cluster.primaries == wanted


def test_a_primary_that_an_attempt_before_had_chosen_is_there(
    cluster, journal
):
    """Its answer came too late, and the map that shows it as well."""
    _, wanted = _note(cluster, journal)

    def refuse(pgid, osd):
        cluster.primaries = dict(wanted)
        raise CommandFailed('x', -errno.EINVAL, 'osd.1 is already primary')

    cluster.primary_again = refuse
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept


def test_primaries_of_an_entry_are_chosen_at_one_time(cluster, journal):
    """Each waits for its change of the map, and an entry has hundreds."""
    pool = cluster.data
    wanted = {f'{pool.id}.{pg.ps:x}': pg.acting[-1]
              for pg in cluster.pg_map(pool.name)[:4]}  # fmt: skip
    (text,) = primaries.texts(wanted)
    journal.intend(RUN, Kind.UPMAPS, 'o.primaries.0', {'primaries': text})
    met = threading.Barrier(len(wanted), timeout=10)
    again = cluster.primary_again

    def together(pgid, osd):
        met.wait()
        again(pgid, osd)

    cluster.primary_again = together
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert cluster.foreign_primaries() == wanted


def test_entries_that_fail_are_repeated_after_one_pause_for_all(cluster):
    """The monitors are silent to one as to the others."""
    clock = FakeClock()
    journal = Journal(cluster, clock)
    for place in cluster.pg_map('data')[:3]:
        text = f'{cluster.data.id}.{place.ps:x}={place.up[-1]}'
        journal.intend(RUN, Kind.UPMAPS, f'o.{text}', {'primaries': text})
    asked = []

    def silent(pgid, osd):
        asked.append(pgid)
        raise CommandFailed('osd pg-upmap-primary', -errno.EAGAIN, 'silent')

    cluster.primary_again = silent
    assert len(journal.undo_all(RUN).leftovers) == 3
    assert asked == asked[:3] * 3 and clock.waits == [1.0, 1.0]


@pytest.mark.parametrize('kind', ['primaries', 'upmaps'])
def test_entries_that_map_pgs_again_take_turns(cluster, journal, kind):
    """Each has as many threads as may be: sixteen at once, thousands."""
    pool = cluster.data
    places = cluster.pg_map(pool.name)[:6]
    for first in (0, 2, 4):
        some = places[first:first + 2]  # fmt: skip
        words = {
            'primaries': [f'{pool.id}.{p.ps:x}={p.up[-1]}' for p in some],
            'upmaps': [f'{pool.id}.{p.ps:x}=0>1' for p in some],
        }[kind]
        journal.intend(
            RUN, Kind.UPMAPS, f'o.{first}', {kind: ' '.join(words)}
        )
    lock, busy, most = threading.Lock(), [0], [0]

    def change(*args):
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        time.sleep(0.05)
        with lock:
            busy[0] -= 1

    cluster.primary_again = cluster.upmap_again = change
    assert journal.undo_all(RUN).clean
    assert 1 <= most[0] <= 2
