"""What becomes of a worker's job, as the manager keeps it."""

from typing import Any, Dict, List, Optional

import dataclasses
import errno
import hashlib
import json

from .codec import from_data
from .errors import InvalidArgument, PerfcompareError
from .models.trial import Series, TrialSummary
from .worker.protocol import RESULT_MAX


class WorkerFailed(PerfcompareError):
    """Say why a worker has no result; ``kind`` is one word for programs.

    Kinds: those of worker/failure.py, and 'died' and 'lease'.
    """

    errno = errno.EIO

    def __init__(self, kind: str, message: str) -> None:
        codes = {
            'tool': errno.ENOENT,
            'pool': errno.ENOENT,
            'population': errno.ENOENT,
            'access': errno.EACCES,
            'full': errno.ENOSPC,
            'deadline': errno.ETIMEDOUT,
            'stopped': errno.ECANCELED,
        }
        super().__init__(message, codes.get(kind))
        self.kind = kind


@dataclasses.dataclass(frozen=True)
class FilledPopulation:
    """Report one population of a prefill or a warming pass."""

    run_name: str
    objects: int  # checked, not only asked for
    kept: bool  # it was there already
    seconds: Optional[float] = None
    ops_per_s: Optional[float] = None


@dataclasses.dataclass(frozen=True)
class RawSegment:
    """Hold what one load process counted, at about one sample a second."""

    client: int
    start: float  # Unix time
    t: List[float]  # seconds since start
    started: List[int]
    finished: List[int]
    waited: List[float]  # seconds: latencies of all finished operations
    # what its admin socket said, more often: Unix times, operations
    polled_at: List[float] = dataclasses.field(default_factory=list)
    polled_ops: List[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Hold the result of a job as its worker wrote it."""

    kind: str  # 'trial', 'probe', 'prefill' or 'warm'
    started: float  # Unix time of the start of load
    ended: float
    tools: Dict[str, str] = dataclasses.field(default_factory=dict)
    summary: Optional[TrialSummary] = None  # of trial and probe
    series: Optional[Series] = None  # None where numpy is missing
    populations: List[FilledPopulation] = dataclasses.field(
        default_factory=list
    )
    notes: List[str] = dataclasses.field(default_factory=list)
    evidence: Dict[str, Any] = dataclasses.field(default_factory=dict)
    raw: List[RawSegment] = dataclasses.field(default_factory=list)


def read_outcome(path: str, sha256: str) -> Outcome:
    """Read a worker's spool file; raise WorkerFailed if it is unusable."""
    try:
        with open(path, 'rb') as file:
            data = file.read(RESULT_MAX + 1)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise WorkerFailed('spool', f'{path!r} was changed or cut')
        return from_data(Outcome, json.loads(data), 'result')
    except OSError as error:
        raise WorkerFailed(
            'spool', f'cannot read {path!r}: {error.strerror}'
        ) from None
    except (ValueError, InvalidArgument) as error:
        raise WorkerFailed(
            'protocol', f'a result that cannot be used: {error}'
        ) from None
