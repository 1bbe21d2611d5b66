"""Flags of the OSD map that keep a recovery from its course."""

from typing import Dict, Protocol, Sequence

from ...guard.checks.cluster_state import REFUSED_FLAGS
from ...ports.faults import FaultReads
from ...ports.osd_map import OsdMapReads

NOOUT = {'noout': 'the Monitors mark no OSD out'}


class Needs(FaultReads, OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


def in_the_way(flags: Sequence[str], auto_out: bool) -> Dict[str, str]:
    """Return which of ``flags`` change the course of a recovery, and why.

    With ``auto_out`` the Monitors are to mark OSDs out.
    """
    known = {**REFUSED_FLAGS, **(NOOUT if auto_out else {})}
    return {flag: known[flag] for flag in flags if flag in known}


def problem(cluster: Needs, hosts: Sequence[str], auto_out: bool) -> str:
    """Say which flag is set, on the cluster or on ``hosts``, '' if none."""
    for flag, why in in_the_way(cluster.osdmap_flags(), auto_out).items():
        what = 'pause' if flag.startswith('pause') else flag
        return f'{flag} is set: {why} (ceph osd unset {what})'
    of_hosts = cluster.node_flags()
    for host in sorted(set(hosts)):
        found = in_the_way(of_hosts.get(host, ()), auto_out)
        for flag, why in found.items():
            return (
                f'{flag} is set on host {host!r}: {why} (ceph osd '
                f'unset-group {flag} {host})'
            )
    return ''
