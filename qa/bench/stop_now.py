"""How fast `stop --now` ends load while others ask for all that is long.

    python qa/bench/stop_now.py [--turns 6] [--dir DIR]

Beside a real run, readers ask in a loop for what takes longest: four by
commands and four by the dashboard's API, of a stored run of 4,400 trials.
In turn the order comes as a command and by the API; measured are the time to
its answer and until no process of the load is left. The bound is 2 s.
"""

from typing import Any, Dict, List, Sequence, Tuple

import argparse
import json
import pathlib
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request

import rig
from asking import Asker

from cluster.api import MiniCluster
from integration import processes
from integration.live import LiveCluster
from integration.readers import Readers

HERE = pathlib.Path(__file__).resolve().parent
STORED = '5ca1e000'  # the run that the probe stores
BOUND = 2.0  # seconds
THREADS = 4  # of each sort of readers
GROUPS = ['x86', 'alt']
COMMANDS: Sequence[Tuple[str, Dict[str, Any]]] = (
    ('show', {'run': STORED}),
    ('show', {'run': STORED, 'osds': True}),
    ('show', {'run': STORED, 'findings': True}),
    ('export', {'run': STORED}),
    ('compare', {'baseline': 'x86', 'candidate': 'arm', 'run': [STORED]}),
    ('preflight', {'group': GROUPS}),
    ('recovery ls', {}),
    ('ls', {}),
)
ROUTES = (
    f'/run/{STORED}',
    f'/run/{STORED}/osds',
    f'/run/{STORED}/findings',
    f'/comparison?baseline=x86&candidate=arm&run={STORED}',
    f'/run/{STORED}/export',
    '/run',
    '/osd',
)


class Browser:
    """Ask the dashboard's API with a token."""

    def __init__(self, cluster: MiniCluster) -> None:
        login = cluster.status()['dashboard']
        self._base = next(iter(login['urls'].values())).rstrip('/')
        self._context = ssl.create_default_context()
        self._context.check_hostname = False
        self._context.verify_mode = ssl.CERT_NONE
        self._headers: Dict[str, str] = {}
        words = {'username': login['user'], 'password': login['password']}
        found = json.loads(self.ask('/api/auth', words)[1])
        self._headers = {'Authorization': f'Bearer {found["token"]}'}

    def ask(self, path: str, body: Any = None) -> Tuple[int, bytes]:
        """Return status and body of an answer."""
        request = urllib.request.Request(
            self._base + path,
            None if body is None else json.dumps(body).encode(),
            {
                **self._headers,
                'Accept': 'application/vnd.ceph.api.v1.0+json',
                'Content-Type': 'application/json',
            },
        )
        try:
            with urllib.request.urlopen(
                request, timeout=60, context=self._context
            ) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


class Tabs:
    """Ask routes in a loop, in threads, until the end."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._ending = threading.Event()
        self.codes: List[int] = []
        self._threads = [
            threading.Thread(target=self._main, args=(n,), daemon=True)
            for n in range(THREADS)
        ]

    def _main(self, number: int) -> None:
        turn = number
        while not self._ending.is_set():
            route = ROUTES[turn % len(ROUTES)]
            turn += 1
            self.codes.append(
                self._browser.ask('/api/perfcompare' + route)[0]
            )

    def __enter__(self) -> 'Tabs':
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join(90)


def begin(asker: Asker, live: LiveCluster) -> None:
    """Start a run and wait until its load is there."""
    asker.data(
        'run', group=GROUPS, workload=['write'], size=['4K'],
        concurrency=['4'], duration=120.0, rounds=1, stats_period=2,
        allow_local_client=True, yes_i_really_mean_it=True,
    )  # fmt: skip
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        found = asker.progress()
        if found is None:
            raise SystemExit('the run ended early; see its reason')
        if found['state'] == 'trial' and processes.load_of(live):
            return
        time.sleep(0.3)
    raise SystemExit('the run came to no trial')


def stop(asker: Asker, browser: Browser, live: LiveCluster, way: str) -> Any:
    """Give the order; return seconds to its answer and to the load's end."""
    before = set(processes.load_of(live))
    began = time.monotonic()
    ended: List[float] = []

    def watch() -> None:
        while before & set(processes.load_of(live)):
            time.sleep(0.02)
        ended.append(time.monotonic() - began)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    if way == 'command':
        code, text = asker.give('stop', now=True)
        good = code == 0
    else:
        code, answer = browser.ask('/api/perfcompare/stop', {'now': True})
        good, text = code < 300, answer.decode()[:200]
    answered = time.monotonic() - began
    if not good:
        raise SystemExit(f'{way}: {code} {text}')
    thread.join(30)
    return {
        'way': way,
        'load': len(before),
        'answered': round(answered, 3),
        'ended': round(ended[0], 3) if ended else None,
    }


def prepare(cluster: MiniCluster, asker: Asker) -> None:
    """Enable what is needed; store a large run."""
    rig.enable(cluster)
    cluster.exec(['ceph', 'mgr', 'module', 'enable', 'selftest'])
    time.sleep(5)
    cluster.wait_active_mgr()
    rig.enable(cluster)
    source = (HERE / 'scale' / 'probe.py').read_text(encoding='utf-8')
    source = source.replace('{ask}', 'store').replace('{size}', '8')
    asker.give('rm', run=STORED)
    print('trials stored:', asker.evaluate(source).strip(), flush=True)


def main() -> int:
    """Stop runs in turn by both ways; 1 when the bound was passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--turns', type=int, default=6)
    parser.add_argument('--dir', help='a cluster that is up, with dashboard')
    options = parser.parse_args()
    cluster = rig.native_cluster('--dashboard')
    if options.dir:
        cluster = MiniCluster(options.dir, arm=False)
    else:
        cluster.up()
    rows: List[Dict[str, Any]] = []
    directory = pathlib.Path(cluster.dir)
    try:
        with Asker(directory) as first:
            prepare(cluster, first)
        with Asker(directory) as asker:
            browser, live = Browser(cluster), LiveCluster(directory)
            for turn in range(options.turns):
                begin(asker, live)
                tabs = Tabs(browser)
                with Readers(directory, COMMANDS, THREADS) as readers, tabs:
                    time.sleep(5)
                    way = ('command', 'REST')[turn % 2]
                    row = stop(asker, browser, live, way)
                row['answers'] = len(readers.codes) + len(tabs.codes)
                rows.append(row)
                print(json.dumps(row), rig.load(), flush=True)
                asker.idle(300)
    finally:
        if not options.dir:
            cluster.down()
    late = [r for r in rows if r['ended'] is None or r['ended'] > BOUND]
    for way in ('command', 'REST'):
        own = [r for r in rows if r['way'] == way and r['ended'] is not None]
        if own:
            answered = [1e3 * r['answered'] for r in own]
            ended = [1e3 * r['ended'] for r in own]
            print(f'{way}: answered {rig.spread(answered, "ms")}')
            print(f'{way}: no load after {rig.spread(ended, "ms")}')
    print(f'over {BOUND:g} s: {len(late)} of {len(rows)}')
    return 1 if late else 0


if __name__ == '__main__':
    sys.exit(main())
