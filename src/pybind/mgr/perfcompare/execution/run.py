"""Carry one run from its preflight to its last verified cleanup.

Everything that touches the cluster is done by collaborators; this file
decides what comes next.
"""

from typing import (
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import dataclasses
import logging

from ..analysis import adaptive, pairing
from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..model.plan import Block, RunPlan
from ..model.run import Progress, RuleValue, Run, RunEvent, RunState
from ..model.trial import Trial, TrialState
from ..pools.bench_pool import BenchPool
from ..ports.clock import Clock
from ..store.records import Records
from ..store.results import TrialRecord
from .time_left import Left, TimeLeft
from .trial import Cut, TrialRunner

log = logging.getLogger(__name__)

ATTEMPTS = 3  # of one block, before it stays incomplete

# trials record their own times; an event for each would double the writes
UNRECORDED = (RunState.TRIAL, RunState.COOLING)

BlockKey = Tuple[int, int]  # round, index


@dataclasses.dataclass(frozen=True)
class ExecutionContext:
    """Hold the collaborators of an execution."""

    pools: BenchPool
    trials: TrialRunner
    records: Records
    preflight: Callable[[RunPlan], None]  # raises when the run must not be
    announce: Callable[[Progress], None] = lambda progress: None
    rules: Callable[[], Sequence[RuleValue]] = lambda: ()
    close: Callable[[], None] = lambda: None  # what the mgr's host holds
    clock: Clock = SYSTEM


class BlockCut(NamedTuple):
    """Say why a block was cut, if it was."""

    why: str = ''
    further: bool = True  # a repetition may get further


class Execution:
    """Drive one run; ``measure`` is called once, in the serve thread."""

    def __init__(
        self,
        run: Run,
        parts: ExecutionContext,
        done: Sequence[Trial] = (),
    ) -> None:
        self.run = run
        self.plan: RunPlan = run.plan
        self._pools = parts.pools
        self._trials = parts.trials
        self._records = parts.records
        self._preflight = parts.preflight
        self._announce = parts.announce
        self._rules = parts.rules
        self._close = parts.close
        self._clock = parts.clock
        self._round_now = 0
        self._message = ''
        self._open = False  # the round's write pools are there
        self._closed = False  # those of a round before were removed
        # evidence of thousands of OSDs is large: it is not held as a whole
        self._finished: List[Trial] = [pairing.bare(t) for t in done]
        self._stopped = adaptive.stopped_workloads(run.plan, done)
        self._work = sum(len(b.order) for b in self.plan.blocks) or 1
        self._begun = 0  # trials of the attempt that is under way
        self._resumed = bool(run.events)  # whoever takes it up notes it
        self._left = TimeLeft(
            run.plan.seconds * (1 - self._fraction()), self._clock.monotonic
        )

    # the states

    def enter(self, state: RunState, message: str = '') -> None:
        """Go to a state, tell it, and record it as an event."""
        event = RunEvent(self._clock.wall(), state, message)
        self.run = dataclasses.replace(
            self.run, state=state, started=self.run.started or event.at
        )
        self._message = message
        if state not in UNRECORDED:
            self.run = dataclasses.replace(
                self.run, events=self.run.events + (event,)
            )
            self._records.put_run(self.run)
        self.tell()

    def measure(self) -> None:
        """Prepare, execute all remaining blocks, and leave the loading.

        Raises Stopped or a PerfcompareError when the run must end early;
        the caller undoes in every case.
        """
        remaining = self._remaining()
        if self._resumed:
            self.enter(RunState.QUEUED, 'until what was cut is removed')
            self._trials.cooling.make_room(self._wait, anew=True)
        self.enter(RunState.PREFLIGHT)
        self._preflight(self.plan)
        self.enter(RunState.PREPARING, 'until OSDs have settled')
        self._trials.cooling.settle(self._wait)
        self.enter(RunState.PREPARING, 'placement and key of the run')
        self._pools.prepare()
        self._start_gently(remaining)
        self._populate([b for b in remaining if not self._over(b)])
        for number in sorted({block.round for block in remaining}):
            self._round(number, [b for b in remaining if b.round == number])
        self.enter(RunState.FINISHING)

    def _wait(self, what: str) -> None:
        """Tell what is waited for."""
        self._message = what
        self.tell()

    def _over(self, block: Block) -> bool:
        return block.workload in self._stopped

    def _populate(self, blocks: Sequence[Block]) -> None:
        """Create the read pools with the objects that are read."""
        names = {block.workload for block in blocks}
        reads = [
            w for w in self.plan.profile.workloads
            if w.reads and w.name in names
        ]  # fmt: skip
        for workload in reads:
            for group in self.plan.groups:
                self.enter(
                    RunState.PREPARING,
                    f'objects for {workload.name} on {group.name}',
                )
                self._trials.populate(workload, group)

    def _start_gently(self, blocks: Sequence[Block]) -> None:
        """Put a low load on each group, once, before any full load."""
        workloads = [self.plan.workload(b.workload) for b in blocks]
        writes = [w for w in workloads if not w.reads]
        if not writes:
            return  # filling the pools for reads is gentle by itself
        self._open_pools('the gentle start')
        for group in self.plan.groups:
            self.enter(RunState.PREPARING, f'gentle start on {group.name}')
            self._trials.probe(writes[0], group)

    def _open_pools(self, purpose: str) -> None:
        if not self._open:
            self.enter(RunState.PREPARING, f'pools for {purpose}')
            self._trials.open_round()
            self._open = True

    def _round(self, number: int, blocks: Sequence[Block]) -> None:
        self._stopped = adaptive.stopped_workloads(self.plan, self._finished)
        blocks = [b for b in blocks if not self._over(b)]
        if not blocks:
            return
        writes = any(not self.plan.workload(b.workload).reads for b in blocks)
        if self._closed:  # waited for here: after the last round nobody does
            self.enter(RunState.COOLING, f'before round {number}')
            self._trials.empty_round()
            if writes:
                self._trials.cooling.make_room(self._wait)
            self._trials.cooling.settle(self._wait)
            self._closed = False
        if writes:
            self._open_pools(f'round {number}')
        for block in blocks:
            self._block(block)
        if writes:
            # not in a `finally`: undoing removes them when the run ends early
            self.enter(RunState.COOLING, f'end of round {number}')
            self._trials.close_round()
            self._open, self._closed = False, True

    def _block(self, block: Block) -> None:
        """Execute a block; repeat it whole when one of its trials is cut."""
        first = 1 + max(
            (
                t.attempt
                for t in self._finished
                if (t.round, t.block) == (block.round, block.index)
            ),
            default=0,
        )
        for attempt in range(first, first + ATTEMPTS):
            trials, cut = self._attempt(block, attempt)
            self._finished += [pairing.bare(t) for t in trials]
            self._begun = 0
            if not cut.why:
                return
            log.warning('block cut: %s', cut.why)
            if not cut.further:
                raise PerfcompareError(
                    f'{block.workload} in round {block.round} has no room for '
                    f'its duration: {cut.why}; give a shorter --duration, or '
                    'OSDs with more room'
                )
        raise PerfcompareError(
            f'{block.workload} in round {block.round} was cut {ATTEMPTS} '
            f'times, the last time: {cut.why}'
        )

    def _attempt(
        self, block: Block, attempt: int
    ) -> Tuple[List[Trial], BlockCut]:
        """Run the trials of a block once; return them and why it was cut."""
        records: List[TrialRecord] = []
        cut = BlockCut()
        for position, name in enumerate(block.order):
            group = self.plan.group(name)
            self._round_now = block.round
            self._begun += 1
            self._left.begins()
            self.enter(
                RunState.TRIAL,
                f'round {block.round}: {block.workload} on {name}',
            )
            try:
                record = self._trials.trial(block, attempt, position, group)
            except Cut as reason:
                record = reason.record
                cut = BlockCut(f'{name}: {reason}', reason.further)
            records.append(record)
            self.enter(RunState.COOLING, f'after {block.workload} on {name}')
            self._trials.cooling.cool(group)
            if cut.why:
                break
        if cut.why:
            records = [_voided(r, cut.why) for r in records]
        trials = [r.trial for r in records]
        self._records.put_trials(self.run.id, records)
        return trials, cut

    def close(self) -> None:
        """Record the abort rules; give back what this host holds."""
        self.run = dataclasses.replace(self.run, rules=tuple(self._rules()))
        self._close()

    # progress

    def _remaining(self) -> List[Block]:
        """Return the blocks that have no complete execution yet."""
        complete: Set[BlockKey] = set()
        seen: Dict[Tuple[int, int, int], int] = {}
        for trial in self._finished:
            if trial.state is TrialState.OK:
                key = (trial.round, trial.block, trial.attempt)
                seen[key] = seen.get(key, 0) + 1
        sizes = {(b.round, b.index): len(b.order) for b in self.plan.blocks}
        for (number, index, _), count in seen.items():
            if count == sizes.get((number, index)):
                complete.add((number, index))
        return [
            b for b in self.plan.blocks if (b.round, b.index) not in complete
        ]

    def _fraction(self) -> float:
        return 1.0 - self._waiting() / self._work

    def _waiting(self, last: Optional[int] = None) -> int:
        """Return the trials that are left, of rounds up to ``last``."""
        return sum(
            len(b.order)
            for b in self._remaining()
            if not self._over(b) and (last is None or b.round <= last)
        )

    def _time_left(self) -> Optional[Left]:
        last = adaptive.certain_round(self.plan, self._round_now)
        return self._left.seconds(
            *(
                max(0, self._waiting(one) - self._begun)
                for one in (None, last)
            )
        )

    def tell(
        self,
        ops_per_s: Optional[float] = None,
        bytes_per_s: Optional[float] = None,
    ) -> None:
        """Announce how far the run is."""
        ended = self.run.state.ended
        fraction = 1.0 if ended else self._fraction()
        message = self._message
        trial = message if self.run.state is RunState.TRIAL else ''
        left = None if ended else self._time_left()
        self._announce(
            Progress(
                run=self.run.id,
                state=self.run.state,
                fraction=fraction,
                eta=left.most if left else None,
                eta_least=left.least if left else None,
                round=self._round_now,
                rounds=self.plan.profile.rounds,
                trial=trial,
                ops_per_s=ops_per_s,
                bytes_per_s=bytes_per_s,
                message=message,
            )
        )


def _voided(record: TrialRecord, reason: str) -> TrialRecord:
    trial = record.trial
    if trial.state is TrialState.OK:
        trial = dataclasses.replace(
            trial, state=TrialState.VOID, reason=f'block cut: {reason}'
        )
    return dataclasses.replace(record, trial=trial)
