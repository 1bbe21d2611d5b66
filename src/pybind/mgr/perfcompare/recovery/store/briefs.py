"""What a list shows of a stored recovery, without its body."""

from typing import List, Optional, Tuple, Union

import dataclasses
import json
import math
import sqlite3

from ...common.codec import from_data, to_data
from ...model.group import emulated_label
from ...model.recovery import (
    Episode,
    Mark,
    RecoveryTest,
    Scenario,
    Span,
    State,
    Timeline,
)
from ...model.recovery_plan import SETTLING
from ...store.damaged import ReadableParts

Item = Union[Episode, RecoveryTest]

EPISODE = 'episode'
TEST = 'test'
STOPS = (Scenario.OSD_STOP.value, Scenario.HOST_STOP.value)


@dataclasses.dataclass(frozen=True)
class GroupBrief:
    """Hold what a list shows of one group's part."""

    group: str
    detection: Optional[Span] = None  # Span or None: t0 to t1
    peered: Optional[Span] = None  # t1 to t2
    whole: Optional[Span] = None  # t1 to t4: nothing degraded any more
    clean: Optional[Span] = None  # t1 to t5
    pgs: int = 0
    bytes_recovered: Optional[float] = None
    way: str = ''
    emulated: bool = False  # as notes of the recovery say

    @property
    def unended(self) -> bool:
        """Say whether it was not clean when it was no longer watched."""
        return self.clean is not None and self.clean.censored


@dataclasses.dataclass(frozen=True)
class RecoveryInfo:
    """Hold what a list shows of a recovery."""

    id: str
    kind: str  # 'episode' or 'test'
    state: str
    ended: bool
    began: float
    title: str
    groups: Tuple[GroupBrief, ...] = ()
    bytes: int = 0
    origin: str = ''


@dataclasses.dataclass(frozen=True)
class RecoveryPage:
    """Hold one page of recoveries, the newest first."""

    items: Tuple[RecoveryInfo, ...]
    total: int
    offset: int


def kind_of(item: Item) -> str:
    """Return 'episode' or 'test'."""
    return EPISODE if isinstance(item, Episode) else TEST


def is_ended(item: Item) -> bool:
    """Say whether it can change no more."""
    if isinstance(item, Episode):
        return item.state is not State.OPEN
    return item.state.ended


def began_of(item: Item) -> float:
    """Return when it began (Unix time)."""
    return item.began if isinstance(item, Episode) else item.created


def brief(item: Item) -> RecoveryInfo:
    """Return what a list shows of a recovery."""
    groups: List[GroupBrief] = []
    if isinstance(item, Episode):
        title = cause_text(item)
        groups = [_group_brief(t.scope, t) for t in item.timelines]
    else:
        title = item.scenario.value
        groups = [_test_brief(g, item) for g in item.groups]
    groups = [
        dataclasses.replace(g, emulated=emulated_label(g.group) in item.notes)
        for g in groups
    ]
    return RecoveryInfo(
        id=item.id,
        kind=kind_of(item),
        state=item.state.value,
        ended=is_ended(item),
        began=began_of(item),
        title=title,
        groups=tuple(groups),
        origin=item.origin,
    )


def stored_brief(item: Item) -> str:
    """Return the brief of a recovery as it is stored."""
    data = to_data(brief(item))
    for group in data['groups']:
        # Managers that do not know the field refuse all that has it
        if not group['emulated']:
            del group['emulated']
    return json.dumps(data)


def may_be_former(info: RecoveryInfo) -> bool:
    """Say whether a brief may show a step that waits for no recovery.

    Former versions wrote such ones.
    """
    return info.title in STOPS and any(g.unended for g in info.groups)


def _group_brief(name: str, timeline: Timeline) -> GroupBrief:
    return GroupBrief(
        group=name,
        detection=timeline.span(Mark.T0, Mark.T1),
        peered=timeline.span(Mark.T1, Mark.T2),
        whole=timeline.span(Mark.T1, Mark.T4),
        clean=timeline.span(Mark.T1, Mark.T5),
        pgs=timeline.size.pgs,
        bytes_recovered=timeline.size.bytes_recovered,
        way=timeline.way,
    )


def _test_brief(group: str, test: RecoveryTest) -> GroupBrief:
    """Return the first step of a test that ended with all clean.

    Or that was to; without one it is the first fault. Of several
    repetitions it is the one with the median time until clean.
    """
    timed = [
        (step, step.timeline)
        for step in test.steps
        if step.group == group and step.timeline is not None
        if step.timeline.mark(Mark.T1).reached
    ]
    if not timed:
        return GroupBrief(group)
    ended = [
        (step, line)
        for step, line in timed
        if step.kind in SETTLING or line.mark(Mark.T5).reached
    ]
    timed = ended or timed
    first = min(step.index for step, _ in timed)
    briefs = [
        _group_brief(group, line)
        for step, line in timed
        if step.index == first
    ]
    briefs.sort(key=lambda b: b.clean.seconds if b.clean else math.inf)
    return briefs[(len(briefs) - 1) // 2]


def cause_text(episode: Episode) -> str:
    """Return the causes in a few words, the first ones first."""
    words: List[str] = []
    for cause in episode.causes:
        text = cause.detail or cause.kind.value
        if text not in words:
            words.append(text)
    if len(words) > 3:
        return ', '.join(words[:3]) + f' and {len(words) - 3} more'
    return ', '.join(words)


def info_of(row: sqlite3.Row) -> RecoveryInfo:
    """Return what a list shows of a row, also of one that is damaged."""
    parts = ReadableParts('')
    info = parts.read(
        'what it was',
        lambda: from_data(RecoveryInfo, json.loads(row['brief']), 'brief'),
        RecoveryInfo(
            row['id'],
            row['kind'],
            row['state'],
            bool(row['ended']),
            row['began'],
            '',
        ),
    )
    title = parts.lost[0] if parts.lost else info.title
    return dataclasses.replace(info, title=title, bytes=row['bytes'])
