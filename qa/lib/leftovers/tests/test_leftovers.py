"""Every kind of journal entry is undone without the module."""

import json
import pathlib
import sys

import pytest

from .. import names
from ..ceph import Failed, rows
from ..entries import JOURNAL, Odd, read
from ..report import MOST
from ..undoing import RETIRED, RULES
from .fake_ceph import KEY, NAME, POOL, RUN

SOURCES = pathlib.Path(__file__).resolve().parents[4] / 'src/pybind/mgr'
sys.path.insert(0, str(SOURCES))

from perfcompare.model import ownership  # noqa: E402
from perfcompare.undo import entries as journal_entries  # noqa: E402

OTHER = 'perfcompare-99999999-x86'
WEIGHT = {'weight': '1.0'}
# by the mons, for being down
AUTO_OUT = {'in': 0, 'weight': 0.0, 'state': ['autoout', 'exists']}
BY_ORDER = {'by': 'orchestrator', **WEIGHT}
MON = {'who': 'mon'}
GATEWAYS = 'client.rgw.' + NAME


# one case or more for each kind: what a run noted, and what it did


def osd_stop(ceph):
    ceph.note('osd_stop', '1', detail=BY_ORDER, step='done')
    ceph.osds[1].update({'up': 0, **AUTO_OUT})


def osd_down(ceph):
    ceph.note('osd_down', '3', detail=WEIGHT)
    ceph.osds[3].update({'up': 0, **AUTO_OUT})


def upmaps(ceph):
    ceph.note('upmaps', 'osd.1.0', detail={'upmaps': '1.3=1>2 1.a=0>1,2>3'})
    ceph.upmaps = {'1.a': [0, 1]}


def primaries(ceph):
    ceph.note('upmaps', 'osd.1.primaries.0', detail={'primaries': '1.5=2'})
    ceph.primaries = {}


def osd_out(ceph):
    ceph.note('osd_out', '2', detail=WEIGHT)
    ceph.osds[2].update({'in': 0, 'weight': 0.0})


def noout(ceph):
    ceph.note('noout', 'arm-1')
    ceph.flags['arm-1'] = ['noout']


def service(ceph):
    ceph.note('service', NAME)
    ceph.services.append(NAME)
    ceph.daemons.append(NAME + '.arm-1.abc')
    ceph.auth.append('%s.arm-1.abc' % GATEWAYS)
    ceph.config[GATEWAYS + ' rgw_zone'] = 'perfcompare'


def pool(ceph):
    rule(ceph)
    ceph.note('pool', POOL)
    ceph.add_pool(POOL, objects=7)


def erasure_pool(ceph):
    ceph.note('pool', POOL, detail={'erasure': 'yes'})
    ceph.rules[POOL] = 'default'


def rule(ceph):
    ceph.note('rule', NAME)
    ceph.rules[NAME] = NAME


def ec_profile(ceph):
    ceph.note('ec_profile', NAME)
    ceph.profiles.append(NAME)


def link(ceph):
    root(ceph)
    ceph.note('link', 'arm-1', detail={'root': NAME})
    ceph.roots[NAME].append('arm-1')


def root(ceph):
    ceph.note('root', NAME)
    ceph.roots[NAME] = []


def key(ceph):
    ceph.note('key', KEY)
    ceph.auth.append(KEY)


def config_new(ceph):
    ceph.note(
        'config', 'osd_mclock_profile', detail={'who': 'osd'}, value='x'
    )
    ceph.config['osd osd_mclock_profile'] = 'x'


def config_module(ceph):
    detail = {'who': 'mgr', 'default': 'upmap'}
    ceph.note('config', 'mgr/balancer/mode', detail=detail, value='none')
    ceph.config['mgr mgr/balancer/mode'] = 'none'


def blocklist(ceph):
    ceph.note('blocklist', '10.0.0.2:0/77')
    ceph.blocked.append('10.0.0.2:0/77')


def consent(ceph):
    ceph.note('consent', 'pool_delete')


UNDONE = [
    ('osd_stop', osd_stop), ('osd_down', osd_down),
    ('osd_out', osd_out), ('upmaps', upmaps), ('upmaps', primaries),
    ('noout', noout),
    ('service', service), ('pool', pool), ('pool', erasure_pool),
    ('rule', rule), ('ec_profile', ec_profile), ('link', link),
    ('root', root), ('key', key), ('config', config_new),
    ('config', config_module), ('blocklist', blocklist),
    ('consent', consent),
]  # fmt: skip
NOT_HERE = {'bucket'}  # needs an S3 client


def test_every_kind_that_the_journal_can_hold_has_a_rule_and_a_case():
    kinds = {k.value for k in journal_entries.Kind}
    assert set(RULES) == kinds
    assert {kind for kind, _ in UNDONE} | NOT_HERE == kinds
    assert RETIRED == journal_entries.RETIRED


@pytest.mark.parametrize(
    'kind, make', UNDONE, ids=lambda x: getattr(x, '__name__', x)
)
def test_each_kind_is_undone(ceph, clean, capsys, kind, make):
    before = ceph.state()
    make(ceph)
    left = ceph.state()
    assert clean(act=False) == 1
    assert ceph.state() == left  # nothing was changed
    assert clean() == 0
    assert ceph.state() == before
    assert 'nothing of perfcompare is left' in capsys.readouterr().out
    ceph.said.clear()
    assert clean() == 0 and ceph.said == []


@pytest.mark.parametrize(
    'kind, make', UNDONE, ids=lambda x: getattr(x, '__name__', x)
)
def test_what_was_noted_but_never_done_is_only_forgotten(
    ceph, clean, kind, make
):
    before = ceph.state()
    make(ceph)
    noted = ceph.kv
    ceph.__dict__.update(before, kv=noted)
    assert clean() == 0
    assert ceph.state() == before
    assert all(c.startswith('config-key rm') for c in ceph.said)


@pytest.mark.parametrize(
    'kind, make', UNDONE, ids=lambda x: getattr(x, '__name__', x)
)
def test_what_fails_is_left_noted_and_told(ceph, clean, capsys, kind, make):
    before = ceph.state()
    make(ceph)
    noted = dict(ceph.kv)
    for words in (
        'osd',
        'orch daemon',
        'orch rm',
        'auth rm',
        'config set',
        'config rm',
        'config-key rm',
    ):
        ceph.failing[words + ('' if words != 'osd' else ' pool rm')] = 'no'
    for words in (
        'osd reweight',
        'osd unset',
        'osd pg-upmap',
        'osd crush r',
        'osd crush u',
        'osd erasure',
        'osd blocklist',
    ):
        ceph.failing[words] = 'no'
    assert clean() == 1
    assert ceph.kv == noted
    assert 'left: ' in capsys.readouterr().out or kind == 'consent'
    ceph.failing.clear()
    assert clean() == 0
    assert ceph.state() == before


def test_all_kinds_at_once_in_spite_of_odd_entries(ceph, clean, capsys):
    before = ceph.state()
    for make in (
        osd_stop,
        osd_out,
        noout,
        service,
        pool,
        ec_profile,
        link,
        key,
        config_new,
        config_module,
        blocklist,
        consent,
    ):
        make(ceph)
    odd = {
        JOURNAL + RUN + '/000900': '{"kind": "warp-core"}',
        JOURNAL + RUN + '/000901': '{',
        JOURNAL + RUN + '/x': '[' * 9000,
        JOURNAL + 'short/1': json.dumps({'run': 'short'}),
        JOURNAL + RUN + '/000902': json.dumps({'run': RUN, 'kind': 'link', 'name': 'arm-1'}),
        JOURNAL + RUN + '/000903': json.dumps({'run': RUN, 'kind': 'osd_out', 'name': 'x'}),
        JOURNAL + RUN + '/000904': json.dumps({'run': RUN, 'kind': 'osd_out', 'name': '1', 'detail': {'weight': 'nan'}}),
        JOURNAL + RUN + '/000905': json.dumps({'run': RUN, 'kind': 'noout', 'name': '--force'}),
        JOURNAL + RUN + '/000906': json.dumps({'run': RUN, 'kind': 'config', 'name': 'a\x1b[2J', 'detail': {'who': 'mon'}}),
        JOURNAL + RUN + '/000907': json.dumps({'run': RUN, 'kind': 'key', 'name': 'client.admin'}),
        JOURNAL + RUN + '/000908': json.dumps({'run': RUN, 'kind': 'warp-core', 'name': 'x'}),
    }  # fmt: skip
    ceph.kv.update(odd)
    assert clean() == 1
    out = capsys.readouterr().out
    assert '\x1b' not in out
    (consent_key,) = set(ceph.kv) - set(odd)  # the next attempt needs it
    ceph.kv = {}
    assert ceph.state() == before


def hide(ceph, kind):
    """Damage the entry of a kind, as a Manager that died may have."""
    (where,) = [
        k for k, t in ceph.kv.items() if json.loads(t)['kind'] == kind
    ]
    ceph.kv[where] = '{"kind": "serv'
    return where


@pytest.mark.parametrize('tells', ['key', 'options', 'entry'])
@pytest.mark.parametrize('backend', [True, False])
def test_pools_stay_under_gateways_whose_entry_cannot_be_read(
    ceph, clean, capsys, tells, backend
):
    service(ceph)
    pool(ceph)
    where = hide(ceph, 'service')
    option = GATEWAYS + ' rgw_zone'
    if tells == 'entry':
        detail = {'who': GATEWAYS}
        ceph.note('config', 'rgw_zone', detail=detail, value='perfcompare')
    if tells != 'key':
        ceph.auth.remove(GATEWAYS + '.arm-1.abc')
    if tells == 'key':
        del ceph.config[option]
    ceph.backend = backend
    assert clean() == 1 and POOL in ceph.pools
    assert ceph.config.get(option) == (
        None if tells == 'key' else 'perfcompare'
    )
    out = capsys.readouterr().out
    assert 'service %s: its journal entry cannot be read' % NAME in out
    assert 'ceph orch rm rgw.' + NAME in out
    ceph.backend, ceph.services, ceph.daemons = True, [], []
    del ceph.kv[where]
    assert clean() == 0 and POOL not in ceph.pools


def test_pools_go_where_the_hidden_gateways_are_gone(ceph, clean):
    service(ceph)
    pool(ceph)
    hide(ceph, 'service')
    ceph.services, ceph.daemons = [], []
    assert clean() == 1 and POOL not in ceph.pools


def test_a_look_for_hidden_gateways_that_fails_stops_nothing_else(
    ceph, clean, capsys
):
    service(ceph)
    pool(ceph)
    where = hide(ceph, 'service')
    other = POOL.replace(RUN, 'fedcba98')
    ceph.kv[JOURNAL + 'fedcba98/000001-x'] = json.dumps(
        {'run': 'fedcba98', 'seq': 1, 'kind': 'pool', 'name': other}
    )
    marks = {'perfcompare': {'run': 'fedcba98'}}
    ceph.add_pool(other, marks=marks)
    ceph.failing['auth ls'] = 'timed out'
    assert clean() == 1 and POOL in ceph.pools
    assert other not in ceph.pools
    assert 'nor can what gateways it has: ' in capsys.readouterr().out
    ceph.failing.clear()
    ceph.services, ceph.daemons = [], []
    del ceph.kv[where]
    assert clean() == 0 and POOL not in ceph.pools


def test_many_odd_entries_are_not_all_shown(ceph, clean, capsys):
    for number in range(500):
        ceph.kv['%s%s/%d' % (JOURNAL, RUN, number)] = 'x'
        ceph.rules['perfcompare-%08x-x' % number] = 'default'
    assert clean() == 1
    lines = capsys.readouterr().out.split('\n')
    assert len(lines) < 2 * MOST + 10
    assert any('480 more' in line for line in lines)


@pytest.mark.parametrize('kind', RETIRED)
def test_entries_of_retired_kinds_are_settled(ceph, clean, kind):
    ceph.note(kind, '/run/ceph/perfcompare-' + RUN)
    assert clean() == 0 and ceph.kv == {}


def test_keys_of_the_journal_may_have_any_end(ceph):
    text = json.dumps({'run': RUN, 'seq': 1, 'kind': 'key', 'name': KEY})
    for end in ('000001', '000001-4f2a', 'x/y'):
        assert read('%s%s/%s' % (JOURNAL, RUN, end), text).name == KEY
    with pytest.raises(Odd):
        read('%s%s/1' % (JOURNAL, '0' * 8), text)


def test_what_the_module_writes_can_be_read():
    class Store(dict):
        def kv_set(self, key, text):
            self[key] = text

        def kv_list(self, prefix):
            return self

    store = Store()
    made = journal_entries.EntryStore(store)
    for kind in journal_entries.Kind:
        entry = made.done(
            made.intend(RUN, kind, 'x', {'who': 'y'}, '1', '2', True)
        )
        found = read('mgr/perfcompare/' + entry.key, store[entry.key])
        assert (found.kind, found.name, found.done) == (kind.value, 'x', True)
        assert (found.value, found.previous, found.was_set) == (
            '1',
            '2',
            True,
        )


def test_names_of_runs_are_those_of_the_module():
    for name in (
        NAME,
        POOL,
        KEY,
        GATEWAYS + '.h.abc',
        'rbd',
        'perfcompare-x',
        OTHER + '\n',
    ):
        assert names.run_of(name) == ownership.run_of(name)
    assert names.AGENT == ownership.AGENT


# options


def option(ceph, now, previous=None, **fields):
    ceph.note(
        'config',
        'mgr_stats_period',
        detail={'who': 'mgr'},
        value='1',
        previous=previous,
        was_set=previous is not None,
        **fields,
    )
    if now is not None:
        ceph.config['mgr mgr_stats_period'] = now


def test_an_option_gets_the_value_it_had(ceph, clean):
    option(ceph, '1', '7')
    assert clean() == 0
    assert ceph.config == {'mgr mgr_stats_period': '7'} and not ceph.kv


@pytest.mark.parametrize('now', ['9', None])
def test_what_an_operator_changed_meanwhile_stays(ceph, clean, capsys, now):
    option(ceph, now, '7')
    assert clean() == 0
    assert ceph.config.get('mgr mgr_stats_period') == now and not ceph.kv
    assert (
        'kept: option mgr_stats_period of mgr: somebody'
        in capsys.readouterr().out
    )


@pytest.mark.parametrize('before', [None, '9'])
def test_an_option_that_was_set_twice_is_restored_backwards(
    ceph, clean, before
):
    """The older entry is first; its value stands in the younger one."""
    if before:
        ceph.config['mgr mgr_stats_period'] = before
    option(ceph, '1', before)
    ceph.note(
        'config', 'mgr_stats_period', detail={'who': 'mgr'},
        value='2', previous='1', was_set=True,
    )  # fmt: skip
    ceph.config['mgr mgr_stats_period'] = '2'
    assert clean() == 0
    assert ceph.config.get('mgr mgr_stats_period') == before and not ceph.kv


@pytest.mark.parametrize('leaving', [False, True])
def test_a_default_that_an_operator_has_set_stays(
    ceph, clean, capsys, leaving
):
    detail = {'who': 'mgr', 'default': 'upmap'}
    if leaving:
        detail['leaving'] = 'yes'
    ceph.note('config', 'mgr/balancer/mode', detail=detail, value='none')
    ceph.config['mgr mgr/balancer/mode'] = 'upmap'
    assert clean() == 0
    assert ('mgr mgr/balancer/mode' in ceph.config) is not leaving
    assert ('somebody set it' in capsys.readouterr().out) is not leaving


def test_a_running_manager_is_told_the_default_before_it_is_removed(
    ceph, clean
):
    config_module(ceph)
    clean()
    assert ceph.said[:2] == [
        'config set mgr mgr/balancer/mode upmap',
        'config rm mgr mgr/balancer/mode',
    ]


def test_a_value_that_the_tool_cannot_set_is_told(ceph, clean, capsys):
    option(ceph, '1', '--foo')
    assert clean() == 1 and ceph.kv
    assert 'assimilate-conf' in capsys.readouterr().out


# OSDs


def test_an_osd_without_orchestrator_is_told_and_stays_noted(
    ceph, clean, capsys
):
    osd_stop(ceph)
    osd_out(ceph)
    ceph.backend = False
    assert clean() == 1
    out = capsys.readouterr().out
    assert 'start it on host host-1: systemctl start ceph-osd@1' in out
    assert [json.loads(v)['kind'] for v in ceph.kv.values()] == ['osd_stop']
    ceph.osds[1]['up'] = 1
    assert clean() == 0 and ceph.osds[1]['in'] and not ceph.kv


def test_an_order_that_is_lost_is_repeated(ceph, clean):
    osd_stop(ceph)
    service(ceph)
    ceph.obeys = 3
    assert clean() == 0 and not ceph.kv and ceph.osds[1]['up']
    assert ceph.said.count('orch daemon start osd.1') >= 2


def test_an_order_without_effect_is_told(ceph, clean, capsys):
    osd_stop(ceph)
    service(ceph)
    pool(ceph)
    ceph.obeys = 0
    assert clean() == 1
    out = capsys.readouterr().out
    assert 'left: stopped osd.1: no effect after' in out
    assert 'left: service %s: no effect after' % NAME in out
    assert 'left: pool %s: gateways of its run' % POOL in out
    assert POOL in ceph.pools and NAME in ceph.rules


def test_a_stop_whose_effect_was_not_seen_yet_may_still_come(ceph, clean):
    ceph.note('osd_stop', '1', detail=BY_ORDER)

    def late(seconds, real=ceph.sleep):
        real(seconds)
        if 20 < ceph.clock < 22:
            ceph.osds[1]['up'] = 0

    ceph.sleep = late
    assert clean() == 0
    assert ceph.osds[1]['up'] and 'orch daemon start osd.1' in ceph.said


def test_a_stop_that_the_orchestrator_keeps_is_not_forgotten(
    ceph, clean, capsys
):
    ceph.note('osd_stop', '1', detail=BY_ORDER)
    ceph.flags['arm-1'] = ['noout']
    ceph.note('noout', 'arm-1')
    record = 'mgr/cephadm/host.host-1'
    kept = {'scheduled_daemon_actions': {'osd.1': 'stop'}}
    ceph.kv[record] = json.dumps(kept)
    assert clean() == 1
    out = capsys.readouterr().out
    assert 'left: stopped osd.1: it is up, and the orchestrator still' in out
    assert 'unmanaged' in out and ceph.flags and len(ceph.kv) == 3
    del ceph.kv[record]
    ceph.osds[1]['up'] = 0  # it was carried out
    assert clean() == 0 and ceph.osds[1]['up'] and not ceph.kv


@pytest.mark.parametrize('gone', ['backend', 'mgr'])
def test_such_a_stop_is_kept_where_nobody_answers_for_it(
    ceph, clean, capsys, gone
):
    """It is carried out when the orchestrator is there again."""
    ceph.note('osd_stop', '1', detail=BY_ORDER)
    kept = {'scheduled_daemon_actions': {'osd.1': 'stop'}}
    ceph.kv['mgr/cephadm/host.host-1'] = json.dumps(kept)
    setattr(ceph, gone, False)
    assert clean() == 1 and len(ceph.kv) == 2
    assert 'the orchestrator still has an order' in capsys.readouterr().out


def test_noout_goes_from_a_host_that_has_another_name_by_now(ceph, clean):
    ident = next(
        b['id'] for b in ceph._crush()['buckets'] if b['name'] == 'arm-1'
    )
    ceph.note('noout', 'former', detail={'bucket': str(ident)})
    ceph.note('noout', 'away', detail={'bucket': '-99'})
    ceph.flags['arm-1'] = ['noout']
    assert clean() == 0 and not ceph.flags and not ceph.kv


def test_weights_come_back_and_those_of_operators_stay(ceph, clean, capsys):
    ceph.note('osd_out', '1', detail={'weight': '0.5'})
    ceph.osds[1].update({'in': 0, 'weight': 0.0})
    ceph.note('osd_out', '2', detail={'weight': '0.5'})
    ceph.osds[2]['weight'] = 0.8
    ceph.note('osd_stop', '3', detail={'by': 'operator', 'weight': '0.0'})
    ceph.osds[3].update({'in': 0, 'weight': 0.0})  # it was out before
    ceph.note('osd_down', '0', detail=WEIGHT)
    ceph.osds[0].update({'in': 0, 'weight': 0.0})  # by `ceph osd out`
    assert clean() == 0 and not ceph.kv
    assert [o['weight'] for o in ceph.osds.values()] == [0.0, 0.5, 0.8, 0.0]
    assert 'it is in with weight 0.8, it had 0.5' in capsys.readouterr().out


@pytest.mark.parametrize('drops', [False, True])
def test_upmaps_are_set_again_but_what_others_set_stays(
    ceph, clean, capsys, drops
):
    ceph.note(
        'upmaps',
        'osd.1.0',
        detail={'upmaps': '1.3=1>2 1.a=0>1,2>3 1.b=1>2 99.1=1>2'},
    )
    ceph.upmaps = {'1.a': [0, 1], '1.b': [1, 3]}
    ceph.drops = drops
    assert clean() == 0 and not ceph.kv
    mended = {'1.3': [1, 2], '1.a': [0, 1, 2, 3], '1.b': [1, 3]}
    assert ceph.upmaps == (
        {'1.a': [0, 1], '1.b': [1, 3]} if drops else mended
    )
    kept = 4 if drops else 2
    assert '%d PGs are mapped otherwise' % kept in capsys.readouterr().out


def test_upmap_that_is_refused_keeps_no_other_from_being_set(
    ceph, clean, capsys
):
    upmaps(ceph)
    ceph.upmaps = {}
    ceph.failing['osd pg-upmap-items 1.3'] = 'Error EINVAL: not this one'
    assert clean() == 1
    assert ceph.upmaps == {'1.a': [0, 1, 2, 3]}
    assert 'not this one' in capsys.readouterr().out
    ceph.failing.clear()
    assert clean() == 0 and not ceph.kv
    assert ceph.upmaps == {'1.3': [1, 2], '1.a': [0, 1, 2, 3]}


def test_upmaps_of_what_is_gone_are_left_alone(ceph, clean, capsys):
    upmaps(ceph)
    ceph.upmaps = {}
    ceph.pools['rbd']['pg_num'] = 8  # 1.a is a part of 1.2 now
    del ceph.osds[1]  # from which 1.3 was moved
    assert clean() == 0 and not ceph.kv and not ceph.upmaps
    assert '2 PGs are mapped otherwise' in capsys.readouterr().out


@pytest.mark.parametrize('drops', [False, True])
def test_primaries_are_chosen_again_but_what_others_chose_stays(
    ceph, clean, capsys, drops
):
    """1.1 is led by the map, osd.3 has 1.4 no more, and pool 99 is gone."""
    ceph.note(
        'upmaps',
        'osd.1.primaries.0',
        detail={'primaries': '1.1=0 1.2=1 1.3=2 1.4=3 1.5=2 99.1=1'},
    )
    ceph.primaries = {'1.3': 1, '1.5': 2}
    ceph.drops = drops
    assert clean() == 0 and not ceph.kv
    mended = {} if drops else {'1.2': 1}
    assert ceph.primaries == {'1.3': 1, '1.5': 2, **mended}
    kept = 3 if drops else 2
    assert '%d PGs are led otherwise' % kept in capsys.readouterr().out
    orders = {c for c in ceph.said if c.startswith('osd')}
    assert orders == {'osd pg-upmap-primary 1.2 1'}


@pytest.mark.parametrize(
    'place',
    [
        ([0, 1, 2], [0, 1, 3]),  # osd.2 has the data not yet
        ([0, 1, 2], [2, 1, 0]),  # it leads until data is home
        ([0, 1], [0, 1]),  # it is down
        ([2, 1], [2, 1]),  # it leads as osd.0 is down
    ],
)
def test_primaries_wait_until_data_is_home(ceph, clean, capsys, place):
    before = ceph.state()
    primaries(ceph)
    ceph.places['1.5'] = place
    for osd in {0, 1, 2}.difference(place[0]):
        ceph.osds[osd]['up'] = 0
    assert clean() == 1
    told = capsys.readouterr().out
    assert 'left: primaries of PGs near osd.1.primaries.0: 1 PGs' in told
    assert 'data is home, run this again' in told
    assert not ceph.primaries and ceph.kv
    ceph.places.clear()
    for osd in ceph.osds.values():
        osd['up'] = 1
    assert clean() == 0 and ceph.state() == before


def test_primary_that_is_refused_is_left_for_later(ceph, clean, capsys):
    primaries(ceph)
    ceph.kv[next(iter(ceph.kv))] = ceph.kv[next(iter(ceph.kv))].replace(
        '1.5=2', '1.5=2 1.6=1'
    )
    ceph.failing['osd pg-upmap-primary 1.5'] = 'Error EINVAL: not this one'
    assert clean() == 1
    assert ceph.primaries == {'1.6': 1}
    told = capsys.readouterr().out
    assert 'not this one; to do: when all OSDs are up and in' in told
    assert 'ceph config-key rm %s' % next(iter(ceph.kv)) in told
    ceph.failing.clear()
    assert clean() == 0 and not ceph.kv
    assert ceph.primaries == {'1.5': 2, '1.6': 1}


def test_primaries_follow_upmaps(ceph, clean, capsys):
    primaries(ceph)
    upmaps(ceph)
    ceph.failing['osd pg-upmap-items'] = 'Error EPERM: no'
    assert clean() == 1 and not ceph.primaries
    assert 'upmaps of its run are not set again' in capsys.readouterr().out
    ceph.failing.clear()
    assert clean() == 0
    done = [c.split()[1] for c in ceph.said if c.startswith('osd')]
    assert done == ['pg-upmap-items', 'pg-upmap-items', 'pg-upmap-primary']


@pytest.mark.parametrize('weight, told', [('1.0', True), ('0.0', False)])
def test_an_osd_that_somebody_marked_out_stays_out(
    ceph, clean, capsys, weight, told
):
    """That it was out before the run is no news."""
    ceph.note('osd_down', '3', detail={'weight': weight})
    ceph.osds[3].update({'in': 0, 'weight': 0.0, 'state': ['exists', 'up']})
    assert clean() == 0 and not ceph.kv and not ceph.osds[3]['in']
    assert ('out by an order' in capsys.readouterr().out) == told


def test_upmaps_wait_until_osds_are_in(ceph, clean, capsys):
    ceph.note('osd_stop', '1', detail={'by': 'operator', **WEIGHT})
    ceph.osds[1]['up'] = 0
    upmaps(ceph)
    assert clean() == 1
    assert 'took out are not in again' in capsys.readouterr().out
    assert ceph.upmaps == {'1.a': [0, 1]}


def test_noout_that_was_there_before_stays(ceph, clean):
    ceph.note('noout', 'arm-1', was_set=True)
    ceph.flags['arm-1'] = ['noout']
    assert clean() == 0 and ceph.flags and not ceph.kv


@pytest.mark.parametrize(
    'prefix, at, by, stays',
    [
        ('osd set-group', '09:00', None, True),
        ('osd unset-group', '09:00', None, False),
        ('osd set-group', '07:00', None, False),  # before the run
        ('osd set-group', '09:00', 'perfcompare', False),
    ],
)
def test_noout_that_others_want_by_now_stays(
    ceph, clean, capsys, prefix, at, by, stays
):
    ceph.note('noout', 'arm-1', detail={'at': '1700035200.0'})  # 08:00
    ceph.flags['arm-1'] = ['noout']
    command = {'prefix': prefix, 'flags': 'noout', 'who': ['arm-1']}
    if by:
        command['asked_by'] = by
    told = "from='x' entity='client.bob' cmd=[%s]: finished"
    ceph.audit = [
        {'message': 'boot', 'stamp': '2023-11-15T06:00:00.000001+0000'},
        {'message': 'set-group {'},
        {
            'message': told % json.dumps(command),
            'stamp': '2023-11-15T%s:00.000001+0000' % at,
        },
    ]
    assert clean() == 0 and not ceph.kv
    assert ('arm-1' in ceph.flags) is stays
    assert ('client.bob set it' in capsys.readouterr().out) is stays


@pytest.mark.parametrize(
    'first, stays', [('07:59', False), ('08:30', True), (None, False)]
)
def test_noout_stays_where_the_audit_log_begins_later(
    ceph, clean, capsys, first, stays
):
    """Somebody may have asked for it in what the Monitors forgot."""
    ceph.note('noout', 'arm-1', detail={'at': '1700035200.0'})  # 08:00
    ceph.flags['arm-1'] = ['noout']
    if first:
        stamp = '2023-11-15T%s:00.000001+0000' % first
        ceph.audit = [{'message': 'boot', 'stamp': stamp}]
    assert clean() == 0 and not ceph.kv
    assert ('arm-1' in ceph.flags) is stays
    told = 'ceph osd unset-group noout arm-1' in capsys.readouterr().out
    assert told is stays


# placement


def test_the_last_parent_of_a_host_stays(ceph, clean, capsys):
    link(ceph)
    ceph.roots['default'].remove('arm-1')
    assert clean() == 1
    assert ceph.roots[NAME] == ['arm-1']
    out = capsys.readouterr().out
    assert 'has no parent but ' + NAME in out
    assert 'ceph osd crush link arm-1 root=default' in out
    ceph.roots['default'].insert(0, 'arm-1')
    assert clean() == 0 and NAME not in ceph.roots


def test_a_root_of_another_run_is_no_parent_that_remains(ceph, clean):
    link(ceph)
    ceph.roots['default'].remove('arm-1')
    ceph.roots[OTHER] = ['arm-1']
    assert clean() == 1 and ceph.roots[NAME] == ['arm-1']


def test_a_host_that_was_renamed_leaves_the_root_of_the_run(
    ceph, clean, capsys
):
    """Its link is noted by the name that it had."""
    link(ceph)
    for items in ceph.roots.values():
        items[:] = ['former' if h == 'arm-1' else h for h in items]
    ceph.rules['mine'] = NAME
    assert clean() == 1 and ceph.roots[NAME] == ['former']
    del ceph.rules['mine']
    assert clean(False) == 1
    out = capsys.readouterr().out
    assert 'ceph osd crush unlink former ' + NAME in out
    assert clean() == 0 and NAME not in ceph.roots
    assert ceph.roots['default'] == ['former', 'arm-2'] and not ceph.kv


def test_a_renamed_host_that_is_nowhere_else_stays(ceph, clean, capsys):
    link(ceph)
    ceph.roots = {'default': ['arm-2'], NAME: ['former']}
    assert clean() == 1 and ceph.roots[NAME] == ['former']
    out = capsys.readouterr().out
    assert 'ceph osd crush link former root=default' in out


def test_what_pools_stand_on_stays_while_one_is_left(ceph, clean):
    for make in (link, pool, ec_profile, key):
        make(ceph)
    ceph.failing['osd pool rm'] = 'Error EBUSY: busy'
    before = ceph.state()
    assert clean() == 1
    after = ceph.state()
    assert before.pop('auth') != after.pop('auth')  # independent of pools
    before.pop('kv'), after.pop('kv')
    assert before == after


def test_links_stay_while_somebody_uses_a_rule_of_the_run(ceph, clean):
    link(ceph)
    rule(ceph)
    ceph.add_pool('of-an-operator', rule=NAME, marks={'rbd': {}})
    assert clean() == 1
    assert ceph.roots[NAME] == ['arm-1'] and NAME in ceph.rules


def test_links_stay_while_a_rule_of_an_operator_takes_the_root(ceph, clean):
    link(ceph)
    ceph.rules['mine'] = NAME + '~ssd'
    assert clean() == 1 and ceph.roots[NAME] == ['arm-1']


@pytest.mark.parametrize('marks, objects, gone', [
    ({}, 0, True), ({'perfcompare': {}}, 0, True), ({}, 3, False),
    ({'rbd': {}}, 0, False), ({'perfcompare': {'run': '99999999'}}, 0, False),
])  # fmt: skip
def test_only_pools_of_the_run_go(ceph, clean, marks, objects, gone):
    pool(ceph)
    ceph.pools[POOL].update(marks=marks, objects=objects)
    assert (clean() == 0) is gone
    assert (POOL not in ceph.pools) is gone
    assert (NAME not in ceph.rules) is gone


def test_monitors_that_forbid_it_are_told_about(ceph, clean, capsys):
    pool(ceph)
    ceph.delete_allowed = False
    assert clean() == 1 and POOL in ceph.pools and not ceph.config
    assert 'the Monitors forbid it' in capsys.readouterr().out


@pytest.mark.parametrize('before', [None, 'false'])
def test_consent_allows_it_for_the_removal_only(ceph, clean, before):
    if before:
        ceph.config['mon mon_allow_pool_delete'] = before
    start = ceph.state()
    pool(ceph)
    ceph.note('pool', POOL + '.2')
    ceph.add_pool(POOL + '.2')
    consent(ceph)
    ceph.delete_allowed = start['delete_allowed'] = False
    assert clean() == 0
    assert ceph.state() == start
    assert 'config set mon mon_allow_pool_delete true' in ceph.said


def test_the_option_is_restored_although_the_removal_was_cut(ceph, clean):
    pool(ceph)
    consent(ceph)
    ceph.delete_allowed = False

    class Killed(BaseException):
        pass

    def kill():
        raise Killed

    ceph.hooks['config set mon mon_allow'] = kill
    with pytest.raises(Killed):
        clean()
    assert ceph.config and POOL in ceph.pools
    ceph.hooks.clear()
    assert clean() == 0
    assert not ceph.config and not ceph.kv and POOL not in ceph.pools


# buckets, gateways, and lists of the orchestrator


def test_a_bucket_is_told_with_what_to_do(ceph, clean, capsys):
    noted = ceph.note(
        'bucket', 'perfcompare-%s-g0-w' % RUN, detail={'gateways': 'arm'}
    )
    key(ceph)
    assert clean() == 1 and list(ceph.kv) == [noted] and KEY not in ceph.auth
    out = capsys.readouterr().out
    assert 'radosgw-admin bucket rm --bucket perfcompare-' in out
    assert 'ceph config-key rm ' + noted in out


def test_gateways_without_orchestrator_keep_pools_and_options(
    ceph, clean, capsys
):
    service(ceph)
    pool(ceph)
    ceph.note(
        'config', 'rgw_zone', detail={'who': GATEWAYS}, value='perfcompare'
    )
    ceph.mgr = False
    assert clean() == 1
    assert POOL in ceph.pools and ceph.config
    assert 'to do: ceph orch rm rgw.' + NAME in capsys.readouterr().out
    ceph.mgr = True
    assert clean() == 0 and not ceph.kv


def test_a_list_that_is_no_list_does_not_mean_gone(ceph, clean):
    service(ceph)
    ceph.failing['orch ls'] = 'Error ENOENT: Module not found'
    assert clean() == 1 and ceph.kv and len(ceph.auth) == 2
    assert rows('\nNo services reported\n', 'x') == []
    with pytest.raises(Failed):
        rows('Warning: something', 'x')


def test_osd_that_comes_up_by_itself_is_not_started(ceph, clean):
    ceph.note('osd_down', '3', detail=WEIGHT)
    ceph.osds[3]['up'] = 0
    pause = ceph.sleep

    def sleep(seconds):
        pause(seconds)
        if ceph.clock > 5:
            ceph.osds[3]['up'] = 1

    ceph.sleep = sleep
    assert clean() == 0
    assert not ceph.orders and ceph.clock < 10


def test_osd_that_stays_down_without_an_orchestrator_is_told(
    ceph, clean, capsys
):
    ceph.note('osd_down', '3', detail=WEIGHT)
    ceph.osds[3]['up'] = 0
    ceph.backend = False
    assert clean() != 0
    said = capsys.readouterr().out
    assert 'systemctl start ceph-osd@3' in said and ceph.kv
