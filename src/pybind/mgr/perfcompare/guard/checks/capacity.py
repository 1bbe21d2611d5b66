"""CAPACITY and PG_LIMIT: what the run's pools put on each single OSD.

Averages hide the OSD that fills first, so shares are worked out per OSD:
by CRUSH weight, never more than one copy per failure domain, with the
unevenness that few PGs per OSD bring, and as even as the run makes its pools.
"""

from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import collections
import functools
import math

from ...common.units import format_bytes
from ...model.plan import GroupPlan, PoolPlan, RunPlan
from ...model.topology import Osd, Topology
from ...model.workload import CacheRegime
from ..layout import osds as osd_list
from . import heirs
from .finding import CheckContext, Finding, Findings, ok, refuse, warn

MARGIN = 0.05  # points below nearfull that stay free
QUOTA_FACTOR = 1.2  # quota of our pools over their plan
EXACT = 200.0  # PG shards of an OSD up to which chance is worked out


class Seat(NamedTuple):
    """Place one OSD for CRUSH: its failure domain and weight."""

    domain: str
    weight: float


class Fill(NamedTuple):
    """Hold the predicted fill of one OSD."""

    osd: int
    before: float  # share of the OSD's size, 0…1
    after: float
    added: float  # bytes


def seats(
    topology: Topology, osds: Sequence[int], failure_domain: str
) -> Dict[int, Seat]:
    """Return the seat of each of these OSDs that can take data."""
    found = {}
    for ident in osds:
        osd = topology.osds.get(ident)
        if osd and osd.crush_weight > 0:
            domain = domain_of(topology, osd, failure_domain)
            if domain:
                found[ident] = Seat(domain, osd.crush_weight)
    return found


def domain_of(topology: Topology, osd: Osd, failure_domain: str) -> str:
    """Return the bucket of type ``failure_domain`` above the OSD.

    The OSD itself for 'osd', its host where no such bucket is above it,
    '' where there is neither.
    """
    if failure_domain == 'osd':
        return f'osd.{osd.id}'
    if failure_domain != 'host':
        for bucket in topology.buckets.values():
            if bucket.type == failure_domain:
                if osd.id in topology.osds_under(bucket.name):
                    return bucket.name
    return osd.host


def shares(places: Mapping[int, Seat], copies: int) -> Dict[int, float]:
    """Return which share of all raw bytes each OSD gets; sums to 1.

    A failure domain takes at most one of ``copies``, so its share is capped
    at 1/copies and the rest goes to the others by weight. With fewer
    domains than copies each domain holds one copy of what is placed.
    """
    weights = _weights(places)
    by_domain = _by_domain(weights, copies)
    return {
        osd: by_domain[seat.domain] * seat.weight / weights[seat.domain]
        for osd, seat in places.items()
    }


def _weights(places: Mapping[int, Seat]) -> Dict[str, float]:
    """Return the weight of each failure domain."""
    found: Dict[str, float] = {}
    for seat in places.values():
        found[seat.domain] = found.get(seat.domain, 0.0) + seat.weight
    return found


def _by_domain(weights: Mapping[str, float], copies: int) -> Dict[str, float]:
    """Return which share of all raw bytes each failure domain gets."""
    if not weights:
        return {}
    return _capped(weights, 1.0 / min(copies, len(weights)))


def _capped(weights: Mapping[str, float], cap: float) -> Dict[str, float]:
    """Share 1 out by weight with nobody above ``cap`` (water filling)."""
    result: Dict[str, float] = {}
    left = dict(weights)
    rest = 1.0
    while left:
        total = sum(left.values())
        over = [
            name
            for name, weight in left.items()
            if rest * weight / total > cap + 1e-12
        ]
        if not over:
            for name, weight in left.items():
                result[name] = rest * weight / total
            break
        for name in over:
            result[name] = cap
            del left[name]
        rest = 1.0 - cap * len(result)
    return result


@functools.lru_cache(maxsize=4096)
def most_pgs(mean: float, osds: int) -> float:
    """Return how many PG shards an OSD gets by chance that gets ``mean``.

    Nine times in ten none of ``osds`` such OSDs has more: the quantile of
    a Poisson count at 1 - 1/(10 n), by Chernoff's bound for large means,
    m + sqrt(2 m ln(10 n)).
    """
    if mean > EXACT:
        return mean + math.sqrt(2.0 * mean * math.log(10.0 * osds))
    chance, most = math.exp(-mean), 0
    beyond = 1.0 - chance
    while beyond > 0.1 / osds:
        most += 1
        chance *= mean / most
        beyond -= chance
    return float(most)


def most_shares(
    pool: PoolPlan, places: Mapping[int, Seat]
) -> Dict[int, float]:
    """Return the share of a pool's raw bytes that each OSD has at most.

    That is by chance, as CRUSH deals PGs by weight, or as they are after
    the run made them even, when small OSDs have as many as large ones.
    Where each failure domain holds a copy of everything, chance only acts
    within a domain.
    """
    weights = _weights(places)
    osds = collections.Counter(seat.domain for seat in places.values())
    drawn = _by_domain(weights, pool.size)
    even = _by_domain(osds, pool.size)
    shards = pool.pg_num * min(pool.size, len(osds))
    whole = len(osds) <= pool.size

    def most(seat: Seat) -> float:
        """Return the most PG shards of an OSD."""
        beside = osds[seat.domain]
        rivals = beside if whole else len(places)
        level = even[seat.domain] / beside * shards
        if rivals == 1:
            return level
        mean = drawn[seat.domain] * seat.weight / weights[seat.domain]
        return max(level + 1.0, most_pgs(mean * shards, rivals))

    known: Dict[Seat, float] = {}
    found = {}
    for osd, seat in places.items():
        share = known.get(seat)
        if share is None:  # of thousands of OSDs many have the same
            share = known[seat] = min(most(seat), pool.pg_num) / shards
        found[osd] = share
    return found


def raw_bytes(pool: PoolPlan, ec_k: Optional[int]) -> float:
    """Return the raw bytes at a full quota, as OSDs allocate them.

    Coding chunks are included.
    """
    held = QUOTA_FACTOR * pool.max_bytes + pool.lingering
    full = held * pool.allocation_overhead
    if pool.ec_profile and ec_k:
        return full * pool.size / ec_k
    return full * pool.copies


def _added(
    topology: Topology,
    plan: RunPlan,
    group: GroupPlan,
    lost: Sequence[int],
    ec_k: Optional[int],
) -> Dict[int, float]:
    """Return the bytes that the group's pools put on each OSD."""
    found: Dict[int, float] = {}
    seated: Dict[Sequence[int], Dict[int, Seat]] = {}
    dealt: Dict[Tuple[Sequence[int], int, int], Dict[int, float]] = {}
    for pool in group.pools:
        osds = group.osds_of(pool)
        if osds not in seated:
            places = seats(topology, osds, plan.failure_domain)
            for osd in lost:
                places.pop(osd, None)
            seated[osds] = places
            found.update({o: found.get(o, 0.0) for o in places})
        key = osds, pool.size, pool.pg_num
        if key not in dealt:
            dealt[key] = most_shares(pool, seated[osds])
        raw = raw_bytes(pool, ec_k)
        for osd, share in dealt[key].items():
            found[osd] += raw * share
    return found


def predicted(
    topology: Topology,
    plan: RunPlan,
    ec_k: Optional[int],
    lost: Sequence[int] = (),
) -> List[Fill]:
    """Return the fill of all OSDs of the groups, the fullest first.

    With ``lost`` OSDs their planned and present bytes are spread over those
    that stay: planned ones within the group, present ones as `heirs` says.
    """
    added: Dict[int, float] = {}
    for group in plan.groups:
        for osd, value in _added(topology, plan, group, lost, ec_k).items():
            added[osd] = added.get(osd, 0.0) + value
    moved = heirs.spread(topology, lost)
    fills = []
    for ident, value in added.items():
        osd_ = topology.osds[ident]
        if osd_.size_bytes > 0:
            value += moved.get(ident, 0.0)
            before = osd_.used_bytes / osd_.size_bytes
            after = (osd_.used_bytes + value) / osd_.size_bytes
            fills.append(Fill(ident, before, after, value))
    return sorted(fills, key=lambda f: (-f.after, f.osd))


def largest_domain(
    topology: Topology, group: GroupPlan, plan: RunPlan
) -> List[int]:
    """Return the OSDs of the group's heaviest failure domain.

    Empty when data could not be repaired without it anyway, because the
    group has no more domains than copies.
    """
    places = seats(topology, group.osds, plan.failure_domain)
    weights: Dict[str, float] = {}
    for seat in places.values():
        weights[seat.domain] = weights.get(seat.domain, 0.0) + seat.weight
    if len(weights) <= plan.size:
        return []
    heaviest = max(weights, key=lambda d: (weights[d], d))
    return [o for o, seat in places.items() if seat.domain == heaviest]


def fits(
    topology: Topology, plan: RunPlan, ec_k: Optional[int], limit: float
) -> bool:
    """Say whether no OSD reaches ``limit``, after a loss as well."""
    losses: List[List[int]] = [[]]
    losses += [largest_domain(topology, g, plan) for g in plan.groups]
    return all(
        fill.after < limit
        for lost in losses
        for fill in predicted(topology, plan, ec_k, lost)
    )


def capacity(s: CheckContext) -> Findings:
    """Refuse what brings the fullest OSD within 5 points of nearfull."""
    topology, plan = s.facts.topology, s.plan
    limit = s.facts.ratios['nearfull'] - MARGIN
    found: Findings = []
    unknown = sorted(
        osd
        for group in plan.groups
        for osd in group.osds
        if osd not in topology.osds or not topology.osds[osd].size_bytes
    )
    if unknown:
        found.append(
            refuse(
                f'the size of {osd_list(unknown)} is not known',
                'wait until the OSDs have reported their statistics',
            )
        )
    fills = predicted(topology, plan, s.facts.ec_k)
    if fills:
        found.append(_judge(plan, fills[0], limit, 'at the end of the plan'))
    for group in plan.groups:
        lost = largest_domain(topology, group, plan)
        after = predicted(topology, plan, s.facts.ec_k, lost)
        if lost and after:
            when = f'after losing {osd_list(lost)} as well'
            judged = _judge(plan, after[0], limit, when)
            if judged.severity is not found[-1].severity:
                found.append(judged)
    return found


def _judge(plan: RunPlan, fill: Fill, limit: float, when: str) -> Finding:
    message = (
        f'fullest OSD {when}: osd.{fill.osd}, '
        f'{fill.before:.1%} now, {fill.after:.1%} then '
        f'(+{format_bytes(fill.added)}); the limit is {limit:.0%}, '
        f'{MARGIN * 100:.0f} points below nearfull'
    )
    if fill.after < limit:
        return ok(message)
    return refuse(message, _remedy(plan))


def _remedy(plan: RunPlan) -> str:
    if plan.recovery is not None:
        return (
            'give a smaller --size, a lower --pg-num or less --data, or free '
            'space'
        )
    caches = {w.cache for w in plan.profile.workloads}
    cached = '--cache cached, ' if CacheRegime.DEVICE in caches else ''
    return (
        f'give {cached}a smaller --profile, a shorter --duration or fewer '
        '--replicas, or free space'
    )


def pg_limit(s: CheckContext) -> Findings:
    """Refuse pools that the monitors would refuse for too many PGs.

    The monitors count averages over the OSDs of the rule.
    """
    limit = s.facts.max_pg_per_osd
    found: Findings = []
    for group in s.plan.groups:
        if not group.osds:
            continue
        # a group may be both sides of a comparison with itself
        ours = sum(
            p.pg_num * p.size
            for side in s.plan.groups
            if set(side.osds) == set(group.osds)
            for p in side.pools
            if side.osds_of(p) is side.osds
        )
        now = [s.facts.osd_pgs.get(osd, 0) for osd in group.osds]
        average = (sum(now) + ours) / len(group.osds)
        most = max(now) + ours / len(group.osds)
        message = (
            f'group {group.name!r}: {sum(now) / len(now):.0f} PGs per OSD '
            f'now, {average:.0f} during the run, {most:.0f} on the OSD '
            f'with most; mon_max_pg_per_osd is {limit}'
        )
        if average > limit:
            found.append(refuse(message, 'give a lower --pg-num'))
        elif most > limit:
            found.append(
                warn(message, 'a lower --pg-num keeps clear of the limit')
            )
        else:
            found.append(ok(message))
    return found
