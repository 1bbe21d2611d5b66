"""Let OSDs lead PGs of others as before, after OSDs had been out.

The monitors take a choice (`osd pg-upmap-primary`) only while the OSD is in
the acting set: PGs have to be home first.
"""

from typing import Dict

from .ceph import told
from .entries import Entry
from .upmaps import AGAIN, PATIENCE
from .verdicts import Do, Left, Settled, Verdict, command
from .view import View

KEY = 'primaries'  # of the detail of an entry that names them
AWAY = '%d PGs have their data elsewhere yet, or OSDs of theirs are down'
LATER = (
    'when all OSDs are up and in again and data is home, run this again; an '
    'OSD that never comes back: ceph osd out'
)


def _read(text: str) -> Dict[str, int]:
    """Return OSDs by PG of '3.1f=4 3.20=7'."""
    found = {}
    for word in text.split():
        pgid, _, osd = word.partition('=')
        pool, _, seed = pgid.partition('.')
        int(pool), int(seed, 16)
        found[pgid] = int(osd)
    return found


def _state(pgid: str, osd: int, view: View) -> str:
    """Say whether an OSD can lead a PG: 'able', 'away', 'lost', or ''.

    '' where there is nothing to choose: the PG is gone, or led by the OSD.
    """
    pool, _, seed = pgid.partition('.')
    pools = {str(p['pool']): p for p in view.pools().values()}
    if pool not in pools or int(seed, 16) >= pools[pool]['pg_num']:
        return ''
    up, acting = view.places(pgid)
    if osd not in up:
        # who is down is in no up set, and may be back in a minute
        found = view.osd(osd)
        return 'away' if found and found['in'] and not found['up'] else 'lost'
    if osd not in acting:
        return 'away'
    if osd != acting[0]:
        return 'able'
    # one that comes later by the map leads only until data is home, and
    # one of fewer than there are to be, maybe, only until another is up
    fewer = sum(view.osd(one) is not None for one in up) < pools[pool]['size']
    return 'away' if osd != up[0] or (fewer and _down(view)) else ''


def _down(view: View) -> bool:
    """Say whether an OSD is down that is in, and may come back."""
    return any(o['in'] and not o['up'] for o in view.osd_map['osds'])


def chosen(entry: Entry, view: View) -> Verdict:
    """Choose again what is not chosen, and was not otherwise meanwhile."""
    wanted, now = _read(entry.detail[KEY]), view.primaries()
    missing = {pg: osd for pg, osd in wanted.items() if pg not in now}
    states = {pg: _state(pg, osd, view) for pg, osd in missing.items()}
    steps = tuple(
        command('osd', 'pg-upmap-primary', pg, str(missing[pg]))
        for pg, state in sorted(states.items())
        if state == 'able'
    )
    passed = view.since(KEY, entry.key) > PATIENCE
    if steps and not passed:
        return Do(steps, PATIENCE, AGAIN, apart=True)
    failure = view.failures.get(entry.key)
    if steps and failure:
        forget = told(('config-key', 'rm', entry.key))
        return Left(
            failure, '%s; if they never take it: %s' % (LATER, forget)
        )
    found = list(states.values())
    if 'away' in found:
        return Left(AWAY % found.count('away'), LATER)
    kept = len(steps) + found.count('lost')
    kept += sum(now.get(pg, osd) != osd for pg, osd in wanted.items())
    return Settled(
        '%d PGs are led otherwise than before' % kept if kept else ''
    )
