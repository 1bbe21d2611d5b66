"""The jobs that make one result of what several hosts measured."""

from typing import Any, Callable, Dict, Optional, Tuple

import dataclasses
import os

from .jobs import HOSTS_MAX, KINDS, OPS, Bare, Job, Load, Trial
from .strict import Malformed


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


@dataclasses.dataclass(frozen=True)
class HostResult:
    """Say where the result of one host is, and how its clock went."""

    host: str
    file: str  # absolute path
    ahead: float  # seconds that the Manager's clock is ahead of the host's
    bound: float  # seconds, of that
    part: float = 0.0  # of the load that it was to make; 0: not known
    # of the operations in flight, which it makes where a rate is not kept
    flying: float = 0.0


@dataclasses.dataclass(frozen=True)
class Results(Bare):
    """Hold what all such jobs share: where one trial's results are.

    ``begin`` is the Unix time, by the Manager's clock, at which all were
    told to begin.
    """

    duration: float = 0.0
    warmup: float = 0.0
    begin: float = 0.0
    results: Tuple[HostResult, ...] = ()

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(self.duration >= 1, 'the duration must be at least 1 s')
        _need(self.warmup >= 0, 'the warm-up must not be negative')
        _need(
            2 <= len(self.results) <= HOSTS_MAX,
            f'{len(self.results)} results are not within 2 … {HOSTS_MAX}',
        )
        hosts = [r.host for r in self.results]
        _need(len(set(hosts)) == len(hosts), 'a host is named twice')
        for result in self.results:
            _need(
                os.path.isabs(result.file),
                f'{result.file!r} is not an absolute path',
            )
            _need(result.bound >= 0, f'{result.host}: a bound below 0 s')
            _need(
                0 <= result.part <= 1 and 0 <= result.flying <= 1,
                f'{result.host}: no part of 1',
            )


@dataclasses.dataclass(frozen=True)
class Join(Results):
    """Add up what `rados bench` did where all hosts were measured."""

    op: str = ''
    size: int = 0  # bytes of one operation

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(self.op in OPS, f'{self.op!r} is not one of {", ".join(OPS)}')
        _need(self.size > 0, 'operations of no bytes')


def _of_trial(job: Trial, shared: Dict[str, Any]) -> Join:
    return Join(op=job.op, size=job.size, **shared)


KINDS['join'] = Join
# what joins the results of a kind of trial; others (s3_jobs.py) add theirs
Maker = Callable[[Any, Dict[str, Any]], Results]
MAKERS: Dict[type, Maker] = {Trial: _of_trial}


def part_of(job: Load, part: Load) -> float:
    """Return which part of a job one host does, 0 … 1.

    Of the rate that is offered, else of the operations in flight.
    """
    rate = float(getattr(job, 'rate', 0.0))
    if rate > 0:
        return float(getattr(part, 'rate')) / rate
    return flying_of(job, part)


def flying_of(job: Load, part: Load) -> float:
    """Return which part of the operations in flight one host has, 0 … 1."""
    return part.concurrency / job.concurrency


def join_of(
    job: Job,
    deadline: float,
    begin: float,
    results: Tuple[HostResult, ...],
) -> Optional[Results]:
    """Return the job that joins results of a trial; None of other jobs."""
    for kind, make in MAKERS.items():
        if isinstance(job, kind):
            shared = {
                'deadline': deadline,
                'begin': begin,
                'results': results,
                # of every trial
                'duration': getattr(job, 'duration'),
                'warmup': getattr(job, 'warmup'),
            }
            return make(job, shared)
    return None
