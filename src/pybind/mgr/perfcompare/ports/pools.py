"""Pools.

A part of the one door to Ceph (cluster.py).
"""

from typing import Dict, List, Optional, Protocol

from ..model.topology import Pool, PoolIo


class PoolReads(Protocol):
    """Read pools, and what they hold and do."""

    def pools(self) -> List[Pool]:
        """Return all pools with their statistics."""

    def pool_io(self) -> Dict[int, PoolIo]:
        """Return client I/O by pool id (cheap, mgr's own statistics)."""

    def pool_df(self, name: str) -> Dict[str, int]:
        """Return 'objects', 'stored' and 'raw' bytes of one pool."""


class PoolWrites(Protocol):
    """Make, set and remove pools."""

    def pool_create(
        self,
        name: str,
        pg_num: int,
        rule: str,
        size: int,
        min_size: int,
        ec_profile: Optional[str],
    ) -> None:
        """Create a pool with its autoscaler off; EEXIST when it is there.

        With ``ec_profile``, ``rule`` is not used: Ceph makes a rule named
        like the pool, which goes with it. ``size`` is then k+m and not
        set. ``min_size`` is for the caller to set (`pool_set`): a pool
        can be changed only in the epoch after its creation.
        """

    def pool_set(self, name: str, key: str, value: str) -> None:
        """Set one pool option."""

    def pool_set_quota(self, name: str, max_bytes: int) -> None:
        """Set the quota in bytes."""

    def pool_set_application(
        self, name: str, application: str, key: str, value: str
    ) -> None:
        """Enable ``application`` and store key=value with it."""

    def pool_remove(self, name: str) -> None:
        """Remove a pool that carries our application metadata.

        Raises NotPermitted when it does not: never removes others' pools.
        """
