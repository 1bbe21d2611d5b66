"""Ask all safety rules again, with fresh facts, before each step."""

from typing import Callable, Mapping, Protocol, Sequence

from ...common.errors import PerfcompareError
from ...model.recovery import Scenario, StepKind
from ...model.recovery_plan import PlannedStep, TestPlan
from ...ports.clock import Clock
from ...ports.config import ConfigReads
from ...ports.faults import DaemonOrders, Departure, FaultReads, named
from ...ports.health import HealthReads
from ...ports.osd_map import OsdMapReads
from ...ports.pgs import PgReads
from ...ports.pools import PoolReads
from ...ports.rules import RuleReads
from . import flags, marking_out, movement_forecast, safety
from .request import ORCHESTRATOR
from .timing import RECOVERY_BYTES

# seconds after which all PGs have been reported since the last step, at the
# default mgr_stats_period
FRESH = 15.0
ASK = 1.0  # seconds between two questions, at the least
REST = 10.0  # times as long as a question took: all PGs are looked at


class Needs(
    ConfigReads,
    DaemonOrders,
    FaultReads,
    HealthReads,
    OsdMapReads,
    PgReads,
    PoolReads,
    RuleReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


def stop_problem(cluster: Needs, osds: Sequence[int]) -> str:
    """Say why these OSDs cannot stop together; empty where they can.

    The map is asked before ok-to-stop, which overlooks PGs in 20.2.4: it
    let an OSD go whose PGs had no copy to spare.
    """
    gone = set(osds)
    for pool in cluster.pools():
        sets = [set(pg.acting) for pg in cluster.pg_map(pool.name)]
        bad = sum(
            bool(acting & gone)
            and sum(o >= 0 for o in acting - gone) < pool.min_size
            for acting in sets
        )
        if bad:
            return (
                f'{named(osds)} cannot stop together now: {bad} PGs of pool '
                f'{pool.name!r} would serve no I/O (min_size '
                f'{pool.min_size})'
            )
    return safety.advice_problem(osds, cluster.ok_to_stop(osds))


class Precautions:
    """Refuse steps that must not be made now; used by one thread.

    ``pulse`` waits a moment and raises to leave, ``allowed`` reads the
    option that failures need.
    """

    def __init__(
        self,
        cluster: Needs,
        test: TestPlan,
        pulse: Callable[[], None],
        clock: Clock,
        allowed: Callable[[], bool],
    ) -> None:
        self._cluster = cluster
        self._test = test
        self._pulse = pulse
        self._clock = clock
        self._allowed = allowed

    def check(self, step: PlannedStep) -> None:
        """Ask all safety rules again, with fresh facts."""
        problem = safety.single_domain_problem(step)
        if not problem and step.kind in safety.TAKING:
            # what is taken already is given back, whatever it says by now
            problem = safety.option_problem(
                self._test.scenario, self._allowed()
            )
        if not problem and step.kind in (*safety.TAKING, StepKind.MOVE):
            problem = flags.problem(
                self._cluster, step.hosts, self._test.auto_out
            )
        known = self._cluster.osd_flagged()
        down = [o for o, found in known.items() if not found.up]
        if not problem and step.kind in safety.STOPPING:
            osds = sorted({*step.osds, *down})
            problem = self._advice(osds, FRESH if down else 0.0)
        if not problem and step.kind is StepKind.STOP:
            problem = self._orders_problem(step)
        if not problem and step.kind is StepKind.OUT:
            departures = self._cluster.pgs_without(step.osds)
            problem = movement_forecast.problem(step.osds[0], departures)
            problem = problem or self._room_problem(step.osds, departures)
        if not problem and step.kind is StepKind.STOP and self._test.auto_out:
            # those that are down may be marked out with them
            going = sorted({*step.osds, *(o for o in down if known[o].in_)})
            departures = self._cluster.pgs_without(going)
            problem = self._room_problem(going, departures)
            problem = problem or marking_out.problem(
                self._cluster, step.osds, down, self._test.hold
            )
        if not problem and self._test.scenario is Scenario.HOST_STOP:
            problem = self._host_problem(step)
        if problem:
            raise PerfcompareError(
                f'step {step.title!r} is refused: {problem}'
            )

    def _advice(self, osds: Sequence[int], patience: float) -> str:
        """Return why the mons advise against stopping these OSDs.

        They judge by what PGs reported last, which may be from before the
        end of the step before.
        """
        deadline = self._clock.monotonic() + patience
        while True:
            asked = self._clock.monotonic()
            problem = stop_problem(self._cluster, osds)
            if not problem or asked >= deadline:
                return problem
            again = asked + max(ASK, REST * (self._clock.monotonic() - asked))
            self._pulse()
            while self._clock.monotonic() < again:
                self._pulse()

    def _orders_problem(self, step: PlannedStep) -> str:
        if self._test.stop_by != ORCHESTRATOR:
            return ''
        return safety.orders_problem(self._cluster.orders_held(step.osds))

    def _room_problem(
        self, osds: Sequence[int], departures: Mapping[str, Departure]
    ) -> str:
        cluster = self._cluster
        pools = cluster.pools()
        chunks = movement_forecast.data_chunks(cluster, pools)
        shares = movement_forecast.takers(departures, pools, chunks)
        if not shares:
            return ''
        found = safety.forecast_out(
            osds, shares, cluster.topology(), RECOVERY_BYTES
        )
        return safety.fill_problem(
            found, cluster.full_ratios()['backfillfull']
        )

    def _host_problem(self, step: PlannedStep) -> str:
        if step.kind is not StepKind.STOP:
            return ''
        around = safety.Surroundings(
            self._cluster.mgr_state(),
            self._cluster.mon_state(),
            self._cluster.mon_hosts(),
        )
        topology = self._cluster.topology()
        for host in step.hosts:
            problem = safety.host_problem(host, step.osds, topology, around)
            if problem:
                return problem
        return ''
