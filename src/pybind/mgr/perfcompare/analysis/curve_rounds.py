"""Hold the complete rounds of a response curve, and what is read of each."""

from typing import Dict, List, Optional, Sequence, Tuple

import dataclasses
import math

from ..model.slo import Slo
from ..model.trial import Trial
from ..model.workload import Workload
from .curve import (
    Reading,
    at_limit,
    direction,
    offered_at_limit,
    peaks,
    ratio,
)
from .figures import SideTrials
from .offered import kept
from .pairing import log_ops
from .rows import Draft

LEAST_POINTS = 3  # with the percentile
LEAST_ROUNDS = 2  # one of them chooses the peak of the other

Key = Tuple[str, int]  # run, round


@dataclasses.dataclass(frozen=True)
class CurveRounds:
    """Hold one group's complete rounds: rates and readings of each."""

    group: str
    keys: Sequence[Key]
    rounds: Sequence[Sequence[Trial]]  # a trial for each point in use
    read: Sequence[Reading]  # of what is judged
    peaks: Sequence[Reading]
    osds: Sequence[int] = ()  # the group's in each round; 0 is not known

    @property
    def per_osd(self) -> 'CurveRounds':
        """Return the readings of one of the group's OSDs."""
        read, peaks_ = (
            [_each(one, osds) for one, osds in zip(readings, self.osds)]
            for readings in (self.read, self.peaks)
        )
        return dataclasses.replace(self, read=read, peaks=peaks_)

    def resting(self, readings: Sequence[Reading]) -> List[Trial]:
        """Return the trials off which ``readings``, one a round, are read."""
        return [
            trials[point]
            for trials, one in zip(self.rounds, readings)
            for point in one.points
        ]


def complete_rounds(
    points: Sequence[Draft],
    used: Sequence[int],
    slo: Optional[Slo],
    paired: bool,
) -> Tuple[CurveRounds, CurveRounds]:
    """Return baseline and candidate; rounds that lack a point are out."""
    tables = [
        [_by_key(side) for side in (points[i].baseline, points[i].candidate)]
        for i in used
    ]
    keys: List[List[Key]] = []
    for which in (0, 1):
        complete = [
            key
            for key in (tables[0][which] if tables else ())
            if all(key in table[which] for table in tables)
        ]
        keys.append(complete)
    if paired:  # one order for both, that of the first point
        both = [key for key in keys[0] if key in set(keys[1])]
        keys = [both, both]
    whole = points[used[0] if used else 0]
    counted = _osds(whole.baseline), _osds(whole.candidate)
    first, second = (
        _read(
            (points[0].baseline, points[0].candidate)[which].group,
            keys[which],
            [[table[which][key] for table in tables] for key in keys[which]],
            slo,
            [points[i].workload for i in used],
        )
        for which in (0, 1)
    )
    return (
        dataclasses.replace(first, osds=[counted[0][k] for k in first.keys]),
        dataclasses.replace(
            second, osds=[counted[1][k] for k in second.keys]
        ),
    )


def _each(one: Reading, osds: int) -> Reading:
    """Return a reading of ``osds`` OSDs as that of one."""
    less = math.log(osds)
    return one._replace(value=one.value - less, most=one.most - less)


def _osds(side: SideTrials) -> Dict[Key, int]:
    """Return how many OSDs a group had in each round."""
    return {
        (trial.run, trial.round): osds
        for trial, osds in zip(side.trials, side.osds)
    }


def _by_key(side: SideTrials) -> Dict[Key, Trial]:
    return {(trial.run, trial.round): trial for trial in side.trials}


def _read(
    group: str,
    keys: Sequence[Key],
    rounds: Sequence[Sequence[Trial]],
    slo: Optional[Slo],
    workloads: Sequence[Workload],
) -> CurveRounds:
    if any(w.offered for w in workloads):
        return CurveRounds(
            group, keys, rounds, _read_offered(rounds, slo, workloads), ()
        )
    rates = [[log_ops(trial) for trial in trials] for trials in rounds]
    if not rates or len(rates[0]) < LEAST_POINTS:
        return CurveRounds(group, keys, rounds, (), ())
    best = peaks(rates) if len(rates) >= LEAST_ROUNDS else []
    read: Sequence[Reading] = best
    if slo is not None:
        limit = math.log(slo.seconds)
        read = [
            at_limit(found, _latencies(trials, slo.percentile), limit)
            for found, trials in zip(rates, rounds)
        ]
    return CurveRounds(group, keys, rounds, read, best)


def _read_offered(
    rounds: Sequence[Sequence[Trial]],
    slo: Optional[Slo],
    workloads: Sequence[Workload],
) -> List[Reading]:
    """Read offered load off the points that were kept up with."""
    if slo is None or len(workloads) < LEAST_POINTS:
        return []
    rates = [math.log(w.offered or 1.0) for w in workloads]
    found = []
    for trials in rounds:
        done = [kept(w, trial) for w, trial in zip(workloads, trials)]
        first = done.index(False) if False in done else len(done)
        found.append(
            offered_at_limit(
                rates,
                _latencies(trials[:first], slo.percentile),
                math.log(slo.seconds),
            )
        )
    return found


def _latencies(trials: Sequence[Trial], percentile: str) -> List[float]:
    found = [t.summary for t in trials if t.summary is not None]
    return [math.log(summary.percentiles[percentile]) for summary in found]


def by_run(side: CurveRounds, values: Sequence[float]) -> List[List[float]]:
    """Return values of rounds, one list for each run."""
    runs: Dict[str, List[float]] = {}
    for (run, _), value in zip(side.keys, values):
        runs.setdefault(run, []).append(value)
    return list(runs.values())


def way(
    first: CurveRounds, second: CurveRounds, paired: bool
) -> Optional[int]:
    """Say what both sides can show, see curve.direction."""
    if paired:
        pairs = list(zip(first.read, second.read))
    else:  # any may be held against any
        pairs = [(a, b) for a in first.read for b in second.read]
    return direction([ratio(a, b) for a, b in pairs])
