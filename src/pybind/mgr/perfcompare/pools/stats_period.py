"""More frequent statistics of OSDs for a run, only when asked for.

`mgr_stats_period` concerns all daemons of the cluster, so it is never
lowered by default; it is journaled before, and restored with the run.
"""

from typing import Optional, Protocol

from ..ports.config import ConfigReads, ConfigWrites
from ..undo.entries import EntryStore, Kind

OPTION = 'mgr_stats_period'
WHO = 'mgr'


class Needs(ConfigReads, ConfigWrites, Protocol):
    """Name what is asked of a cluster here."""


def lower(
    cluster: Needs, journal: EntryStore, run: str, seconds: Optional[int]
) -> None:
    """Have the OSDs report every ``seconds`` until the run is undone.

    Nothing is changed when they do already, or more often.
    """
    if seconds is None or int(float(cluster.option(OPTION))) <= seconds:
        return
    previous = cluster.config_get(WHO, OPTION)
    entry = journal.intend(
        run,
        Kind.CONFIG,
        OPTION,
        {'who': WHO},
        value=str(seconds),
        previous=previous,
        was_set=previous is not None,
    )
    cluster.config_set(WHO, OPTION, str(seconds))
    journal.done(entry)
