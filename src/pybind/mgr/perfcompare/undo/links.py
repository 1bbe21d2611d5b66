"""Take hosts from the roots of runs, and see where they are then."""

from typing import Callable, Dict, List, Protocol

from ..model.ownership import run_of
from ..ports.osd_map import OsdMapReads
from ..ports.rules import RuleWrites
from .entries import Entry, Kind

PARENTS = 'parents'  # detail of a link: those of others before it was made


class Needs(OsdMapReads, RuleWrites, Protocol):
    """Name what is asked of a cluster here."""


def foreign_parents(cluster: OsdMapReads, host: str) -> List[str]:
    """Return the CRUSH parents of a host that no run made."""
    topology = cluster.topology()
    if host not in topology.buckets:
        return []
    return [n for n in topology.parents(host) if run_of(n) is None]


def handlers(cluster: Needs) -> Dict[Kind, Callable[[Entry], str]]:
    """Return the handler of the kind."""

    def unlinked(entry: Entry) -> str:
        cluster.crush_unlink_host(entry.name, entry.detail['root'])
        return _doubled(cluster, entry)

    return {Kind.LINK: unlinked}


def _doubled(cluster: Needs, entry: Entry) -> str:
    """Say where a host is by now, if it is in more places than before."""
    before = entry.detail.get(PARENTS)
    if before is None:  # of a former version
        return ''
    now = foreign_parents(cluster, entry.name)
    if len(now) <= max(1, len(before.split())):
        return ''
    return (
        f'the host is below {" and ".join(now)} now, and was below '
        f'{" and ".join(before.split())} before: where that is not wanted, '
        f'`ceph osd crush unlink {entry.name} <bucket>`'
    )
