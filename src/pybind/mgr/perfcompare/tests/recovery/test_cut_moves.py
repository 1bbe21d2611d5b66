"""PGs that are still to be moved stay when a test is to end."""

import threading
import types

import pytest

from ...model.recovery import StepKind
from ...model.recovery_plan import PlannedStep
from ...model.run import RunState
from ...recovery.run import fault_injector
from ...recovery.run.fault_injector import FaultInjector
from ...undo.journal import Journal
from ...workers.control import Stopped
from ..data.bench_data import RUN
from ..data.recovery_rig import HOSTS
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

PGS = 64


def test_no_further_pg_is_moved_once_a_test_is_to_end(monkeypatch):
    monkeypatch.setattr(fault_injector, 'UPMAP_THREADS', 2)
    cluster = FakeCluster(HOSTS)
    pool = cluster.add_pool(f'perfcompare.{RUN}.x86.test', pg_num=PGS)
    group = types.SimpleNamespace(name='x86', osds=tuple(cluster.osds))
    begun, stopped = [], threading.Event()

    def upmap(name, ps, moves):
        begun.append(ps)
        stopped.wait(10.0)  # for the mons' next map

    cluster.pg_upmap = upmap

    def pulse():
        if begun:
            stopped.set()
            raise Stopped(RunState.CANCELLED, 'cancelled by an operator')

    injector = FaultInjector(
        cluster,
        Journal(cluster, FakeClock()),
        types.SimpleNamespace(
            run=RUN, failure_domain='host', group=lambda name: group
        ),
        types.SimpleNamespace(stop_by='operator', auto_out=False),
        None,
        pulse,
        FakeClock(),
    )
    step = PlannedStep(StepKind.MOVE, 'moved', 'x86', (), ())
    with pytest.raises(Stopped):
        injector.make(
            step, types.SimpleNamespace(name=pool.name, group='x86')
        )
    assert len(begun) < PGS / 2
