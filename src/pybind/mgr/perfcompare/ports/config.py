"""Options of Ceph and of this module.

A part of the one door to Ceph (cluster.py).
"""

from typing import Dict, Optional, Protocol, Sequence, Tuple


class ConfigReads(Protocol):
    """Read options as they are set, and as they are in force."""

    def option(self, name: str) -> str:
        """Return the value of a Ceph option as this mgr sees it."""

    def module_option(self, name: str) -> str:
        """Return what 'mgr/<module>/<option>' is in this mgr, now.

        A value that was removed from the central config is still in force
        here until the mgr starts anew.
        """

    def module_default(self, name: str) -> str:
        """Return the default of 'mgr/<module>/<option>', '' if unknown."""

    def config_get(self, who: str, option: str) -> Optional[str]:
        """Return a value of the central config set for exactly ``who``.

        None when nothing is set for that very section.
        """

    def mon_config(self, mon: str, option: str) -> str:
        """Return the effective value in mon.<mon> (`config show`)."""

    def mon_config_pinned(self, mon: str, option: str) -> bool:
        """Say whether mon.<mon> has its value from a place of its own.

        The central config does not change what stands in the mon's
        configuration file, environment or command line.
        """

    def mon_config_sections(
        self, mons: Sequence[str], option: str
    ) -> Dict[str, Tuple[str, str]]:
        """Return where mons have a value of their own, and it, by mon.

        That is a section of the central config that goes before `mon`,
        e.g. 'mon.a' or 'mon/host:x'; mons without one are not in it.
        """

    def osd_config(self, osd: int, options: Sequence[str]) -> Dict[str, str]:
        """Return the effective values in osd.<osd> (`config show`)."""


class ConfigWrites(Protocol):
    """Change the central config."""

    def config_set(self, who: str, option: str, value: str) -> None:
        """Set a value of the central config."""

    def config_remove(self, who: str, option: str) -> None:
        """Remove a value of the central config."""
