"""Checks that record what surrounds a run: managers, scrubs, settings."""

from typing import Dict, List, Sequence, Tuple

from ...common.units import count
from ..layout import names
from .finding import CheckContext, Findings, info, ok, refuse, warn


def standbys(s: CheckContext) -> Findings:
    """Refuse standbys that could not undo the run after a failover."""
    state = s.facts.mgr
    if not state.standbys:
        return [
            info(
                'no standby Manager: a run that loses its Manager is '
                'undone when the Manager is back'
            )
        ]
    found: Findings = []
    lacking = [
        name
        for name in state.standbys
        if state.standby_has_module.get(name) is False
    ]
    if lacking:
        found.append(
            refuse(
                f'standby {names(lacking)} cannot load perfcompare: '
                'nothing would be undone after a failover to it',
                'install the module there, or stop that Manager',
            )
        )
    own = state.versions.get(state.active) or s.facts.version
    differing = [
        f'{name} ({state.versions[name]})'
        for name in state.standbys
        if own and state.versions.get(name, own) != own
    ]
    if differing:
        found.append(
            warn(
                f'standby {names(differing)} has another version than '
                f'{state.active} ({own})',
                'finish the upgrade of the Managers first',
            )
        )
    return found or [
        ok(f'{count(len(state.standbys), "standby", "standbys")} can go on')
    ]


def balancer(s: CheckContext) -> Findings:
    """Record the balancer: it sees the pools of the run as well."""
    status = s.facts.balancer
    mode = status.get('mode', 'unknown')
    own_pools = any(g.pools for g in s.plan.groups)
    if status.get('active') and 'read' in mode and own_pools:
        return [
            info(
                f'the balancer is on (mode {mode}) and chooses primaries of '
                'all pools: it has the mode none until the end'
            )
        ]
    if status.get('active'):
        return [
            info(
                f'the balancer is on (mode {mode}); it sees the pools of '
                'the run too: a trial during which they move is repeated, '
                'and a run whose block was cut three times ends',
                '`ceph balancer off` for long runs on a busy cluster',
            )
        ]
    return [ok('the balancer is off')]


def scrub(s: CheckContext) -> Findings:
    """Warn where scrubs load one group more than the other."""
    running: Dict[str, int] = {}
    for group, states in s.facts.group_pgs.items():
        running[group] = sum(
            number
            for state, number in states.items()
            if 'scrubbing' in state.split('+')
        )
    shown = names([f'{g}: {n}' for g, n in sorted(running.items())])
    if not any(running.values()):
        return [ok('no scrub on the OSDs of the groups')]
    message = f'PGs being scrubbed, by group: {shown}'
    if len(set(running.values())) > 1:
        return [
            warn(
                message,
                'scrubs go on during the run and are recorded; choose '
                'another hour if they matter',
            )
        ]
    return [info(message)]


MCLOCK = 'mclock_scheduler'
# settings that groups of different media have a right to differ in
_BY_MEDIUM = (
    'osd_mclock_max_capacity_iops_hdd',
    'osd_mclock_max_capacity_iops_ssd',
)


def mclock(s: CheckContext) -> Findings:
    """Warn where the groups' effective OSD settings differ.

    Refuse a profile that a test is to set for OSDs that do not use it.
    """
    settings = s.facts.osd_settings
    values: Dict[str, Dict[str, Tuple[str, ...]]] = {}
    for group in s.plan.groups:
        asked = [settings[osd] for osd in group.osds if osd in settings]
        for option in sorted({key for one in asked for key in one}):
            seen = {one[option] for one in asked if option in one}
            values.setdefault(option, {})[group.name] = tuple(sorted(seen))
    differing = {
        option: by_group
        for option, by_group in values.items()
        if len({v for v in by_group.values()}) > 1
    }
    found = _profile(s)
    for option, by_group in sorted(differing.items()):
        shown = names([f'{g}: {_span(v)}' for g, v in by_group.items()])
        if option in _BY_MEDIUM:
            found.append(info(f'{option} differs: {shown}'))
        else:
            found.append(
                warn(
                    f'{option} differs: {shown}',
                    'compare hardware under equal settings, or say so in '
                    'a group note',
                )
            )
    if found:
        return found
    queue = names(_all(values, 'osd_op_queue')) or 'unknown'
    profile = names(_all(values, 'osd_mclock_profile')) or 'unknown'
    return [
        ok(
            f'queue {queue}, mClock profile {profile}, equal in all groups '
            f'({count(len(settings), "OSD")} asked)'
        )
    ]


def _profile(s: CheckContext) -> Findings:
    wanted = s.plan.recovery.mclock_profile if s.plan.recovery else None
    if wanted is None:
        return []
    others: Dict[str, List[str]] = {}
    for osd, values in sorted(s.facts.osd_settings.items()):
        queue = values.get('osd_op_queue')
        if queue and queue != MCLOCK:
            others.setdefault(queue, []).append(f'osd.{osd}')
    return [
        refuse(
            f'--mclock-profile {wanted} has no effect: osd_op_queue is '
            f'{queue} on {names(osds)}',
            'leave it out, or set osd_op_queue to mclock_scheduler and '
            'restart these OSDs',
        )
        for queue, osds in sorted(others.items())
    ]


def _all(
    values: Dict[str, Dict[str, Tuple[str, ...]]], option: str
) -> List[str]:
    return sorted({v for one in values.get(option, {}).values() for v in one})


def _span(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f'{values[0]}…{values[-1]}'


TTL_SPREAD = 1.25  # the mgr's cache keeps an answer as much longer


def pg_stats(s: CheckContext) -> Findings:
    """Warn where the mgr tells a recovery test of PGs as they were."""
    if s.plan.recovery is None or s.facts.stats_kept <= 0:
        return []
    late = s.facts.stats_kept * TTL_SPREAD
    return [
        warn(
            'mgr_ttl_cache_expire_seconds is '
            f'{s.facts.stats_kept:g}: PGs are seen up to {late:g} s late, '
            'and so are the phases of this test',
            '`ceph config set mgr mgr_ttl_cache_expire_seconds 0` while '
            'recovery tests are made',
        )
    ]


def clock(s: CheckContext) -> Findings:
    """Warn of clocks that are known to differ; only mons tell."""
    skew = s.facts.health.checks.get('MON_CLOCK_SKEW')
    if skew:
        return [
            warn(
                f'MON_CLOCK_SKEW: {skew.message}',
                'synchronize the clocks; series of hosts and OSDs would '
                'not line up',
            )
        ]
    return [ok('no skew among the Monitors; other hosts are not asked')]


def singleton(s: CheckContext) -> Findings:
    """Refuse a second run; groups would load each other."""
    if s.active_run:
        return [
            refuse(
                f'run {s.active_run} is under way',
                'wait for its end, see `ceph perfcompare status`, or '
                f'`ceph perfcompare cancel {s.active_run}`',
            )
        ]
    return [ok('no other run')]
