"""Take back gateways that the orchestrator placed, and buckets of others."""

from typing import List, Sequence

from .ceph import Failed, told
from .entries import Entry
from .names import run_of
from .placement import foreign
from .verdicts import Do, Left, Settled, Verdict, Words, command
from .view import View

PATIENCE = 240.0  # seconds; a gateway takes up to two minutes to leave
AGAIN = 20.0  # seconds until a lost order is repeated
# seconds in which a late list may yet show what was being placed
LATE = 10.0
# what the orchestrator itself sets for a service
OPTIONS = ('rgw_realm', 'rgw_zonegroup', 'rgw_zone', 'rgw_frontends')


def section(service: str) -> str:
    """Return the section of the central config for its gateways."""
    return 'client.rgw.' + service


def service(entry: Entry, view: View) -> Verdict:
    """Have a service removed; then what it has left of keys and options."""
    other = foreign(entry, entry.name)
    if other:
        return other
    name = 'rgw.' + entry.name
    order = command('orch', 'rm', name)
    why = view.orchestrator()
    if why:
        return Left('it may still run: %s' % why, told(order))
    if name in view.services():
        view.moments.pop(('gone', name), None)
        return Do((order,), PATIENCE, AGAIN)
    if view.daemons(name):
        view.moments.pop(('gone', name), None)
        return Do((), PATIENCE)
    if view.since('gone', name) < LATE:
        return Do((), PATIENCE)
    rest = tuple(_rest(entry.name, view))
    return Do(rest) if rest else Settled()


def hidden(run: str, entries: Sequence[Entry], view: View) -> List[str]:
    """Return the services of a run that no entry which can be read names.

    Options of their sections and keys that the orchestrator made tell of
    them. Without an entry they are not removed, and what they use stays.
    """
    own = [e for e in entries if e.run == run]
    known = {e.name for e in own if e.kind == 'service'}
    begin = section('')
    told_of = [e.detail.get('who', '') for e in own if e.kind == 'config']
    told_of += [who for who, _ in view.options()] + view.entities()
    names = {
        n[len(begin) :].split('.')[0] for n in told_of if n.startswith(begin)
    }
    return [
        name
        for name in sorted(names - known)
        if run_of(name) == run and _served(name, view)
    ]


def _served(name: str, view: View) -> bool:
    """Say whether gateways of a service may be there."""
    name = 'rgw.' + name
    try:
        if view.orchestrator():
            return True  # nobody can tell
        return name in view.services() or bool(view.daemons(name))
    except Failed:
        return True


def _rest(service_id: str, view: View) -> List[Words]:
    who = section(service_id)
    return [
        command('auth', 'rm', entity)
        for entity in view.entities()
        if entity.startswith(who + '.')
    ] + [
        command('config', 'rm', who, name)
        for name in OPTIONS
        if view.option(who, name) is not None
    ]


def bucket(entry: Entry, view: View) -> Verdict:
    """Say how to remove a bucket: its gateways are not asked from here."""
    forget = told(('config-key', 'rm', entry.key))
    return Left(
        'it is in gateways %r, which need an S3 client'
        % entry.detail.get('gateways', '?'),
        'enable the module and run ceph perfcompare cleanup; or remove it, '
        'e.g. radosgw-admin bucket rm --bucket %s --purge-objects, then %s'
        % (entry.name, forget),
    )
