"""Hold the places at which a rule holds against all of a group's hosts.

Hosts without an answering exporter are places, too. A host that is not
heard may pass or not: where that would decide, nothing is said.
"""

import dataclasses

from .facts import TrialFacts

_OF_HOSTS = ('host.', 'disk.', 'db.')


@dataclasses.dataclass(frozen=True)
class Heard:
    """Hold how many of a group's hosts are heard; all: not of hosts."""

    hosts: int = 1
    of: int = 1

    @property
    def text(self) -> str:
        """Return who told; '' where all did."""
        if self.hosts == self.of:
            return ''
        return f' (told by {self.hosts} of {self.of} hosts)'

    def holds(self, passed: int, seen: int, quorum: float) -> bool:
        """Say whether enough of all places pass, whatever others do.

        Hosts that are not heard are taken to have as many places as others.
        """
        return bool(passed) and self.hosts * passed >= quorum * seen * self.of

    def excludes(self, passed: int, seen: int, quorum: float) -> bool:
        """Say whether too few of all places pass, whatever others do."""
        may = self.hosts * passed + (self.of - self.hosts) * seen
        return may < quorum * seen * self.of


def heard(figure: str, facts: TrialFacts) -> Heard:
    """Count the group's hosts that are heard, where a figure is of hosts.

    One that lacks a figure, as its kernel has none, is heard as well. Of
    drives, all hosts count whose drives are known: one without a DB device
    has none to tell of.
    """
    everyone = facts.manifest.hosts
    if not everyone or not figure.startswith(_OF_HOSTS):
        return Heard()
    if figure.startswith('host.'):
        found = len(facts.hosts)
    else:
        found = len({host for host, _, _ in facts.disks()})
    return Heard(found, len(everyone))
