"""Data of lost OSDs stays below the roots that it is in."""

from typing import Any, Tuple

import dataclasses

import pytest

from ...guard.checks import heirs
from ...guard.checks.capacity import fits
from ...guard.checks.finding import Severity
from ...model.topology import Bucket
from ..data.guard_data import checks, group_plan, judge, run_plan
from ..fakes.cluster import FakeCluster

GIB = 1 << 30


def cluster_of(*roots: Tuple[str, int]) -> FakeCluster:
    """Return one whose hosts, of an OSD each, are below some roots."""
    hosts = [
        (f'{name}-{i}', 'ssd', 'x86_64', 1)
        for name, number in roots
        for i in range(number)
    ]
    found = FakeCluster(hosts, size_bytes=100 * GIB)
    del found.buckets['default']
    for place, (name, number) in enumerate(roots):
        items = tuple(found.buckets[f'{name}-{i}'].id for i in range(number))
        found.buckets[name] = Bucket(-100 - place, name, 'root', items)
    return found


def test_only_osds_of_the_same_root_inherit() -> None:
    cluster = cluster_of(('one', 3), ('two', 50))
    cluster.set_osd(0, used_bytes=60 * GIB)
    found = heirs.spread(cluster.topology(), [0])
    assert found == {1: 30 * GIB, 2: 30 * GIB}


def test_a_full_root_is_refused_however_large_the_others_are() -> None:
    cluster = cluster_of(('one', 3), ('two', 50))
    for osd in range(3):
        cluster.set_osd(osd, used_bytes=60 * GIB)
    plan = plan_of(cluster, 3)
    found = checks(judge(cluster, plan), 'CAPACITY')
    assert [c.severity for c in found] == [Severity.OK, Severity.REFUSE]
    assert not fits(cluster.topology(), plan, None, 0.8)


def plan_of(cluster: FakeCluster, osds: int) -> Any:
    group = group_plan(cluster, 'ssd')
    osd_ids = tuple(range(osds))
    return run_plan([dataclasses.replace(group, osds=osd_ids)])


def test_roots_of_runs_are_nobodys() -> None:
    cluster = cluster_of(('one', 3), ('two', 3))
    every = tuple(b.id for b in cluster.buckets.values() if b.type == 'host')
    name = 'perfcompare-0a1b2c3d-ssd'
    cluster.buckets[name] = Bucket(-200, name, 'root', every)
    cluster.set_osd(0, used_bytes=60 * GIB)
    assert set(heirs.spread(cluster.topology(), [0])) == {1, 2}


def test_below_several_roots_each_counts() -> None:
    cluster = cluster_of(('one', 3), ('two', 3))
    first = cluster.buckets['one-0'].id
    two = cluster.buckets['two']
    cluster.buckets['two'] = dataclasses.replace(
        two, items=two.items + (first,)
    )
    cluster.set_osd(0, used_bytes=50 * GIB)
    found = heirs.spread(cluster.topology(), [0])
    assert found == pytest.approx({o: 10 * GIB for o in range(1, 6)})


@pytest.mark.parametrize('alone', [True, False])
def test_where_nobody_shares_a_root_all_of_the_class_inherit(
    alone: bool,
) -> None:
    cluster = cluster_of(('one', 1), ('two', 2))
    if not alone:
        del cluster.buckets['one']  # its host is in no root
        del cluster.buckets['one-0']
    cluster.set_osd(0, used_bytes=60 * GIB)
    found = heirs.spread(cluster.topology(), [0])
    assert found == {1: 30 * GIB, 2: 30 * GIB}
