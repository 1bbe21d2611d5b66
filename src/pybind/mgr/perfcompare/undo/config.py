"""Restore options of the central configuration that a run had set."""

from typing import (
    Callable,
    Dict,
    Iterator,
    List,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses
import errno
import logging

from ..common.errors import PerfcompareError
from ..ports.clock import Clock
from ..ports.config import ConfigReads, ConfigWrites
from .entries import Entry

log = logging.getLogger(__name__)

MODULES = 'mgr/'  # begin of the names of modules' options
LEAVING = 'leaving'  # detail of an entry whose option is being removed
PATIENCE = 5.0  # seconds for this mgr to follow the central configuration
POLL = 0.1


class Needs(ConfigReads, ConfigWrites, Protocol):
    """Name what is asked of a cluster here."""


def about(cluster: Needs, who: str, name: str) -> Dict[str, str]:
    """Return the detail of a journal entry about an option."""
    detail = {'who': who}
    if name.startswith(MODULES):
        default = cluster.module_default(name)
        if default:
            detail['default'] = default
    return detail


def restore(
    cluster: Needs,
    entry: Entry,
    clock: Clock,
    note: Callable[[Entry], object] = lambda entry: None,
    journaled: Callable[[], Sequence[Entry]] = tuple,
) -> str:
    """Restore a configuration value; return why it stays, '' if it does not.

    A value that is no longer ours was set by an operator, and stays; unless
    one of the entries ``journaled`` tells that a run set it, which is undone
    first (EBUSY). ``note`` journals what is set on the way, before it is.
    """
    who = entry.detail.get('who')
    if not who or entry.value is None:
        raise PerfcompareError('its journal entry does not say what was set')
    if entry.was_set is (entry.previous is None):
        # nobody may lose a value that is not known any more
        raise PerfcompareError('its journal entry lacks the former value')
    current = cluster.config_get(who, entry.name)
    former = entry.previous
    if current == former:
        return ''  # never changed, or restored already
    if current not in _ours(entry):
        for other in journaled():
            if other.key != entry.key and _made(other, entry, current):
                raise PerfcompareError(
                    f'run {other.run} has set it to {current!r} since, and '
                    'that is undone first',
                    errno.EBUSY,
                )
        return (
            f'somebody set it to {current!r} meanwhile'
            if current is not None
            else 'somebody removed it meanwhile'
        )
    if former is not None:
        cluster.config_set(who, entry.name, former)
        return ''
    if 'default' in entry.detail:
        if current == entry.value:
            detail = {**entry.detail, LEAVING: 'yes'}
            note(dataclasses.replace(entry, detail=detail))
        _follow(cluster, entry, clock)
    cluster.config_remove(who, entry.name)
    return ''


def newest_first(entries: Sequence[Entry]) -> Iterator[List[Entry]]:
    """Yield parts of entries about options, each option once in a part.

    What was set twice is restored backwards.
    """
    left = sorted(entries, key=lambda e: e.seq, reverse=True)
    while left:
        part: Dict[Tuple[str, str], Entry] = {}
        for entry in left:
            part.setdefault((entry.detail.get('who', ''), entry.name), entry)
        left = [e for e in left if e not in part.values()]
        yield list(part.values())


def _made(other: Entry, entry: Entry, current: Optional[str]) -> bool:
    """Say whether another entry is about the value that an option has."""
    return (
        (other.kind, other.name) == (entry.kind, entry.name)
        and other.detail.get('who') == entry.detail.get('who')
        and current in _ours(other)
    )


def _ours(entry: Entry) -> Tuple[str, ...]:
    """Return the values that only we set.

    The default is one of them once we began to remove the option: before
    that an operator may have set it.
    """
    values = [str(entry.value)]
    if not entry.was_set and LEAVING in entry.detail:
        # on the way to its removal
        values.append(entry.detail.get('default', str(entry.value)))
    return tuple(values)


def _follow(cluster: Needs, entry: Entry, clock: Clock) -> None:
    """Give a module the value that it has without one being set.

    A running mgr is not told that an option was removed.
    """
    default = entry.detail['default']
    cluster.config_set(entry.detail['who'], entry.name, default)
    deadline = clock.monotonic() + PATIENCE
    while cluster.module_option(entry.name) != default:
        if clock.monotonic() >= deadline:
            log.warning('%s is not %s in this mgr yet', entry.name, default)
            return
        clock.wait(POLL)
