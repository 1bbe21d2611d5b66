"""What is left of a latency probe: nothing."""

from typing import Iterator

import pytest

from . import runs
from .live import LiveCluster
from .processes import probes_of
from .provision import FIGURES, Provider, wait_answers
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

CLUSTER = FIGURES.name
# of a run that is cut as soon as there is a probe
CUT = (*runs.SHORT, '--rounds', '1')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with groups by hosts."""
    found = provider.get(FIGURES)
    for side in ('x86', 'alt'):
        hosts = '%s-1,%s-2' % (side, side)
        found.ceph('perfcompare', 'group', 'set', side, '--hosts', hosts)
    yield found
    for side in ('x86', 'alt'):
        found.ceph('perfcompare', 'group', 'rm', side)


def test_nothing_is_left_of_a_run_that_is_cut(cluster: LiveCluster) -> None:
    """Neither a cancelled run nor a killed worker leaves a probe."""
    cluster.wait_clean()
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    run = runs.start(cluster, ['x86'], *CUT)
    wait_for(lambda: probes_of(cluster), 120, 'a probe is there')
    cluster.ceph('perfcompare', 'cancel', run, fmt='')
    runs.wait_end(cluster)
    assert not probes_of(cluster)
    wait_unchanged(tracker, before)

    run = runs.start(cluster, ['x86'], *CUT)
    found = wait_for(lambda: probes_of(cluster), 120, 'a probe is there')
    name = cluster.mgr_kill()  # the worker's lease is not renewed
    wait_for(
        lambda: not set(found) & set(probes_of(cluster)), 60, 'it is gone'
    )
    cluster.mgr_start(name)
    wait_answers(cluster)
    if runs.progress(cluster):  # that it goes on is test_fault_suite's
        cluster.ceph('perfcompare', 'cancel', run, fmt='')
    runs.wait_end(cluster)
    assert not probes_of(cluster)
    wait_unchanged(tracker, before)
