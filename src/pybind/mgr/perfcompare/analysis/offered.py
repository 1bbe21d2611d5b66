"""Points of a curve that are offered rates: what was done of them."""

from typing import Iterable, List, Optional, Sequence

import math

from ..common.units import count, format_ops
from ..model.trial import Trial
from ..model.workload import Workload
from .results import CurvePoint, PointSide

KEPT = 0.95  # of what was offered; less is a queue that grows
CHANCE = 3.0  # standard deviations of a number that is drawn
OPEN, CLOSED_ABOVE = 'open', 'closed above what is in flight'


def loop(workload: Workload) -> str:
    """Say how operations of a rate begin; '' where there is none."""
    if not workload.offered:
        return ''
    return OPEN if workload.op.facts.open_loop else CLOSED_ABOVE


def kept(workload: Workload, trial: Trial) -> bool:
    """Say whether a trial did what it was offered."""
    summary, offered = trial.summary, workload.offered
    if summary is None or summary.ops_per_s is None or not offered:
        return False
    return summary.ops_per_s >= offered * _least(workload, summary.window)


def _least(workload: Workload, window: float) -> float:
    """Return the share that has to be done; of random arrivals may be less."""
    drawn = bool(workload.s3 and workload.s3.arrivals)
    number = (workload.offered or 0.0) * window
    if not drawn or number <= 0.0:
        return KEPT
    return min(KEPT, 1.0 - CHANCE / math.sqrt(number))


def behind(workload: Workload, trials: Iterable[Trial]) -> Optional[int]:
    """Count the trials that did not keep up; None where nothing is offered."""
    if not workload.offered:
        return None
    return sum(not kept(workload, trial) for trial in trials)


def remarks(points: Sequence[CurvePoint], names: Sequence[str]) -> List[str]:
    """Say of each group where it stopped to keep up."""
    found = []
    for which, name in enumerate(names):
        for point in points:
            side = (point.baseline, point.candidate)[which]
            if side.behind:
                found.append(_remark(point, side, name))
                break
    return found


def _remark(point: CurvePoint, side: PointSide, name: str) -> str:
    did = format_ops(side.ops_per_s.median)
    return (
        f'{name} did {did} of {point.offered:,.0f}/s offered, and fell behind '
        f'in {side.behind} of {count(side.trials, "trial")}: such rounds are '
        'read below that only, as latency there is that of a queue'
    )
