"""What a recovery test writes down while it goes on."""

from typing import Callable, Collection, Dict, Optional, Sequence, Tuple

import dataclasses

from ...common.codec import to_data
from ...common.errors import NotFound
from ...model.plan import Block, GroupPlan
from ...model.recovery import (
    CLIENT,
    CLUSTER,
    RecoveryTest,
    StepKind,
    StepResult,
    TestState,
)
from ...model.run import Run, RunEvent, RunState
from ...model.series import Table
from ...store.job import Together, Written
from ...store.records import Records
from ...store.results import Retention, Store
from ...store.thread import DbThread
from ..judge.impact import Figures
from ..judge.unawaited import cleared
from ..store import recoveries as store
from .stepwatch import StepWatch

STATES = {
    RunState.COMPLETED: TestState.COMPLETED,
    RunState.FAILED: TestState.FAILED,
    RunState.ABORTED: TestState.STOPPED,
    RunState.CANCELLED: TestState.STOPPED,
    RunState.INTERRUPTED: TestState.STOPPED,
}
PATIENCE = 60.0  # seconds for the database to tell what is done


TITLES = {
    StepKind.BASELINE: 'no failure',
    StepKind.RECOVERED: 'recovered',
}


def outcome(
    group: GroupPlan,
    block: Block,
    index: int,
    kind: StepKind,
    client: Figures,
) -> StepResult:
    """Return what clients felt in one step of a repetition."""
    return StepResult(
        group=group.name,
        repetition=block.round,
        index=index,
        kind=kind,
        title=TITLES.get(kind, kind.value),
        client=client,
    )


@dataclasses.dataclass(frozen=True)
class StepRecord:
    """Hold a step with all that was sampled during it."""

    step: StepResult
    began: float
    ended: float
    client: Optional[Table] = None  # series of its load
    watch: Optional[StepWatch] = None

    def tables(self) -> Dict[str, Table]:
        """Return the series of the step by their names."""
        found: Dict[str, Table] = {}
        if self.client is not None:
            found[f'{self.step.series}/{CLIENT}'] = self.client
        cluster = self.watch.table() if self.watch else None
        if cluster is not None:
            found[f'{self.step.series}/{CLUSTER}'] = cluster
        return found


def stored(
    run: Run,
    steps: Sequence[StepResult] = (),
    before: Optional[RecoveryTest] = None,
) -> RecoveryTest:
    """Return a run of a test as what is stored of it.

    A mgr that takes it up knows nothing of what it went through ``before``.
    """
    plan = run.plan
    assert plan.recovery is not None
    events = to_data(run.events)
    if before is not None and events:
        first = events[0]['at']
        old = before.settings.get('events', ())
        events = [e for e in old if e['at'] < first] + events
    test = RecoveryTest(
        id=run.id,
        state=STATES.get(run.state, TestState.RUNNING),
        scenario=plan.recovery.scenario,
        groups=tuple(g.name for g in plan.groups),
        created=run.created,
        ended=run.ended,
        reason=run.reason,
        plan=to_data(dataclasses.replace(plan, blocks=())),
        settings={'rules': to_data(run.rules), 'events': events},
        steps=tuple(steps),
        fsid=run.fsid,
        ceph_version=run.ceph_version,
        module_version=run.module_version,
        origin=run.origin,
        notes=plan.labels,
    )
    return cleared(test)


class TestRecords(Records):
    """Keep recovery tests apart from runs; written behind, like runs."""

    __test__ = False  # pytest: this is no test

    def __init__(
        self, database: DbThread, retention: Callable[[], Retention]
    ) -> None:
        super().__init__(database)
        self._db = database
        self._retention = retention

    def put_run(self, run: Run) -> Written:
        """Queue a run, or a test, or its new state."""
        if run.plan.recovery is None:
            return super().put_run(run)
        retention = self._retention()

        def work(database: Store) -> None:
            before = _stored(database, run.id)
            steps = before.steps if before is not None else ()
            store.put(database, stored(run, steps, before), {})
            if run.state.ended:
                store.expire(
                    database, database.clock(), retention, keep=(run.id,)
                )

        return self._db.submit(work, f'the state of recovery test {run.id}')

    def end(self, run: str, event: RunEvent) -> Written:
        """Queue the end of a run, or a test, that nobody can read."""
        state = STATES[event.state]
        return Together(
            super().end(run, event),
            self._db.submit(
                lambda database: store.end(
                    database, run, event.at, state, event.message
                ),
                f'the end of recovery test {run}',
            ),
        )

    def interrupt(self, now: float, reason: str) -> None:
        """Queue the end of all runs and tests that are not ended."""
        super().interrupt(now, reason)
        self._db.submit(
            lambda database: store.interrupt(database, now, reason),
            'the end of recovery tests that were cut',
        )

    def give_up(self, event: RunEvent, but: Collection[str]) -> None:
        """Queue an end of the newest runs and tests that have none."""
        super().give_up(event, but)
        self._db.submit(
            lambda database: store.give_up(
                database, event.at, event.message, but
            ),
            'the end of recovery tests that nobody drives',
        )

    def put_steps(self, run: Run, records: Sequence[StepRecord]) -> None:
        """Queue the steps of one repetition on one group."""
        tables: Dict[str, Table] = {}
        for record in records:
            tables.update(record.tables())
        new = [record.step for record in records]

        def work(database: Store) -> None:
            before = _stored(database, run.id)
            steps = merged(before.steps if before is not None else (), new)
            store.put(database, stored(run, steps, before), tables)

        self._db.submit(
            work,
            f'steps of recovery test {run.id}',
            size=sum(len(t.t) * 8 * len(t.columns) for t in tables.values()),
        )

    def steps(self, run: str) -> Sequence[StepResult]:
        """Return the steps that are done; none when nothing is stored."""

        def work(database: Store) -> Tuple[StepResult, ...]:
            found = _stored(database, run)
            return found.steps if found is not None else ()

        return self._db.insist(work, PATIENCE)


def _stored(database: Store, run: str) -> Optional[RecoveryTest]:
    try:
        item = store.get(database, run)
    except NotFound:
        return None
    return item if isinstance(item, RecoveryTest) else None


def merged(
    old: Sequence[StepResult], new: Sequence[StepResult]
) -> Tuple[StepResult, ...]:
    """Return steps in order; a repetition that was repeated counts new."""
    again = {(s.group, s.repetition) for s in new}
    kept = [s for s in old if (s.group, s.repetition) not in again]
    return tuple(kept) + tuple(new)
