"""The whole plan of a run, before anything is touched.

``make_plan`` is a pure function: equal arguments give an equal plan on
every Python, so that `--dry-run`, the runner and another mgr after a
failover agree.
"""

from typing import Dict, Optional, Sequence, Tuple

import dataclasses
import re

from ..analysis.adaptive import LEAST, looks
from ..common.errors import InvalidArgument
from ..common.units import count
from ..groups import resolution as grouping
from ..model.group import GatewaySet, Group, Placement
from ..model.plan import GroupPlan, PoolPlan, RunOptions, RunPlan
from ..model.s3_gateways import MAX_GATEWAYS
from ..model.topology import Pool, Topology
from ..model.workload import Profile
from . import (
    allocation_overhead,
    estimate,
    in_flight,
    ladder,
    load_hosts,
    orders,
    pgs,
    probe,
    redundancy,
    waiting,
)
from .autoscaling import osds_of_rule, paused_pools
from .estimate import PlanSettings
from .labels import plan_labels
from .loads import Draft, PoolNeed, planners, planners_of
from .options import MAX_GROUPS, MAX_LABEL, SEED, STATS_PERIOD
from .profiles import applied
from .redundancy import Redundancy
from .s3 import addressing as s3addressing
from .s3 import copies as s3copies
from .s3 import index as s3index
from .s3 import plan as s3plan

SMALL_PGS = 8  # of pools that hold little

_RUN = re.compile(r'[0-9a-f]{8}\Z')


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
    options = ladder.of_profile(profile, options)
    profile = applied.apply(profile, options)
    _check_adaptive(profile, options)
    load_hosts.check(profile, options)
    profile = load_hosts.spread(
        profile, options, [len(g.osds) for g in groups]
    )
    in_flight.check(profile, options, [len(g.osds) for g in groups])
    ladder.check(profile, options)
    for planner in planners():
        planner.check(profile, options)
    sides = _sides(groups, options.control)
    how = redundancy.decide(
        groups,
        options.replicas,
        options.ec_profile,
        settings.ec_profile,
        settings.stripe_unit,
    )
    shared = len(sides) // len(groups)
    draft = Draft(
        run=run_id,
        groups=sides,
        profile=profile,
        options=options,
        redundancy=how,
        pg_num=_pg_numbers(
            sides, profile, options, topology, pools, how, settings, shared
        ),
        caches=tuple(settings.cache(g.name) for g in groups),
        sides=shared,
        client_host=client_host,
        client_arch=settings.client_arch,
        allocation=allocation_overhead.unit(topology, groups),
        theirs=s3copies.raw_per_byte(pools),
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
        probe_rate=probe.rate_of(profile, options),
        labels=plan_labels(draft, groups, settings.initial_pgs)
        + in_flight.labels(draft),
        caches=draft.bounds,
    )

    def gateways(side: str) -> Optional[GatewaySet]:
        # the other side of a control has those of its group
        known = settings.gateways if options.existing_gateways else {}
        return known.get(groups[0].name if options.control else side)

    def hosts(side: str) -> Tuple[str, ...]:
        name = groups[0].name if options.control else side
        return tuple(settings.gateway_hosts.get(name, ()))

    roots = {
        g.name: grouping.class_root(g.name, g.osds, topology)
        for g in sides
        if g.spec.placement is Placement.DEVICE_CLASS
    }

    def make(scale: float) -> RunPlan:
        found = tuple(
            s3plan.ordered(
                _group_plan(
                    draft,
                    g,
                    scale,
                    topology,
                    roots.get(g.name, ''),
                    gateways(g.name),
                ),
                hosts(g.name),
                settings.gateway_port + number * MAX_GATEWAYS,
            )
            for number, g in enumerate(sides)
        )
        return dataclasses.replace(plan, groups=found)

    s3index.refuse_shared(make(1.0).groups)
    nearfull = settings.nearfull_ratio
    fitted = estimate.fit(make, topology, nearfull, how.data_chunks)
    return estimate.timed(
        fitted,
        waiting.tight(fitted, topology, nearfull),
        settings.initial_pgs,
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
    SEED.check(seed)
    STATS_PERIOD.check(options.stats_period)
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
    if options.adaptive and len(groups) < 2 and not options.control:
        raise InvalidArgument(
            '--adaptive stops when the difference of two groups is clear, '
            f'but only {groups[0].name!r} is given; give another --group, '
            'or leave --adaptive out'
        )
    grouping.check_distinct(groups)


def _check_adaptive(profile: Profile, options: RunOptions) -> None:
    if options.adaptive and not looks(profile.rounds):
        raise InvalidArgument(
            f'--adaptive needs at least {LEAST} rounds to look at, and '
            f'profile {profile.name!r} has {profile.rounds} here; give '
            f'--rounds {LEAST} or more, or leave --adaptive out'
        )


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
        pg_num = pgs.check_pg_num(options.pg_num)
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
    return pgs.pg_numbers(
        osds={g.name: len(g.osds) for g in sides},
        pools=sum(
            planner.full_pools(profile, options)
            for planner in planners_of(profile)
        ),
        size=how.size,
        existing={
            g.name: sum(present[o] for o in g.osds) / len(g.osds)
            for g in sides
        },
        limit=settings.mon_max_pg_per_osd,
        sides=shared,
        initial=settings.initial_pgs,
    )


def _group_plan(
    draft: Draft,
    group: Group,
    scale: float,
    topology: Topology,
    class_root: str,
    gateways: Optional[GatewaySet],
) -> GroupPlan:
    name = f'{grouping.OWN_PREFIX}{draft.run}-{group.name}'
    by_hosts = group.spec.placement is Placement.HOSTS
    index = s3index.place(
        group,
        name,
        s3plan.workloads(draft.profile)
        and draft.options.driver('rgw_index_class')
        or '',
        draft.redundancy,
        topology,
        class_root,
    )
    return GroupPlan(
        name=group.name,
        placement=group.spec.placement,
        root=name if by_hosts else None,
        rule=name,
        device_class=group.spec.device_class,
        hosts=group.hosts,
        osds=group.osds,
        pools=_pools(draft, group, name, scale, index.rule),
        note=group.spec.note,
        watts=group.spec.watts,
        price=group.spec.price,
        index_rule=index.rule,
        index_root=index.root,
        index_class=index.device_class,
        index_osds=index.osds,
        class_root=class_root,
        gateways=gateways.group if gateways else '',
        endpoints=gateways.endpoints if gateways else (),
        s3_placement=gateways.placement if gateways else '',
        s3_domain=s3addressing.domain(draft.options, gateways),
    )


def _pools(
    draft: Draft, group: Group, name: str, scale: float, index_rule: str
) -> Tuple[PoolPlan, ...]:
    needs = [
        need
        for planner in planners_of(draft.profile)
        for need in planner.pools(draft, group, scale)
    ]
    return tuple(
        _pool(draft, group, name, need, index_rule) for need in needs
    )


def _pool(
    draft: Draft, group: Group, name: str, need: PoolNeed, index_rule: str
) -> PoolPlan:
    how = draft.redundancy
    erasure = bool(draft.options.ec_profile)
    pool = f'perfcompare.{draft.run}.{group.name}.{need.role}'
    coded = erasure and not need.replicated
    copies = how.size if coded or not erasure else how.replicas
    # Ceph makes the rule of an EC pool with it, and removes it with it,
    # when it has the pool's name
    rule = pool if coded else name
    if index_rule and need.on_index:
        rule = index_rule
    pg_num = draft.pg_num[group.name]
    return PoolPlan(
        name=pool,
        group=group.name,
        role=need.role,
        rule=rule,
        pg_num=min(pg_num, SMALL_PGS) if need.small else pg_num,
        size=copies,
        min_size=how.min_size if coded else copies - copies // 2,
        ec_profile=name if coded else None,
        max_bytes=need.max_bytes,
        per_round=need.per_round,
        allocation_overhead=allocation_overhead.most(
            need.held, draft.allocation, *(how.stripe if coded else ())
        )
        * max(1.0, need.raw / copies),
        overwrites=coded and need.overwrites,
        application=need.application,
        lingering=need.lingering,
        data_chunks=how.data_chunks if coded else 0,
        stripe_width=how.stripe_width if coded else 0,
    )


def _names(groups: Sequence[Group]) -> str:
    return ', '.join(g.name for g in groups)
