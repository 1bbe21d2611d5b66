"""What is behind one row of a comparison, in one answer.

Its judged trials laid over each other, with what hosts did meanwhile; how
latencies are distributed; and of one round all that was recorded.
"""

from typing import Callable, List, Optional, Sequence, Tuple

import dataclasses

from ..analysis import adaptive
from ..analysis.distribution import Distribution, distributions
from ..analysis.pairing import BlockPair, pair_blocks, usable_trials
from ..common.clock import SYSTEM
from ..common.errors import InvalidArgument, NotFound
from ..hosts import course
from ..hosts.course import Course
from ..hosts.finding import OSD
from ..model.run import Run
from ..model.series import Table
from ..model.trial import Trial
from ..ports.clock import Clock
from ..store import series_codec
from ..store.rows import CLIENT, key_of
from ..store.thread import DbThread
from .selection import Chosen

HOST = 'host.'
YIELD = 0.001  # seconds between trials: others need the mgr as well
ALL = 'all'


@dataclasses.dataclass(frozen=True)
class Round:
    """Name a round of a run."""

    run: str
    round: int


@dataclasses.dataclass(frozen=True)
class TrialCourse:
    """Hold the course of one judged trial."""

    side: int  # 0 is the baseline
    group: str
    run: str
    round: int
    load: Course  # ops
    hosts: Course  # cpu, disk, network: of the hosts of OSDs
    osd_hosts: int  # that are in it


@dataclasses.dataclass(frozen=True)
class SideTrial:
    """Hold a trial of one side with all that was recorded."""

    side: int
    trial: Trial


@dataclasses.dataclass(frozen=True)
class RowEvidence:
    """Hold what is behind one row."""

    rounds: Tuple[Round, ...]  # with a judged trial, in order
    courses: Tuple[TrialCourse, ...]
    distributions: Tuple[Distribution, ...]
    shown: Tuple[SideTrial, ...]  # of the round that was asked for
    foreign: bool  # another tool measured: its file has no samples


Asked = Callable[[str], Tuple[Trial, ...]]


def read(
    database: DbThread,
    brief: Asked,
    sides: Sequence[Chosen],
    row: str,
    round: str = '',
    clock: Clock = SYSTEM,
    intended: Sequence[str] = (),
) -> RowEvidence:
    """Return the evidence of a row; ``brief`` gives a run's trials.

    ``intended`` are the fields that are meant to differ; ``round`` is '3',
    '<run>:3', or 'all'; of all, and by default, the last trials are shown.
    NotFound where there is no such row or round.
    """
    judged = _judged(database, brief, sides, row, clock, intended)
    pairs = [(side, trial) for side in (0, 1) for trial in judged[side]]
    if not pairs:
        raise NotFound(f'no judged trial of workload {row!r} is stored')
    rounds = tuple(
        sorted(
            {Round(trial.run, trial.round) for _, trial in pairs},
            key=lambda one: (one.run, one.round),
        )
    )
    wanted = _wanted(round, rounds)
    shown = []
    for side in (0, 1):
        fitting = [t for t in judged[side] if wanted is None or wanted(t)]
        if fitting:
            last = max(fitting, key=lambda t: (t.started, t.round))
            shown.append(SideTrial(side, last))
    return RowEvidence(
        rounds=rounds,
        courses=tuple(
            _course(database, side, trial, clock) for side, trial in pairs
        ),
        distributions=distributions(*judged),
        shown=tuple(shown),
        foreign=all(run.foreign for _, runs in sides for run in runs),
    )


def _wanted(
    text: str, rounds: Sequence[Round]
) -> Optional[Callable[[Trial], bool]]:
    """Return what tells the trials of a round; None where all are meant."""
    if text in ('', ALL):
        return None
    run, _, number = text.rpartition(':')
    if not number.isdecimal() or len(number) > 9:
        raise InvalidArgument(
            f'round {text[:40]!r} is not <number>, <run>:<number> or all'
        )
    found = int(number)
    if not any(one.round == found and run in ('', one.run) for one in rounds):
        raise NotFound(f'there is no judged trial of round {text[:40]!r}')
    return lambda trial: trial.round == found and run in ('', trial.run)


def _judged(
    database: DbThread,
    brief: Asked,
    sides: Sequence[Chosen],
    row: str,
    clock: Clock,
    intended: Sequence[str],
) -> Tuple[List[Trial], List[Trial]]:
    """Return the judged trials of each side, whole."""
    (baseline, left), (candidate, right) = sides
    known: List[List[Trial]] = []
    for group, runs in ((baseline, left), (candidate, right)):
        known.append(_whole(database, brief, group, runs, row, clock))
    if {run.id for run in left} == {run.id for run in right}:
        pairing = pair_blocks(
            known[0] + known[1], baseline, candidate, intended
        )
        pairs = _until_stop(pairing.pairs.get(row, []), left, row)
        return [p.baseline for p in pairs], [p.candidate for p in pairs]
    return (
        usable_trials(known[0], baseline),
        usable_trials(known[1], candidate),
    )


def _until_stop(
    pairs: Sequence[BlockPair], runs: Sequence[Run], row: str
) -> Sequence[BlockPair]:
    """Leave out what came after the stop of an adaptive run's workload."""
    plan = runs[0].plan
    if not plan.options.adaptive:
        return pairs
    planned = adaptive.planned_blocks(plan).get(row, 0)
    rows = adaptive.planned_rows(plan)
    return pairs[: adaptive.stop_of(pairs, planned, rows)]


def _whole(
    database: DbThread,
    brief: Asked,
    group: str,
    runs: Sequence[Run],
    row: str,
    clock: Clock,
) -> List[Trial]:
    found = []
    for run in runs:
        for trial in brief(run.id):
            ours = trial.group == group and trial.round > 0
            if ours and trial.workload == row:
                found.append(_one(database, trial))
                clock.wait(YIELD)
    return found


def _one(database: DbThread, trial: Trial) -> Trial:
    return database.call(lambda s: s.trial(trial.run, key_of(trial)))


def _course(
    database: DbThread, side: int, trial: Trial, clock: Clock
) -> TrialCourse:
    hosts = trial.evidence.get('hosts') or {}
    names = [
        f'{HOST}{name}'
        for name, told in hosts.items()
        if isinstance(told, dict) and told.get('role') == OSD
    ]
    blobs = database.call(
        lambda store: store.blobs(trial.run, key_of(trial), [CLIENT, *names])
    )
    load = _table(blobs.pop(CLIENT, None))
    began = load.wall_start if load else trial.started
    tables = [t for t in map(_table, blobs.values()) if t is not None]
    clock.wait(YIELD)
    return TrialCourse(
        side=side,
        group=trial.group,
        run=trial.run,
        round=trial.round,
        load=course.of_load(load) if load else Course(),
        hosts=course.of_hosts(tables, began),
        osd_hosts=len(tables),
    )


def _table(blob: Optional[bytes]) -> Optional[Table]:
    """Return the columns that are drawn; None of none, or a damaged one."""
    if blob is None:
        return None
    try:
        return series_codec.decode(blob, _drawn)
    except InvalidArgument:
        return None


def _drawn(name: str) -> bool:
    return name == 'ops' or course.wanted(name)
