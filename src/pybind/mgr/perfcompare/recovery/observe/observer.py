"""Record every recovery that the cluster goes through by itself.

Nothing is changed and nobody is asked: the OSD map comes by notification,
and as long as nothing happens one epoch costs one look at it, or in a large
cluster one of many does (budget.py). A change that may make data move opens an
episode; one in which no PG had a part is dropped again. Recoveries of runs and
tests are theirs, not episodes, but for those that a failover cut: what a test
began is followed to its end here.
"""

from typing import Callable, List, Optional, Protocol, Sequence

import logging
import threading
import time

from ...common.errors import PerfcompareError
from ...model.recovery import Episode, State
from ...ports.config import ConfigReads
from ...ports.identity import Identity
from ...ports.keys import KeyValueStore
from ...ports.osd_map import OsdMapReads
from ...ports.recovery_reads import MapFacts, RecoveryReads, Signs
from ..judge.records import MapEvent
from .budget import BURST, Budget
from .episodes import ObserverStatus, moves
from .handover import Handover, Left
from .interrupted_step import OLD, InterruptedStep
from .mapwatch import EpochClock, diff, missed_since, recent
from .open_episode import EpisodeParts, OpenEpisode, Put
from .pgbook import Scope

log = logging.getLogger(__name__)

IDLE_GAP = 1.0  # seconds between two looks at the map while all is well
IDLE_WAIT = 30.0
RESERVE = BURST / 2  # for what something hints at
SIGNS = 5.0  # seconds between looks at hints while maps must wait
PAUSED_WAIT = 2.0  # seconds between looks whether a run has ended
CHECK = 60.0  # seconds between looks for trouble that no map tells of
AFTER_ERROR = 3.0


class Needs(
    ConfigReads, Identity, KeyValueStore, OsdMapReads, RecoveryReads, Protocol
):
    """Name what is asked of a cluster here."""


class Observer:
    """Follow the cluster in a thread of its own."""

    def __init__(
        self,
        cluster: Needs,
        clock: EpochClock,
        scopes: Callable[[], Sequence[Scope]],
        put: Put,
        busy: Callable[[], bool],
        enabled: Callable[[], bool],
        ready: Callable[[], bool] = lambda: True,
        now: Optional[Callable[[], float]] = None,
        cut: Optional[InterruptedStep] = None,
        cpu: Callable[[], float] = time.thread_time,
        monotonic: Optional[Callable[[], float]] = None,
    ) -> None:
        """Call ``put`` with each episode; pause while ``busy``.

        Nothing is judged before it is known whether a former mgr left a
        run, that is until ``ready``; but the step of a test that was ``cut``
        is followed at once. What is due is told by ``monotonic``: the clock
        may be set back.
        """
        self._cluster = cluster
        self._clock = clock
        self._put = put
        self._busy = busy
        self._enabled = enabled
        self._ready = ready
        self._now = now or clock.wall
        self._monotonic = monotonic or clock.monotonic
        self._budget = Budget(self._monotonic, cpu)
        self._idle_wait = IDLE_WAIT
        self._unclean = 0
        self._handover = Handover(cluster)
        self._parts = EpisodeParts(
            cluster,
            clock,
            scopes,
            put,
            self._now,
            self._monotonic,
            self._budget,
            self._handover,
        )
        self._cut = cut or InterruptedStep(
            cluster, clock, self._now, self._monotonic
        )
        self._facts: Optional[MapFacts] = None
        self._open: Optional[OpenEpisode] = None
        self._last_map = float('-inf')  # monotonic
        self._next_check = float('-inf')
        self._troubled = 0
        self._count = 0
        self._paused = False
        self._began = clock.monotonic()
        self._thread: Optional[threading.Thread] = None

    # any thread

    def start(self, stopping: threading.Event) -> None:
        """Start to observe until ``stopping`` is set."""
        self._thread = threading.Thread(
            target=self._main,
            args=(stopping,),
            name='perfcompare-recovery',
            daemon=True,
        )
        self._thread.start()

    def join(self, timeout: float) -> None:
        """Wait for the end of the thread, once ``stopping`` is set."""
        self._clock.note()
        if self._thread is not None:
            self._thread.join(timeout)

    def status(self) -> ObserverStatus:
        """Return what the observer does now; never waits."""
        enabled = self._enabled()
        found = self._open  # the thread beside may close it
        episode = found.episode if found is not None else None
        state = 'watching' if enabled else 'off'
        if self._cut.episode is not None:
            episode, state = self._cut.episode, 'recording'
        elif enabled and self._paused:
            state = 'paused'
        elif episode is not None:
            state = 'recording'
        return ObserverStatus(
            enabled=enabled,
            state=state,
            episode=episode.id if episode is not None else '',
            episodes=self._count,
            cpu_seconds=self._budget.spent,
            running_seconds=self._clock.monotonic() - self._began,
        )

    def current(self) -> Optional[Episode]:
        """Return the open episode as far as it is known."""
        cut = self._cut.current()
        if cut is not None:
            return cut
        found = self._open
        if found is None or not found.watch.affected:
            return None
        return found.described(State.OPEN)

    # the observer's thread

    def _main(self, stopping: threading.Event) -> None:
        count = -1
        while not stopping.is_set():
            wait = IDLE_WAIT
            try:
                self.turn()
                wait = self._patience() if self._ready() else 1.0
            except PerfcompareError as error:
                # also in the first seconds, when librados is not ready
                log.info('recoveries: %s', error.message)
                wait = AFTER_ERROR
            except Exception:
                log.exception('the observer of recoveries')
                self._open, self._facts = None, None
                self._cut.drop()
                stopping.wait(AFTER_ERROR)
            count = self._clock.wait(count, wait)
        self._leave()

    def _patience(self) -> float:
        due = self._cut.due()
        if due is not None:
            return max(0.05, due)
        if self._open is not None:
            return max(0.05, self._open.watch.due())
        if self._paused:
            return PAUSED_WAIT
        return self._idle_wait

    def turn(self) -> None:
        """Do what is due now, at the expense of the budget."""
        with self._budget.spending():
            self._turn()

    def _turn(self) -> None:
        ended = self._cut.turn(self._put)
        if ended is not None:
            self._count += 1
            self._handover.close(ended, self._now())
        if self._cut.following:
            return
        if self._facts is None and not self._ready():
            return
        if not self._enabled() or self._busy():
            self._pause()
            return
        if self._facts is None:
            self._begin()
        self._paused = False
        if self._open is None:
            self._idle()
        else:
            self._follow(self._open)

    def _pause(self) -> None:
        if self._open is not None:
            self._close(
                self._open,
                State.STOPPED,
                'a run or test began, or the option',
            )
        elif self._facts is not None and not self._paused:
            self._handover.close(self._facts.epoch, self._now())
        self._paused = True
        self._facts = None

    def _begin(self) -> None:
        """Take up what a former mgr left, or find what nobody saw."""
        facts = self._cluster.map_facts()
        left = self._handover.load()
        missed: List[MapEvent] = []
        if self._paused:  # changes during a run are the run's
            if left is None:
                self._handover.close(facts.epoch, self._now())
        elif left is not None:
            missed = missed_since(facts, left.seen, left.looked)
        else:
            missed = self._unseen(facts)
        self._facts = facts
        self._last_map = self._monotonic()
        self._next_check = self._last_map + CHECK / 3
        if left is not None:
            self._resume(left, facts, missed)
        elif missed:
            self._begin_episode(missed, facts, facts)

    def _unseen(self, facts: MapFacts) -> List[MapEvent]:
        """Return what happened lately while no mgr looked."""
        seen = self._handover.seen()
        if seen is None:
            return []
        return recent(missed_since(facts, *seen), self._now() - OLD)

    def _idle(self) -> None:
        now = self._monotonic()
        self._idle_wait = IDLE_WAIT
        assert self._facts is not None
        if now >= self._next_check:
            self._next_check = now + CHECK
            self._look_for_trouble()
        soon = self._last_map + IDLE_GAP - now
        if soon > 0:
            self._idle_wait = max(0.05, soon)
            return
        signs = self._cluster.signs()
        if signs.epoch == self._facts.epoch:
            self._unclean = signs.unclean
            return
        wait = self._budget.wait(0.0 if self._hinted(signs) else RESERVE)
        if wait > 0:
            self._idle_wait = max(0.05, min(wait, SIGNS))
            return
        self._unclean = signs.unclean
        self._last_map = now
        before, facts = self._facts, self._cluster.map_facts()
        events = diff(before, facts, self._clock)
        self._facts = facts
        if any(moves(c) for e in events for c in e.causes):
            self._begin_episode(events, before, facts)

    def _hinted(self, signs: Signs) -> bool:
        """Say whether something moved, by what does not need the map."""
        assert self._facts is not None
        return (
            signs.crush != self._facts.crush
            or signs.unclean > self._unclean
            or self._clock.told_at > self._last_map
        )

    def _look_for_trouble(self) -> None:
        """Open an episode for what no change of the map explains."""
        sums = self._cluster.pg_sums()
        if not (sums.degraded or sums.unfound):
            self._troubled = 0
            return
        self._troubled += 1
        if self._troubled >= 2:
            self._troubled = 0
            assert self._facts is not None
            self._begin_episode([], self._facts, self._facts)

    def _begin_episode(
        self,
        events: Sequence[MapEvent],
        before: MapFacts,
        facts: MapFacts,
    ) -> None:
        first = next((e for e in events if e.interval), None)
        self._open = OpenEpisode.begun(
            self._parts,
            before,
            first.epoch if first is not None else facts.epoch + 1,
            first.at if first is not None else self._now(),
        )
        self._open.watch.add(events, facts)
        self._open.watch.step()

    def _resume(
        self, left: Left, facts: MapFacts, missed: List[MapEvent]
    ) -> None:
        log.info('recovery %s is taken up again', left.episode.id)
        self._open = OpenEpisode.resumed(self._parts, left, facts)
        self._open.watch.add(missed, facts)
        self._open.watch.step()

    def _follow(self, found: OpenEpisode) -> None:
        found.watch.step()
        self._facts = found.watch.osdmap
        if found.over():
            self._close(found, State.CLEAN, '')
        else:
            found.checkpoint()

    def _close(self, found: OpenEpisode, state: State, why: str) -> None:
        self._open = None
        self._facts = found.watch.osdmap
        self._last_map = self._monotonic()
        self._next_check = self._last_map + CHECK
        if found.close(state, why):
            self._count += 1
        self._handover.close(found.watch.osdmap.epoch, self._now())

    def _leave(self) -> None:
        """Save what is open: the mgr stops the module."""
        try:
            if self._cut.following:
                self._cut.save()
            elif self._open is not None and self._open.watch.affected:
                self._open.save()
                self._open.store(State.OPEN)
            elif self._paused and not self._busy():
                self._handover.close(
                    self._cluster.osdmap_epoch(), self._now()
                )
            elif self._open is None and self._facts is not None:
                self._handover.close(self._facts.epoch, self._now())
        except PerfcompareError as error:
            log.warning('the open recovery: %s', error.message)
