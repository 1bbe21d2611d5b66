"""Remove pools of a run, and what they stand on, in this order.

Whatever PGs still need stays: data would move, or lose its OSDs.
"""

from typing import Any, Callable, Dict, List, Optional

import json
import secrets

from .entries import JOURNAL, Entry
from .names import run_of
from .verdicts import Do, Left, Settled, Verdict, Words, command
from .view import View

OPTION = 'mon_allow_pool_delete'
CONSENT = 'pool_delete'  # name of the entry of the consent
SOME = 3  # names that are shown of many


def some(names: List[str]) -> str:
    """Return a few names of many."""
    more = len(names) - SOME
    return ', '.join(names[:SOME]) + (' and %d more' % more) * (more > 0)


def foreign(entry: Entry, name: str) -> Optional[Left]:
    """Return why a thing is not its run's, None where it is."""
    if run_of(name) == entry.run:
        return None
    return Left('%r has not the name of its run' % name)


def pool(entry: Entry, view: View) -> Verdict:
    """Remove a pool that has the mark of its run, or no object at all."""
    name = entry.name
    other = foreign(entry, name)
    if other:
        return other
    found = view.pools().get(name)
    if found is None:
        # Ceph removes it with the pool, but only if it lived to be used
        if entry.detail.get('erasure') and name in view.rules():
            return Do((command('osd', 'crush', 'rule', 'rm', name),))
        return Settled()
    why = _not_ours(entry, found, view)
    if why:
        return Left(why, 'look at it: ceph osd pool application get ' + name)
    remove = command(
        'osd', 'pool', 'rm', name, name, '--yes-i-really-really-mean-it'
    )
    if OPTION not in view.failures.get(entry.key, ''):
        return Do((remove,), again=0.0)
    return _forbidden(entry, remove, view)


def _not_ours(entry: Entry, found: Dict[str, Any], view: View) -> str:
    marks = found['application_metadata']
    mine = marks.get('perfcompare')
    if mine and mine.get('run') == entry.run:
        return ''
    if mine or set(marks) - {'perfcompare'}:
        return 'it has not the mark of its run'
    # cut off between its creation and its mark
    objects = view.objects(entry.name)
    if objects == 0:
        return ''
    return 'it has no mark of its run, and %s objects' % (
        'nobody knows how many' if objects is None else objects
    )


def _forbidden(entry: Entry, remove: Words, view: View) -> Verdict:
    """Let the monitors delete pools, if the operator consented.

    That is noted in the journal first, which restores it after the pools.
    """
    if not _consent(entry.run, view):
        return Left(
            'the Monitors forbid it (%s)' % OPTION,
            'ceph config set mon %s true, again this command, then restore '
            'the option' % OPTION,
        )
    before = view.option('mon', OPTION)
    if before == 'true':
        return Do((remove,), 10.0)
    # runs number theirs from 1
    number = 800000 + secrets.randbelow(10**5)
    tail = secrets.token_hex(4)
    key = '%s%s/%06d-%s' % (JOURNAL, entry.run, number, tail)
    note = {
        'run': entry.run,
        'seq': number,
        'kind': 'config',
        'name': OPTION,
        'step': 'intent',
        'detail': {'who': 'mon'},
        'value': 'true',
        'previous': before,
        'was_set': before is not None,
    }
    return Do(
        (
            command('config-key', 'set', key, json.dumps(note)),
            command('config', 'set', 'mon', OPTION, 'true'),
            1.0,  # until they follow
            remove,
        ),
        20.0,
        2.0,
    )


def _consent(run: str, view: View) -> bool:
    for key, text in view.journal().items():
        if key.startswith(JOURNAL + run + '/'):
            try:
                found = json.loads(text)
                if (found['kind'], found['name']) == ('consent', CONSENT):
                    return True
            except (ValueError, KeyError, TypeError):
                pass
    return False


Rule = Callable[[Entry, View], Verdict]


def under(rule: Rule) -> Rule:
    """Spare what pools of the same run may stand on."""

    def spared(entry: Entry, view: View) -> Verdict:
        pools = view.pools_of(entry.run)
        if pools:
            return Left('pools of its run are left: %s' % some(pools))
        return rule(entry, view)

    return spared


@under
def crush_rule(entry: Entry, view: View) -> Verdict:
    """Remove a CRUSH rule that no pool uses."""
    other = foreign(entry, entry.name)
    if other:
        return other
    number = view.rules().get(entry.name)
    if number is None:
        return Settled()
    users = [n for n, p in view.pools().items() if p['crush_rule'] == number]
    if users:
        return Left('pools use it: %s' % some(sorted(users)))
    return Do((command('osd', 'crush', 'rule', 'rm', entry.name),))


@under
def ec_profile(entry: Entry, view: View) -> Verdict:
    """Remove an erasure-code profile that no pool uses."""
    name = entry.name
    other = foreign(entry, name)
    if other:
        return other
    if name not in view.profiles():
        return Settled()
    users = [
        n
        for n, p in view.pools().items()
        if p.get('erasure_code_profile') == name
    ]
    if users:
        return Left('pools use it: %s' % some(sorted(users)))
    return Do((command('osd', 'erasure-code-profile', 'rm', name),))


@under
def link(entry: Entry, view: View) -> Verdict:
    """Unlink a host from the run's root; another parent must remain."""
    host, root = entry.name, entry.detail['root']
    other = foreign(entry, root)
    if other:
        return other
    parents = view.parents(host)
    if parents is None:
        return Settled('the cluster has no such host any more')
    own = [p for p in parents if run_of(p) is None]
    if root not in parents:
        lost = set(view.notes.get(('parents', host), own)) - set(own)
        if lost:
            name = sorted(lost)[0]
            return Left(
                'host %s lost its parent %s' % (host, name),
                'link it there again: ceph osd crush link %s %s'
                % (host, name),
            )
        return Settled()
    takers = view.takers(root)
    if takers:
        return Left('rules still take its root: %s' % some(takers))
    if not own:
        return Left(
            'host %s has no parent but %s' % (host, root),
            'link it to its own root first, e.g. ceph osd crush link %s '
            'root=default' % host,
        )
    view.notes['parents', host] = own
    # without the root this would unlink the host everywhere
    return Do((command('osd', 'crush', 'unlink', host, root),))


@under
def root(entry: Entry, view: View) -> Verdict:
    """Remove a root of a run, with hosts that have other names by now.

    Each of them keeps another parent, or the root stays as well.
    """
    other = foreign(entry, entry.name)
    if other:
        return other
    below = view.items(entry.name)
    if below is None:
        return Settled()
    takers = view.takers(entry.name)
    if takers:
        return Left('rules still take it: %s' % some(takers))
    alone = [
        name
        for name in below
        if all(run_of(p) is not None for p in view.parents(name) or ())
    ]
    if alone:
        return Left(
            'below it and nowhere else: %s' % some(alone),
            'link each to its own root first, e.g. ceph osd crush link %s '
            'root=default' % alone[0],
        )
    # without the root this would unlink a host everywhere
    unlink = [
        command('osd', 'crush', 'unlink', name, entry.name) for name in below
    ]
    return Do((*unlink, command('osd', 'crush', 'rm', entry.name)))
