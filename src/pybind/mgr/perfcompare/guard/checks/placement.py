"""Checks of where the run's objects go: groups, names, and their removal."""

from typing import Dict, List, Set

from ...common.units import count
from ...model.group import Placement
from ...model.plan import GroupPlan
from ...model.topology import Osd, Topology
from ..collect.facts import Facts
from ..layout import names
from ..layout import osds as osd_list
from .capacity import domain_of
from .finding import (
    CheckContext,
    Finding,
    Findings,
    info,
    ok,
    refuse,
    warn,
)

# what the names of classes that Ceph gives by itself say of the medium
_ROTATING = {'hdd': True, 'ssd': False, 'nvme': False}


def groups(s: CheckContext) -> Findings:
    """Refuse groups that cannot be placed, or mean two things at once."""
    found = _overlaps(s)
    for group in s.plan.groups:
        found += _group(s, group)
    if found:
        return found
    shown = names(
        [f'{g.name} ({count(len(g.osds), "OSD")})' for g in s.plan.groups]
    )
    return [ok(f'{shown}, failure domain {s.plan.failure_domain}')]


def _overlaps(s: CheckContext) -> Findings:
    found: Findings = []
    plans = s.plan.groups
    for number, one in enumerate(plans):
        for other in plans[number + 1 :]:
            both = sorted(set(one.osds) & set(other.osds))
            if not both:
                continue
            message = (
                f'groups {one.name!r} and {other.name!r} share '
                f'{osd_list(both)}'
            )
            if s.plan.options.control:
                found.append(info(message + ', as a control run wants it'))
            else:
                found.append(
                    refuse(message, 'define groups without common OSDs')
                )
    return found


def _group(s: CheckContext, group: GroupPlan) -> Findings:
    topology = s.facts.topology
    if not group.osds:
        return [
            refuse(
                f'group {group.name!r} has no OSD that is up and in',
                'see `ceph perfcompare group show ' + group.name + '`',
            )
        ]
    members = [topology.osds[o] for o in group.osds if o in topology.osds]
    found: Findings = []
    down = [o.id for o in members if not (o.up and o.in_)]
    if down or len(members) < len(group.osds):
        gone = sorted(
            down + [o for o in group.osds if o not in topology.osds]
        )
        found.append(
            refuse(
                f'{osd_list(gone)} of group {group.name!r} went away since '
                'the plan was made',
                'repeat the command',
            )
        )
    weightless = [o.id for o in members if o.crush_weight <= 0]
    if weightless:
        found.append(
            refuse(
                f'{osd_list(weightless)} of group {group.name!r} have '
                'CRUSH weight 0 and would get no load',
                'give them a weight, or leave them out of the group',
            )
        )
    found += _absent(topology, group)
    found += _media(group, members)
    found += _affinity(group, members)
    domains = {domain_of(topology, o, s.plan.failure_domain) for o in members}
    domains.discard('')
    if len(domains) < s.plan.size:
        needed = 'chunks' if s.plan.options.ec_profile else 'replicas'
        found.append(
            refuse(
                f'group {group.name!r} has '
                f'{count(len(domains), s.plan.failure_domain)} for '
                f'{s.plan.size} {needed}',
                'add hosts to the group, or give fewer --replicas',
            )
        )
    if group.placement is Placement.HOSTS:
        found += _parents(topology, group)
    return found


def _absent(topology: Topology, group: GroupPlan) -> Findings:
    """Warn of OSDs that belong to the group but take no part."""
    members: Set[int] = set()
    if group.placement is Placement.HOSTS:
        for host in group.hosts:
            if host in topology.buckets:
                members.update(topology.osds_under(host))
    else:
        members.update(topology.osds)
    absent = []
    for ident in sorted(members - set(group.osds)):
        osd = topology.osds.get(ident)
        if osd is None:
            continue
        if group.device_class and osd.device_class != group.device_class:
            continue
        absent.append(ident)
    if not absent:
        return []
    return [
        warn(
            f'{osd_list(absent)} of group {group.name!r} are down or out '
            'and take no part',
            'bring them back first if the group should be whole',
        )
    ]


def _media(group: GroupPlan, members: List[Osd]) -> Findings:
    found: Findings = []
    rotating = [o.id for o in members if o.rotational is True]
    solid = [o.id for o in members if o.rotational is False]
    classes = sorted({o.device_class or 'none' for o in members})
    if not group.device_class and ((rotating and solid) or len(classes) > 1):
        what = (
            f'rotating ({osd_list(rotating, 3)}) and solid-state '
            f'({osd_list(solid, 3)}) devices'
            if rotating and solid
            else f'device classes {names(classes)}'
        )
        found.append(
            refuse(
                f'hosts of group {group.name!r} mix {what}',
                f'`ceph perfcompare group set {group.name} --hosts … '
                '--device-class …` takes one kind',
            )
        )
    elif rotating and solid:
        found.append(
            warn(
                f'class {group.device_class!r} of group {group.name!r} '
                f'mixes rotating ({osd_list(rotating, 3)}) and '
                f'solid-state ({osd_list(solid, 3)}) devices',
                'the slower ones set the pace of the whole group',
            )
        )
    wrong = [
        o.id
        for o in members
        if o.rotational is not None
        and _ROTATING.get(o.device_class or '', o.rotational) != o.rotational
    ]
    if wrong:
        found.append(
            warn(
                f'{osd_list(wrong)} of group {group.name!r}: the device '
                'class contradicts what the kernel says of rotation',
                'a controller may hide the medium, or the class is wrong',
            )
        )
    return found


def _affinity(group: GroupPlan, members: List[Osd]) -> Findings:
    """Warn of OSDs that lead fewer PGs than they are given.

    Primary affinity is applied after upmaps, whose order it overrules.
    """
    shy = sorted(o.id for o in members if o.primary_affinity < 1.0)
    if not shy:
        return []
    return [
        warn(
            f'{osd_list(shy)} of group {group.name!r} have a primary '
            'affinity below 1: primaries cannot be made even, and rows get '
            'the reason placement',
            '`ceph osd primary-affinity <osd> 1` until the run has ended, or '
            'leave them out of the group',
        )
    ]


def _parents(topology: Topology, group: GroupPlan) -> Findings:
    """Refuse hosts that would be nowhere once our root is gone."""
    lost = []
    unknown = []
    for host in group.hosts:
        if host not in topology.buckets:
            unknown.append(host)
        elif not [p for p in topology.parents(host) if p != group.root]:
            lost.append(host)
    found: Findings = []
    if unknown:
        found.append(
            refuse(
                f'CRUSH has no bucket {names(unknown)} '
                f'(group {group.name!r})',
                'name hosts as `ceph osd tree` shows them',
            )
        )
    if lost:
        found.append(
            refuse(
                f'{names(lost)} of group {group.name!r} have no parent in '
                'CRUSH to stay in when the root of the run goes',
                '`ceph osd crush move <host> root=default` first',
            )
        )
    return found


def ownership(s: CheckContext) -> Findings:
    """Refuse when any name that the run would create is taken."""
    facts, plan = s.facts, s.plan
    taken: List[str] = []
    pools = {pool.name for pool in facts.pools}
    ours: Dict[str, Set[str]] = {'pool': set(), 'rule': set(), 'root': set()}
    profiles: Set[str] = set()
    for group in plan.groups:
        ours['rule'].update({group.rule, group.index_rule} - {''})
        if group.root:
            ours['root'].add(group.root)
        for pool in group.pools:
            ours['pool'].add(pool.name)
            ours['rule'].add(pool.rule)
            # profiles that the run makes carry its id, others are used
            if pool.ec_profile and plan.run in pool.ec_profile:
                profiles.add(pool.ec_profile)
    taken += [f'pool {n}' for n in sorted(ours['pool'] & pools)]
    taken += [f'rule {n}' for n in sorted(ours['rule'] & set(facts.rules))]
    buckets = set(facts.topology.buckets)
    taken += [f'bucket {n}' for n in sorted(ours['root'] & buckets)]
    known = set(facts.ec_profiles)
    taken += [f'erasure-code profile {n}' for n in sorted(profiles & known)]
    if plan.key in facts.entities:
        taken.append(f'key {plan.key}')
    if taken:
        return [
            refuse(
                f'names of the run exist: {names(taken)}',
                'run `ceph perfcompare cleanup`, or repeat the command '
                'for another run id',
            )
        ]
    number = sum(map(len, ours.values())) + len(profiles) + 1
    return [ok(f'all {number} names of the run are free')]


def pool_delete(s: CheckContext) -> Findings:
    """Refuse when the run could not remove its own pools."""
    found: Findings = []
    denying = sorted(m for m, yes in s.facts.pool_delete.items() if not yes)
    if denying:
        message = f'mon_allow_pool_delete is false in mon.{names(denying)}'
        pinned = s.facts.pool_delete_pinned
        if pinned:
            found.append(
                refuse(
                    message
                    + f', and mon.{names(pinned)} has it from its own '
                    'configuration file or command line',
                    'take it out there and restart the Monitor: the '
                    'central configuration cannot override it',
                )
            )
        elif s.facts.pool_delete_sections:
            found.append(_own_sections(message, s.facts))
        elif s.plan.options.enable_pool_delete:
            found.append(
                warn(
                    message + ': it is set for the moments of deletion, '
                    'and restored',
                    'consent was given',
                )
            )
        else:
            found.append(
                refuse(
                    message + ': pools of the run could not be removed',
                    'consent once by `ceph config set mgr '
                    'mgr/perfcompare/enable_pool_delete true`, or each time '
                    'by --enable-pool-delete: it is set for the moments of '
                    'deletion only, and restored',
                )
            )
    if s.facts.new_pools_nodelete:
        found.append(
            refuse(
                'osd_pool_default_flag_nodelete is true: pools could not '
                'be removed',
                '`ceph config set global osd_pool_default_flag_nodelete '
                'false` for the time of the run',
            )
        )
    return found or [
        ok(
            'allowed by '
            + count(
                len(s.facts.pool_delete),
                'Monitor in quorum',
                'Monitors in quorum',
            )
        )
    ]


def _own_sections(message: str, facts: Facts) -> Finding:
    """Refuse what would be set for all mons, and be in force in none."""
    sections = facts.pool_delete_sections
    mon, section = min(sections.items())
    more = count(len(sections) - 1, 'other', 'others')
    return refuse(
        message
        + f', and mon.{mon} has it from section {section} of the central '
        'configuration, which goes before what a run sets for all'
        + (f'; so have {more}' if len(sections) > 1 else ''),
        ', '.join(
            f'`ceph config rm {who} mon_allow_pool_delete`'
            for who in sorted(set(sections.values()))
        ),
    )
