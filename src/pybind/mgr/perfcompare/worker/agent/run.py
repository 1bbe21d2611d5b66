"""The life of a load agent: ask, do as told, kill when nobody tells."""

from typing import Any, Callable, Dict, List, Optional

import errno
import json
import os
import queue
import secrets
import select
import shutil
import signal
import sys
import tempfile
import threading
import time

from ..runtime.failure import printable, scrub
from ..runtime.lease import now
from ..wire.agents import (
    BUSY,
    ENDED,
    EVENT,
    IDLE,
    KILL,
    SAY,
    START,
    Answer,
    Line,
    Order,
    parse_answer,
    program_digest,
    sync_text,
)
from ..wire.protocol import Failed, event_line
from ..wire.strict import Malformed
from .child import Child, localized
from .conversation import ClockWatch, Conversation
from .facts import host_facts

SHORTEST = 0.25  # seconds between two exchanges, whatever is urgent
REAP = 2.0


class Refused(Exception):
    """Say why the Manager did not take what the agent said.

    ``code`` is its errno.
    """

    def __init__(self, message: str, code: int = errno.EINVAL) -> None:
        super().__init__(message)
        self._code = code

    @property
    def again(self) -> bool:
        """Say whether it may take it in a moment."""
        return self._code == errno.EAGAIN

    @property
    def outdone(self) -> bool:
        """Say whether another agent of this host is heard in its place."""
        return self._code == errno.EEXIST

    @property
    def shut_out(self) -> bool:
        """Say whether the key counts no more; that of a disabled one does."""
        return self._code in (errno.ENOENT, errno.EPERM, errno.EACCES)


class Replaced(Exception):
    """Say that a worker would not run what this agent does."""

    def __init__(self) -> None:
        super().__init__(
            'the files of the agent are those of another version: it ends, '
            'to be started again'
        )


class Outdone(Exception):
    """Say that an agent that was heard later as a new one serves the host."""

    def __init__(self) -> None:
        super().__init__('another agent serves this host: this one ends')


Call = Callable[[str], str]  # a message; raises Refused


class _Caller(threading.Thread):
    """Make one exchange at a time, however long the Manager takes."""

    def __init__(self, call: Call, wake: Callable[[], None]) -> None:
        super().__init__(name='sync', daemon=True)
        self._call = call
        self._wake = wake
        self._asked: 'queue.SimpleQueue[str]' = queue.SimpleQueue()
        self._told: 'queue.SimpleQueue[Any]' = queue.SimpleQueue()
        self.busy = False

    def ask(self, text: str) -> None:
        """Begin an exchange."""
        self.busy = True
        self._asked.put(text)

    def answer(self) -> Any:
        """Return the answer, or the error; None while there is none."""
        try:
            found = self._told.get_nowait()
        except queue.Empty:
            return None
        self.busy = False
        return found

    def run(self) -> None:
        """Serve for ever."""
        while True:
            text = self._asked.get()
            found: Any
            try:
                found = self._call(text)
            except Exception as error:
                found = error
            self._told.put((found, now(), time.time()))
            self._wake()


class Agent:
    """Lead at most one worker, for the Manager that answers."""

    def __init__(self, call: Call, conf: str, folder: str) -> None:
        """Keep files in ``folder``, which is ours alone, and is cleared."""
        self._conf = conf
        self._folder = folder
        self._program = program_digest()
        self._talk = Conversation(secrets.token_hex(8), self._program)
        self._clock = ClockWatch()
        self._child: Optional[Child] = None
        self._killed: List[Child] = []  # which are not gone yet
        self._wanted = True  # the Manager wants to know our host
        self._due = 0.0
        self._sent = 0.0
        self._period = BUSY
        self._problem = ''
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._writes, False)
        self._ending = False
        self._caller = _Caller(call, self._wake)

    def _wake(self) -> None:
        try:
            os.write(self._writes, b'.')
        except OSError:
            pass

    def end(self) -> None:
        """Kill the load and leave; may be called by a signal."""
        self._ending = True
        self._wake()

    def main(self) -> None:
        """Serve until ``end``; Replaced when others must go on."""
        clear(self._folder)
        self._caller.start()
        try:
            while not self._ending:
                self._turn()
        finally:
            self._kill()

    def _turn(self) -> None:
        at = now()
        if not self._caller.busy and at >= self._due:
            self._ask(at)
        waits: List[Any] = [self._reads]
        full: List[int] = []
        if self._child is not None:
            waits.append(self._child)
            full = self._child.unheard
        left = 1.0 if self._caller.busy else max(0.0, self._due - at)
        found = select.select(waits, full, [], min(1.0, left))[0]
        if self._reads in found:
            os.read(self._reads, 4096)
        told = self._caller.answer()
        if told is not None:
            self._told(*told)
        if self._child is not None:
            self._listen(self._child)
        self._bury()
        # also what a worker left that is over: its result is in many pieces
        if self._talk.urgent and not self._caller.busy:
            self._due = min(self._due, self._sent + SHORTEST)

    def _ask(self, at: float) -> None:
        if self._wanted and self._child is None:
            self._check_files()  # before a run needs us
        loaded = self._child is not None
        facts = host_facts(loaded) if self._wanted else None
        text = sync_text(self._talk.message(facts, self._clock.reading))
        self._sent = now()
        self._due = at + self._period
        self._caller.ask(text)

    def _told(self, found: Any, got: float, wall: float) -> None:
        try:
            if isinstance(found, Exception):
                raise found
            answer = parse_answer(found)
        except Exception as error:
            self._say(str(error) or type(error).__name__)
            starting = isinstance(error, Refused) and error.again
            if isinstance(error, (Refused, Malformed)) and not starting:
                self._kill()
                self._period = IDLE
                if isinstance(error, Refused) and error.outdone:
                    raise Outdone from None
                self._check_files()
            if isinstance(error, Refused) and error.shut_out:
                # whoever has a key that counts is another agent
                self._talk = Conversation(secrets.token_hex(8), self._program)
            self._due = now() + self._period
            return
        self._say('')
        self._take(answer)
        self._clock.read(self._sent, got, answer.now, wall)

    def _take(self, answer: Answer) -> None:
        if answer.epoch != self._talk.epoch:
            # another Manager: it knows of no load of ours
            self._kill()
            self._talk.begin(answer.epoch)
            self._clock.forget()
            self._due = now() + SHORTEST
        # it counts from when it was asked for, at the latest
        until = self._sent + answer.lease
        for order in self._talk.take(answer):
            if order.what != START or until > now():  # else nobody leads it
                self._order(order)
        self._wanted = answer.facts
        self._period = answer.period
        self._due = min(self._due, self._sent + answer.period)
        if self._child is not None and answer.lease > 0:
            self._child.renew(until - now())

    def _order(self, order: Order) -> None:
        child = self._child
        if order.what == START:
            if child is not None:
                self._kill()
            self._check_files()
            self._start(order)
        elif child is None or child.name != order.worker:
            return  # of a worker that is gone
        elif order.what == SAY:
            child.say(order.line)
        elif order.what == KILL:
            child.kill()

    def _check_files(self) -> None:
        try:
            if program_digest() == self._program:
                return
        except OSError:
            pass  # they are being replaced
        raise Replaced

    def _start(self, order: Order) -> None:
        folder = os.path.join(self._folder, order.worker)
        try:
            self._child = Child(order.worker, folder)
            self._child.prepare(
                localized(order.job, order.files, folder, self._conf)
            )
        except (Malformed, OSError) as error:
            why = str(error)
            if isinstance(error, OSError):
                why = f'cannot start a worker in {folder!r}: {error.strerror}'
            if self._child is None:
                shutil.rmtree(folder, ignore_errors=True)
                self._talk.add(failed(order.worker, why))
                return
            self._child.kill()
            self._talk.add(failed(order.worker, why, over=False))

    def _listen(self, child: Child) -> None:
        over = child.over  # before its last words are read
        if over:
            self._talk.add(child.last())
            self._child = None
        else:
            child.drain()
            self._talk.add(child.lines())

    def _kill(self) -> None:
        """Kill the load, and wait a moment for it to go."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        end = now() + REAP
        while not child.over and now() < end:
            time.sleep(0.01)
        self._killed.append(child)
        self._bury()

    def _bury(self) -> None:
        """Tell of killed workers that are gone; their files go, too."""
        for child in [c for c in self._killed if c.over]:
            self._killed.remove(child)
            self._talk.add(child.last())

    def _say(self, problem: str) -> None:
        problem = scrub(printable(' '.join(problem.split())))[:300]
        if problem != self._problem:
            sys.stderr.write((problem or 'the Manager answers') + '\n')
            sys.stderr.flush()
        self._problem = problem


def failed(worker: str, why: str, over: bool = True) -> List[Line]:
    """Return the lines of a worker that could not be given its job."""
    text = event_line(Failed('protocol', why)).decode()
    found = [Line(worker, EVENT, text.rstrip('\n'))]
    if over:
        told: Dict[str, Any] = {'code': 1, 'log': ''}
        found.append(Line(worker, ENDED, json.dumps(told)))
    return found


def clear(folder: str) -> None:
    """Make the agent's folder anew: keys of former jobs are in it."""
    try:
        info = os.lstat(folder)
    except FileNotFoundError:
        pass
    else:
        if info.st_uid != os.geteuid():
            raise OSError(f'{folder!r} belongs to another user')
        shutil.rmtree(folder)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    os.mkdir(folder, 0o700)


def default_folder() -> str:
    """Return where an agent has its own folder when it is not told."""
    base = os.environ.get('RUNTIME_DIRECTORY', '').split(':')[0]
    return base or tempfile.gettempdir()


def serve(call: Call, conf: str, folder: str) -> None:
    """Be an agent until SIGTERM or SIGINT.

    Its own folder, in ``folder``, is the one that is cleared.
    """
    own = os.path.join(folder, f'perfcompare-agent-{os.geteuid()}')
    agent = Agent(call, conf, own)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: agent.end())
    agent.main()
