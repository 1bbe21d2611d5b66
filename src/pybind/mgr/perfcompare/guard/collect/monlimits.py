"""The limits of PGs that new pools are made by, as the mons have them."""

from typing import List, Sequence

import logging

from ...common.errors import PerfcompareError
from ...ports.config import ConfigReads

log = logging.getLogger(__name__)

PER_OSD = 'mon_max_pg_per_osd'
# with which a pool begins; what it has more it gets bit by bit
INITIAL = 'mon_osd_max_initial_pgs'


def max_pg_per_osd(cluster: ConfigReads, quorum: Sequence[str]) -> int:
    """Return the PGs that an OSD may have at most, see `least`."""
    return least(cluster, quorum, PER_OSD)


def initial_pgs(cluster: ConfigReads, quorum: Sequence[str]) -> int:
    """Return the PGs that a new pool has at once, see `least`."""
    return least(cluster, quorum, INITIAL)


def least(cluster: ConfigReads, quorum: Sequence[str], option: str) -> int:
    """Return the least number that a mon in ``quorum`` goes by.

    The leader, which may change, decides by its own value. This mgr's
    counts only where no mon tells one.
    """
    found: List[int] = []
    try:
        for mon in quorum:
            found.append(int(cluster.mon_config(mon, option)))
    except (PerfcompareError, ValueError) as error:
        log.warning('%s of the mons: %s', option, error)
    return min(found) if found else int(cluster.option(option))
