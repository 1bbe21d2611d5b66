"""Results of one file that differ in what their names do not say.

Rows that state no round become rounds of one workload, and what differs
between rounds is judged as noise. So rounds are only those of which the file
says the same; the others have what sets them apart in their name.
"""

from typing import (
    Any,
    Counter,
    Dict,
    FrozenSet,
    List,
    Sequence,
    Set,
    Tuple,
)

import collections
import dataclasses
import hashlib
import re

from ..wire.reading import Measured, shown

LONGEST = 40  # characters of settings in a name; longer ones are a hash
NAMED = 6  # settings that a note names

# what only says where: another group has others, so names have a number
PLACES = frozenset(
    ('directory', 'filename', 'filename_format', 'pool', 'rbdname')
)
_USER = re.compile(r'//[^/@\s]*@')  # and a password
_FIT = re.compile(r'[A-Za-z0-9._-]*\Z')

Key = Tuple[Any, ...]
Pairs = Tuple[Tuple[str, str], ...]
Numbers = Dict[Tuple[str, str], str]


def set_apart(parts: Sequence[Sequence[Measured]]) -> List[List[Measured]]:
    """Return rows, file by file, those of one name with like settings."""
    alike: Dict[Key, List[Measured]] = {}
    parts = [[_without_users(row) for row in part] for part in parts]
    for part in parts:
        for row in part:
            if not row.round:
                alike.setdefault(_key(row), []).append(row)
    differing = {key: _differing(rows) for key, rows in alike.items()}
    places = {key: _numbers(rows) for key, rows in alike.items()}
    return [
        [
            (
                row
                if row.round
                else _named(row, differing[_key(row)], places[_key(row)])
            )
            for row in part
        ]
        for part in parts
    ]


def _key(row: Measured) -> Key:
    if row.workload:
        return (row.workload,)
    return ('', row.op, row.size, row.concurrency)


def _differing(rows: Sequence[Measured]) -> FrozenSet[str]:
    """Return the settings in which rows differ; empty is as if not told."""
    values: Dict[str, Set[str]] = {}
    told: Counter[str] = collections.Counter()
    for row in rows:
        for name, value in row.settings.items():
            if value:
                values.setdefault(name, set()).add(value)
                told[name] += 1
    return frozenset(
        name
        for name, held in values.items()
        if len(held) > 1 or told[name] < len(rows)
    )


def _without_users(row: Measured) -> Measured:
    settings = {n: _USER.sub('//', v) for n, v in row.settings.items()}
    return dataclasses.replace(row, settings=settings)


def _numbers(rows: Sequence[Measured]) -> Numbers:
    """Return the number of each place, in the order of the file."""
    found: Numbers = {}
    last: Counter[str] = collections.Counter()
    for row in rows:
        for name in PLACES & row.settings.keys():
            place = name, row.settings[name]
            if place not in found:
                last[name] += 1
                found[place] = str(last[name])
    return found


def _named(
    row: Measured, differing: FrozenSet[str], places: Numbers
) -> Measured:
    if not differing:
        return row
    # files of other groups may have them in another order
    pairs = tuple(
        sorted(
            (name, places.get((name, value), value))
            for name, value in row.settings.items()
            if value and name in differing
        )
    )
    told = ', '.join(
        f'{_name(name)} {shown(row.settings.get(name) or "none")}'
        for name in sorted(differing)[:NAMED]
    )
    more = ', …' if len(differing) > NAMED else ''
    note = f'what sets it apart from results of the same kind: {told}{more}'
    return dataclasses.replace(
        row, apart=_text(pairs), notes=(*row.notes, note)
    )


def _name(name: str) -> str:
    return name if _FIT.match(name) and len(name) < LONGEST else shown(name)


def _text(pairs: Pairs) -> str:
    """Return settings as a part of a name, long ones as a hash."""
    plain = '-'.join(f'{name}-{value}' for name, value in pairs)
    if len(plain) <= LONGEST and _FIT.match(plain):
        return plain
    digest = hashlib.sha256(repr(pairs).encode()).hexdigest()[:8]
    names = '-'.join(name for name, _ in pairs)
    fits = len(names) + len(digest) < LONGEST and _FIT.match(names)
    return f'{names}-{digest}' if fits else digest
