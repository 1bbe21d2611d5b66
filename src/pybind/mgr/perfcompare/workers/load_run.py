"""Drive one worker from its start to its result, with all brakes on."""

from typing import Callable, Collection, Optional

from ..guard.abort.watch import AbortWatch
from ..model.outcome import Outcome
from ..model.run import RunState
from ..worker.wire.jobs import Job
from ..worker.wire.protocol import Live, Ready
from .control import Control, Stopped
from .lease import Lease
from .settled_errors import SettledErrors
from .worker import Launcher

POLL = 0.2  # seconds between looks at the worker
WATCH = 5.0  # seconds between looks at the abort rules
START_LIMIT = 20.0  # seconds from the start of a worker to that of load
END_LIMIT = 20.0  # seconds from the end of load to its result

LiveListener = Callable[[Live], None]


class AbortMonitor:
    """Look at brakes and abort rules while load goes on."""

    def __init__(self, control: Control, watch: AbortWatch) -> None:
        self._control = control
        self._watch = watch
        self._next_watch = 0.0

    def look(self) -> None:
        """Look at the brakes and, when it is time, at the abort rules.

        Raises Stopped, with the rule's id first in the reason.
        """
        self._control.check()
        now = self._control.monotonic()
        if now < self._next_watch:
            return
        self._next_watch = now + WATCH
        abort = self._watch.check(now)
        if abort is not None:
            raise Stopped(RunState.ABORTED, str(abort))


class LoadRun:
    """Run jobs one after the other under lease, abort rules and brakes."""

    def __init__(
        self,
        launcher: Launcher,
        control: Control,
        watch: AbortWatch,
        lease: Lease,
    ) -> None:
        self._launcher = launcher
        self._control = control
        self._watch = watch
        self._lease = lease
        self._vigil = AbortMonitor(control, watch)

    def vigil(self) -> None:
        """Look at brakes and abort rules; raises Stopped."""
        self._vigil.look()

    def run(
        self,
        name: str,
        job: Job,
        pools: Collection[str],
        on_live: Optional[LiveListener] = None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> Outcome:
        """Execute a job and return its outcome.

        ``on_tick`` is called about every POLL seconds and must be quick;
        it may raise WorkerFailed to cut the load.

        Raises Stopped when a brake or an abort rule ends it, WorkerFailed
        when the job itself fails; the worker is gone in every case.
        """
        self.vigil()
        worker = self._launcher.worker(name)
        errors = SettledErrors(self._control)
        deadline = (
            self._control.monotonic() + START_LIMIT + job.deadline + END_LIMIT
        )
        loaded = True
        try:
            worker.start(job)
            self._control.attach(worker.halt)
            self._watch.load_started(name, deadline, pools)
            self._lease.fresh()
            while not worker.ended:
                for event in worker.poll():
                    if isinstance(event, Ready):
                        worker.go()
                    elif isinstance(event, Live):
                        errors.add(event.errors)
                        self._watch.load_progress(
                            event.ops, errors.settled(), event.failing_host
                        )
                        if on_live:
                            on_live(event)
                if loaded and worker.gathering:
                    loaded = False  # the rest has a limit of its own
                    self._watch.load_ended()
                if not worker.ended:
                    self._lease.hold(worker)
                    on_tick()  # knows better than a rule why a load fails
                    # what is looked at may take its time
                    self._lease.hold(worker)
                    self.vigil()
                    self._lease.hold(worker)
                    self._control.wait(POLL)
            self._control.check()
            return worker.outcome()
        finally:
            self._watch.load_ended()
            self._control.detach()
            worker.kill()
            worker.discard()
