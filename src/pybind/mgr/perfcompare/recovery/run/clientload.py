"""Load that goes on beside the steps of a recovery test."""

from typing import Collection, Dict, List, Mapping

import logging

from ...guard.abort.watch import AbortWatch
from ...worker.wire.jobs import Job
from ...worker.wire.protocol import Live, Ready
from ...workers.control import Control
from ...workers.lease import Lease
from ...workers.load_run import AbortMonitor
from ...workers.outcomes import WorkerFailed
from ...workers.settled_errors import SettledErrors
from ...workers.worker import Launcher, Worker
from ..judge.closeups import Closeups
from ..judge.impact import Sample
from ..judge.latencies import LatencyRecorder
from ..judge.thinning import since, thinned

log = logging.getLogger(__name__)

START_LIMIT = 30.0  # seconds until the first sample of every load
SLICES_LATE = 3.0  # seconds until latencies of an operation are in
STALE = 3.0  # seconds after which a rate is not that of now
MOST = 20_000  # samples of a load; beyond, as many as half of that stay


class ClientLoad:
    """Lead several workers at one time; used by one thread.

    Without jobs it only watches the abort rules.
    """

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
        self._workers: Dict[str, Worker] = {}
        self._vigil = AbortMonitor(control, watch)
        self._heard: Dict[str, float] = {}  # when the last sample came
        self._errors: Dict[str, SettledErrors] = {}
        self._near = Closeups()
        self.samples: Dict[str, List[Sample]] = {}
        self.latencies: Dict[str, LatencyRecorder] = {}  # of loads that tell
        self.problems: List[str] = []  # why a load ended early

    def start(
        self,
        tag: str,
        jobs: Mapping[str, Job],
        pools: Collection[str],
        seconds: float,
    ) -> None:
        """Start a worker for each job, and wait until all make load.

        ``seconds`` is how long what is beside it may take, without jobs.
        """
        self.samples = {name: [] for name in jobs}
        self._errors = {name: SettledErrors(self._control) for name in jobs}
        self.latencies = {
            name: LatencyRecorder(self._near)
            for name, job in jobs.items()
            if getattr(job, 'slices', False)
        }
        self.problems = []
        longest = max((j.deadline for j in jobs.values()), default=seconds)
        self._control.attach(self._kill)
        self._watch.load_started(
            tag, self._control.monotonic() + START_LIMIT + longest, pools
        )
        for name, job in jobs.items():
            worker = self._launcher.worker(f'{tag}-{name}')
            self._workers[name] = worker
            worker.start(job)
            self._lease.join(worker)
        self._lease.fresh()
        deadline = self._control.monotonic() + START_LIMIT
        while any(not self.samples[n] for n in self._workers):
            self.tick()
            self._control.wait(0.2)
            if self._control.monotonic() > deadline:
                silent = [n for n in self._workers if not self.samples[n]]
                raise WorkerFailed(
                    'died',
                    f'{", ".join(silent)}: no load within '
                    f'{START_LIMIT:.0f} s',
                )

    def begins(self, at: float) -> None:
        """Forget what was before a step that begins (Unix time)."""
        self._near.begin(at)
        for name, own in self.samples.items():
            self.samples[name] = since(own, at)
        for book in self.latencies.values():
            book.begin(at)

    def changes(self, at: float) -> None:
        """Keep what is near a change of the step (Unix time) in full."""
        self._near.add(at)

    def tick(self) -> None:
        """Take in what workers say; look at brakes and abort rules.

        Raises Stopped when one of them ends the test. A worker that ends
        early is a problem to report, not the end of the test.
        """
        for name in list(self._workers):
            self._listen(name, self._workers[name])
        self._lease.hold()
        self._vigil.look()
        self._lease.hold()  # the look may have taken its time

    def _listen(self, name: str, worker: Worker) -> None:
        for event in worker.poll():
            if isinstance(event, Ready):
                worker.go()
            elif isinstance(event, Live):
                self._note(name, event)
        if worker.ended:
            del self._workers[name]
            self._control.check()  # it may have been killed on request
            try:
                worker.outcome()
                why = 'it came to its end'
            except WorkerFailed as error:
                why = error.message
            finally:
                self._lease.leave(worker)
                worker.discard()
            log.warning('load %s ended: %s', name, why)
            self.problems.append(f'{name} load ended early: {why}')

    def _note(self, name: str, event: Live) -> None:
        book = self.latencies.get(name)
        if book is not None:
            for part in event.slices:
                book.add(part.begin, part.end, part.latencies)
        self._errors[name].add(event.errors)
        self._take(name, event, book is not None)
        self._watch.load_progress(
            sum(s[-1].ops for s in self.samples.values() if s),
            sum(e.settled() for e in self._errors.values()),
        )

    def _take(self, name: str, event: Live, telling: bool) -> None:
        """Keep what a load did since it said so last."""
        samples = self.samples[name]
        last = samples[-1] if samples else Sample(0.0, 0, 0.0, 0.0)
        self._heard[name] = self._control.monotonic()
        done = event.ops - last.ops
        if done < 0 or event.wall <= last.at or not event.clients:
            return  # nobody answered: the next one tells more
        waited = last.waited
        if event.latency is not None:
            waited += done * event.latency
        samples.append(
            Sample(
                event.wall,
                event.ops,
                waited,
                event.stalled,
                # rados bench tells of none: it ends
                event.errors if telling else None,
            )
        )
        if len(samples) > MOST:
            self.samples[name] = thinned(samples, self._near, MOST // 2)

    def uncounted(self) -> List[str]:
        """Say where percentiles lack operations: reports were lost."""
        found = []
        for name, book in self.latencies.items():
            samples = self.samples[name]
            # slices come after what they tell of
            until = samples[-1].at - SLICES_LATE if samples else 0.0
            done = max((s.ops for s in samples if s.at <= until), default=0)
            if book.counted < done:
                found.append(
                    f'{name}: latencies of {book.counted} of {done} '
                    'operations are known'
                )
        return found

    @property
    def live(self) -> float:
        """Return operations per second that are made now."""
        now, total = self._control.monotonic(), 0.0
        for name in self._workers:
            samples = self.samples[name]
            if len(samples) > 1 and now - self._heard[name] <= STALE:
                first, last = samples[-2], samples[-1]
                total += (last.ops - first.ops) / (last.at - first.at)
        return total

    def _kill(self) -> None:
        for worker in list(self._workers.values()):
            worker.kill()

    def stop(self) -> None:
        """End all load; safe to call twice."""
        self._watch.load_ended()
        self._control.detach()
        for worker in self._workers.values():
            self._lease.leave(worker)
            worker.kill()
            worker.discard()
        self._workers.clear()
