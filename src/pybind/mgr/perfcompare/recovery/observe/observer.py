"""Record every recovery that the cluster goes through by itself.

Nothing is changed and nobody is asked: the OSD map comes by notification,
and as long as nothing happens one epoch costs one look at it, or in a large
cluster one of many does (budget.py). A change that may make data move opens an
episode; one in which no PG had a part is dropped again. Recoveries of runs and
tests are theirs, not episodes, but for those that a failover cut: what a test
began is followed to its end here.
"""

from typing import Callable, Dict, List, Optional, Sequence

import dataclasses
import logging
import secrets
import threading
import time

from ...common.errors import PerfcompareError
from ...common.version import VERSION
from ...model.recovery import Cause, Episode, State, Timeline
from ...model.series import Table
from ...ports.cluster import Cluster
from ...ports.recovery_reads import MapFacts, Signs
from ..judge.records import MapEvent
from .budget import BURST, Budget
from .cutstep import CutStep
from .episodes import ObserverStatus, described, moves, period
from .handover import Handover, Left
from .mapwatch import EpochClock, diff, missed_since
from .pgbook import Scope
from .watch import RecoveryWatch

log = logging.getLogger(__name__)

WHOLE = '(cluster)'
IDLE_GAP = 1.0  # seconds between two looks at the map while all is well
IDLE_WAIT = 30.0
RESERVE = BURST / 2  # for what something hints at
SIGNS = 5.0  # seconds between looks at hints while maps must wait
PAUSED_WAIT = 2.0  # seconds between looks whether a run has ended
CHECK = 60.0  # seconds between looks for trouble that no map tells of
QUIET = 10.0  # an episode closes only so long after the last change
CHECKPOINT = 60.0
SAVE = 600.0  # seconds between writes of an open episode's series
AFTER_ERROR = 3.0

Put = Callable[[Episode, Dict[str, Table]], None]


class Observer:
    """Follow the cluster in a thread of its own."""

    def __init__(
        self,
        cluster: Cluster,
        clock: EpochClock,
        scopes: Callable[[], Sequence[Scope]],
        put: Put,
        busy: Callable[[], bool],
        enabled: Callable[[], bool],
        ready: Callable[[], bool] = lambda: True,
        now: Callable[[], float] = time.time,
        cut: Optional[CutStep] = None,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        """Call ``put`` with each episode; pause while ``busy``.

        Nothing is judged before it is known whether a former mgr left a
        run, that is until ``ready``; but the step of a test that was ``cut``
        is followed at once.
        """
        self._cluster = cluster
        self._clock = clock
        self._scopes = scopes
        self._put = put
        self._busy = busy
        self._enabled = enabled
        self._ready = ready
        self._now = now
        self._budget = Budget(now, cpu)
        self._idle_wait = IDLE_WAIT
        self._unclean = 0
        self._handover = Handover(cluster)
        self._cut = cut or CutStep(cluster, clock, now)
        self._facts: Optional[MapFacts] = None
        self._watch: Optional[RecoveryWatch] = None
        self._episode: Optional[Episode] = None
        self._epoch = 0  # the first one of the episode
        self._known = False  # the mon store knows of the episode
        self._part = 0
        self._last_map = 0.0
        self._next_check = 0.0
        self._troubled = 0
        self._saved = 0.0
        self._stored = 0.0
        self._count = 0
        self._paused = False
        self._began = time.monotonic()
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
        episode = self._episode
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
            running_seconds=time.monotonic() - self._began,
        )

    def current(self) -> Optional[Episode]:
        """Return the open episode as far as it is known."""
        cut = self._cut.current()
        if cut is not None:
            return cut
        episode, watch = self._episode, self._watch
        if episode is None or watch is None or not watch.affected:
            return None
        return self._described(episode, watch, State.OPEN)

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
                self._watch, self._episode, self._facts = None, None, None
                self._cut.drop()
                stopping.wait(AFTER_ERROR)
            count = self._clock.wait(count, wait)
        self._leave()

    def _patience(self) -> float:
        due = self._cut.due()
        if due is not None:
            return max(0.05, due)
        if self._watch is not None:
            return max(0.05, self._watch.due())
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
            self._handover.close(ended)
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
        if self._watch is None:
            self._idle()
        else:
            self._follow(self._watch)

    def _pause(self) -> None:
        if self._watch is not None:
            self._close(State.STOPPED, 'a run or test began, or the option')
        elif self._facts is not None and not self._paused:
            self._handover.close(self._facts.epoch)
        self._paused = True
        self._facts = None

    def _begin(self) -> None:
        """Take up what a former mgr left, or find what nobody saw."""
        facts = self._cluster.map_facts()
        left = self._handover.load()
        seen = left.seen if left is not None else self._handover.seen()
        if self._paused:  # changes during a run are the run's
            seen = None
            if left is None:
                self._handover.close(facts.epoch)
        self._facts = facts
        self._last_map = self._now()
        self._next_check = self._now() + CHECK / 3
        missed = missed_since(facts, seen) if seen else []
        if left is not None:
            self._resume(left, facts, missed)
        elif missed:
            self._open(missed, facts, facts)

    def _idle(self) -> None:
        now = self._now()
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
            self._open(events, before, facts)

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
            self._open([], self._facts, self._facts)

    def _open(
        self,
        events: Sequence[MapEvent],
        before: MapFacts,
        facts: MapFacts,
    ) -> None:
        now = self._now()
        first = next((e for e in events if e.interval), None)
        began = first.at if first is not None else now
        self._epoch = first.epoch if first is not None else facts.epoch + 1
        self._episode = Episode(
            id=secrets.token_hex(4),
            state=State.OPEN,
            began=began,
            fsid=self._cluster.fsid(),
            ceph_version=self._cluster.ceph_version(),
            module_version=VERSION,
        )
        self._watch_from(before, began)
        assert self._watch is not None
        self._watch.add(events, facts)
        self._watch.step()

    def _watch_from(
        self,
        baseline: MapFacts,
        began: float,
        prior: Sequence[Timeline] = (),
        before: Sequence[Cause] = (),
    ) -> None:
        self._watch = RecoveryWatch(
            self._cluster,
            self._clock,
            [Scope(WHOLE)] + list(self._scopes()),
            period(self._cluster),
            baseline,
            self._epoch,
            began,
            prior=prior,
            now=self._now,
            before=before,
            budget=self._budget,
        )
        self._known = bool(prior)
        self._saved = self._stored = self._now()

    def _resume(
        self, left: Left, facts: MapFacts, missed: List[MapEvent]
    ) -> None:
        now = self._now()
        log.info('recovery %s is taken up again', left.episode.id)
        self._epoch = left.epoch
        self._episode = dataclasses.replace(
            left.episode,
            handovers=left.episode.handovers + (now,),
            fsid=self._cluster.fsid(),
            ceph_version=self._cluster.ceph_version(),
            module_version=VERSION,
        )
        self._part = len(self._episode.handovers)
        self._watch_from(
            facts,
            left.episode.began,
            left.episode.timelines,
            left.episode.causes,
        )
        assert self._watch is not None
        self._known = True
        self._watch.add(missed, facts)
        self._watch.step()

    def _follow(self, watch: RecoveryWatch) -> None:
        watch.step()
        self._facts = watch.osdmap
        now = self._now()
        last = max((e.at for e in watch.events if e.interval), default=0.0)
        if watch.settled and now - last >= QUIET:
            self._close(State.CLEAN, '')
        elif watch.affected and (
            not self._known or now - self._saved >= CHECKPOINT
        ):
            self._save(watch)
            if now - self._stored >= SAVE:
                self._stored = now
                self._store(watch, State.OPEN)

    def _save(self, watch: RecoveryWatch) -> None:
        """Let the next mgr know, should this one go."""
        assert self._episode is not None
        self._saved = self._now()
        found = self._described(self._episode, watch, State.OPEN)
        found = dataclasses.replace(
            found, timelines=watch.lasting(found.timelines)
        )
        self._handover.save(Left(found, self._epoch, watch.osdmap.epoch))
        self._known = True

    def _close(self, state: State, why: str) -> None:
        watch, episode = self._watch, self._episode
        assert watch is not None and episode is not None
        self._watch, self._episode = None, None
        self._facts = watch.osdmap
        self._last_map = self._now()
        self._next_check = self._now() + CHECK
        if watch.affected or episode.handovers:
            self._count += 1
            whole = self._described(episode, watch, state)
            if why:
                notes = whole.notes + (f'the end was not seen: {why}',)
                whole = dataclasses.replace(whole, notes=notes)
            self._put(whole, self._tables(watch))
        self._part = 0
        self._handover.close(watch.osdmap.epoch)

    def _store(self, watch: RecoveryWatch, state: State) -> None:
        assert self._episode is not None
        found = self._described(self._episode, watch, state)
        self._put(found, self._tables(watch))

    def _leave(self) -> None:
        """Save what is open: the mgr stops the module."""
        try:
            if self._cut.following:
                self._cut.save()
            elif self._watch is not None and self._watch.affected:
                self._save(self._watch)
                self._store(self._watch, State.OPEN)
            elif self._paused and not self._busy():
                self._handover.close(self._cluster.osdmap_epoch())
        except PerfcompareError as error:
            log.warning('the open recovery: %s', error.message)

    def _tables(self, watch: RecoveryWatch) -> Dict[str, Table]:
        # each mgr has its own part of the series of one episode
        suffix = f'#{self._part}' if self._part else ''
        return {n + suffix: t for n, t in watch.tables().items()}

    def _described(
        self, episode: Episode, watch: RecoveryWatch, state: State
    ) -> Episode:
        return described(episode, watch, state, self._now())
