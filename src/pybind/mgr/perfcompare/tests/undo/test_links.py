"""Links of hosts: where a host is afterwards is compared with before."""

import dataclasses

import pytest

from ...model.topology import Bucket
from ...pools.group_places import GroupPlaces
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN, run_plan
from ..data.undo_data import make_placed
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


def also_in_a_rack(cluster, host):
    """Move a host as Ceph does where a run's root is its first parent."""
    ident = cluster.buckets[host].id
    cluster.buckets['rack'] = Bucket(-90, 'rack', 'rack', (ident,))
    for name, bucket in cluster.buckets.items():
        if RUN in name:
            kept = tuple(i for i in bucket.items if i != ident)
            cluster.buckets[name] = dataclasses.replace(bucket, items=kept)


def test_a_host_that_is_in_more_places_than_before_is_reported(
    cluster, journal
):
    GroupPlaces(cluster, journal, run_plan(cluster, True)).prepare()
    also_in_a_rack(cluster, 'arm-1')
    report = journal.undo_all(RUN)
    assert report.clean
    (kept,) = report.kept
    assert 'arm-1' in kept.what
    assert 'below default and rack now' in kept.reason
    assert 'ceph osd crush unlink arm-1 <bucket>' in kept.reason


def test_where_a_host_was_before_is_not_reported(cluster, journal):
    ident = cluster.buckets['arm-1'].id
    cluster.buckets['mine'] = Bucket(-50, 'mine', 'root', (ident,))
    GroupPlaces(cluster, journal, run_plan(cluster, True)).prepare()
    (entry,) = [
        e
        for e in journal.entries(RUN)
        if e.kind is Kind.LINK and e.name == 'arm-1'
    ]
    assert entry.detail['parents'] == 'default mine'
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept


def test_entries_of_former_versions_compare_nothing(cluster, journal):
    make_placed(cluster, journal)
    also_in_a_rack(cluster, 'arm-1')
    report = journal.undo_all(RUN)
    assert not report.kept
