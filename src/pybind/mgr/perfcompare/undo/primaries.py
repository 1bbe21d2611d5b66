"""Let OSDs lead PGs of others as before, after OSDs had been out.

Some releases drop such choices (`osd pg-upmap-primary`, since reef) where
the OSD is out meanwhile. The monitors take one only while the OSD is in the
acting set: PGs have to be home first.
"""

from typing import (
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Protocol,
    Tuple,
)

import errno
import functools
import logging

from ..common.errors import CommandFailed, PerfcompareError
from ..common.parallel import run_concurrently
from ..common.units import count
from ..model.topology import PgMapping, Pool
from ..ports.faults import FaultReads, FaultWrites
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads
from .entries import Entry, Kind
from .upmaps import PART, REFUSED, THREADS

log = logging.getLogger(__name__)

KEY = 'primaries'  # of the detail of an entry that names them
# words of refusals (EINVAL, as others) that hold for a while: the mgr's map
# was older, or the OSD leads only until data is home (`pg_temp`)
PASSING = ('is not in acting set', 'is already primary')


class _Asked(NamedTuple):
    """Hold PGs for which the monitors were asked in vain."""

    passing: List[str]  # refused, for a while
    refused: List[str]  # for good
    dropped: List[str]  # taken, and not there afterwards


class Needs(FaultReads, FaultWrites, PgReads, PoolReads, Protocol):
    """Name what is asked of a cluster here."""


def texts(primaries: Mapping[str, int]) -> List[str]:
    """Return them as words '3.1f=4', in parts that fit into entries."""
    parts: List[str] = []
    for pg, osd in sorted(primaries.items()):
        word = f'{pg}={osd}'
        if parts and len(parts[-1]) + len(word) < PART:
            parts[-1] += f' {word}'
        else:
            parts.append(word)
    return parts


def read(text: str) -> Dict[str, int]:
    """Return the primaries of a part; ValueError for anything else."""
    found = {}
    for word in text.split():
        pg, _, osd = word.partition('=')
        pool, _, seed = pg.partition('.')
        int(pool), int(seed, 16)
        found[pg] = int(osd)
    return found


def only(entries: Iterable[Entry]) -> bool:
    """Say whether primaries are all of a run that is left to undo."""
    kinds = {
        None if e.kind is Kind.UPMAPS and KEY in e.detail else e.kind
        for e in entries
    }
    # what the operator allowed stays for the next attempt
    return None in kinds and kinds <= {None, Kind.CONSENT}


def restore(
    cluster: Needs,
    wanted: Mapping[str, int],
    settle: Callable[[Callable[[], bool]], None],
) -> List[str]:
    """Let OSDs lead PGs again; say of how many that was not done.

    ``settle`` waits until the OSD map shows something, for a while. Raises
    PerfcompareError while PGs have their data elsewhere or OSDs are down,
    and what the monitors raise, but where they never take one.
    """
    now = cluster.foreign_primaries()
    others = [pg for pg, osd in wanted.items() if now.get(pg, osd) != osd]
    able, away, unable = _sorted(
        cluster, {pg: osd for pg, osd in wanted.items() if pg not in now}
    )
    asked = _choose(cluster, able, settle)
    away += asked.passing
    if away:
        # EIO: to try at once again would only wait longer
        raise PerfcompareError(
            f'{count(len(away), "PG")} of others have their data elsewhere '
            'yet, or OSDs of theirs are down: their primaries are chosen '
            'again when that is over',
            errno.EIO,
        )
    told = [
        (others, 'set otherwise meanwhile'),
        (unable, 'not set, as their OSDs have these PGs no more'),
        (asked.refused, 'refused by the Monitors'),
        (asked.dropped, 'dropped again by the Monitors'),
    ]
    return [
        f'primaries {why}: {count(len(pgs), "PG")}'
        for pgs, why in told
        if pgs
    ]


def _sorted(
    cluster: Needs, missing: Mapping[str, int]
) -> Tuple[Dict[str, int], List[str], List[str]]:
    """Return those to choose, those that have to wait and those lost."""
    # who is down is in no up set, and may be back in a minute; the data of
    # one that was marked out for it goes elsewhere
    down = {
        osd
        for osd, found in cluster.osd_flagged().items()
        if found.in_ and not found.up
    }
    sizes = {str(pool.id): pool.size for pool in cluster.pools()}
    able: Dict[str, int] = {}
    away: List[str] = []
    unable: List[str] = []
    for pg, place in _places(cluster, missing).items():
        osd = missing[pg]
        if osd not in place.up:
            (away if osd in down else unable).append(pg)
        elif osd not in place.acting:
            away.append(pg)
        elif osd != place.acting[0]:
            able[pg] = osd
        elif osd != place.up[0]:
            away.append(pg)  # leads only until data is home (`pg_temp`)
        elif down and _fewer(place, sizes.get(pg.partition('.')[0], 0)):
            away.append(pg)  # leads, maybe, only until another is up
    return able, away, unable


def _fewer(place: PgMapping, size: int) -> bool:
    """Say whether a PG has fewer OSDs than its pool's size; holes are -1."""
    return sum(osd >= 0 for osd in place.up) < size


def _choose(
    cluster: Needs,
    able: Mapping[str, int],
    settle: Callable[[Callable[[], bool]], None],
) -> _Asked:
    """Ask the monitors that OSDs lead; say what did not come of it."""
    if not able:  # the whole map is asked for below
        return _Asked([], [], [])
    answers = run_concurrently(
        [functools.partial(_led, cluster, *one) for one in able.items()],
        THREADS,
    )
    refused = {
        pg: not any(words in text for words in PASSING)
        for pg, text in zip(able, answers)
        if text
    }
    # such as an attempt chose that had no answer are there, too
    sought = {pg for pg in able if not refused.get(pg)}
    settle(lambda: cluster.foreign_primaries().keys() >= sought)
    lacking = sorted(sought - cluster.foreign_primaries().keys())
    return _Asked(
        [pg for pg in lacking if pg in refused],
        [pg for pg, for_good in refused.items() if for_good],
        [pg for pg in lacking if pg not in refused],
    )


def _places(cluster: Needs, pgs: Iterable[str]) -> Dict[str, PgMapping]:
    """Return where PGs are; those that are gone are left out."""
    wanted = set(pgs)
    ids = {pg.partition('.')[0] for pg in wanted}
    found: Dict[str, PgMapping] = {}
    for pool in cluster.pools():
        if str(pool.id) in ids:
            places = _pool_places(cluster, pool)
            found.update((pg, places[pg]) for pg in wanted & places.keys())
    return found


def _pool_places(cluster: Needs, pool: Pool) -> Dict[str, PgMapping]:
    """Return where PGs of a pool are, none when it is gone by now."""
    try:
        places = cluster.pg_map(pool.name)
    except PerfcompareError as error:
        if error.errno != errno.ENOENT:
            raise
        return {}
    return {f'{pool.id}.{place.ps:x}': place for place in places}


def _led(cluster: Needs, pg: str, osd: int) -> str:
    """Have an OSD lead a PG; return why the monitors take it not, or ''."""
    try:
        cluster.primary_again(pg, osd)
    except CommandFailed as error:
        if error.errno not in REFUSED:
            raise
        log.warning('primary of PG %s: %s', pg, error.message)
        return error.message
    return ''
