"""What becomes of noout on the hosts of a recovery test, step by step."""

import types

import pytest

from ...model.recovery import StepKind
from ...model.recovery_plan import PlannedStep
from ...recovery.run.fault_injector import FaultInjector
from ...undo.journal import Journal
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

STOP = PlannedStep(StepKind.STOP, 'stop', 'x86-1', (0,), ('x86-1',))


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def injector(cluster):
    return FaultInjector(
        cluster,
        Journal(cluster, FakeClock()),
        types.SimpleNamespace(run=RUN),
        types.SimpleNamespace(stop_by='operator', auto_out=False),
        None,
        lambda: None,
        FakeClock(),
    )


def test_noout_that_nobody_wants_goes_and_nothing_is_said(cluster, injector):
    injector.protect(STOP)
    assert cluster.flags == ['noout:x86-1']
    assert injector.release('x86-1') == () and cluster.flags == []
    assert not [text for level, text in cluster.log if level == 'warn']


@pytest.mark.parametrize(
    'who, audit_from, why',
    [
        ({}, 2000.0, 'ceph osd unset-group noout x86-1'),
        ({'x86-1': 'client.admin'}, 0.0, 'client.admin set it'),
    ],
)
def test_noout_that_stays_is_told_in_the_cluster_log(
    cluster, injector, who, audit_from, why
):
    """Nobody looks at the steps of a test that went well."""
    injector.protect(STOP)
    cluster.noout_by, cluster.audit_from = who, audit_from
    (note,) = injector.release('x86-1')
    assert cluster.flags == ['noout:x86-1']
    (told,) = [text for level, text in cluster.log if level == 'warn']
    assert why in note and why in told
    assert told.startswith('perfcompare: kept: noout x86-1: ')
