"""Checks of what the cluster is busy with: PGs, flags, upgrade, and so on.

Flags and PG states are those of Ceph's manual ("Monitoring OSDs and PGs",
"Placement Group States").
"""

from typing import Dict, List, Mapping, Set

from ...common.units import count, format_byte_rate, format_ops
from ...model.topology import Pool
from ..collect.facts import foreign_pools, internal
from ..layout import names
from . import failures
from .finding import CheckContext, Findings, info, ok, refuse, warn

# PG states that mean work for the OSDs beyond serving clients
MOVING = frozenset(
    (
        'recovering',
        'recovery_wait',
        'recovery_toofull',
        'recovery_unfound',
        'forced_recovery',
        'backfilling',
        'backfill_wait',
        'backfill_toofull',
        'backfill_unfound',
        'forced_backfill',
        'degraded',
        'undersized',
        'remapped',
        'repair',
    )
)

BALANCER_MOVES = (
    '; the balancer is on and moves PGs as well: `ceph balancer off` for '
    'long runs'
)
# flag -> why no run starts under it
REFUSED_FLAGS: Dict[str, str] = {
    'pauserd': 'reads are paused',
    'pausewr': 'writes are paused',
    'full': 'writes are refused',
    'noup': 'restarted OSDs stay down',
    'nodown': 'failed OSDs would not be noticed',
    'noin': 'OSDs are kept out',
    'nobackfill': 'data would not move back after a failure',
    'norecover': 'data would not be repaired after a failure',
    'norebalance': 'data would not move back after a failure',
}
# flag -> what a reader of the result should know
NOTED_FLAGS: Dict[str, str] = {
    'noout': 'down OSDs are not marked out: maintenance may be under way',
    'noscrub': 'no scrubs anywhere',
    'nodeep-scrub': 'no deep scrubs anywhere',
    'nosnaptrim': 'no snapshots are trimmed',
    'notieragent': 'cache tiers do not flush',
    'noautoscale': 'the autoscaler is off for all pools',
}


def _count(states: Mapping[str, int], wanted: Set[str]) -> Dict[str, int]:
    """Return the number of PGs by those parts of their state."""
    found: Dict[str, int] = {}
    for state, number in states.items():
        for part in wanted.intersection(state.split('+')):
            found[part] = found.get(part, 0) + number
    return found


def inactive(states: Mapping[str, int]) -> Dict[str, int]:
    """Return the PGs that serve no I/O, by their whole state."""
    found = {}
    for state, number in states.items():
        parts = state.split('+')
        if number and ('active' not in parts or 'stale' in parts):
            found[state] = number
    return found


def moving(states: Mapping[str, int]) -> int:
    """Return the number of PGs that recover, backfill or lack copies."""
    return sum(
        number
        for state, number in states.items()
        if MOVING.intersection(state.split('+'))
    )


def _listed(states: Mapping[str, int]) -> str:
    return names([f'{n} {state}' for state, n in sorted(states.items())])


def pgs(s: CheckContext) -> Findings:
    """Refuse unavailable PGs, and recovery on the OSDs of the groups."""
    found: Findings = []
    states = s.facts.pgs.total
    idle = inactive(states)
    if idle:
        unknown = sum(idle.values()) == idle.get('unknown', 0)
        found.append(
            refuse(
                f'PGs not active: {_listed(idle)}',
                (
                    'wait until the Manager knows them, half a minute after '
                    'its start'
                    if unknown
                    else 'wait until `ceph pg stat` shows all PGs active'
                ),
            )
        )
    for group, of_group in sorted(s.facts.group_pgs.items()):
        number = moving(of_group)
        if number:
            parts = _count(of_group, set(MOVING))
            found.append(
                refuse(
                    f'{count(number, "PG")} on the OSDs of group {group!r} '
                    f'not clean: {_listed(parts)}',
                    'wait until recovery and backfill have ended'
                    + (
                        BALANCER_MOVES
                        if s.facts.balancer.get('active')
                        else ''
                    ),
                )
            )
    elsewhere = moving(states)
    if elsewhere and not found:
        found.append(
            warn(
                f'{count(elsewhere, "PG")} elsewhere not clean: '
                f'{_listed(_count(states, set(MOVING)))}',
                'their recovery shares network and hosts with the run',
            )
        )
    return found or [ok(f'{count(sum(states.values()), "PG")} active')]


def flags(s: CheckContext) -> Findings:
    """Refuse flags that stop I/O or hide and prolong failures."""
    found: Findings = []
    for flag in s.facts.flags:
        if flag in REFUSED_FLAGS:
            found.append(
                refuse(
                    f'{flag} is set: {REFUSED_FLAGS[flag]}',
                    f'`ceph osd unset {_unset(flag)}` when that is over',
                )
            )
        elif flag in NOTED_FLAGS:
            found.append(warn(f'{flag} is set: {NOTED_FLAGS[flag]}'))
    return found or [ok('no flag set that matters')]


def _unset(flag: str) -> str:
    return 'pause' if flag.startswith('pause') else flag


def upgrade(s: CheckContext) -> Findings:
    """Refuse while the orchestrator upgrades."""
    if s.facts.upgrade is None:
        return []  # said together with the versions
    return [
        refuse(
            f'an upgrade is in progress: {s.facts.upgrade}',
            'wait for its end, see `ceph orch upgrade status`',
        )
    ]


def versions(s: CheckContext) -> Findings:
    """Refuse mixed versions in a group; between groups they may be meant."""
    osds = s.facts.topology.osds
    found: Findings = []
    of_groups: Dict[str, str] = {}
    for group in s.plan.groups:
        known = sorted(
            {
                osds[i].ceph_version or 'unknown'
                for i in group.osds
                if i in osds
            }
        )
        of_groups[group.name] = ', '.join(known)
        if len(known) > 1:
            found.append(
                refuse(
                    f'OSDs of group {group.name!r} run mixed versions: '
                    f'{", ".join(known)}',
                    'finish the upgrade, or split the group by version',
                )
            )
    if not found and len(set(of_groups.values())) > 1:
        shown = names([f'{g} {v}' for g, v in of_groups.items()])
        found.append(
            warn(
                f'the groups run different versions: {shown}',
                'what is compared is hardware and version together',
            )
        )
    everywhere = sorted(
        {o.ceph_version for o in osds.values() if o.ceph_version}
    )
    if not found and len(everywhere) > 1:
        found.append(
            warn(
                'other OSDs run other versions: ' + ', '.join(everywhere),
                'finish the upgrade first if one is under way',
            )
        )
    return found or [ok(f'all OSDs run {", ".join(everywhere)}')]


def stretch(s: CheckContext) -> Findings:
    """Refuse stretch mode: its pools follow rules of their own."""
    if s.facts.mon.stretch_mode:
        return [
            refuse(
                'the cluster is in stretch mode',
                'this version does not support it',
            )
        ]
    return [ok('not in stretch mode')]


def load(s: CheckContext) -> Findings:
    """Ask for consent where others are served beyond the limit."""
    limit = s.settings.load_limit_ops
    tenants = foreign_pools(s.facts.pools)
    ops = 0.0
    rate = 0.0
    busiest: List[str] = []
    for pool in tenants:
        io = s.facts.pool_io.get(pool.id)
        if io:
            pool_ops = io.read_ops + io.write_ops
            ops += pool_ops
            rate += io.read_bytes + io.write_bytes
            if pool_ops > 0:
                busiest.append(pool.name)
    shown = f'other clients do {format_ops(ops)}, {format_byte_rate(rate)}'
    if ops > limit:
        return [
            refuse(
                f'{shown} on {names(sorted(busiest))}; the limit is '
                f'{format_ops(limit)}',
                'choose a quieter hour; --yes-i-really-mean-it lets it '
                'start, and rows during which others do more get no '
                'verdict (`busy`) unless mgr/perfcompare/load_limit_ops '
                'is raised',
            )
        ]
    return [ok(f'{shown}; the limit is {format_ops(limit)}')]


def autoscaler(s: CheckContext) -> Findings:
    """Refuse while a pool is being split or merged; list who pauses."""
    found: Findings = []
    for pool in s.facts.pools:
        change = _pg_change(pool)
        if change and 'perfcompare' not in pool.application:
            found.append(
                refuse(
                    f'pool {pool.name!r} goes {change}',
                    'wait until it has reached its target',
                )
            )
    paused = s.plan.pauses_autoscaler
    if paused:
        found.append(
            info(
                f'autoscaling of {names(paused, 8)} pauses until the '
                'pools of the run are gone'
            )
        )
    return found or [ok('no pool changes its PGs')]


def _pg_change(pool: Pool) -> str:
    if pool.pg_num != pool.pg_num_target:
        return f'from pg_num {pool.pg_num} to {pool.pg_num_target}'
    if pool.pgp_num != pool.pgp_num_target:
        return f'from pgp_num {pool.pgp_num} to {pool.pgp_num_target}'
    return ''


def consent(s: CheckContext) -> Findings:
    """Ask for consent where there is something to lose or to disturb."""
    reasons = []
    for pool in foreign_pools(s.facts.pools):
        io = s.facts.pool_io.get(pool.id)
        if pool.objects or pool.stored_bytes:
            reasons.append(f'{pool.name} ({count(pool.objects, "object")})')
        elif io and (io.read_ops or io.write_ops):
            reasons.append(f'{pool.name} (in use)')
    if reasons:
        return [
            refuse(
                f'pools with data or clients: {names(reasons)}',
                'read the plan, then repeat with --yes-i-really-mean-it',
            )
        ]
    if failures.failing(s):
        return []  # which need it in any case
    kept = [pool for pool in s.facts.pools if internal(pool)]
    note = f' beside {names([p.name for p in kept])}' if kept else ''
    return [ok(f'no pool with data{note}: no consent needed')]
