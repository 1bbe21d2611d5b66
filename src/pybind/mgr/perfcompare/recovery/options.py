"""Options of the cluster that a recovery test sets while it goes on."""

from typing import Optional

from ..cluster import Cluster
from ..journal import Journal, Kind

MCLOCK = 'osd_mclock_profile'
BALANCER = 'mgr/balancer/active'
OFF = ('false', '0', 'no', 'off')


class TestOptions:
    """Set options, each journaled, so that undo restores them."""

    __test__ = False  # pytest: this is no test

    def __init__(self, cluster: Cluster, journal: Journal, run: str) -> None:
        self._cluster = cluster
        self._journal = journal
        self._run = run

    def profile(self, wanted: Optional[str]) -> None:
        """Set the mClock profile of all OSDs, if one is wanted."""
        if wanted is not None:
            self._set('osd', MCLOCK, wanted)

    def hold_balancer(self) -> None:
        """Keep the balancer from moving PGs that are being timed.

        It is on unless the option says no; its own status is up to a
        minute older than the option.
        """
        current = self._cluster.config_get('mgr', BALANCER)
        if current not in OFF:
            self._set('mgr', BALANCER, 'false')

    def _set(self, who: str, name: str, value: str) -> None:
        previous = self._cluster.config_get(who, name)
        self._journal.intend(
            self._run,
            Kind.CONFIG,
            name,
            {'who': who},
            value=value,
            previous=previous,
            was_set=previous is not None,
        )
        self._cluster.config_set(who, name, value)
