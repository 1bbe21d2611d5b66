"""The errors that a user can meet, each with the errno that fits."""

from typing import Optional

import errno


class PerfcompareError(Exception):
    """Be the base of all expected errors: one line and an errno.

    The message says what is wrong, with what value, and what to do.
    """

    errno = errno.EINVAL

    def __init__(self, message: str, code: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.errno = code


class InvalidArgument(PerfcompareError):
    """Say that an argument or a file has a value that cannot be used."""

    errno = errno.EINVAL


class NotFound(PerfcompareError):
    """Say that a named thing (group, run, profile, …) does not exist."""

    errno = errno.ENOENT


class AlreadyExists(PerfcompareError):
    """Say that a name is taken."""

    errno = errno.EEXIST


class Busy(PerfcompareError):
    """Say that something else is under way; trying later can succeed."""

    errno = errno.EBUSY


class PlanChanged(PerfcompareError):
    """Say that what would start is not what was shown and agreed to."""

    errno = errno.ESTALE


class NotPermitted(PerfcompareError):
    """Say that consent or a permission is missing."""

    errno = errno.EPERM


class TryAgain(PerfcompareError):
    """Say that a part of the cluster did not answer in time."""

    errno = errno.EAGAIN


class InProgress(TryAgain):
    """Say that an answer is being made: the same question fetches it."""


class CommandFailed(PerfcompareError):
    """Carry a failed mon, OSD or mgr command: its prefix, code and text.

    ``errno`` is the positive code that Ceph returned.
    """

    def __init__(self, prefix: str, code: int, text: str) -> None:
        text = ' '.join(text.split()) or 'no message'
        super().__init__(f'{prefix!r} failed: {text}', abs(code) or errno.EIO)
        self.prefix = prefix
