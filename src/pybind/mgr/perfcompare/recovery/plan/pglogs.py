"""How much of their past PGs remember: beyond it they are backfilled."""

from typing import Mapping, Sequence

import math

LOG_OPTIONS: Sequence[str] = (
    'osd_min_pg_log_entries',
    'osd_max_pg_log_entries',
    'osd_target_pg_log_entries_per_osd',
)
SPREAD = 5.0  # standard deviations by which a PG has fewer objects


def log_entries(options: Mapping[str, str], pgs_per_osd: float) -> int:
    """Return the entries that an OSD keeps in the log of each PG.

    As PeeringState::calc_trim_to() has it: the OSD's target is shared by
    its PGs, within the least and the most for each.
    """

    def number(name: str, default: int) -> int:
        try:
            return int(float(options.get(name, default)))
        except ValueError:
            return default

    least = number('osd_min_pg_log_entries', 250)
    most = number('osd_max_pg_log_entries', 10000)
    total = number('osd_target_pg_log_entries_per_osd', 300000)
    return int(max(least, min(most, total / max(1.0, pgs_per_osd))))


def objects_beyond(entries: int, pg_num: int) -> int:
    """Return the objects of a pool of which each PG's log has lost some.

    They fall on PGs by a hash, so that a PG's share has a standard
    deviation of about its square root: the least of m - SPREAD * sqrt(m)
    is what a log holds.
    """
    root = (SPREAD + math.sqrt(SPREAD**2 + 4 * entries)) / 2
    return math.ceil(pg_num * root**2)
