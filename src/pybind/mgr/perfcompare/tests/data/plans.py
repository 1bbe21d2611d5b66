"""Make plans for unit tests."""

from typing import Any, List, Optional, Sequence, Union

from ...groups import detection
from ...groups import resolution as groups
from ...model.group import GroupSpec
from ...model.plan import RunOptions, RunPlan
from ...model.topology import Pool, Topology
from ...model.workload import Profile
from ...planning import plan
from ...planning.profiles import catalog as profiles
from .cluster_maps import Host, build, large, mini

RUN = '0badcafe'
MGR_POOL = Pool(1, '.mgr', 3, 2, 1, 1, 1, 1, 0)


def make(
    topology: Optional[Topology] = None,
    names: Sequence[Union[str, GroupSpec]] = ('x86', 'arm'),
    profile: Union[str, Profile] = 'quick',
    pools: Sequence[Pool] = (MGR_POOL,),
    seed: int = 1,
    settings: plan.PlanSettings = plan.PlanSettings(),
    **options: Any,
) -> RunPlan:
    found = topology or mini()
    resolved = [
        groups.resolve(
            n if isinstance(n, GroupSpec) else groups.find(n, {}, found),
            found,
        )
        for n in names
    ]
    chosen = profiles.get(profile) if isinstance(profile, str) else profile
    return plan.make_plan(
        RUN,
        resolved,
        chosen,
        RunOptions.of(**options),
        found,
        pools,
        seed,
        'mgr-1',
        settings,
    )


def large_specs() -> List[GroupSpec]:
    return [p.spec for p in detection.detect(large())]


def hosts(kind: str, number: int, osds: int = 1) -> List[Host]:
    return [
        Host(f'{kind}{n}', osds=osds, device_class=kind)
        for n in range(number)
    ]


def erasure(**values: str) -> plan.PlanSettings:
    profile = {'plugin': 'isa', 'k': '2', 'm': '1', **values}
    return plan.PlanSettings(
        ec_profile={k.replace('_', '-', 2): v for k, v in profile.items()}
    )


def four_osds() -> Topology:
    """Return x86 and arm, each as small as all profiles can have it."""
    return build(hosts('x86', 2, 2) + hosts('arm', 2, 2))
