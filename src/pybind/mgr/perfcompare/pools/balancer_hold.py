"""Keep the balancer from undoing what a run did to its own pools."""

from ..undo.config import Needs, about
from ..undo.entries import EntryStore, Kind

BALANCER = 'mgr/balancer/active'
MODE = 'mgr/balancer/mode'
IDLE = 'none'
OFF = 'false'
PRIMARIES = 'read'  # in the names of modes that choose primaries


def chooses_primaries(cluster: Needs) -> bool:
    """Say whether the balancer, as it is now, chooses primaries of pools.

    It looks at all pools all the time, those of a run as well.
    """
    on = cluster.module_option(BALANCER) != OFF
    return on and PRIMARIES in cluster.module_option(MODE)


def hold(cluster: Needs, journal: EntryStore, run: str) -> None:
    """Give the balancer the mode that does nothing, if it is on; journaled.

    It stays on: whoever switches it off meanwhile sets another option than
    we do, which stays as it is. The option tells more than the balancer's
    own status, which is up to a minute older.
    """
    if cluster.module_option(BALANCER) == OFF:
        return
    previous = cluster.config_get('mgr', MODE)
    journal.intend(
        run,
        Kind.CONFIG,
        MODE,
        about(cluster, 'mgr', MODE),
        value=IDLE,
        previous=previous,
        was_set=previous is not None,
    )
    cluster.config_set('mgr', MODE, IDLE)
