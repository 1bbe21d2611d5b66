"""Workers on a load host, led as those of this host are.

What differs: an order arrives with the next exchange, within about a second,
and whether a worker is gone is known when its agent says so, or when the
lease that it was given last is over.
"""

from typing import Any, Dict, List, Optional, Tuple

import base64
import binascii
import hashlib
import json
import logging
import os
import secrets
import shutil
import zlib

from ..common.clock import SYSTEM
from ..common.errors import InvalidArgument
from ..model.outcome import Outcome
from ..ports.clock import Clock
from ..worker.wire.agents import (
    ENDED,
    EVENT,
    FILES,
    PACKED_MAX,
    REMOTE_KINDS,
    RESULT,
    ClockReading,
    Line,
)
from ..worker.wire.jobs import Job, job_to_data, kind_of
from ..worker.wire.protocol import (
    LEASE_LOST,
    LEASE_TTL,
    RESULT_FILE,
    RESULT_MAX,
    Done,
    Ended,
    Event,
    Failed,
    Hello,
    command_line,
    parse_event,
)
from ..worker.wire.strict import Malformed
from .ending import Ending
from .host_clock import on_our_clock
from .host_link import HostLink
from .outcomes import OUTCOME_MAX, WorkerFailed, read_outcome
from .worker import refuse_unsound

log = logging.getLogger(__name__)

CODE_MAX = 255  # of a process, or of the signal that ended it
START = 20.0  # seconds until a worker must have said hello
KILL_WAIT = 2.0  # seconds until an agent should have confirmed a kill
# Seconds that a result may take to arrive: the largest is in some 450 pieces,
# of which each exchange brings one.
ARRIVAL = 600.0
# Seconds from the word that a load is over to the first piece of its result,
# which is packed meanwhile: no rule watches a load from that word on.
PACKING = 30.0
MARGIN = 1.0  # seconds that a lease may be over before a worker is gone


class RemoteLauncher:
    """Make workers that are processes of one load host."""

    def __init__(
        self, link: HostLink, folder: str, clock: Clock = SYSTEM
    ) -> None:
        """Keep what they give back below ``folder``, private to us."""
        self._link = link
        self._folder = folder
        self._clock = clock

    def worker(self, name: str) -> 'RemoteWorker':
        """Return a worker, not yet started, whose files are ``name``."""
        folder = os.path.join(self._folder, name)
        # names come again in each run, and lines of former ones may be late
        named = f'{name[:48]}-{secrets.token_hex(4)}'
        return RemoteWorker(self._link, named, folder, self._clock)


class RemoteWorker:
    """Lead one worker of a load host through one job."""

    def __init__(
        self, link: HostLink, name: str, folder: str, clock: Clock
    ) -> None:
        self._link = link
        self.name = name  # by which its agent knows it
        self._folder = folder
        self._clock = clock
        self._ident = 0
        self._began: Optional[float] = None
        self._hello = False
        self._kill_at: Optional[float] = None
        self._killed = False
        self._ending = Ending(f'the worker on {link.host}')
        self._packed = bytearray()  # until it is unpacked
        self._whole = False  # its result, in a file
        self._log = ''
        self._reading: Optional[ClockReading] = None  # when load began
        self._arrival: Optional[float] = None  # until when, once it is told
        self._arriving = False  # a piece is there
        self.ended = False
        self.returncode: Optional[int] = None

    def start(self, job: Job) -> None:
        """Have the process started with its job."""
        refuse_unsound(job)
        if kind_of(job) not in REMOTE_KINDS:
            raise InvalidArgument(
                f'jobs of kind {kind_of(job)!r} are not done on load hosts'
            )
        if self._began is not None:
            raise InvalidArgument('worker: a worker does one job only')
        data, files = packed(job)
        try:
            os.makedirs(self._folder, 0o700, exist_ok=True)
        except OSError as error:
            raise WorkerFailed(
                'spool', f'cannot make {self._folder!r}: {error.strerror}'
            ) from None
        self._began = self._clock.monotonic()
        self._link.attach(self.name, data, files)

    def renew(self, ttl: float = LEASE_TTL) -> bool:
        """Renew the lease; False when the worker cannot be reached."""
        return self._link.renew(self.name, ttl)

    def go(self, at: Optional[float] = None) -> None:
        """Start the load, at Unix time ``at`` of its host's clock."""
        self._reading = self._link.reading
        if at is None:
            self._say('go')
        else:
            self._say('go', at=at)

    def stop(
        self, grace: float = 2.0, window: Optional[Tuple[float, float]] = None
    ) -> None:
        """Ask for an orderly end; after ``grace`` s poll() has it killed."""
        self._kill_at = self._clock.monotonic() + grace
        self._say('stop', window=window)

    def _say(self, name: str, **values: Any) -> None:
        self._ident += 1
        line = command_line(name, self._ident, **values).decode().strip()
        self._link.say(self.name, line)

    def poll(self) -> List[Event]:
        """Return the events that came in; the last one of all is Ended."""
        if self._began is None or self.ended:
            return []
        events: List[Event] = []
        for line in self._link.take(self.name):
            events += self._heard(line)
        if events and isinstance(events[-1], Ended):
            return events
        now = self._clock.monotonic()
        lost = self._lost(now)
        if lost:
            self._ending.fail(*lost)
            self._over(None)
            events.append(Ended(-9))
        elif self._kill_at is not None and now >= self._kill_at:
            self.halt()
        return events

    @property
    def gathering(self) -> bool:
        """Say whether its load is over, and its result is on its way."""
        return self._arrival is not None

    def _lost(self, now: float) -> Optional[Tuple[str, str]]:
        """Say why the worker is surely gone; None while it may be there."""
        host = self._link.host
        why = self._link.lost(self.name)
        if why:
            return 'died', why
        assert self._began is not None
        # a host that was silent before has as long as any to come back
        silent = min(self._link.silent(), now - self._began)
        if self._link.left() < -MARGIN and silent > LEASE_TTL:
            return 'lease', (
                f'load host {host} was not heard of for {silent:.0f} s: '
                'its load ended itself'
            )
        if not self._hello and now - self._began > START:
            return 'died', f'load host {host} started no worker'
        if self._arrival is None or now <= self._arrival:
            return None
        if not self._arriving:
            return 'deadline', (
                f'load host {host} said that its load is over, and gave no '
                f'result within {PACKING:.0f} s'
            )
        return 'deadline', (
            f'the result of load host {host} did not arrive within '
            f'{ARRIVAL:.0f} s'
        )

    def _heard(self, line: Line) -> List[Event]:
        if line.kind == EVENT:
            try:
                return [self._note(parse_event(line.text.encode()))]
            except Malformed as error:
                log.warning('worker on %s: %s', self._link.host, error)
            return []
        if line.kind == RESULT:
            self._piece(line.text)
            return []
        assert line.kind == ENDED
        code = self._end(line.text)
        self._over(code)
        return [Ended(code)]

    def _note(self, event: Event) -> Event:
        if isinstance(event, Failed):
            # it does not know which of several it is
            named = f'load host {self._link.host}: {event.error}'
            event = Failed(event.kind, named)
        self._hello = self._hello or isinstance(event, Hello)
        if isinstance(event, Done) and self._arrival is None:
            self._arrival = self._clock.monotonic() + PACKING
        if not self._ending.note(event):
            self._kill_at = self._clock.monotonic()
        return event

    def _piece(self, text: str) -> None:
        if self._arrival is not None and not self._arriving:
            self._arriving = True
            self._arrival = self._clock.monotonic() + ARRIVAL
        if len(self._packed) + len(text) > PACKED_MAX:
            self._ending.fail(
                'protocol', f'the result of {self._link.host} has no end'
            )
            self._kill_at = self._clock.monotonic()
            return
        try:
            self._packed += base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            self._packed.clear()  # its digest will tell

    def _end(self, text: str) -> int:
        try:
            told = json.loads(text)
            self._log = str(told['log'])[-500:]
            code = told['code']
            if type(code) is int and abs(code) <= CODE_MAX:
                return code
        except (ValueError, TypeError, KeyError, RecursionError):
            pass
        return -1

    def _over(self, code: Optional[int]) -> None:
        self.ended = True
        self.returncode = -9 if code is None else code
        self._link.detach(self.name, code is not None)

    def halt(self) -> None:
        """Order its end and return at once: the agent does it."""
        self._killed = True
        self._link.kill(self.name)

    def kill(self) -> None:
        """Have it killed; return when it is gone, or must be by its lease.

        That takes about a second, or up to the rest of its lease where the
        host cannot be reached.
        """
        if self._began is None or self.ended:
            return
        self.halt()
        soon = self._clock.monotonic() + KILL_WAIT
        while not self.ended:
            self.poll()
            left = self._link.left() + MARGIN
            if self.ended or (left < 0 and self._clock.monotonic() > soon):
                break
            self._clock.wait(0.05)
        if not self.ended:
            log.warning('%s did not confirm a kill', self._link.host)
            self._over(None)

    def outcome(self, most: int = OUTCOME_MAX) -> Outcome:
        """Return the result, with times of the Manager's clock.

        Raises WorkerFailed when there is none.
        """
        done = self._ending.result(self.ended, self._death)
        path = self._unpacked(done.sha256, most)
        found = read_outcome(path, done.sha256, most)
        reading = self._reading or ClockReading(0.0, 0.0)
        return on_our_clock(found, self._link.host, reading)

    def result(self) -> str:
        """Return the path of the whole result, which is not read yet.

        Its times are of the host's clock.

        Raises WorkerFailed when there is none.
        """
        done = self._ending.result(self.ended, self._death)
        return self._unpacked(done.sha256)

    def _unpacked(self, sha256: str, most: int = RESULT_MAX) -> str:
        path = os.path.join(self._folder, RESULT_FILE)
        if self._whole:
            return path
        try:
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(bytes(self._packed), most)
            if hashlib.sha256(data).hexdigest() != sha256:
                raise ValueError
            with open(path, 'wb') as file:
                file.write(data)
        except (zlib.error, ValueError):
            raise WorkerFailed(
                'spool',
                f'the result of load host {self._link.host} did not arrive '
                'whole',
            ) from None
        except OSError as error:
            raise WorkerFailed(
                'spool', f'cannot write {path!r}: {error.strerror}'
            ) from None
        self._whole = True
        self._packed.clear()
        return path

    def _death(self) -> Tuple[str, str]:
        who = f'the worker on {self._link.host}'
        if self._killed or self._kill_at is not None:
            return 'stopped', f'{who} was killed on request'
        if LEASE_LOST in self._log:
            return 'lease', f'{who} ended itself: {self._log}'
        return 'died', (
            f'{who} ended without a result: code {self.returncode}'
            + (f', {self._log}' if self._log else '')
        )

    def discard(self) -> None:
        """Remove the files of a worker that ended."""
        if self._began is None or self.ended:
            shutil.rmtree(self._folder, ignore_errors=True)


def packed(job: Job) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """Return a job as data without paths of ours, and its files by name."""
    data = job_to_data(job)
    files: Dict[str, str] = {}
    for place in FILES:
        holder = data if len(place) == 1 else data.get(place[0], {})
        path = holder.get(place[-1])
        if not path:
            continue
        try:
            with open(path, encoding='utf-8') as file:
                files['.'.join(place)] = file.read()
        except (OSError, ValueError) as error:
            raise WorkerFailed(
                'access', f'cannot read {path!r}: {error}'
            ) from None
        holder[place[-1]] = '/'
    data['access']['conf'] = '/'
    return data, files
