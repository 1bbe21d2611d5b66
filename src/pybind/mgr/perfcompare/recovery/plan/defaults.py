"""Let the defaults of a recovery test fit the groups that it is run on.

A test of backfill writes more objects than PG logs can tell of. On small
OSDs their default size, or the PGs that they are for, are too many. Pure
functions.
"""

from typing import Any, Dict, Iterator, NamedTuple, Sequence, Tuple

import dataclasses
import math

from ...common.units import format_size
from ...model.group import Group
from ...model.plan import RunPlan
from ...model.topology import Topology
from ...planning.estimate import copies
from . import safety
from .options import SIZE
from .request import RecoveryRequest
from .timing import fill_seconds, settle_seconds

SIZES = (SIZE.default, '16K', '4K')
SHARE = 0.25  # of a group's free space that a test takes by default
# About, of any group:
FILL_SECONDS = 450.0  # that writing takes before
SETTLE_SECONDS = 600.0  # that a step takes to be clean
LEAST_PGS = 2  # for each OSD
# A PG is moved by one OSD. With fewer PGs the OSD that moves most has more
# above the mean; between groups that must not differ by more than this.
UNEVEN = 1.05


class Choice(NamedTuple):
    """Hold a request with its defaults, and how PG logs are exceeded."""

    request: RecoveryRequest
    in_parts: bool  # by many writes of few objects


def choices(
    request: RecoveryRequest, groups: Sequence[Group], pg_num: int
) -> Iterator[Choice]:
    """Yield the usual defaults, then those that need ever less.

    What was asked for stays. ``pg_num`` is what a plan has by default. Of
    what needs less room, other objects are preferred to fewer PGs.
    """
    sizes = (request.size,) if request.size else SIZES
    for number in _pg_numbers(request, groups, pg_num):
        for size in sizes:
            chosen: Dict[str, Any] = {'size': size, 'pg_num': number}
            wanted = dataclasses.replace(request, **chosen)
            yield Choice(wanted, False)
            yield Choice(wanted, True)


def _pg_numbers(
    request: RecoveryRequest, groups: Sequence[Group], pg_num: int
) -> Iterator[int]:
    yield pg_num
    if request.pg_num is not None:
        return
    osds = [len(group.osds) for group in groups]
    while pg_num // 2 >= LEAST_PGS * max(osds):
        pg_num //= 2
        most = [math.ceil(pg_num / n) / (pg_num / n) for n in osds]
        if max(most) <= UNEVEN * min(most):
            yield pg_num


def fits(
    plan: RunPlan,
    topology: Topology,
    backfillfull: float,
    emulated: Sequence[str],
) -> bool:
    """Say whether groups have room and time for what a test writes."""
    test = plan.recovery
    assert test is not None
    for group in plan.groups:
        osds = [topology.osds[o] for o in group.osds]
        free = sum(max(0, o.size_bytes - o.used_bytes) for o in osds)
        if sum(p.max_bytes * copies(p) for p in group.pools) > SHARE * free:
            return False
        forecast = test.of(group.name).forecast
        if forecast.fill is not None and safety.fill_problem(
            forecast, backfillfull
        ):
            return False
    return (
        max(fill_seconds(plan, emulated).values()) <= FILL_SECONDS
        and settle_seconds(plan, emulated) <= SETTLE_SECONDS
    )


def labels(usual: RunPlan, plan: RunPlan) -> Tuple[str, ...]:
    """Say what was chosen in place of the usual defaults."""
    former, test = usual.recovery, plan.recovery
    assert former is not None and test is not None
    found = []
    if test.size != former.size:
        found.append(
            f'objects of {format_size(test.size)} in place of '
            f'{format_size(former.size)}'
        )
    before, now = (p.groups[0].pools[0].pg_num for p in (usual, plan))
    if now != before:
        found.append(f'{now} PGs in place of {before}')
    if any(own.log_objects for own in test.groups):
        found.append(
            'PG logs exceeded by small writes in place of more objects'
        )
    if not found:
        return ()
    return (
        'chosen for room and time: '
        + ', '.join(found)
        + ' (--size and --pg-num choose otherwise)',
    )
