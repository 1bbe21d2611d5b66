"""Restore options, and remove keys and blocklistings of a run."""

from typing import Optional

import re

from .entries import Entry, read_all
from .names import plain
from .placement import foreign
from .verdicts import Do, Left, Settled, Verdict, command
from .view import View

_WHO = re.compile(r'[a-z][\w.:/-]*\Z', re.ASCII)
_OPTION = re.compile(r'[a-z][\w./-]*\Z', re.ASCII)
_DASH = re.compile(r'-(?![\d.])')
OTHERS = 15.0  # seconds for an entry about the same option to be undone
FOLLOW = 2.0  # seconds for a Manager to follow an option of a module


def option(entry: Entry, view: View) -> Verdict:
    """Restore what stood there before, unless somebody changed ours."""
    who, name = entry.detail['who'], entry.name
    if not _WHO.match(who) or not _OPTION.match(name):
        raise ValueError('%r of %r is not an option' % (name, who))
    now = view.option(who, name)
    before = entry.previous if entry.was_set else None
    default = None if entry.was_set else entry.detail.get('default')
    if entry.was_set is (entry.previous is None) or entry.value is None:
        raise ValueError('what was set, or what stood there, is missing')
    if now == before:
        return Settled()
    # the default is ours on the way to its removal only: before that an
    # operator may have set it
    leaving = 'leaving' in entry.detail or ('follow', entry.key) in view.notes
    ours = [entry.value] + ([default] if default and leaving else [])
    if now not in ours:
        if _of_another(entry, view, now):
            return Do(patience=OTHERS)  # until that one is undone
        return Settled(
            'somebody removed it meanwhile'
            if now is None
            else 'somebody set it to %r meanwhile' % now
        )
    for value in (before, default):
        # the ceph tool takes such a value for an option of its own
        if value is not None and _DASH.match(value):
            return Left(
                'it was %r' % value,
                'write [%s] and %s = %s to a file, and give that to ceph '
                'config assimilate-conf -i' % (who, name, plain(value)),
            )
    if before is not None:
        return Do((command('config', 'set', who, name, before),))
    remove = command('config', 'rm', who, name)
    if default is None:
        return Do((remove,))
    # a running Manager is not told that an option was removed
    follow = command('config', 'set', who, name, default)
    view.notes['follow', entry.key] = default
    return Do((follow, FOLLOW, remove), again=5.0)


def _of_another(entry: Entry, view: View, now: Optional[str]) -> bool:
    """Say whether an option has the value that another entry tells of."""
    entries, _ = read_all(view.journal())
    return any(
        other.key != entry.key
        and (other.kind, other.name) == ('config', entry.name)
        and other.detail.get('who') == entry.detail['who']
        and now in (other.value, other.detail.get('default'))
        for other in entries
        if now is not None
    )


def key(entry: Entry, view: View) -> Verdict:
    """Remove the key of a run."""
    other = foreign(entry, entry.name)
    if other:
        return other
    if entry.name not in view.entities():
        return Settled()
    return Do((command('auth', 'rm', entry.name),))


def blocklisted(entry: Entry, view: View) -> Verdict:
    """Take a client of the run off the blocklist."""
    if entry.was_set or entry.name not in view.blocklist():
        return Settled()
    return Do((command('osd', 'blocklist', 'rm', entry.name),))
