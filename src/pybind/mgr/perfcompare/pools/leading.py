"""Choose primaries by what they serve, not by their number.

PGs of a small population hold few objects each, so that OSDs which lead as
many PGs may lead 5 % more objects: the busiest one bounds what a saturated
pool can do, in each trial alike, and no repetition shows it. Only the order
within sets changes, so no data move. Pure functions, as in balance.py.
"""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from .balance import Sets

# what may change: a PG with its new primary, and one in exchange or none
Exchange = Tuple[int, int, Optional[int]]


def led_max_mean(
    sets: Mapping[int, Sequence[int]],
    objects: Mapping[int, int],
    osds: Sequence[int],
) -> float:
    """Return what the busiest OSD leads over the mean.

    ``objects`` are counts by ps, of objects or of bytes. 0: there are none.
    """
    led = _led(sets, objects, osds)
    total = sum(led.values())
    return max(led.values()) * len(led) / total if total else 0.0


def leveled(
    sets: Mapping[int, Sequence[int]],
    objects: Mapping[int, int],
    osds: Sequence[int],
) -> Sets:
    """Return the sets (ps -> OSDs, primary first) in a better order.

    Each step takes from the OSD that leads most, so that the sum of squares
    falls until no exchange of one or two PGs helps. Sets with holes or with
    OSDs besides ``osds`` stay as they are. Returns only what changes.
    """
    led = _led(sets, objects, osds)
    order = {ps: list(members) for ps, members in sets.items()}
    free: Dict[int, List[int]] = {osd: [] for osd in led}
    for ps, members in sorted(order.items()):
        if all(osd in free for osd in members):
            free[members[0]].append(ps)
    step = _next(order, objects, led, free)
    while step is not None:
        ps, osd, other = step
        source = order[ps][0]
        _lead(ps, osd, order, objects, led, free)
        if other is not None:
            _lead(other, source, order, objects, led, free)
        step = _next(order, objects, led, free)
    return {
        ps: tuple(members)
        for ps, members in sorted(order.items())
        if tuple(members) != tuple(sets[ps])
    }


def _led(
    sets: Mapping[int, Sequence[int]],
    objects: Mapping[int, int],
    osds: Sequence[int],
) -> Dict[int, int]:
    led = {osd: 0 for osd in osds}
    for ps, members in sets.items():
        for osd in [o for o in members if o >= 0][:1]:
            led[osd] = led.get(osd, 0) + objects.get(ps, 0)
    return led


def _next(
    order: Mapping[int, Sequence[int]],
    objects: Mapping[int, int],
    led: Mapping[int, int],
    free: Mapping[int, Sequence[int]],
) -> Optional[Exchange]:
    """Return what relieves the OSD that leads most of those that can be."""
    for source in sorted(led, key=lambda o: (-led[o], o)):
        found = _best(source, order, objects, led, free)
        if found is not None:
            return found
    return None


def _best(
    source: int,
    order: Mapping[int, Sequence[int]],
    objects: Mapping[int, int],
    led: Mapping[int, int],
    free: Mapping[int, Sequence[int]],
) -> Optional[Exchange]:
    """Return the exchange that relieves ``source`` most, None for none."""
    best: Optional[Exchange] = None
    most = 0
    for ps in free[source]:
        for osd in order[ps][1:]:
            apart = led[source] - led[osd]
            if apart <= 1:
                continue
            back = [q for q in free[osd] if source in order[q]]
            for other in (None, *back):
                given = objects.get(ps, 0)
                if other is not None:
                    given -= objects.get(other, 0)
                gain = given * (apart - given)
                if gain > most:
                    best, most = (ps, osd, other), gain
    return best


def _lead(
    ps: int,
    osd: int,
    order: Mapping[int, List[int]],
    objects: Mapping[int, int],
    led: Dict[int, int],
    free: Mapping[int, List[int]],
) -> None:
    """Make ``osd`` the primary of a PG."""
    members = order[ps]
    former, place = members[0], members.index(osd)
    members[0], members[place] = osd, former
    free[former].remove(ps)
    free[osd].append(ps)
    led[former] -= objects.get(ps, 0)
    led[osd] += objects.get(ps, 0)
