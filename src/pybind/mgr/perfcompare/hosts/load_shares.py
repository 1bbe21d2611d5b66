"""What each load host did of a load that several made, by workload."""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import dataclasses
import math
import statistics

from ..model.run import Run
from ..model.trial import Trial, TrialState


@dataclasses.dataclass(frozen=True)
class LoadShare:
    """Hold one load host under one workload: medians over the run's trials.

    Shares are 0 … 1, times in seconds; None is "not available".
    """

    workload: str
    group: str
    host: str
    trials: int
    part: Optional[float] = None  # of the load that it was to make
    share: Optional[float] = None  # of all operations
    ops_per_s: Optional[float] = None
    busy: Optional[float] = None  # of its cores
    cores: Optional[float] = None  # that its load programs used
    late: Optional[float] = None  # its first operation, after the order
    clock_ahead: Optional[float] = None  # of the Manager's
    clock_bound: Optional[float] = None  # of that
    errors: Optional[int] = None  # failed operations of all trials


FIGURES = tuple(f.name for f in dataclasses.fields(LoadShare))[4:-1]


def load_shares(run: Run, trials: Iterable[Trial]) -> Tuple[LoadShare, ...]:
    """Return the load hosts of a run's trials that count, in their order.

    None where load came from one host.
    """
    seen: Dict[Tuple[str, str, str], List[Mapping[str, Any]]] = {}
    for trial in trials:
        if trial.state is not TrialState.OK or trial.round < 1:
            continue
        client = trial.evidence.get('client')
        told = client.get('hosts') if isinstance(client, dict) else None
        for one in told if isinstance(told, list) else ():
            if isinstance(one, dict) and 'host' in one:
                key = trial.workload, trial.group, str(one['host'])
                seen.setdefault(key, []).append(one)
    workloads = [w.name for w in run.plan.profile.workloads]
    groups = [g.name for g in run.plan.groups]
    known = [k for k in seen if k[0] in workloads and k[1] in groups]
    known.sort(
        key=lambda k: (workloads.index(k[0]), groups.index(k[1]), k[2])
    )
    return tuple(_load_share(key, seen[key]) for key in known)


def _load_share(
    key: Tuple[str, str, str], told: List[Mapping[str, Any]]
) -> LoadShare:
    figures: Dict[str, Any] = {name: _median(told, name) for name in FIGURES}
    errors = _known(told, 'errors')
    return LoadShare(
        *key,
        trials=len(told),
        errors=int(sum(errors)) if errors else None,
        **figures,
    )


def _median(told: List[Mapping[str, Any]], name: str) -> Optional[float]:
    known = _known(told, name)
    return statistics.median(known) if known else None


def _known(told: List[Mapping[str, Any]], name: str) -> List[float]:
    values = [one.get(name) for one in told]
    return [
        float(v)
        for v in values
        if isinstance(v, (int, float))
        and not isinstance(v, bool)
        and math.isfinite(v)
    ]
