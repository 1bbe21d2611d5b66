"""What the benchmarks share: a cluster, runs, and honest ratios."""

from typing import Any, Dict, List, Sequence, Tuple

import errno
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile
import time

AGAIN = 'the same command again'  # has the answer
QA = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(QA), str(QA.parent / 'src' / 'pybind' / 'mgr')]

from cluster.api import MiniCluster  # noqa: E402
from perfcompare.analysis import ranks  # noqa: E402


def native_cluster(*options: str) -> MiniCluster:
    """Return a cluster without emulation, not yet up, in its own folder."""
    folder = tempfile.mkdtemp(prefix='pc-bench-', dir='/var/tmp')
    os.rmdir(folder)
    return MiniCluster(folder, arm=False, options=list(options))


def enable(cluster: MiniCluster) -> None:
    """Enable the module and wait until it answers."""
    cluster.exec(
        ['ceph', 'mgr', 'module', 'enable', 'perfcompare', '--force']
    )
    for _ in range(60):
        done = cluster.exec(['ceph', 'perfcompare', 'status'])
        if done.returncode == 0:
            break
        time.sleep(1)
    else:
        raise SystemExit('the module does not answer')
    option = 'mgr/perfcompare/enable_pool_delete'
    cluster.exec(['ceph', 'config', 'set', 'mgr', option, 'true'])


def command(cluster: MiniCluster, *words: str) -> Any:
    """Run a command of the module and return its data."""
    argv = ['ceph', 'perfcompare', *words, '--format', 'json']
    done = cluster.exec(argv)
    while done.returncode == errno.EAGAIN and AGAIN in done.stderr:
        time.sleep(0.3)
        done = cluster.exec(argv)
    if done.returncode:
        raise SystemExit(f'{words}: {done.stderr.strip()}')
    return json.loads(done.stdout)


def execute(
    cluster: MiniCluster,
    *words: str,
    timeout: float = 7200,
    every: float = 30,
) -> Dict[str, Any]:
    """Execute a run to its end and return what `show` says of it.

    Asks seldom: each question costs half a second of a core.
    """
    run = command(cluster, 'run', *words)['run']
    deadline = time.monotonic() + timeout
    while command(cluster, 'status')['progress'] is not None:
        if time.monotonic() > deadline:
            raise SystemExit(f'run {run} did not end in {timeout:.0f} s')
        time.sleep(every)
    found: Dict[str, Any] = command(cluster, 'show', run)
    if found['run']['state'] != 'completed':
        raise SystemExit(f'run {run}: {found["run"]["reason"]}')
    return found


def ratio(pairs: Sequence[Tuple[float, float]]) -> str:
    """Return the paired ratio first/second with its exact interval."""
    logs = [math.log(a / b) for a, b in pairs]
    found = ranks.signed_rank_interval(logs, 0.05)
    estimate = math.exp(ranks.hodges_lehmann(logs))
    if found is None:
        return f'{estimate:.3f} (n = {len(pairs)}: too few for an interval)'
    low, high = math.exp(found.low), math.exp(found.high)
    half = (high - low) / 2
    return (
        f'{estimate:.3f} [{low:.3f}, {high:.3f}] '
        f'({100 * found.coverage:.1f}%, n = {len(pairs)}, '
        f'half-width {half:.3f})'
    )


def spread(values: Sequence[float], unit: str) -> str:
    """Return 'median (min … max, n = …) unit'."""
    return (
        f'{statistics.median(values):.2f} {unit} '
        f'({min(values):.2f} … {max(values):.2f}, n = {len(values)})'
    )


def load() -> str:
    """Return the load average: other work on the machine shows here."""
    return 'load average ' + ' '.join(f'{x:.1f}' for x in os.getloadavg())


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of the values lie."""
    ordered: List[float] = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
