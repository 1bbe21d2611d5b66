"""What people are told by the cluster: its log, its health, its progress.

A part of the one door to Ceph (cluster.py).
"""

from typing import Protocol, Sequence


class Notifications(Protocol):
    """Tell people: cluster log, health, progress."""

    def log_info(self, message: str) -> None:
        """Write a line to the cluster log."""

    def log_warn(self, message: str) -> None:
        """Write a warning to the cluster log."""

    def set_health_warning(
        self, code: str, summary: str, detail: Sequence[str]
    ) -> None:
        """Raise one of our health warnings."""

    def clear_health_warning(self, code: str) -> None:
        """Take one of our health warnings back."""

    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        """Show progress in `ceph -s`; quietly nothing without the module."""

    def progress_complete(self, ident: str) -> None:
        """End a progress event."""
