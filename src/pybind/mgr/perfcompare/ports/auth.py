"""Keys, and the clients that use them.

A part of the one door to Ceph (cluster.py).
"""

from typing import List, Mapping, Protocol


class AuthReads(Protocol):
    """Read who there is; never a key."""

    def auth_entities(self) -> List[str]:
        """Return all entities of the auth database (no keys)."""

    def client_sessions(self, entity: str) -> List[str]:
        """Return addresses (ip:port/nonce) of a run's load clients.

        Seen by the operations that the OSDs of the run's pools have in
        flight or remember: a mgr may not list the mon's sessions.
        """


class AuthWrites(Protocol):
    """Make and remove keys; shut clients out."""

    def auth_create(self, entity: str, caps: Mapping[str, str]) -> str:
        """Create a key and return its keyring text; EEXIST if there."""

    def auth_remove(self, entity: str) -> None:
        """Remove an entity."""

    def blocklist_add(self, address: str, seconds: float) -> None:
        """Blocklist one client address (ip:port/nonce)."""

    def blocklist_remove(self, address: str) -> None:
        """Take one address off the blocklist; fine when absent."""
