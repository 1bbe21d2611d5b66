"""Whether what S3 workloads read is where they say that it is."""

from typing import List

from ...common.errors import InvalidArgument
from ...common.units import count, format_bytes
from ...model.plan import CacheBounds
from ...model.workload import CacheRegime, Workload
from ..loads import DEVICE_FACTOR, Draft
from ..sizes import mean, prefill_name, read_sizes
from .plan import read_objects, workloads


def check(workload: Workload, osds: int, bounds: CacheBounds) -> None:
    """Raise InvalidArgument where chosen objects are not of a regime."""
    if workload.prefill is None or workload.cache is None:
        return
    each = per_osd(workload, osds, bounds)
    what = (
        f'{workload.name}: --prefill {prefill_name(workload.prefill)} is '
        f'{format_bytes(each)} for each of {count(osds, "OSD")}'
    )
    if workload.cache is CacheRegime.DEVICE and each < bounds.device:
        raise InvalidArgument(
            f'{what}, less than {DEVICE_FACTOR} times their cache '
            f'({format_bytes(bounds.device)}); give more or leave it out, or '
            'give --cache cached'
        )
    if workload.cache is CacheRegime.CACHED and each > bounds.cached:
        raise InvalidArgument(
            f'{what}, more than half of their cache '
            f'({format_bytes(bounds.cached)}); give less or leave it out, or '
            'give --cache device'
        )


def labels(draft: Draft) -> List[str]:
    """Say what may be read from elsewhere."""
    found = []
    for workload in workloads(draft.profile):
        if workload.cache is not CacheRegime.CACHED:
            continue
        each = max(
            per_osd(workload, len(group.osds), draft.bounds)
            for group in draft.groups
        )
        if each > draft.bounds.cached:
            found.append(
                f'{workload.name} may miss the cache: {format_bytes(each)} '
                'per OSD are more than half of it'
            )
    return found


def per_osd(workload: Workload, osds: int, bounds: CacheBounds) -> float:
    """Return the bytes that a workload reads of each OSD."""
    objects = read_objects(workload, osds, bounds)
    return objects * mean(read_sizes(workload)) / osds
