"""Options of the cluster that a recovery test sets while it goes on."""

from typing import Optional

from ..cluster import Cluster
from ..journal import Journal, Kind

MCLOCK = 'osd_mclock_profile'


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
