"""What an answer, or none, is taken for: an operation done, or an error."""

from typing import Tuple

import re

from ...wire.s3_spec import DELETE, GET, MULTIPART, PUT
from .answers import is_md5_of_other
from .connection import Connection
from .connection_pool import ConnectionPool
from .heads import Heads
from .recorder import NEVER_BEGUN
from .response import Response
from .site import Wire
from .tasks import Task
from .uploads import Step

TAGGED_MAX = 256 << 10  # bytes of a write whose ETag is compared
_CODE = re.compile(rb'<Code>([A-Za-z0-9]{1,40})</Code>')
_KEY = re.compile(rb'<AWSAccessKeyId>[^<]*')  # of some who refuse it


class Verdicts(ConnectionPool):
    """Judge answers, and record what they are."""

    __slots__ = ('_wire', '_heads', 'compared', 'cut')
    _wire: Wire
    _heads: Heads
    compared: int  # reads whose content was compared
    cut: int  # operations that had not ended with the load

    def _tagged_wrong(self, connection: Connection) -> bool:
        """Say whether a write has the ETag of other bytes.

        The content of few writes is compared so, and of small ones only: to
        hash takes the time of others.
        """
        response, key = connection.response, connection.key
        assert key is not None
        if key.size > TAGGED_MAX:
            return False
        if self._heads.encrypted:
            return False
        content = self._wire.payload.content(key.number, key.size)
        return is_md5_of_other(response, content)

    def _judge_object(
        self, connection: Connection, early: bool, now: int
    ) -> bool:
        """Record the end of what is about one object and its name."""
        response, op, key = connection.response, connection.op, connection.key
        recorder = self._recorders[connection.site.index]
        assert response.head is not None and key is not None
        status, moved = response.head.status, 0
        if status != 200 and not (status == 204 and op == DELETE):
            recorder.error(op, now, *described(response))
            return False
        if op == PUT:
            if early:
                recorder.error(op, now, 'response before the request')
                return False
            if response.raw and self._tagged_wrong(connection):
                recorder.error(op, now, 'wrong ETag')
                return False
            moved = key.size
        elif op != DELETE:
            if response.length != key.size:
                size = f'{response.length} bytes'
                recorder.error(op, now, 'wrong size', size)
                return False
            if op == GET:
                moved = key.size
                if connection.checked >= 0:
                    self.compared += 1
        recorder.done(op, now, connection.since, moved, connection.first)
        return True

    def _judge(self, connection: Connection, early: bool, now: int) -> bool:
        """Record the end of what is more than an object and its name."""
        response, op, key = connection.response, connection.op, connection.key
        recorder = self._recorders[connection.site.index]
        assert response.head is not None and key is not None
        task = key if isinstance(key, Task) else None
        good = response.head.status in (task.successes if task else (200,))
        why = 'response before the request' if good and early else ''
        if isinstance(key, Step):
            return self._judge_step(key, connection, good, why, now)
        if good and not why:
            if task is not None:
                why = task.wrong(response)
            elif response.raw and self._tagged_wrong(connection):
                why = 'wrong ETag'
        if why:
            recorder.error(op, now, why, f'{response.length} bytes')
            return False
        if not good:
            recorder.error(op, now, *described(response))
            return False
        if connection.checked >= 0:
            self.compared += 1
        moved = key.size if task is None else task.moved(response)
        recorder.done(op, now, connection.since, moved, 0)
        return True

    def _judge_step(
        self,
        step: Step,
        connection: Connection,
        good: bool,
        why: str,
        now: int,
    ) -> bool:
        """Record the end of a request of an upload.

        Its requests go to any endpoint: an error is of the one that
        answered, and the upload of the one that completed it.
        """
        upload, response = step.upload, connection.response
        if step.kind == Step.ABORT:
            return good
        recorder = self._recorders[connection.site.index]
        if good and not why:
            why = upload.took(step, response)
        if (why or not good) and not upload.failed:
            error = (why, '') if why else described(response)
            recorder.error(MULTIPART, now, *error)
        if upload.done:
            recorder.done(MULTIPART, now, upload.since, upload.key.size, 0)
        return good and not why

    def _judge_unfinished(self, queued: int, now: int) -> None:
        """Record what is under way, and ``queued``, when the load is over.

        Leaving it out would be to leave out the worst. At the end of a
        closed loop it counts as under way: what is healthy and slow is no
        error, unless it took longer than anything may.
        """
        for connection in self.all:
            if connection.op >= 0:
                key = connection.key
                if not isinstance(key, Step) or not key.upload.failed:
                    self.cut += 1
                if not self._marked or now - connection.since > self._timeout:
                    self._fail(connection, 'unfinished', now)
                self._settle(connection, False, False)
                self._close(connection)
                self._delay(connection, now)
        for upload in self._uploads:
            if not upload.failed:  # it waits for a connection
                self.cut += 1
                if not self._marked:
                    recorder = self._recorders[upload.site]
                    recorder.error(MULTIPART, now, 'unfinished')
        for _ in range(queued):
            self.cut += 1
            self._recorders[0].trouble(NEVER_BEGUN, now)


def described(response: Response) -> Tuple[str, str]:
    """Name an error response: its status, its S3 code."""
    assert response.head is not None
    found = _CODE.search(response.body)
    code = found.group(1).decode() if found else ''
    name = f'{response.head.status} {code}'.strip()
    text = _KEY.sub(b'', response.body)[:200]
    return name, text.decode('ascii', 'replace')
