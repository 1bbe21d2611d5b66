"""Settings of a cluster that exists only as a folder."""

from typing import Any

import pathlib

from ..state import Cluster, Settings
from ..topology import parse_hosts


def settings(**changes: Any) -> Settings:
    """Return settings with the given changes."""
    found = Settings(
        token='t' * 32,
        release='tentacle',
        roots='/var/cache/x/tentacle',
        number=77,
        net='lo',
        hosts=parse_hosts([]),
        module='/nowhere/module',
        controller='/nowhere/controller.py',
        ui='/nowhere/ui',
        dashboard=False,
        numpy=True,
        exporters=False,
        osd_size=10 << 30,
        fsid='f' * 8,
    )
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def cluster(folder: pathlib.Path, **changes: Any) -> Cluster:
    """Return a created, not started cluster."""
    found = Cluster(folder / 'cluster')
    token = found.create()
    found.save(settings(token=token, **changes))
    return found
