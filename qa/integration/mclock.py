"""Have mClock hold the clients of OSDs to some operations a second."""

from typing import Iterator, Sequence

import contextlib

from .live import LiveCluster

MEDIA = ('hdd', 'ssd')
LIMIT = 'osd_mclock_scheduler_client_lim'


@contextlib.contextmanager
def limited(
    cluster: LiveCluster, osds: Sequence[int], iops: int
) -> Iterator[None]:
    """Give OSDs a small capacity, all of which is the clients' limit.

    Only a custom profile limits clients; the built-in ones do not.
    """
    told = {'osd_mclock_profile': 'custom'}
    for medium in MEDIA:
        told['osd_mclock_max_capacity_iops_' + medium] = str(iops)
    try:
        for osd in osds:
            for name, value in told.items():
                _tell(cluster, osd, 'set', name, value)
            # an OSD takes this one from the mons only
            _config(cluster, 'set', osd, LIMIT, '1.0')
        yield
    finally:
        for osd in osds:
            _config(cluster, 'rm', osd, LIMIT)
            for name in told:
                _tell(cluster, osd, 'unset', name)


def _tell(cluster: LiveCluster, osd: int, *words: str) -> None:
    cluster.ceph('tell', 'osd.%d' % osd, 'config', *words, fmt='')


def _config(cluster: LiveCluster, verb: str, osd: int, *words: str) -> None:
    cluster.ceph('config', verb, 'osd.%d' % osd, *words, fmt='')
