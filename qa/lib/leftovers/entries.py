"""The journal of runs, read as leniently as is safe.

It may be of another version of the module, or damaged: what cannot be read
is told, and stops nothing else.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import json

from .names import RUN, plain

STORE = 'mgr/perfcompare/'
JOURNAL = STORE + 'journal/'
ACTIVE = STORE + 'active/'  # the run that a Manager would take up

Words = Tuple[str, ...]


class Entry(NamedTuple):
    """Hold what a run noted before it changed something."""

    key: str
    run: str
    kind: str
    name: str
    detail: Dict[str, str]
    value: Optional[str]  # what the run set
    previous: Optional[str]  # what stood there before
    was_set: bool  # whether anything did
    done: bool  # whether the change is known to have been made

    def __str__(self) -> str:
        words = {
            'ec_profile': 'erasure-code profile',
            'osd_stop': 'stopped osd.',
            'osd_down': 'marked down osd.',
            'osd_out': 'out osd.',
            'upmaps': 'upmaps of PGs near',
            'noout': 'noout of host',
            'config': 'option',
            'blocklist': 'blocklisted client',
            'link': 'link of host',
        }
        what = words.get(self.kind, self.kind)
        if 'primaries' in self.detail:
            what = 'primaries of PGs near'
        gap = '' if what.endswith('.') else ' '
        text = what + gap + self.name
        if self.kind == 'link':
            text += ' to ' + self.detail.get('root', '?')
        if self.kind == 'config':
            text += ' of ' + self.detail.get('who', '?')
        return plain(text)


class Odd(Exception):
    """Say why an entry cannot be understood."""


def read(key: str, text: str) -> Entry:
    """Return an entry; its key only has to begin with its run.

    Fields that are not known are passed over. Raises Odd.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Odd('it is not JSON') from None
    if not isinstance(found, dict):
        raise Odd('it is not a mapping')
    run = key[len(JOURNAL) :].split('/')[0]
    if not RUN.match(run):
        raise Odd('its key has no run')
    if found.get('run') != run:
        raise Odd('it is of another run than its key')
    was_set = found.get('was_set', False)
    if not isinstance(was_set, bool):
        raise Odd('was_set is neither true nor false')
    return Entry(
        key=key,
        run=run,
        kind=_text(found, 'kind'),
        name=_text(found, 'name'),
        detail=_detail(found.get('detail', {})),
        value=_optional(found, 'value'),
        previous=_optional(found, 'previous'),
        was_set=was_set,
        done=found.get('step') == 'done',
    )


def _text(found: Dict[str, Any], field: str) -> str:
    value = found.get(field)
    if not isinstance(value, str) or not value:
        raise Odd('it has no %s' % field)
    # the ceph tool would take it for an option of its own
    if value.startswith('-') or not value.isprintable():
        raise Odd('its %s %r is not one' % (field, value[:80]))
    return value


def _optional(found: Dict[str, Any], field: str) -> Optional[str]:
    value = found.get(field)
    if value is not None and not isinstance(value, str):
        raise Odd('its %s is not a text' % field)
    return value


def _detail(found: Any) -> Dict[str, str]:
    if not isinstance(found, dict):
        raise Odd('its detail is not a mapping')
    for key, value in found.items():
        if not isinstance(value, str) or not value.isprintable():
            raise Odd('its %s is not a text' % plain(key))
    return dict(found)


def read_all(stored: Any) -> Tuple[List[Entry], List[Tuple[str, str]]]:
    """Return entries, and keys that are odd, with the reason."""
    good: List[Entry] = []
    odd: List[Tuple[str, str]] = []
    for key, text in sorted(stored.items()):
        try:
            good.append(read(key, str(text)))
        except Odd as error:
            odd.append((key, str(error)))
    return good, odd
