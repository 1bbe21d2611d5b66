"""Whether OSDs still work on what a trial left."""

from typing import Callable, List, Mapping, Optional, Sequence

from ..common.units import count
from ..ports.osds import OsdReads
from .osd_sample import DUMPED_OSDS, OsdSample, Samples, evenly, sample


def state_of(
    cluster: OsdReads,
    osds: Sequence[int],
    wall: Callable[[], float],
) -> Samples:
    """Sample what ``unsettled`` needs, of at most 256 OSDs, always the same.

    It is asked again and again, and what a trial leaves is on all of them.
    """
    return sample(cluster, evenly(osds, DUMPED_OSDS), wall)


def unsettled(
    now: Mapping[int, Optional[OsdSample]],
    baseline: Mapping[int, Optional[OsdSample]],
) -> List[str]:
    """Say which OSDs still work on what a trial left, and on what."""
    found = []
    for osd, current in sorted(now.items()):
        if current is None:
            found.append(f'osd.{osd} does not answer')
            continue
        former = baseline.get(osd)
        floor = former.gauges.get('numpg_removing', 0.0) if former else 0.0
        removing = current.gauges.get('numpg_removing', 0.0)
        if removing > floor:
            more = count(round(removing - floor), 'PG')
            found.append(f'osd.{osd} removes {more}')
        if current.gauges.get('compact_running', 0.0) > 0:
            found.append(f'osd.{osd} compacts')
    return found
