"""Which cluster this is, and where its Manager is.

A part of the one door to Ceph (cluster.py).
"""

from typing import Protocol


class Identity(Protocol):
    """Tell who and where the Manager and its cluster are."""

    def fsid(self) -> str:
        """Return the cluster's fsid."""

    def ceph_version(self) -> str:
        """Return the release of this mgr, e.g. '20.2.4'."""

    def conf_path(self) -> str:
        """Return the path of the mgr's ceph.conf for child processes."""

    def own_address(self) -> str:
        """Return the IP of this mgr, empty when it is not known (cheap)."""
