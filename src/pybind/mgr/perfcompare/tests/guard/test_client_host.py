"""CLIENT: locality, memory and tools of the machine that makes the load."""

from typing import Dict, List, Optional, Tuple

import dataclasses

import pytest

from ...common.settings import Settings
from ...guard.checks import client_host
from ...guard.checks.client_host import (
    PROCESS_BYTES,
    locality_of,
    memory,
    memory_needed,
)
from ...guard.checks.finding import CheckContext, Severity
from ...guard.collect.facts import Machine, gather
from ...guard.collect.procinfo import MemoryRoom
from ...model.load_host import HostState, LoadHost
from ...model.workload import Concurrency, Op, Profile, Workload
from ..data.guard_data import (
    MACHINE,
    ROOM,
    WRITE,
    FakeToolbox,
    checks,
    facts_of,
    judge,
    two_groups,
    with_options,
    worst,
)
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


# locality


@pytest.mark.parametrize(
    'hostname, addresses, local',
    [
        ('client', (), ()),
        ('arm-1', (), (2,)),
        ('ARM-1.example.org', (), (2,)),
        ('arm-10', (), ()),
        ('client', ('10.0.0.4',), (3,)),
        ('arm-1', ('10.0.0.4',), (2, 3)),
    ],
)
def test_locality_by_name_and_address(
    cluster: FakeCluster,
    hostname: str,
    addresses: Tuple[str, ...],
    local: Tuple[int, ...],
) -> None:
    plan = two_groups(cluster)
    facts = facts_of(cluster, plan, Machine(hostname, addresses, ROOM))
    assert (
        locality_of(
            facts.machines[0], facts.topology, plan.group('arm').osds
        ).same_host
        == local
    )
    assert (
        locality_of(
            facts.machines[0], facts.topology, plan.group('x86').osds
        ).same_host
        == ()
    )


def test_osds_are_looked_through_once_for_all_machines(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hundred load hosts and ten thousand OSDs that took seconds."""
    looked: List[str] = []

    def short_name(host: str) -> str:
        looked.append(host)
        return host.partition('.')[0].lower()

    monkeypatch.setattr(client_host, 'short_name', short_name)
    plan = two_groups(cluster)

    def count(machines: int) -> int:
        facts = facts_of(cluster, plan)
        facts.machines = tuple(
            Machine(f'load-{n}', (), ROOM) for n in range(machines)
        )
        del looked[:]
        client_host.local_client(CheckContext(facts, plan, Settings()))
        return len(looked)

    groups = len(plan.groups)
    assert count(11) - count(1) <= 10 * groups


def test_metadata_host_names_count_too(cluster: FakeCluster) -> None:
    cluster.set_osd(2, hostname='node7.example.org')
    plan = two_groups(cluster)
    facts = facts_of(cluster, plan, Machine('node7', (), ROOM))
    assert locality_of(
        facts.machines[0], facts.topology, plan.group('arm').osds
    ).same_host == (2,)


def test_a_local_client_refuses_unless_allowed(
    cluster: FakeCluster,
) -> None:
    machine = Machine('arm-1', (), ROOM)
    found = worst(judge(cluster, machine=machine), 'CLIENT')
    assert found.severity is Severity.REFUSE
    assert "arm-1, which carries osd.2 of group 'arm'" in found.message
    assert 'rows then get no verdict (`client locality`)' in found.remedy
    plan = with_options(two_groups(cluster), allow_local_client=True)
    report = judge(cluster, plan, machine)
    assert worst(report, 'CLIENT').severity is Severity.WARN
    assert 'rows get no verdict' in worst(report, 'CLIENT').remedy
    assert report.may_run


def test_loopback_under_other_names_is_said_and_does_not_refuse(
    cluster: FakeCluster,
) -> None:
    for osd in range(4):
        cluster.set_osd(osd, addresses=(f'127.7.{osd}.1',))
    report = judge(cluster)
    found = checks(report, 'CLIENT')[0]
    assert found.severity is Severity.WARN
    assert 'loopback' in found.message
    assert 'osd.0, osd.1, osd.2 and osd.3' in found.message
    assert report.may_run


def test_nothing_is_said_of_a_load_host_that_was_never_seen(
    cluster: FakeCluster,
) -> None:
    for ident in range(4):
        cluster.set_osd(ident, addresses=('127.11.2.1',))
    report = judge(cluster, machine=Machine('', (), ROOM))
    messages = [check.message for check in checks(report, 'CLIENT')]
    assert messages
    assert not [m for m in messages if 'loopback' in m or ' from ' in m]


def test_loopback_under_our_name_refuses(cluster: FakeCluster) -> None:
    cluster.set_osd(2, addresses=('127.0.0.1',))
    machine = Machine('arm-1', (), ROOM)
    assert worst(judge(cluster, machine=machine), 'CLIENT').severity is (
        Severity.REFUSE
    )


# memory


def _workload(size: int, concurrency: Concurrency, clients: int) -> Workload:
    return Workload('w', Op('write'), size, concurrency, 60, 5, clients)


def test_memory_needed() -> None:
    one = _workload(4 << 20, Concurrency(16), 1)
    assert memory_needed(one, 8) == 2 * 16 * (4 << 20) + PROCESS_BYTES
    per_osd = _workload(4 << 20, Concurrency(4, per_osd=True), 2)
    assert memory_needed(per_osd, 8) == 2 * 32 * (4 << 20) + (
        2 * PROCESS_BYTES
    )


def test_of_s3_objects_the_gateway_holds_a_part() -> None:
    made = dataclasses.replace(
        _workload(256 << 20, Concurrency(64), 1), op=Op('s3-put')
    )
    assert memory_needed(made, 8) == 2 * 64 * (16 << 20) + PROCESS_BYTES


@pytest.mark.parametrize(
    'free, severity',
    [
        (8 << 30, Severity.OK),
        (3 << 30, Severity.WARN),
        (1 << 30, Severity.REFUSE),
    ],
)
def test_memory_of_the_greatest_workload(
    cluster: FakeCluster, free: int, severity: Severity
) -> None:
    plan = two_groups(
        cluster, workloads=(_workload(4 << 20, Concurrency(256), 1),)
    )
    room = MemoryRoom(free, '/sys/fs/cgroup/memory.max')
    report = judge(cluster, plan, Machine('client', (), room))
    found = worst(report, 'CLIENT')
    assert found.severity is severity
    if severity is not Severity.OK:
        assert '/sys/fs/cgroup/memory.max' in found.message


def test_unknown_memory_warns(cluster: FakeCluster) -> None:
    report = judge(cluster, machine=Machine('client', (), None))
    found = worst(report, 'CLIENT')
    assert found.severity is Severity.WARN
    assert 'not available' in found.message


def rooms(cluster: FakeCluster, *free: Optional[int]) -> List[str]:
    """Return what is found of hosts with so many bytes free each."""
    machines = tuple(
        Machine(
            f'load-{number}',
            (),
            None if room is None else MemoryRoom(room, 'x'),
        )
        for number, room in enumerate(free)
    )
    plan = two_groups(
        cluster, workloads=(_workload(4 << 20, Concurrency(256), 1),)
    )
    facts = gather(cluster, plan, FakeToolbox(), lambda: machines)
    found = memory(CheckContext(facts, plan, Settings()))
    return [f'{f.severity.value}: {f.message}' for f in found]


def test_a_host_that_is_not_known_hides_none_that_is_too_small(
    cluster: FakeCluster,
) -> None:
    refused, warned = rooms(cluster, None, 8 << 30, 1 << 20)
    assert refused.startswith('refuse: ') and 'on load-2, 1.00 MiB' in refused
    assert warned.startswith('warn: ') and 'on load-0;' in warned
    ok, warned = rooms(cluster, 8 << 30, None)
    assert ok.startswith('ok: ') and 'on load-0, 8.00 GiB' in ok
    assert 'on load-1; what' in warned
    both = rooms(cluster, None, None)
    assert len(both) == 1 and 'on load-0 and load-1; what' in both[0]


# tools


def test_missing_rados_refuses(cluster: FakeCluster) -> None:
    toolbox = FakeToolbox(problems={'rados': 'not installed'})
    found = worst(judge(cluster, toolbox=toolbox), 'CLIENT')
    assert found.severity is Severity.REFUSE
    assert found.remedy == 'install the package ceph-common'


def test_missing_numpy_warns(cluster: FakeCluster) -> None:
    toolbox = FakeToolbox(problems={'numpy': 'not installed'})
    report = judge(cluster, toolbox=toolbox)
    found = worst(report, 'CLIENT')
    assert found.severity is Severity.WARN
    assert 'python3-numpy' in found.remedy
    assert report.may_run


@pytest.mark.parametrize(
    'programs, refused',
    [({'fio': 'fio-3.41'}, False), ({}, True), (None, False)],
)
def test_programs_are_those_of_load_hosts(
    cluster: FakeCluster, programs: Optional[Dict[str, str]], refused: bool
) -> None:
    """What the Manager's host has, or lacks, is not asked for."""
    rbd = dataclasses.replace(WRITE, op=Op('rbd-randwrite'), tool='rbd')
    plan = two_groups(
        cluster, profile=Profile('test', '', 3, (rbd,), '0' * 12)
    )
    facts = gather(
        cluster,
        plan,
        FakeToolbox(problems={'fio': 'not installed'}),
        lambda: (MACHINE,),
        load_hosts=(
            LoadHost('load-1', HostState.READY, 0.0, programs={'fio': 'x'}),
            LoadHost('load-2', HostState.READY, 0.0, programs=programs),
        ),
    )
    problems = {tool.problem for tool in facts.tools.values()}
    assert ('not installed on load-2' in problems) == refused
    assert 'not installed' not in problems
    assert not {'rados', 'rbd'} & set(facts.tools)


def test_another_version_of_rados_warns(cluster: FakeCluster) -> None:
    toolbox = FakeToolbox(versions={'rados': '18.2.7'})
    found = worst(judge(cluster, toolbox=toolbox), 'CLIENT')
    assert found.severity is Severity.WARN
    assert '18.2.7, the cluster runs 20.2.4' in found.message


def test_all_is_well(cluster: FakeCluster) -> None:
    found = checks(judge(cluster, machine=MACHINE), 'CLIENT')
    assert [c.severity for c in found] == [Severity.OK] * 3
    assert 'rados 20.2.4' in found[2].message
