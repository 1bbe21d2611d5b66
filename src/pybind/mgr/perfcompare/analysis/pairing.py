"""Put trials together: blocks of two groups, or the trials of one."""

from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import collections
import dataclasses
import math

from ..model.trial import Trial, TrialState
from . import counts

CLIENT_HOST = 'client_host'


@dataclasses.dataclass(frozen=True)
class BlockPair:
    """Hold the two trials of a complete block."""

    baseline: Trial
    candidate: Trial
    x: float  # log of candidate / baseline in op/s

    @property
    def candidate_second(self) -> bool:
        """Say whether the baseline's trial came first (order AB)."""
        return self.candidate.position > self.baseline.position

    @property
    def counted(self) -> float:
        """Return how far off x may be, as operations are whole (log)."""
        return counts.of_ratio([self.baseline], [self.candidate])


@dataclasses.dataclass(frozen=True)
class Pairing:
    """Hold the blocks of a report and what is not among them."""

    # complete blocks by workload, in order of execution
    pairs: Dict[str, List[BlockPair]]
    void_trials: Tuple[Trial, ...]
    repeated_blocks: int
    # judged blocks of which the last attempt is unusable, and why
    incomplete: Tuple[str, ...]

    def x(self, workload: str) -> List[float]:
        """Return the log-ratios of ``workload``, in order of execution."""
        return [pair.x for pair in self.pairs.get(workload, ())]

    def counted(self, workload: str) -> List[float]:
        """Return how far off each of them may be (log)."""
        return [pair.counted for pair in self.pairs.get(workload, ())]


def bare(trial: Trial) -> Trial:
    """Return a trial with no more than its pairing needs, which is small."""
    manifest = {k: v for k, v in trial.manifest.items() if k == CLIENT_HOST}
    return dataclasses.replace(trial, manifest=manifest, evidence={})


def ops(trial: Trial) -> Optional[float]:
    """Return op/s of a trial if a ratio can be made of it."""
    if trial.state is not TrialState.OK or trial.summary is None:
        return None
    value = trial.summary.ops_per_s
    if value is None or not value > 0.0 or math.isinf(value):
        return None
    return value


def log_ops(trial: Trial) -> float:
    """Return the natural log of a trial's op/s.

    Raises ValueError when the trial has none.
    """
    value = ops(trial)
    if value is None:
        raise ValueError(f'trial of {trial.workload} has no op/s')
    return math.log(value)


def last_attempts(trials: Iterable[Trial]) -> List[List[Trial]]:
    """Return the trials of each judged block's last attempt.

    Round 0 conditions the cluster and is left out.
    """
    blocks: Dict[Tuple[str, int, str], List[Trial]] = {}
    for trial in trials:
        if trial.round < 1:
            continue
        key = (trial.run, trial.round, trial.workload)
        held = blocks.setdefault(key, [])
        if held and held[0].attempt < trial.attempt:
            held.clear()
        if not held or held[0].attempt == trial.attempt:
            held.append(trial)
    return list(blocks.values())


def pair_blocks(
    trials: Iterable[Trial],
    baseline: str,
    candidate: str,
    intended: Sequence[str] = (),
) -> Pairing:
    """Pair two groups' trials of the same run, block and attempt.

    A block counts when both groups have a usable trial in its last
    attempt, from one client host unless that is ``intended`` to differ;
    nothing else is ever dropped.
    """
    ours = [
        trial
        for trial in trials
        if trial.round > 0 and trial.group in (baseline, candidate)
    ]
    pairs: Dict[str, List[BlockPair]] = {}
    incomplete: List[str] = []
    repeated = 0
    for block in last_attempts(ours):
        repeated += block[0].attempt > 1
        by_group = {trial.group: trial for trial in block}
        first, second = by_group.get(baseline), by_group.get(candidate)
        lack = _lack(first, baseline) or _lack(second, candidate)
        if first is not None and second is not None and not lack:
            lack = (
                ''
                if CLIENT_HOST in intended
                else _other_client(first, second)
            )
            if not lack:
                x = log_ops(second) - log_ops(first)
                pair = BlockPair(first, second, x)
                pairs.setdefault(block[0].workload, []).append(pair)
        if lack:
            where = f'{block[0].workload} in round {block[0].round}'
            incomplete.append(f'{where}: {lack}')
    began = _began(ours)
    for found in pairs.values():
        found.sort(key=lambda pair: _place(pair.baseline, began))
    void = tuple(t for t in ours if t.state is TrialState.VOID)
    return Pairing(pairs, void, repeated, tuple(incomplete))


def _began(trials: Iterable[Trial]) -> Dict[str, float]:
    """Return when each run's first trial began (Unix time)."""
    found: Dict[str, float] = {}
    for trial in trials:
        began = found.get(trial.run, math.inf)
        found[trial.run] = min(began, trial.started)
    return found


def _place(trial: Trial, began: Dict[str, float]) -> Tuple[float, str, int]:
    """Return what trials of one workload are put in order by.

    Within a run that is the round, as clocks may be set back during it.
    """
    return began[trial.run], trial.run, trial.round


def _lack(trial: Optional[Trial], group: str) -> str:
    if trial is None:
        return f'no trial of {group}'
    if trial.state is TrialState.VOID:
        return f'trial of {group} is void ({trial.reason or "no reason"})'
    return '' if ops(trial) is not None else f'no op/s of {group}'


def _other_client(first: Trial, second: Trial) -> str:
    hosts = [t.manifest.get(CLIENT_HOST) for t in (first, second)]
    if None in hosts or hosts[0] == hosts[1]:
        return ''
    return (
        f'its trials ran from two client hosts, {hosts[0]} and {hosts[1]} '
        f'(--across {CLIENT_HOST} compares them)'
    )


def idle_trials(trials: Iterable[Trial], group: str) -> Dict[str, int]:
    """Count a group's completed trials in which nothing finished.

    By workload, of the last attempts of judged blocks.
    """
    ours = [trial for trial in trials if trial.group == group]
    return collections.Counter(
        trial.workload
        for block in last_attempts(ours)
        for trial in block
        if trial.state is TrialState.OK
        and trial.summary is not None
        and trial.summary.ops_per_s == 0.0
    )


def usable_trials(trials: Iterable[Trial], group: str) -> List[Trial]:
    """Return a group's usable trials, one a block, in their order."""
    ours = [trial for trial in trials if trial.group == group]
    found = [
        trial
        for block in last_attempts(ours)
        for trial in block
        if ops(trial) is not None
    ]
    began = _began(found)
    return sorted(found, key=lambda trial: _place(trial, began))
