"""The OSDs and the simple, deterministic CRUSH of the fake cluster."""

from typing import Any, Dict, List, Mapping, Sequence, Tuple

import hashlib

from ...model.topology import Bucket, Osd, Rule

# (host, device class, arch, number of OSDs), as qa/minicluster has them
MINI_CLUSTER = (
    ('x86-1', 'x86', 'x86_64', 1),
    ('x86-2', 'x86', 'x86_64', 1),
    ('arm-1', 'arm', 'aarch64', 1),
    ('arm-2', 'arm', 'aarch64', 1),
)

Domains = List[Tuple[str, List[int]]]  # failure domain -> its OSDs


def dump(buckets: Mapping[str, Bucket]) -> Dict[str, Any]:
    """Return buckets as `osd crush dump` has them."""
    return {
        'buckets': [
            {
                'id': b.id,
                'name': b.name,
                'type_name': b.type,
                'items': [{'id': item} for item in b.items],
            }
            for b in buckets.values()
        ]
    }


def build(
    hosts: Sequence[Tuple[str, str, str, int]], size_bytes: int
) -> Tuple[Dict[int, Osd], Dict[str, Bucket]]:
    """Return OSDs and buckets of hosts below the root 'default'."""
    osds: Dict[int, Osd] = {}
    buckets: Dict[str, Bucket] = {}
    for number, (host, device_class, arch, count) in enumerate(hosts):
        ids = tuple(range(len(osds), len(osds) + count))
        buckets[host] = Bucket(-2 - number, host, 'host', ids)
        for ident in ids:
            osds[ident] = Osd(
                id=ident,
                host=host,
                device_class=device_class,
                up=True,
                in_=True,
                crush_weight=1.0,
                arch=arch,
                hostname=host,
                cpu='ARMv8' if arch == 'aarch64' else 'Xeon',
                mem_total_kb=32 << 20,
                kernel='6.1.0',
                ceph_version='20.2.4',
                rotational=False,
                bdev_type='ssd',
                devices='nvme0n1',
                size_bytes=size_bytes,
                used_bytes=size_bytes // 100,
                addresses=(f'10.0.0.{number + 1}',),
            )
    children = tuple(b.id for b in buckets.values())
    buckets['default'] = Bucket(-1, 'default', 'root', children)
    return osds, buckets


def rule_osds(
    rule: Rule, buckets: Mapping[str, Bucket], osds: Mapping[int, Osd]
) -> Domains:
    """Return the usable OSDs of a rule by its failure domains."""
    by_id = {b.id: b for b in buckets.values()}
    stack = [buckets[rule.root].id]
    found: Dict[str, List[int]] = {}
    while stack:
        for item in by_id[stack.pop()].items:
            if item < 0:
                stack.append(item)
                continue
            osd = osds[item]
            if rule.device_class not in (None, osd.device_class):
                continue
            if osd.up and osd.in_:
                domain = osd.host
                if rule.failure_domain == 'osd':
                    domain = f'osd.{item}'
                found.setdefault(domain, []).append(item)
    return sorted((d, sorted(ids)) for d, ids in found.items())


def choose(
    pool: int, ps: int, size: int, domains: Domains
) -> Tuple[int, ...]:
    """Draw up to ``size`` OSDs, each of another failure domain."""

    def draw(what: object) -> bytes:
        return hashlib.sha256(f'{pool}.{ps}.{what}'.encode()).digest()

    chosen = sorted(domains, key=lambda d: draw(d[0]))[:size]
    return tuple(min(ids, key=draw) for _, ids in chosen)
