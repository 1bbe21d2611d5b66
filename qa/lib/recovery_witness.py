#!/usr/bin/env python3
"""Time recoveries from outside, and know nothing of perfcompare.

Every 0.2 s it asks the mon for the OSD map and each PG's primary for the
state of the PG: what a Manager knows is seconds old. PGs are asked for by
the admin sockets of the OSDs (`ceph daemon osd.N pg <pgid> query`), because
librados may crash when it sends commands to PGs whose OSDs come and go. Runs
where librados and the sockets are, prints one JSON line at the end:

    recovery_witness.py CONF SECONDS POOL...

{"t1": …, "t2": …, …} in Unix seconds: t1 when the map changed, t2 when all
PGs were active again for half a second, t3 when one was recovering or
backfilling, t4 when none was degraded any more, t5 when all were clean for
good; null for what was not seen. With them "states": every state seen,
and "lag": by how many seconds looks at the map came late, at the worst.
"turns" has the same moments of each recovery by itself: another one begins
with a change of the map before which all PGs were clean for a second, after
some were not, or one that comes long after the last one.
"""

from typing import Any, Dict, List, Optional, Tuple

import glob
import json
import os
import socket
import struct
import sys
import threading
import time

import rados

PERIOD = 0.2
HOLD = 0.5
NO_OSD = 0x7FFFFFFF  # where an erasure-coded PG lacks a chunk
EARLY = 1.0  # a PG may be seen to change before the map is
LONG = 5.0  # seconds without a change of the map: what follows is new

# at each time, what was seen last of each PG
Course = List[Tuple[float, List[Any]]]


class Looks:
    """Look at one thing again and again in a thread of its own."""

    def __init__(self, look: Any, until: float) -> None:
        self.seen: List[Tuple[float, Any]] = []
        self.lag = 0.0
        self._look = look
        self._until = until
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        last = None
        while time.time() < self._until:
            start = time.time()
            try:
                found = self._look()
            except (rados.Error, ValueError, KeyError):
                found = None
            if found is not None and found != last:
                # as it was at some time between question and answer
                self.seen.append(((start + time.time()) / 2, found))
                last = found
            time.sleep(max(0.0, PERIOD - (time.time() - start)))
            self.lag = max(self.lag, time.time() - start - PERIOD)

    def at(self, when: float) -> Any:
        """Return what was seen last at a time."""
        found = None
        for at, what in self.seen:
            if at > when:
                break
            found = what
        return found


def ask_mon(client: rados.Rados, prefix: str) -> Any:
    """Return the JSON answer of a mon command."""
    command = json.dumps({'prefix': prefix, 'format': 'json'})
    code, out, _ = client.mon_command(command, b'', timeout=10)
    if code:
        raise ValueError(code)
    return json.loads(out)


def osd_facts(client: rados.Rados, pools: List[str]) -> Any:
    """Return what of the map moves PGs, and which pools are there yet."""
    osdmap = ask_mon(client, 'osd dump')
    return {
        'osds': [
            [o['osd'], o['up'], o['in'], o['weight'], o['up_from']]
            for o in osdmap['osds']
        ],
        'upmaps': osdmap.get('pg_upmap_items', []),
        'pools': [
            p['pool'] for p in osdmap['pools'] if p['pool_name'] in pools
        ],
    }


class Sockets:
    """Ask OSDs by their admin sockets."""

    def __init__(self, folder: str) -> None:
        self._paths = os.path.join(folder, 'osd.*.asok')
        self._primary: Dict[str, str] = {}  # of each PG, when it last spoke

    def pg_state(self, pgid: str) -> Any:
        """Return state, up and acting of a PG as its primary has them.

        Others that hold it, such as one whose copy is to be removed, answer
        with a state that is nobody's. Raises ValueError while no OSD is its
        primary.
        """
        last = self._primary.get(pgid, '')
        others = [p for p in glob.glob(self._paths) if p != last]
        for path in [last] * bool(last) + others:
            try:
                data = ask_socket(path, prefix='pg', pgid=pgid, cmd='query')
            except (OSError, ValueError, struct.error):
                continue  # it is stopped, or not the primary
            osds = [o for o in data.get('acting', []) if o != NO_OSD]
            if osds and os.path.basename(path) == f'osd.{osds[0]}.asok':
                self._primary[pgid] = path
                return [data['state'], data['up'], data['acting']]
        raise ValueError(pgid)


def ask_socket(path: str, **command: str) -> Any:
    """Return the JSON answer of a daemon on this machine."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(5.0)
        client.connect(path)
        text = json.dumps(dict(command, format='json'))
        client.sendall(text.encode() + b'\0')
        with client.makefile('rb') as answer:
            (length,) = struct.unpack('>I', answer.read(4))
            return json.loads(answer.read(length))


def connected(conf: str) -> rados.Rados:
    """Return a connection of its own."""
    client = rados.Rados(conffile=conf, name='client.admin')
    client.connect(timeout=20)
    return client


def main() -> None:
    """Watch, then print what was seen."""
    conf, seconds, pools = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    client = connected(conf)
    until = time.time() + seconds
    osdmap = ask_mon(client, 'osd dump')
    pgids = [
        '%d.%x' % (pool['pool'], ps)
        for pool in osdmap['pools']
        if pool['pool_name'] in pools
        for ps in range(pool['pg_num'])
    ]
    maps = Looks(lambda: osd_facts(client, pools), until)
    osds = Sockets(client.conf_get('run_dir'))
    pgs = {p: Looks(lambda p=p: osds.pg_state(p), until) for p in pgids}
    print(json.dumps({'watching': len(pgids)}), flush=True)
    for looks in [maps] + list(pgs.values()):
        looks.thread.join(max(0.1, until + 15 - time.time()))
    print(json.dumps(judged(maps, pgs)), flush=True)
    # threads that still wait for an answer must not meet a closed connection
    os._exit(0)


def judged(maps: Looks, pgs: Dict[str, Looks]) -> Dict[str, Any]:
    """Return the moments, of all and of each turn."""
    # PGs of a pool that is being removed tell of nothing
    end = next(
        (
            at - EARLY
            for at, what in maps.seen
            if what['pools'] != maps.seen[0][1]['pools']
        ),
        float('inf'),
    )
    changes = [at for at, _ in maps.seen[1:] if at < end]
    times = sorted({at for looks in pgs.values() for at, _ in looks.seen})
    course = [
        (at, [looks.at(at) for looks in pgs.values()])
        for at in times
        if at < end
    ]
    found = moments(changes[0] if changes else None, course)
    found.update(changes=changes, lag=maps.lag)
    found['states'] = sorted(
        {what[0] for looks in pgs.values() for _, what in looks.seen}
    )
    begins = beginnings(changes, course)
    found['turns'] = [
        moments(t1, [c for c in course if c[0] <= following - EARLY])
        for t1, following in zip(begins, begins[1:] + [float('inf')])
    ]
    return found


def beginnings(changes: List[float], course: Course) -> List[float]:
    """Return the changes of the map with which a recovery began."""
    begins = changes[:1]
    for last, change in zip(changes, changes[1:]):
        now = [
            is_clean(n)
            for at, n in course
            if begins[-1] < at <= change - EARLY
        ]
        clean_again = now and now[-1] and not all(now)
        if clean_again or change - last > LONG:
            begins.append(change)
    return begins


def moments(t1: Optional[float], course: Course) -> Dict[str, Any]:
    """Return what followed a change of the map."""
    found: Dict[str, Any] = dict.fromkeys(('t1', 't2', 't3', 't4', 't5'))
    if t1 is None:
        return found
    found['t1'] = t1
    course = [(at, now) for at, now in course if at > t1]
    found['t2'] = first_held(t1, course)
    for at, now in course:
        if any('recovering' in s or 'backfilling' in s for s in words(now)):
            found['t3'] = at
            break
    found['t4'] = end_of(course, lambda states: 'degraded' in states)
    found['t5'] = last_clean(course)
    return found


def words(now: List[Any]) -> List[List[str]]:
    """Return the words of each PG's state."""
    return [what[0].split('+') for what in now if what]


def first_held(t1: float, course: Course) -> Optional[float]:
    """Return when all PGs were active again, for HOLD at least."""
    since: Optional[float] = None
    began = False
    for at, now in course:
        active = all('active' in w for w in words(now))
        if since is not None and at - since >= HOLD:
            return since
        if not active:
            began, since = True, None
        elif began and since is None:
            since = at
    return since if began else t1


def end_of(course: Course, has: Any) -> Any:
    """Return when the last state of a kind went.

    A PG that peers is of the kind that it was: it does not know yet.
    """
    end, was = None, False
    held: Dict[int, bool] = {}
    for at, now in course:
        for pg, what in enumerate(now):
            states = what[0].split('+') if what else []
            if has(states) or {'active', 'peered'} & set(states):
                held[pg] = has(states)
        some = any(held.values())
        if was and not some:
            end = at
        was = some
    return None if was else end


def is_clean(now: List[Any]) -> bool:
    """Tell whether all are clean and in place."""
    return all({'active', 'clean'} <= set(w) for w in words(now)) and all(
        what[1] == what[2] for what in now if what
    )


def last_clean(course: Course) -> Optional[float]:
    """Return since when all have been clean and in place."""
    since: Optional[float] = None
    for at, now in course:
        since = (since or at) if is_clean(now) else None
    return since


if __name__ == '__main__':
    main()
