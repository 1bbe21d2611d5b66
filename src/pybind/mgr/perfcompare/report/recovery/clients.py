"""Print what clients felt in the steps of a recovery test."""

from typing import List, Optional, Tuple

from ...common.units import format_latency, format_ops
from ...model.recovery import StepResult
from ...recovery.judge.load_names import STALL, Figures, load_name, loads
from ..table import table

NONE = '-'
PERCENTILES = ('p50', 'p95', 'p99')
NO_PERCENTILES = 'latency percentiles: not available, rados bench tells none'
FEW = 'a percentile needs 10 operations beyond it; - where there are less'


def client(step: StepResult) -> str:
    """Return the table of one step and of its phases, or nothing."""
    parts: List[Tuple[str, Figures]] = [('whole step', step.client)]
    if step.timeline is not None:
        parts += [
            (p.phase.value, p.client)
            for p in step.timeline.phases
            if p.client
        ]
    names = loads([f for _, f in parts])
    if not names:
        return ''
    percentiles = any(f.get(f'{n}_samples') for _, f in parts for n in names)
    header = ['LOAD', 'PHASE', 'OP/S', 'SHARE', 'MEAN']
    if percentiles:
        header += [p.upper() for p in PERCENTILES] + ['SAMPLES']
    header += ['ERRORS', 'STALL']
    rows: List[List[str]] = []
    for name in names:
        for i, (phase, figures) in enumerate(parts):
            rows.append(
                [load_name(name) if not i else '', phase]
                + _row(figures, name, percentiles)
            )
    text = table(header, rows, tuple(range(2, len(header))))
    return f'{text}\n{FEW if percentiles else NO_PERCENTILES}'


def brief(figures: Figures) -> str:
    """Return what clients felt in one line: 'read 120 op/s (45%), …'."""
    words: List[str] = []
    for name in loads([figures]):
        rate, share, mean, _, p95, p99, *rest = _row(figures, name, True)
        text = f'{load_name(name)} {rate}'
        if share != NONE:
            text += f' ({share})'
        told = ('mean', mean), ('p95', p95), ('p99', p99), ('stall', rest[2])
        words.append(
            ', '.join([text, *(f'{n} {v}' for n, v in told if v != NONE)])
        )
        if rest[1] not in (NONE, '0'):
            words[-1] += f', {rest[1]} error' + 's' * (rest[1] != '1')
    return '; '.join(words)


def _row(figures: Figures, name: str, percentiles: bool) -> List[str]:
    def of(key: str) -> Optional[float]:
        return figures.get(f'{name}_{key}')

    rate, share, samples = of('ops_per_s'), of('share'), of('samples')
    errors, stall = of('errors'), of('stall')
    cells = [
        NONE if rate is None else format_ops(rate),
        NONE if share is None else f'{share:.0%}',
        _latency(of('latency')),
    ]
    if percentiles:
        cells += [_latency(of(p)) for p in PERCENTILES]
        cells.append(NONE if samples is None else f'{samples:.0f}')
    cells.append(NONE if errors is None else f'{errors:.0f}')
    if stall is None:
        cells.append(NONE)
    else:
        cells.append(f'< {STALL:g} s' if stall < STALL else f'{stall:.1f} s')
    return cells


def _latency(value: Optional[float]) -> str:
    return NONE if value is None else format_latency(value)
