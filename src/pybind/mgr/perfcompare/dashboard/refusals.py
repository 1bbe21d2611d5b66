"""Requests that are refused: an HTTP status and one line."""

from typing import Dict

import errno

STATUS: Dict[int, int] = {
    errno.ENOENT: 404,
    errno.EBUSY: 409,
    errno.EEXIST: 409,
    errno.EPERM: 403,
    errno.EACCES: 403,
    errno.EAGAIN: 503,
    errno.ETIMEDOUT: 503,
}


class Refused(Exception):
    """Carry the answer to a request that is refused."""

    def __init__(self, status: int, detail: str, code: str = '') -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.code = code or str(status)


def by_errno(code: int, line: str) -> Refused:
    """Return the refusal for an errno of the module."""
    name = errno.errorcode.get(code, str(code))
    return Refused(STATUS.get(code, 400), line, name)
