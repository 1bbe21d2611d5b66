"""Tell people what a recovery test will do, before it does it."""

from typing import List, Sequence, Tuple

from ...app.requests import PlanDraft, PlanText
from ...common.units import count, format_bytes, format_duration, format_size
from ...guard.checks import preflight
from ...model.plan import RunPlan
from ...model.recovery import StepKind
from ...model.recovery_plan import LOG_PART, Forecast, GroupTest, TestPlan
from ...model.workload import Op
from ...recovery.plan.safety import slow_problem
from ..plan import REMOVAL, AbortRule, rules

TOUCHES = {
    StepKind.MOVE: 'the benchmark pool only',
    StepKind.DOWN: 'all PGs of the OSD peer again; no data moves',
    StepKind.OUT: 'all data of the OSD moves to others',
    StepKind.STOP: 'all PGs of these OSDs lose a copy until they are back',
}


def shown(draft: PlanDraft) -> PlanText:
    """Return the plan of a recovery test and its checks, for people."""
    text = describe(draft.plan, draft.abort_rules)
    text += '\n\n' + preflight.text(draft.preflight)
    return PlanText(draft.plan, text, draft.preflight)


def describe(plan: RunPlan, abort_rules: Sequence[AbortRule] = ()) -> str:
    """Return the plan of a recovery test as text, at most 100 columns."""
    test = plan.recovery
    assert test is not None
    names = ' and '.join(g.name for g in plan.groups)
    rows: List[Tuple[str, str]] = [
        ('scenario', test.scenario.value),
        ('groups', names),
        (
            'repetitions',
            f'{test.repetitions} on each group, in turn (seed {plan.seed})',
        ),
        ('load', _load(test)),
        (
            'pool',
            f'size {plan.size}, min_size {plan.min_size}, failure domain '
            f'{plan.failure_domain}, {plan.groups[0].pools[0].pg_num} PGs',
        ),
        ('written', _written(plan, test)),
        (
            'time',
            f'about {format_duration(plan.seconds)}, at most '
            f'{format_duration(plan.seconds_max)}',
        ),
    ]
    if test.stop_by:
        rows.append(('stopped by', _stopped_by(test)))
    if plan.options.enable_pool_delete:
        rows.append(('removal', REMOVAL))
    if test.mclock_profile:
        rows.append(('mClock', f'{test.mclock_profile} during the test'))
    rows.append(('balancer', 'idle during the test, if it is on'))
    if plan.labels:
        rows.append(('labels', '; '.join(plan.labels)))
    if plan.pauses_autoscaler:
        rows.append(
            ('autoscaling', f'pauses: {", ".join(plan.pauses_autoscaler)}')
        )
    width = max(len(name) for name, _ in rows)
    lines = [f'recovery test {plan.run}'] if plan.run else []
    lines += [f'{name:{width}}  {value}' for name, value in rows]
    for own in test.groups:
        lines += _group(own, test)
    if abort_rules:
        lines += ['', *rules(abort_rules)]
    lines += [
        '',
        'A step that is not over after '
        f'{format_duration(test.limit)} is given up, and its OSDs come '
        'back. On cancel, abort or',
        'failover OSDs come up and in again, and what the test set goes: '
        'upmaps, flags, options.',
    ]
    return '\n'.join(lines)


def _load(test: TestPlan) -> str:
    if not test.workloads:
        return 'none'
    each = ' and '.join(test.workloads)
    images = f' on {count(test.images, "image")}' if test.images else ''
    return (
        f'{each} of {format_size(test.moved)}{images}, {test.concurrency} at '
        f'a time each; {test.hold:g} s before and after'
    )


def _written(plan: RunPlan, test: TestPlan) -> str:
    parts = []
    for own in test.groups:
        text = f'{count(own.objects, "object")} of {format_size(test.size)}'
        if own.log_objects:
            text += (
                f' and {own.log_objects:,} more in writes of '
                f'{format_size(LOG_PART)}'
            )
        parts.append(f'{text} on {own.group}')
    if any(Op(name).facts.in_place for name in test.workloads):
        return ', '.join(parts) + '; the load writes over them'
    return (
        ', '.join(parts) + f'; with the load at most '
        f'{format_bytes(plan.bytes_written)}'
    )


def _stopped_by(test: TestPlan) -> str:
    text = f'the {test.stop_by}'
    if test.stop_by == 'operator':
        text += (
            f': `status` tells when and which, within '
            f'{format_duration(test.step_timeout)}'
        )
    if test.auto_out:
        return text + '; the Monitors may mark them out'
    return text + '; noout for their hosts meanwhile'


def _group(own: GroupTest, test: TestPlan) -> List[str]:
    lines = ['', f'{own.group}:']
    for step in own.steps:
        text = f'  {step.title}'
        if step.target and step.target not in step.title:
            text += f' ({step.target})'
        touches = TOUCHES.get(step.kind)
        lines.append(text + (f': {touches}' if touches else ''))
    return lines + _forecast(own.forecast, test)


def _forecast(forecast: Forecast, test: TestPlan) -> List[str]:
    lines = []
    if forecast.bytes_moved is not None:
        text = '  once they are out, it' if test.auto_out else ' '
        text += f' moves about {format_bytes(forecast.bytes_moved)}'
        if forecast.seconds is not None:
            text += f' in about {format_duration(forecast.seconds)}'
        text += ', and back'
        if forecast.seconds_back is not None:
            text += f' in about {format_duration(forecast.seconds_back)}'
        lines.append(text)
        slow = slow_problem(forecast, test.limit)
        if slow:
            lines.append(f'  if all of it moves, {slow}')
    if forecast.fill is not None:
        lines.append(
            f'  osd.{forecast.fill_osd} becomes {forecast.fill:.0%} full'
        )
    if forecast.upmaps:
        pgs = count(forecast.upmaps, 'PG')
        lines.append(
            f'  the Monitors may drop upmaps of {pgs} of others near these '
            'OSDs; they are'
        )
        lines.append('  set again when the OSDs are in')
    if forecast.pools:
        lines.append('  touches pools: ' + ', '.join(forecast.pools))
    return lines
