"""The limit of PGs for each OSD that pools of a run have to keep."""

from typing import List, Sequence

import logging

from ...common.errors import PerfcompareError
from ...ports.config import ConfigReads

log = logging.getLogger(__name__)

OPTION = 'mon_max_pg_per_osd'


def max_pg_per_osd(cluster: ConfigReads, quorum: Sequence[str]) -> int:
    """Return the least limit that a mon in ``quorum`` goes by.

    The leader, which may change, refuses by its own value. This mgr's
    counts only where no mon tells one.
    """
    found: List[int] = []
    try:
        for mon in quorum:
            found.append(int(cluster.mon_config(mon, OPTION)))
    except (PerfcompareError, ValueError) as error:
        log.warning('%s of the mons: %s', OPTION, error)
    return min(found) if found else int(cluster.option(OPTION))
