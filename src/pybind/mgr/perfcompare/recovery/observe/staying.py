"""Tell PGs that were not clean before a recovery, and stay as they are.

A rule that finds too few hosts leaves PGs undersized or remapped for months.
They are no part of what happens meanwhile, and nobody waits for them.
"""

from typing import Dict, FrozenSet, Iterable, Mapping, Sequence, Tuple

import functools

from ...ports.recovery_reads import PgFacts, PgSums

# what is about to change, or changing
MOVING = frozenset(
    'recovering backfilling recovery_wait backfill_wait peering activating '
    'creating unknown stale'.split()
)
# words that come and go in a PG that stays as it is; an undersized one is
# degraded as soon as it has an object
PASSING = frozenset(
    'scrubbing deep snaptrim snaptrim_wait wait laggy inconsistent '
    'failed_repair degraded'.split()
)
SCRUBBED = 1.0  # seconds from the end of a scrub to the state after it


def lasting_words(pg: PgFacts) -> FrozenSet[str]:
    """Return the words of a PG's state that tell what it lacks."""
    return frozenset(pg.words) - PASSING


def was_so(pg: PgFacts, epoch: int, began: float) -> bool:
    """Say whether a PG was not clean before, and nothing changes that.

    Before an ``epoch`` and the time when that was; a scrub is no change.
    """
    if pg.clean and not pg.remapped:
        return False
    if pg.moved or pg.mapping_epoch >= epoch:
        return False
    if not MOVING.isdisjoint(pg.words):
        return False
    scrub = 'scrubbing' in pg.words
    scrub = scrub or abs(pg.last_change - pg.scrubbed) <= SCRUBBED
    changed = pg.became_active if scrub else pg.last_change
    return changed < began


def is_under_way(sums: PgSums, pgs: Iterable[PgFacts], since: float) -> bool:
    """Say whether something moves, or a PG became unclean since a time."""
    for state, count in sums.states.items():
        if count and not MOVING.isdisjoint(state.split('+')):
            return True
    return any(
        not was_so(pg, pg.mapping_epoch + 1, since)
        for pg in pgs
        if pg.degraded or pg.unfound
    )


Counts = Mapping[str, int]


def unclean_only(sums: PgSums) -> PgSums:
    """Return sums without counts of PGs that are clean, or moving."""

    def left(
        counts: Mapping[int, Mapping[str, int]],
    ) -> Dict[int, Dict[str, int]]:
        found = {i: _stuck(own) for i, own in counts.items()}
        return {i: own for i, own in found.items() if own}

    return sums._replace(
        states=_stuck(sums.states),
        by_osd=left(sums.by_osd),
        by_pool=left(sums.by_pool),
    )


def _stuck(counts: Counts) -> Dict[str, int]:
    return {s: n for s, n in counts.items() if n and _is_stuck(s)}


@functools.lru_cache(maxsize=256)
def _is_stuck(state: str) -> bool:
    words = set(state.split('+'))
    clean = {'active', 'clean'} <= words and 'remapped' not in words
    return not clean and MOVING.isdisjoint(words)


def without(
    counts: Counts, looks: Sequence[Counts]
) -> Tuple[Dict[str, int], int]:
    """Return counts of PGs without those that stay, and how many these are.

    ``looks`` are counts before, of PGs that were not clean. One look may
    have met what had just begun: two are needed.
    """
    if len(looks) < 2:
        return dict(counts), 0
    found, number = {}, 0
    for state, count in counts.items():
        less = min([count] + [look.get(state, 0) for look in looks])
        number += less
        found[state] = count - less
    return found, number
