"""Tell PGs that were not clean before a recovery, and stay as they are.

A rule that finds too few hosts leaves PGs undersized or remapped for months.
They are no part of what happens meanwhile, and nobody waits for them.
"""

from typing import (
    Dict,
    FrozenSet,
    Iterable,
    Mapping,
    NamedTuple,
    Sequence,
    Tuple,
)

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

Words = FrozenSet[str]


class Quiet(NamedTuple):
    """Hold what looks found before anything happened.

    ``sums`` are those of PGs that were not clean; one look may have met what
    had just begun: two are needed. ``words`` are the lasting ones of such
    PGs at the last look, where it was at each PG.
    """

    sums: Tuple[PgSums, ...] = ()
    words: Mapping[str, Words] = {}


def lasting_words(pg: PgFacts) -> Words:
    """Return the words of a PG's state that tell what it lacks."""
    return frozenset(pg.words) - PASSING


def is_stuck(pg: PgFacts) -> bool:
    """Say whether a PG is not clean, and nothing changes that."""
    whole = pg.clean and not pg.remapped
    return not whole and MOVING.isdisjoint(pg.words)


def was_so(pg: PgFacts, epoch: int, began: float) -> bool:
    """Say whether what a PG last reported is how it was stuck before.

    Before an ``epoch`` and the time when that was; a scrub is no change.
    """
    if not is_stuck(pg) or pg.mapping_epoch >= epoch:
        return False
    scrub = 'scrubbing' in pg.words
    scrub = scrub or abs(pg.last_change - pg.scrubbed) <= SCRUBBED
    changed = pg.became_active if scrub else pg.last_change
    return changed < began


def stuck_words(pgs: Iterable[PgFacts]) -> Dict[str, Words]:
    """Return the lasting words of PGs that are stuck."""
    return {pg.pgid: lasting_words(pg) for pg in pgs if is_stuck(pg)}


def is_new(pg: PgFacts, before: Mapping[str, Words], since: float) -> bool:
    """Say whether a PG lacks copies that it did not lack ``since``.

    That is when the looks ended that found words ``before``.
    """
    if not (pg.degraded or pg.unfound):
        return False
    if is_stuck(pg) and before.get(pg.pgid) == lasting_words(pg):
        return False
    return pg.moved or not was_so(pg, pg.mapping_epoch + 1, since)


Counts = Mapping[str, int]


def has_new(sums: PgSums, before: Sequence[PgSums]) -> bool:
    """Say whether PGs lack copies that had them in the last look before."""
    if any(n and _comes_back(s) for s, n in sums.states.items()):
        return True
    if not before:
        return False
    # an undersized PG is one before it has an object, too
    lacking = {_folded(s) for s, n in sums.states.items() if n and _lacks(s)}
    now, then = unclean_only(sums).states, before[-1].states
    return any(now.get(s, 0) > then.get(s, 0) for s in lacking)


def _comes_back(state: str) -> bool:
    """Say whether PGs of a state lack copies that are about to come."""
    words = set(state.split('+'))
    return 'degraded' in words and not MOVING.isdisjoint(words)


def _lacks(state: str) -> bool:
    return any(
        word == 'degraded' or word.endswith('_unfound')
        for word in state.split('+')
    )


def unclean_only(sums: PgSums) -> PgSums:
    """Return sums without counts of PGs that are clean, or moving.

    The others are counted by the lasting words of their states.
    """

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
    found: Dict[str, int] = {}
    for state, count in counts.items():
        if count and _is_stuck(state):
            lasting = _folded(state)
            found[lasting] = found.get(lasting, 0) + count
    return found


@functools.lru_cache(maxsize=256)
def _folded(state: str) -> str:
    return '+'.join(w for w in state.split('+') if w not in PASSING)


@functools.lru_cache(maxsize=256)
def _is_stuck(state: str) -> bool:
    words = set(state.split('+'))
    clean = {'active', 'clean'} <= words and 'remapped' not in words
    return not clean and MOVING.isdisjoint(words)


def without(
    counts: Counts, looks: Sequence[Counts]
) -> Tuple[Dict[str, int], int]:
    """Return counts of PGs without those that stay, and how many these are.

    ``looks`` are counts before, of PGs that were not clean. Of PGs that lack
    the same those stay first that are not degraded: nobody knows better.
    """
    if len(looks) < 2:
        return dict(counts), 0
    owed = {
        state: min(look.get(state, 0) for look in looks) for state in looks[0]
    }
    found, number = dict(counts), 0
    for state in sorted(counts, key=lambda s: 'degraded' in s.split('+')):
        if _is_stuck(state):
            lasting = _folded(state)
            less = min(counts[state], owed.get(lasting, 0))
            owed[lasting] = owed.get(lasting, 0) - less
            found[state] -= less
            number += less
    return found, number
