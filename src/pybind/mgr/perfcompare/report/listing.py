"""Print groups, runs and checks as text for terminals."""

from typing import Collection, Sequence, Set

from ..app.requests import RunDetail, Status, Stopping, Ticket
from ..common.units import (
    count,
    format_byte_rate,
    format_bytes,
    format_duration,
    format_ops,
    format_span,
    format_time,
)
from ..groups.detection import Detection
from ..groups.repository import GroupEntry
from ..model.group import says_emulated
from ..model.plan import RunPlan
from ..model.run import Progress, Run, RunState
from ..store.results import RunInfo, RunPage
from ..undo.report import UndoReport
from . import load_parts, trials
from .table import fields, table

NOT_AVAILABLE = 'not available'
RECOVERY_TEST = 'recovery test'
HOSTS_SHOWN = 4  # by name


def _where(entry: GroupEntry) -> str:
    spec = entry.spec
    if not spec.hosts:
        return f'class {spec.device_class}'
    text = 'hosts ' + ','.join(spec.hosts)
    if spec.device_class:
        text += f' (class {spec.device_class})'
    return text


def group_set(entry: GroupEntry) -> str:
    """Say what a group was set to."""
    assert entry.group is not None
    return (
        f'group {entry.spec.name!r} set: {_where(entry)}, '
        f'{count(len(entry.group.osds), "OSD")} on '
        f'{count(len(entry.group.hosts), "host")}'
    )


def groups(entries: Sequence[GroupEntry]) -> str:
    """List groups and what they resolve to."""
    if not entries:
        return 'no groups; see `ceph perfcompare group detect`'
    rows = []
    for entry in entries:
        found = entry.group
        rows.append(
            [
                entry.spec.name,
                _where(entry),
                str(len(found.osds)) if found else '-',
                ','.join(found.arch) if found else '-',
                'yes' if entry.defined else 'no (device class)',
                entry.problem or entry.spec.note,
            ]
        )
    return table(
        ['GROUP', 'PLACED BY', 'OSDS', 'ARCH', 'SET', 'NOTE'], rows, (2,)
    )


def group(entry: GroupEntry) -> str:
    """Show one group."""
    spec, found = entry.spec, entry.group
    pairs = [
        ('group', spec.name),
        ('placed by', _where(entry)),
        ('set', 'yes' if entry.defined else 'no, it is a device class'),
    ]
    if found:
        pairs += [
            ('hosts', ', '.join(found.hosts)),
            ('osds', ', '.join(str(o) for o in found.osds)),
            ('arch', ', '.join(found.arch) or NOT_AVAILABLE),
        ]
        if found.hostless:
            hostless = ', '.join(str(o) for o in found.hostless)
            pairs.append(('below no host', hostless))
        if found.missing:
            missing = ', '.join(str(o) for o in found.missing)
            pairs.append(('down or out', missing))
    if spec.watts is not None:
        pairs.append(('watts', f'{spec.watts:g}'))
    if spec.price is not None:
        pairs.append(('price', f'{spec.price:g}'))
    if spec.note:
        pairs.append(('note', spec.note))
    if entry.problem:
        pairs.append(('problem', entry.problem))
    return fields(pairs)


def detected(found: Detection, applied: bool) -> str:
    """List proposed groups with their reasons, and what is in none."""
    left = [f'left out: {line}' for line in found.left_out]
    if not found.proposals:
        why = 'see below' if left else 'no OSD reports its architecture'
        return '\n'.join([f'no groups to propose: {why}', *left])
    rows = [
        [
            p.spec.name,
            p.arch,
            p.placement.value,
            ','.join(p.spec.hosts) or p.spec.device_class or '',
            str(len(p.osds)),
            p.why,
        ]
        for p in found.proposals
    ]
    text = table(
        ['GROUP', 'ARCH', 'PLACEMENT', 'OF', 'OSDS', 'WHY'], rows, (4,)
    )
    if left:
        text += '\n\n' + '\n'.join(left)
    if not applied:
        text += '\n\nnothing was set; add --apply to set these groups'
    return text


def ticket(found: Ticket, scenario: str = '') -> str:
    """Say that a run was accepted, how long it takes and what next.

    With a ``scenario`` it is a recovery test.
    """
    lines = [
        f'{RECOVERY_TEST if scenario else "run"} {found.run} accepted: '
        + ', '.join(found.groups)
        + (
            f', scenario {scenario}'
            if scenario
            else f', profile {found.profile}'
        ),
        f'expected: {format_duration(found.seconds)} (at most '
        f'{format_duration(found.seconds_max)}), up to '
        f'{format_bytes(found.bytes_written)} written',
    ]
    lines += [f'warning: {w}' for w in found.warnings]
    lines.append('follow it: ceph perfcompare status')
    lines.append(f'then: {found.next_command}')
    return '\n'.join(lines)


def _left(now: Progress) -> str:
    if now.ending:
        return 'cleaning up'
    if now.eta is None:
        return 'longer than estimated'
    return format_span(now.eta_least, now.eta)


def status(found: Status) -> str:
    """Show the run under way, and leftovers."""
    lines = []
    if found.progress is None:
        lines.append('no run is active')
        if found.last:
            lines.append(f'the last was {found.last}')
    elif found.progress.state is RunState.RESUMING:
        p = found.progress
        pairs = [('run', p.run or 'not known yet'), ('state', p.state.value)]
        lines.append(fields([*pairs, ('now', p.message)]))
    else:
        p = found.progress
        pairs = [
            ('test' if p.scenario else 'run', p.run),
            ('state', p.state.value),
            ('progress', f'{p.fraction:.0%}'),
            ('left', _left(p)),
            ('now', p.message or '-'),
        ]
        if p.ops_per_s is not None:
            rate = format_ops(p.ops_per_s)
            if p.bytes_per_s is not None:
                rate += f', {format_byte_rate(p.bytes_per_s)}'
            pairs.append(('live', rate))
        lines.append(fields(pairs))
    lines += [f'warning: {w}' for w in found.warnings]
    lines.append(f'perfcompare {found.version}')
    return '\n'.join(lines)


def _verdicts(info: RunInfo) -> str:
    """Say what a run came to, e.g. 'arm: 2 slower'; '-' if unknown."""
    parts = []
    for one in info.verdicts or ():
        unclear = one.inconclusive + one.open
        counts = [
            (one.faster, 'faster'),
            (one.slower, 'slower'),
            (one.no_difference, 'no difference'),
            (unclear, 'open'),
        ]
        text = ', '.join(f'{n} {word}' for n, word in counts if n)
        if text:
            slow = ', '.join(one.emulated)
            more = f' (emulated: {slow})' if slow else ''
            parts.append(f'{one.candidate}: {text}{more}')
    return '; '.join(parts) or '-'


def runs(page: RunPage) -> str:
    """List runs."""
    if not page.runs:
        return 'no runs; start one with `ceph perfcompare run --group …`'
    text = table(
        ['RUN', 'STATE', 'CREATED', 'GROUPS', 'PROFILE', 'TRIALS', 'SIZE',
         'VERDICTS', 'LABEL'],
        [
            [
                r.id,
                r.state.value,
                format_time(r.created),
                ','.join(r.groups),
                r.profile,
                str(r.trials),
                format_bytes(r.bytes),
                _verdicts(r),
                r.label,
            ]
            for r in page.runs
        ],
        (5, 6),
    )  # fmt: skip
    last = page.offset + len(page.runs)
    if last < page.total:
        text += (
            f'\n\nruns {page.offset + 1} to {last} of {page.total}; '
            f'more with --offset {last}'
        )
    return text


def run(found: RunDetail) -> str:
    """Show a run with its trials."""
    plan, item = found.run.plan, found.run
    pairs = [
        ('run', item.id),
        ('state', _state(item)),
        ('groups', _groups_text(plan, _emulated(found))),
        ('profile', f'{plan.profile.name} {plan.profile.version}'),
        ('label', plan.options.label or 'none'),
        ('created', format_time(item.created)),
        ('started', format_time(item.started)),
        ('ended', format_time(item.ended)),
        ('seed', str(plan.seed)),
        ('pools', f'size {plan.size}, min_size {plan.min_size}, failure '
                  f'domain {plan.failure_domain}' if plan.size
                  else NOT_AVAILABLE),
        ('client', plan.client_host or NOT_AVAILABLE),
        ('origin', item.origin),
        ('ceph', item.ceph_version or NOT_AVAILABLE),
        ('size', format_bytes(found.bytes)),
    ]  # fmt: skip
    text = fields(pairs)
    if plan.labels:
        text += '\n' + '\n'.join(f'note: {label}' for label in plan.labels)
    if found.trials:
        text += '\n\n' + trials.listed(found.trials)
        text += ''.join(f'\n\n{t}' for t in load_parts.tables(found.trials))
        notes = trials.notes(found.trials)
        if notes:
            text += '\n\n' + '\n'.join(notes)
    if item.events:
        text += '\n\n' + table(
            ['AT', 'STATE', 'EVENT'],
            [
                [format_time(e.at), e.state.value, e.message]
                for e in item.events
                if e.state is not RunState.TRIAL
            ],
        )
    if item.rules:
        text += '\n\n' + _rules(item)
    return text


def _rules(item: Run) -> str:
    return table(
        ['ABORT RULE', 'THRESHOLD', 'WORST SEEN'],
        [
            [r.rule + (' (fired)' if r.fired else ''), r.threshold, r.worst]
            for r in item.rules
        ],
    )


def _state(item: Run) -> str:
    text = item.state.value
    return f'{text}: {item.reason}' if item.reason else text


def _emulated(found: RunDetail) -> Set[str]:
    """Return the groups of which trials recorded an emulator."""
    return {t.group for t in found.trials if t.manifest.get('emulated')}


def _groups_text(plan: RunPlan, emulated: Collection[str] = ()) -> str:
    texts = []
    for group in plan.groups:
        notes = [group.note] if group.note else []
        if group.name in emulated and not says_emulated(group.note):
            notes.append('emulated')
        more = f' ({"; ".join(notes)})' if notes else ''
        texts.append(f'{group.name}{more}')
    return ', '.join(texts)


def stopping(found: Stopping) -> str:
    """Say that a run, or a recovery test, was asked to end."""
    if not found.run:
        return 'no run is active; what was being checked will not begin'
    how = 'its load is dead' if found.killed else 'it ends its load first'
    if found.load_hosts:
        how = (
            f'any load on {_hosts_text(found.load_hosts)} is being killed '
            'there (about a second; a host that cannot be reached does it by '
            'itself, within worker_lease)'
        )
    if found.taken_over:
        how = 'what is left of its load ends by itself, within worker_lease'
    late = (
        ''
        if found.noted
        else '; should this Manager die before the Monitors have written '
        'that, give the same command again'
    )
    what = RECOVERY_TEST if found.test else 'run'
    own = (
        '; OSDs that you stopped stay down until you start them'
        if found.test
        else ''
    )
    return (
        f'{what} {found.run} is ending: {how}, then everything is undone'
        f'{own}; see `ceph perfcompare status`{late}'
    )


def _hosts_text(hosts: Sequence[str]) -> str:
    if len(hosts) > HOSTS_SHOWN:
        return count(len(hosts), 'load host')
    return ', '.join(hosts)


def imported(item: Run) -> str:
    """Say what was imported."""
    names = ', '.join(g.name for g in item.plan.groups)
    return (
        f'run {item.id} imported: groups {names}, profile '
        f'{item.plan.profile.name}, '
        + (f'of cluster {item.fsid}' if item.fsid else 'of another tool')
    )


def undone(report: UndoReport) -> str:
    """Say what was undone, what stays on purpose and what is left."""
    lines = [f'removed: {item}' for item in report.removed]
    lines += [f'kept: {item.what}: {item.reason}' for item in report.kept]
    lines += [f'left: {item}' for item in report.leftovers]
    return '\n'.join(lines) or 'nothing was left to undo'
