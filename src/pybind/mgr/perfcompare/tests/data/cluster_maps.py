"""Build topologies for unit tests of the pure core."""

from typing import Dict, List, Optional, Sequence, Tuple

import dataclasses

from ...model.topology import Bucket, Osd, Rule, Topology

GIB = 1024**3


@dataclasses.dataclass
class Host:
    """Describe a CRUSH host and the OSDs on it, all alike."""

    name: str
    osds: int = 1
    arch: str = 'x86_64'
    device_class: Optional[str] = None
    rotational: Optional[bool] = False
    size: int = 100 * GIB
    used: int = GIB
    hostname: Optional[str] = None


def build(
    hosts: Sequence[Host],
    rules: Sequence[Rule] = (),
    racks: Optional[Dict[str, List[str]]] = None,
    changes: Optional[Dict[int, Dict[str, object]]] = None,
) -> Topology:
    """Return a topology with root 'default'; ``changes`` by OSD id."""
    osds: Dict[int, Osd] = {}
    buckets: Dict[str, Bucket] = {}
    ident = -2
    for host in hosts:
        ids: List[int] = []
        for _ in range(host.osds):
            number = len(osds)
            ids.append(number)
            osd = Osd(
                id=number,
                host=host.name,
                device_class=host.device_class,
                up=True,
                in_=True,
                crush_weight=1.0,
                arch=host.arch,
                hostname=host.hostname or host.name,
                rotational=host.rotational,
                size_bytes=host.size,
                used_bytes=host.used,
            )
            extra = (changes or {}).get(number, {})
            osds[number] = dataclasses.replace(osd, **extra)  # type: ignore
        buckets[host.name] = Bucket(ident, host.name, 'host', tuple(ids))
        ident -= 1
    in_racks: Tuple[str, ...] = ()
    for rack, names in (racks or {}).items():
        items = tuple(buckets[n].id for n in names)
        buckets[rack] = Bucket(ident, rack, 'rack', items)
        in_racks += tuple(names)
        ident -= 1
    top = [h.name for h in hosts if h.name not in in_racks]
    top += list(racks or {})
    buckets['default'] = Bucket(
        -1, 'default', 'root', tuple(buckets[n].id for n in top)
    )
    every = list(rules) or [
        Rule(0, 'replicated_rule', 'default', None, 'host')
    ]
    return Topology(7, osds, buckets, {r.name: r for r in every})


def mini() -> Topology:
    """Return the mini cluster: two x86 and two arm hosts, classes set."""
    return build(
        [
            Host('x86-1', device_class='x86', size=20 * GIB),
            Host('x86-2', device_class='x86', size=20 * GIB),
            Host('arm-1', arch='aarch64', device_class='arm', size=20 * GIB),
            Host('arm-2', arch='aarch64', device_class='arm', size=20 * GIB),
        ]
    )


def large(osds: int = 12, hosts: int = 4) -> Topology:
    """Return two architectures of ``hosts`` hosts with ``osds`` OSDs."""
    terabyte = 4 * 1024**4
    return build(
        [
            Host(
                f'{kind}{n}',
                osds=osds,
                arch=arch,
                device_class='ssd',
                size=terabyte,
                used=terabyte // 3,
            )
            for kind, arch in (('x', 'x86_64'), ('a', 'aarch64'))
            for n in range(hosts)
        ]
    )
