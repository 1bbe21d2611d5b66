"""Put what a load host measured on the Manager's clock.

OSDs and hosts are read by the Manager's time: what is compared with them
must be, too, however far the clock of the host that made the load is off.
"""

from typing import Any, Dict, List

import dataclasses
import math

from ..model.outcome import Outcome
from ..worker.wire.agents import ClockReading, clock_remark
from .outcomes import WorkerFailed

COUNTED = ('created', 'rewritten')  # objects that a trial left
ODD = (AttributeError, OverflowError, TypeError, ValueError)


def on_our_clock(
    outcome: Outcome, host: str, reading: ClockReading
) -> Outcome:
    """Return an outcome of ``host`` with times of the Manager's clock.

    Raises WorkerFailed where its window is none, or a figure with which the
    Manager counts.
    """
    ahead = reading.offset
    remark = clock_remark(host, ahead, reading.bound)
    series = outcome.series
    return dataclasses.replace(
        outcome,
        started=outcome.started + ahead,
        ended=outcome.ended + ahead,
        series=series
        and dataclasses.replace(series, wall_start=series.wall_start + ahead),
        raw=[
            dataclasses.replace(
                segment,
                start=segment.start + ahead,
                polled_at=[at + ahead for at in segment.polled_at],
            )
            for segment in outcome.raw
        ],
        evidence=_evidence(outcome.evidence, host, ahead),
        notes=[*outcome.notes, *([remark] if remark else [])],
    )


def _evidence(
    evidence: Dict[str, Any], host: str, ahead: float
) -> Dict[str, Any]:
    _check(evidence, host)
    if not evidence.get('window'):
        return evidence
    try:
        window: List[List[float]] = [
            [_finite(low) + ahead, _finite(high) + ahead]
            for low, high in evidence['window']
        ]
    except ODD:
        raise WorkerFailed(
            'protocol', f'the result of load host {host} has no window'
        ) from None
    return {**evidence, 'window': window}


def _check(evidence: Dict[str, Any], host: str) -> None:
    probe = evidence.get('probe') or {}
    try:
        figures = {name: evidence.get(name) for name in COUNTED}
        figures['ops_per_s'] = probe.get('ops_per_s')
        for value in figures.values():
            _finite(value or 0.0)
    except ODD:
        raise WorkerFailed(
            'protocol',
            f'the result of load host {host} has a figure that is no number',
        ) from None


def _finite(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError
    return float(value)
