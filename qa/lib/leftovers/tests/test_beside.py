"""What is beside the journal: names, folders, and the module itself."""

import json

import pytest

from ..ceph import Failed
from .fake_ceph import HEAD, KEY, POOL, RUN

OTHER = 'perfcompare-99999999-x86'
FSID = 'a3c0ffee-0000-4000-8000-0123456789ab'


def key(ceph):
    ceph.note('key', KEY)
    ceph.auth.append(KEY)


def test_names_alone_prove_nothing(ceph, clean, capsys):
    ceph.add_pool(POOL, rule='replicated_rule')
    ceph.roots[OTHER] = []
    ceph.rules[OTHER] = OTHER
    ceph.auth.append(KEY)
    before = ceph.state()
    assert clean() == 0
    assert ceph.state() == before
    out = capsys.readouterr().out
    assert 'not touched: pool ' + POOL in out and 'not touched: key' in out
    assert 'if you know it: ceph osd crush rm ' + OTHER in out


def test_an_enabled_module_is_not_disturbed(ceph, clean):
    key(ceph)
    ceph.modules = ['perfcompare']
    ceph.status = {'progress': {'run': RUN}}
    with pytest.raises(Failed, match='is active; cancel it'):
        clean()
    ceph.status = {'progress': None}
    ceph.kv[HEAD] = json.dumps({'run': RUN, 'chunks': 1})
    with pytest.raises(Failed, match='about to take up'):
        clean()
    ceph.failing['perfcompare status'] = 'Error EIO'
    with pytest.raises(Failed, match='ceph mgr module disable perfcompare'):
        clean()
    assert ceph.said == [] and KEY in ceph.auth


def test_no_manager_goes_on_with_a_run_that_is_undone_here(
    ceph, clean, tmp_path
):
    key(ceph)
    ceph.kv[HEAD] = json.dumps({'run': RUN, 'chunks': 1})
    ceph.kv[HEAD.replace('head', 'plan/0000')] = 'x'
    for run in (RUN, '99999999'):
        (tmp_path / ('perfcompare-' + run)).mkdir()
    assert clean() == 0 and ceph.kv == {}
    assert [p for p in ceph.said if 'config-key rm' in p][0].endswith('head')
    # one of another cluster's run stays
    assert [p.name for p in tmp_path.iterdir()] == ['perfcompare-99999999']


def test_folders_are_found_where_cephadm_mounts_them(ceph, clean, tmp_path):
    """Of a container's /run/ceph the host has one for each cluster."""
    key(ceph)
    for base in (FSID, 'elsewhere'):
        for run in (RUN, '99999999'):
            (tmp_path / base / ('perfcompare-' + run)).mkdir(parents=True)
    assert clean() == 0
    assert sorted(
        str(p.relative_to(tmp_path)) for p in tmp_path.glob('*/*')
    ) == [
        FSID + '/perfcompare-99999999',
        'elsewhere/perfcompare-' + RUN,
        'elsewhere/perfcompare-99999999',
    ]


def test_a_folder_that_is_a_link_is_not_entered(ceph, clean, tmp_path):
    key(ceph)
    folder = tmp_path / 'elsewhere' / ('perfcompare-' + RUN)
    folder.mkdir(parents=True)
    (tmp_path / FSID).symlink_to('elsewhere')
    assert clean() == 0
    assert folder.exists()


def test_keys_of_load_hosts_are_told_and_stay(ceph, clean, capsys):
    """They are of no run; whoever removes the module is to know of them."""
    agent = 'client.perfcompare.agent.load-1'
    ceph.auth.append(agent)
    assert clean() == 0
    assert ceph.said == [] and agent in ceph.auth
    out = capsys.readouterr().out
    assert 'not touched: key %s: of a load host' % agent in out
    assert 'ceph auth rm ' + agent in out
    assert 'nothing that perfcompare noted is left' in out


@pytest.mark.parametrize('act', [False, True])
def test_it_ends_with_an_error_while_anything_is_left(ceph, clean, act):
    assert clean(act) == 0
    key(ceph)
    ceph.failing['auth rm'] = 'no'
    assert clean(act) == 1
