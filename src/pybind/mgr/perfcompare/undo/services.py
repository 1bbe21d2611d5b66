"""Take back gateways that the orchestrator placed for a run."""

from typing import List, Optional, Protocol

import errno

from ..common.errors import PerfcompareError
from ..ports.auth import AuthReads, AuthWrites
from ..ports.clock import Clock
from ..ports.config import ConfigReads, ConfigWrites
from ..ports.faults import DaemonOrders
from ..ports.orchestration import ClusterOrchestration, section, service_name
from .entries import Entry, Step

PATIENCE = 240.0  # seconds; a gateway takes up to two minutes to leave
ABSENCE = 60.0  # seconds without any orchestrator
PERIOD = 1.0
# seconds until a lost order is repeated, and until the orchestrator's lists,
# which are up to two minutes late, are asked for anew; doubled each time
AGAIN = 15.0
# seconds in which a late list may yet show what was just being placed
LATE = 10.0
# what the orchestrator itself sets for a service
OPTIONS = ('rgw_realm', 'rgw_zonegroup', 'rgw_zone', 'rgw_frontends')


class Needs(
    AuthReads,
    AuthWrites,
    ClusterOrchestration,
    ConfigReads,
    ConfigWrites,
    DaemonOrders,
    Protocol,
):
    """Name what is asked of a cluster here."""


class Services:
    """Have a service removed, and see that nothing of it is left."""

    def __init__(self, cluster: Needs, clock: Clock) -> None:
        self._cluster = cluster
        self._clock = clock

    def __call__(self, entry: Entry) -> str:
        """Return '' when service, keys and options are gone.

        Raises EIO where they are not: to try at once again would only wait
        longer.
        """
        service = entry.name
        try:
            self._end(service, LATE if entry.step is Step.INTENT else 0.0)
        except PerfcompareError as error:
            # ENOENT would stand for a service that is gone
            raise PerfcompareError(
                f'{service_name(service)} may still run: {error.message}',
                errno.EIO,
            ) from None
        for entity in self._keys(service):
            self._cluster.auth_remove(entity)
        for option in OPTIONS:
            who = section(service)
            if self._cluster.config_get(who, option) is not None:
                self._cluster.config_remove(who, option)
        return ''

    def _end(self, service: str, late: float) -> None:
        """Have it removed; wait until the orchestrator shows none of it.

        A new mgr may be here before its orchestrator is. The order is
        repeated where it has no effect.
        """
        begin = due = self._clock.monotonic()
        pause, orders = AGAIN, 0
        gone: Optional[float] = None
        while True:
            limit, why = PATIENCE, ''
            now = self._clock.monotonic()
            try:
                if self._cluster.orchestrator() is None:
                    limit, why = ABSENCE, 'no orchestrator answers'
                elif self._gone(service, now >= due):
                    gone = now if gone is None else gone
                    if now - gone >= late:
                        return
                else:
                    gone = None
                    if now >= due:
                        if self._cluster.gateways_known(service):
                            self._cluster.gateways_remove(service)
                            orders += 1
                        due = now + pause
                        pause *= 2
            except PerfcompareError as error:
                why = error.message
            if self._clock.monotonic() - begin > limit:
                raise PerfcompareError(
                    why
                    or f'it is not removed after {PATIENCE:.0f} s; the '
                    f'orchestrator was told {orders} times'
                )
            self._clock.wait(PERIOD)

    def _gone(self, service: str, refresh: bool) -> bool:
        return not (
            self._cluster.gateways_placed(service, refresh)
            or self._cluster.gateways_known(service)
        )

    def _keys(self, service: str) -> List[str]:
        """Return keys that the orchestrator made and did not remove."""
        begin = f'{section(service)}.'
        return [
            e for e in self._cluster.auth_entities() if e.startswith(begin)
        ]
