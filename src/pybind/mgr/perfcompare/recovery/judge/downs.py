"""Tell how the monitors found OSDs down: the cluster log says it.

ceph-mgr hands its modules each line of the cluster log as it comes; nothing
is asked of anybody, and few lines are kept.
"""

from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Pattern,
    Sequence,
    Tuple,
)

import collections
import re
import threading

from ...model.recovery import Cause, CauseKind, Detection, DownKind, Moment
from ...ports.recovery_reads import unix_time
from .records import MapEvent

MAX_LINES = 20  # of each OSD
MAX_DETECTIONS = 200
# seconds between a line and its epoch, which is committed some moments later
APART = 10.0

NUMBER = r'([\d.]+)'
LINES: Tuple[Tuple[Pattern[str], DownKind], ...] = tuple(
    (re.compile(text), kind)
    for text, kind in (
        (r'osd\.(\d+) marked itself down', DownKind.ITSELF),
        (
            r'osd\.(\d+) failed \(.*\) \(connection refused',
            DownKind.REFUSED,
        ),
        (
            r'osd\.(\d+) failed \(.*\) \((\d+) reporters from different '
            rf'\S+ after {NUMBER} >= grace {NUMBER}',
            DownKind.SILENT,
        ),
        (
            rf'osd\.(\d+) marked down after no beacon for {NUMBER} seconds',
            DownKind.NO_BEACON,
        ),
        (
            r'Monitor daemon marked osd\.(\d+) down, but it is still',
            DownKind.LIVING,
        ),
    )
)


class DownReport(NamedTuple):
    """Hold what one line of the cluster log says of one OSD."""

    at: float
    osd: int
    kind: DownKind
    silence: Optional[float] = None
    grace: Optional[float] = None
    reporters: Optional[int] = None


def read(at: float, message: str) -> Optional[DownReport]:
    """Return what a line says of an OSD's end; None for other lines."""
    if 'osd.' not in message:
        return None
    for pattern, kind in LINES:
        found = pattern.match(message)
        if found is None:
            continue
        osd = int(found.group(1))
        if kind is DownKind.SILENT:
            domains, silence, grace = found.groups()[1:]
            return DownReport(
                at, osd, kind, float(silence), float(grace), int(domains)
            )
        if kind is DownKind.NO_BEACON:
            return DownReport(at, osd, kind, float(found.group(2)))
        return DownReport(at, osd, kind)
    return None


class OsdDownLog:
    """Remember how OSDs went down; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: Dict[int, Deque[DownReport]] = {}

    def note(self, entry: Mapping[str, Any]) -> None:
        """Take a line of the cluster log as ceph-mgr hands it over."""
        told = read(
            unix_time(str(entry.get('stamp', ''))),
            str(entry.get('message', '')),
        )
        if told is not None:
            with self._lock:
                own = self._lines.setdefault(
                    told.osd, collections.deque(maxlen=MAX_LINES)
                )
                own.append(told)

    def of(self, osd: int, at: float) -> Optional[DownReport]:
        """Return what was told of an OSD that went down at a time."""
        with self._lock:
            near = [
                t for t in self._lines.get(osd, ()) if abs(t.at - at) <= APART
            ]
        # an OSD complains also where the monitors had said why
        return min(
            near,
            key=lambda t: (t.kind is DownKind.LIVING, abs(t.at - at)),
            default=None,
        )


def detections(
    events: Sequence[MapEvent],
    told: Callable[[int, float], Optional[DownReport]],
    osds: Optional[Iterable[int]] = None,
    ordered: Optional[Moment] = None,
    prior: Sequence[Detection] = (),
) -> Tuple[Detection, ...]:
    """Return how each OSD that went down was found to be; None is all.

    ``ordered`` is when we had them stopped; ``prior`` is what a former mgr
    knew.
    """
    wanted = None if osds is None else frozenset(osds)
    found: List[Detection] = list(prior)
    for event in events:
        for cause in event.causes:
            if cause.kind is CauseKind.OSD_DOWN:
                for osd in cause.osds:
                    if wanted is None or osd in wanted:
                        found.append(
                            _detection(
                                osd, cause, event, told(osd, cause.at),
                                ordered,
                            )
                        )  # fmt: skip
    return tuple(found[:MAX_DETECTIONS])


def _detection(
    osd: int,
    cause: Cause,
    event: MapEvent,
    told: Optional[DownReport],
    ordered: Optional[Moment],
) -> Detection:
    after: Optional[float] = None
    if ordered is not None and ordered.at is not None and ordered.reached:
        after = max(0.0, cause.at - ordered.at)
    plain = Detection(osd, cause.at, event.accuracy, after=after)
    if told is None:
        return plain
    return Detection(
        osd,
        cause.at,
        event.accuracy,
        told.kind,
        after,
        told.silence,
        told.grace,
        told.reporters,
    )
