"""Where the rules and directions of findings come from."""

from typing import Dict

import dataclasses


@dataclasses.dataclass(frozen=True)
class Source:
    """Name a document, with its address where it has a public one."""

    name: str
    url: str = ''


_CEPH = 'https://docs.ceph.com/en/latest'

SOURCES: Dict[str, Source] = {
    'aarch64-hdd': Source(
        'study "aarch64-hdd": an all-HDD ARM cluster, Ceph 14.2.2, its hot '
        'resources read from sar'
    ),
    'talk-2018': Source('study "talk-2018": ARM against x86, Ceph 12.2.5'),
    'intel-mixed': Source(
        'study "intel-mixed": mixed sizes and reads, RBD and RGW'
    ),
    'hardware': Source(
        'Ceph: hardware recommendations',
        f'{_CEPH}/start/hardware-recommendations/',
    ),
    'bluestore': Source(
        'Ceph: BlueStore configuration',
        f'{_CEPH}/rados/configuration/bluestore-config-ref/',
    ),
    'mclock': Source(
        'Ceph: mClock configuration',
        f'{_CEPH}/rados/configuration/mclock-config-ref/',
    ),
    'osd': Source(
        'Ceph: OSD configuration',
        f'{_CEPH}/rados/configuration/osd-config-ref/',
    ),
    'network': Source(
        'Ceph: network configuration',
        f'{_CEPH}/rados/configuration/network-config-ref/',
    ),
    'rgw': Source(
        'Ceph: HTTP frontends of the Object Gateway',
        f'{_CEPH}/radosgw/frontends/',
    ),
    'slow-osds': Source(
        'Ceph: troubleshooting OSDs',
        f'{_CEPH}/rados/troubleshooting/troubleshooting-osd/',
    ),
    'psi': Source(
        'Linux: pressure stall information',
        'https://docs.kernel.org/accounting/psi.html',
    ),
    'z-score': Source(
        'NIST/SEMATECH handbook: detection of outliers (Iglewicz, Hoaglin)',
        'https://www.itl.nist.gov/div898/handbook/eda/section3/eda35h.htm',
    ),
}
