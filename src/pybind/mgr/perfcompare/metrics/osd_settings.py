"""Ask the OSDs of a group for the options that they really have."""

from typing import Dict, List, Mapping, Optional, Sequence, Set

import functools

from ..common.errors import PerfcompareError
from ..common.parallel import run_concurrently
from ..ports.config import ConfigReads
from .osd_sample import evenly

MOST = 64  # OSDs of a group, evenly chosen, that are asked


def answers(
    cluster: ConfigReads, osds: Sequence[int], options: Sequence[str]
) -> Optional[List[Dict[str, str]]]:
    """Return the effective options of each OSD that was asked.

    An OSD tells them one by one; of a large group some are asked. None
    when one of them does not answer.
    """
    try:
        return run_concurrently(
            [
                functools.partial(cluster.osd_config, osd, options)
                for osd in evenly(osds, MOST)
            ]
        )
    except PerfcompareError:
        return None


def joined(found: Sequence[Mapping[str, str]]) -> Dict[str, str]:
    """Return options over a group: 'a', or 'a, b' where they vary."""
    seen: Dict[str, Set[str]] = {}
    for values in found:
        for name, value in values.items():
            seen.setdefault(name, set()).add(value)
    return {name: ', '.join(sorted(v)) for name, v in seen.items()}


def settings(
    cluster: ConfigReads, osds: Sequence[int], options: Sequence[str]
) -> Optional[Dict[str, str]]:
    """Return effective options over a group, joined where they vary."""
    found = answers(cluster, osds, options)
    return None if found is None else joined(found)
