"""What a latency probe beside a trial's load told of it."""

from typing import Any, Dict, List, Mapping, Sequence

from ..model.trial import Trial
from .findings.facts import mapping, number

NO_DISTRIBUTION = 'rados bench records no distribution'
BASIS = 'as one more client sees it: probe'
STATED = ('p50', 'p95', 'p99')


def of(trial: Trial) -> Mapping[str, Any]:
    """Return what was recorded of a trial's probe; {} of none."""
    return mapping(mapping(trial.evidence.get('client')).get('probe'))


def asked(trial: Trial) -> bool:
    """Say whether a trial's percentiles are those of a probe."""
    return bool(number(of(trial), 'rate'))


def basis(trials: Sequence[Trial]) -> str:
    """Say whose percentiles these are: '' of those of the load itself."""
    rates = [number(of(t), 'rate') or 0.0 for t in trials]
    if not rates or not any(rates):
        return ''
    low, high = f'{min(rates):g}', f'{max(rates):g}'
    return f'{BASIS}, {low if low == high else f"{low}–{high}"}/s'


def reason(trials: Sequence[Trial], stated: Sequence[str]) -> str:
    """Return which percentiles other than ``stated`` lack, and why."""
    found: Dict[str, List[str]] = {}
    for trial in trials:
        probe = of(trial)
        if not probe:
            return NO_DISTRIBUTION
        why = probe.get('reason')
        if why:
            return str(why)
        for name, text in mapping(probe.get('missing')).items():
            if name in STATED and name not in stated:
                names = found.setdefault(str(text), [])
                if name not in names:
                    names.append(name)
    return '; '.join(
        lacking(names, text) for text, names in sorted(found.items())
    )


def lacking(names: Sequence[str], why: str) -> str:
    """Name percentiles that are not available, before the reason."""
    return f'{", ".join(sorted(names))} ({why})'
