"""What is changed in a cluster: the protocol, each verb one change.

A part of the one door to Ceph (cluster.py).
"""

from typing import Mapping, Optional, Protocol, Sequence


class ClusterWrites(Protocol):
    """Change the cluster; each verb makes exactly one change."""

    def crush_add_root(self, name: str) -> None:
        """Create an empty CRUSH root; EEXIST when the name is taken."""

    def crush_link_host(self, host: str, root: str) -> None:
        """Link a host below ``root`` beside its other parents."""

    def crush_unlink_host(self, host: str, root: str) -> None:
        """Take ``host`` from ``root`` only; its other parents stay.

        Refuses when no other parent remains, and while a rule takes the
        root; checks it after.
        """

    def crush_remove_root(self, name: str) -> None:
        """Remove an empty CRUSH root; refuses while a rule takes it."""

    def rule_create(
        self,
        name: str,
        root: str,
        failure_domain: str,
        device_class: Optional[str],
    ) -> None:
        """Create a replicated rule."""

    def rule_remove(self, name: str) -> None:
        """Remove a rule; EBUSY while a pool uses it."""

    def ec_profile_set(self, name: str, values: Mapping[str, str]) -> None:
        """Create an erasure-code profile; EEXIST when it exists."""

    def ec_profile_remove(self, name: str) -> None:
        """Remove an erasure-code profile; EBUSY while in use."""

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

    def pg_upmap(self, pool: str, ps: int, moves: Mapping[int, int]) -> None:
        """Set upmap items of one PG of one of our pools (from -> to).

        An upmap that breaks the pool's rule is dropped silently by the
        mon: read the mapping back.
        """

    def pg_upmap_order(self, pool: str, ps: int, osds: Sequence[int]) -> None:
        """Map one PG of one of our pools to exactly ``osds``, in order.

        The first one is the primary. Dropped silently like `pg_upmap`.
        """

    def auth_create(self, entity: str, caps: Mapping[str, str]) -> str:
        """Create a key and return its keyring text; EEXIST if there."""

    def auth_remove(self, entity: str) -> None:
        """Remove an entity."""

    def blocklist_add(self, address: str, seconds: float) -> None:
        """Blocklist one client address (ip:port/nonce)."""

    def blocklist_remove(self, address: str) -> None:
        """Take one address off the blocklist; fine when absent."""

    def config_set(self, who: str, option: str, value: str) -> None:
        """Set a value of the central config."""

    def config_remove(self, who: str, option: str) -> None:
        """Remove a value of the central config."""
