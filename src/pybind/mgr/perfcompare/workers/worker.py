"""What whoever leads workers knows of them, wherever they run."""

from typing import List, Optional, Protocol, Tuple

from ..common.errors import InvalidArgument
from ..model.outcome import Outcome
from ..worker.wire.jobs import Job
from ..worker.wire.protocol import LEASE_TTL, RESULT_MAX, Event
from ..worker.wire.strict import Malformed


class Worker(Protocol):
    """Lead one worker through one job."""

    ended: bool
    returncode: Optional[int]

    @property
    def gathering(self) -> bool:
        """Say whether its load is over, and its result has its own time."""

    def start(self, job: Job) -> None:
        """Start the process and give it its job; it gets ready by itself."""

    def poll(self) -> List[Event]:
        """Return the events that came in; the last one of all is Ended."""

    def renew(self, ttl: float = LEASE_TTL) -> bool:
        """Renew the lease; False when the worker cannot be reached."""

    def go(self) -> None:
        """Start the load."""

    def stop(
        self, grace: float = 2.0, window: Optional[Tuple[float, float]] = None
    ) -> None:
        """Ask for an orderly end; after ``grace`` s poll() kills it.

        ``window`` (Unix times) is the span that a result is to tell of,
        where the job gives one when it is stopped. One of this host is told
        of ``grace``, so that it can give what it has by then.
        """

    def kill(self) -> None:
        """Kill it with all its children, within two seconds."""

    def halt(self) -> None:
        """Order its end from any thread; what is at hand is killed at once."""

    def outcome(self, most: int = RESULT_MAX) -> Outcome:
        """Return the result; raise WorkerFailed when there is none.

        One of over ``most`` bytes is none.
        """

    def discard(self) -> None:
        """Remove the files of a worker that ended."""


class Launcher(Protocol):
    """Make workers; the runner knows nothing else of processes."""

    def worker(self, name: str) -> Worker:
        """Return a worker, not yet started, whose files are ``name``."""


def refuse_unsound(job: Job) -> None:
    """Raise InvalidArgument for a job that no worker can do."""
    try:
        job.check()
    except Malformed as error:
        raise InvalidArgument(f'worker: {error}') from None
