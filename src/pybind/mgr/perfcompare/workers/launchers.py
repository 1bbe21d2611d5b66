"""Who makes the workers of a run: this host, a load host, or several."""

from typing import Callable, Collection, Iterable, List, Sequence, Tuple

import collections

from ..ports.clock import Clock
from ..worker.wire.host_names import short_name
from .control import Control
from .host_link import HostLink
from .joint import JointLauncher
from .nearness import Nearness
from .remote import RemoteLauncher
from .worker import Launcher

# Seconds in which an agent of another version is started anew, where its
# files were replaced.
RENEWED = 30.0


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


def heard(
    links: Sequence[HostLink],
    control: Control,
    seconds: float,
    beat: Callable[[], None],
) -> None:
    """Wait for the agents of load hosts, ``seconds`` at most.

    Not for one that is disabled, and not long for one of another version.
    ``beat`` is called meanwhile. Raises Stopped when the run is to end.
    """
    renewed = control.monotonic() + RENEWED

    def answered(link: HostLink) -> bool:
        if link.known() or link.closed():
            return True
        return link.other_version and control.monotonic() > renewed

    def all_answered() -> bool:
        beat()
        return all(answered(link) for link in links)

    control.wait_until(all_answered, seconds)


def places(
    links: Sequence[HostLink],
    own: Collection[str],
    node: str = '',
    near: Iterable[str] = (),
) -> List[Tuple[str, str]]:
    """Return the names of load hosts with an IP of each, '' for none.

    It is none that the Manager's host (``own``) or another one has as well:
    bridges for containers have the same one everywhere. A load host that is
    the Manager's (``node``) has all of its own. Of several it is the one
    that has the most leading bits in common with one of ``near``.
    """
    count = collections.Counter(a for li in links for a in li.addresses())
    nearness = Nearness(near)
    return [
        (
            link.hostname(),
            next(
                (
                    a
                    for a in sorted(link.addresses(), key=nearness.rank)
                    if count[a] < 2
                    and (a not in own or _alike(link.hostname(), node))
                ),
                '',
            ),
        )
        for link in links
    ]


def _alike(name: str, node: str) -> bool:
    return bool(node) and short_name(name) == short_name(node)
