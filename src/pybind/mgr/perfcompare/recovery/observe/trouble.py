"""Look for PGs that lack copies where no change of the map explains it."""

from typing import Callable, Protocol, Sequence

from ...ports.config import ConfigReads
from ...ports.recovery_reads import PgFacts, RecoveryReads
from .episodes import period
from .staying import Quiet, has_new, is_new, stuck_words, unclean_only
from .watch import MGR_TICK

TWICE = 2  # looks that must find something: one may meet what passes


class Needs(ConfigReads, RecoveryReads, Protocol):
    """Name what is asked of a cluster here."""


class TroubleWatch:
    """Remember what looks found, from one to the next.

    PGs that lack copies since before the first look, and stay so, are none.
    """

    def __init__(self, cluster: Needs, now: Callable[[], float]) -> None:
        """Begin; ``now`` is the wall clock."""
        self._cluster = cluster
        self._now = now
        self._found = 0
        # up to this time (Unix) nothing was new, as far as is known
        self.well = 0.0
        self.quiet = Quiet()

    def begin(self) -> None:
        """Begin to look now, and know nothing."""
        self.quiet = Quiet()
        self._found, self.well = 0, self._now()

    def go_on(self, each: bool) -> None:
        """Look on from now: what is not clean is what stays so."""
        left = unclean_only(self._cluster.pg_sums())
        pgs = self._cluster.pg_facts() if each and left.states else ()
        self.quiet = Quiet((*self.quiet.sums[-1:], left), stuck_words(pgs))
        self._found, self.well = 0, self._now()

    def look(self, each: bool) -> bool:
        """Say whether PGs lack copies that they had; ``each`` is looked at.

        What two looks in a row find is no accident.
        """
        at, sums = self._now(), self._cluster.pg_sums()
        left = unclean_only(sums)
        lacks = bool(sums.degraded or sums.unfound)
        pgs: Sequence[PgFacts] = ()
        if each and (lacks or left.states):
            pgs = self._cluster.pg_facts()
        if each:
            words, well = self.quiet.words, self.well
            new = any(is_new(pg, words, well) for pg in pgs)
        else:
            new = lacks and has_new(sums, self.quiet.sums)
        if new:
            self._found += 1
            return self._found >= TWICE
        # what PGs report is so old
        age = period(self._cluster) + MGR_TICK
        self._found, self.well = 0, max(self.well, at - age)
        self.quiet = Quiet((*self.quiet.sums[-1:], left), stuck_words(pgs))
        return False
