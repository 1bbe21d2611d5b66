"""Choose ordered OSD sets, so that a pool falls evenly on its OSDs.

Luck in the placement of a small pool weighs more than what is measured: two
pools on the same hardware differ by 10 % in saturated reads when primaries
fall unevenly. First PGs are moved between OSDs of the same failure domain or
of unused ones, then the sets are reordered so that primaries are even, too.
Pure functions; the changes are made by placement.py with explicit upmaps.
"""

from typing import (
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Sequence,
    Set,
    Tuple,
)

import bisect
import dataclasses

Sets = Dict[int, Tuple[int, ...]]  # ps -> OSDs, the primary first


@dataclasses.dataclass(frozen=True)
class Spread:
    """Count PGs and primaries by OSD, idle OSDs of the group included."""

    primaries: Dict[int, int]
    pgs: Dict[int, int]

    @property
    def primaries_max_mean(self) -> float:
        """Return primaries of the busiest OSD over the mean."""
        return _max_mean(self.primaries)

    @property
    def pgs_max_mean(self) -> float:
        """Return PGs, replicas counted, of the fullest OSD over the mean."""
        return _max_mean(self.pgs)


def _max_mean(counts: Mapping[int, int]) -> float:
    total = sum(counts.values())
    return max(counts.values()) * len(counts) / total if total else 1.0


def spread(sets: Mapping[int, Sequence[int]], osds: Sequence[int]) -> Spread:
    """Count the sets (ps -> OSDs, primary first; < 0 is a hole)."""
    primaries = {osd: 0 for osd in osds}
    pgs = dict(primaries)
    for members in sets.values():
        present = [osd for osd in members if osd >= 0]
        for osd in present:
            pgs[osd] = pgs.get(osd, 0) + 1
        for osd in present[:1]:
            primaries[osd] = primaries.get(osd, 0) + 1
    return Spread(primaries, pgs)


def balanced(
    sets: Mapping[int, Sequence[int]], domains: Mapping[int, str]
) -> Sets:
    """Return better sets for the PGs whose set should change.

    ``domains`` gives the failure domain of each OSD that the rule can
    choose. Each set keeps its size and one OSD per domain. Sets with holes
    or unknown OSDs stay as they are. As few PGs as possible change.
    """
    fixed = {
        ps: tuple(members)
        for ps, members in sets.items()
        if any(osd not in domains for osd in members)
    }
    free = {ps: list(m) for ps, m in sets.items() if ps not in fixed}
    if not free:
        return {}
    level = spread(fixed, list(domains))
    _level_pgs(free, dict(level.pgs), domains)
    _level_primaries(free, dict(level.primaries))
    return {
        ps: tuple(members)
        for ps, members in sorted(free.items())
        if tuple(members) != tuple(sets[ps])
    }


class _Ranks:
    """Keep OSDs in the order of how many PGs they have, or lead."""

    def __init__(self, counts: Dict[int, int], osds: Iterable[int]) -> None:
        self.counts = counts
        self._osds: Dict[int, List[int]] = {}  # by their count
        for osd in sorted(osds):
            self._osds.setdefault(counts[osd], []).append(osd)

    def down(self) -> Iterator[int]:
        """Yield those that may give one away, from the most on."""
        least = min(self._osds)
        for number in sorted(self._osds, reverse=True):
            if number < least + 2:
                return
            yield from self._osds[number]

    def up(self, source: int) -> Iterator[int]:
        """Yield those with two less than ``source``, from the fewest on."""
        for number in sorted(self._osds):
            if number > self.counts[source] - 2:
                return
            yield from self._osds[number]

    def change(self, osd: int, by: int) -> None:
        """Count more or less of an OSD; what was yielded is void then."""
        number = self.counts[osd]
        rest = self._osds[number]
        del rest[bisect.bisect_left(rest, osd)]
        if not rest:
            del self._osds[number]
        self.counts[osd] = number + by
        bisect.insort(self._osds.setdefault(number + by, []), osd)


def _level_pgs(
    free: Dict[int, List[int]],
    counts: Dict[int, int],
    domains: Mapping[int, str],
) -> None:
    """Move PGs from full to less full OSDs until no move helps."""
    held: Dict[int, Set[int]] = {osd: set() for osd in domains}
    for ps, members in free.items():
        for osd in members:
            counts[osd] += 1
            held[osd].add(ps)
    ranks = _Ranks(counts, domains)
    while any(
        _move_one(source, free, ranks, held, domains)
        for source in ranks.down()
    ):
        pass


def _move_one(
    source: int,
    free: Dict[int, List[int]],
    ranks: _Ranks,
    held: Dict[int, Set[int]],
    domains: Mapping[int, str],
) -> bool:
    """Move one PG from ``source`` to an OSD with two PGs less, or fewer."""
    for target in ranks.up(source):
        for ps in sorted(held[source] - held[target]):
            used = {domains[o] for o in free[ps] if o != source}
            if domains[target] in used:
                continue
            free[ps][free[ps].index(source)] = target
            held[source].discard(ps)
            held[target].add(ps)
            ranks.change(source, -1)
            ranks.change(target, 1)
            return True
    return False


def _level_primaries(
    free: Dict[int, List[int]], counts: Dict[int, int]
) -> None:
    """Reorder sets until no chain of swaps evens out primaries more."""
    for members in free.values():
        counts[members[0]] += 1
    leads: Dict[int, Set[int]] = {osd: set() for osd in counts}
    for ps, members in free.items():
        leads[members[0]].add(ps)
    ranks = _Ranks(counts, counts)
    improved = True
    while improved:
        improved = False
        for source in ranks.down():
            chain = _chain(source, free, counts, leads)
            if chain:
                for ps, osd in chain:
                    _lead(ps, osd, free, ranks, leads)
                improved = True
                break


def _chain(
    source: int,
    free: Dict[int, List[int]],
    counts: Dict[int, int],
    leads: Dict[int, Set[int]],
) -> List[Tuple[int, int]]:
    """Return the shortest chain of new primaries that relieves ``source``.

    A breadth-first search for an augmenting path, as for a maximum flow:
    it ends at an OSD that leads at least two PGs less than ``source``.
    """
    came: Dict[int, Tuple[int, int]] = {}  # OSD -> (its new PG, from OSD)
    queue, seen = [source], {source}
    while queue:
        found: List[int] = []
        for osd in queue:
            for ps in sorted(leads[osd]):
                for other in free[ps]:
                    if other not in seen:
                        seen.add(other)
                        came[other] = (ps, osd)
                        found.append(other)
        ends = [o for o in found if counts[o] <= counts[source] - 2]
        if ends:
            return _path(min(ends, key=lambda o: (counts[o], o)), came)
        queue = found
    return []


def _path(
    end: int, came: Mapping[int, Tuple[int, int]]
) -> List[Tuple[int, int]]:
    steps = []
    while end in came:
        ps, former = came[end]
        steps.append((ps, end))
        end = former
    return steps


def _lead(
    ps: int,
    osd: int,
    free: Dict[int, List[int]],
    ranks: _Ranks,
    leads: Dict[int, Set[int]],
) -> None:
    """Make ``osd`` the primary of a PG."""
    members = free[ps]
    place = members.index(osd)
    former = members[0]
    members[0], members[place] = osd, former
    ranks.change(former, -1)
    ranks.change(osd, 1)
    leads[former].discard(ps)
    leads[osd].add(ps)
