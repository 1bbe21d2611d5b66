"""Carry a recovery test from its preflight to its last verified cleanup.

The counterpart of ``perfcompare.execution.run`` for recovery tests: the same
runner drives it, undoes it and resumes it after a failover.
"""

from typing import List, Optional, Sequence, Tuple

import dataclasses

from ...common.errors import NotFound, TryAgain
from ...drivers.driver import LOAD_MARGIN
from ...execution.cooling import Cooling
from ...metrics.osd_settings import settings
from ...model.plan import Block, GroupPlan, PoolPlan
from ...model.recovery import (
    Fate,
    Mark,
    Moment,
    Scenario,
    StepKind,
    StepResult,
)
from ...model.recovery_plan import PlannedStep, TestPlan
from ...model.run import Progress, Run, RunEvent, RunState
from ...workers.control import Stopped
from ..judge import impact
from ..plan.precautions import Precautions
from .context import RecoveryContext
from .fault_injector import FaultInjector
from .felt import ClientImpact
from .filling import written
from .options import LIMITS, TestOptions
from .settle_wait import SettleWait
from .step_checkpoint import StepCheckpoint
from .stepwatch import StepWatch, client_table
from .stopping import Stopper
from .test_recorder import StepRecord, outcome
from .time_left import TimeLeft, repetitions
from .waiting import Waiting


class RecoveryExecution:
    """Drive one recovery test in the mgr's serve thread."""

    def __init__(
        self,
        run: Run,
        parts: RecoveryContext,
        done: Sequence[StepResult] = (),
    ) -> None:
        assert run.plan.recovery is not None
        self.run = run
        self.plan = run.plan
        self._test: TestPlan = run.plan.recovery
        self._parts = parts
        self._cluster = parts.cluster
        self._client = parts.client
        self._felt = ClientImpact(parts.client, self._test.moved)
        self._done = {
            (s.group, s.repetition)
            for s in done
            if s.kind is StepKind.RECOVERED
        }
        self._clock = parts.control
        self._kept = StepCheckpoint(parts.cluster, parts.control)
        self._waiting = Waiting(
            parts,
            self._kept,
            self._test.auto_out,
            lambda: self._say(self._message),
        )
        pulse = self._waiting.pulse
        self._stopper = Stopper(
            parts.cluster,
            self._test.stop_by,
            self._test.step_timeout,
            self._say,
            pulse,
            parts.control,
        )
        self._work = FaultInjector(
            parts.cluster,
            parts.journal,
            run.plan,
            self._test,
            self._stopper,
            pulse,
            parts.control,
        )
        self._precautions = Precautions(
            parts.cluster,
            self._test,
            pulse,
            parts.control,
            parts.failures_allowed,
        )
        self._rest = SettleWait(
            parts.cluster,
            parts.control,
            self._look,
            sorted({o for g in run.plan.groups for o in g.osds}),
            self.enter,
            parts.cut,
        )
        self._cooling = Cooling(
            parts.cluster, run.plan, parts.control, self._look
        )
        self._serial = 0
        self._message = ''
        self._round = 0
        self._left = TimeLeft(
            run.plan.seconds,
            repetitions(run.plan),
            len(self._done),
            parts.control.monotonic,
        )
        self._resumed = bool(run.events)  # whoever takes it up notes it

    def _look(self) -> None:
        """Look at the brakes while nothing but time is needed."""
        self._parts.loads.vigil()
        self._parts.alive()

    # the states

    def enter(self, state: RunState, message: str) -> None:
        """Go to a state, tell it, and record it as an event."""
        now = self._clock.wall()
        self.run = dataclasses.replace(
            self.run,
            state=state,
            started=self.run.started or now,
            events=self.run.events + (RunEvent(now, state, message),),
        )
        self._parts.sink.put_run(self.run)
        self._say(message)

    def measure(self) -> None:
        """Prepare, do all repetitions that are left, leave load off.

        Raises Stopped or a PerfcompareError when the test must end early;
        the caller undoes in every case.
        """
        if self._resumed:
            self._rest.after_cut()
            self._cooling.make_room(self._say, anew=True)
        self.enter(RunState.PREFLIGHT, 'checks')
        self._parts.preflight(self.plan)
        self.enter(RunState.PREPARING, 'placement and key of the test')
        self._parts.pools.prepare()
        options = TestOptions(
            self._cluster, self._parts.journal, self.plan.run
        )
        options.profile(self._test.mclock_profile)
        options.hold_balancer()
        self._fill()
        for block in self.plan.blocks:
            self._round = block.round
            for name in block.order:
                if (name, block.round) not in self._done:
                    self._left.begins()
                    self._repetition(block, self.plan.group(name))
                    self._done.add((name, block.round))
                    self._left.repeated()
        self.enter(RunState.FINISHING, 'everything comes back')

    def _fill(self) -> None:
        pools = [p for g in self.plan.groups for p in g.pools]
        self.enter(RunState.PREPARING, 'pools')
        # without moves of its own a pool must be where CRUSH puts it
        even = self._test.scenario is Scenario.BACKFILL
        self._parts.pools.create(pools, balance=even)
        for what, kind, job, pool in written(self._parts, self.plan):
            self.enter(RunState.PREPARING, what)
            self._parts.loads.run(
                self._name(kind), job, (pool,), on_tick=self._parts.alive
            )

    def _name(self, what: str) -> str:
        self._serial += 1
        return f'{self._serial:04d}-{what}'

    # a repetition

    def _repetition(self, block: Block, group: GroupPlan) -> None:
        test = self._test.of(group.name)
        pool = group.pools[0]
        self._rest.before(test.steps)
        limits = settings(self._cluster, group.osds, LIMITS)
        where = f'repetition {block.round} on {group.name}'
        self.enter(RunState.TRIAL, f'{where}: no failure')
        longest = self._test.longest(test.steps) + LOAD_MARGIN
        self._parts.hosts.begin(group, self._name('hosts'), longest)
        self._client.start(
            self._name('client'),
            self._parts.load.beside(
                group, block.round, self._serial, longest
            ),
            # recovery of the pool under test is no reason to abort
            (),
            longest,
        )
        records: List[StepRecord] = []
        whole = False
        try:
            began = self._begins()
            self._waiting.hold(self._test.hold)
            self._present(pool)
            baseline = self._felt.between(began, self._clock.wall())
            first = outcome(group, block, 0, StepKind.BASELINE, baseline)
            first = dataclasses.replace(
                first, settings=limits or {}, notes=self._rest.again()
            )
            records.append(self._record(first, began))
            for index, step in enumerate(test.steps, 1):
                self.enter(RunState.TRIAL, f'{where}: {step.title}')
                records.append(
                    self._step(group, pool, block, index, step, baseline)
                )
            self.enter(RunState.TRIAL, f'{where}: recovered')
            began = self._begins()
            self._waiting.hold(self._test.hold)
            self._present(pool)
            after = self._felt.between(began, self._clock.wall(), baseline)
            last = outcome(
                group, block, len(records), StepKind.RECOVERED, after
            )
            last = dataclasses.replace(last, notes=self._trouble(group))
            records.append(self._record(last, began))
            whole = True
        except Stopped as stopped:
            if stopped.state is RunState.INTERRUPTED:
                self._kept.leave()
            if stopped.state is not RunState.ABORTED:
                raise
            why = self._parts.load.problem(group)
            # operations may fail for want of what serves them
            reasons = '; '.join(filter(None, (stopped.reason, why)))
            raise Stopped(stopped.state, reasons) from None
        finally:
            self._waiting.watch = None
            self._kept.end()
            self._client.stop()
            self._parts.abort.expect_down(())
            # a test that is cut waits for no figures of hosts
            told = self._parts.hosts.end(records if whole else ())
            self._parts.sink.put_steps(self.run, told or records)

    def _trouble(self, group: GroupPlan) -> Tuple[str, ...]:
        """Return what went wrong with the load of a repetition."""
        why = self._parts.load.problem(group)
        found = [*self._client.problems, *self._client.uncounted()]
        return tuple(found + [why] if why else found)

    def _step(
        self,
        group: GroupPlan,
        pool: PoolPlan,
        block: Block,
        index: int,
        step: PlannedStep,
        baseline: impact.Figures,
    ) -> StepRecord:
        """Make one change, and watch until its effects are over."""
        self._precautions.check(step)
        self._expect(index, step, group)
        if step.kind is StepKind.STOP:
            self._work.protect(step)
        self._work.prepare(step)
        self._rest.note(step)
        began = self._begins()
        ordered = self._ordered(step)
        watch = self._parts.make_watch(group, pool, ordered, step)
        self._waiting.watch = watch
        self._kept.begin(
            watch,
            f'{step.title} on {group.name}, repetition {block.round} of '
            f'test {self.run.id}: cut by a failover of the Manager, which '
            'undid it meanwhile',
        )
        doing = self._message
        notes = list(self._work.make(step, pool))
        self._client.changes(self._clock.wall())
        if step.kind in (StepKind.STOP, StepKind.START):
            if self._stopper.repeated:
                ordered = Moment()
                watch.forget_order()
        self._say(doing)  # whoever was waited for has acted
        due = self._waiting.after(self._test.limit)
        if not self._waiting.by(due, lambda: watch.peered):
            notes.append(f'not peered within {self._test.limit:.0f} s')
        elif step.settles:
            if not self._waiting.by(due, lambda: watch.settled):
                notes.append(
                    f'not clean within {self._test.limit:.0f} s, given up'
                )
        else:
            self._waiting.hold(self._test.hold)
            # what was seen at first may be older than the fault
            self._waiting.by(due + self._test.hold, lambda: watch.peered)
        self._waiting.watch = None
        self._kept.end()
        timeline = watch.end()
        ended = self._clock.wall()
        self._present(pool)
        if not ordered.reached:
            first = timeline.mark(Mark.T1)
            if first.reached and first.at is not None:
                began = first.at
        felt = self._felt.between(began, ended, baseline)
        timeline = self._felt.in_phases(timeline, baseline)
        notes += self._felt.too_short(timeline)
        if step.settles and step.kind not in (StepKind.MOVE, StepKind.OUT):
            if not timeline.mark(Mark.T5).reached:
                raise TryAgain(
                    f'group {group.name!r} is not clean again '
                    f'{self._test.limit:.0f} s after {step.title!r}'
                )
        result = outcome(group, block, index, step.kind, felt)
        result = dataclasses.replace(
            result,
            title=step.title,
            target=step.target,
            timeline=timeline,
            notes=tuple(notes),
        )
        return self._record(result, began, watch)

    def _begins(self) -> float:
        """Return now, when something begins that has its own figures."""
        now = self._clock.wall()
        self._waiting.flags.begin()
        self._client.begins(now)
        return now

    def _present(self, pool: PoolPlan) -> None:
        """Raise NotFound once the pool is gone: nothing recovers then."""
        if not any(p.name == pool.name for p in self._cluster.pools()):
            raise NotFound(
                f'pool {pool.name!r} of the test is gone: somebody removed it'
            )

    def _ordered(self, step: PlannedStep) -> Moment:
        """Return t0: the moment of our order, where it is ours."""
        if step.kind in (StepKind.STOP, StepKind.START):
            if not self._stopper.ordered:
                return Moment()
        return Moment(Fate.REACHED, self._clock.wall(), 0.1, 'order')

    def _expect(
        self, index: int, step: PlannedStep, group: GroupPlan
    ) -> None:
        """Tell the abort rules which OSDs are ours to take."""
        steps = self._test.of(group.name).steps
        taken = {o for s in steps[:index] for o in s.osds}
        self._parts.abort.expect_down(taken)

    def _record(
        self,
        result: StepResult,
        began: float,
        watch: Optional[StepWatch] = None,
    ) -> StepRecord:
        ended = self._clock.wall()
        if watch is None:  # it sees flags itself, and says so
            notes = result.notes + self._waiting.flags.end()
            result = dataclasses.replace(result, notes=notes)
        # of the load only what the next step needs is kept
        series = client_table(self._client.samples, began, ended)
        return StepRecord(result, began, ended, series, watch)

    def close(self) -> None:
        """Record the abort rules; give back what this host holds."""
        self._client.stop()
        self.run = dataclasses.replace(
            self.run, rules=tuple(self._parts.rules())
        )
        self._parts.close()

    # progress

    def _say(self, message: str) -> None:
        self._message = message
        fraction = len(self._done) / (repetitions(self.plan) or 1)
        self._parts.announce(
            Progress(
                run=self.run.id,
                state=self.run.state,
                fraction=fraction,
                eta=self._left.seconds(),
                round=self._round,
                rounds=self._test.repetitions,
                trial=message if self.run.state is RunState.TRIAL else '',
                ops_per_s=self._client.live or None,
                message=message,
                scenario=self._test.scenario.value,
            )
        )
