"""Bring back OSDs that a recovery test took away, and flags of hosts."""

from typing import Optional

import math

from . import audit
from .entries import Entry
from .verdicts import Do, Left, Settled, Verdict, command
from .view import View

BACK = 30.0  # seconds for an OSD that was marked down to be up by itself
START = 120.0  # seconds for the orchestrator to bring an OSD back
AGAIN = 20.0  # seconds until a lost order is repeated
# seconds in which an order to stop, whose effect nobody saw, may yet come
LATE = 30.0
KEPT = 'it is up, and the orchestrator still has an order to stop it'
END_IT = (
    'see why it is kept (ceph orch status: paused; ceph orch ls: unmanaged; '
    'ceph orch host ls: offline) and end that; then run this again'
)
NEAR = 1e-3  # weights are kept in steps of 1/65536


def _number(entry: Entry) -> int:
    if not entry.name.isascii() or not entry.name.isdigit():
        raise ValueError('%r is not the number of an OSD' % entry.name)
    return int(entry.name)


def _weight(entry: Entry) -> float:
    """Return the override weight before, 0…1.

    In with another weight than before, an OSD would move data of others.
    """
    weight = float(entry.detail.get('weight', 'nan'))
    if not 0 <= weight <= 1:
        raise ValueError('the weight that it had is not known')
    return weight


def stopped(entry: Entry, view: View) -> Verdict:
    """Have an OSD started, and see that it is up and in."""
    number = _number(entry)
    osd = view.osd(number)
    if osd is None:
        return Settled('the cluster has no such OSD any more')
    by_order = entry.detail.get('by') == 'orchestrator'
    if not osd['up']:
        view.moments.pop(('up', entry.name), None)
        return _start(number, by_order, view)
    if by_order and not entry.done:
        pending = view.stop_pending(number)
        answers = not view.orchestrator()
        if answers and view.since('up', entry.name) < LATE:
            return Do((), LATE + START)
        if pending:
            return Left(KEPT, END_IT)
    return _in_again(entry, view)


def marked_down(entry: Entry, view: View) -> Verdict:
    """See that an OSD that was marked down is up again, and in.

    It comes back by itself, unless it has shut itself down.
    """
    number = _number(entry)
    osd = view.osd(number)
    if osd is None:
        return Settled('the cluster has no such OSD any more')
    if osd['up']:
        return _in_again(entry, view)
    if view.since('down', entry.name) < BACK:
        return Do((), BACK + START)
    return _start(number, True, view)


def _start(number: int, by_order: bool, view: View) -> Verdict:
    host = view.host_of(number)
    where = ' on host %s' % host if host else ''
    remedy = 'start it%s: systemctl start ceph-osd@%d' % (where, number)
    if not by_order:
        return Left('it is down, and an operator stopped it', remedy)
    why = view.orchestrator()
    if why:
        return Left('it is down: %s' % why, remedy)
    order = command('orch', 'daemon', 'start', 'osd.%d' % number)
    return Do((order,), START, AGAIN)


def _in_again(entry: Entry, view: View) -> Verdict:
    """Mark an OSD in that the mons marked out for being down."""
    osd = view.osd(_number(entry))
    if osd is not None and not osd['in'] and 'autoout' not in osd['state']:
        before = float(entry.detail.get('weight', 1.0))
        order = before > 0  # else it was out before, and that is no news
        return Settled(
            'it is out by an order, not for being down' if order else ''
        )
    return marked_out(entry, view)


def marked_out(entry: Entry, view: View) -> Verdict:
    """Mark an OSD in, with the override weight that it had."""
    number = _number(entry)
    osd = view.osd(number)
    if osd is None:
        return Settled('the cluster has no such OSD any more')
    if osd['in'] and 'weight' not in entry.detail:
        return Settled()
    before = _weight(entry)
    if before <= 0:
        return Settled()  # it was out before
    if not osd['in']:
        return Do((command('osd', 'reweight', str(number), repr(before)),))
    if abs(float(osd['weight']) - before) > NEAR:
        return Settled(
            'it is in with weight %g, it had %g' % (osd['weight'], before)
        )
    return Settled()


def noout(entry: Entry, view: View) -> Verdict:
    """Take the flag from a host, unless others want it there."""
    flags = view.osd_map.get('crush_node_flags') or {}
    host: Optional[str] = entry.name
    if 'bucket' in entry.detail:  # it may have another name by now
        host = view.bucket_of(entry.detail['bucket'])
    if host is None:
        return Settled('the cluster has no such host any more')
    if entry.was_set or 'noout' not in flags.get(host, ()):
        return Settled()
    since = entry.detail.get('at')
    if since is not None and math.isfinite(float(since)):
        lines = view.audit_log()
        for name in dict.fromkeys((entry.name, host)):
            who = audit.asked(lines, name, float(since))
            if who:
                return Settled('%s set it meanwhile' % who)
        if not audit.reaches(lines, float(since)):
            return Settled(
                'whether somebody else set it meanwhile is not known, as the '
                'audit log of the Monitors begins later; if nobody wants it: '
                'ceph osd unset-group noout %s' % host
            )
    return Do((command('osd', 'unset-group', 'noout', host),))
