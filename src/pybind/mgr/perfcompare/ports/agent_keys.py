"""Keys of load hosts, which are of no run."""

from typing import Protocol


class AgentKeys(Protocol):
    """Make and remove the keys of load hosts' agents."""

    def agent_key_create(self, host: str, command: str) -> str:
        """Create the key of a load host's agent; EEXIST if there.

        It may give ``command`` to the mgr, for this host. Returns the
        keyring's text.
        """

    def agent_key_remove(self, host: str) -> None:
        """Remove the key of a load host's agent; fine when absent."""
