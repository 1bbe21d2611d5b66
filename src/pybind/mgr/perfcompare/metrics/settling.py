"""Whether OSDs still work on what a trial left."""

from typing import Callable, Dict, List, Optional, Sequence

import functools

from ..common.errors import PerfcompareError
from ..common.parallel import run_concurrently
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


def behind(
    cluster: OsdReads, osds: Sequence[int], epoch: int
) -> Dict[int, str]:
    """Return the OSDs that do not have ``epoch`` of the OSD map, with why."""
    epochs = run_concurrently(
        [functools.partial(_newest_map, cluster, osd) for osd in osds]
    )
    return {
        osd: 'does not answer' if found is None else 'has an older OSD map'
        for osd, found in zip(osds, epochs)
        if found is None or found < epoch
    }


def _newest_map(cluster: OsdReads, osd: int) -> Optional[int]:
    try:
        return cluster.osd_newest_map(osd)
    except PerfcompareError:
        return None


def removing(now: Samples, floor: Samples) -> List[str]:
    """Say which OSDs remove more PGs than they did at the time of ``floor``.

    A pool is out of the OSD map long before its PGs are gone, and one that
    does not answer may remove them as well.
    """
    found = []
    for osd, current in sorted(now.items()):
        if current is None:
            found.append(f'osd.{osd} does not answer')
            continue
        more = _removes(current) - _removes(floor.get(osd))
        if more > 0:
            found.append(f'osd.{osd} removes {count(round(more), "PG")}')
    return found


def unsettled(now: Samples) -> List[str]:
    """Say which OSDs still work on what a trial left, and on what."""
    found = removing(now, {})
    for osd, current in sorted(now.items()):
        running = current.gauges.get('compact_running') if current else None
        if running:
            found.append(f'osd.{osd} compacts')
    return found


def _removes(found: Optional[OsdSample]) -> float:
    return found.gauges.get('numpg_removing', 0.0) if found else 0.0
