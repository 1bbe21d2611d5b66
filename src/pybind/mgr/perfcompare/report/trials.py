"""Print the trials of a run."""

from typing import Dict, List, Sequence

from ..analysis import probed
from ..common.units import (
    count,
    format_byte_rate,
    format_latency,
    format_ops,
)
from ..model.trial import Trial, TrialState
from . import percentiles
from .figures import DASH, KEY, shown
from .table import table


def listed(trials: Sequence[Trial]) -> str:
    """Return a table of trials, with percentiles where there are any."""
    rows: List[List[str]] = []
    stated = [
        name
        for name in ('p50', 'p95', 'p99')
        if any(t.summary and name in t.summary.percentiles for t in trials)
    ]
    for t in trials:
        s = t.summary
        rows.append(
            [
                str(t.round) if t.round else '0 (conditioning)',
                t.workload,
                t.group,
                str(t.attempt),
                shown(format_ops(s.ops_per_s) if s else None),
                shown(format_byte_rate(s.bytes_per_s) if s else None),
                shown(format_latency(s.latency_avg) if s else None),
                *percentiles.cells(s.percentiles if s else {}, stated),
                _trial_state(t),
            ]
        )
    heads = ['ROUND', 'WORKLOAD', 'GROUP', 'TRY', 'OPS', 'THROUGHPUT',
             'LATENCY', *map(str.upper, stated), 'STATE']  # fmt: skip
    text = table(heads, rows, range(3, 7 + len(stated)))
    if any(figure == DASH for row in rows for figure in row):
        text += f'\n{KEY}'
    return text + _probe_text(trials, stated)


def _probe_text(trials: Sequence[Trial], stated: Sequence[str]) -> str:
    """Say whose percentiles these are, and why a probe has none."""
    lines = []
    basis = probed.basis([t for t in trials if probed.asked(t)])
    if basis and stated:
        lines.append(f'percentiles: {basis}')
    reasons = {
        str(probed.of(t)['reason']): None
        for t in trials
        if probed.of(t).get('reason')
    }
    lines += [f'percentiles: not available: {why}' for why in reasons]
    return ''.join(f'\n{line}' for line in lines)


def _trial_state(trial: Trial) -> str:
    if trial.state is TrialState.OK:
        tenants = trial.evidence.get('tenants') or {}
        others = tenants.get('ops_per_s') or 0.0
        # less is monitoring and its like
        return f'ok, others {format_ops(others)}' if others >= 1.0 else 'ok'
    return f'void: {trial.reason}'


def notes(trials: Sequence[Trial]) -> List[str]:
    """Return what was noted of trials, each text once."""
    noted: Dict[str, List[Trial]] = {}
    for trial in trials:
        for note in trial.notes:
            noted.setdefault(note, []).append(trial)
    lines = []
    for note, of in noted.items():
        first = of[0]
        where = f'round {first.round}, {first.workload} on {first.group}'
        if len(of) > 1:
            where += f', and {count(len(of) - 1, "more trial")}'
        lines.append(f'note ({where}): {note}')
    return lines
