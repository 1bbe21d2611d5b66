"""One worker that is one on each of several load hosts.

Its job is divided among them, they begin at one time, and what they measured
is put together by a worker of the Manager's host. Where one of them is lost
all are ended: the rest of a load is another load.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import dataclasses
import os

from ..common.clock import SYSTEM
from ..model.outcome import Outcome
from ..ports.clock import Clock
from ..worker.wire.jobs import HOSTS_MAX, Job, Load, kind_of
from ..worker.wire.join_jobs import (
    HostResult,
    Results,
    flying_of,
    join_of,
    part_of,
)
from ..worker.wire.protocol import (
    LEASE_TTL,
    Ended,
    Event,
    Failed,
    Live,
    Ready,
    Started,
)
from .host_link import HostLink
from .live_sum import live_sum
from .outcomes import OUTCOME_MAX, WorkerFailed
from .remote import RemoteLauncher, RemoteWorker
from .worker import Launcher, Worker, refuse_unsound

# Seconds from the order to the begin: an order arrives with an exchange, of
# which there is one a second.
AHEAD = 2.5
STALE = 2.5  # seconds after which progress is told without the late ones
# Seconds that the results of one host may take to be put together with those
# of the others: of an hour of S3 load by eight gateways about half of that.
JOIN_LIMIT = 60.0


class Member:
    """Hold one host's worker and what is known of it."""

    def __init__(self, link: HostLink, worker: RemoteWorker) -> None:
        self.host = link.host
        self.link = link
        self.worker = worker
        self.ready: Optional[Ready] = None
        self.live: Optional[Live] = None
        self.told = False  # since progress was told last
        self.part = 0.0  # of the load that is divided
        self.flying = 0.0  # of the operations in flight
        self.result = ''  # path
        self.ahead = 0.0  # seconds that the Manager's clock is ahead
        self.bound = 0.0

    def read_clock(self) -> None:
        """Take its clock as it is told now; WorkerFailed when it is not."""
        reading = self.link.reading
        if reading is None:
            raise WorkerFailed(
                'clock', f'the clock of load host {self.host} is not known'
            )
        self.ahead, self.bound = reading.offset, reading.bound


class JointLauncher:
    """Make workers that are processes of several load hosts."""

    def __init__(
        self,
        links: Sequence[HostLink],
        local: Launcher,
        folder: str,
        clock: Clock = SYSTEM,
    ) -> None:
        """Join results by ``local``; keep them below ``folder``."""
        self._launchers = [
            (link, RemoteLauncher(link, os.path.join(folder, name), clock))
            for link, name in zip(links, _folders(len(links)))
        ]
        self._local = local
        self._clock = clock

    def worker(self, name: str) -> 'JointWorker':
        """Return a worker, not yet started, whose files are ``name``."""
        members = [
            Member(link, launcher.worker(name))
            for link, launcher in self._launchers
        ]
        join = self._local.worker(f'{name}.join')
        return JointWorker(members, join, self._clock)


def _folders(count: int) -> List[str]:
    return [f'load-host-{number}' for number in range(count)]


class JointWorker:
    """Lead workers of several hosts through the parts of one job."""

    def __init__(
        self, members: Sequence[Member], join: Worker, clock: Clock
    ) -> None:
        self._every = list(members)
        self._members: List[Member] = []  # those that have a part
        self._join = join
        self._joining = False
        self._join_end = float('inf')  # monotonic
        self._clock = clock
        self._job: Optional[Job] = None
        self._begin = 0.0  # Unix time
        self._began = False
        self._told_at = 0.0
        self._failed: Optional[WorkerFailed] = None
        self.ended = False
        self.returncode: Optional[int] = None

    def start(self, job: Job) -> None:
        """Have each host get ready for its part."""
        refuse_unsound(job)
        assert isinstance(job, Load)  # a load host does no other
        self._job = job
        parts = job.divided(min(len(self._every), HOSTS_MAX))
        for member, part in zip(self._every, parts):
            if part is not None:
                self._members.append(member)
                member.part = part_of(job, part)
                member.flying = flying_of(job, part)
                member.worker.start(part)

    def renew(self, ttl: float = LEASE_TTL) -> bool:
        """Renew all leases; False when one worker cannot be reached."""
        there = [m.worker.renew(ttl) for m in self._open()]
        if self._joining and not self._join.ended:
            there.append(self._join.renew(ttl))
        return all(there)

    def go(self) -> None:
        """Start the load of all hosts at one time.

        Raises WorkerFailed where a host's clock is not known.
        """
        self._told_at = self._clock.monotonic()
        if len(self._members) == 1:
            self._members[0].worker.go()
            return
        self._begin = self._clock.wall() + AHEAD
        for member in self._members:
            member.read_clock()
        for member in self._members:
            member.worker.go(self._begin - member.ahead)

    def stop(
        self, grace: float = 2.0, window: Optional[Tuple[float, float]] = None
    ) -> None:
        """Ask for an orderly end; after ``grace`` s poll() has it killed."""
        for member in self._open():
            member.worker.stop(grace, window)
        self._join.halt()

    @property
    def gathering(self) -> bool:
        """Say whether the load of all is over, and results are awaited."""
        parts = [m.worker for m in self._members]
        return bool(parts) and all(p.gathering or p.ended for p in parts)

    def _open(self) -> List[Member]:
        return [m for m in self._members if not m.worker.ended]

    def poll(self) -> List[Event]:
        """Return the events that came in; the last one of all is Ended."""
        if self._job is None or self.ended:
            return []
        events: List[Event] = []
        for member in self._members:
            for event in member.worker.poll():
                events += self._heard(member, event)
        events += self._progress()
        if not self._open():
            events += self._after()
        return events

    def _heard(self, member: Member, event: Event) -> List[Event]:
        if isinstance(event, Ready):
            member.ready = event
            ready = [m.ready for m in self._members if m.ready is not None]
            if len(ready) == len(self._members):
                return [Ready(_tools(ready), {})]
        elif isinstance(event, Started) and not self._began:
            self._began = True
            return [event]
        elif isinstance(event, Live):
            member.live, member.told = event, True
        elif isinstance(event, Ended):
            self._over(member)
        return []

    def _progress(self) -> List[Event]:
        """Return what all do, once each has told, or some are too late."""
        waited = self._clock.monotonic() - self._told_at
        told = [m.told for m in self._open()]
        if not any(told) or not (all(told) or waited > STALE):
            return []
        self._told_at = self._clock.monotonic()
        for member in self._members:
            member.told = False
        return [
            live_sum(
                [(m.host, m.live, m.ahead) for m in self._members if m.live]
            )
        ]

    def _over(self, member: Member) -> None:
        """Keep a host's result; where there is none, end all others."""
        try:
            member.result = member.worker.result()
        except WorkerFailed as error:
            self._failed = self._failed or error  # it names its host
            for other in self._open():
                other.worker.halt()

    def _after(self) -> List[Event]:
        """Go on when no host works any more: put together, and end."""
        if self._failed is not None:
            return self._end(1)
        if not self._joining:
            joined = self._joined()
            if joined is None:
                return self._end(0)
            self._joining = True
            self._join_end = self._clock.monotonic() + joined.deadline
            try:
                self._join.start(joined)
            except WorkerFailed as error:
                self._failed = error
                return self._end(1)
        for event in self._join.poll():
            if isinstance(event, Ready):
                self._join.go()
            elif isinstance(event, Ended):
                return self._end(event.returncode)
        if self._clock.monotonic() > self._join_end:
            self._join.kill()
            self._failed = WorkerFailed(
                'deadline',
                f'what {len(self._members)} load hosts measured was not put '
                f'together within {JOIN_LIMIT * len(self._members):.0f} s',
            )
            return self._end(1)
        return []

    def _joined(self) -> Optional[Results]:
        assert self._job is not None
        if len(self._members) == 1:
            return None
        return join_of(
            self._job,
            JOIN_LIMIT * len(self._members),
            self._begin,
            tuple(
                HostResult(
                    m.host, m.result, m.ahead, m.bound, m.part, m.flying
                )
                for m in self._members
            ),
        )

    def _end(self, code: int) -> List[Event]:
        self.ended, self.returncode = True, code
        found: List[Event] = []
        if self._failed is not None:
            found.append(Failed(self._failed.kind, self._failed.message))
        return [*found, Ended(code)]

    def halt(self) -> None:
        """Order the end of all; return at once."""
        for member in self._members:
            member.worker.halt()
        self._join.halt()

    def kill(self) -> None:
        """Have all killed; return when they are gone, or must be."""
        self.halt()
        for member in self._members:
            member.worker.kill()
        self._join.kill()
        if self._job is not None and not self.ended:
            self.ended, self.returncode = True, -9
            self._failed = self._failed or WorkerFailed(
                'stopped', 'the workers were killed on request'
            )

    def outcome(self, most: int = OUTCOME_MAX) -> Outcome:
        """Return the result of all; raise WorkerFailed when there is none."""
        if self._failed is not None:
            raise self._failed
        assert self._job is not None
        kind = kind_of(self._job)
        if self._joining:
            joined = self._join.outcome(most)
            tools = _tools([m.ready for m in self._members if m.ready])
            return dataclasses.replace(joined, kind=kind, tools=tools)
        found = [m.worker.outcome(most) for m in self._members]
        if len(found) == 1:
            return found[0]
        return dataclasses.replace(
            found[0],
            started=min(o.started for o in found),
            ended=max(o.ended for o in found),
            populations=[p for o in found for p in o.populations],
            notes=[n for o in found for n in o.notes],
        )

    def discard(self) -> None:
        """Remove the files of workers that ended."""
        for member in self._members:
            member.worker.discard()
        self._join.discard()


def _tools(ready: Sequence[Ready]) -> Dict[str, str]:
    """Return the versions of programs; where hosts differ, all of them."""
    found: Dict[str, List[str]] = {}
    for event in ready:
        for name, version in event.tools.items():
            known = found.setdefault(name, [])
            if version not in known:
                known.append(version)
    return {name: ' and '.join(known) for name, known in found.items()}
