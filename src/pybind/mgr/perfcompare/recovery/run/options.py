"""Options of the cluster that a recovery test sets while it goes on."""

from typing import Optional

from ...pools import balancer_hold
from ...undo.config import Needs, about
from ...undo.journal import Journal, Kind

MCLOCK = 'osd_mclock_profile'
# of OSDs: what limits recovery, or how soon a dead one is noticed
LIMITS = (
    'osd_op_queue',
    'osd_mclock_profile',
    'osd_mclock_max_capacity_iops_hdd',
    'osd_mclock_max_capacity_iops_ssd',
    'osd_mclock_max_sequential_bandwidth_hdd',
    'osd_mclock_max_sequential_bandwidth_ssd',
    'osd_mclock_override_recovery_settings',
    'osd_max_backfills',
    'osd_recovery_max_active',
    'osd_recovery_max_active_hdd',
    'osd_recovery_max_active_ssd',
    # 0 means that those of the medium count; mClock does without any
    'osd_recovery_sleep',
    'osd_recovery_sleep_hdd',
    'osd_recovery_sleep_ssd',
    'osd_recovery_sleep_hybrid',
    'osd_heartbeat_grace',
)


class TestOptions:
    """Set options, each journaled, so that undo restores them."""

    __test__ = False  # pytest: this is no test

    def __init__(self, cluster: Needs, journal: Journal, run: str) -> None:
        self._cluster = cluster
        self._journal = journal
        self._run = run

    def profile(self, wanted: Optional[str]) -> None:
        """Set the mClock profile of all OSDs, if one is wanted."""
        if wanted is not None:
            self._set('osd', MCLOCK, wanted)

    def hold_balancer(self) -> None:
        """Keep the balancer from moving PGs that are being timed."""
        balancer_hold.hold(self._cluster, self._journal, self._run)

    def _set(self, who: str, name: str, value: str) -> None:
        previous = self._cluster.config_get(who, name)
        self._journal.intend(
            self._run,
            Kind.CONFIG,
            name,
            about(self._cluster, who, name),
            value=value,
            previous=previous,
            was_set=previous is not None,
        )
        self._cluster.config_set(who, name, value)
