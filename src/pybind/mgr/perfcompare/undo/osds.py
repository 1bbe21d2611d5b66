"""Bring back what a recovery test took away: OSDs, and flags of hosts.

Whatever became of the test, afterwards its OSDs are up and in with the
weight they had, and its hosts may be marked out again.
"""

from typing import Callable, Dict, Optional, Protocol

import errno
import logging
import math

from ..common.errors import PerfcompareError
from ..ports.clock import Clock
from ..ports.faults import (
    DaemonOrders,
    FaultReads,
    FaultWrites,
    LogTooShort,
    OsdFlagged,
    daemon,
)
from ..ports.osd_map import OsdMapReads
from .entries import Entry, Kind, Step

log = logging.getLogger(__name__)

ORCHESTRATOR = 'orchestrator'
OPERATOR = 'operator'
BACK = 30.0  # for an OSD that was marked down to come back by itself
START_SECONDS = 90.0  # for the orchestrator to bring a daemon back
# seconds until it is told again, doubled each time: cephadm drops an order to
# start that comes before it has carried out the one to stop
AGAIN = 15.0
# seconds in which an order to stop, whose effect nobody saw, may yet come
LATE = 30.0
MAP_SECONDS = 5.0  # for the mgr's OSD map to follow
POLL = 0.5

Handler = Callable[[Entry], str]


class Needs(DaemonOrders, FaultReads, FaultWrites, OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


def handlers(cluster: Needs, clock: Clock) -> Dict[Kind, Handler]:
    """Return the handlers of the kinds that recovery tests add."""
    undo = FaultUndo(cluster, clock)
    return {
        Kind.OSD_STOP: undo.started,
        Kind.OSD_DOWN: undo.up_again,
        Kind.OSD_OUT: undo.in_again,
        Kind.NOOUT: undo.noout,
    }


class FaultUndo:
    """Undo entries about OSDs; each step may be repeated."""

    def __init__(self, cluster: Needs, clock: Clock) -> None:
        self._cluster = cluster
        self._clock = clock

    def _osd(self, osd: int) -> Optional[OsdFlagged]:
        return self._cluster.osd_flagged().get(osd)

    def _wait(self, good: Callable[[], bool], seconds: float) -> bool:
        deadline = self._clock.monotonic() + seconds
        while not good():
            if self._clock.monotonic() >= deadline:
                return False
            self._clock.wait(POLL)
        return True

    def started(self, entry: Entry) -> str:
        """Start an OSD that was stopped, and see that it is up and in."""
        osd = int(entry.name)
        found = self._osd(osd)
        if found is None:
            return 'the cluster has no such OSD any more'
        ordered = entry.detail.get('by') == ORCHESTRATOR
        if found.up and ordered and entry.step is not Step.DONE:
            self._settle_late_stop(osd)
        orders = 0
        if ordered and not self._up(osd):
            orders = self._order_start(osd)
        self._refuse_down(osd, orders)
        return self._bring_in(osd, entry)

    def up_again(self, entry: Entry) -> str:
        """See that an OSD that was marked down is up, and in.

        It comes back by itself, unless it has shut itself down.
        """
        osd = int(entry.name)
        if self._osd(osd) is None:
            return 'the cluster has no such OSD any more'
        orders = 0
        if not self._wait(lambda: self._up(osd), BACK):
            if self._cluster.orchestrator() is not None:
                orders = self._order_start(osd)
        self._refuse_down(osd, orders)
        return self._bring_in(osd, entry)

    def _refuse_down(self, osd: int, orders: int) -> None:
        """Raise PerfcompareError while an OSD is down."""
        if self._up(osd):
            return
        told = f'; the orchestrator was told {orders} times' if orders else ''
        # EIO: to try at once again would only wait longer
        raise PerfcompareError(
            f'{daemon(osd)} is still down{told}',
            errno.EIO,
        )

    def _settle_late_stop(self, osd: int) -> None:
        """See whether an OSD still goes down: orders are carried out late.

        Raises PerfcompareError while the orchestrator has one that it does
        not carry out: it would stop the OSD when nobody starts it again.
        """
        if self._cluster.orchestrator() is None:
            held = 'it does not answer (ceph orch status)'
        else:
            held = self._cluster.orders_held([osd])
            if not (held and self._cluster.stop_pending(osd)):
                self._wait(lambda: not self._up(osd), LATE)
        if self._up(osd) and self._cluster.stop_pending(osd):
            raise PerfcompareError(
                f'{daemon(osd)} is up, and the orchestrator still has an '
                f'order to stop it{held and ": " + held}; when it has been '
                'carried out the OSD is started again',
                errno.EIO,
            )

    def _order_start(self, osd: int) -> int:
        """Have an OSD started; return how often that was ordered."""
        deadline, pause, orders = (
            self._clock.monotonic() + START_SECONDS,
            AGAIN,
            0,
        )
        while True:
            try:
                self._cluster.orchestrate('start', daemon(osd))
                orders += 1
            except PerfcompareError as error:  # it may be switched off by now
                log.warning('%s is not started: %s', daemon(osd), error)
                if not orders:
                    return 0
            left = max(0.0, deadline - self._clock.monotonic())
            if self._wait(lambda: self._up(osd), min(pause, left)):
                return orders
            if self._clock.monotonic() >= deadline:
                return orders
            pause *= 2

    def _up(self, osd: int) -> bool:
        found = self._osd(osd)
        return found is not None and found.up

    def in_again(self, entry: Entry) -> str:
        """Mark an OSD in that a test marked out."""
        osd = int(entry.name)
        found = self._osd(osd)
        if found is None:
            return 'the cluster has no such OSD any more'
        if found.in_ and entry.step is not Step.DONE:
            # whoever sent it had no answer: this one comes after it
            self._cluster.osd_in(osd)
        return self._bring_in(osd, entry)

    def _bring_in(self, osd: int, entry: Entry) -> str:
        found = self._osd(osd)
        if found is None or found.in_:
            return ''  # never out, or in by itself
        weight = float(entry.detail.get('weight', 'nan'))
        if weight == 0:
            return ''  # it was out before
        if entry.kind is not Kind.OSD_OUT and not found.auto_out:
            return f'{daemon(osd)} is out by an order, not for being down'
        if not 0 <= weight <= 1:
            # in with another weight than before would move data of others
            raise PerfcompareError(
                f'{daemon(osd)} is out, and its journal entry does not say '
                'with which weight it was in',
                errno.EIO,
            )
        self._cluster.osd_in(osd)

        def inside() -> bool:
            now = self._osd(osd)
            return now is not None and now.in_

        if not self._wait(inside, MAP_SECONDS):
            raise PerfcompareError(
                f'{daemon(osd)} is still out', errno.EAGAIN
            )
        now = self._osd(osd)
        if now is not None and abs(now.weight - weight) > 1e-3:
            self._cluster.osd_reweight(osd, weight)
        return ''

    def noout(self, entry: Entry) -> str:
        """Take the flag from a host, unless others want it there."""
        return release(self._cluster, entry)


def release(cluster: Needs, entry: Entry) -> str:
    """Take noout from a host; return why it stays, '' when it does not.

    It had the flag before, or somebody set it again while it was ours.
    """
    if entry.was_set:
        return ''
    host = _host_now(cluster, entry)
    if host is None:
        return 'the cluster has no such host any more'
    since = entry.detail.get('at')
    if since is not None and math.isfinite(float(since)):
        try:
            for name in dict.fromkeys((entry.name, host)):
                who = cluster.noout_wanted(name, float(since))
                if who:
                    return f'{who} set it for {name} meanwhile'
        except LogTooShort:
            if 'noout' not in cluster.node_flags().get(host, ()):
                return ''
            return (
                'whether somebody else set it meanwhile is not known, as the '
                'audit log of the Monitors begins later; if nobody wants it: '
                f'ceph osd unset-group noout {host}'
            )
    cluster.noout_unset(host)
    return ''


def _host_now(cluster: Needs, entry: Entry) -> Optional[str]:
    """Return the name that a host has now, None when it is gone.

    The flag stays on it when it is renamed.
    """
    known = entry.detail.get('bucket')
    if known is None:  # an entry of a former version
        return entry.name
    buckets = cluster.topology().buckets.values()
    return next((b.name for b in buckets if str(b.id) == known), None)
