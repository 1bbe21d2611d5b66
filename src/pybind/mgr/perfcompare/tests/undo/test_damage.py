"""Whatever is stored: all that can be undone is, and nothing raises."""

import json
import random
import time
import tracemalloc
import zlib

import pytest

from ...common.codec import to_data
from ...common.errors import CommandFailed, InvalidArgument
from ...execution.active_run import UNKNOWN, ActiveRun, Ending
from ...execution.cleanup import Cleanup
from ...model.recovery import (
    Detection,
    DownKind,
    Episode,
    Fate,
    Moment,
    Size,
    State,
    Timeline,
)
from ...model.run import Run, RunState
from ...recovery.observe.handover import Handover, Left
from ...recovery.observe.pgbook import Scope
from ...undo import inventory
from ...undo.engine import ORDER
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..data.guard_data import two_groups
from ..data.undo_data import NAME, POOL, make_placed
from ..fakes import damage
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from ..fakes.running import left

UNDER = {Kind.RULE, Kind.EC_PROFILE, Kind.LINK, Kind.ROOT}
# what stays when the entry of another kind cannot be used
NEEDS = {
    Kind.POOL: UNDER,
    Kind.RULE: {Kind.ROOT, Kind.LINK},
    Kind.LINK: {Kind.ROOT},
}


def _run(**fields):
    plan = two_groups(FakeCluster())
    values = dict(id=plan.run, state=RunState.TRIAL, plan=plan, created=1.7e9)
    return Run(**dict(values, **fields))


def make_all(cluster, journal):
    """Make one thing of each kind that a unit test can have, journaled."""
    journal.intend(RUN, Kind.CONSENT, 'pool_delete')
    journal.intend(RUN, Kind.OSD_OUT, '0', {'weight': '1.0'})
    cluster.osd_out(0)
    journal.intend(
        RUN, Kind.OSD_STOP, '3', {'by': 'operator', 'weight': '1.0'}
    )
    journal.intend(RUN, Kind.NOOUT, 'arm-1')
    cluster.noout_set('arm-1')
    journal.intend(
        RUN, Kind.CONFIG, 'osd_mclock_profile', {'who': 'osd'},
        value='balanced', previous='high_client_ops', was_set=True,
    )  # fmt: skip
    cluster.config_set('osd', 'osd_mclock_profile', 'balanced')
    journal.intend(
        RUN, Kind.CONFIG, 'mgr_stats_period', {'who': 'global'}, value='2'
    )
    cluster.config_set('global', 'mgr_stats_period', '2')
    make_placed(cluster, journal)
    journal.intend(RUN, Kind.BLOCKLIST, '192.0.2.1:0/77')
    cluster.blocklist_add('192.0.2.1:0/77', 120.0)


@pytest.fixture
def made():
    found = FakeCluster()
    found.add_pool('rbd', objects=5)
    found.config[('osd', 'osd_mclock_profile')] = 'high_client_ops'
    journal = Journal(found, FakeClock())
    make_all(found, journal)
    return found, journal


def _kinds(entries, key):
    """Return the kinds that may stay when one entry is damaged."""
    (hit,) = [e for e in entries if e.key == key]
    # consent is for the next attempt, as long as anything is left
    return {hit.kind, Kind.CONSENT} | NEEDS.get(hit.kind, set())


@pytest.mark.parametrize('seed', range(120))
def test_a_damaged_entry_stops_the_undo_of_no_other(made, seed):
    cluster, journal = made
    rng = random.Random(seed)
    entries = journal.entries(RUN)
    key = rng.choice([e.key for e in entries])
    may_stay = _kinds(entries, key)
    stored = cluster.kv[key]
    cluster.kv[key] = damage.text(rng, stored)
    report = journal.undo_all(RUN)
    for entry in entries:
        if entry.key != key and entry.kind not in may_stay:
            assert entry.key not in cluster.kv, (entry, cluster.kv[key])
    if key in cluster.kv:
        assert report.leftovers, cluster.kv[key]
        assert all(item.remedy for item in report.leftovers)
    assert 'rbd' in cluster.pool_table and 'client.admin' in cluster.auth
    # what was not damaged is restored, also by the second attempt
    cluster.kv[key] = stored
    assert not journal.undo_all(RUN).leftovers
    assert left(cluster) == []
    assert cluster.osds[0].in_ and cluster.flags == []


@pytest.mark.parametrize('seed', range(20))
def test_many_damaged_entries_stop_nothing(made, seed):
    cluster, journal = made
    rng = random.Random(seed)
    entries = journal.entries(RUN)
    stored = dict(cluster.kv)
    for key in rng.sample(sorted(stored), 6):
        cluster.kv[key] = damage.text(rng, stored[key])
    whole = {e.key for e in entries if cluster.kv[e.key] == stored[e.key]}
    journal.undo_all(RUN)
    for entry in entries:
        if entry.kind not in UNDER | {Kind.CONSENT} and entry.key in whole:
            assert entry.key not in cluster.kv
    cluster.kv.update(stored)
    assert not journal.undo_all(RUN).leftovers
    assert left(cluster) == []


@pytest.mark.parametrize(
    'key', ['x', 'x/y', f'{RUN}/1', f'{RUN}/', '/000001', f'{RUN}/000001-zz']
)
def test_a_key_of_no_entry_is_left_and_told(made, key):
    cluster, journal = made
    cluster.kv[f'journal/{key}'] = '{}'
    cleanup = Cleanup(cluster, journal)
    cleanup.undo(journal.runs())
    assert list(cluster.kv_list('journal/')) == [f'journal/{key}']
    (line,) = cleanup.leftovers
    assert f'ceph config-key rm mgr/perfcompare/journal/{key}' in line


def test_an_entry_that_names_another_run_forgets_nothing_of_it(made):
    cluster, journal = made
    other = journal.intend(
        '99999999', Kind.KEY, 'client.perfcompare.99999999'
    )
    (hit,) = [e for e in journal.entries(RUN) if e.kind is Kind.KEY]
    cluster.kv[hit.key] = cluster.kv[other.key]
    report = journal.undo_all(RUN)
    assert other.key in cluster.kv and hit.key in cluster.kv
    assert any(hit.key in item.what for item in report.leftovers)


def test_two_managers_never_write_the_same_entry():
    cluster = FakeCluster()
    one, two = Journal(cluster), Journal(cluster)
    for journal in (one, two):
        journal.intend(RUN, Kind.ROOT, NAME)
    two._last = dict(one._last)  # neither saw what the other wrote
    for name in ('a', 'b', 'c'):
        one.intend(RUN, Kind.LINK, name, {'root': NAME})
        two.intend(RUN, Kind.LINK, name.upper(), {'root': NAME})
    names = [e.name for e in one.entries(RUN)]
    assert len(names) == 8 and {'a', 'A', 'c', 'C'} <= set(names)


def test_entries_of_former_versions_are_undone_and_forgotten(made):
    cluster, journal = made
    for key in list(cluster.kv_list('journal/')):
        cluster.kv[key.rpartition('-')[0]] = cluster.kv.pop(key)
    assert len(journal.entries(RUN)) == len(cluster.kv)
    assert not journal.undo_all(RUN).leftovers
    assert left(cluster) == [] and cluster.kv == {}


def test_every_kind_has_its_turn_and_a_remedy():
    assert set(ORDER) == set(Kind) and len(ORDER) == len(Kind)
    for kind in set(Kind) - {Kind.CONSENT}:
        assert len(inventory.remedy(kind, 'x')) > 30, kind


def test_a_value_that_is_not_known_any_more_is_not_removed(made):
    cluster, journal = made
    (hit,) = [e for e in journal.entries(RUN) if e.was_set]
    data = json.loads(cluster.kv[hit.key])
    del data['previous']
    cluster.kv[hit.key] = json.dumps(data)
    (line,) = journal.undo_all(RUN).leftover_lines()
    assert 'lacks the former value' in line
    assert cluster.config[('osd', 'osd_mclock_profile')] == 'balanced'


def test_a_bucket_of_another_name_is_not_removed():
    cluster, asked = FakeCluster(), []

    def remove(entry):
        asked.append(entry.name)
        return ''

    journal = Journal(cluster, FakeClock(), remove)
    for name in ('customers', 'perfcompare-99999999-g0-w', 'perfcompare-x'):
        journal.intend(RUN, Kind.BUCKET, name, {'gateways': 'arm'})
    journal.intend(RUN, Kind.BUCKET, f'perfcompare-{RUN}-g0-write-4k')
    assert len(journal.undo_all(RUN).leftovers) == 3
    assert asked == [f'perfcompare-{RUN}-g0-write-4k']


def test_hosts_that_are_named_like_ours_are_not_reported():
    cluster = FakeCluster([('perfcompare-lab', 'ssd', 'x86_64', 1)])
    assert Journal(cluster).strays() == []


def test_a_fault_of_one_run_holds_no_other_up(made, monkeypatch):
    cluster, journal = made
    real = Journal.undo_all

    def undo(self, run):
        if run == '00000000':
            raise RuntimeError('a fault of ours')
        return real(self, run)

    monkeypatch.setattr(Journal, 'undo_all', undo)
    cleanup = Cleanup(cluster, journal)
    cleanup.undo(['00000000', RUN])
    assert left(cluster) == []
    (line,) = cleanup.leftovers
    assert line.startswith('run 00000000: a fault of ours; try ')


def test_a_look_that_fails_forgets_nothing(made):
    cluster, journal = made
    before = len(cluster.kv)
    cluster.fail_on('ec_profile_names', 9, CommandFailed('x', -5, 'odd'))
    report = journal.undo_all(RUN)
    assert any('cannot be read' in i.reason for i in report.leftovers)
    assert len(cluster.kv) == before and POOL not in cluster.pool_table
    cluster.failures.clear()
    assert journal.undo_all(RUN).clean and cluster.kv == {}


# the active record


@pytest.fixture
def active():
    cluster = FakeCluster()
    found = ActiveRun(cluster)
    found.save(_run())
    return cluster, found


def test_a_run_is_read_as_it_was_saved(active):
    cluster, found = active
    read = found.load()
    assert read.run == _run() and read.id == RUN and not read.problem
    assert read.resumes == 0 and abs(read.seen - time.time()) < 60
    found.resume(read)
    assert found.load().resumes == 1
    found.end(Ending(RunState.ABORTED, 'x'))
    assert found.load().ending == (RunState.ABORTED, 'x')
    found.clear()
    assert cluster.kv == {} and found.load() is None


@pytest.mark.parametrize('seed', range(150))
def test_a_damaged_record_is_a_run_that_is_not_gone_on_with(active, seed):
    cluster, found = active
    rng = random.Random(seed)
    found.resume(found.load())
    found.end(Ending(RunState.CANCELLED, 'by an operator'))
    what = rng.randrange(3)
    key = rng.choice(sorted(cluster.kv))
    if what == 0:
        del cluster.kv[key]
    elif what == 1:
        cluster.kv[key] = damage.text(rng, cluster.kv[key])
    else:
        cluster.kv.update(damage.plan(rng, cluster.kv))
    read = found.load()
    if read is None:
        assert key == 'active/head' and cluster.kv == {}
        return
    assert (read.run is None) == bool(read.problem)
    assert read.run is None or read.run.id == read.id == RUN
    assert read.id in ('', RUN) or len(read.id) == 8
    assert '\n' not in read.problem and len(read.problem) <= 200
    assert read.ending is None or read.ending.state.ended
    assert read.resumes == UNKNOWN or 0 <= read.resumes < 10**9
    found.clear()
    assert cluster.kv == {}


def test_a_record_that_unpacks_to_much_more_costs_little(active):
    cluster, found = active
    packer, block = zlib.compressobj(1), b' ' * (1 << 20)
    packed = b''.join(packer.compress(block) for _ in range(64))
    cluster.kv.update(damage.parts(packed + packer.flush()))
    tracemalloc.start()
    read = found.load()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read.run is None and 'too large' in read.problem
    assert most < 16 << 20


def test_a_plan_that_could_not_be_read_again_is_not_taken(monkeypatch):
    monkeypatch.setattr('perfcompare.execution.active_run.LIMIT', 1000)
    cluster = FakeCluster()
    with pytest.raises(InvalidArgument, match='at most 1000 can be kept'):
        ActiveRun(cluster).save(_run())
    assert cluster.kv == {}


# what observers of recoveries keep


@pytest.mark.parametrize('seed', range(80))
def test_a_damaged_recovery_is_none(seed):
    cluster, rng = FakeCluster(), random.Random(seed)
    found = Handover(cluster)
    down = Detection(3, 1.7e9, 0.5, DownKind.UNKNOWN, grace=20.0)
    timeline = Timeline(
        'x86', 1.7e9, 1.7e9 + 9, {'T1': Moment(Fate.REACHED, 1.7e9, 0.1, 'x')},
        size=Size(3, 9), states={'active': 4}, detections=(down,),
    )  # fmt: skip
    episode = Episode('0a1b2c3d', State.OPEN, 1.7e9, timelines=(timeline,))
    found.save(Left(episode, 10, 20, Scope('x86', frozenset([1, 3]), None)))
    read = found.load()
    assert read.episode.timelines[0].detections == (down,)
    (key,) = cluster.kv
    data = json.loads(cluster.kv[key])
    if seed % 2:
        rows = data['timelines'][0]
        rows[rng.randrange(len(rows))] = rng.choice(damage.ODD)
        cluster.kv[key] = json.dumps(data)
    else:
        cluster.kv[key] = damage.text(rng, cluster.kv[key])
    read = found.load()
    if read is not None:
        to_data(read.episode)
        assert all(isinstance(t.size, Size) for t in read.episode.timelines)
