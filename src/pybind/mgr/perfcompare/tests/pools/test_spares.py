"""No root of a run becomes the first CRUSH parent of a host."""

import dataclasses

import pytest

from ...common.errors import NotPermitted
from ...model.topology import Bucket
from ...pools import group_places
from ...pools.group_places import GroupPlaces
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN, run_plan
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

RACK = -40


@pytest.fixture
def cluster():
    """Return one whose hosts are in a rack that came late.

    Buckets that were removed since have left ids before it.
    """
    found = FakeCluster()
    hosts = found.buckets['default'].items
    found.buckets['rack'] = Bucket(RACK, 'rack', 'rack', hosts)
    found.buckets['default'] = Bucket(-1, 'default', 'root', (RACK,))
    return found


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


def prepare(cluster, journal):
    GroupPlaces(cluster, journal, run_plan(cluster, True)).prepare()


def ours(cluster):
    return {n: b.id for n, b in cluster.buckets.items() if RUN in n}


def test_roots_come_after_all_parents_of_their_hosts(cluster, journal):
    before = cluster.snapshot()
    prepare(cluster, journal)
    assert len(ours(cluster)) == 2  # no spare is left
    assert max(ours(cluster).values()) < RACK
    roots = [e.name for e in journal.entries(RUN) if e.kind is Kind.ROOT]
    assert sorted(roots) == sorted(ours(cluster))
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_spares_are_undone_where_preparing_ends_between(cluster, journal):
    before = cluster.snapshot()
    cluster.fail_on('crush_link_host', 9)
    cluster.fail_on('crush_remove_root', 1)
    with pytest.raises(Exception):
        prepare(cluster, journal)
    assert any('spare' in name for name in ours(cluster))
    assert journal.undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_hosts_directly_below_an_old_root_need_no_spares(journal, cluster):
    plain = FakeCluster()
    del plain.buckets['x86-1']  # whatever was removed
    places = GroupPlaces(plain, Journal(plain, FakeClock()), _arm(plain))
    places.prepare()
    assert len(plain.called('crush_add_root')) == 1


def test_only_the_first_parent_of_a_host_counts(cluster, journal):
    hosts = cluster.buckets['rack'].items
    cluster.buckets['second'] = Bucket(-400, 'second', 'root', hosts)
    prepare(cluster, journal)
    assert min(ours(cluster).values()) > -400
    assert max(ours(cluster).values()) < RACK
    assert journal.undo_all(RUN).clean


def _arm(cluster):
    plan = run_plan(cluster, True)
    groups = tuple(g for g in plan.groups if g.name == 'arm')
    return dataclasses.replace(plan, groups=groups)


def test_too_many_free_ids_are_refused(cluster, journal, monkeypatch):
    monkeypatch.setattr(group_places, 'SPARES', 3)
    with pytest.raises(NotPermitted, match='--device-class'):
        prepare(cluster, journal)
    assert not ours(cluster)
    assert not journal.entries(RUN)
