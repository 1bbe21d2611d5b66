"""Commands to mons and OSDs, each with a time limit of our own.

librados ignores the ``timeout`` of mon_command() and osd_command() (its
documentation says so): a stopped OSD or a mon without quorum blocks the
caller for ever. So each command runs in a thread that can be left behind.
"""

from typing import Any, Callable, Dict, Optional, Tuple

import errno
import json
import logging
import threading

from ..common.errors import CommandFailed, TryAgain

log = logging.getLogger(__name__)

READ_SECONDS = 10.0
WRITE_SECONDS = 30.0  # a change waits for the mon's next proposal: ~1 s
OSD_SECONDS = 5.0

# commands without an answer that may wait at one time, by kind of target
STUCK_MON = 16
STUCK_MGR = 4
STUCK_OSD = 2
STUCK_CHANGE = 1
CHANGE = 'change'

# what mons pass on to the active mgr, by who answers there: these may be
# silent while the mons are well, and then nothing else may wait for them
MGR_COMMANDS = {
    'orch': 'the orchestrator',
    'balancer status': 'the Manager',
    'config show': 'the Manager',
    'osd ok-to-stop': 'the Manager',
}

# of these, what has it do something: it is sent though questions that come
# every few seconds have no answer, for it to be done when that is over
ORDERS = ('orch apply', 'orch daemon', 'orch rm')
ORDER = 'order'

Answer = Tuple[int, bytes, str]  # return code, output, status text


class Commands:
    """Run commands through ``mgr.rados``."""

    def __init__(self, mgr: Any) -> None:
        self._mgr = mgr
        self._lock = threading.Lock()
        self._connecting = threading.Lock()
        # target and kind -> calls without answer
        self._stuck: Dict[str, int] = {}

    def _rados(self) -> Any:
        """Return the connection, which the first caller makes.

        The property that makes it is not made for threads: two at a time
        end the whole mgr with a segmentation fault (seen on 20.2).
        """
        with self._connecting:
            return self._mgr.rados

    def mon(
        self, prefix: str, seconds: float = READ_SECONDS, **args: Any
    ) -> str:
        """Return the output of a mon command.

        Raises CommandFailed when it is refused, and TryAgain when no
        answer comes within ``seconds``.
        """
        code, output, status = self._mon(prefix, seconds, args)
        if code < 0:
            raise CommandFailed(prefix, code, status)
        return output.decode('utf-8', 'replace')

    def mon_json(
        self, prefix: str, seconds: float = READ_SECONDS, **args: Any
    ) -> Any:
        """Return the output of a mon command as data; raises like mon()."""
        text = self.mon(prefix, seconds, format='json', **args)
        try:
            return json.loads(text)
        except ValueError:
            raise CommandFailed(prefix, errno.EIO, 'answer is not JSON')

    def mon_or_none(
        self, prefix: str, missing: int = errno.ENOENT, **args: Any
    ) -> Optional[str]:
        """Return the output, or None when the code is ``missing``."""
        code, output, status = self._mon(prefix, READ_SECONDS, args)
        if code == -missing:
            return None
        if code < 0:
            raise CommandFailed(prefix, code, status)
        return output.decode('utf-8', 'replace')

    def answer(
        self, prefix: str, seconds: float = READ_SECONDS, **args: Any
    ) -> Tuple[int, str, str]:
        """Return code, output and status of a mon command as they are.

        For commands whose output tells more than their code.
        """
        args = dict(args, format='json')
        code, output, status = self._mon(prefix, seconds, args)
        return code, output.decode('utf-8', 'replace'), status

    def change(self, prefix: str, **args: Any) -> str:
        """Run a mon command that changes something; return its output.

        Raises like mon(), and TryAgain while an earlier change has no
        answer: librados sends both as soon as there are mons again, and a
        mon that gets them in one proposal may die, as of a pool and the
        removal of its rule (seen on 20.2); the next leader then as well.
        """
        log.debug('mon command %r on %s', prefix, _what(args))
        code, output, status = self._mon(
            prefix, WRITE_SECONDS, args, STUCK_CHANGE, CHANGE
        )
        if code < 0:
            raise CommandFailed(prefix, code, status)
        return output.decode('utf-8', 'replace')

    def osd_json(
        self, osd: int, prefix: str, seconds: float = OSD_SECONDS, **args: Any
    ) -> Any:
        """Return the output of a command to an OSD as data.

        Raises CommandFailed and TryAgain like mon().
        """
        command = json.dumps(dict(args, prefix=prefix, format='json'))
        return self._data(
            f'osd.{osd}',
            prefix,
            seconds,
            lambda: self._rados().osd_command(osd, command, b''),
        )

    def pg_json(self, primary: int, pgid: str, prefix: str) -> Any:
        """Return the output of a command to a PG's primary as data.

        It goes to the OSD, not to the PG: a command to a PG whose pool is
        removed before it has its answer may end the whole mgr with a
        segmentation fault in librados (seen on 20.2). An OSD that is not
        the PG's primary does not answer.

        Raises CommandFailed and TryAgain like mon().
        """
        command = json.dumps(
            {'prefix': 'pg', 'pgid': pgid, 'cmd': prefix, 'format': 'json'}
        )
        return self._data(
            f'pg {pgid}',
            prefix,
            OSD_SECONDS,
            lambda: self._rados().osd_command(primary, command, b''),
        )

    def _data(
        self,
        target: str,
        prefix: str,
        seconds: float,
        call: Callable[[], Answer],
    ) -> Any:
        """Return the output of a command that an OSD answers as data."""
        what = f'{target} {prefix}'
        code, output, status = self._call(target, STUCK_OSD, seconds, call)
        if code < 0:
            raise CommandFailed(what, code, status)
        try:
            return json.loads(output)
        except ValueError:
            raise CommandFailed(what, errno.EIO, 'answer is not JSON')

    def _mon(
        self,
        prefix: str,
        seconds: float,
        args: Any,
        limit: int = STUCK_MON,
        kind: str = '',
    ) -> Answer:
        inbuf = args.pop('inbuf', b'')
        command = json.dumps(dict(args, prefix=prefix))
        mgr = answered_by(prefix)
        if mgr:
            limit, kind = STUCK_MGR, ORDER if prefix in ORDERS else kind
        return self._call(
            mgr or 'mon',
            limit,
            seconds,
            lambda: self._rados().mon_command(command, inbuf),
            kind,
        )

    def _call(
        self,
        target: str,
        limit: int,
        seconds: float,
        call: Callable[[], Answer],
        kind: str = '',
    ) -> Answer:
        key = target + kind
        with self._lock:
            if self._stuck.get(key, 0) >= limit:
                raise TryAgain(
                    f'{target} has not answered earlier commands; '
                    'look at `ceph -s` and try again'
                )
        pending = _Pending(call)
        if pending.wait(seconds):
            return pending.result()
        with self._lock:
            if pending.leave(lambda: self._came_back(key)):
                self._stuck[key] = self._stuck.get(key, 0) + 1
        raise TryAgain(
            f'{target} did not answer within {seconds:.0f} s; '
            'look at `ceph -s` and try again'
        )

    def _came_back(self, key: str) -> None:
        with self._lock:
            self._stuck[key] -= 1


class _Pending:
    """Run one call in a thread of its own; wait for it, or leave it."""

    def __init__(self, call: Callable[[], Answer]) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._answer: Optional[Answer] = None
        self._error: Optional[Exception] = None
        self._late: Optional[Callable[[], None]] = None
        threading.Thread(target=self._run, args=(call,), daemon=True).start()

    def _run(self, call: Callable[[], Answer]) -> None:
        try:
            self._answer = call()
        except Exception as error:  # rados.Error and its like
            self._error = error
        with self._lock:
            self._ended.set()
            late = self._late
        if late is not None:
            late()

    def wait(self, seconds: float) -> bool:
        """Return whether the call ended in time."""
        return self._ended.wait(seconds)

    def leave(self, late: Callable[[], None]) -> bool:
        """Have ``late`` called when the call ends; False when it just did."""
        with self._lock:
            if self._ended.is_set():
                return False
            self._late = late
            return True

    def result(self) -> Answer:
        """Return the answer; raise CommandFailed for an error of librados."""
        if self._error is not None:
            code = getattr(self._error, 'errno', None) or errno.EIO
            raise CommandFailed('librados', int(code), str(self._error))
        assert self._answer is not None
        return self._answer


def answered_by(prefix: str) -> str:
    """Return who in the mgr answers a command, '' where mons do."""
    module = prefix.partition(' ')[0]
    return MGR_COMMANDS.get(prefix) or MGR_COMMANDS.get(module, '')


def _what(args: Dict[str, Any]) -> str:
    """Return what a command is about, for the log; never a value."""
    for key in ('pool', 'name', 'entity', 'pgid', 'addr', 'key'):
        if key in args:
            return str(args[key])
    return '-'
