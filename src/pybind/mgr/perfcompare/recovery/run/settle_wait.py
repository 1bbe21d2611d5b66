"""Wait before a repetition: until OSDs are clean, and may be marked down."""

from typing import Callable, Optional, Protocol, Sequence, Tuple

from ...common.errors import TryAgain
from ...guard.checks.cluster_state import moving
from ...model.recovery_plan import PlannedStep
from ...model.run import RunState
from ...ports.config import ConfigReads
from ...ports.keys import KeyValueStore
from ...ports.osd_map import OsdMapReads
from ...ports.pgs import PgReads
from ...workers.control import Control
from ..observe.interrupted_step import InterruptedStep
from .markdowns import MarkDowns

CLEAN_LIMIT = 600.0  # seconds for OSDs to become clean that no step watches
STAYING = 'active+clean+remapped'
LET_GO = 10.0  # seconds for what was seen of a cut step to be stored
DOWN = 60.0  # seconds for OSDs to come up after a cut
STAYS = 60.0  # seconds in that state, after which it is not passing

Tell = Callable[[RunState, str], None]


class Needs(ConfigReads, KeyValueStore, OsdMapReads, PgReads, Protocol):
    """Name what is asked of a cluster here."""


class SettleWait:
    """SettleWait as long as need be; used by one thread."""

    def __init__(
        self,
        cluster: Needs,
        control: Control,
        vigil: Callable[[], None],
        osds: Sequence[int],
        tell: Tell,
        cut: InterruptedStep,
    ) -> None:
        """Look at the groups' OSDs; ``vigil`` looks at the abort rules."""
        self._cluster = cluster
        self._control = control
        self._vigil = vigil
        self._osds = osds
        self._tell = tell
        self._cut = cut
        self._recorded = ''  # the episode of the step that was cut
        self._downs = MarkDowns(cluster, control)
        self._staying: Optional[float] = None
        self._down_since: Optional[float] = None

    def _until(self, done: Callable[[], bool], seconds: float) -> bool:
        def looked() -> bool:
            self._vigil()
            return done()

        return self._control.wait_until(looked, seconds, 2.0)

    def _clean(self) -> bool:
        return not moving(self._cluster.pg_counts().osds(self._osds))

    def _settled(self) -> bool:
        """Say whether PGs are clean; TryAgain when they never will be.

        Ceph leaves PGs where they are for which a rule finds too few OSDs,
        and calls them clean and remapped.
        """
        states = self._cluster.pg_counts().osds(self._osds)
        waiting = {s: n for s, n in states.items() if moving({s: n})}
        if not waiting:
            return True
        now = self._control.monotonic()
        if set(waiting) != {STAYING}:
            self._staying = None
        elif self._staying is None:
            self._staying = now
        elif now - self._staying >= STAYS:
            raise TryAgain(
                f'{sum(waiting.values())} PGs on the OSDs of the groups are '
                f'remapped, and nothing moves them for {STAYS:.0f} s: their '
                'rule finds too few OSDs; see whether hosts of the groups '
                'were moved: ceph osd tree'
            )
        return False

    def _known(self) -> bool:
        osds = self._cluster.topology().osds
        return all(o in osds and osds[o].size_bytes for o in self._osds)

    def _stay_down(self) -> bool:
        """Say whether OSDs of the groups have been down for a while."""
        osds = self._cluster.topology().osds
        now = self._control.monotonic()
        if all(o in osds and osds[o].up for o in self._osds):
            self._down_since = None
        elif self._down_since is None:
            self._down_since = now
        since = self._down_since
        return since is not None and now - since >= DOWN

    def after_cut(self) -> str:
        """Wait until OSDs that a cut test brought back are clean.

        How large they are is known from their next report on, and the
        preflight that follows asks for it. That one says what is wrong, too,
        where an OSD stays down: nothing becomes clean then. Return the
        episode that was recorded of the step that was cut, empty without one.
        """
        self._tell(RunState.QUEUED, 'waiting for recovery of the cut test')

        def over() -> bool:
            if self._cut.following:
                return False
            return self._known() and self._clean() or self._stay_down()

        self._until(over, CLEAN_LIMIT)
        self._cut.let_go()
        # the observer's thread stores it at its next turn
        self._control.wait_until(lambda: not self._cut.following, LET_GO, 0.2)
        self._recorded = self._cut.recorded
        return self._recorded

    def again(self) -> Tuple[str, ...]:
        """Return what is to be said, once, of a repetition made again."""
        recorded, self._recorded = self._recorded, ''
        if not recorded:
            return ()
        return (
            'made again: a failover cut it; what was seen then is recovery '
            + recorded,
        )

    def before(self, steps: Sequence[PlannedStep]) -> None:
        """Wait until a repetition may begin; TryAgain where it may not.

        A host that was stopped may have OSDs of the other group.
        """
        if not self._clean():
            self._tell(RunState.COOLING, 'waiting for recovery to end')
            if not self._until(self._settled, CLEAN_LIMIT):
                raise TryAgain(
                    'PGs on the OSDs of the groups still recover after '
                    f'{CLEAN_LIMIT:.0f} s'
                )
        seconds = self._downs.wait(steps)
        if seconds:
            self._tell(
                RunState.COOLING,
                f'{seconds:.0f} s of rest: an OSD that is marked down too '
                'often shuts itself down',
            )
            self._until(lambda: not self._downs.wait(steps), seconds + 30.0)

    def note(self, step: PlannedStep) -> None:
        """Say that a step is about to be made."""
        self._downs.note(step)
