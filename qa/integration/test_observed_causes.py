"""Weights and rules that change make recoveries, recorded with their cause."""

from typing import Iterator, List

import pytest

from . import recoveries
from .live import LiveCluster
from .provision import PAIRS
from .state import ClusterState
from .test_recovery import cluster, unchanged  # noqa: F401

CLUSTER = PAIRS.name
pytestmark = pytest.mark.slow
POOL, RULE, OTHER = 'caused', 'rule-caused', 'rule-caused-hosts'
OSD = 'osd.1'


@pytest.fixture
def pool(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> Iterator[str]:
    """Yield a pool on one group, with another rule beside its own."""
    recoveries.make_pool(cluster, POOL, 'x86', 300)
    words = ['osd', 'crush', 'rule', 'create-replicated']
    cluster.ceph(*words, OTHER, 'default', 'host', 'x86', fmt='')
    recoveries.wait_watching(cluster)
    yield POOL
    recoveries.remove_pool(cluster, POOL)
    cluster.ceph('osd', 'crush', 'rule', 'rm', OTHER, fmt='')


CHANGES = [
    ('weight', ['osd', 'reweight', OSD[4:]], '0.5', '1'),
    ('crush', ['osd', 'crush', 'reweight', OSD], '0.5', '1'),
    ('pool', ['osd', 'pool', 'set', POOL, 'crush_rule'], OTHER, RULE),
]


def test_change_is_recorded_with_its_cause(
    cluster: LiveCluster, pool: str  # noqa: F811
) -> None:
    for kind, words, there, back in CHANGES:
        for value in (there, back):
            known: List[str] = [
                item['id'] for item in recoveries.episodes(cluster)
            ]
            cluster.ceph(*words, value, fmt='')
            episode = recoveries.wait_episode(cluster, known, 120)
            print(kind, value, recoveries.spans(episode, 'x86'))
            assert episode['causes'][0]['kind'] == kind
            assert episode['state'] == 'clean'
            if kind == 'weight':
                assert episode['causes'][0]['osds'] == [1]
            marks = recoveries.marks_of(episode, 'x86')
            assert [marks[m]['fate'] for m in ('t1', 't2', 't5')] == (
                ['reached'] * 3
            )
            recoveries.wait_watching(cluster)
