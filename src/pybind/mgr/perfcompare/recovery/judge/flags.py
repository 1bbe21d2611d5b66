"""Tell which flags of the OSD map were set during a recovery; pure.

A recovery that an operator has paused takes as long as the pause.
"""

from typing import Dict, FrozenSet, List, Optional, Sequence

import re

from ...common.units import format_duration
from ...model.recovery import Event
from .records import MapEvent

Flags = FrozenSet[str]
NOTE = 'flags of the OSD map were set meanwhile: '


def changes(events: Sequence[MapEvent], before: Flags) -> List[Event]:
    """Return what became of flags; ``before`` were set at first."""
    found = []
    for event in events:
        if event.flags is None:
            continue
        for flag in sorted(event.flags ^ before):
            word = 'set' if flag in event.flags else 'unset'
            found.append(Event(event.at, f'flag {flag} {word}'))
        before = event.flags
    return found


def seconds_set(
    events: Sequence[MapEvent], before: Flags, start: float, end: float
) -> Dict[str, float]:
    """Return for how long each flag was set between two times."""
    found: Dict[str, float] = {}
    at, flags = start, before
    for event in events:
        if event.flags is None:
            continue
        _add(found, flags, min(max(event.at, start), end) - at)
        at, flags = min(max(event.at, start), end), event.flags
    _add(found, flags, end - at)
    return found


def _add(found: Dict[str, float], flags: Flags, seconds: float) -> None:
    for flag in flags:
        if seconds > 0:
            found[flag] = found.get(flag, 0.0) + seconds


def note(
    events: Sequence[MapEvent],
    before: Flags,
    start: float,
    end: float,
    cut: bool,
) -> Optional[str]:
    """Return what to say of flags that were set; None where none was.

    With ``cut`` nobody knows what was set before ``start``.
    """
    held = seconds_set(events, before, start, end)
    if not held:
        return None
    texts = []
    for flag, seconds in sorted(held.items()):
        if seconds >= end - start and not cut:
            texts.append(f'{flag} (all the time)')
        else:
            least = 'at least ' if cut else ''
            texts.append(f'{flag} ({least}{format_duration(seconds)})')
    return NOTE + ', '.join(texts)


def named(text: str) -> Flags:
    """Return the flags that a note is about; none where it is another."""
    if not text.startswith(NOTE):
        return frozenset()
    return frozenset(re.findall(r'([a-z]+) \(', text[len(NOTE) :]))
