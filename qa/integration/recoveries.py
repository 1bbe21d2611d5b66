"""Make a cluster recover, and time that from outside."""

from typing import Any, Callable, Dict, List, Optional

import json
import pathlib
import subprocess
import time

from cluster import launch
from cluster.state import Cluster

from .live import LiveCluster
from .state import pg_mapping
from .waiting import wait_for

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / 'lib'
WITNESS = 'recovery_witness.py'
MARKS = ('t1', 't2', 't3', 't4', 't5')


class Witness:
    """Run the independent witness inside the cluster."""

    def __init__(
        self, cluster: LiveCluster, pools: List[str], seconds: float
    ) -> None:
        source = (SCRIPT / WITNESS).read_text(encoding='utf-8')
        inside = Cluster(cluster.dir)
        self._process = subprocess.Popen(
            launch.entered(
                inside,
                '',
                ['python3', '-c', source, str(inside.conf), str(seconds)]
                + pools,
            ),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            env=launch.outer_environment(),
        )
        assert self._process.stdout is not None
        assert 'watching' in self._process.stdout.readline()

    def result(self) -> Dict[str, Any]:
        """Wait for the end; return what was seen."""
        out, _ = self._process.communicate(timeout=180)
        assert self._process.returncode == 0, self._process.returncode
        found: Dict[str, Any] = json.loads(out)
        return found


def make_pool(
    cluster: LiveCluster, name: str, device_class: str, objects: int
) -> None:
    """Make a pool of two copies on a class, and write to it."""
    rule = 'rule-' + name
    words = ['osd', 'crush', 'rule', 'create-replicated']
    cluster.ceph(*words, rule, 'default', 'osd', device_class, fmt='')
    cluster.ceph(
        'osd', 'pool', 'create', name, '16', '16', 'replicated', rule,
        '--autoscale-mode=off', fmt='',
    )  # fmt: skip
    # Ceph warns of a pool without one, five minutes later
    cluster.ceph('osd', 'pool', 'application', 'enable', name, 'rbd', fmt='')
    cluster.ceph('osd', 'pool', 'set', name, 'size', '2', fmt='')
    cluster.ceph('osd', 'pool', 'set', name, 'min_size', '1', fmt='')
    fill(cluster, name, objects)
    # the manager hears of new PGs later than they take writes
    wait_for(
        lambda: all(acting for _, acting in pg_mapping(cluster).values()),
        60.0,
        'the PGs of pool %s are reported' % name,
    )


def remove_pool(cluster: LiveCluster, name: str) -> None:
    """Remove a pool of ``make_pool``, and its rule."""
    cluster.pool_rm(name)
    cluster.ceph('osd', 'crush', 'rule', 'rm', 'rule-' + name, fmt='')


def fill(cluster: LiveCluster, pool: str, objects: int) -> None:
    """Write objects of 64 KiB."""
    cluster.exec(
        ['rados', '-p', pool, 'bench', '60', 'write', '-b', '65536']
        + ['-t', '16', '--no-cleanup', '--max-objects', str(objects)]
    )


def episodes(cluster: LiveCluster) -> List[Dict[str, Any]]:
    """Return the episodes that are recorded, the newest first."""
    found = cluster.look(
        'perfcompare recovery ls', to='mgr', kind='episode', limit=1000
    )
    assert found is not None
    return list(found['items'])


def observer(cluster: LiveCluster) -> Dict[str, Any]:
    """Return what the observer does."""
    found = cluster.look('perfcompare recovery ls', to='mgr')
    assert found is not None
    return dict(found['observer'])


def wait_watching(cluster: LiveCluster, seconds: float = 90) -> None:
    """Wait until no recovery is being recorded."""

    def idle() -> bool:
        found = cluster.look('perfcompare recovery ls', to='mgr')
        return bool(found) and found['observer']['state'] == 'watching'

    wait_for(idle, seconds, 'the observer has nothing to record')


def wait_episode(
    cluster: LiveCluster, known: List[str], seconds: float = 90
) -> Dict[str, Any]:
    """Wait for an episode that is not known yet; return it whole."""

    def fresh() -> Optional[str]:
        found = cluster.look(
            'perfcompare recovery ls', to='mgr', kind='episode', limit=1000
        )
        for item in (found or {}).get('items', ()):
            if item['id'] not in known and item['ended']:
                return str(item['id'])
        return None

    wait_for(lambda: fresh() is not None, seconds, 'an episode is recorded')
    ident = fresh()
    shown = cluster.look(
        'perfcompare recovery show', to='mgr', recovery=ident
    )
    assert shown is not None
    return dict(shown['item'])


def marks_of(episode: Dict[str, Any], scope: str) -> Dict[str, Any]:
    """Return the moments of one group."""
    for timeline in episode['timelines']:
        if timeline['scope'] == scope:
            return dict(timeline['marks'])
    raise AssertionError('%s has no part in %r' % (scope, episode['id']))


def spans(episode: Dict[str, Any], scope: str) -> str:
    """Return the moments of one group, in seconds after t1."""
    marks = marks_of(episode, scope)
    start = marks['t1']['at']
    return ' '.join(
        (
            '%s=%.2f' % (mark, marks[mark]['at'] - start)
            if marks[mark]['fate'] == 'reached'
            else '%s %s' % (mark, marks[mark]['fate'])
        )
        for mark in MARKS[1:]
    )


def compare(
    seen: Dict[str, Any], marks: Dict[str, Any]
) -> List[Dict[str, Any]]:
    """Return, moment by moment, what both say and how far apart it is."""
    rows = []
    for mark in MARKS:
        own = marks[mark]
        at = own['at'] if own['fate'] == 'reached' else None
        other = seen[mark]
        rows.append(
            {
                'mark': mark,
                'witness': other and other - seen['t1'],
                'ours': at and at - seen['t1'],
                'accuracy': own['accuracy'],
                'source': own['source'] or own['fate'],
                'apart': at - other if at and other else None,
            }
        )
    return rows


def table(rows: List[Dict[str, Any]]) -> str:
    """Return the rows as text."""

    def number(value: Optional[float], sign: str = '') -> str:
        return '-' if value is None else format(value, sign + '.2f')

    return '\n'.join(
        '  %s  witness %7s  ours %7s  apart %6s  ± %s  %s'
        % (
            r['mark'],
            number(r['witness']),
            number(r['ours']),
            number(r['apart'], '+'),
            number(r['accuracy']),
            r['source'],
        )
        for r in rows
    )


def timed(
    cluster: LiveCluster,
    pool: str,
    seconds: float,
    provoke: Callable[[], None],
) -> Any:
    """Provoke a recovery; return the witness's and our account of it."""
    wait_watching(cluster)
    known = [item['id'] for item in episodes(cluster)]
    witness = Witness(cluster, [pool], seconds)
    time.sleep(1.0)
    provoke()
    seen = witness.result()
    return seen, wait_episode(cluster, known)


def goes_through_a_file(cluster: LiveCluster, recovery: str) -> None:
    """Assert that an exported recovery is imported as it was.

    It is removed in between: what is stored afterwards is the file's.
    """
    export = ('perfcompare', 'recovery', 'export', recovery)
    shown = _shown(cluster, recovery)
    first = cluster.ceph(*export, fmt='')
    path = cluster.dir / 'tmp' / 'recovery.json'
    path.write_text(first, encoding='utf-8')
    cluster.ceph('perfcompare', 'recovery', 'rm', recovery, fmt='')
    cluster.ceph('perfcompare', 'recovery', 'import', '-i', str(path), fmt='')
    path.unlink()
    again = _shown(cluster, recovery)
    assert again.pop('origin').startswith('import:')
    shown.pop('origin')
    assert again == shown
    second = json.loads(cluster.ceph(*export, fmt=''))['content']
    assert second['series'] == json.loads(first)['content']['series']


def _shown(cluster: LiveCluster, recovery: str) -> Dict[str, Any]:
    found = cluster.look(
        'perfcompare recovery show', to='mgr', recovery=recovery
    )
    assert found is not None
    return dict(found['item'])
