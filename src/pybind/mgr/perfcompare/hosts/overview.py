"""Hosts side by side: a run's figures of each host, group and workload."""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import dataclasses
import statistics

from ..common.printable import some
from ..model.run import Run
from ..model.trial import Trial, TrialState
from .load_shares import LoadShare, load_shares

HOSTS = 'hosts'  # name of the evidence
NOTE = 'hosts: '  # how our notes begin


@dataclasses.dataclass(frozen=True)
class HostRow:
    """Hold one host under one workload: medians over the run's trials.

    Shares are 0 … 1, times in seconds; None is "not available".
    """

    workload: str
    group: str
    host: str
    role: str
    trials: int  # of which it has figures
    cores: Optional[float] = None
    cpu_busy: Optional[float] = None
    cpu_iowait: Optional[float] = None
    cpu_user: Optional[float] = None
    cpu_system: Optional[float] = None
    cpu_softirq: Optional[float] = None
    cpu_steal: Optional[float] = None
    load1: Optional[float] = None
    memory_used: Optional[float] = None  # share
    swap_in_bytes_per_s: Optional[float] = None
    psi_cpu: Optional[float] = None
    psi_io: Optional[float] = None
    psi_memory: Optional[float] = None
    disk: str = ''  # the busiest one
    disk_util: Optional[float] = None
    disk_await: Optional[float] = None
    nic: str = ''  # the one nearest to its speed, else the busiest one
    nic_bytes_per_s: Optional[float] = None  # the greater direction
    nic_share: Optional[float] = None  # of the link's speed
    temperature: Optional[float] = None  # °C, the hottest processor
    throttled: Optional[float] = None  # times a second
    watts: Optional[float] = None
    watts_source: str = ''


@dataclasses.dataclass(frozen=True)
class HostsOverview:
    """Hold the rows of a run, and what was not available."""

    run: str
    rows: Tuple[HostRow, ...]
    notes: Tuple[str, ...]
    load_hosts: Tuple[LoadShare, ...] = ()  # where several made the load


def overview(run: Run, trials: Iterable[Trial]) -> HostsOverview:
    """Return the hosts of a run's trials that count.

    Conditioning rounds and void trials are left out; hosts stand in the
    order of the plan: by workload, then group, then host.
    """
    plan = run.plan
    trials = list(trials)
    shares = load_shares(run, trials)
    seen: Dict[Tuple[str, str, str], List[Mapping[str, Any]]] = {}
    notes: Dict[str, None] = {}
    for trial in trials:
        if trial.state is not TrialState.OK or trial.round < 1:
            continue
        for note in trial.evidence.get('notes', ()):
            if str(note).startswith(NOTE):
                notes[str(note)] = None
        for host, figures in (trial.evidence.get(HOSTS) or {}).items():
            key = (trial.workload, trial.group, host)
            seen.setdefault(key, []).append(figures)
    workloads = [w.name for w in plan.profile.workloads]
    groups = [g.name for g in plan.groups]

    def order(key: Tuple[str, str, str]) -> Tuple[int, int, bool, str]:
        workload, group, host = key
        client = seen[key][0].get('role') != 'osd'
        return workloads.index(workload), groups.index(group), client, host

    keys = [k for k in seen if k[0] in workloads and k[1] in groups]
    rows = tuple(_row(*key, seen[key]) for key in sorted(keys, key=order))
    with_nic = {row.host for row in rows if row.nic}
    offline = sorted({row.host for row in rows if row.trials} - with_nic)
    if offline:
        notes[
            f'{NOTE}no network interface but loopback and virtual ones was '
            f'told of by {some(offline)}'
        ] = None
    return HostsOverview(run.id, rows, tuple(notes), shares)


def _row(
    workload: str,
    group: str,
    host: str,
    every: List[Mapping[str, Any]],
) -> HostRow:
    # without samples it is only known what the host is
    trials = [t for t in every if t.get('samples') != 0]

    def median(name: str) -> Optional[float]:
        return _median(t.get(name) for t in trials)

    disk, disks = _worst(trials, 'disks', _disk_load)
    nic, nics = _worst(trials, 'nics', _nic_load)
    source, watts = _power(trials)
    return HostRow(
        workload=workload,
        group=group,
        host=host,
        role='+'.join(
            every[-1].get('roles') or [str(every[-1].get('role', ''))]
        ),
        trials=len(trials),
        cores=_median(t.get('cores') for t in every),
        cpu_busy=median('cpu_busy'),
        cpu_iowait=median('cpu_iowait'),
        cpu_user=median('cpu_user'),
        cpu_system=median('cpu_system'),
        cpu_softirq=median('cpu_softirq'),
        cpu_steal=median('cpu_steal'),
        load1=median('load1'),
        memory_used=_median(_memory(t) for t in trials),
        swap_in_bytes_per_s=median('swap_in_bytes_per_s'),
        psi_cpu=median('psi_cpu'),
        psi_io=median('psi_io'),
        psi_memory=median('psi_memory'),
        disk=disk,
        disk_util=_median(d.get('util') for d in disks),
        disk_await=_median(d.get('await') for d in disks),
        nic=nic,
        nic_bytes_per_s=_median(nic_rate(n) for n in nics),
        nic_share=_median(nic_share(n) for n in nics),
        temperature=median('temperature'),
        throttled=median('throttled'),
        watts=_median(watts),
        watts_source=source,
    )


def _power(
    trials: Iterable[Mapping[str, Any]],
) -> Tuple[str, List[float]]:
    """Return one source of watts, and what it said in its trials.

    That of the most trials, of as many the later one: sources measure
    different parts of a host.
    """
    found: Dict[str, List[float]] = {}
    for trial in trials:
        if trial.get('watts') is not None:
            source = str(trial.get('watts_source') or '')
            # that of the last trial is the last one
            found[source] = [*found.pop(source, []), trial['watts']]
    if not found:
        return '', []
    return max(reversed(list(found.items())), key=lambda one: len(one[1]))


def _median(values: Iterable[Optional[float]]) -> Optional[float]:
    known = [v for v in values if v is not None]
    return statistics.median(known) if known else None


def _memory(figures: Mapping[str, Any]) -> Optional[float]:
    total, left = figures.get('mem_total'), figures.get('mem_available')
    if not total or left is None:
        return None
    return float(1.0 - left / total)


Figures = Mapping[str, Any]


def _worst(
    trials: List[Mapping[str, Any]], kind: str, load: Any
) -> Tuple[str, List[Figures]]:
    """Return the device with the greatest load, and it in each trial."""
    loads: Dict[str, List[Tuple[float, float]]] = {}
    for trial in trials:
        for name, figures in (trial.get(kind) or {}).items():
            loads.setdefault(name, []).append(load(figures))
    if not loads:
        return '', []

    def typical(name: str) -> Tuple[float, float]:
        first, second = zip(*loads[name])
        return statistics.median(first), statistics.median(second)

    worst = max(sorted(loads), key=typical)
    return worst, [
        t[kind][worst] for t in trials if worst in (t.get(kind) or {})
    ]


def _disk_load(figures: Figures) -> Tuple[float, float]:
    return figures.get('util') or 0.0, figures.get('await') or 0.0


def _nic_load(figures: Figures) -> Tuple[float, float]:
    return nic_share(figures) or 0.0, nic_rate(figures) or 0.0


def nic_rate(figures: Figures) -> Optional[float]:
    """Return bytes/s of the direction that carries more, if known."""
    rates = [figures.get('rx_bytes_per_s'), figures.get('tx_bytes_per_s')]
    known = [r for r in rates if r is not None]
    return max(known) if known else None


def nic_share(figures: Figures) -> Optional[float]:
    """Return how much of its link an interface used, one direction."""
    rate, speed = nic_rate(figures), figures.get('speed_bytes_per_s')
    if rate is None or not speed:
        return None
    return float(rate / speed)
