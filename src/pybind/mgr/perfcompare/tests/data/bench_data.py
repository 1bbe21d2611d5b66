"""Plans of runs for tests of what is made in the cluster."""

from typing import Any, Optional, Sequence

from ...model.group import Placement
from ...model.plan import GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.workload import Profile
from ..fakes.cluster import FakeCluster

RUN = '0a1b2c3d'
ROLES = (('write', True), ('read-4K', False))


def group_plan(
    cluster: FakeCluster,
    name: str,
    hosts: Sequence[str],
    by_hosts: bool = False,
    ec: bool = False,
    pg_num: int = 32,
    size: int = 2,
) -> GroupPlan:
    """Plan a group on hosts of the cluster, with a pool of each role."""
    own = f'perfcompare-{RUN}-{name}'
    osds = tuple(o.id for o in cluster.osds.values() if o.host in hosts)
    pools = []
    for role, per_round in ROLES:
        pool = f'perfcompare.{RUN}.{name}.{role}'
        pools.append(
            PoolPlan(
                name=pool,
                group=name,
                role=role,
                rule=pool if ec else own,
                pg_num=pg_num,
                size=size,
                min_size=max(1, size - 1),
                ec_profile=own if ec else None,
                max_bytes=10 << 30,
                per_round=per_round,
            )
        )
    return GroupPlan(
        name=name,
        placement=Placement.HOSTS if by_hosts else Placement.DEVICE_CLASS,
        root=own if by_hosts else None,
        rule=own,
        device_class=None if by_hosts else cluster.osds[osds[0]].device_class,
        hosts=tuple(hosts),
        osds=osds,
        pools=tuple(pools),
    )


def run_plan(
    cluster: FakeCluster,
    by_hosts: bool = False,
    ec_profile: Optional[str] = None,
    failure_domain: str = 'host',
    groups: Sequence[GroupPlan] = (),
    **options: Any,
) -> RunPlan:
    """Plan a run on the groups x86 and arm of the mini cluster."""
    groups = groups or [
        group_plan(
            cluster,
            name,
            [f'{name}-1', f'{name}-2'],
            by_hosts,
            ec_profile is not None,
        )
        for name in ('x86', 'arm')
    ]
    return RunPlan(
        run=RUN,
        groups=tuple(groups),
        profile=Profile('test', '', 1, (), '0' * 12),
        options=RunOptions.of(ec_profile=ec_profile, **options),
        seed=1,
        size=2,
        min_size=1,
        failure_domain=failure_domain,
        blocks=(),
        bytes_written=0,
        seconds=0.0,
        seconds_max=0.0,
        key=f'client.perfcompare.{RUN}',
        client_host='client',
    )
