"""Tests of undo/entries.py, undo/engine.py and undo/journal.py."""

import errno
import json

import pytest

from ...common.errors import CommandFailed, InvalidArgument, TryAgain
from ...model.ownership import APPLICATION
from ...model.topology import MonState
from ...undo.entries import RETIRED
from ...undo.journal import Journal, Kind, Step
from ..data.bench_data import RUN
from ..data.undo_data import KEY, NAME, POOL, make_placed
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

OPTION = 'mon_allow_pool_delete'


@pytest.fixture
def cluster():
    found = FakeCluster()
    found.add_pool('rbd', objects=5)
    return found


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


# entries


def test_entries_survive_another_journal(cluster, journal):
    entry = journal.intend(RUN, Kind.ROOT, NAME, {'a': 'b'})
    journal.done(entry)
    other = Journal(cluster)
    (found,) = other.entries(RUN)
    assert (found.kind, found.name, found.step) == (
        Kind.ROOT,
        NAME,
        Step.DONE,
    )
    assert found.detail == {'a': 'b'}
    assert other.runs() == [RUN]
    # a new mgr goes on counting, and overwrites nothing
    assert other.intend(RUN, Kind.RULE, NAME).seq == entry.seq + 1


def test_nothing_is_made_when_the_entry_cannot_be_stored(cluster, journal):
    with pytest.raises(InvalidArgument, match='4095'):
        journal.intend(RUN, Kind.ROOT, 'x' * 5000)
    assert journal.entries(RUN) == []


def test_an_entry_of_another_version_is_reported_not_lost(cluster, journal):
    cluster.kv_set(f'journal/{RUN}/000001', '{"kind": "warp-core"}')
    make_placed(cluster, journal)
    report = journal.undo_all(RUN)
    assert [item.what for item in report.leftovers] == [
        f'journal entry journal/{RUN}/000001'
    ]
    assert list(cluster.kv) == [f'journal/{RUN}/000001']


@pytest.mark.parametrize('kind', RETIRED)
def test_retired_kinds_of_an_older_version_are_settled(
    cluster, journal, kind
):
    before = cluster.snapshot()
    make_placed(cluster, journal)
    cluster.kv_set(
        f'journal/{RUN}/000099',
        json.dumps({'run': RUN, 'seq': 99, 'kind': kind, 'name': '/x'}),
    )
    report = journal.undo_all(RUN)
    assert report.clean and len(report.removed) == 7
    assert cluster.snapshot() == before
    assert journal.runs() == []


# undo


def test_undo_leaves_the_cluster_as_before(cluster, journal):
    before = cluster.snapshot()
    make_placed(cluster, journal)
    report = journal.undo_all(RUN)
    assert report.clean and len(report.removed) == 7
    assert cluster.snapshot() == before
    assert journal.runs() == []


def test_undo_goes_from_users_to_used(cluster, journal):
    make_placed(cluster, journal)
    cluster.calls.clear()
    journal.undo_all(RUN)
    verbs = [c.verb for c in cluster.calls]
    order = [
        'pool_remove',
        'rule_remove',
        'ec_profile_remove',
        'crush_unlink_host',
        'crush_remove_root',
        'auth_remove',
    ]
    places = [verbs.index(name) for name in order]
    assert places == sorted(places)


def test_undo_twice_is_undo_once(cluster, journal):
    make_placed(cluster, journal)
    journal.undo_all(RUN)
    after = cluster.snapshot()
    assert journal.undo_all(RUN).removed == ()
    assert cluster.snapshot() == after


def test_undo_of_intents_that_were_never_carried_out(cluster, journal):
    before = cluster.snapshot()
    journal.intend(RUN, Kind.ROOT, NAME)
    journal.intend(RUN, Kind.LINK, 'arm-1', {'root': NAME})
    journal.intend(RUN, Kind.RULE, NAME)
    journal.intend(RUN, Kind.EC_PROFILE, NAME)
    journal.intend(RUN, Kind.POOL, POOL, {'erasure': 'yes'})
    journal.intend(RUN, Kind.KEY, KEY)
    journal.intend(RUN, Kind.BLOCKLIST, '10.0.0.1:0/123')
    journal.intend(RUN, Kind.CONFIG, OPTION, {'who': 'mon'}, value='true')
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


@pytest.mark.parametrize(
    'verb',
    [
        'pool_remove',
        'rule_remove',
        'ec_profile_remove',
        'crush_unlink_host',
        'crush_remove_root',
        'auth_remove',
    ],
)
@pytest.mark.parametrize('made', [False, True])
def test_a_lost_answer_is_asked_again(cluster, journal, verb, made):
    before = cluster.snapshot()
    make_placed(cluster, journal)
    cluster.fail_on(verb, made=made)
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_what_cannot_be_undone_stays_in_the_journal(cluster, journal):
    before = cluster.snapshot()
    make_placed(cluster, journal)
    cluster.fail_on(
        'auth_remove', 99, CommandFailed('auth rm', -errno.EACCES, 'denied')
    )
    report = journal.undo_all(RUN)
    (left,) = report.leftovers
    assert left.what == f'key {KEY}' and 'denied' in left.reason
    assert f'ceph auth rm {KEY}' in left.remedy
    assert [e.name for e in journal.entries(RUN)] == [KEY]
    cluster.failures.clear()
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_silent_mons_are_an_error_and_nothing_is_forgotten(cluster, journal):
    make_placed(cluster, journal)
    cluster.fail_on('kv_list', 99)
    with pytest.raises(TryAgain):
        journal.undo_all(RUN)
    cluster.failures.clear()
    assert len(journal.entries(RUN)) == 7


# whose is it


def test_a_pool_without_our_mark_that_holds_data_stays(cluster, journal):
    journal.intend(RUN, Kind.POOL, POOL)
    cluster.add_pool(POOL, objects=3)
    report = journal.undo_all(RUN)
    assert POOL in cluster.pool_table
    (left,) = report.leftovers
    assert 'holds objects' in left.reason


def test_a_pool_of_another_application_stays(cluster, journal):
    journal.intend(RUN, Kind.POOL, POOL)
    cluster.add_pool(POOL, application={'rbd': {}})
    assert not journal.undo_all(RUN).clean
    assert POOL in cluster.pool_table


def test_a_pool_marked_with_another_run_stays(cluster, journal):
    journal.intend(RUN, Kind.POOL, POOL)
    cluster.add_pool(POOL, application={APPLICATION: {'run': '99999999'}})
    assert not journal.undo_all(RUN).clean
    assert POOL in cluster.pool_table


@pytest.mark.parametrize('application', [{}, {APPLICATION: {}}])
def test_a_pool_cut_off_before_its_mark_goes(cluster, journal, application):
    journal.intend(RUN, Kind.POOL, POOL)
    cluster.add_pool(POOL, application=application)
    assert journal.undo_all(RUN).clean
    assert POOL not in cluster.pool_table


@pytest.mark.parametrize(
    'kind, name',
    [
        (Kind.POOL, 'rbd'),
        (Kind.RULE, 'replicated_rule'),
        (Kind.KEY, 'client.admin'),
        (Kind.ROOT, 'default'),
        (Kind.EC_PROFILE, 'default'),
        (Kind.RULE, 'perfcompare-99999999-arm'),
    ],
)
def test_an_entry_without_the_name_of_its_run_touches_nothing(
    cluster, journal, kind, name
):
    journal.intend(RUN, kind, name)
    before = cluster.snapshot()
    report = journal.undo_all(RUN)
    assert not report.clean
    assert cluster.snapshot() == before


def test_a_link_to_a_foreign_root_touches_nothing(cluster, journal):
    journal.intend(RUN, Kind.LINK, 'arm-1', {'root': 'default'})
    journal.undo_all(RUN)
    assert cluster.topology().parents('arm-1') == ['default']


def test_the_last_parent_of_a_host_stays(cluster, journal):
    make_placed(cluster, journal)
    root = cluster.buckets['default']
    arm = cluster.buckets['arm-1'].id
    cluster.buckets['default'] = type(root)(
        root.id,
        root.name,
        root.type,
        tuple(i for i in root.items if i != arm),
    )
    report = journal.undo_all(RUN)
    assert cluster.topology().parents('arm-1') == [NAME]
    assert {item.what for item in report.leftovers} == {
        f'link arm-1 ({NAME})',
        f'root {NAME}',
    }


def test_strays_are_reported_and_stay(cluster, journal):
    make_placed(cluster, journal)
    stray = 'perfcompare-12345678-x'
    cluster.rule_create(stray, 'default', 'host', None)
    cluster.add_pool('perfcompare.old')
    assert [item.what for item in journal.strays()] == [
        'pool perfcompare.old',
        f'rule {stray}',
    ]
    journal.undo_all(RUN)
    assert stray in cluster.rules and 'perfcompare.old' in cluster.pool_table


def test_a_thing_of_the_run_without_entry_is_reported(cluster, journal):
    journal.intend(RUN, Kind.KEY, KEY)
    cluster.rule_create(NAME, 'default', 'host', None)
    (left,) = journal.undo_all(RUN).leftovers
    assert left.what == f'rule {NAME}' and NAME in cluster.rules
    assert left.reason == 'it has no journal entry'


# options


def _intend_option(journal, previous):
    return journal.intend(
        RUN,
        Kind.CONFIG,
        OPTION,
        {'who': 'mon'},
        value='true',
        previous=previous,
        was_set=previous is not None,
    )


@pytest.mark.parametrize('previous', [None, 'false'])
def test_an_option_is_restored_as_it_was(cluster, journal, previous):
    if previous:
        cluster.config_set('mon', OPTION, previous)
    _intend_option(journal, previous)
    cluster.config_set('mon', OPTION, 'true')
    assert journal.undo_all(RUN).clean
    assert cluster.config_get('mon', OPTION) == previous


def test_an_operators_own_change_is_respected(cluster, journal):
    _intend_option(journal, None)
    cluster.config_set('mon', OPTION, 'false')  # not ours
    (kept,) = journal.undo_all(RUN).kept
    assert 'false' in kept.reason
    assert cluster.config_get('mon', OPTION) == 'false'
    assert journal.runs() == []


def test_pools_go_by_consent_where_deletion_is_forbidden(cluster, journal):
    cluster.config_set('mon', OPTION, 'false')
    before = cluster.snapshot()
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_what_was_allowed_or_is_kept_is_not_told_as_undone(cluster, journal):
    """An operator's own value stays: it is kept, not undone."""
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    entry = _intend_option(journal, 'false')
    cluster.config_set('mon', OPTION, 'never')
    report = journal.undo_all(RUN)
    assert report.clean
    assert [kept.what for kept in report.kept] == [str(entry)]
    assert f'pool {POOL}' in report.removed
    told = ' '.join(report.removed)
    assert str(entry) not in report.removed and 'consent' not in told


def test_consent_lasts_until_all_is_undone(cluster, journal):
    cluster.config_set('mon', OPTION, 'false')
    before = cluster.snapshot()
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    cluster.fail_on('config_set', 99)
    assert not journal.undo_all(RUN).clean
    cluster.failures.clear()
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_pools_stay_without_consent(cluster, journal):
    cluster.config_set('mon', OPTION, 'false')
    make_placed(cluster, journal)
    report = journal.undo_all(RUN)
    assert POOL in cluster.pool_table
    assert not cluster.called('config_set')[1:]
    assert any('ceph osd pool rm' in i.remedy for i in report.leftovers)


def test_what_a_remaining_pool_stands_on_remains(cluster, journal):
    """Without links and root, the PGs of the pool would lose their OSDs."""
    cluster.config_set('mon', OPTION, 'false')
    make_placed(cluster, journal)
    report = journal.undo_all(RUN)
    assert cluster.pg_map(POOL)[0].up
    assert NAME in cluster.topology().parents('arm-1')
    assert len(report.leftovers) == 6 and KEY not in cluster.auth
    cluster.config_set('mon', OPTION, 'true')
    assert journal.undo_all(RUN).clean


def test_consent_cannot_change_what_stands_in_a_mons_own_file(
    cluster, journal
):
    cluster.mon_runtime[OPTION] = 'false'
    cluster.mon_pinned.append(OPTION)
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    report = journal.undo_all(RUN)
    assert 'configuration file of mon.a' in report.leftovers[0].reason
    assert not cluster.called('config_set')


def test_consent_cannot_change_what_a_mon_has_for_itself(cluster, journal):
    cluster.config_set('mon.a', OPTION, 'false')
    before = len(cluster.called('config_set'))
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    report = journal.undo_all(RUN)
    reason = report.leftovers[0].reason
    assert f'ceph config rm mon.a {OPTION}' in reason
    assert len(cluster.called('config_set')) == before
    cluster.config_remove('mon.a', OPTION)
    assert journal.undo_all(RUN).clean


def test_what_a_mon_has_for_itself_may_be_the_consent(cluster, journal):
    cluster.mons = MonState(4, ('a', 'b'), ('a', 'b'))
    cluster.config_set('mon.b', OPTION, 'true')
    cluster.config_set('mon', OPTION, 'false')
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    assert journal.undo_all(RUN).clean


def test_a_cut_between_deletion_and_restoring_is_repaired(cluster, journal):
    """The mgr died while pools could be deleted; the next one restores."""
    cluster.config_set('mon', OPTION, 'false')
    before = cluster.snapshot()
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    make_placed(cluster, journal)
    cluster.fail_on('config_get', 99)  # and so the restoring
    assert not journal.undo_all(RUN).clean
    cluster.failures.clear()
    _intend_option(journal, 'false')
    cluster.config_set('mon', OPTION, 'true')
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_a_blocklisted_address_is_freed_unless_it_was_before(
    cluster, journal
):
    journal.intend(RUN, Kind.BLOCKLIST, '10.0.0.1:0/1')
    journal.intend(RUN, Kind.BLOCKLIST, '10.0.0.1:0/2', was_set=True)
    cluster.blocked += ['10.0.0.1:0/1', '10.0.0.1:0/2']
    assert journal.undo_all(RUN).clean
    assert cluster.blocked == ['10.0.0.1:0/2']
