"""Options of OSDs that somebody changed while a row was measured."""

from typing import Dict, List, Optional, Sequence, Tuple

from ..model.manifest import Manifest
from ..model.trial import Trial
from .across import PREFIX, meant
from .evidence import RowFacts, SideFacts
from .mixtures import Mixture, of_text

# cephadm tunes it at any time; what it does to reads is judged by `cache`
_TUNED = frozenset(('osd_memory_target',))


def changes(facts: RowFacts) -> Tuple[List[str], List[str]]:
    """Return what changed so that sides differ, and what did for both alike.

    An option that differs between the sides all the time is no change.
    """
    apart: List[str] = []
    alike: List[str] = []
    for option in _recorded(facts):
        if option in _TUNED or meant(PREFIX + option, facts.intended):
            continue
        texts = [_changed(side, option) for side in facts.sides]
        if not any(texts):
            continue
        told = ', '.join(
            f'{text} of {side.group}'
            for text, side in zip(texts, facts.sides)
            if text
        )
        differ = _differ(facts, option)
        words = f'{option} was changed within the row: {told}'
        (apart if differ else alike).append(words)
    return apart, alike


def _recorded(facts: RowFacts) -> List[str]:
    every = {
        option
        for side in facts.sides
        for manifest in side.manifests
        for option in manifest.settings or ()
    }
    return sorted(every)


def _value(manifest: Manifest, option: str) -> Optional[str]:
    return (manifest.settings or {}).get(option)


def _changed(side: SideFacts, option: str) -> str:
    """Return what an option was within a run, in order; '' if one thing."""
    by_run: Dict[str, List[Tuple[Trial, str]]] = {}
    for trial, manifest in zip(side.trials, side.manifests):
        value = _value(manifest, option)
        if value is not None:
            by_run.setdefault(trial.run, []).append((trial, value))
    for found in by_run.values():
        text = _course(found)
        if text:
            return text
    return ''


def _course(found: Sequence[Tuple[Trial, str]]) -> str:
    order = sorted(found, key=lambda item: item[0].round)
    values = list(dict.fromkeys(value for _, value in order))
    if len(values) == 1:
        return ''
    later = next(t for t, value in order if value == values[1])
    return f'{values[0]}, from round {later.round} {values[1]}'


def _differ(facts: RowFacts, option: str) -> bool:
    """Say whether sides differ in a block, or over all of stored runs."""
    sides = [
        [
            (
                None
                if _value(m, option) is None
                else Mixture(
                    [of_text(m, PREFIX + option, str(_value(m, option)))]
                )
            )
            for m in side.manifests
        ]
        for side in facts.sides
    ]
    if facts.x:
        return any(
            a.differs(b, facts.same_osds)
            for a, b in zip(*sides)
            if a is not None and b is not None
        )
    whole = [
        Mixture([m.shares for m in found if m is not None]) for found in sides
    ]
    # what one side did not record may have changed there as well
    return all(m.shares for m in whole) and whole[0].differs(whole[1])
