"""The calls of the dashboard that concern single trials and OSDs."""

import errno
import threading

import pytest

from perfcompare.app import errands, results
from perfcompare.app.requests import RunRequest
from perfcompare.common.codec import to_data
from perfcompare.common.settings import Settings
from perfcompare.composition import assemble
from perfcompare.guard.collect.tools import Toolbox
from perfcompare.remote import calls as api
from perfcompare.store.results import FileDatabase, Store, TrialRecord
from perfcompare.store.thread import DbThread

from ..data.run_data import make_run, make_trial
from ..fakes.cluster import FakeCluster
from ..fakes.workers import FakeLauncher
from ..metrics.test_osd_table import figures

PROFILE = """\
rounds: 6
workloads:
- op: write
  size: 4K
  concurrency: 4
"""
KEY = {'round': 1, 'block': 0, 'attempt': 1, 'position': 1}


class Counting(Store):
    """Count how trials are read."""

    def __init__(self, database):
        super().__init__(database)
        self.read = []

    def trials(self, run, *args, **kwargs):
        self.read.append('all, brief' if kwargs.get('brief') else 'all')
        return super().trials(run, *args, **kwargs)

    def trial(self, run, key):
        self.read.append('one')
        return super().trial(run, key)


@pytest.fixture
def store():
    found = Counting(FileDatabase())
    run = make_run()
    found.put_run(run)
    evidence = {
        'osds': {
            str(i): figures(commit=0.002 * (10 if i == 3 else 1))
            for i in range(6)
        }
    }
    found.put_trials(
        run.id,
        [
            TrialRecord(
                make_trial(run.id, number, 0, position, evidence=evidence)
            )
            for number in range(3)
            for position in range(2)
        ],
    )
    return found


@pytest.fixture
def service(store, tmp_path):
    found = assemble(
        FakeCluster(),
        DbThread(store),
        Toolbox(),
        Settings,
        lambda: str(tmp_path),
        lambda path: FakeLauncher(),
        lambda: 'client-1',
    )
    stopping = threading.Event()
    thread = threading.Thread(target=found.serve, args=(stopping,))
    thread.start()
    yield found
    stopping.set()
    found.shutdown()
    thread.join(10)


def data(service, name, **args):
    found = api.call(service, name, args)
    assert 'error' not in found, found
    return found['data']


def test_osds_are_what_groups_are_made_of(service):
    found = data(service, 'osds')
    assert [o['id'] for o in found] == sorted(service.cluster.osds)
    assert {'host', 'device_class', 'up'} <= set(found[0])


@pytest.mark.process
def test_plans_say_which_groups_are_emulated(service):
    for osd in service.cluster.osds:
        service.cluster.set_osd(osd, addresses=('127.0.1.1',))
    wish = RunRequest(groups=('x86', 'arm'), profile='quick')
    labels = service.draft(wish).plan.labels
    told = [label for label in labels if 'emulated' in label]
    assert len(told) == 1 and told[0].startswith("group 'arm' is emulated")


def test_load_hosts_are_switched_and_removed_and_keys_stay(service):
    added = service.load_hosts.add('load-1')
    one = {'host': 'load-1'}
    (listed,) = data(service, 'load_host_ls')
    assert (listed['host'], listed['state']) == ('load-1', 'never seen')
    off = data(service, 'load_host_enable', enabled=False, **one)
    assert off['state'] == 'disabled'
    checked = data(service, 'load_host_check', **one)
    assert checked['host']['host'] == 'load-1' and checked['findings']
    key = added.keyring.split('key = ')[1].split()[0]
    assert key not in repr((listed, off, checked))
    assert data(service, 'load_host_rm', **one) == {'removed': 'load-1'}
    assert data(service, 'load_host_ls') == []
    for name in ('load_host_check', 'load_host_rm'):
        assert api.call(service, name, one)['errno'] == errno.ENOENT
    for wrong in ('-x', '../a', 'a' * 300, ''):
        found = api.call(service, 'load_host_check', {'host': wrong})
        assert found['errno'] == errno.EINVAL
        assert '\n' not in found['error'] and len(found['error']) < 300
    assert 'enabled' in api.call(service, 'load_host_enable', one)['error']


def test_one_trial_is_read_alone(service, store):
    found = data(service, 'trial', run=make_run().id, **KEY)
    assert store.read == ['one']
    assert (found['round'], found['position']) == (1, 1)
    assert found['manifest'] and found['evidence']['osds']
    assert found == to_data(store.trials(make_run().id)[3])


def test_trial_that_is_not_there_is_an_error(service):
    found = api.call(
        service, 'trial', {'run': make_run().id, **KEY, 'attempt': 9}
    )
    assert found['errno'] == errno.ENOENT
    assert '1/0/9/1' in found['error']


def test_brief_show_reads_no_evidence(service, store):
    run = make_run().id
    brief = data(service, 'show', run=run, brief=True)
    whole = data(service, 'show', run=run)
    assert store.read == ['all, brief', 'all']
    assert len(brief['trials']) == len(whole['trials']) == 6
    assert all(t['evidence'] == t['manifest'] == {} for t in brief['trials'])
    assert whole['trials'][0]['evidence']['osds']
    assert brief['trials'][0]['summary'] == whole['trials'][0]['summary']
    assert brief['bytes'] == store.run_size(run) > 0


def test_osds_of_one_trial_are_spread_and_the_top_ones(service, store):
    found = data(service, 'trial_osds', run=make_run().id, top=2, **KEY)
    assert store.read == ['one']
    assert [r['osd'] for r in found['table']['rows']] == [3, 0]
    assert found['osds'] == 6
    assert found['spreads']['commit']['max'] == 0.02
    assert found['spreads']['ops_per_s']['n'] == 6
    whole = data(service, 'trial_osds', run=make_run().id, **KEY)
    assert len(whole['table']['rows']) == 6


def test_osds_of_a_run_are_read_page_by_page(service, store, monkeypatch):
    size = store.run_size(make_run().id)
    monkeypatch.setattr(results, 'PAGE_BYTES', size // 3 + 1)
    found = data(service, 'run_osds', run=make_run().id)
    assert store.read == ['all'] * 4
    assert [t['trials'] for t in found['tables']] == [2, 2]
    assert {t['group'] for t in found['tables']} == {'arm', 'x86'}
    some = data(service, 'run_osds', run=make_run().id, top=2)
    for table, whole in zip(some['tables'], found['tables']):
        assert table['rows'] == whole['rows'][:2]
        assert table['more'] == len(whole['rows']) - 2 > 0
        assert whole['more'] == 0


@pytest.mark.parametrize('brief', (True, False))
def test_trials_are_read_page_by_page(service, store, monkeypatch, brief):
    whole = store.trials(make_run().id, brief=brief)
    store.read.clear()
    monkeypatch.setattr(results, 'PAGE', 4)
    shown = service.results.show(make_run().id, brief)
    assert shown.trials == whole and len(whole) == 6
    assert len(store.read) == 2
    store.read.clear()
    found = service.results.compare('x86', 'arm', [make_run().id])
    assert found.rows and len(store.read) == 2


def test_a_list_of_rows_leaves_out_what_one_row_shows(service):
    asked = {
        'baseline': 'x86',
        'candidate': 'arm',
        'runs': (make_run().id,),
    }
    whole = data(service, 'compare', **asked)
    brief = data(service, 'compare', brief=True, **asked)
    first, *_ = whole['rows']
    for row, full in zip(brief['rows'], whole['rows']):
        verdict = ('verdict', 'verdict_text', 'reason', 'detail')
        for key in verdict:
            assert row['estimate'][key] == full['estimate'][key]
        median = full['candidate']['ops_per_s']['median']
        short = None if median is None else float(f'{median:.6g}')
        assert row['candidate']['ops_per_s']['median'] == short
        assert row['pairs'] == [] == row['baseline']['dots']
    assert len(str(brief)) < len(str(whole))
    name = first['workload']
    assert data(service, 'compare', row=name, **asked)['rows'] == [first]
    refused = api.call(service, 'compare', {'row': 'no-4K', **asked})
    assert "no workload 'no-4K'" in refused['error']


@pytest.mark.parametrize(
    'name, args',
    [
        ('group_create', {'group': 'both', 'hosts': ['n1']}),
        ('profile_create', {'profile': 'mine', 'text': PROFILE}),
    ],
)
def test_what_is_defined_is_defined_once(service, name, args, monkeypatch):
    """Told that it takes a moment, the same request is given again."""
    written = threading.Event()
    cluster = service.cluster
    store = cluster.kv_set

    def slow(key, value):
        assert written.wait(10)
        store(key, value)

    monkeypatch.setattr(cluster, 'kv_set', slow)
    monkeypatch.setattr(service.calls, '_patience', errands.Patience(0.01))
    args['hosts'] = [cluster.osds[0].host] if 'hosts' in args else None
    args = {n: v for n, v in args.items() if v is not None}
    first = api.call(service, name, args)
    assert first.get('code') == api.IN_PROGRESS, first
    written.set()
    monkeypatch.setattr(service.calls, '_patience', errands.Patience(10.0))
    assert 'error' not in api.call(service, name, args)
    again = api.call(service, name, args)
    assert again['errno'] == errno.EEXIST
    assert 'exists; change it with PUT' in again['error']


@pytest.mark.parametrize('name', ['group_ls', 'status'])
@pytest.mark.parametrize('error', [KeyError('osd.7'), TypeError, IndexError])
def test_a_fault_of_ours_is_none_of_the_request(
    service, monkeypatch, caplog, name, error
):
    def broken(service, args):
        raise error

    monkeypatch.setitem(api.CALLS, name, broken)
    found = api.call(service, name, {})
    assert found['errno'] == errno.EIO
    assert found['error'].startswith('internal error: ')
    assert 'Traceback' in caplog.text and name in caplog.text


def test_what_is_required_and_null_is_missing(service):
    found = api.call(service, 'show', {'run': None})
    assert found['errno'] == errno.EINVAL
    assert found['error'] == 'request.run: is missing'


@pytest.mark.parametrize('apply', [None, False, True])
def test_groups_that_are_only_proposed_outdate_nothing(
    service, monkeypatch, apply
):
    outdated = []
    monkeypatch.setattr(
        service, 'outdate', lambda *args: outdated.append(args)
    )
    data(service, 'group_detect', apply=apply)
    assert bool(outdated) is bool(apply)


def test_all_calls_but_these_change_nothing():
    """What changes something outdates what others have not fetched."""
    assert api.READS <= set(api.CALLS)
    assert ' '.join(sorted(set(api.CALLS) - api.READS)) == (
        'cancel cleanup exporter_rm exporter_set gateways_rm gateways_set '
        'group_create group_detect group_rm group_set import '
        'load_host_enable load_host_rm profile_create profile_rm profile_set '
        'recovery_cancel recovery_import recovery_rm recovery_run rm run stop'
    )
