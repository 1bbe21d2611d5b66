"""What is kept with the mons: small values by key.

A part of the one door to Ceph (cluster.py).
"""

from typing import Dict, Optional, Protocol


class KeyValueStore(Protocol):
    """Keep small facts with the mons."""

    def kv_get(self, key: str) -> Optional[str]:
        """Return a value of our own store in the mon."""

    def kv_set(self, key: str, value: str) -> None:
        """Store a value (< 4 KiB) in the mon, verified by reading it back.

        Raises InvalidArgument when it is larger: the mon would lose it
        silently.
        """

    def kv_remove(self, key: str) -> None:
        """Remove a value; fine when absent."""

    def kv_list(self, prefix: str) -> Dict[str, str]:
        """Return all keys (whole, with prefix) and values below prefix."""
