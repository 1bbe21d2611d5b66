"""CRUSH roots and rules, and erasure-code profiles.

A part of the one door to Ceph (cluster.py).
"""

from typing import Collection, Dict, List, Mapping, Optional, Protocol


class RuleReads(Protocol):
    """Read rules and erasure-code profiles."""

    def rule_names(self) -> List[str]:
        """Return the names of the CRUSH rules."""

    def crush_spare_ids(self, hosts: Collection[str]) -> int:
        """Return how many new roots would be a first parent of hosts.

        Where operators move a host, Ceph takes it from its first parent.
        """

    def ec_profile_names(self) -> List[str]:
        """Return the names of the erasure-code profiles."""

    def ec_profile(self, name: str) -> Dict[str, str]:
        """Return an erasure-code profile; CommandFailed ENOENT."""


class RuleWrites(Protocol):
    """Make and remove roots, rules and profiles."""

    def crush_add_root(self, name: str) -> None:
        """Create an empty CRUSH root; EEXIST when the name is taken."""

    def crush_link_host(self, host: str, root: str) -> None:
        """Link a host below ``root`` beside its other parents.

        Refuses a root that would be the first of them.
        """

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
