"""Let the defaults of a recovery test fit the groups that it is run on.

A test of backfill writes more objects than PG logs can tell of. On small
OSDs their default size, or the PGs that they are for, are too many.
"""

from typing import Any, Dict, Iterator, Sequence

import dataclasses

from ...model.group import Group
from ...model.plan import RunPlan
from ...model.topology import Topology
from ...planning.estimate import copies
from ...planning.loads import FILL_OPS
from .options import SIZE
from .request import RecoveryRequest

SIZES = (SIZE.default, '16K', '4K')
SHARE = 0.25  # of a group's free space that a test takes by default
FILL_SECONDS = 1800.0  # that writing takes before each test, about
LEAST_PGS = 2  # for each OSD


def choices(
    request: RecoveryRequest, groups: Sequence[Group], pg_num: int
) -> Iterator[RecoveryRequest]:
    """Yield a request with its defaults, and with ever smaller ones.

    What was asked for stays. ``pg_num`` is what a plan has by default.
    """
    sizes = (request.size,) if request.size else SIZES
    for size in sizes:
        smaller: Dict[str, Any] = {'size': size}
        yield dataclasses.replace(request, **smaller)
    if request.pg_num is not None:
        return
    least = LEAST_PGS * max(len(group.osds) for group in groups)
    while pg_num // 2 >= least:
        pg_num //= 2
        smaller = {'size': sizes[-1], 'pg_num': pg_num}
        yield dataclasses.replace(request, **smaller)


def fits(plan: RunPlan, topology: Topology) -> bool:
    """Say whether groups have room and time for what a test writes."""
    test = plan.recovery
    assert test is not None
    for group in plan.groups:
        osds = [topology.osds[o] for o in group.osds]
        free = sum(max(0, o.size_bytes - o.used_bytes) for o in osds)
        if sum(p.max_bytes * copies(p) for p in group.pools) > SHARE * free:
            return False
        objects = test.of(group.name).objects
        if objects > FILL_SECONDS * FILL_OPS * len(osds):
            return False
    return True
