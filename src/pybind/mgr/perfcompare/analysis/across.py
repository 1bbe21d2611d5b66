"""What a comparison is meant to go across: two releases, media, settings."""

from typing import Dict, List, Sequence, Tuple

import dataclasses

from ..common.errors import InvalidArgument
from ..common.printable import shown
from ..model.manifest import Manifest
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
FIELDS = frozenset(field.name for field in dataclasses.fields(Manifest))


def intended(names: Sequence[str]) -> Tuple[str, ...]:
    """Return the fields of manifests that ``names`` mean.

    Raises InvalidArgument for one that no manifest records.
    """
    found: List[str] = []
    for name in names:
        if name in WORDS:
            found += WORDS[name]
        elif name in FIELDS or name.startswith(PREFIX):
            found.append(name)
        else:
            raise InvalidArgument(
                f'--across {shown(name)} is recorded by no run; give '
                f'{", ".join(WORDS)}, {PREFIX}<option of OSDs>, or a field '
                'of the manifest such as kernel, size or gateway_version'
            )
    return tuple(dict.fromkeys(found))


def meant(field: str, fields: Sequence[str]) -> bool:
    """Say whether a field in which sides differ is among the intended."""
    return field in fields or (PREFIX in fields and field.startswith(PREFIX))


def headlines(
    names: Sequence[str], differing: Sequence[Confounder]
) -> Tuple[Across, ...]:
    """Return what was to differ, as it does; empty sides where it does not."""
    found = []
    for name in names:
        fields = intended([name])
        own = [c for c in differing if meant(c.field, fields)]
        found.append(
            Across(
                name,
                tuple(_text(c, c.baseline, fields) for c in own),
                tuple(_text(c, c.candidate, fields) for c in own),
            )
        )
    return tuple(found)


def _text(
    differing: Confounder, values: Sequence[str], fields: Sequence[str]
) -> str:
    text = ', '.join(values)
    alone = len(fields) == 1 and not differing.field.startswith(PREFIX)
    return text if alone else f'{differing.field} {text}'
