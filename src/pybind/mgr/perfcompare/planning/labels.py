"""What every reader of a run's results has to know, by its plan."""

from typing import Dict, List, Sequence, Tuple

import dataclasses

from ..common.units import count, format_size
from ..model.group import Group
from ..model.plan import RunOptions
from ..model.workload import CacheRegime, Profile, Workload
from . import estimate
from .estimate import PlanSettings
from .redundancy import Redundancy

# Below this number of judged rounds only `smoke`'s rule can decide.
DECISIVE_ROUNDS = 6
SMOKE_ROUNDS = 3
# `rados bench` rounds its operations up to whole stripes of an EC pool
# unless the pool allows overwrites: whoever makes the pools looks for this.
EC_OVERWRITES = 'allow_ec_overwrites: objects are no whole stripes'


@dataclasses.dataclass(frozen=True)
class Draft:
    """Hold what is decided before the pools are sized."""

    run: str
    groups: Tuple[Group, ...]  # with the names of their sides
    profile: Profile
    redundancy: Redundancy
    pg_num: Dict[str, int]
    objects: Dict[str, int]  # objects per OSD by read role
    sides: int


def reads_of(profile: Profile) -> Dict[str, List[Workload]]:
    """Return the read workloads by the role of the pool they read."""
    found: Dict[str, List[Workload]] = {}
    for workload in profile.workloads:
        if workload.reads and workload.op.direct:
            role = estimate.read_role(workload)
            found.setdefault(role, []).append(workload)
    return found


def plan_labels(
    draft: Draft,
    groups: Sequence[Group],
    options: RunOptions,
    settings: PlanSettings,
) -> Tuple[str, ...]:
    """Return what every reader of the run's results has to know."""
    profile = draft.profile
    labels = list(draft.redundancy.labels)
    width = draft.redundancy.stripe_width
    rados = [w for w in profile.workloads if w.op.direct]
    if width and any(w.size % width for w in rados):
        labels.append(EC_OVERWRITES)
    if options.control:
        labels.append(
            f'control: {draft.groups[1].name!r} is group '
            f'{draft.groups[0].name!r} again'
        )
    elif len(groups) == 1:
        labels.append(
            'one group: compare it with a run of another group, or with '
            'an earlier one'
        )
    if profile.rounds < DECISIVE_ROUNDS and profile.rounds != SMOKE_ROUNDS:
        labels.append(
            f'{count(profile.rounds, "round")}: verdicts need '
            f'{DECISIVE_ROUNDS}'
        )
    elif profile.rounds < DECISIVE_ROUNDS:
        labels.append('3 rounds: verdicts only beyond a factor of 1.25')
    for group in groups:
        if group.missing:
            labels.append(
                f'group {group.name!r} runs without '
                + ', '.join(f'osd.{i}' for i in group.missing[:8])
                + (' …' if len(group.missing) > 8 else '')
            )
    caches = [settings.cache(g.name) for g in groups]
    for role, workloads in reads_of(profile).items():
        size = workloads[0].size
        fits = estimate.cache_limit(size, caches, draft.sides)
        cached = workloads[0].cache is CacheRegime.CACHED
        if cached and draft.objects[role] > fits:
            labels.append(
                f'reads of {format_size(size)} may miss the cache: '
                f'{count(draft.objects[role], "object")} per OSD are more '
                'than half of it'
            )
    if len(set(draft.pg_num.values())) > 1:
        labels.append('pg_num differs between the groups')
    return tuple(labels)
