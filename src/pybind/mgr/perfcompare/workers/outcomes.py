"""Read what became of a worker's job, or why there is no result."""

import errno
import hashlib
import json

from ..common.codec import from_data
from ..common.errors import InvalidArgument, PerfcompareError
from ..model.outcome import Outcome
from ..worker.wire.protocol import RESULT_MAX

# Bytes of what load hosts measured: some 160 MB of 64 clients in five hours.
OUTCOME_MAX = 192 << 20
PARTS_MAX = 1_000_000  # lists and mappings of a result


class WorkerFailed(PerfcompareError):
    """Say why a worker has no result; ``kind`` is one word for programs.

    Kinds: those of worker/runtime/failure.py, and 'died' and 'lease'.
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


def read_outcome(path: str, sha256: str, most: int = RESULT_MAX) -> Outcome:
    """Read a worker's spool file; raise WorkerFailed if it is unusable.

    It is read inside ceph-mgr: what would take much of its memory is not.
    """
    try:
        with open(path, 'rb') as file:
            data = file.read(most + 1)
    except OSError as error:
        raise WorkerFailed(
            'spool', f'cannot read {path!r}: {error.strerror}'
        ) from None
    if len(data) > most:
        raise WorkerFailed('protocol', f'a result of more than {most} bytes')
    if hashlib.sha256(data).hexdigest() != sha256:
        raise WorkerFailed('spool', f'{path!r} was changed or cut')
    if data.count(b'[') + data.count(b'{') > PARTS_MAX:
        raise WorkerFailed('protocol', 'a result of too many parts')
    try:
        return from_data(Outcome, json.loads(data), 'result')
    except (
        ValueError,
        OverflowError,
        RecursionError,
        InvalidArgument,
    ) as error:
        raise WorkerFailed(
            'protocol', f'a result that cannot be used: {error}'
        ) from None
