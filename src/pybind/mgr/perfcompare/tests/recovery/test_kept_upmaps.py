"""Upmaps of others are as before when all nodes that went are back."""

import dataclasses
import errno
import types

import pytest

from ...common.errors import CommandFailed, PerfcompareError, TryAgain
from ...model.recovery import StepKind
from ...model.recovery_plan import PlannedStep
from ...recovery.run.fault_injector import FaultInjector
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

FIRST = PlannedStep(StepKind.STOP, 'first', 'x86-1', (0, 1), ('x86-1',))
SECOND = PlannedStep(StepKind.STOP, 'second', 'x86-2', (2, 3), ('x86-2',))
BACK = PlannedStep(
    StepKind.START, 'back', 'x86-1, x86-2', (0, 1, 2, 3), ('x86-1', 'x86-2')
)


class Stopper:
    """Stop OSDs, which the mons then mark out; start them."""

    def __init__(self, cluster):
        self._cluster = cluster

    def stop(self, step):
        for osd in step.osds:
            self._cluster.set_osd(osd, up=False)
            self._cluster.osd_out(osd)
        return ()

    def start(self, step):
        for osd in step.osds:
            self._cluster.set_osd(osd, up=True)
        return ()


@pytest.fixture
def cluster():
    hosts = [(f'x86-{n}', 'x86', 'x86_64', 2) for n in (1, 2, 3, 4)]
    found = FakeCluster(hosts)
    found.data = found.add_pool('data', pg_num=16, objects=80)
    return found


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


@pytest.fixture
def injector(cluster, journal):
    return FaultInjector(
        cluster,
        journal,
        types.SimpleNamespace(run=RUN),
        types.SimpleNamespace(stop_by='operator', auto_out=True),
        Stopper(cluster),
        lambda: None,
        FakeClock(),
    )


@pytest.fixture
def make(injector):
    def made(step):
        injector.prepare(step)
        return injector.make(step, None)

    return made


def _kept(journal):
    return [
        word
        for entry in journal.entries(RUN)
        if entry.kind is Kind.UPMAPS
        for word in entry.detail['upmaps'].split()
    ]


def test_upmaps_of_several_nodes_are_set_again_when_they_are_back(
    cluster, journal, make
):
    pool = cluster.data.id
    before = {(pool, 1): {0: 5}, (pool, 2): {2: 6}, (pool, 3): {4: 6}}
    cluster.upmap_items = dict(before)
    make(FIRST)
    make(SECOND)
    assert not {(pool, 1), (pool, 2)} & set(cluster.upmap_items)
    notes = make(BACK)
    assert cluster.upmap_items == before
    assert not [note for note in notes if 'upmaps' in note]
    assert journal.entries(RUN) == []


def test_primaries_that_were_chosen_are_chosen_again_at_the_end(
    cluster, journal, make
):
    pool = cluster.data
    osd = next(o for o in FIRST.osds for pg in cluster.pg_map(pool.name)
               if o in pg.up[1:])  # fmt: skip
    pg = next(p for p in cluster.pg_map(pool.name) if osd in p.up[1:])
    before = {(pool.id, pg.ps): osd}
    cluster.primaries = dict(before)
    make(FIRST)
    make(SECOND)
    assert not cluster.primaries
    make(BACK)
    for out in BACK.osds:  # the stopper marks them out by an order
        cluster.osd_in(out)
    # it needs its data first
    assert [e.kind for e in journal.entries(RUN)] == [Kind.UPMAPS]
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert cluster.primaries == before


def test_primaries_of_pgs_that_lose_another_osd_are_kept_as_well(
    cluster, journal, injector
):
    """Some releases drop them when the up set changes."""
    pool = cluster.data
    first = cluster.pg_map(pool.name)[0]
    out, osd = first.up[0], first.up[-1]
    cluster.primaries = {(pool.id, first.ps): osd}
    injector.prepare(
        PlannedStep(StepKind.OUT, 'out', f'osd.{out}', (out,), ('x86-1',))
    )
    kept = [e.detail for e in journal.entries(RUN) if e.kind is Kind.UPMAPS]
    assert kept == [{'primaries': f'{pool.id}.{first.ps:x}={osd}'}]


def _led_by_an_upmap(cluster):
    """Let an OSD lead a PG that it has by an upmap only; name both."""
    pool, pg_map = cluster.data, cluster.pg_map
    first = pg_map(pool.name)[0]
    osd = next(o for o in range(8) if o not in first.up)
    pg = (pool.id, first.ps)
    cluster.upmap_items = {pg: {first.up[-1]: osd}}
    cluster.primaries = {pg: osd}

    def mapped(name):
        found = pg_map(name)
        if pg in cluster.upmap_items:
            up = (*first.up[:-1], osd)
            found[0] = dataclasses.replace(first, up=up, acting=up)
        return found

    cluster.pg_map = mapped
    return osd


def test_a_cut_test_sets_upmaps_before_the_primaries_that_need_them(
    cluster, journal, injector
):
    osd = _led_by_an_upmap(cluster)
    before = dict(cluster.upmap_items), dict(cluster.primaries)
    step = PlannedStep(StepKind.OUT, 'out', f'osd.{osd}', (osd,), ('x86-1',))
    injector.prepare(step)
    injector.make(step, None)
    assert not cluster.upmap_items and not cluster.primaries
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert (cluster.upmap_items, cluster.primaries) == before


def test_primaries_wait_for_upmaps_that_are_not_set_again_yet(
    cluster, journal, injector
):
    osd = _led_by_an_upmap(cluster)
    before = dict(cluster.primaries)
    step = PlannedStep(StepKind.OUT, 'out', f'osd.{osd}', (osd,), ('x86-1',))
    injector.prepare(step)
    injector.make(step, None)
    again = cluster.upmap_again

    def fail(upmap):
        raise CommandFailed('osd pg-upmap-items', -errno.EIO, 'no')

    cluster.upmap_again = fail
    report = journal.undo_all(RUN)
    assert len(report.leftovers) == 2 and not report.kept
    assert 'upmaps of others are not set again' in report.leftovers[1].reason
    cluster.upmap_again = again
    assert journal.undo_all(RUN).clean and cluster.primaries == before


@pytest.mark.parametrize('cut', [False, True])
def test_what_is_left_between_two_nodes_is_not_what_there_was(
    cluster, journal, make, cut
):
    pool = cluster.data.id
    before = {(pool, 10): {0: 5, 2: 6}}
    cluster.upmap_items = dict(before)
    make(FIRST)
    cluster.upmap_items = {(pool, 10): {2: 6}}  # the rest of it
    make(SECOND)
    assert _kept(journal) == [f'{pool}.a=0>5,2>6']
    if cut:  # the undo has the OSDs in again, and then the upmaps
        for osd in BACK.osds:
            cluster.set_osd(osd, up=True)
        assert journal.undo_all(RUN).clean
    else:
        assert not [note for note in make(BACK) if 'upmaps' in note]
    assert cluster.upmap_items == before
    assert _kept(journal) == []


@pytest.mark.parametrize(
    'error, said',
    [
        (
            CommandFailed('osd pg-upmap-items', -22, 'pool size'),
            'upmaps: refused by the Monitors: 1 PG',
        ),
        (
            TryAgain('mon did not answer'),
            'tried anew at the end: mon did not',
        ),
    ],
)
def test_an_upmap_that_fails_is_a_note_of_the_step(
    cluster, journal, make, error, said
):
    pool = cluster.data.id
    cluster.upmap_items = {(pool, 1): {0: 5}, (pool, 2): {0: 6}}
    before = dict(cluster.upmap_items)
    make(FIRST)
    again = cluster.upmap_again

    def fail(upmap):
        if upmap.pgid == f'{pool}.1':
            raise error
        again(upmap)

    cluster.upmap_again = fail
    notes = make(BACK)
    assert [note for note in notes if said in note]
    assert set(cluster.upmap_items) == {(pool, 2)}
    cluster.upmap_again = again
    assert journal.undo_all(RUN).clean
    if isinstance(error, TryAgain):
        assert cluster.upmap_items == before


@pytest.mark.parametrize('kind', [StepKind.DOWN, StepKind.OUT])
def test_all_is_journaled_before_the_time_of_a_step_begins(
    cluster, journal, injector, kind
):
    """Of a host with many OSDs it takes seconds: none has failed yet."""
    step = PlannedStep(kind, 'x86-1', 'x86-1', (0, 1), ('x86-1',))
    injector.prepare(step)
    assert len(journal.entries(RUN)) == 2
    assert all(o.up and o.in_ for o in cluster.osds.values())
    before = len(cluster.called('kv_set'))
    injector.make(step, None)
    assert len(cluster.called('kv_set')) == before
    verb = 'osd_down' if kind is StepKind.DOWN else 'osd_out'
    assert len(cluster.called(verb)) == 2


def test_an_osd_that_is_out_already_is_not_taken(cluster, journal, injector):
    cluster.osd_out(0)
    step = PlannedStep(StepKind.OUT, 'out', 'osd.0', (0,), ('x86-1',))
    with pytest.raises(PerfcompareError, match='osd.0 is out already'):
        injector.prepare(step)
    assert not journal.entries(RUN)
