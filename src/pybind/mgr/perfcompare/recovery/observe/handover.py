"""Keep the recovery under way in the mon store, for the next mgr.

SQLite lives in a pool that the very recovery may have stopped; the mon
store answers as long as there is a quorum. Entries stay under 4 KiB.
"""

from typing import (
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import dataclasses
import json
import logging

from ...common.codec import from_data, to_data
from ...model.recovery import (
    Cause,
    Detection,
    Episode,
    Fate,
    Moment,
    Size,
    State,
    Timeline,
)
from ...ports.keys import KeyValueStore
from .pgbook import Scope

log = logging.getLogger(__name__)

SEEN = 'recovery/seen'  # up to which epoch all is recorded, and when
OPEN = 'recovery/open'
STEP = 'recovery/step'  # of a test
LIMIT = 4000  # bytes
LONG_AGO = 1.0  # Unix time, where it is not known
MAX_CAUSES = 12
MAX_DOWNS = 12  # of each scope
FEW_DOWNS = 3
WAY = ('recovering', 'backfilling')  # how data came back


# the columns of a detection
_DOWN = ('osd', 'at', 'accuracy', 'kind', 'silence', 'grace', 'reporters')


class Left(NamedTuple):
    """Hold an episode that a former mgr left open."""

    episode: Episode
    epoch: int  # PGs mapped since then are part of it
    seen: int  # the last epoch that it looked at
    scope: Optional[Scope] = None  # of a test's step
    part: int = 0  # of its series: that of who left it

    @property
    def looked(self) -> float:
        """Return when it looked last, as far as that is kept."""
        episode = self.episode
        ends = [timeline.ended for timeline in episode.timelines]
        return max([episode.began, *episode.handovers, *ends])


class Handover:
    """Save, find and forget the recovery under way."""

    def __init__(self, cluster: KeyValueStore, key: str = OPEN) -> None:
        self._cluster = cluster
        self._key = key

    def seen(self) -> Optional[Tuple[int, float]]:
        """Return the epoch up to which all was recorded, and when it was."""
        words = (self._cluster.kv_get(SEEN) or '').split()
        try:
            if len(words) == 1:  # a former version of this module kept none
                return int(words[0]), LONG_AGO
            epoch, at = words
            return int(epoch), float(at)
        except ValueError:
            return None

    def close(self, epoch: int, at: float) -> None:
        """Say that all up to ``epoch`` is recorded, and nothing is open."""
        self._cluster.kv_set(SEEN, f'{epoch} {at:.3f}')
        self.forget()

    def forget(self) -> None:
        """Say that nothing is open any more."""
        self._cluster.kv_remove(self._key)

    def save(self, left: Left) -> None:
        """Keep an open episode: moments and sizes, not its series."""
        for timelines in _ever_less(left.episode.timelines):
            text = _text(left, timelines)
            if len(text.encode()) <= LIMIT:
                break
        self._cluster.kv_set(self._key, text)

    def load(self) -> Optional[Left]:
        """Return what a former mgr left; None without anything usable."""
        text = self._cluster.kv_get(self._key)
        if not text:
            return None
        try:
            return _left(json.loads(text))
        # whatever another version, or damage, makes of it
        except Exception as error:
            log.warning('the open recovery cannot be read: %s', error)
            return None


def _ever_less(
    timelines: Sequence[Timeline],
) -> Iterator[Sequence[Timeline]]:
    """Yield timelines with less and less: moments and sizes go last.

    Then the smallest groups do, before the whole cluster, which stands first.
    """
    found = list(timelines)
    for downs in (MAX_DOWNS, FEW_DOWNS, 0):
        found = [
            dataclasses.replace(t, detections=t.detections[:downs])
            for t in found
        ]
        yield found
    found = [
        dataclasses.replace(
            t, states={w: n for w, n in t.states.items() if w in WAY}
        )
        for t in found
    ]
    yield found
    while found:
        groups = range(len(found) - 1, 0, -1)
        smallest = min(groups, key=lambda i: found[i].size.pgs, default=0)
        del found[smallest]
        yield found


def _text(left: Left, timelines: Sequence[Timeline]) -> str:
    episode, scope = left.episode, left.scope
    causes = episode.causes
    if len(causes) > MAX_CAUSES:
        causes = causes[: MAX_CAUSES // 2] + causes[-MAX_CAUSES // 2 :]
    data = {
        'id': episode.id,
        'began': round(episode.began, 3),
        'epoch': left.epoch,
        'seen': left.seen,
        'handovers': [round(h, 1) for h in episode.handovers[-8:]],
        'part': left.part,
        'causes': [to_data(c) for c in causes],
        'timelines': [_packed(t) for t in timelines],
        'notes': list(episode.notes),
        'scope': None if scope is None else _packed_scope(scope),
    }
    return json.dumps(data, separators=(',', ':'))


def _packed_scope(scope: Scope) -> List[Any]:
    """Return a scope in little room: a bit for each OSD."""
    osds = None
    if scope.osds is not None:
        osds = format(sum(1 << osd for osd in scope.osds), 'x')
    pools = None if scope.pools is None else sorted(scope.pools)
    return [scope.name, osds, pools]


def _scope(
    name: str, osds: Optional[str], pools: Optional[List[int]]
) -> Scope:
    found = None
    if osds is not None:
        bits = int(osds, 16)
        found = frozenset(
            i for i in range(bits.bit_length()) if bits >> i & 1
        )
    return Scope(name, found, None if pools is None else frozenset(pools))


def _packed(timeline: Timeline) -> List[Any]:
    marks = {
        name: [round(m.at, 3), round(m.accuracy or 0.0, 2), m.source]
        for name, m in timeline.marks.items()
        if m.reached and m.at is not None
    }
    size = timeline.size
    return [
        timeline.scope,
        round(timeline.began, 3),
        round(timeline.ended, 3),
        marks,
        [
            size.pgs,
            size.copies,
            size.degraded,
            size.misplaced,
            size.unfound,
            size.bytes_recovered,
            size.objects_recovered,
        ],
        timeline.states,
        [
            [
                d.osd,
                round(d.at, 3),
                round(d.accuracy, 2),
                d.kind.value,
                d.silence,
                d.grace,
                d.reporters,
            ]
            for d in timeline.detections
        ],
    ]


def _size(values: Sequence[Any]) -> Size:
    names = [field.name for field in dataclasses.fields(Size)]
    return from_data(Size, dict(zip(names, values)), 'size')


def _detections(rows: Sequence[Any]) -> Tuple[Detection, ...]:
    return tuple(
        from_data(Detection, dict(zip(_DOWN, row)), 'detection')
        for row in rows
    )


def _left(data: Dict[str, Any]) -> Left:
    causes: Tuple[Cause, ...] = tuple(
        from_data(Cause, c, 'cause') for c in data['causes']
    )
    timelines = tuple(
        Timeline(
            scope=str(scope),
            began=float(began),
            ended=float(ended),
            marks={
                name: Moment(Fate.REACHED, float(at), float(acc), source)
                for name, (at, acc, source) in marks.items()
            },
            size=_size(size),
            states={str(k): int(v) for k, v in states.items()},
            # a former version of this module left none
            detections=_detections(downs[0] if downs else ()),
        )
        for scope, began, ended, marks, size, states, *downs in data[
            'timelines'
        ]
    )
    episode = Episode(
        id=str(data['id']),
        state=State.OPEN,
        began=float(data['began']),
        causes=causes,
        timelines=timelines,
        handovers=tuple(float(h) for h in data['handovers']),
        # a former version of this module left neither notes nor a scope
        notes=tuple(str(n) for n in data.get('notes', ())),
    )
    scope = data.get('scope')
    return Left(
        episode,
        int(data['epoch']),
        int(data['seen']),
        None if scope is None else _scope(*scope),
        int(data.get('part', len(episode.handovers))),
    )
