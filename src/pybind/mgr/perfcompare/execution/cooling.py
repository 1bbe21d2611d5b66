"""Wait for OSDs that still work on what trials and pools left them."""

from typing import Callable, Dict, List, Protocol, Sequence

import dataclasses

from ..common.errors import PerfcompareError
from ..guard.checks import capacity
from ..guard.layout import names
from ..metrics.osd_sample import DUMPED_OSDS, Samples, evenly
from ..metrics.settling import behind, removing, state_of, unsettled
from ..model.plan import GroupPlan, RunPlan
from ..planning.waiting import (
    COOLING,
    FREED,
    NOTICED,
    REMOVAL,
    REPORTED,
    SETTLING,
)
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.osds import OsdReads
from ..workers.control import Control

PERIOD = 2.0  # seconds between looks that may be needed for minutes
SOON = 0.5  # seconds between looks at OSD maps, which all have in a moment

Tell = Callable[[str], None]


class Needs(HealthReads, OsdMapReads, OsdReads, Protocol):
    """Name what is asked of a cluster here."""


class Cooling:
    """Let the groups of a run settle; remember those that did not."""

    def __init__(
        self,
        cluster: Needs,
        plan: RunPlan,
        control: Control,
        look: Callable[[], None],
    ) -> None:
        """``look`` looks at the brakes, and is called at each turn."""
        self._cluster = cluster
        self._plan = plan
        self._control = control
        self._look = look
        # how long was waited for groups that did not settle
        self._restless: Dict[str, float] = {}
        # before the pools of the last round went
        self._floor: Dict[str, Samples] = {}
        self.notice()  # the run before may have just ended

    def remove(self, remove: Callable[[], None]) -> None:
        """Remove pools, and note what OSDs did before."""
        self._floor = {g.name: self._state(g) for g in self._plan.groups}
        remove()
        self.notice()

    def notice(self) -> None:
        """Believe OSDs when they know what was removed just now."""
        self._epoch = self._cluster.osdmap_epoch()
        osds = (evenly(g.osds, DUMPED_OSDS) for g in self._plan.groups)
        # who may not know it yet, and why it seems so
        self._behind = {osd: '' for some in osds for osd in some}
        now = self._control.monotonic()
        self._noticed = now + NOTICED  # when they can be believed
        self._reported = now + REPORTED  # when what they say is free, too

    def make_room(self, tell: Tell, anew: bool = False) -> None:
        """Wait while what is removed takes the room of the next pools.

        These are those of a round, or of the run where it begins ``anew``:
        the preflight asks for their room. ``tell`` is told what is waited
        for. Raises PerfcompareError where a round would fill an OSD to
        nearfull, as when others wrote meanwhile.
        """
        room = self._room_of_run if anew else self._room_of_round
        self._wait(lambda: self._in_the_way(room), REMOVAL, tell)
        if not anew:
            self._wait(self._too_full, FREED, tell)
            found = self._too_full()
            if found:
                raise PerfcompareError(
                    f'no room for the next round: {found[0]}; free space, or '
                    'give a shorter --duration'
                )

    def settle(self, tell: Tell) -> None:
        """Wait until the OSDs have done with what was before."""
        found: Dict[str, List[str]] = {}

        def busy() -> List[str]:
            found.update({g.name: self._busy(g) for g in self._plan.groups})
            return [what for left in found.values() for what in left]

        until = self._control.monotonic() + SETTLING
        self._wait(self._unnoticed, SETTLING, tell, SOON)
        self._wait(busy, until - self._control.monotonic(), tell)
        self._restless = {n: SETTLING for n, left in found.items() if left}

    def cool(self, group: GroupPlan) -> None:
        """Wait until what a trial left on the group's OSDs is done."""

        def settled() -> bool:
            self._look()
            return not self._busy(group)

        if self._control.wait_until(settled, COOLING):
            self._restless.pop(group.name, None)
        else:
            self._restless[group.name] = COOLING

    def left(self, group: GroupPlan) -> List[str]:
        """Return what OSDs still do that did not settle; groups share some.

        Asked only where cooling met its limit.
        """
        return self._busy(group) if self._restless else []

    def note(self, group: GroupPlan, left: Sequence[str]) -> str:
        """Say of a trial what was ``left`` when it began."""
        waited = self._restless.get(
            group.name, max(self._restless.values(), default=0.0)
        )
        return (
            f'began after {waited:.0f} s of cooling on OSDs that had not '
            f'settled: {names(left)}'
        )

    # inside

    def _wait(
        self,
        busy: Callable[[], List[str]],
        limit: float,
        tell: Tell,
        period: float = PERIOD,
    ) -> None:
        told = ''

        def done() -> bool:
            nonlocal told
            self._look()
            found = busy()
            # groups may share OSDs
            text = f'waits for OSDs: {names(list(dict.fromkeys(found)))}'
            if found and text != told:
                told = text
                tell(text)
            return not found

        self._control.wait_until(done, limit, period)

    def _unnoticed(self) -> List[str]:
        """Say which OSDs may not know yet that pools are gone."""
        unknown = self._unknown()
        if unknown:
            return list(unknown.values())
        if self._control.monotonic() < self._noticed:
            return ['they may not have begun to remove PGs']
        return []

    def _unknown(self) -> Dict[int, str]:
        """Say of OSDs that do not know yet which pools are gone."""
        if self._behind:
            self._behind = behind(
                self._cluster, tuple(self._behind), self._epoch
            )
            self._noticed = self._control.monotonic() + NOTICED
        return {osd: f'osd.{osd} {why}' for osd, why in self._behind.items()}

    def _in_the_way(self, room: Callable[[], bool]) -> List[str]:
        """Return what is removed, where there is no room beside it."""
        if room():
            return []
        found = [
            what
            for group in self._plan.groups
            for what in removing(
                self._state(group), self._floor.get(group.name, {})
            )
        ]
        found = found or self._unnoticed()
        now = self._control.monotonic()
        if found:
            self._reported = now + REPORTED
        elif now < self._reported:
            return ['they may not have told yet how much is free']
        return found

    def _limit(self) -> float:
        nearfull = self._cluster.full_ratios()['nearfull']
        return nearfull - capacity.MARGIN

    def _fills_of_round(self) -> List[capacity.Fill]:
        """Return how full the pools of a round make OSDs, worst first.

        Those of the whole run are there.
        """
        groups = tuple(_of_round(group) for group in self._plan.groups)
        plan = dataclasses.replace(self._plan, groups=groups)
        return capacity.predicted(self._cluster.topology(), plan, None)

    def _room_of_round(self) -> bool:
        """Say whether the pools of a round fit beside what is there now."""
        return all(f.after <= self._limit() for f in self._fills_of_round())

    def _too_full(self) -> List[str]:
        """Say which OSD a round would fill to nearfull."""
        nearfull = self._cluster.full_ratios()['nearfull']
        return [
            f'osd.{fill.osd} is {fill.before:.1%} full, and would be '
            f'{fill.after:.1%}, with nearfull at {nearfull:.0%}'
            for fill in self._fills_of_round()[:1]
            if fill.after >= nearfull
        ]

    def _room_of_run(self) -> bool:
        """Say whether the preflight would find room."""
        topology = self._cluster.topology()
        return capacity.fits(topology, self._plan, None, self._limit())

    def _busy(self, group: GroupPlan) -> List[str]:
        unknown = self._unknown()
        found = [unknown[osd] for osd in group.osds if osd in unknown]
        return found + unsettled(self._state(group))

    def _state(self, group: GroupPlan) -> Samples:
        return state_of(self._cluster, group.osds, self._control.wall)


def _of_round(group: GroupPlan) -> GroupPlan:
    """Return a group with the pools that each round has anew."""
    pools = tuple(pool for pool in group.pools if pool.per_round)
    return dataclasses.replace(group, pools=pools)
