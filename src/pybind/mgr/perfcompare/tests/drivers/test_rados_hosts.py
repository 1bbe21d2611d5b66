"""RADOS populations on several load hosts."""

from typing import List, Optional, Set

import pytest

from ...drivers.rados.driver import RadosDriver
from ...model.plan import RunPlan
from ...worker.wire.jobs import Access, Load
from ..data.cluster_maps import build
from ..data.plans import hosts, make

OSDS = 3  # of each group


class Pools:
    """Have every pool."""

    def has(self, pool: object) -> bool:
        """Say yes."""
        return True


def planned(number: int) -> RunPlan:
    return make(
        build([*hosts('x86', OSDS), *hosts('arm', OSDS)]),
        workloads=('rand',),
        sizes=('4K',),
        concurrency=('64',),
        cache='cached',
        load_hosts=tuple(f'h{i}' for i in range(number)),
    )


def names(parts: 'tuple[Optional[Load], ...]') -> List[Set[str]]:
    """Return which populations are of each host."""
    return [
        {p.run_name for p in part.populations} if part else set()
        for part in parts
    ]


@pytest.mark.parametrize('number', [2, 4 * OSDS, 4 * OSDS + 4])
def test_each_host_reads_what_it_wrote(number: int) -> None:
    plan = planned(number)
    driver = RadosDriver(
        plan,
        Pools(),  # type: ignore[arg-type]
        lambda pool: Access('/c', '/k', 'client.perfcompare.x', pool),
    )
    (workload,), group = plan.profile.workloads, plan.groups[0]
    assert workload.clients >= number
    fill, warm = driver.fill(workload, group), driver.warm(workload, group)
    assert warm is not None
    trial = driver.trial(workload, group, 'r1.b0.a1')
    read = names(trial.divided(number))
    assert all(read)
    assert names(fill.divided(number)) == read
    assert names(warm.divided(number)) == read
    for part in (*fill.divided(number), *warm.divided(number)):
        assert part is not None
        part.check()
