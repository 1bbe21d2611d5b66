"""What a comparison is meant to go across: two releases, media, settings."""

from typing import Callable, Dict, List, Sequence, Tuple

from ..common.errors import InvalidArgument
from ..common.printable import shown
from .compared_fields import KEYS, NAMES
from .results import Across, Confounder

SETTINGS = 'settings'
PREFIX = SETTINGS + '.'
# words that people say -> fields of manifests
WORDS: Dict[str, Tuple[str, ...]] = {
    'release': ('ceph_version',),
    'media': ('drives', 'rotational'),
    'network': ('network',),
    'compression': (
        'compression',
        PREFIX + 'bluestore_compression_mode',
        PREFIX + 'bluestore_compression_algorithm',
    ),
    SETTINGS: (PREFIX,),
}
# what verdicts hang on otherwise than by being alike
EVIDENCE: Dict[str, str] = {
    'primaries_max_mean': 'pools that fell unevenly make a ratio wrong, '
    'whatever is compared (`placement`)',
    'tenant_ops_per_s': 'raise load_limit_ops, above which the traffic of '
    'other clients prevents a verdict (`busy`)',
}
RECORDED, NOT_RECORDED = 'recorded', 'not recorded'

Recorded = Callable[[str], Sequence[Tuple[str, ...]]]


def intended(names: Sequence[str]) -> Tuple[str, ...]:
    """Return the fields of manifests that ``names`` mean.

    Raises InvalidArgument for one that is compared in no manifest.
    """
    known = sorted({*NAMES} - {*EVIDENCE})
    found: List[str] = []
    for name in names:
        if name in WORDS:
            found += WORDS[name]
        elif name in EVIDENCE:
            raise InvalidArgument(
                f'--across {name} would change nothing: {EVIDENCE[name]}'
            )
        elif name in known or name.startswith(PREFIX):
            found.append(name)
        else:
            raise InvalidArgument(
                f'--across {shown(name)} is nothing that is compared; give '
                f'{", ".join(WORDS)}, {PREFIX}<option of OSDs>, or a field '
                f'of the manifest: {", ".join(known)}'
            )
    return tuple(dict.fromkeys(found))


def meant(field: str, fields: Sequence[str]) -> bool:
    """Say whether a field in which sides differ is among the intended.

    It may have the name that reports give it.
    """
    field = KEYS.get(field, field)
    return field in fields or (PREFIX in fields and field.startswith(PREFIX))


def headlines(
    names: Sequence[str],
    differing: Sequence[Confounder],
    recorded: Recorded,
) -> Tuple[Across, ...]:
    """Return what was to differ, as it does; empty sides where it does not.

    ``recorded`` returns what each side has of a field, () for nothing.
    """
    found = []
    for name in names:
        fields = intended([name])
        own = [c for c in differing if meant(c.field, fields)]
        sides = [recorded(field) for field in fields]
        if not own and not any(all(texts) for texts in sides):
            several = len(fields) > 1 or PREFIX in fields
            first, second = (_recorded(side, several) for side in zip(*sides))
            found.append(Across(name, first, second))
            continue
        found.append(
            Across(
                name,
                tuple(_text(c, c.baseline, fields) for c in own),
                tuple(_text(c, c.candidate, fields) for c in own),
            )
        )
    return tuple(found)


def _recorded(
    texts: Sequence[Tuple[str, ...]], several: bool
) -> Tuple[str, ...]:
    """Return what a side has; of several fields, whether it has any."""
    found = tuple(one for values in texts for one in values)
    if not found:
        return (NOT_RECORDED,)
    return (RECORDED,) if several else found


def _text(
    differing: Confounder, values: Sequence[str], fields: Sequence[str]
) -> str:
    text = ', '.join(values)
    alone = len(fields) == 1 and not differing.field.startswith(PREFIX)
    return text if alone else f'{differing.field} {text}'
