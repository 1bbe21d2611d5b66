"""How many load hosts a load needs, by what earlier trials of it showed.

Of one that the client limited, what the group could have done is not known;
where the hosts of its OSDs were watched, they say how much they had left.
"""

from typing import Any, List, NamedTuple, Optional, Sequence

import math

from ..model.trial import Trial, TrialState
from . import several_hosts, stats
from .evidence import Limits, client_figure, client_link
from .findings.facts import mapping, mixed, number

LEAST = 0.02  # share of their cores; hosts that do less say nothing


class Need(NamedTuple):
    """Hold what one workload took of its client, in an earlier run."""

    workload: str
    group: str
    run: str
    hosts: int  # that made the load
    ops_per_s: float
    # of what a host can give before it is the limit; 1 is all of it
    used: float
    # of the cores of OSDs' hosts, of the busiest one; None is not known
    group_busy: Optional[float]

    @property
    def limited(self) -> bool:
        """Say whether the client was the limit."""
        return self.used > 1.0

    @property
    def wanted(self) -> Optional[int]:
        """Return how many hosts like these are no limit, about.

        None where nobody knows what the group can do.
        """
        if not self.limited:
            return max(1, math.ceil(self.hosts * self.used))
        if self.group_busy is None:
            return None
        return math.ceil(self.hosts * self.used / self.group_busy)


def need_of(
    trials: Sequence[Trial], workload: str, group: str, limits: Limits
) -> Optional[Need]:
    """Return what a workload took of its client; None where it is not known.

    A client that carried OSDs of the group is no measure of others.
    """
    found = [
        t
        for t in trials
        if (t.workload, t.group) == (workload, group)
        and t.state is TrialState.OK
        and t.round >= 1
        and not t.manifest.get('client_local_osds')
    ]
    rates = [t.summary.ops_per_s for t in found if t.summary]
    used = _known(_used(t, limits) for t in found)
    done = _known(rates)
    if not used or not done:
        return None
    busy = _known(_group_busy(t) for t in found)
    return Need(
        workload,
        group,
        found[-1].run,
        max(1, len(several_hosts.hosts(found[-1]))),
        stats.median(done),
        stats.median(used),
        stats.median(busy) if busy else None,
    )


def _known(values: Any) -> List[float]:
    return [v for v in values if v is not None]


def _used(trial: Trial, limits: Limits) -> Optional[float]:
    """Return how much of a host was used: what more processes do not help."""
    summary = trial.summary
    shares = (
        (summary.host_busy if summary else None, limits.host_busy),
        (client_figure(trial, 'throttled'), limits.client_throttled),
        (client_link(trial), limits.nic_busy),
    )
    return max(
        (v / most for v, most in shares if v is not None), default=None
    )


def _group_busy(trial: Trial) -> Optional[float]:
    """Return the busy share of the cores of the busiest host of OSDs."""
    if mixed(trial):
        return None
    found = []
    for host in mapping(trial.evidence.get('hosts')).values():
        figures = mapping(host)
        busy = number(figures, 'cpu_busy')
        if 'osd' in (figures.get('roles') or ()) and busy is not None:
            found.append(busy)
    most = max(found, default=0.0)
    return min(1.0, most) if most >= LEAST else None
