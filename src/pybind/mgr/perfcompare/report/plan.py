"""Show a plan to people before anything is touched (--dry-run)."""

from typing import List, Sequence, Tuple, Union

import textwrap

from ..app.requests import PlanDraft, PlanText
from ..common.units import count, format_bytes, format_duration
from ..guard.checks import preflight
from ..model.group import Placement
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.workload import Prefill, Workload
from ..planning.estimate import copies
from ..planning.loads import planners_of
from ..planning.profiles.shapes import describe as describe_shape
from ..planning.sizes import summary as describe_sizes

WIDTH = 100
REMOVAL = (
    'mon_allow_pool_delete is set to true for the moments in which pools of '
    'the run are removed, if it is false then; each time that is written to '
    'the journal first, and restored'
)
AbortRule = Union[str, Tuple[str, str]]  # text, or id and threshold


def shown(draft: PlanDraft) -> PlanText:
    """Return a plan and its checks, as data and as text."""
    text = describe(draft.plan, draft.abort_rules)
    text += '\n\n' + preflight.text(draft.preflight)
    return PlanText(draft.plan, text, draft.preflight)


def describe(plan: RunPlan, abort_rules: Sequence[AbortRule] = ()) -> str:
    """Return the whole plan as text, at most 100 columns wide."""
    lines: List[str] = []
    profile = plan.profile
    _add(
        lines,
        'run',
        f'{plan.run}, profile {profile.name} (version {profile.version}), '
        f'seed {plan.seed}',
    )
    _add(lines, 'load from', f'{plan.client_host}, as {plan.key}')
    _add(lines, 'takes', _times(plan))
    _add(lines, 'writes', _bytes(plan))
    _add(lines, 'pools', _protection(plan))
    if plan.options.label:
        _add(lines, 'label', plan.options.label)
    for label in plan.labels:
        _add(lines, 'note', label)
    if plan.options.stats_period is not None:
        _add(
            lines,
            'changes',
            f'mgr_stats_period to {plan.options.stats_period} s during the '
            'run, for all daemons of the cluster, if it is longer now',
        )
    if plan.options.enable_pool_delete:
        _add(lines, 'removal', REMOVAL)
    for group in plan.groups:
        lines += [''] + _group(plan, group)
    lines += [''] + _workloads(plan)
    if plan.probe_rate:
        _add(lines, 'probe', _probe(plan))
    lines += [''] + _rounds(plan)
    lines.append('')
    _add(lines, 'pauses', _pauses(plan))
    lines += rules(abort_rules)
    return '\n'.join(lines)


def _add(lines: List[str], head: str, text: str) -> None:
    """Append a headed paragraph, indented where it goes on."""
    lines += textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f'{head:10} ',
        subsequent_indent=' ' * 11,
        break_on_hyphens=False,
    )


def _times(plan: RunPlan) -> str:
    return (
        f'about {format_duration(plan.seconds)}, at worst '
        f'{format_duration(plan.seconds_max)}'
    )


def _bytes(plan: RunPlan) -> str:
    raw = max(
        sum(p.max_bytes * copies(p) for p in group.pools)
        for group in plan.groups
    )
    return (
        f'at most {format_bytes(plan.bytes_written)} over the whole run; at '
        f'one time at most {format_bytes(raw)} raw in a group; each pool '
        'has a quota of 1.2 times its plan'
    )


def _protection(plan: RunPlan) -> str:
    return (
        f'size {plan.size}, min_size {plan.min_size}, failure domain '
        f'{plan.failure_domain}; application perfcompare, autoscaler and '
        'scrubs off on these pools only'
    )


def _group(plan: RunPlan, group: GroupPlan) -> List[str]:
    lines: List[str] = []
    where = (
        f'{count(len(group.osds), "OSD")} on '
        f'{count(len(group.hosts), "host")}: {", ".join(group.hosts)}'
    )
    _add(lines, 'group', f'{group.name}: {where}')
    if group.note:
        _add(lines, '', f'note: {group.note}')
    kind = (
        f', device class {group.device_class}' if group.device_class else ''
    )
    coded = [p.ec_profile for p in group.pools if p.ec_profile]
    if group.placement is Placement.HOSTS:
        place = f'CRUSH root {group.root}, linked to its hosts{kind}'
    else:
        place = f'device class {group.device_class}'
    if coded:
        rule = f'erasure-code profile {coded[0]}'
        if len(coded) < len(group.pools):
            rule += f' and rule {group.rule}'
    else:
        rule = f'rule {group.rule}'
    _add(lines, '', f'{rule} on {place}; no data moves')
    if group.index_rule:
        _add(
            lines,
            '',
            f'rule {group.index_rule} on device class {group.index_class}, '
            f'{count(len(group.index_osds), "OSD")}: S3 bucket indexes',
        )
    if group.endpoints:
        where = f', placement {group.s3_placement}' * bool(group.s3_placement)
        where += f', buckets hosted in {group.s3_domain}' * bool(
            group.s3_domain
        )
        _add(
            lines,
            '',
            f"operator's gateways {', '.join(group.endpoints)}{where}: "
            'buckets of the run, marked as its own and removed at its end',
        )
    if group.gateway_service:
        number = plan.options.driver('gateways') or 1
        _add(
            lines,
            '',
            f'gateways by the orchestrator: service rgw.'
            f'{group.gateway_service}, {number} on each of '
            f'{", ".join(group.gateway_hosts)}, from port '
            f'{group.gateway_port}; removed at the end of the run. Until '
            'then they serve plain HTTP to whoever reaches these ports, with '
            'keys of the orchestrator for all pools of application rgw',
        )
    for pool in group.pools:
        life = 'new in each round' if pool.per_round else 'for the run'
        _add(
            lines,
            '',
            f'{pool.name}: {count(pool.pg_num, "PG")}, {life}, '
            + _holds(plan, group, pool),
        )
    return lines


def _holds(plan: RunPlan, group: GroupPlan, pool: PoolPlan) -> str:
    for planner in planners_of(plan.profile):
        text = planner.holds(plan, group, pool)
        if text:
            return text
    return f'at most {format_bytes(pool.max_bytes)}'


def _prefill(prefill: Prefill) -> str:
    if prefill.objects:
        return count(prefill.objects, 'object')
    return format_bytes(prefill.bytes) + ' in objects'


def _regime(workload: Workload) -> str:
    if workload.cache is None:
        return ''
    reads = workload.reads or workload.op.facts.both
    what = 'reads' if reads else 'as reads would be'
    return f', {workload.cache.value} {what}'


def _workloads(plan: RunPlan) -> List[str]:
    lines: List[str] = []
    for workload in plan.profile.workloads:
        cache = _regime(workload)
        if workload.rate:
            cache += f', {workload.rate:g} operations/s begun'
        if workload.prefill is not None:
            cache += f', of {_prefill(workload.prefill)} written before'
        for word, items in (
            ('reads', workload.read_sizes),
            ('writes', workload.write_sizes),
        ):
            if items:
                cache += f', {word} {describe_sizes(items)}'
        shape = describe_shape(workload)
        if shape:
            cache += f', {shape}'
        _add(
            lines,
            'workload' if not lines else '',
            f'{workload.name}: {format_duration(workload.duration)} after '
            f'{format_duration(workload.warmup)} of warm-up, '
            f'{count(workload.clients, "client")}{cache}',
        )
    return lines


def _probe(plan: RunPlan) -> str:
    return (
        f'{plan.probe_rate:g} operations/s of one more client beside each '
        'RADOS trial, at most 3 % of its operations, for percentiles of '
        'latency; its objects are in the pools above'
    )


def _rounds(plan: RunPlan) -> List[str]:
    """Return one paragraph per round: its blocks and their orders."""
    lines: List[str] = []
    for number in range(plan.profile.rounds + 1):
        blocks = [
            # without spaces, so that no line ends inside a block
            f'{b.workload}({",".join(b.order)})'
            for b in plan.blocks
            if b.round == number
        ]
        kind = '' if number else 'conditioning, not judged: '
        _add(lines, f'round {number}', kind + ' '.join(blocks))
    return lines


def _pauses(plan: RunPlan) -> str:
    names = plan.pauses_autoscaler
    if not names:
        return 'no autoscaling of other pools'
    return (
        'the autoscaler of pools that share OSDs with the run, until its '
        f'pools are gone: {", ".join(names)}'
    )


def rules(abort_rules: Sequence[AbortRule]) -> List[str]:
    """Say what would abort a run, a line or more for each rule."""
    lines: List[str] = []
    for rule in abort_rules:
        text = rule if isinstance(rule, str) else f'{rule[0]}: {rule[1]}'
        _add(lines, '' if lines else 'aborts on', text)
    return lines
