"""Map PGs of others as they were, after OSDs had been out.

The monitors drop for good what maps a PG by name where an OSD of it is out,
or where it does not fit the places that CRUSH finds meanwhile.
"""

from typing import Callable, Dict, Iterable, List, Protocol, Sequence, Tuple

import errno
import functools
import logging

from ..common.errors import CommandFailed
from ..common.parallel import run_concurrently
from ..common.units import count
from ..ports.clock import Clock
from ..ports.faults import FaultReads, FaultWrites, Upmap
from ..ports.pools import PoolReads
from .entries import Entry, Kind

log = logging.getLogger(__name__)

PART = 3000  # characters; entries of the mon store stay under 4 KiB
SHOWN = 10.0  # seconds for the mgr's OSD map to follow
POLL = 0.5
THREADS = 64  # each waits for its change of the map, a second or two
# whatever is tried again: its pool has fewer copies now, or an OSD is gone
REFUSED = (errno.EINVAL, errno.ENOENT)

Call = Callable[[], None]


class Needs(FaultReads, FaultWrites, PoolReads, Protocol):
    """Name what is asked of a cluster here."""


def texts(upmaps: Iterable[Upmap]) -> List[str]:
    """Return upmaps as words, in parts that fit into entries."""
    parts: List[str] = []
    for upmap in upmaps:
        word = _word(upmap)
        if parts and len(parts[-1]) + len(word) < PART:
            parts[-1] += f' {word}'
        else:
            parts.append(word)
    return parts


def _word(upmap: Upmap) -> str:
    """Return '3.1f=1,2,3' or '3.1f=1>4,2>5'."""
    named = [str(o) for o in upmap.osds]
    named += [f'{source}>{target}' for source, target in upmap.items]
    return f'{upmap.pgid}={",".join(named)}'


def read(text: str) -> Tuple[Upmap, ...]:
    """Return the upmaps of a part; ValueError for anything else."""
    found = []
    for word in text.split():
        pgid, _, named = word.partition('=')
        pool, _, seed = pgid.partition('.')
        int(pool), int(seed, 16)
        parts = [part.partition('>') for part in named.split(',')]
        osds = tuple(int(one) for one, sign, _ in parts if not sign)
        items = tuple((int(a), int(b)) for a, sign, b in parts if sign)
        found.append(Upmap(pgid, osds, items))
    return tuple(found)


def handlers(
    cluster: Needs, clock: Clock
) -> Dict[Kind, Callable[[Entry], str]]:
    """Return the handler of the kind."""

    def together(calls: Sequence[Call]) -> None:
        run_concurrently(calls, THREADS)

    settle = functools.partial(settled, clock)

    def mapped(entry: Entry) -> str:
        wanted = read(entry.detail['upmaps'])
        return '; '.join(restore(cluster, wanted, together, settle))

    return {Kind.UPMAPS: mapped}


def settled(clock: Clock, shown: Callable[[], bool]) -> None:
    """Wait until the mgr's OSD map shows something, for a while."""
    deadline = clock.monotonic() + SHOWN
    while not shown() and clock.monotonic() < deadline:
        clock.wait(POLL)


def restore(
    cluster: Needs,
    wanted: Sequence[Upmap],
    together: Callable[[Sequence[Call]], None],
    settle: Callable[[Callable[[], bool]], None],
) -> List[str]:
    """Map PGs as they were; say of which ones that was not done.

    ``together`` makes changes at one time, ``settle`` waits until the OSD
    map shows them, for a while. Raises what the monitors raise, but where
    they never take one: the others are set.
    """
    missing, others = _missing(cluster, wanted)
    able, unable = _fitting(cluster, missing)
    refused: List[Upmap] = []

    def again(upmap: Upmap) -> None:
        try:
            cluster.upmap_again(upmap)
        except CommandFailed as error:
            if error.errno not in REFUSED:
                raise
            log.warning('upmap of PG %s: %s', upmap.pgid, error.message)
            refused.append(upmap)

    together([functools.partial(again, u) for u in able])
    able = [upmap for upmap in able if upmap not in refused]
    settle(lambda: not _missing(cluster, able)[0])
    dropped, _ = _missing(cluster, able)
    told = [
        (others, 'set otherwise meanwhile'),
        (unable, 'not set, as OSDs are out or gone'),
        (refused, 'refused by the Monitors'),
        (dropped, 'dropped again by the Monitors'),
    ]
    return [f'{why}: {count(len(some), "PG")}' for some, why in told if some]


def _missing(
    cluster: Needs, wanted: Iterable[Upmap]
) -> Tuple[List[Upmap], List[Upmap]]:
    """Return what is not in force, and where others have set another."""
    now = cluster.foreign_upmaps()
    missing, others = [], []
    for upmap in wanted:
        found = now.get(upmap.pgid)
        if found is None or found.part_of(upmap):
            missing.append(upmap)
        elif found != upmap:
            others.append(upmap)
    return missing, others


def _fitting(
    cluster: Needs, upmaps: Iterable[Upmap]
) -> Tuple[List[Upmap], List[Upmap]]:
    """Return those whose OSDs are there, and others of PGs that are."""
    known = cluster.osd_flagged()
    inside = {osd for osd, found in known.items() if found.in_}
    sizes = {str(pool.id): pool.pg_num for pool in cluster.pools()}
    able: List[Upmap] = []
    unable: List[Upmap] = []
    for upmap in upmaps:
        pool, _, seed = upmap.pgid.partition('.')
        if int(seed, 16) >= sizes.get(pool, 0):
            continue  # gone, with its pool or by a merge
        fits = upmap.targets <= inside and upmap.sources <= set(known)
        (able if fits else unable).append(upmap)
    return able, unable
