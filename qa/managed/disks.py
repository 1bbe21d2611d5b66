"""Disks of OSDs: loop devices, which one process keeps open."""

from typing import List

import os
import pathlib
import re

from cluster import disks, namespaces

from .state import HOSTS, Host, Managed

HOLDER = 'disks'
EACH = 2  # of a host
SIZE = 12 << 30  # bytes of a sparse file


def attach(cluster: Managed) -> None:
    """Give each host its devices."""

    def prepare() -> None:
        for host in HOSTS:
            folder = cluster.folder(host)
            for index in range(EACH):
                _attach(folder, index)

    namespaces.hold(cluster, HOLDER, prepare)


def _attach(folder: pathlib.Path, index: int) -> None:
    backing = folder / ('disk%d' % index)
    with open(backing, 'wb') as file:
        file.truncate(SIZE)
    with open(backing, 'r+b') as file:
        device = disks.configure(file.fileno())
    (folder / ('device%d' % index)).symlink_to(device)


def numbers(cluster: Managed, host: Host) -> List[int]:
    """Return the numbers of a host's loop devices."""
    links = [cluster.folder(host) / ('device%d' % i) for i in range(EACH)]
    return [int(re.sub(r'\D', '', os.readlink(str(link)))) for link in links]
