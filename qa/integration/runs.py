"""Start runs by the real CLI and follow them."""

from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Optional,
    Sequence,
    Tuple,
)

import errno
import os
import pathlib
import subprocess
import sys
import time

from cluster.api import CommandFailed

from .live import LiveCluster
from .waiting import wait_for

TOP = pathlib.Path(__file__).resolve().parents[2]
# the least that a trial may last; verdicts are not what is tested here
SHORT = (
    '--profile', 'smoke', '--workload', 'write', '--size', '4K',
    '--concurrency', '4', '--duration', '3',
)  # fmt: skip
CONSENT = ('--allow-local-client', '--yes-i-really-mean-it')
# what preflight says of PGs of which the Manager hears that they are well a
# few seconds after they are
SETTLING = ('PGs not active: ', 'HEALTH: PG_')
LIMIT = 300.0  # seconds for a short run on a busy machine

Status = Dict[str, Any]
Trial = Dict[str, Any]


def start(cluster: LiveCluster, groups: Sequence[str], *words: str) -> str:
    """Start a run; return its id."""
    chosen = [word for group in groups for word in ('--group', group)]

    def ask() -> Optional[str]:
        try:
            ticket = cluster.ceph(
                'perfcompare', 'run', *chosen, *words, *CONSENT
            )
        except CommandFailed as error:
            settling = any(text in str(error) for text in SETTLING)
            if error.returncode != errno.EBUSY or not settling:
                raise
            print(error)
            return None
        run: str = ticket['run']
        return run

    return wait_for(ask, 60, 'the Manager knows that all PGs are well', 2.0)


def export(cluster: LiveCluster, run: str) -> str:
    """Return the file of a run, asking again until it is made.

    The manual must describe all that is in it.
    """

    def ask() -> Optional[str]:
        try:
            text: str = cluster.ceph('perfcompare', 'export', run, fmt='')
        except CommandFailed as error:
            if error.returncode != errno.EAGAIN:
                raise
            return None
        return text

    found = wait_for(ask, LIMIT, f'the file of run {run}')
    told = subprocess.run(
        [sys.executable, str(TOP / 'qa' / 'lint' / 'exports.py')],
        input=found,
        env={**os.environ, 'PYTHONPATH': str(TOP / 'src/pybind/mgr')},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert told.returncode == 0, told.stdout
    return found


def progress(cluster: LiveCluster) -> Optional[Status]:
    """Return how far the active run is, None when none is active."""
    found = cluster.look('perfcompare status', to='mgr')
    assert found, 'perfcompare does not answer'
    active: Optional[Status] = found['progress']
    return active


def wait_state(
    cluster: LiveCluster,
    run: str,
    states: Sequence[str],
    seconds: float = 90,
    word: str = '',
) -> Status:
    """Wait until a run is in one of `states`, with `word` in its message."""

    def look() -> Optional[Status]:
        found = progress(cluster)
        assert (
            found is not None and found['run'] == run
        ), 'run %s ended before it was in %s: %s' % (
            run,
            '/'.join(states),
            reason(cluster, run),
        )
        right = found['state'] in states and word in found['message']
        return found if right else None

    what = 'run %s is in %s %s' % (run, '/'.join(states), word)
    return wait_for(look, seconds, what, step=0.25)


def wait_end(
    cluster: LiveCluster,
    seconds: float = LIMIT,
    while_running: Callable[[Status], None] = lambda status: None,
) -> None:
    """Wait until no run is active."""
    deadline = time.monotonic() + seconds
    while True:
        found = progress(cluster)
        if found is None:
            return
        assert time.monotonic() < deadline, 'still active: %r' % found
        while_running(found)
        time.sleep(0.5)


def show(cluster: LiveCluster, run: str) -> Dict[str, Any]:
    """Return a run with its trials; the database is written behind."""
    found: Dict[str, Any] = cluster.look('perfcompare show', 'mgr', run=run)
    assert found, 'run %s is not stored' % run
    return found


def reason(cluster: LiveCluster, run: str) -> str:
    """Return state and reason of a run or recovery test, in one line."""
    test = cluster.look('perfcompare recovery show', 'mgr', recovery=run)
    found = test['item'] if test else show(cluster, run)['run']
    return '%s: %s' % (found['state'], found['reason'])


def ended(
    cluster: LiveCluster, run: str, seconds: float = LIMIT
) -> Dict[str, Any]:
    """Wait until a run has ended and is stored so; return it.

    A Manager that begins waits for what a killed one had locked.
    """
    wait_end(cluster, seconds)

    def stored() -> Optional[Dict[str, Any]]:
        shown = cluster.look('perfcompare show', 'mgr', run=run)
        found: Dict[str, Any] = shown['run'] if shown else {'ended': None}
        return found if found['ended'] else None

    return wait_for(stored, 60, 'run %s is stored as ended' % run)


def trials(
    cluster: LiveCluster, run: str, state: str = ''
) -> List[Dict[str, Any]]:
    """Return the trials of a run, all or those in one state."""
    found: List[Dict[str, Any]] = show(cluster, run)['trials']
    return [t for t in found if not state or t['state'] == state]


def judged(found: Iterable[Trial]) -> List[Trial]:
    """Return the trials of each block's last attempt.

    A busy machine makes a run repeat a block, as it should.
    """
    last: Dict[Tuple[int, int], List[Trial]] = {}
    for trial in sorted(found, key=lambda t: int(t['attempt'])):
        block = last.setdefault((trial['round'], trial['block']), [])
        if block and block[0]['attempt'] != trial['attempt']:
            block.clear()
        block.append(trial)
    return [trial for block in last.values() for trial in block]
