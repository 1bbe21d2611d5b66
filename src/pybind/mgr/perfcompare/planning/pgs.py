"""How many PGs the pools of a plan have: alike for groups, and even to lead.

A pool whose primaries are uneven measures its busiest OSDs. Upmaps make them
as even as whole numbers are, so the numbers are chosen for that, too.
"""

from typing import Dict, Mapping

import math

from ..analysis.evidence import Limits
from ..common.errors import InvalidArgument
from .options import MAX_PG_NUM

PGS_PER_OSD = 32  # of one pool, over the replicas
# of all pools that a run has at one time: mons and Manager keep each of them
MAX_PGS = 32768
LEAST_PGS = 8
INITIAL_PGS = 1024  # that a new pool has, with the default of the mons
# of the usual number, in this order, where OSDs cannot lead alike with that
FACTORS = (1.0, 2.0, 0.5, 4.0, 0.25)
LEAST_LED = 5  # PGs of an OSD: of fewer, one that is fuller weighs too much


def check_pg_num(pg_num: int) -> int:
    """Return what --pg-num gave; InvalidArgument when it cannot be."""
    if not 1 <= pg_num <= MAX_PG_NUM or pg_num & (pg_num - 1):
        raise InvalidArgument(
            f'--pg-num {pg_num} is not a power of two from 1 to '
            f'{MAX_PG_NUM}; give e.g. {nearest_power(pg_num)} (others make '
            'PGs of unequal size)'
        )
    return pg_num


def nearest_power(value: float) -> int:
    """Return the power of two nearest by ratio, within 1..65536."""
    if value <= 1:
        return 1
    return min(MAX_PG_NUM, 1 << int(round(math.log2(value))))


def pg_numbers(
    osds: Mapping[str, int],
    pools: int,
    size: int,
    existing: Mapping[str, float],
    limit: int,
    sides: int = 1,
    initial: int = INITIAL_PGS,
) -> Dict[str, int]:
    """Return the pg_num of each group's pools, powers of two.

    Of those that give OSDs about PGS_PER_OSD they are the ones with which
    PGs per OSD are most alike in all groups; of two groups these differ by
    less than the root of two. Where OSDs cannot lead alike with these, all
    groups have twice as many, half, or else four times or a quarter, if
    they can then. Where a pool would have to grow, which takes minutes,
    those come first that need the least of it.

    ``osds`` and ``existing`` are OSDs and present PGs per OSD by group,
    ``pools`` the pools that a group holds at one time, ``sides`` how many
    groups share the same OSDs. Pools begin with ``initial`` PGs. A result
    may still pass ``limit`` when not even LEAST_PGS fit; the preflight
    refuses that.
    """
    ideal = {n: PGS_PER_OSD * number / size for n, number in osds.items()}
    wanted = _most_alike(ideal, osds)

    def fit(numbers: Mapping[str, int]) -> bool:
        if sum(numbers.values()) * pools > MAX_PGS:
            return False
        return all(
            existing.get(n, 0.0) + sides * pools * pgs * size / osds[n]
            <= limit
            for n, pgs in numbers.items()
        )

    # all of them, so that PGs per OSD stay alike
    while not fit(wanted) and max(wanted.values()) > LEAST_PGS:
        wanted = {n: max(LEAST_PGS, p // 2) for n, p in wanted.items()}
    if max(wanted.values()) <= initial and can_be_even(wanted, osds):
        return wanted
    found = [
        {n: int(p * factor) for n, p in wanted.items()} for factor in FACTORS
    ]
    for numbers in sorted(found, key=lambda n: max(initial, *n.values())):
        if (
            fit(numbers)
            and all(
                p >= max(LEAST_PGS, LEAST_LED * osds[n])
                for n, p in numbers.items()
            )
            and can_be_even(numbers, osds)
        ):
            return numbers
    return wanted


def least_max_mean(pg_num: int, osds: int) -> float:
    """Return max/mean of primaries when each OSD leads as alike as can be."""
    return math.ceil(pg_num / osds) * osds / pg_num


def can_be_even(numbers: Mapping[str, int], osds: Mapping[str, int]) -> bool:
    """Say whether primaries can be so even that saturated rows are judged.

    ``numbers`` are PGs, ``osds`` OSDs by group.
    """
    best = [least_max_mean(pg_num, osds[n]) for n, pg_num in numbers.items()]
    return max(best) <= Limits.primaries_max_mean and max(
        best
    ) <= Limits.primaries_apart * min(best)


def _most_alike(
    ideal: Mapping[str, float], osds: Mapping[str, int]
) -> Dict[str, int]:
    """Return the powers of two that give OSDs the most alike numbers.

    In the middle of the groups these are as near to ``ideal`` as powers are.
    """

    def from_one(least: str) -> Dict[str, int]:
        # what gives every other group as many per OSD as this one, or more
        pgs = nearest_power(ideal[least])
        needs = {n: -(-pgs * osds[n] // osds[least]) for n in osds}
        found = {n: 1 << (p - 1).bit_length() for n, p in needs.items()}
        over = sum(math.log2(found[n] / ideal[n]) for n in osds) / len(osds)
        down = max(0, math.ceil(over - 0.5))
        return {n: max(1, p >> down) for n, p in found.items()}

    def apart(found: Mapping[str, int]) -> float:
        per_osd = [found[n] / osds[n] for n in osds]
        return max(per_osd) / min(per_osd)

    return min((from_one(name) for name in osds), key=apart)
