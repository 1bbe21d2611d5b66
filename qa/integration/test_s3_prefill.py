"""What is written to be read, as many objects or bytes as were asked for."""

from typing import Dict

import re

import pytest

from . import runs
from .live import LiveCluster
from .test_placement import cluster  # noqa: F401
from .test_s3 import CLUSTER, assert_gone  # noqa: F401
from .waiting import wait_for

pytestmark = pytest.mark.slow
SIZE = 4096


def stored(cluster: LiveCluster, pool: str) -> Dict[str, int]:  # noqa: F811
    """Return objects and bytes of a pool, as the cluster counts them."""
    for found in cluster.look('df', detail='detail')['pools']:
        if found['name'] == pool:
            stats = found['stats']
            return {'objects': stats['objects'], 'bytes': stats['stored']}
    return {}


@pytest.mark.parametrize('words, objects', [('300', 300), ('1234K', 309)])
def test_as_much_is_there_as_was_asked_for(
    cluster: LiveCluster, words: str, objects: int  # noqa: F811
) -> None:
    """Both groups hold exactly these objects while they are read."""
    run = runs.start(
        cluster, ['left', 'right'], '--profile', 'smoke', '--rounds', '1',
        '--replicas', '2', '--workload', 's3-get', '--size', '4K',
        '--concurrency', '8', '--duration', '5', '--prefill', words,
    )  # fmt: skip
    wanted = {'objects': objects, 'bytes': objects * SIZE}
    for group in ('left', 'right'):
        pool = f'perfcompare.{run}.{group}.s3-data'
        wait_for(
            lambda: stored(cluster, pool) == wanted,
            300,
            f'{pool} holds {wanted}',
        )
        done = cluster.exec(['rados', '-p', pool, 'ls'])
        assert done.returncode == 0, done.stderr
        # a trial's probe puts one object of its own, and removes it
        names = re.findall(r'-\d{8}$', done.stdout, re.M)
        print(pool, stored(cluster, pool), len(names), 'RADOS objects')
        assert len(names) == objects
    runs.wait_end(cluster)
    assert runs.reason(cluster, run) == 'completed: '
    trials = [t for t in runs.trials(cluster, run, 'ok') if t['round']]
    assert {t['workload'] for t in trials} == {f's3-get-4K-c8-n{words}'}
    for trial in trials:
        assert trial['summary']['errors'] == 0
        assert trial['summary']['ops_per_s'] > 0
    assert_gone(cluster)
