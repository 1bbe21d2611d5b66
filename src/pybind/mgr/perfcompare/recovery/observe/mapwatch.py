"""Tell what changes in the OSD map mean for PGs, and when they came."""

from typing import Any, Deque, Dict, List, Mapping, Optional, Sequence, Tuple

import collections
import re
import threading

from ...common.clock import SYSTEM
from ...model.recovery import Cause, CauseKind
from ...ports.clock import Clock
from ...ports.recovery_reads import MapFacts, OsdFacts
from ..judge.downs import OsdDownLog
from ..judge.records import MapEvent

NOTIFIED = 0.1  # seconds from the mon's commit to our notification
LATE = 30.0  # a notification that is later tells of another clock
MAX_TIMES = 500  # epochs; who looks does so within seconds
MOVED = re.compile(
    r'osd\.\d+ (\[.*\] boot|failed|marked)|.* marked osd\.\d+ '
)


class EpochClock:
    """Remember when each epoch was announced; safe for threads.

    ``note`` is called in the thread that also runs the module's commands:
    it does next to nothing. ``downs`` has what the cluster log told;
    ``wall`` and ``monotonic`` tell the time that all this is compared with.
    """

    def __init__(self, clock: Clock = SYSTEM) -> None:
        self.wall = clock.wall
        self.monotonic = clock.monotonic
        self.downs = OsdDownLog()
        self._cond = threading.Condition()
        self._times: Deque[Tuple[int, float]] = collections.deque(
            maxlen=MAX_TIMES
        )
        self._count = 0
        # monotonic, when the cluster log last told of an OSD
        self.told_at = float('-inf')

    def tell(self, entry: Mapping[str, Any]) -> None:
        """Take a line of the cluster log as ceph-mgr hands it over."""
        self.downs.note(entry)
        if MOVED.match(str(entry.get('message', ''))):
            self.told_at = self.monotonic()

    def note(self, epoch: Optional[int] = None) -> None:
        """Say that an epoch came, or (None) new statistics of PGs."""
        now = self.wall()
        with self._cond:
            if epoch is not None:
                last = self._times[-1][0] if self._times else 0
                if epoch > last:
                    self._times.append((epoch, now))
            self._count += 1
            self._cond.notify_all()

    @property
    def count(self) -> int:
        """Return how often something was noted."""
        return self._count

    def wait(self, count: int, timeout: float) -> int:
        """Wait until ``count`` changed, or ``timeout``; return it."""
        with self._cond:
            self._cond.wait_for(
                lambda: self._count != count, max(0.0, timeout)
            )
            return self._count

    def time_of(self, epoch: int, modified: float) -> Tuple[float, float]:
        """Return when an epoch came and how well that is known.

        ``modified`` is the time of the newest epoch by the mon's clock,
        for want of anything better.
        """
        with self._cond:
            before: Optional[Tuple[int, float]] = None
            for known in reversed(self._times):
                if known[0] < epoch:
                    break
                before = known
            else:
                known = (0, 0.0)
        if before is None:
            return modified, 2 * NOTIFIED
        if before[0] == epoch:
            return before[1], NOTIFIED
        # it came with later ones: not before the one that we know
        first = known[1] or before[1] - 1.0
        return before[1], max(NOTIFIED, min(before[1] - first, 5.0))


def diff(old: MapFacts, new: MapFacts, clock: EpochClock) -> List[MapEvent]:
    """Return what happened between two epochs, in order of time."""
    at, accuracy = clock.time_of(new.epoch, new.modified)
    if 0.0 < at - new.modified < LATE:  # the mon knows best
        late = at - new.modified
        if late > 0.5:  # the thread of notifications was busy
            at, accuracy = new.modified + NOTIFIED, 2 * NOTIFIED
    if new.epoch > old.epoch + 1:  # one of several that came meanwhile
        first, _ = clock.time_of(old.epoch + 1, new.modified)
        accuracy = max(accuracy, at - first)
    events: Dict[int, List[Cause]] = {}
    lived: Dict[int, int] = {}

    def add(epoch: int, kind: CauseKind, osd: int, text: str) -> None:
        when = at
        if epoch != new.epoch:
            when = min(at, clock.time_of(epoch, new.modified)[0])
        osds = (osd,) if osd >= 0 else ()
        events.setdefault(epoch, []).append(Cause(kind, when, osds, text))

    for ident, osd in new.osds.items():
        before = old.osds.get(ident)
        if before is None:
            continue  # made just now; it says something once it is up
        _osd_changes(ident, before, osd, new.epoch, add)
        if osd.up_thru > before.up_thru:
            lived[ident] = osd.up_thru
    if old.crush != new.crush:
        add(new.epoch, CauseKind.CRUSH, -1, 'CRUSH map changed')
    for pool, facts in new.pools.items():
        known = old.pools.get(pool)
        if known is not None and known != facts:
            text = f'pool {pool} changed its rule, size or PGs'
            add(new.epoch, CauseKind.POOL, -1, text)
    if old.upmaps != new.upmaps:
        add(new.epoch, CauseKind.UPMAP, -1, 'upmaps changed')
    moved = old.temporaries != new.temporaries
    if lived or moved or old.flags != new.flags:
        events.setdefault(new.epoch, [])
    found = []
    for epoch in sorted(events):
        newest = epoch == new.epoch
        when, known_to = (at, accuracy)
        if not newest:
            when, known_to = clock.time_of(epoch, new.modified)
            when = min(when, at)
        causes = tuple(events[epoch])
        found.append(
            MapEvent(
                at=when,
                accuracy=known_to,
                epoch=epoch,
                interval=bool(causes) or (newest and moved),
                up_thru=newest and bool(lived),
                through=max(lived.values(), default=0) if newest else 0,
                causes=causes,
                temporary=new.temporary,
                lived=lived if newest else {},
                flags=(
                    new.flags if newest and new.flags != old.flags else None
                ),
            )
        )
    return found


def _osd_changes(
    ident: int, old: OsdFacts, new: OsdFacts, epoch: int, add: 'object'
) -> None:
    assert callable(add)
    if old == new:
        return
    restarted = new.up_from > old.up_from
    if old.up and (not new.up or restarted):
        at = new.down_at if new.down_at > old.down_at else epoch
        add(min(at, epoch), CauseKind.OSD_DOWN, ident, f'osd.{ident} down')
    if new.up and restarted:
        add(
            min(new.up_from, epoch),
            CauseKind.OSD_UP,
            ident,
            f'osd.{ident} up',
        )
    if old.in_ and not new.in_:
        add(epoch, CauseKind.OSD_OUT, ident, f'osd.{ident} out')
    elif new.in_ and not old.in_:
        add(epoch, CauseKind.OSD_IN, ident, f'osd.{ident} in')
    elif new.in_ and new.weight != old.weight:
        text = f'osd.{ident} reweighted to {new.weight:g}'
        add(epoch, CauseKind.WEIGHT, ident, text)


def missed_since(
    facts: MapFacts, seen: int, looked: float = 0.0
) -> List[MapEvent]:
    """Return what happened since epoch ``seen``, when no mgr looked.

    The map keeps when each OSD last went down, but only in which epoch it
    came up: that was between what is known of other epochs. ``looked`` is
    when ``seen`` was the newest one, 0 where nobody knows.
    """
    causes: Dict[int, List[Tuple[CauseKind, int, str]]] = {}
    for ident, osd in sorted(facts.osds.items()):
        if osd.down_at > seen:
            causes.setdefault(osd.down_at, []).append(
                (CauseKind.OSD_DOWN, ident, f'osd.{ident} down')
            )
        if osd.up and osd.up_from > seen:
            causes.setdefault(osd.up_from, []).append(
                (CauseKind.OSD_UP, ident, f'osd.{ident} up')
            )
    found = []
    for epoch in sorted(causes):
        at, accuracy = _between(facts, epoch, looked)
        found.append(
            MapEvent(
                at=at,
                accuracy=accuracy,
                epoch=epoch,
                interval=True,
                up_thru=False,
                causes=tuple(
                    Cause(kind, at, (ident,), text)
                    for kind, ident, text in causes[epoch]
                ),
                temporary=facts.temporary,
            )
        )
    return found


def recent(events: Sequence[MapEvent], since: float) -> List[MapEvent]:
    """Return events from the first one on that is surely not older."""
    for i, event in enumerate(events):
        if event.at - event.accuracy >= since:
            return list(events[i:])
    return []


def _between(
    facts: MapFacts, epoch: int, looked: float
) -> Tuple[float, float]:
    """Return when an epoch came, and how well that is known."""
    last = facts.modified
    first = min(looked, last)
    for osd in facts.osds.values():
        if osd.down_stamp and osd.down_at <= epoch:
            first = max(first, min(osd.down_stamp, last))
        if osd.down_stamp and osd.down_at >= epoch:
            last = max(first, min(osd.down_stamp, last))
    if not first:  # nothing was known before
        first = last
    return (first + last) / 2, max(NOTIFIED + 1.0, (last - first) / 2)
