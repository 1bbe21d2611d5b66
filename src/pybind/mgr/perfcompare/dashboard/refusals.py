"""Requests that are refused: an HTTP status and one line."""

from typing import Dict

import errno

STATUS: Dict[int, int] = {
    errno.ENOENT: 404,
    errno.EBUSY: 409,
    errno.EEXIST: 409,
    errno.ESTALE: 409,
    errno.EPERM: 403,
    errno.EACCES: 403,
    errno.EAGAIN: 503,
    errno.ETIMEDOUT: 503,
    errno.EIO: 500,  # what is stored is damaged: no fault of the request
}

IN_PROGRESS = 'in_progress'  # the same request fetches the answer
ACCEPTED = 202  # what takes a moment is no failure

MOST = 4000  # characters of a detail


class Refused(Exception):
    """Carry the answer to a request that is refused."""

    def __init__(self, status: int, detail: str, code: str = '') -> None:
        if len(detail) > MOST:  # what it cites may be the whole request
            detail = f'{detail[: MOST - 500]} … {detail[-400:]}'
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.code = code or str(status)


def by_errno(code: int, line: str, name: str = '') -> Refused:
    """Return the refusal for an errno of the module."""
    name = name or errno.errorcode.get(code, str(code))
    if name == IN_PROGRESS:
        return Refused(ACCEPTED, line, name)
    return Refused(STATUS.get(code, 400), line, name)
