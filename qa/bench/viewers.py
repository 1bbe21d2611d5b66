"""The dashboard's API under 20 viewers during a run, and what that costs.

    python qa/bench/viewers.py

Each viewer does what an open tab does: the status every 2 s, the comparison
and the list of runs every 10 s. Minutes with and without them go in turn.
Aim: p95 below 500 ms; the mgr's CPU is told, it has no aim.
"""

from typing import Any, Dict, List, Tuple

import http.cookiejar
import json
import threading
import time
import urllib.request

import rig
from mgr_cpu import cpu

VIEWERS = 20
PERIOD = 60.0  # seconds with, then as many without
TURNS = 3
ACCEPT = 'application/vnd.ceph.api.v1.0+json'
BASE = 'api/perfcompare'


class Viewer:
    """Be one browser with the tab open."""

    def __init__(self, url: str, login: Dict[str, str]) -> None:
        jar = http.cookiejar.CookieJar()
        self._url = url
        self._http = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(jar)
        )
        self.times: List[Tuple[str, float]] = []
        self.call(
            'api/auth',
            {'username': login['user'], 'password': login['password']},
        )

    def call(self, path: str, body: Any = None) -> Any:
        """Call the API; keep how long the answer took."""
        request = urllib.request.Request(
            self._url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={'Accept': ACCEPT, 'Content-Type': 'application/json'},
        )
        began = time.monotonic()
        with self._http.open(request, timeout=60) as answer:
            text = answer.read()
        took = time.monotonic() - began
        self.times.append((path.split('?')[0], took))
        return json.loads(text)

    def watch(self, run: str, until: float, delay: float) -> None:
        """Look at a run until a time (monotonic)."""
        time.sleep(delay)
        turn = 0
        while time.monotonic() < until:
            self.call(f'{BASE}/status')
            if turn % 5 == 0:
                self.call(f'{BASE}/run?limit=20&offset=0')
                self.call(
                    f'{BASE}/comparison?baseline=x86&candidate=alt&run={run}'
                )
            turn += 1
            time.sleep(2.0)


def minute(viewers: List[Viewer], run: str, pid: int) -> float:
    """Let viewers look for a while; return the cores that the mgr used."""
    before, began = cpu(pid), time.monotonic()
    threads = [
        threading.Thread(
            target=one.watch,
            args=(run, began + PERIOD, 2.0 * at / max(1, len(viewers))),
        )
        for at, one in enumerate(viewers)
    ]
    for thread in threads:
        thread.start()
    time.sleep(max(0.0, began + PERIOD - time.monotonic()))
    for thread in threads:
        thread.join()
    return (cpu(pid) - before) / (time.monotonic() - began)


def main() -> None:
    """Measure, with and without viewers in turn, during one run."""
    with rig.native_cluster('--dashboard') as cluster:
        rig.enable(cluster)
        found = cluster.status()['dashboard']
        (url,) = found['urls'].values()
        pid = cluster.pid('mgr.x')
        assert pid is not None
        finished = rig.execute(
            cluster, 'x86', 'alt', '--profile', 'smoke', timeout=900
        )['run']['id']
        rig.command(
            cluster, 'run', 'x86', 'alt', '--workload', 'rand', '--size',
            '4K', '--concurrency', '4', '--duration', '60',
        )  # fmt: skip
        viewers = [Viewer(url, found) for _ in range(VIEWERS)]
        for one in viewers:
            one.times.clear()
        busy, quiet = [], []
        for _ in range(TURNS):
            quiet.append(minute([], finished, pid))
            busy.append(minute(viewers, finished, pid))
            print(rig.load(), flush=True)
        rig.command(cluster, 'stop', '--now')
    times: Dict[str, List[float]] = {}
    for one in viewers:
        for path, took in one.times:
            times.setdefault(path, []).append(1e3 * took)
    for path, values in sorted(times.items()):
        p95 = rig.quantile(values, 0.95)
        print(f'{path}: p95 {p95:.0f} ms; {rig.spread(values, "ms")}')
    print('mgr alone:', rig.spread([100 * x for x in quiet], '% of a core'))
    print(
        f'mgr, {VIEWERS} viewers:',
        rig.spread([100 * x for x in busy], '% of a core'),
    )


if __name__ == '__main__':
    main()
