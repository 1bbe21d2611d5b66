"""The whole plan of a run, before anything is touched.

``make_plan`` is a pure function: equal arguments give an equal plan on
every Python, so that `--dry-run`, the runner and another mgr after a
failover agree.
"""

from typing import Dict, Iterable, List, Sequence, Tuple

import dataclasses
import re

from . import estimate
from . import groups as grouping
from . import orders, profiles, redundancy, s3plan
from .autoscaling import osds_of_rule, paused_pools
from .errors import InvalidArgument
from .estimate import PlanSettings
from .models import (
    Block,
    CacheRegime,
    Group,
    GroupPlan,
    Placement,
    PoolPlan,
    Profile,
    RunOptions,
    RunPlan,
    Workload,
)
from .redundancy import Redundancy
from .topology import Pool, Topology
from .units import count, format_size

MAX_GROUPS = 8
MAX_SEED = 2**32 - 1
MAX_LABEL = 120  # characters
# Below this number of judged rounds only `smoke`'s rule can decide.
DECISIVE_ROUNDS = 6
SMOKE_ROUNDS = 3
# `rados bench` rounds its operations up to whole stripes of an EC pool
# unless the pool allows overwrites: whoever makes the pools looks for this.
EC_OVERWRITES = 'allow_ec_overwrites: objects are no whole stripes'

_RUN = re.compile(r'[0-9a-f]{8}\Z')


@dataclasses.dataclass(frozen=True)
class _Draft:
    """Hold what is decided before the pools are sized."""

    run: str
    groups: Tuple[Group, ...]  # with the names of their sides
    profile: Profile
    redundancy: Redundancy
    pg_num: Dict[str, int]
    objects: Dict[str, int]  # objects per OSD by read role
    sides: int


def make_plan(
    run_id: str,
    groups: Sequence[Group],
    profile: Profile,
    options: RunOptions,
    topology: Topology,
    pools: Sequence[Pool],
    seed: int,
    client_host: str,
    settings: PlanSettings = PlanSettings(),
) -> RunPlan:
    """Return the plan of a run of ``profile`` on ``groups``.

    ``profile`` is as it is stored; ``options`` are applied here. ``pools``
    are those that the cluster has. Raises InvalidArgument when the groups
    cannot be measured so.
    """
    _check(run_id, groups, options, seed)
    profile = profiles.apply(profile, options)
    s3plan.refuse(profile, bool(options.ec_profile))
    sides = _sides(groups, options.control)
    how = redundancy.decide(
        groups, options.replicas, options.ec_profile, settings.ec_profile
    )
    shared = len(sides) // len(groups)
    draft = _Draft(
        run=run_id,
        groups=sides,
        profile=profile,
        redundancy=how,
        pg_num=_pg_numbers(
            sides, profile, options, topology, pools, how, settings, shared
        ),
        objects=_populations(groups, profile, settings, shared),
        sides=shared,
    )
    plan = RunPlan(
        run=run_id,
        groups=(),
        profile=profile,
        options=options,
        seed=seed,
        size=how.size,
        min_size=how.min_size,
        failure_domain=how.failure_domain,
        blocks=orders.draw(
            [w.name for w in profile.workloads],
            [g.name for g in sides],
            profile.rounds,
            seed,
        ),
        bytes_written=0,
        seconds=0.0,
        seconds_max=0.0,
        key=f'client.perfcompare.{run_id}',
        client_host=client_host,
        pauses_autoscaler=paused_pools(groups, topology, pools),
        labels=_labels(draft, groups, options, settings)
        + tuple(s3plan.labels(profile, client_host)),
    )

    def make(scale: float) -> RunPlan:
        found = tuple(_group_plan(draft, g, options, scale) for g in sides)
        return dataclasses.replace(plan, groups=found)

    return estimate.timed(
        estimate.fit(make, topology, settings.nearfull_ratio, how.data_chunks)
    )


def remaining(
    plan: RunPlan,
    done: Iterable[Tuple[int, int]],
    stopped: Iterable[str] = (),
) -> Tuple[Block, ...]:
    """Return the blocks that are still to do, in order.

    ``done`` are (round, index) of the blocks that are complete; ``stopped``
    workloads were decided early (adaptive) and leave the later rounds.
    """
    complete = set(done)
    left = set(stopped)
    return tuple(
        block
        for block in plan.blocks
        if (block.round, block.index) not in complete
        and block.workload not in left
    )


def _check(
    run_id: str, groups: Sequence[Group], options: RunOptions, seed: int
) -> None:
    if not _RUN.match(run_id):
        raise InvalidArgument(
            f'run id {run_id!r} is not 8 lowercase hexadecimal digits'
        )
    if not 1 <= len(groups) <= MAX_GROUPS:
        raise InvalidArgument(
            f'{count(len(groups), "group")}: give 1 to {MAX_GROUPS} with '
            '--group'
        )
    if not 0 <= seed <= MAX_SEED:
        raise InvalidArgument(
            f'--seed {seed} is out of range; give 0 to {MAX_SEED}'
        )
    label = options.label
    if len(label) > MAX_LABEL or not label.isprintable():
        raise InvalidArgument(
            f'--label {label[:40]!r} is not valid; give one line of at most '
            f'{MAX_LABEL} printable characters'
        )
    if options.control and len(groups) != 1:
        raise InvalidArgument(
            f'--control measures one group against itself, but '
            f'{len(groups)} are given ({_names(groups)}); give one --group'
        )
    grouping.check_distinct(groups)


def _sides(groups: Sequence[Group], control: bool) -> Tuple[Group, ...]:
    """Return the groups of the run; twice the same OSDs for a control."""
    if not control:
        return tuple(groups)
    (group,) = groups
    return tuple(
        dataclasses.replace(
            group, spec=dataclasses.replace(group.spec, name=name)
        )
        for name in grouping.control_pair(group.name)
    )


def _reads(profile: Profile) -> Dict[str, List[Workload]]:
    """Return the read workloads by the role of the pool they read."""
    found: Dict[str, List[Workload]] = {}
    for workload in profile.workloads:
        if workload.reads and not workload.op.s3:
            role = estimate.read_role(workload)
            found.setdefault(role, []).append(workload)
    return found


def _writes(profile: Profile) -> List[Workload]:
    return [w for w in profile.workloads if not w.reads and not w.op.s3]


def _pg_numbers(
    sides: Sequence[Group],
    profile: Profile,
    options: RunOptions,
    topology: Topology,
    pools: Sequence[Pool],
    how: Redundancy,
    settings: PlanSettings,
    shared: int,
) -> Dict[str, int]:
    if options.pg_num is not None:
        pg_num = estimate.check_pg_num(options.pg_num)
        return {group.name: pg_num for group in sides}
    rules = {rule.id: rule for rule in topology.rules.values()}
    present = {osd: 0.0 for osd in topology.osds}
    for pool in pools:
        rule = rules.get(pool.crush_rule)
        if rule is None or rule.root not in topology.buckets:
            continue
        osds = osds_of_rule(topology, rule.root, rule.device_class)
        for osd in osds & set(present):
            present[osd] += pool.pg_num_target * pool.size / len(osds)
    return estimate.pg_numbers(
        osds={g.name: len(g.osds) for g in sides},
        pools=len(_reads(profile))
        + bool(_writes(profile))
        + s3plan.pg_weight(profile),
        size=how.size,
        existing={
            g.name: sum(present[o] for o in g.osds) / len(g.osds)
            for g in sides
        },
        limit=settings.mon_max_pg_per_osd,
        sides=shared,
    )


def _populations(
    groups: Sequence[Group],
    profile: Profile,
    settings: PlanSettings,
    shared: int,
) -> Dict[str, int]:
    caches = [settings.cache(g.name) for g in groups]
    return {
        role: estimate.objects_per_osd(workloads, caches, shared)
        for role, workloads in _reads(profile).items()
    }


def _group_plan(
    draft: _Draft, group: Group, options: RunOptions, scale: float
) -> GroupPlan:
    name = f'{grouping.OWN_PREFIX}{draft.run}-{group.name}'
    by_hosts = group.spec.placement is Placement.HOSTS
    return GroupPlan(
        name=group.name,
        placement=group.spec.placement,
        root=name if by_hosts else None,
        rule=name,
        device_class=group.spec.device_class,
        hosts=group.hosts,
        osds=group.osds,
        pools=_pools(draft, group, name, bool(options.ec_profile), scale),
        note=group.spec.note,
        watts=group.spec.watts,
        price=group.spec.price,
    )


def _pools(
    draft: _Draft, group: Group, name: str, erasure: bool, scale: float
) -> Tuple[PoolPlan, ...]:
    how = draft.redundancy
    osds = len(group.osds)
    planned: List[Tuple[str, int, bool]] = []
    writes = _writes(draft.profile)
    if writes:
        raw = how.size / how.data_chunks
        total = estimate.write_bytes(writes, osds, raw, scale)
        planned.append(('write', total, True))
    for role, workloads in _reads(draft.profile).items():
        objects = draft.objects[role] * osds
        # every client needs at least as many as it has in flight
        least = max(w.concurrency.total(osds) for w in workloads)
        size = workloads[0].size
        planned.append((role, max(objects, least) * size, False))
    for role in s3plan.roles(draft.profile):
        total = s3plan.max_bytes(draft.profile, role, osds, scale)
        planned.append((role, total, role in s3plan.WRITE))
    found = []
    for role, max_bytes, per_round in planned:
        pool = f'perfcompare.{draft.run}.{group.name}.{role}'
        found.append(
            PoolPlan(
                name=pool,
                group=group.name,
                role=role,
                # Ceph makes the rule of an EC pool with it, and removes it
                # with it, when it has the pool's name
                rule=pool if erasure else name,
                pg_num=(
                    s3plan.pg_num(role, draft.pg_num[group.name])
                    if role.startswith('s3-')
                    else draft.pg_num[group.name]
                ),
                size=how.size,
                min_size=how.min_size,
                ec_profile=name if erasure else None,
                max_bytes=max_bytes,
                per_round=per_round,
            )
        )
    return tuple(found)


def _labels(
    draft: _Draft,
    groups: Sequence[Group],
    options: RunOptions,
    settings: PlanSettings,
) -> Tuple[str, ...]:
    """Return what every reader of the run's results has to know."""
    profile = draft.profile
    labels = list(draft.redundancy.labels)
    width = draft.redundancy.stripe_width
    if width and any(w.size % width for w in profile.workloads):
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
    for role, workloads in _reads(profile).items():
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


def _names(groups: Sequence[Group]) -> str:
    return ', '.join(g.name for g in groups)
