"""Follow to its end what a test had begun when a failover cut it.

Whoever takes over undoes what the test changed and makes the repetition
again. Meanwhile the recovery goes on, and how long data was at risk is worth
knowing: its observation is taken up where the former mgr left it, at once,
and stored as an episode that names its test.
"""

from typing import Callable, Dict, Optional, Protocol

import dataclasses
import logging
import threading

from ...common.version import VERSION
from ...model.recovery import Episode, Mark, State
from ...model.series import Table
from ...ports.config import ConfigReads
from ...ports.identity import Identity
from ...ports.keys import KeyValueStore
from ...ports.osd_map import OsdMapReads
from ...ports.recovery_reads import RecoveryReads
from .episodes import described, period
from .handover import STEP, Handover, Left
from .mapwatch import EpochClock, missed_since
from .watch import RecoveryWatch

log = logging.getLogger(__name__)

QUIET = 10.0  # seconds since the last change until its end is believed
SAVE = 30.0
OLD = 3600.0  # seconds after which nobody can tell any more how it went
UNSEEN = 'its end was not seen: the test went on, or its pool is gone'

Put = Callable[[Episode, Dict[str, Table]], None]


class Needs(
    ConfigReads, Identity, KeyValueStore, OsdMapReads, RecoveryReads, Protocol
):
    """Name what is asked of a cluster here."""


class InterruptedStep:
    """Take up the step that was cut; driven by the observer's thread."""

    def __init__(
        self,
        cluster: Needs,
        clock: EpochClock,
        now: Optional[Callable[[], float]] = None,
        monotonic: Optional[Callable[[], float]] = None,
    ) -> None:
        self._cluster = cluster
        self._clock = clock
        self._now = now or clock.wall
        self._monotonic = monotonic or clock.monotonic
        self._handover = Handover(cluster, STEP)
        self._looked = False
        self._left: Optional[Left] = None
        self._watch: Optional[RecoveryWatch] = None
        self._let_go = threading.Event()
        self._saved = 0.0  # monotonic
        self.recorded = ''  # the episode that was made of it

    # any thread

    @property
    def following(self) -> bool:
        """Say whether a step is followed, or may be one that was cut."""
        return not self._looked or self._watch is not None

    @property
    def episode(self) -> Optional[Episode]:
        """Return the episode under way, without what was seen lately."""
        left = self._left
        return left.episode if left is not None else None

    def current(self) -> Optional[Episode]:
        """Return the episode under way as far as it is known."""
        left, watch = self._left, self._watch
        if left is None or watch is None:
            return None
        return self._described(left, watch, State.OPEN)

    def let_go(self) -> None:
        """End it at the next turn: the test is made again."""
        self._let_go.set()

    # the observer's thread

    def turn(self, put: Put) -> Optional[int]:
        """Do what is due; at the end ``put`` it, and return its epoch."""
        if not self._looked:
            self._take_up()
            self._looked = True
        left, watch = self._left, self._watch
        if left is None or watch is None:
            return None
        watch.step()
        over = watch.settled and watch.quiet >= QUIET
        if self._let_go.is_set() or over:
            return self._close(left, watch, put)
        if self._monotonic() - self._saved >= SAVE:
            self.save()
        return None

    def due(self) -> Optional[float]:
        """Return the seconds until the next look; None without a step."""
        return self._watch.due() if self._watch is not None else None

    def save(self) -> None:
        """Keep what is known, for yet another mgr."""
        left, watch = self._left, self._watch
        if left is not None and watch is not None:
            self._saved = self._monotonic()
            found = self._described(left, watch, State.OPEN)
            found = dataclasses.replace(
                found, timelines=watch.lasting(found.timelines)
            )
            self._handover.save(
                left._replace(episode=found, seen=watch.osdmap.epoch)
            )

    def drop(self) -> None:
        """Give it up after a fault of ours."""
        self._looked = True
        self._left, self._watch = None, None

    def _take_up(self) -> None:
        left = self._handover.load()
        if left is None or left.scope is None:
            return
        now = self._now()
        ended = [t.ended for t in left.episode.timelines]
        if now - max(ended, default=left.episode.began) > OLD:
            log.warning('not followed, it is old: %s', left.episode.notes)
            self._handover.forget()
            return
        log.info('the step of a test is followed: %s', left.episode.notes)
        facts = self._cluster.map_facts()
        episode = dataclasses.replace(
            left.episode,
            handovers=left.episode.handovers + (now,),
            fsid=self._cluster.fsid(),
            ceph_version=self._cluster.ceph_version(),
            module_version=VERSION,
        )
        watch = RecoveryWatch(
            self._cluster,
            self._clock,
            [left.scope],
            period(self._cluster),
            facts,
            left.epoch,
            episode.began,
            prior=episode.timelines,
            now=self._now,
            before=episode.causes,
            monotonic=self._monotonic,
            resumed=True,
        )
        watch.add(missed_since(facts, left.seen, left.looked), facts)
        self._left = left._replace(episode=episode)
        self._watch = watch
        self._saved = self._monotonic()

    def _close(
        self, left: Left, watch: RecoveryWatch, put: Put
    ) -> Optional[int]:
        found = self._described(left, watch, State.CLEAN)
        if not all(t.mark(Mark.T5).reached for t in found.timelines):
            found = dataclasses.replace(
                found, state=State.STOPPED, notes=found.notes + (UNSEEN,)
            )
        if found.timelines:  # else it was cut before anything happened
            put(found, watch.tables())
            self.recorded = found.id
        self._handover.forget()
        # last: whoever waits for its end asks what was recorded
        self._left, self._watch = None, None
        return watch.osdmap.epoch

    def _described(
        self, left: Left, watch: RecoveryWatch, state: State
    ) -> Episode:
        return described(left.episode, watch, state, self._now())
