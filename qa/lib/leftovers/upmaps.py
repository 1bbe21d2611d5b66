"""Map PGs of others as they were, after OSDs had been out."""

from typing import Dict, List, NamedTuple, Tuple

from .entries import Entry
from .verdicts import Do, Settled, Verdict, Words, command
from .view import View

# seconds after which the monitors are taken to have dropped them again
PATIENCE = 15.0
AGAIN = 5.0


class Upmap(NamedTuple):
    """Hold by which exceptions from CRUSH one PG is mapped."""

    osds: Tuple[int, ...]  # all of its OSDs, in order
    items: Tuple[Tuple[int, int], ...]  # from -> to


def _read(text: str) -> Dict[str, Upmap]:
    """Return upmaps by PG of '3.1f=1,2,3 3.20=1>4,2>5'."""
    found = {}
    for word in text.split():
        pgid, _, named = word.partition('=')
        pool, _, seed = pgid.partition('.')
        int(pool), int(seed, 16)
        parts = [part.partition('>') for part in named.split(',')]
        osds = tuple(int(one) for one, sign, _ in parts if not sign)
        items = tuple((int(a), int(b)) for a, sign, b in parts if sign)
        found[pgid] = Upmap(osds, items)
    return found


def _in_force(view: View) -> Dict[str, Upmap]:
    places = {
        one['pgid']: tuple(one['osds'])
        for one in view.osd_map.get('pg_upmap', ())
    }
    items = {
        one['pgid']: tuple(
            (pair['from'], pair['to']) for pair in one['mappings']
        )
        for one in view.osd_map.get('pg_upmap_items', ())
    }
    return {
        pg: Upmap(places.get(pg, ()), items.get(pg, ()))
        for pg in {*places, *items}
    }


def _able(pgid: str, upmap: Upmap, view: View) -> bool:
    """Say whether PG and OSDs are there, and in where they get it."""
    pool, _, seed = pgid.partition('.')
    sizes = {str(p['pool']): p['pg_num'] for p in view.pools().values()}
    targets = {*upmap.osds, *(target for _, target in upmap.items)}
    sources = [view.osd(source) for source, _ in upmap.items]
    found = [view.osd(osd) for osd in sorted(targets)]
    return (
        int(seed, 16) < sizes.get(pool, 0)
        and all(sources)
        and all(o and o['in'] for o in found)
    )


def mapped(entry: Entry, view: View) -> Verdict:
    """Set again what is not set, and was not set otherwise meanwhile."""
    now, steps, kept = _in_force(view), [], 0
    for pgid, upmap in sorted(_read(entry.detail['upmaps']).items()):
        found = now.get(pgid)
        if found == upmap:
            continue
        rest = found is None or (
            found.osds in ((), upmap.osds)
            and set(found.items) <= set(upmap.items)
        )
        if rest and _able(pgid, upmap, view):
            steps += _commands(pgid, upmap)
        else:
            kept += 1
    passed = view.since('upmaps', entry.key) > PATIENCE
    if steps and (not passed or view.failures.get(entry.key)):
        return Do(tuple(steps), PATIENCE, AGAIN, apart=True)
    kept += len(steps)
    return Settled(
        '%d PGs are mapped otherwise than before' % kept if kept else ''
    )


def _commands(pgid: str, upmap: Upmap) -> List[Words]:
    made = []
    if upmap.osds:
        made.append(command('osd', 'pg-upmap', pgid, *map(str, upmap.osds)))
    if upmap.items:
        pairs = [str(osd) for pair in upmap.items for osd in pair]
        made.append(command('osd', 'pg-upmap-items', pgid, *pairs))
    return made
