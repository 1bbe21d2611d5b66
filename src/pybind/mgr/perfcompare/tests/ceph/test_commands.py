"""Tests of ceph/commands.py and ceph/writes.py on a mgr that may not answer."""

import errno
import json
import threading
import time

import pytest

from ...ceph import commands as ceph_commands
from ...ceph.cluster import MgrCluster
from ...ceph.commands import STUCK_MGR, STUCK_MON, STUCK_OSD, Commands
from ...common.errors import (
    AlreadyExists,
    CommandFailed,
    NotPermitted,
    TryAgain,
)


class Rados:
    """Answer by command prefix; block where told so."""

    def __init__(self):
        self.answers = {}
        self.asked = []
        self.osds = []  # to which commands went
        self.blocked = threading.Event()
        self.blocked.set()

    def mon_command(self, text, inbuf):
        command = json.loads(text)
        self.asked.append(command)
        self.blocked.wait(10)
        answer = self.answers.get(command['prefix'], (0, b'', ''))
        return answer(command) if callable(answer) else answer

    def wait_asked(self, count):
        """Wait until so many commands came, each in a thread of its own."""
        end = time.monotonic() + 60
        while len(self.asked) < count:
            assert time.monotonic() < end
            time.sleep(0.005)

    def osd_command(self, osd, text, inbuf):
        self.osds.append(osd)
        return self.mon_command(text, inbuf)


class Osdmap:
    def __init__(self, primary=2):
        self._primary = primary

    def get_epoch(self):
        return 100

    def dump(self):
        pool = {'pool': 4, 'pool_name': 'perfcompare.0a1b2c3d.x.write'}
        return {'epoch': 100, 'osds': [], 'pools': [pool]}

    def pg_to_up_acting_osds(self, pool, ps):
        assert (pool, ps) == (4, 26)
        return {'up': [3, 2], 'acting': [2], 'acting_primary': self._primary}


class Mgr:
    """Be as much of a MgrModule as MgrCluster's writes need."""

    module_name = 'perfcompare'

    def __init__(self):
        self.primary = 2
        self.rados = Rados()
        self.rados.answers['osd stat'] = (0, b'{"epoch": 1}', '')

    def get_osdmap(self):
        return Osdmap(self.primary)


@pytest.fixture
def mgr():
    found = Mgr()
    yield found
    found.rados.blocked.set()


def _changes(mgr):
    reads = ('osd stat', 'osd crush dump', 'osd pool application get')
    return [c for c in mgr.rados.asked if c['prefix'] not in reads]


# commands


def test_an_answer_is_data(mgr):
    mgr.rados.answers['fsid'] = (0, b'{"a": 1}', '')
    assert Commands(mgr).mon_json('fsid') == {'a': 1}
    assert mgr.rados.asked[0] == {'prefix': 'fsid', 'format': 'json'}


def test_a_pg_says_where_it_is(mgr):
    answer = b'{"state": "peering", "epoch": 9, "up": [3, 2], "acting": [2]}'
    mgr.rados.answers['pg'] = (0, answer, '')
    place = MgrCluster(mgr).pg_now(4, 26)
    assert (place.ps, place.up, place.acting) == (26, (3, 2), (2,))
    assert mgr.rados.asked[0] == {
        'prefix': 'pg', 'pgid': '4.1a', 'cmd': 'query', 'format': 'json'
    }  # fmt: skip
    assert mgr.rados.osds == [2]
    mgr.rados.answers['pg'] = (-errno.ENOENT, b'', 'no pgid 4.1a here')
    with pytest.raises(CommandFailed, match='pg 4.1a query'):
        MgrCluster(mgr).pg_now(4, 26)


def test_a_pg_without_a_primary_is_not_asked(mgr):
    mgr.primary = -1
    with pytest.raises(TryAgain, match='PG 4.1a has no primary'):
        MgrCluster(mgr).pg_now(4, 26)
    assert mgr.rados.asked == []


def test_a_pg_says_what_it_holds(mgr):
    held = b'{"num_objects": 14, "num_bytes": 4096}'
    answer = b'{"info": {"stats": {"stat_sum": %s}}}' % held
    mgr.rados.answers['pg'] = (0, answer, '')
    assert MgrCluster(mgr).pg_contents(4, 26) == (14, 4096)
    assert mgr.rados.asked[0]['pgid'] == '4.1a'


def test_a_refusal_carries_its_code(mgr):
    mgr.rados.answers['osd pool rm'] = (-errno.EPERM, b'', 'no,\n never')
    with pytest.raises(CommandFailed, match='no, never') as info:
        Commands(mgr).mon('osd pool rm')
    assert info.value.errno == errno.EPERM


def test_an_error_of_librados_is_one_of_ours(mgr):
    def fail(command):
        raise OSError(errno.ENOTCONN, 'not connected')

    mgr.rados.answers['fsid'] = fail
    with pytest.raises(CommandFailed) as info:
        Commands(mgr).mon('fsid')
    assert info.value.errno == errno.ENOTCONN


def test_something_missing_can_be_none(mgr):
    mgr.rados.answers['auth get'] = (-errno.ENOENT, b'', 'no such')
    assert Commands(mgr).mon_or_none('auth get', entity='x') is None


def test_a_silent_osd_holds_nobody_up(mgr):
    mgr.rados.blocked.clear()
    commands = Commands(mgr)
    for _ in range(STUCK_OSD):
        with pytest.raises(TryAgain, match='osd.3'):
            commands.osd_json(3, 'perf dump', seconds=0.02)
    mgr.rados.wait_asked(STUCK_OSD)
    asked = len(mgr.rados.asked)
    with pytest.raises(TryAgain, match='earlier'):
        commands.osd_json(3, 'perf dump', seconds=10.0)
    assert len(mgr.rados.asked) == asked  # no thread more for a dead OSD


def test_an_osd_that_comes_back_is_asked_again(mgr):
    mgr.rados.answers['perf dump'] = (0, b'{}', '')
    mgr.rados.blocked.clear()
    commands = Commands(mgr)
    for _ in range(STUCK_OSD):
        with pytest.raises(TryAgain):
            commands.osd_json(3, 'perf dump', seconds=0.02)
    mgr.rados.blocked.set()
    for _ in range(3000):
        try:
            assert commands.osd_json(3, 'perf dump') == {}
            return
        except TryAgain:
            threading.Event().wait(0.02)
    pytest.fail('the OSD was never asked again')


@pytest.mark.parametrize(
    'prefix, who',
    [
        ('orch upgrade status', 'the orchestrator'),
        ('orch daemon', 'the orchestrator'),
        ('balancer status', 'the Manager'),
        ('config show', 'the Manager'),
        ('osd ok-to-stop', 'the Manager'),
    ],
)
def test_a_silent_module_keeps_nobody_from_the_mons(mgr, prefix, who):
    def hang(command):
        hanging.wait(10)
        return 0, b'', ''

    hanging = threading.Event()
    mgr.rados.answers[prefix] = hang
    commands = Commands(mgr)
    try:
        for _ in range(STUCK_MON):
            with pytest.raises(TryAgain, match=f'^{who} (did|has) not'):
                commands.mon(prefix, seconds=0.02)
        assert len(mgr.rados.asked) < STUCK_MON
        assert commands.mon('osd stat')  # the lease of the load
        assert commands.change('osd pool rm', pool='p') == ''
    finally:
        hanging.set()


def test_a_silent_orchestrator_leaves_the_rest_of_the_mgr_alone(mgr):
    mgr.rados.blocked.clear()
    commands = Commands(mgr)
    for _ in range(STUCK_MON):
        with pytest.raises(TryAgain):
            commands.mon('orch ps', seconds=0.02)
    mgr.rados.blocked.set()
    assert commands.mon('balancer status') == ''


@pytest.mark.parametrize('order', ['orch daemon', 'orch apply', 'orch rm'])
def test_an_order_is_sent_though_questions_have_no_answer(mgr, order):
    """What starts an OSD again comes to the orchestrator when it is back."""
    mgr.rados.blocked.clear()
    commands = Commands(mgr)
    for _ in range(STUCK_MON):
        with pytest.raises(TryAgain):
            commands.mon('orch upgrade status', seconds=0.02)
    mgr.rados.wait_asked(STUCK_MGR)
    for _ in range(STUCK_MON):
        with pytest.raises(TryAgain, match='^the orchestrator (did|has) not'):
            commands.mon(order, seconds=0.02)
    mgr.rados.wait_asked(2 * STUCK_MGR)
    asked = [c['prefix'] for c in mgr.rados.asked]
    assert asked.count(order) == STUCK_MGR and len(asked) == 2 * STUCK_MGR
    mgr.rados.blocked.set()


def test_no_change_follows_one_that_has_no_answer(mgr, monkeypatch):
    """Mons that are back get both at once: a leader dies of some pairs."""
    monkeypatch.setattr(ceph_commands, 'WRITE_SECONDS', 0.02)
    mgr.rados.blocked.clear()
    commands = Commands(mgr)
    with pytest.raises(TryAgain, match='did not answer'):
        commands.change('osd pool create', pool='p', rule='r')
    with pytest.raises(TryAgain, match='earlier'):
        commands.change('osd crush rule rm', name='r')
    mgr.rados.wait_asked(1)
    assert [c['prefix'] for c in mgr.rados.asked] == ['osd pool create']
    mgr.rados.blocked.set()
    assert commands.mon('fsid') == ''  # what only looks is asked
    monkeypatch.setattr(ceph_commands, 'WRITE_SECONDS', 10.0)
    for _ in range(3000):
        try:
            commands.change('osd crush rule rm', name='r')
            break
        except TryAgain:
            threading.Event().wait(0.02)
    assert mgr.rados.asked[-1]['prefix'] == 'osd crush rule rm'


# writes


@pytest.mark.parametrize('unit, forced', [('', False), ('6K', True)])
def test_a_profile_has_the_stripes_of_the_one_it_copies(mgr, unit, forced):
    """The mons want force where they are no multiple of 4096 bytes."""
    mgr.rados.answers['osd erasure-code-profile ls'] = (0, b'[]', '')
    values = {'k': '2', 'm': '1', **({'stripe_unit': unit} if unit else {})}
    MgrCluster(mgr).ec_profile_set('perfcompare-0a1b2c3d-arm', values)
    prefix = 'osd erasure-code-profile set'
    (sent,) = [c for c in mgr.rados.asked if c['prefix'] == prefix]
    assert (f'stripe_unit={unit}' in sent['profile']) is bool(unit)
    assert sent.get('force', False) is forced


def _crush(mgr, *roots):
    """Put host h below roots."""
    buckets = [{'id': -2, 'name': 'h', 'items': []}]
    for number, name in enumerate(roots):
        bucket = {'id': -3 - number, 'name': name, 'items': [{'id': -2}]}
        buckets.append(bucket)
    dump = {'buckets': buckets, 'rules': []}
    mgr.rados.answers['osd crush dump'] = (0, json.dumps(dump).encode(), '')


ROOT = 'perfcompare-0a1b2c3d-x'


def test_unlinking_always_names_the_root(mgr):
    _crush(mgr, 'default', ROOT)
    MgrCluster(mgr).crush_unlink_host('h', ROOT)
    (change,) = _changes(mgr)
    assert change['ancestor'] == ROOT and change['name'] == 'h'


@pytest.mark.parametrize('root', ['', 'default', 'perfcompare'])
def test_unlinking_from_any_other_root_is_refused(mgr, root):
    _crush(mgr, 'default', ROOT)
    with pytest.raises(Exception, match='root|name of a run'):
        MgrCluster(mgr).crush_unlink_host('h', root)
    assert not _changes(mgr)


@pytest.mark.parametrize('taken', [ROOT, ROOT + '~ssd'])
def test_a_root_that_a_rule_takes_keeps_its_hosts(mgr, taken):
    _crush(mgr, 'default', ROOT)
    dump = json.loads(mgr.rados.answers['osd crush dump'][1])
    names = ('default', taken)  # not only what is taken first
    steps = [{'op': 'take', 'item_name': n} for n in names]
    dump['rules'] = [{'rule_id': 3, 'rule_name': 'mine', 'steps': steps}]
    mgr.rados.answers['osd crush dump'] = (0, json.dumps(dump).encode(), '')
    cluster = MgrCluster(mgr)
    for change in (
        lambda: cluster.crush_unlink_host('h', ROOT),
        lambda: cluster.crush_remove_root(ROOT),
    ):
        with pytest.raises(NotPermitted, match='rules still take.*mine'):
            change()
    assert not _changes(mgr)


@pytest.mark.parametrize('roots', [(ROOT,), (ROOT, ROOT[:-1] + 'y')])
def test_a_host_never_loses_its_last_parent(mgr, roots):
    _crush(mgr, *roots)
    with pytest.raises(NotPermitted, match='no parent'):
        MgrCluster(mgr).crush_unlink_host('h', ROOT)
    assert not _changes(mgr)


def test_unlinking_what_is_not_linked_changes_nothing(mgr):
    _crush(mgr, 'default')
    MgrCluster(mgr).crush_unlink_host('h', ROOT)
    assert not _changes(mgr)


def test_a_root_that_would_be_the_first_parent_gets_no_host(mgr):
    """An operator who moves the host would move it from there only."""
    _crush(mgr, 'default', ROOT)
    MgrCluster(mgr).crush_link_host('h', ROOT)
    assert [c['prefix'] for c in _changes(mgr)] == ['osd crush link']
    mgr.rados.asked.clear()
    _crush(mgr, ROOT, 'rack-7')
    with pytest.raises(NotPermitted, match="before 'rack-7'.*device-class"):
        MgrCluster(mgr).crush_link_host('h', ROOT)
    assert not _changes(mgr)


@pytest.mark.parametrize(
    'verb, args',
    [
        ('crush_add_root', ('default',)),
        ('crush_link_host', ('h', 'default')),
        ('crush_remove_root', ('default',)),
        ('rule_create', ('replicated_rule', 'default', 'host', None)),
        ('rule_remove', ('replicated_rule',)),
        ('ec_profile_set', ('default', {})),
        ('ec_profile_remove', ('default',)),
        ('pool_create', ('rbd', 8, 'r', 2, 1, None)),
        ('pool_set', ('rbd', 'size', '1')),
        ('pool_set_quota', ('rbd', 1)),
        ('pool_set_application', ('rbd', 'perfcompare', 'run', 'x')),
        ('pool_remove', ('rbd',)),
        ('pg_upmap', ('rbd', 0, {0: 1})),
        ('pg_upmap_order', ('rbd', 0, [0, 1])),
        ('auth_create', ('client.admin', {})),
        ('auth_remove', ('client.admin',)),
    ],
)
def test_nothing_of_others_can_be_changed(mgr, verb, args):
    with pytest.raises(NotPermitted):
        getattr(MgrCluster(mgr), verb)(*args)
    assert not mgr.rados.asked


def test_a_pool_goes_only_with_the_mark_of_its_run(mgr):
    pool = 'perfcompare.0a1b2c3d.x.write'
    for marks in ({}, {'rbd': {}}, {'perfcompare': {'run': 'ffffffff'}}):
        mgr.rados.answers['osd pool application get'] = (
            0,
            json.dumps(marks).encode(),
            '',
        )
        with pytest.raises(NotPermitted):
            MgrCluster(mgr).pool_remove(pool)
    assert not _changes(mgr)
    marks = {'perfcompare': {'run': '0a1b2c3d'}}
    mgr.rados.answers['osd pool application get'] = (
        0,
        json.dumps(marks).encode(),
        '',
    )
    MgrCluster(mgr).pool_remove(pool)
    assert _changes(mgr)[0]['prefix'] == 'osd pool rm'


def test_a_pool_that_is_there_is_not_created(mgr):
    pool = 'perfcompare.0a1b2c3d.x.write'
    mgr.rados.answers['osd pool ls'] = (0, json.dumps([pool]).encode(), '')
    with pytest.raises(AlreadyExists):
        MgrCluster(mgr).pool_create(pool, 8, 'r', 2, 1, None)


def test_pg_upmaps_are_ordered_and_hexadecimal(mgr):
    pool = 'perfcompare.0a1b2c3d.x.write'
    MgrCluster(mgr).pg_upmap_order(pool, 31, [5, 2, 9])
    assert _changes(mgr)[0] == {
        'prefix': 'osd pg-upmap',
        'pgid': '4.1f',
        'id': [5, 2, 9],
    }
    mgr.rados.asked.clear()
    MgrCluster(mgr).pg_upmap(pool, 1, {5: 6, 2: 3})
    assert _changes(mgr)[0]['id'] == [2, 3, 5, 6]


def test_a_value_that_the_mon_lost_is_an_error(mgr):
    mgr.rados.answers['config-key get'] = (-errno.ENOENT, b'', '')
    with pytest.raises(CommandFailed, match='not stored'):
        MgrCluster(mgr).kv_set('journal/x', 'value')


def test_keys_never_leave_the_modules_own_prefix(mgr):
    mgr.rados.answers['config-key dump'] = (
        0,
        json.dumps(
            {
                'mgr/perfcompare/journal/a/1': 'x',
                'mgr/perfcompare/journal/b/1': 'y',
                'mgr/dashboard/key': 'secret',
            }
        ).encode(),
        '',
    )
    found = MgrCluster(mgr).kv_list('journal/a/')
    assert found == {'journal/a/1': 'x'}


class LateRados:
    """Connect as mgr_module does: not made for two threads at a time."""

    def __init__(self):
        self.made = 0

    @property
    def rados(self):
        if not hasattr(self, '_rados'):
            self.made += 1
            threading.Event().wait(0.1)
            self._rados = Rados()
        return self._rados


def test_one_thread_only_makes_the_connection():
    # two at a time end the mgr with a segmentation fault
    mgr = LateRados()
    commands = Commands(mgr)
    threads = [
        threading.Thread(target=commands.mon, args=('fsid',))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mgr.made == 1
    assert len(mgr.rados.asked) == 4
