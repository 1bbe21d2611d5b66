"""The use cases of recovery tests: plan, start, cancel."""

from typing import (
    Callable,
    Dict,
    Iterable,
    List,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses
import secrets

from ..common.errors import InvalidArgument, NotFound, PerfcompareError
from ..common.settings import Settings
from ..execution import emulation
from ..execution.runner import Runner
from ..groups.repository import GroupRepository
from ..guard.abort.rules import rules as abort_rules
from ..guard.collect.facts import read_machine
from ..model.group import Group
from ..model.plan import RunPlan
from ..model.recovery import RecoveryTest, Scenario, StepKind
from ..model.recovery_plan import Forecast, PlannedStep
from ..model.series import Table
from ..model.topology import Topology
from ..planning import agreed
from ..planning import inputs as planinputs
from ..planning.options import MAX_SEED
from ..planning.pgs import INITIAL_PGS, PGS_PER_OSD
from ..ports.config import ConfigReads
from ..ports.faults import DaemonOrders, Departures, FaultReads
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads
from ..ports.rules import RuleReads
from ..recovery.judge.chart import Track, tracks
from ..recovery.judge.comparison import RecoveryComparison, compare
from ..recovery.plan import (
    candidates,
    defaults,
    movement_forecast,
    safety,
    targets,
)
from ..recovery.plan.pglogs import LOG_OPTIONS, log_entries
from ..recovery.plan.request import (
    ORCHESTRATOR,
    RecoveryRequest,
    ValidatedRequest,
)
from ..recovery.plan.scenarios import PlanInputs, plan_test
from ..recovery.plan.timing import RECOVERY_BYTES
from ..recovery.run.patience import patience
from ..recovery.run.stopping import choose
from ..recovery.store import recoveries as store
from ..store.thread import DbThread
from . import ending
from .requests import PlanDraft, Stopping, Ticket, consented
from .submission import Submission

MGR_POOLS = ('.mgr', 'device_health_metrics')
STOPS = (Scenario.OSD_STOP, Scenario.HOST_STOP)


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


class RecoveryTests:
    """Offer recovery tests over one cluster."""

    def __init__(
        self,
        cluster: Needs,
        groups: GroupRepository,
        runner: Runner,
        settings: Callable[[], Settings],
        submission: Submission,
        client_host: Callable[[], str],
        database: DbThread,
    ) -> None:
        self._cluster = cluster
        self._groups = groups
        self._runner = runner
        self._settings = settings
        self._submission = submission
        self._client_host = client_host
        self._database = database

    def draft(self, request: RecoveryRequest) -> PlanDraft:
        """Return the whole plan and every check; nothing is touched."""
        plan = self._plan(request)
        assert plan.recovery is not None
        rules = abort_rules(
            self._settings(), patience(plan.recovery.scenario)
        )
        return PlanDraft(plan, self._submission.check(plan), tuple(rules))

    def start(self, request: RecoveryRequest, seen: str = '') -> Ticket:
        """Check and enqueue a test; return at once.

        Raises PlanChanged where its plan is not that of the digest ``seen``,
        or where checks ask for consent that did not then.
        """
        # checks take seconds, and `stop` is heard meanwhile
        with self._submission.attempting() as attempt:
            self._submission.refuse_when_stopped()
            wishes = request.checked()
            problem = safety.consent_problem(
                wishes.scenario,
                self._settings().allow_failure_tests,
                request.consent,
            )
            if problem is not None:
                raise problem
            plan = self._plan(request)
            asked = agreed.check(plan, seen)
            return self._submission.submit(
                plan,
                request.origin,
                f'ceph perfcompare recovery compare {plan.run}',
                attempt,
                asked,
            )

    def cancel(self, run: str) -> Stopping:
        """Ask the active test to end in order; OSDs that it took come back."""
        current = self._runner.current
        if current is not None and current.plan.recovery is None:
            raise InvalidArgument(
                f'{current.id} is a run, not a recovery test; use: ceph '
                f'perfcompare cancel {current.id}'
            )
        return ending.cancel(self._runner, run)

    # results

    def _test(self, test: str) -> RecoveryTest:
        item = self._database.call(lambda s: store.get(s, test))
        if not isinstance(item, RecoveryTest):
            raise InvalidArgument(
                f'{test} is a recovery that happened by itself; see ceph '
                f'perfcompare recovery show {test}'
            )
        return item

    def compare(
        self, test: str, baseline: str = '', candidate: str = ''
    ) -> RecoveryComparison:
        """Compare two groups of a stored test, step by step."""
        return compare(self._test(test), baseline, candidate)

    def chart(
        self, test: str, repetition: int = 1, step: Optional[int] = None
    ) -> Tuple[Track, ...]:
        """Return the timelines of one repetition, aligned at t0."""
        found = self._test(test)
        held = sorted({step.repetition for step in found.steps})
        if held and repetition not in held:
            raise NotFound(
                f'recovery test {test} has no repetition {repetition}; the '
                f'last one is {held[-1]}'
            )

        def series(source: str) -> Sequence[Table]:
            try:
                return self._database.call(
                    lambda s: store.series(s, test, source)
                )
            except NotFound:
                return ()

        return tracks(found, series, repetition, step)

    # what a plan needs to know

    def _plan(self, request: RecoveryRequest) -> RunPlan:
        wishes = request.checked()
        groups = self._groups.resolve_all(request.groups)
        seed = request.seed
        if seed is None:
            seed = secrets.randbelow(MAX_SEED)
        known = self._know(request, wishes, groups)
        plan = self._fitting(request, groups, seed, known)
        if wishes.moves_all:
            safety.refuse_full(plan, wishes.what, known.backfillfull)
            safety.refuse_slow(plan, wishes.what)
        return dataclasses.replace(
            plan,
            labels=plan.labels + emulation.labels(known.emulated),
            options=consented(plan.options, self._settings()),
        )

    def _fitting(
        self,
        request: RecoveryRequest,
        groups: Sequence[Group],
        seed: int,
        known: PlanInputs,
    ) -> RunPlan:
        """Return the plan by the first defaults that fit the groups.

        Where none does it is that of the usual ones, and preflight says so.
        """

        def fits(plan: RunPlan) -> bool:
            return defaults.fits(
                plan, known.topology, known.backfillfull, known.emulated
            )

        run = secrets.token_hex(4)
        usual = plan_test(run, request, groups, seed, known)
        if fits(usual):
            return usual
        pg_num = usual.groups[0].pools[0].pg_num
        for wanted, in_parts in defaults.choices(request, groups, pg_num):
            logs = {g.name: self._log_entries(g, wanted) for g in groups}
            own = dataclasses.replace(known, log_entries=logs)
            plan = plan_test(run, wanted, groups, seed, own, in_parts)
            if fits(plan):
                labels = plan.labels + defaults.labels(usual, plan)
                return dataclasses.replace(plan, labels=labels)
        return usual

    def _know(
        self,
        request: RecoveryRequest,
        wishes: ValidatedRequest,
        groups: Sequence[Group],
    ) -> PlanInputs:
        topology = self._cluster.topology()
        stop_by = ''
        if wishes.scenario in STOPS:
            stop_by = choose(
                wishes.stop_by, self._cluster.orchestrator() or ''
            )
            if stop_by == ORCHESTRATOR and request.step_timeout is not None:
                raise InvalidArgument(
                    '--step-timeout is for an operator, and the '
                    'orchestrator stops the OSDs: give --stop-by operator '
                    'as well, or leave it out'
                )
        leaving = self._cluster.departures()
        chosen = {
            group.name: self._targets(group, wishes, topology, leaving)
            for group in groups
        }
        if stop_by == ORCHESTRATOR:
            self._refuse_held(chosen.values())
        return PlanInputs(
            topology=topology,
            pools=tuple(self._cluster.pools()),
            settings=planinputs.read(
                self._cluster, groups, request.ec_profile
            ),
            client_host=self._client_host(),
            log_entries={
                g.name: self._log_entries(g, request) for g in groups
            },
            targets=chosen,
            forecasts=self._forecasts(
                groups, chosen, wishes, topology, leaving
            ),
            backfillfull=self._cluster.full_ratios()['backfillfull'],
            stop_by=stop_by,
            emulated=emulation.emulated(groups, topology, read_machine()),
        )

    def _refuse_held(self, chosen: Iterable[Sequence[PlannedStep]]) -> None:
        osds = [o for steps in chosen for step in steps for o in step.osds]
        problem = safety.orders_problem(self._cluster.orders_held(osds))
        if problem:
            raise InvalidArgument(problem)

    def _log_entries(self, group: Group, request: RecoveryRequest) -> int:
        """Return what the PG logs of the test's pool will hold, at most.

        A primary trims by the PGs of its own OSD: where there are fewest,
        logs are longest.
        """
        counts = self._cluster.pg_counts()
        present, osd = min(
            (sum(counts.osds([osd]).values()), osd) for osd in group.osds
        )
        own = request.pg_num or PGS_PER_OSD * len(group.osds)
        if own > 2 * INITIAL_PGS and request.pg_num is None:
            own //= 2  # pools that need not grow may have fewer
        options = self._cluster.osd_config(osd, LOG_OPTIONS)
        return log_entries(options, present + own / len(group.osds))

    def _targets(
        self,
        group: Group,
        wishes: ValidatedRequest,
        topology: Topology,
        leaving: Departures,
    ) -> List[PlannedStep]:
        """Return what the faults are done to; raise why there is none."""
        if wishes.scenario is Scenario.BACKFILL:
            if not self._cluster.upmap_allowed():
                raise InvalidArgument(
                    'backfill moves PGs by upmaps, which the oldest clients '
                    'that are allowed do not know: ceph osd '
                    'set-require-min-compat-client luminous'
                )
            return []
        avoid = self._mgr_pool()
        if wishes.scenario is Scenario.HOST_STOP:
            offered = [
                PlannedStep(StepKind.STOP, '', name, osds, (name,))
                for name, osds in targets.order_hosts(
                    topology, group.osds, avoid
                )
            ]
        else:
            offered = [
                PlannedStep(
                    StepKind.STOP,
                    '',
                    f'osd.{osd}',
                    (osd,),
                    (topology.osds[osd].host,),
                )
                for osd in targets.order_osds(topology, group.osds, avoid)
            ]
        found: List[PlannedStep] = []
        reasons: List[str] = []
        for step in offered:
            if len(found) == wishes.nodes:
                break
            problem = candidates.unfit(
                self._cluster, step, found, wishes, topology, leaving
            )
            if problem:
                reasons.append(problem)
            else:
                found.append(step)
        if len(found) < wishes.nodes:
            why = reasons[0] if reasons else 'it has too few hosts'
            raise InvalidArgument(
                f'{wishes.scenario.value} is not possible in group '
                f'{group.name!r}: {why}'
            )
        return found

    def _mgr_pool(self) -> Tuple[int, ...]:
        for name in MGR_POOLS:
            try:
                found = self._cluster.pg_map(name)
            except PerfcompareError:
                continue
            return tuple(sorted({o for pg in found for o in pg.acting}))
        return ()

    def _forecasts(
        self,
        groups: Sequence[Group],
        chosen: Dict[str, List[PlannedStep]],
        wishes: ValidatedRequest,
        topology: Topology,
        leaving: Departures,
    ) -> Dict[str, Forecast]:
        if not wishes.moves_all:
            return {}
        pools = self._cluster.pools()
        chunks = movement_forecast.data_chunks(self._cluster, pools)
        found = {}
        for group in groups:
            # at the worst, the OSDs of all steps are out at one time
            osds = sorted({o for s in chosen[group.name] for o in s.osds})
            departures = leaving.without(osds)
            shares = movement_forecast.takers(departures, pools, chunks)
            found[group.name] = dataclasses.replace(
                safety.forecast_out(
                    osds,
                    # of those without a PG only the test's own pool moves
                    shares or {o: 0.0 for o in group.osds if o not in osds},
                    topology,
                    RECOVERY_BYTES,
                ),
                pools=tuple(sorted(departures)),
                upmaps=len(self._cluster.exceptions_near(osds).upmaps),
            )
        return found
