"""Runs and recovery tests back to back: what grows, and how fast.

    python qa/bench/soak.py [--hours 4] [--dir DIR] [--without]

In turn a short run, a backfill test and an OSD that goes out, for so many
hours. When one has ended and a minute has passed since the last sample, the
mgr and the cluster are looked at: resident memory, descriptors, threads and
children of ceph-mgr, bytes of pool .mgr (which has the result database),
entries in the mons' key-value store, and processes of runs that are left.
Ten results of each kind are kept, so that the database has a size to stay at.

With --without the module is disabled, and this program makes a pool, loads it
by `rados bench`, takes an OSD out and in and removes the pool: what the mgr
grows by then is its own. What the heap of C++ (tcmalloc) and that of Python
have in use tells whose growth it is; module selftest counts them in the mgr.

Printed are slopes per hour by Theil and Sen with their 95 % intervals. What
grows for certain is called so, and the exit code is 1; memory may grow by a
megabyte an hour. The first tenth, at least five minutes, does not count.

A mgr keeps the last 10,000 entries of its log in memory (log_max_recent), each
with the room of the longest that was ever in its place: it takes days to fill
and looks like growth. Here it keeps RECENT of them, which are full after some
ten runs, so that what is seen is the rest.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import argparse
import errno
import json
import math
import os
import pathlib
import statistics
import sys
import time

import rig
import soak_control
from asking import Asker, allow_recovery_tests

from cluster.api import MiniCluster
from integration import processes
from integration.live import LiveCluster

RESULTS = pathlib.Path(__file__).resolve().parent / 'results' / 'soak.json'
HISTORY = 'config-history/'
KEPT = 10  # results of each kind
PERIOD = 60.0  # seconds between samples
WARM = 300.0  # seconds that do not count, at least
LIMIT = 900.0  # seconds for one run
RECENT = '50'  # entries of the log that the mgr keeps in memory
# a backfill needs a place to move to
HOSTS = (
    '--hosts', 'p1:x86:2', 'p2:x86:2', 'q1:alt:2', 'q2:alt:2',
)  # fmt: skip
COMMON: Dict[str, Any] = {
    'allow_local_client': True,
    'yes_i_really_mean_it': True,
}
TEST: Dict[str, Any] = {
    **COMMON, 'group': ['xs'], 'workload': ['rand'], 'repetitions': 1,
    'hold': 3.0, 'pg_num': 4, 'size': '4K', 'concurrency': 1,
    'data': '256K', 'limit': 120.0,
}  # fmt: skip
GROUPS = {'xs': ['p1', 'p2'], 'alts': ['q1', 'q2']}
WORK: Sequence[Tuple[str, Dict[str, Any]]] = (
    (
        'run',
        {
            **COMMON, 'group': ['xs', 'alts'], 'profile': 'smoke',
            'workload': ['write'], 'size': ['4K'], 'concurrency': ['4'],
            'duration': 3.0, 'rounds': 1, 'stats_period': 2,
        },
    ),
    ('recovery run', {**TEST, 'scenario': 'backfill'}),
    ('recovery run', {**TEST, 'scenario': 'osd-out'}),
)  # fmt: skip
# what each may grow by in an hour, before it counts as growing
MAY: Dict[str, float] = {
    'mgr memory, MB': 1.0,
    'heap of C++, MB': 1.0,
    'Python blocks': 10000.0,
    'Python objects': 5000.0,
    'database, MB': 0.5,
}
# what memory is in use, asked in the mgr; free lists do not count
COUNT = '''
import ctypes, gc, sys
size = ctypes.c_size_t()
library = ctypes.CDLL('libtcmalloc.so.4')
name = b'generic.current_allocated_bytes'
library.MallocExtension_GetNumericProperty(name, ctypes.byref(size))
gc.collect()
print([size.value, sys.getallocatedblocks(), len(gc.get_objects())])
'''


def sample(
    asker: Asker, live: LiveCluster, pid: int, began: float
) -> Dict[str, float]:
    """Return what can grow, while nothing goes on."""
    proc = pathlib.Path(f'/proc/{pid}')
    heap, blocks, objects = json.loads(asker.evaluate(COUNT))
    status = dict(
        line.split(':', 1)
        for line in (proc / 'status').read_text('ascii').splitlines()
    )
    keys = asker.mons('config-key ls')
    pools = {p['name']: p['stats'] for p in asker.mons('df')['pools']}
    children = (proc / 'task' / str(pid) / 'children').read_text('ascii')
    return {
        'hours': (time.monotonic() - began) / 3600.0,
        'mgr memory, MB': int(status['VmRSS'].split()[0]) / 1e3,
        # the rest is files, which the kernel takes back as it likes
        'mgr anonymous, MB': int(status['RssAnon'].split()[0]) / 1e3,
        'mgr swapped, MB': int(status['VmSwap'].split()[0]) / 1e3,
        'heap of C++, MB': heap / 1e6,
        'Python blocks': blocks,
        'Python objects': objects,
        'mgr threads': int(status['Threads']),
        'mgr descriptors': len(os.listdir(proc / 'fd')),
        'mgr children': len(children.split()),
        'database, MB': pools['.mgr']['stored'] / 1e6,
        'keys of the module': sum(
            k.startswith('mgr/perfcompare/') for k in keys
        ),
        # `ceph config log` is Ceph's own, and is never shortened
        'other keys': sum(
            not k.startswith(('mgr/perfcompare/', HISTORY)) for k in keys
        ),
        'processes of runs': len(processes.of_runs(live)),
        'gateways of runs': len(processes.gateways_of(live)),
    }


def slope(
    at: Sequence[float], values: Sequence[float]
) -> Optional[Tuple[float, float, float]]:
    """Return the slope by Theil and Sen with its 95 % interval.

    None below six samples. The interval is Sen's, by Kendall's variance.
    """
    n = len(at)
    if n < 6:
        return None
    slopes = sorted(
        (values[j] - values[i]) / (at[j] - at[i])
        for i in range(n)
        for j in range(i + 1, n)
        if at[j] > at[i]
    )
    spread = 1.96 * math.sqrt(n * (n - 1) * (2 * n + 5) / 18.0)
    low = max(0, int((len(slopes) - spread) / 2))
    high = min(len(slopes) - 1, int((len(slopes) + spread) / 2) + 1)
    return statistics.median(slopes), slopes[low], slopes[high]


def report(samples: List[Dict[str, float]], hours: float) -> List[str]:
    """Print the slopes; return what grows for certain."""
    warm = max(WARM / 3600.0, hours / 10.0)
    counted = [s for s in samples if s['hours'] >= warm]
    print(f'{len(counted)} samples count, of {len(samples)}')
    grown = []
    for name in samples[0] if samples else ():
        if name == 'hours':
            continue
        values = [s[name] for s in counted]
        found = slope([s['hours'] for s in counted], values)
        if found is None:
            print(f'{name:20} too few samples for a slope')
            continue
        middle, low, high = found
        print(
            f'{name:20} {values[0]:9.1f} at first, {values[-1]:9.1f} at last,'
            f' {middle:+8.2f} [{low:+.2f}, {high:+.2f}] an hour'
        )
        if low > MAY.get(name, 0.0):
            grown.append(name)
    return grown


def work(asker: Asker, number: int) -> Tuple[str, str]:
    """Do one piece of work; return what it was and how it ended."""
    prefix, args = WORK[number % len(WORK)]
    what = str(args.get('scenario', 'run'))
    deadline = time.monotonic() + LIMIT
    while True:
        code, text = asker.give(prefix, format='json', **args)
        if code == 0:
            break
        if code == -errno.EINVAL or time.monotonic() > deadline:
            raise SystemExit(f'{prefix} is refused: {text}')
        time.sleep(2.0)  # PGs that are not clean yet, and the like
    asker.idle(LIMIT)
    last = str(asker.data('status')['last'])
    return what, last.partition('(')[2].rstrip(')')


def keep(
    name: str,
    hours: float,
    ends: Dict[str, int],
    samples: List[Dict[str, float]],
) -> None:
    """Write what was seen; the other kind of soak stays as it was."""
    known = {}
    if RESULTS.exists():
        known = json.loads(RESULTS.read_text(encoding='utf-8'))
    known[name] = {
        'ended': time.strftime('%Y-%m-%d', time.gmtime()),
        'hours': hours,
        'ends': ends,
        'samples': samples,
    }
    text = json.dumps(known, indent=1) + '\n'
    RESULTS.write_text(text, encoding='utf-8')


def soak(
    cluster: MiniCluster, hours: float, without: bool
) -> List[Dict[str, float]]:
    """Work for so many hours; return the samples."""
    samples: List[Dict[str, float]] = []
    ends: Dict[str, int] = {}
    directory = pathlib.Path(cluster.dir)
    cluster.exec(['ceph', 'mgr', 'module', 'enable', 'selftest'])
    with Asker(directory) as asker:
        asker.option('mgr', 'log_max_recent', RECENT)
        if without:
            soak_control.prepare(cluster, asker)
        else:
            rig.enable(cluster)
        time.sleep(15.0)  # the mgr began anew
        cluster.wait_active_mgr()
        pid = cluster.pid('mgr.x') or 0
        live = LiveCluster(directory)
        if not without:
            allow_recovery_tests(asker, KEPT)
            for group, hosts in GROUPS.items():
                asker.data('group set', group=group, hosts=hosts)
        began, number, due = time.monotonic(), 0, 0.0
        while time.monotonic() - began < 3600.0 * hours:
            if without:
                what, end = soak_control.work(cluster, asker, number)
            else:
                what, end = work(asker, number)
            number += 1
            key = f'{what} {end}'
            ends[key] = ends.get(key, 0) + 1
            if time.monotonic() < due:
                continue
            due = time.monotonic() + PERIOD
            found = sample(asker, live, pid, began)
            samples.append(found)
            shown = ', '.join(f'{n} {v:.4g}' for n, v in found.items())
            print(f'{number} {key}: {shown}', flush=True)
            kind = 'without the module' if without else 'with the module'
            keep(kind, round(found['hours'], 2), ends, samples)
    print('ended:', ', '.join(f'{n} x {k}' for k, n in sorted(ends.items())))
    return samples


def main() -> int:
    """Work for hours, and say what grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--hours', type=float, default=4.0)
    parser.add_argument('--dir', help='a cluster that is up')
    parser.add_argument(
        '--without', action='store_true', help='the module: a control'
    )
    options = parser.parse_args()
    cluster = rig.native_cluster(*HOSTS)
    if options.dir:
        cluster = MiniCluster(options.dir, arm=False)
    else:
        cluster.up()
    try:
        samples = soak(cluster, options.hours, options.without)
    finally:
        if not options.dir:
            cluster.down()
    grown = report(samples, options.hours)
    print('grows:', ', '.join(grown) or 'nothing')
    return 1 if grown else 0


if __name__ == '__main__':
    sys.exit(main())
