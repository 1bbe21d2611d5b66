"""What a recovery test must not do, whatever was asked. Pure functions.

Each rule returns why not, or an empty text. They are asked when a test is
planned and, with fresh facts, again before each step.
"""

from typing import Collection, Mapping, Optional, Sequence, Set

import dataclasses
import math

from ...common.errors import InvalidArgument, NotPermitted, TryAgain
from ...common.units import count, format_duration
from ...model.plan import RunPlan
from ...model.recovery import Scenario, StepKind
from ...model.recovery_plan import Forecast, PlannedStep
from ...model.topology import MgrState, MonState, Topology
from ...ports.faults import StopAdvice, named
from .options import MAX_LIMIT

OPTION = 'allow_failure_tests'
# steps that need the mons' advice
STOPPING = (StepKind.STOP, StepKind.DOWN)
TAKING = STOPPING + (StepKind.OUT,)  # what OSDs serve
FILL_MARGIN = 0.02  # points below backfillfull that stay free


def option_problem(scenario: Scenario, allowed: bool) -> str:
    """Say that a scenario makes OSDs fail while the option forbids it."""
    if scenario is Scenario.BACKFILL or allowed:
        return ''
    return (
        f'scenario {scenario.value!r} makes OSDs fail, which is switched '
        'off; an administrator allows it: ceph config set mgr '
        f'mgr/perfcompare/{OPTION} true'
    )


def consent_problem(
    scenario: Scenario, allowed: bool, consent: bool
) -> Optional[NotPermitted]:
    """Return what a scenario beyond backfill still needs."""
    if scenario is Scenario.BACKFILL:
        return None
    problem = option_problem(scenario, allowed)
    if problem:
        return NotPermitted(problem)
    if not consent:
        return NotPermitted(
            f'scenario {scenario.value!r} touches all data on its OSDs; '
            'read the plan (--dry-run), then repeat with '
            '--yes-i-really-mean-it'
        )
    return None


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """Hold who shares hosts with the OSDs of a test."""

    mgr: MgrState
    mon: MonState
    mon_hosts: Mapping[str, str]


def host_problem(
    host: str,
    osds: Sequence[int],
    topology: Topology,
    around: Surroundings,
    stopped: Collection[str] = (),
) -> str:
    """Say why a host must not stop: active mgr, or a mon of the quorum.

    ``stopped`` are hosts that are stopped already.
    """
    names = _machine_names(host, osds, topology)
    if around.mgr.active_hostname in names:
        return f'host {host!r} carries the active Manager'
    for other in stopped:
        names |= {other}
    lost = {m for m, place in around.mon_hosts.items() if place in names}
    here = lost & {
        m
        for m, place in around.mon_hosts.items()
        if place in _machine_names(host, osds, topology)
    }
    left = [m for m in around.mon.quorum if m not in lost]
    if here and 2 * len(left) <= len(around.mon.monitors):
        return (
            f'host {host!r} carries mon.{sorted(here)[0]}, without which '
            f'{len(left)} of {len(around.mon.monitors)} Monitors are no '
            'quorum'
        )
    return ''


def _machine_names(
    host: str, osds: Sequence[int], topology: Topology
) -> Set[str]:
    """Return the names of the machine behind a CRUSH host."""
    found = {host}
    for ident in osds:
        osd = topology.osds.get(ident)
        if osd and osd.hostname:
            found.add(osd.hostname)
    return found


def domains_problem(size: int, min_size: int, lost: int) -> str:
    """Say why the benchmark pool cannot lose ``lost`` failure domains."""
    if size - lost < min_size:
        return (
            f'a pool of size {size} and min_size {min_size} serves no I/O '
            f'with {lost} failure domains stopped; it can lose '
            f'{size - min_size}: use more replicas, an erasure code with '
            'more coding chunks, or stop fewer'
        )
    return ''


def advice_problem(osds: Sequence[int], advice: StopAdvice) -> str:
    """Say why the mons advise against stopping these OSDs."""
    if advice.ok:
        return ''
    text = f'{named(osds)} cannot stop together now'
    if advice.bad_pgs:
        text += f': {count(advice.bad_pgs, "PG")} would serve no I/O'
    elif advice.why:
        text += f': {advice.why}'
    return text + ' (ceph osd ok-to-stop)'


def orders_problem(held: str) -> str:
    """Say why nothing may be ordered, by why orders would be kept.

    Such an order stops the OSD when the test is long forgotten.
    """
    if not held:
        return ''
    return (
        f'the orchestrator would keep an order to stop OSDs and carry it '
        f'out later: {held}; end that, or give --stop-by operator'
    )


def single_domain_problem(step: PlannedStep) -> str:
    """Say that a step takes more than one failure domain at once."""
    if step.kind in (StepKind.STOP, StepKind.OUT, StepKind.DOWN):
        if len(set(step.hosts)) > 1:
            return (
                f'{step.title!r} would take {len(set(step.hosts))} hosts '
                'at one time; only one may go at a time'
            )
    return ''


def forecast_out(
    osds: Sequence[int],
    shares: Mapping[int, float],
    topology: Topology,
    bytes_per_s: float,
) -> Forecast:
    """Predict what marking OSDs out moves, and whom it fills.

    ``shares`` is how much of their data each other OSD takes over, as CRUSH
    will have it (movement_forecast.py): with as many hosts as copies what
    one OSD has stays on its host. ``bytes_per_s`` is what one OSD takes.
    """
    gone = sum(topology.osds[osd].used_bytes for osd in osds)
    fill, fullest = None, None
    for ident, share in sorted(shares.items()):
        other = topology.osds.get(ident)
        if other is None or not other.size_bytes:
            continue
        after = (other.used_bytes + share * gone) / other.size_bytes
        if fill is None or after > fill:
            fill, fullest = after, ident
    return Forecast(
        bytes_moved=int(gone * sum(shares.values())),
        seconds=gone * max(shares.values(), default=0.0) / bytes_per_s,
        seconds_back=(
            max(topology.osds[osd].used_bytes for osd in osds) / bytes_per_s
            if any(shares.values())
            else 0.0
        ),
        fill=fill,
        fill_osd=fullest,
    )


def fill_problem(forecast: Forecast, backfillfull: float) -> str:
    """Say that the remaining OSDs have no room for what must move."""
    if forecast.fill is None:
        return 'the fill of the remaining OSDs is not known'
    if forecast.fill > backfillfull - FILL_MARGIN:
        return (
            f'osd.{forecast.fill_osd} would be {forecast.fill:.0%} full; '
            f'backfill stops at {backfillfull:.0%}'
        )
    return ''


def refuse_full(plan: RunPlan, what: str, backfillfull: float) -> None:
    """Refuse a plan whose OSDs that take over data have no room for it.

    Raises InvalidArgument, or TryAgain where nobody knows yet.
    """
    test = plan.recovery
    assert test is not None
    for own in test.groups:
        if own.forecast == Forecast():
            continue
        problem = fill_problem(own.forecast, backfillfull)
        if problem and own.forecast.fill is None:
            # after a failover until the OSDs have reported to this mgr
            raise TryAgain(
                f'{what} in group {own.group!r}: {problem} yet; try again '
                'in a moment'
            )
        if problem:
            raise InvalidArgument(
                f'{what} is not possible in group {own.group!r}: {problem}'
            )


def slow_problem(forecast: Forecast, limit: float) -> str:
    """Say that data will not be home again when a step is given up."""
    needed = max(forecast.seconds or 0.0, forecast.seconds_back or 0.0)
    if needed <= limit:
        return ''
    text = (
        f'its data needs about {format_duration(needed)} one way, and a step '
        f'is given up after {format_duration(limit)}'
    )
    if needed > MAX_LIMIT:
        return f'{text}, --limit being {MAX_LIMIT:.0f} at the most'
    return f'{text}: give --limit {math.ceil(needed)} or more'


def refuse_slow(plan: RunPlan, what: str) -> None:
    """Refuse a plan that would fail when it has moved everything.

    How much moves while stopped OSDs are out is for the plan to tell.
    """
    test = plan.recovery
    assert test is not None
    if test.scenario is not Scenario.OSD_OUT:
        return
    for own in test.groups:
        problem = slow_problem(own.forecast, test.limit)
        if problem:
            raise InvalidArgument(
                f'{what} is not possible in group {own.group!r}: {problem}'
            )
