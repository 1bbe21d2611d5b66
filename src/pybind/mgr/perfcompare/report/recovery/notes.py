"""What was noted of a recovery beside its own notes, each with its place."""

from typing import Dict, Iterator, List, Sequence, Tuple, Union

import dataclasses

from ...common import units
from ...model.recovery import Episode, RecoveryTest, StepResult
from ...recovery.judge.comparison_notes import amounts, unlike

# what notes say of something that is not as it was, or not yet
LEFT = (' stays', ' left so', ' given up', 'not peered within', 'upmaps: ')


@dataclasses.dataclass(frozen=True)
class Note:
    """Hold a note; it ``warns`` where it names what was left."""

    text: str
    warns: bool


def notes(item: Union[Episode, RecoveryTest]) -> Tuple[Note, ...]:
    """Return notes of steps, of their courses, and of groups side by side.

    Those of the recovery itself are not among them. Of several places, a
    note stands once.
    """
    found: List[str] = []
    if isinstance(item, RecoveryTest):
        found += unlike(item.steps) + amounts(item.steps)
    places: Dict[str, List[Tuple[str, str]]] = {}
    for group, place, text in _placed(item):
        places.setdefault(text, []).append((group, place))
    found += [f'{_where(at)}: {text}' for text, at in places.items()]
    return tuple(Note(text, any(w in text for w in LEFT)) for text in found)


def _placed(
    item: Union[Episode, RecoveryTest],
) -> Iterator[Tuple[str, str, str]]:
    """Yield notes with their group, and the place they are about."""
    if isinstance(item, Episode):
        for course in item.timelines:
            for text in course.notes:
                yield course.scope, course.scope, text
        return
    for step in sorted(item.steps, key=lambda s: (s.index, s.repetition)):
        told = step.notes
        if step.timeline is not None:
            told += step.timeline.notes
        for text in dict.fromkeys(told):
            yield step.group, _step(step), text


def _step(step: StepResult) -> str:
    return f'{step.group}, repetition {step.repetition}, {step.title}'


def _where(at: Sequence[Tuple[str, str]]) -> str:
    places = list(dict.fromkeys(place for _, place in at))
    if len(places) == 1:
        return places[0]
    groups = list(dict.fromkeys(group for group, _ in at))
    if places == groups:
        return ', '.join(groups)
    return f'{", ".join(groups)}, {units.count(len(places), "step")}'
