"""Print recoveries for people."""

from typing import List, Optional

from ...app.recoveries import RecoveryDetail, RecoveryList
from ...common import units
from ...common.units import format_byte_rate, format_bytes, format_time
from ...model.recovery import (
    Detection,
    DownKind,
    Episode,
    Fate,
    Mark,
    Moment,
    PhaseFigures,
    RecoveryTest,
    Span,
    Timeline,
)
from ...recovery.store.briefs import GroupBrief, RecoveryInfo, cause_text
from ..layout import wrap
from ..table import fields, table
from . import clients as clienttext

NONE = '-'
MANY = 20  # events, or OSDs, that are shown
PHASE_HEADER = (
    'PHASE', 'TOOK', 'RECOVERED', 'RATE', 'OBJECTS/S', 'DEGRADED',
    'MISPLACED',
)  # fmt: skip
MEANING = {
    Mark.T0: 'fault, or order',
    Mark.T1: 'in the OSD map',
    Mark.T2: 'all PGs active',
    Mark.T3: 'recovery began',
    Mark.T4: 'nothing degraded',
    Mark.T5: 'all clean',
}


def seconds(value: float) -> str:
    """Return a length of time as '0.34 s', '12.3 s', '4:05' or '2:03:04'."""
    if value < 10:
        return f'{value:.2f} s'
    if value < 100:
        return f'{value:.1f} s'
    whole = int(round(value))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f'{hours}:{minutes:02d}:{left:02d}'
    return f'{minutes}:{left:02d}'


def span(found: Optional[Span]) -> str:
    """Return a span; a censored one is '> …', an uncertain one '~…'."""
    if found is None:
        return NONE
    if found.censored:
        return f'> {seconds(found.seconds)}'
    sign = '~' if found.accuracy > 1.0 else ''
    return sign + seconds(found.seconds)


def listed(found: RecoveryList) -> str:
    """List recoveries, one line for each group that took part."""
    rows: List[List[str]] = []
    items = list(found.items)
    if found.current is not None:
        items.insert(0, found.current)
    for item in items:
        rows += _rows(item)
    observer = found.observer
    head = f'observer: {observer.state}'
    if not rows:
        return f'{head}\n\nno recovery is recorded'
    body = table(
        ['RECOVERY', 'BEGAN', 'WHAT', 'GROUP', 'PGS', 'PEERED', 'WHOLE',
         'CLEAN', 'MOVED'],
        rows,
        (4, 5, 6, 7, 8),
    )  # fmt: skip
    shown = len(found.items)
    more = found.total - found.offset - shown
    tail = f'\n\n{more} older ones: --offset {found.offset + shown}'
    return f'{head}\n\n{body}' + (tail if more > 0 else '')


def _rows(item: RecoveryInfo) -> List[List[str]]:
    what = item.title
    if item.kind == 'test':
        what = f'test: {what}'
    if not item.ended:
        what += ' (under way)'
    elif item.state not in ('clean', 'completed'):
        what += f' ({item.state})'
    groups = item.groups or (GroupBrief(NONE),)
    rows = []
    for i, group in enumerate(groups):
        first = [item.id, format_time(item.began), what]
        rows.append(
            (first if i == 0 else ['', '', ''])
            + [
                group.group + (' (emulated)' if group.emulated else ''),
                str(group.pgs) if group.pgs else NONE,
                span(group.peered),
                span(group.whole),
                span(group.clean),
                _bytes(group.bytes_recovered),
            ]
        )
    return rows


def _bytes(count: Optional[float]) -> str:
    return NONE if count is None else format_bytes(count)


def imported(found: RecoveryInfo) -> str:
    """Say what was stored."""
    return f'recovery {found.id} stored; ceph perfcompare recovery show ' + (
        found.id
    )


def shown(found: RecoveryDetail) -> str:
    """Show one recovery."""
    item = found.item
    if isinstance(item, Episode):
        return _episode(item)
    return _test(item)


def _episode(item: Episode) -> str:
    head = [
        ('recovery', item.id),
        ('state', item.state.value),
        ('cause', cause_text(item)),
        ('began', format_time(item.began)),
        ('ended', format_time(item.ended)),
    ]
    if item.handovers:
        head.append(('managers', f'{len(item.handovers) + 1}, in turn'))
    if item.origin:
        head.append(('origin', item.origin))
    parts = [fields(head)]
    parts += [timeline(t) for t in item.timelines]
    if item.notes:
        parts.append('\n'.join(f'note: {n}' for n in item.notes))
    return '\n\n'.join(parts)


def _test(item: RecoveryTest) -> str:
    head = [
        ('recovery', item.id),
        ('test', item.scenario.value),
        ('state', item.state.value),
        ('groups', ', '.join(item.groups)),
        ('began', format_time(item.created)),
        ('ended', format_time(item.ended)),
    ]
    if item.reason:
        head.append(('reason', item.reason))
    label = (item.plan.get('options') or {}).get('label')
    if label:
        head.append(('label', str(label)))
    parts = [fields(head)]
    parts.append('\n'.join(f'note: {n}' for n in item.notes))
    rules = item.settings.get('rules') or ()
    if rules:
        rows = [
            [
                str(r['rule']) + (' (fired)' if r.get('fired') else ''),
                str(r['threshold']),
                str(r['worst']),
            ]
            for r in rules
        ]
        parts.append(table(['ABORT RULE', 'THRESHOLD', 'WORST SEEN'], rows))
    for step in item.steps:
        title = f'{step.group}, repetition {step.repetition}: {step.title}'
        if step.timeline is not None:
            parts.append(timeline(step.timeline, title))
        else:
            parts.append(title)
        parts.append(clienttext.client(step))
        if step.settings:
            told = ', '.join(f'{n} {v}' for n, v in step.settings.items())
            parts.append('\n'.join(wrap(f'its OSDs have: {told}', 100)))
        if step.notes:
            parts.append('\n'.join(f'note: {n}' for n in step.notes))
    return '\n\n'.join(part for part in parts if part)


def timeline(found: Timeline, title: str = '') -> str:
    """Show the moments and the phases of one scope."""
    size = found.size
    lines = [f'{title or found.scope}: {found.way}']
    sizes = [units.count(size.pgs, 'PG')]
    if size.copies:
        for name in ('degraded', 'misplaced', 'unfound'):
            count = getattr(size, name)
            if count:
                share = 100 * count / size.copies
                sizes.append(f'{count} copies {name} ({share:.1f} %)')
    if size.objects_recovered:
        sizes.append(
            f'{units.count(round(size.objects_recovered), "object")} '
            f'recovered ({_bytes(size.bytes_recovered)})'
        )
    if found.backfilled:
        moved = units.count(found.backfilled, 'PG')
        sizes.append(f'{moved} backfilled, by the OSD map')
    lines.append('; '.join(sizes))
    if found.states:
        seen = ', '.join(f'{w} {n}' for w, n in found.states.items())
        lines += wrap(f'most PGs at a time: {seen}', 79)
    lines.append('')
    start = found.mark(Mark.T0)
    if not start.reached:
        start = found.mark(Mark.T1)
    rows = [_mark(mark, found.mark(mark), start) for mark in Mark]
    lines.append(
        table(
            ['MOMENT', 'WHAT', 'AFTER', 'KNOWN TO', 'BY'],
            [r for r in rows if r],
            (2, 3),
        )
    )
    if found.detections:
        lines.append('')
        lines.append(
            table(
                ['OSD', 'FOUND DOWN BY', 'TIME TO DETECT'],
                [detection_cells(d) for d in found.detections[:MANY]],
            )
        )
        more = len(found.detections) - MANY
        if more > 0:
            lines.append(f'  and {units.count(more, "more OSD")}')
    if found.phases:
        lines.append('')
        lines.append(
            table(
                PHASE_HEADER,
                [phase_cells(p) for p in found.phases],
                (1, 2, 3, 4, 5, 6),
            )
        )  # fmt: skip
    for event in found.events[:MANY]:
        after = ''
        if start.at is not None:
            after = f'{event.at - start.at:+.1f} s'
        lines.append(f'  {after:>9}  {event.text}')
    if len(found.events) > MANY:
        lines.append(f'  and {len(found.events) - MANY} more events')
    lines += [f'note: {n}' for n in found.notes]
    return '\n'.join(lines)


def _mark(mark: Mark, moment: Moment, start: Moment) -> List[str]:
    what = [mark.value, MEANING[mark]]
    if moment.fate is Fate.SKIPPED:
        return what + ['did not occur', '', moment.source]
    if moment.at is None or start.at is None:
        return what + [moment.source or 'not available', '', '']
    after = seconds(max(0.0, moment.at - start.at))
    if moment.fate is Fate.CENSORED:
        return what + [f'> {after}', '', 'observation ended']
    return what + [after, f'± {moment.accuracy or 0.0:.1f} s', moment.source]


def detection_cells(found: Detection) -> List[str]:
    """Return an OSD, how it was found down, and how long that took."""
    how = found.kind.value
    if found.reporters:
        how += f' ({found.reporters} reporters)'
    took = []
    if found.after is not None:
        took.append(f'{seconds(found.after)} from the order')
    if found.silence is not None:
        silent = f'silent for {seconds(found.silence)}'
        if found.grace is not None:
            silent += f', grace {seconds(found.grace)}'
        took.append(silent)
    return [
        f'osd.{found.osd}',
        how,
        '; '.join(took) or DownKind.UNKNOWN.value,
    ]


def phase_cells(figures: PhaseFigures) -> List[str]:
    """Return a row under PHASE_HEADER."""
    objects = figures.objects_per_s
    return [
        figures.phase.value,
        span(figures.span),
        _bytes(figures.bytes_recovered),
        (
            NONE
            if figures.bytes_per_s is None
            else format_byte_rate(figures.bytes_per_s)
        ),
        NONE if objects is None else f'{objects:.1f}',
        _share(figures.degraded_share),
        _share(figures.misplaced_share),
    ]


def _share(value: Optional[float]) -> str:
    return NONE if value is None else f'{100 * value:.1f} %'
