"""What is in flight in all, where it is given for each OSD of a group.

Profiles know no groups, so that their limits are of the number that is
given; here these are known.
"""

from typing import Sequence, Tuple

from ..analysis import rows
from ..analysis.evidence import LATENCY_BOUND
from ..common.errors import InvalidArgument
from ..common.units import count
from ..model import load
from ..model.plan import RunOptions
from ..model.workload import Profile, Workload
from . import ladder
from .loads import Draft, planner_of

NAMED = 4  # workloads that are told by name


def check(profile: Profile, options: RunOptions, osds: Sequence[int]) -> None:
    """Raise InvalidArgument for more than is taken, or less than clients.

    ``osds`` are the numbers of OSDs of the groups.
    """
    of_curve = options.curve is not None and not ladder.of_rates(
        options.curve
    )
    flag = '--curve' if of_curve else '--concurrency'
    for workload in profile.workloads:
        if workload.concurrency.per_osd:
            _check_most(workload, options, max(osds), flag)
            if not load.of_tool(workload.tool).own_clients:
                _check_least(workload, min(osds), flag)


def _check_most(
    workload: Workload, options: RunOptions, osds: int, flag: str
) -> None:
    hosts = len(options.load_hosts or ())
    planner = planner_of(workload.op)
    limit = planner.most_in_flight(workload, max(1, hosts))
    flying = workload.concurrency.total(osds)
    if not limit or flying <= limit:
        return
    takes = count(hosts, 'load host') if hosts else "the Manager's host"
    more = '(more) load hosts by --load-hosts'
    if planner.most_in_flight(workload, 2 * max(1, hosts)) == limit:
        takes, more = count(workload.clients, 'client'), _more(options)
    way = _give(flag, _fitting(limit, osds), 'less')
    raise InvalidArgument(
        f'{workload.name}: {workload.concurrency} is {flying:,} operations '
        f'in flight on {osds:,} OSDs, more than the {limit:,} that {takes} '
        f'can keep; {way}, or {more}'
    )


def _more(options: RunOptions) -> str:
    images = options.driver('images') is not None
    return 'more --images' if images else 'more --clients'


def _give(flag: str, number: str, way: str) -> str:
    if flag == '--curve':
        end = 'begin' if way == 'more' else 'end'
        return f'{end} the --curve at {number}'
    return f'give {flag} {number} or {way}'


def _fitting(limit: int, osds: int) -> str:
    return f'{limit // osds}/osd' if limit >= osds else str(limit)


def _check_least(workload: Workload, osds: int, flag: str) -> None:
    flying, clients = workload.concurrency.total(osds), workload.clients
    if flying < clients:
        raise InvalidArgument(
            f'{workload.name}: {clients} clients cannot share '
            f'{workload.concurrency}, {count(flying, "operation")} in flight '
            f'on {count(osds, "OSD")}; '
            + _give(flag, f'{-(-clients // osds)}/osd', 'more')
            + ', or fewer --clients'
        )


def labels(draft: Draft) -> Tuple[str, ...]:
    """Name the rows that will tell the time of an operation only.

    Points of a curve are not named: its first ones are meant to be so.
    """
    sizes = {g.name: len(g.osds) for g in draft.groups}
    bound = [
        w.name
        for w in draft.profile.workloads
        if rows.label(w, sizes.values()) == LATENCY_BOUND
    ]
    if not bound or draft.options.curve is not None:
        return ()
    named = ', '.join(bound[:NAMED])
    if len(bound) > NAMED:
        named += f' and {len(bound) - NAMED} more'
    told = ', '.join(f'{name} {number:,}' for name, number in sizes.items())
    return (
        f'{LATENCY_BOUND}: {named}: no more operations in flight than the '
        f'smallest group has OSDs ({told}); they measure the time of an '
        'operation, not what a group can do: for that give --concurrency '
        '8/osd or --profile standard',
    )
