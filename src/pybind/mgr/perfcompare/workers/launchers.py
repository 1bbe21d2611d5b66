"""Who makes the workers of a run: this host, a load host, or several."""

from typing import Sequence

from ..ports.clock import Clock
from .host_link import HostLink
from .joint import JointLauncher
from .remote import RemoteLauncher
from .worker import Launcher


def of_hosts(
    links: Sequence[HostLink], local: Launcher, folder: str, clock: Clock
) -> Launcher:
    """Return what makes workers on these load hosts, or else ``local``.

    What load hosts give back is kept below ``folder``, private to us.
    """
    if not links:
        return local
    if len(links) == 1:
        return RemoteLauncher(links[0], folder, clock)
    return JointLauncher(links, local, folder, clock)


def archs(links: Sequence[HostLink]) -> str:
    """Return the architectures of load hosts, '' where none is known."""
    return ', '.join(sorted({link.arch() for link in links} - {''}))
