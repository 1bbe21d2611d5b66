"""Find in what the sides differ beyond the groups that are compared."""

from typing import Callable, Dict, List, Optional, Sequence, Tuple

import operator

from ..model.manifest import Manifest
from . import mixtures
from .across import PREFIX, SETTINGS, meant
from .compared_fields import FIELDS, JOINED, KEYS, MEANS, Apart
from .mixtures import Mixture, Shares
from .results import Confounder


def _shares(manifest: Manifest) -> Dict[str, Shares]:
    """Return what a trial's group had, by the field's name in the report."""
    found = {}
    for name, key, read in FIELDS:
        value = read(getattr(manifest, key))
        if isinstance(value, tuple) and value:
            found[name] = mixtures.of_trial(manifest, key, value)
        elif isinstance(value, str) and key in JOINED:
            found[name] = mixtures.of_text(manifest, key, value)
        elif value is not None and value != ():
            found[name] = {mixtures.words(value): 1.0}
    for option, text in (manifest.settings or {}).items():
        key = PREFIX + option
        found[key] = mixtures.of_text(manifest, key, text)
    return found


def _of_side(manifests: Sequence[Manifest]) -> Dict[str, Mixture]:
    """Return what a side had; trials that are alike are read once."""
    alike: Dict[object, List[Manifest]] = {}
    for manifest in manifests:
        values = [getattr(manifest, key) for _, key, _ in FIELDS]
        options = sorted((manifest.settings or {}).items())
        key = (*values, *options, str(manifest.mixed))
        alike.setdefault(key, []).append(manifest)
    trials: Dict[str, List[Shares]] = {}
    times: Dict[str, List[int]] = {}
    for some in alike.values():
        for name, shares in _shares(some[0]).items():
            trials.setdefault(name, []).append(shares)
            times.setdefault(name, []).append(len(some))
    return {
        name: Mixture(found, times[name]) for name, found in trials.items()
    }


def _numbers(
    manifests: Sequence[Manifest], name: str
) -> List[Tuple[Tuple[float, ...], List[int]]]:
    """Return what each trial recorded, and how often a group has it."""
    found = []
    for manifest in manifests:
        value = getattr(manifest, name)
        values = value if isinstance(value, tuple) else (value,)
        if not values or value is None:
            continue
        counts = (manifest.mixed or {}).get(name, {})
        weights = [counts.get(str(v), 0) for v in values]
        found.append((values, weights if all(weights) else []))
    return found


def _mean(manifests: Sequence[Manifest], name: str) -> Optional[float]:
    """Return the mean over trials of each one's mean over the group."""
    found = [
        sum(map(operator.mul, values, weights or [1] * len(values)))
        / (sum(weights) or len(values))
        for values, weights in _numbers(manifests, name)
    ]
    return sum(found) / len(found) if found else None


def _unknown(
    manifests: Sequence[Manifest], name: str, apart: Apart
) -> List[float]:
    """Return the ends of values whose mean over the group nobody knows."""
    ends = [
        end
        for values, weights in _numbers(manifests, name)
        if len(values) > 1 and not weights
        for end in (min(values), max(values))
    ]
    if not ends or not apart(min(ends), max(ends)):
        return []
    return [min(ends), max(ends)]


def _range(text: Callable[[float], str], ends: Sequence[float]) -> str:
    return f'{text(ends[0])} to {text(ends[1])} (shares unknown)'


def confounders(
    baseline: Sequence[Manifest],
    candidate: Sequence[Manifest],
    intended: Sequence[str] = (),
    same_osds: bool = False,
) -> List[Confounder]:
    """Return in which recorded fields the sides' manifests differ.

    What both have several values of differs, too, where one has more of
    them than the other, or nobody knows: the ``same_osds`` have as much.
    Fields that one side did not record are left out: `uncompared` names
    them.
    """
    found: List[Confounder] = []

    def add(name: str, a: Sequence[str], b: Sequence[str]) -> None:
        found.append(
            Confounder(name, tuple(a), tuple(b), meant(name, intended))
        )

    sides = _of_side(baseline), _of_side(candidate)

    def compare(names: Sequence[str]) -> None:
        for name in names:
            a, b = (side.get(name) for side in sides)
            if a is None or b is None:
                continue
            if a.differs(b, same_osds):
                add(name, a.texts(), b.texts())

    compare([name for name, _, _ in FIELDS])
    for name, text, apart in MEANS:
        manifests = baseline, candidate
        c, d = (_mean(side, name) for side in manifests)
        if c is None or d is None:
            continue
        unknown = [
            [] if same_osds else _unknown(side, name, apart)
            for side in manifests
        ]
        if apart(c, d) or any(unknown):
            add(
                name,
                *(
                    [_range(text, ends) if ends else text(value)]
                    for ends, value in zip(unknown, (c, d))
                ),
            )
    compare(sorted(n for n in sides[0] if n.startswith(PREFIX)))
    return found


def uncompared(
    baseline: Sequence[Manifest],
    candidate: Sequence[Manifest],
    labels: Sequence[str],
) -> List[str]:
    """Say which fields only one of the sides recorded."""
    fields = []
    for manifests in (baseline, candidate):
        found = dict.fromkeys(_of_side(manifests))
        for name, _, _ in MEANS:
            if _mean(manifests, name) is not None:
                found[name] = None
        if any(name.startswith(PREFIX) for name in found):
            found[SETTINGS] = None
        fields.append(found)
    lines = []
    for own, other, label in zip(fields, fields[::-1], labels):
        only = [name for name in own if name not in other]
        if SETTINGS in only:
            only = [n for n in only if not n.startswith(PREFIX)]
        if only and other:
            lines.append(
                f'not compared, recorded for {label} only: {", ".join(only)}'
            )
    return lines


def recorded(manifests: Sequence[Manifest], key: str) -> Tuple[str, ...]:
    """Return what a side recorded of a field, as the report has it."""
    found = _of_side(manifests)
    texts = [
        value.texts()
        for name, value in found.items()
        if key == KEYS.get(name, name)
        or (key == PREFIX and name.startswith(PREFIX))
    ]
    for name, text, _ in MEANS:
        value = _mean(manifests, name) if name == key else None
        if value is not None:
            texts.append((text(value),))
    return tuple(one for several in texts for one in several)
