"""A cluster before and after a real upgrade, as the manual compares it."""

from typing import Any, Dict, List

import pytest

from . import mclock, runs
from .live import LiveCluster
from .provision import OLD, Provider, wait_answers
from .test_placement import osds_of

CLUSTER = OLD.name
WORDS = (
    '--profile', 'smoke', '--workload', 'write', '--duration', '3',
    '--rounds', '6',
)  # fmt: skip
HELD = 300  # operations/s of an OSD before; after the upgrade half of that
PROFILE = 'rounds: 1\nworkloads: [{op: write, size: 4K, concurrency: 4}]\n'


def reasons(cluster: LiveCluster, sides: List[str], *more: str) -> List[Any]:
    """Return the reasons against a verdict of the one row."""
    found: Dict[str, Any] = cluster.ceph('perfcompare', 'compare', *sides,
                                         *more)  # fmt: skip
    (row,) = found['rows']
    return [reason['id'] for reason in row['reasons'] if reason['holds']]


def held(cluster: LiveCluster, limit: int, label: str) -> str:
    """Return a run whose OSDs were held to ``limit`` operations/s each."""
    osds = sorted(osds_of(cluster, {'alt-1', 'alt-2'}))
    with mclock.limited(cluster, osds, limit):
        run = runs.start(cluster, ['alt'], *WORDS, '--label', label)
        assert runs.ended(cluster, run)['state'] == 'completed'
    return run


@pytest.mark.slow
def test_releases_are_compared_over_an_upgrade(provider: Provider) -> None:
    """Runs stay readable; `--across release` is what lets them be judged."""
    cluster = provider.get(OLD)
    path = cluster.dir / 'tmp' / 'profile.yaml'
    path.write_text(PROFILE, encoding='utf-8')
    cluster.ceph('perfcompare', 'profile', 'set', 'mine', '-i', str(path))
    before = held(cluster, HELD, 'before')
    shown = cluster.ceph('perfcompare', 'show', before, fmt='')

    cluster.upgrade('tentacle')
    wait_answers(cluster)
    assert cluster.ceph('perfcompare', 'show', before, fmt='') == shown
    text = cluster.ceph('perfcompare', 'profile', 'export', 'mine', fmt='')
    assert text.strip() == PROFILE.strip()

    after = held(cluster, HELD // 2, 'after')
    sides = [f'alt@{before}', f'alt@{after}']
    assert 'settings' in reasons(cluster, sides)
    assert 'settings' not in reasons(cluster, sides, '--across', 'release')
    text = cluster.ceph('perfcompare', 'compare', *sides,
                        '--across', 'release', fmt='')  # fmt: skip
    assert 'ACROSS release: 18.2.' in text and '→ 20.2.' in text
    print(text)
    found = cluster.ceph('perfcompare', 'compare', *sides,
                         '--across', 'release')  # fmt: skip
    (row,) = found['rows']
    assert row['estimate']['verdict'] == 'slower'
    assert 0.4 < row['estimate']['ratio'] < 0.6
