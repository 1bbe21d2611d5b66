"""Placement groups.

A part of the one door to Ceph (cluster.py).
"""

from typing import Dict, List, Mapping, Protocol, Sequence

from ..model.topology import PgContents, PgCounts, PgMapping


class PgReads(Protocol):
    """Read states, places and contents of PGs."""

    def pg_counts(self) -> PgCounts:
        """Return the numbers of PGs by state, of all pools and OSDs.

        The mgr walks through all PGs for it, and some 2 us per OSD more:
        ask once, not for each pool or OSD, and where the sums do not do.
        """

    def pg_totals(self) -> Dict[str, int]:
        """Return the numbers of all PGs by state (the mgr keeps them)."""

    def pg_states_age(self) -> float:
        """Return how old PG states may be, in seconds (cheap).

        OSDs report every mgr_stats_period (5 s), and the mgr takes reports
        in every mgr_tick_period (2 s).
        """

    def pg_stats_now(self, osds: Sequence[int]) -> None:
        """Return when the mgr has PG states as these OSDs see them now.

        Takes up to 2 s. Without it, states are up to 7 s old.
        """

    def pg_map(self, pool: str) -> List[PgMapping]:
        """Return up and acting sets of all PGs of one pool.

        By the mgr's OSD map: OSDs may not have that map yet.
        """

    def pg_now(self, pool_id: int, ps: int) -> PgMapping:
        """Return up and acting set of one PG as its primary has them.

        Raises CommandFailed when the OSD does not have the PG yet, and
        TryAgain when it does not answer.
        """

    def pg_contents(self, pool_id: int, ps: int) -> PgContents:
        """Return what one PG holds as its primary counts it.

        Raises CommandFailed and TryAgain like pg_now().
        """


class PgWrites(Protocol):
    """Say where PGs of our own pools are."""

    def pg_upmap(self, pool: str, ps: int, moves: Mapping[int, int]) -> None:
        """Set upmap items of one PG of one of our pools (from -> to).

        An upmap that breaks the pool's rule is dropped silently by the
        mon: read the mapping back.
        """

    def pg_upmap_order(self, pool: str, ps: int, osds: Sequence[int]) -> None:
        """Map one PG of one of our pools to exactly ``osds``, in order.

        The first one is the primary. Dropped silently like `pg_upmap`.
        """
