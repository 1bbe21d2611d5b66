"""S3 operations beyond put, get, stat and delete, on a real radosgw."""

from typing import Any, FrozenSet, Iterator, List, Set

import os
import signal

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import GATEWAYS, Provider
from .steady import steady_pools
from .test_placement import assert_only_on, placed
from .test_s3 import (
    LOAD,
    Found,
    assert_gone,
    assert_measured,
    assert_without_gateways,
    places,
    s3_run,
)
from .test_s3_existing import buckets, journal
from .waiting import wait_for

CLUSTER = GATEWAYS.name
SECONDS = 700
BOTH = frozenset({'left', 'right'})
LEFT = frozenset({'left'})  # for what is the same in each group
LIGHT = ('--replicas', '2', '--pg-num', '8', '--duration', '3')
MIX = {'get': 50, 'put': 20, 'range': 20, 'list': 10}


def measured(
    cluster: LiveCluster, *words: str, groups: FrozenSet[str] = BOTH
) -> Found:
    """Return a run of both groups, or of one."""
    return s3_run(cluster, sorted(groups), *LIGHT, *words, seconds=900)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with two groups by hosts."""
    with placed(provider, GATEWAYS) as found:
        yield found


def of_small_objects(cluster: LiveCluster, groups: FrozenSet[str]) -> Found:
    """Return a run of what is done with small objects."""
    mix = ','.join(f'{op}={share}' for op, share in MIX.items())
    return measured(
        cluster, '--size', '64K', '--concurrency', '4', '--mix', mix,
        '--workload', 's3-range', '--workload', 's3-list',
        '--workload', 's3-overwrite', '--workload', 's3-multidelete',
        '--workload', 's3-copy', '--workload', 's3-mixed',
        '--range-size', '4K', '--list-keys', '50', '--delete-batch', '20',
        '--checksum', 'crc64nvme', '--prefill', '100', groups=groups,
    )  # fmt: skip


@pytest.fixture(scope='module')
def small(cluster: LiveCluster) -> Found:
    """Return a run of one group; long: there is a test of the other."""
    return of_small_objects(cluster, LEFT)


@pytest.fixture(scope='module')
def large(cluster: LiveCluster) -> Found:
    """Return a run of uploads in parts."""
    return measured(
        cluster, '--size', '24M', '--workload', 's3-multipart',
        '--part-size', '5M', '--part-streams', '3', '--concurrency', '2',
        '--checksum', 'crc32', '--encryption', 'sse-c', '--tags', '3',
        groups=LEFT,
    )  # fmt: skip


def operations(
    found: Found, workload: str, groups: FrozenSet[str] = BOTH
) -> Set[str]:
    """Return what was done in all judged trials of a workload."""
    trials = [
        t
        for t in found['shown']['trials']
        if t['round'] and t['workload'] == workload
    ]
    assert {t['group'] for t in trials} == groups
    done: Set[str] = set()
    for trial in trials:
        rows = trial['evidence']['client']['operations']
        print(
            trial['group'], workload,
            {op: (row['ops'], row['percentiles']) for op, row in rows.items()},
        )  # fmt: skip
        done |= set(rows)
    return done


def assert_small_measured(
    cluster: LiveCluster, small: Found, groups: FrozenSet[str]
) -> None:
    """Assert that each has figures, of nothing but what it is."""
    mixed = 's3-mixed-64K-c4-n100-g50p20r20l10-range4K-k50-crc64nvme'
    names = {
        's3-range-64K-c4-n100-range4K': {'range'},
        's3-list-64K-c4-n100-k50': {'list'},
        's3-overwrite-64K-c4-crc64nvme': {'overwrite'},
        's3-multidelete-64K-c4-x20': {'multidelete'},
        's3-copy-64K-c4': {'copy'},
        mixed: set(MIX),
    }
    assert_measured(small, set(names), 1)
    for name, done in names.items():
        assert operations(small, name, groups) == done
    osds = places(cluster)
    assert_only_on(small['witness'], {g: osds[g] for g in groups}, 2)


def test_new_operations_are_measured_without_an_error(
    cluster: LiveCluster, small: Found
) -> None:
    """Each has figures, and the mix is in the name of its row."""
    assert_small_measured(cluster, small, LEFT)
    text = cluster.ceph('perfcompare', 'show', small['run'], fmt='')
    assert 's3-mixed-64K-c4-n100-g50p20r20l10-range4K' in text


@pytest.mark.slow
def test_rows_of_both_groups_have_the_mix_in_their_name(
    cluster: LiveCluster,
) -> None:
    """The other group has the same figures, and rows are compared."""
    both = of_small_objects(cluster, BOTH)
    assert_small_measured(cluster, both, BOTH)
    text = cluster.ceph(
        'perfcompare', 'compare', *sorted(BOTH), '--run', both['run'], fmt=''
    )
    assert 's3-mixed-64K-c4-n100-g50p20r20l10-range4K' in text


def test_buckets_keep_versions(cluster: LiveCluster) -> None:
    """What is overwritten or deleted stays until the pools go."""
    found = measured(
        cluster, '--size', '4K', '--concurrency', '4', '--prefill', '60',
        '--versioning', 'enabled', '--workload', 's3-overwrite',
        '--workload', 's3-delete', '--workload', 's3-mixed', '--mix',
        'get=40,put=30,overwrite=20,delete=10', groups=LEFT,
    )  # fmt: skip
    mixed = 's3-mixed-4K-c4-n60-g40p30o20d10-versioned'
    names = {'s3-overwrite-4K-c4-versioned', 's3-delete-4K-c4-versioned'}
    assert_measured(found, names | {mixed}, 1)
    done = operations(found, mixed, LEFT)
    assert done == {'get', 'put', 'overwrite', 'delete'}
    left = {'left': places(cluster)['left']}
    assert_only_on(found['witness'], left, 2)
    assert_gone(cluster)


def test_a_rate_grows_within_a_trial(cluster: LiveCluster) -> None:
    """Each step has figures of its own, and none has a verdict."""
    found = measured(
        cluster, '--size', '4K', '--concurrency', '8', '--workload',
        's3-get', '--rate', '40', '--ramp-steps', '2', '--duration', '6',
        '--prefill', '100',
    )  # fmt: skip
    name = 's3-get-4K-c8-r40-n100-ramp2'
    assert_measured(found, {name}, 1)
    for trial in found['shown']['trials']:
        if trial['state'] != 'ok':
            continue
        steps = trial['evidence']['client']['steps']
        assert [row['rate'] for row in steps] == [20.0, 40.0]
        assert [row['seconds'] for row in steps] == [3.0, 3.0]
        # on a busy machine some of one step end in the next one
        assert all(row['ops'] and not row['errors'] for row in steps)
    text = cluster.ceph('perfcompare', 'show', found['run'], fmt='')
    assert 'described, not judged' in text
    (row,) = cluster.ceph(
        'perfcompare', 'compare', *BOTH, '--run', found['run']
    )['rows']
    for side in (row['baseline'], row['candidate']):
        assert [s['name'] for s in side['steps']] == ['20 op/s', '40 op/s']
    assert_gone(cluster)


def test_the_share_of_a_mix_is_what_was_asked_for(small: Found) -> None:
    """The deck of operations has the shares that the option gave."""
    for trial in small['shown']['trials']:
        if trial['round'] and trial['workload'].startswith('s3-mixed'):
            rows = trial['evidence']['client']['operations']
            whole = sum(row['ops'] for row in rows.values())
            shares = {
                op: 100 * row['ops'] / whole for op, row in rows.items()
            }
            assert shares == pytest.approx(MIX, abs=5)


def test_uploads_in_parts_are_measured(
    cluster: LiveCluster, large: Found
) -> None:
    """An upload is one operation, of as many bytes as its object has."""
    name = 's3-multipart-24M-c2-part5M-j3-crc32-sse-c-tags3'
    assert_measured(large, {name}, 1)
    assert operations(large, name, LEFT) == {'multipart'}
    for trial in large['shown']['trials']:
        summary = trial['summary']
        assert summary['bytes_per_s'] == pytest.approx(
            summary['ops_per_s'] * 24 * 2**20
        )


def test_many_buckets_through_gateways_of_the_run(
    cluster: LiveCluster,
) -> None:
    """As many buckets as there can be, in each of several trials."""
    found = s3_run(
        cluster, ['left'], *LIGHT, '--size', '4K', '--workload', 's3-list',
        '--workload', 's3-delete', '--workload', 's3-copy', '--workload',
        's3-range', '--range-size', '1K', '--encryption', 'sse-c',
        '--buckets', '64', '--prefixes', '4', '--concurrency', '8',
        '--list-keys', '10', seconds=900,
    )  # fmt: skip
    ops = {
        's3-list-4K-c8-k10-b64-p4-sse-c': {'list'},
        's3-delete-4K-c8-b64-p4-sse-c': {'delete'},
        's3-copy-4K-c8-b64-p4-sse-c': {'copy'},
        's3-range-4K-c8-range1K-b64-p4-sse-c': {'range'},
    }
    assert_measured(found, set(ops), 1)
    for name, done in ops.items():
        assert operations(found, name, LEFT) == done


def test_nothing_is_left(
    cluster: LiveCluster, small: Found, large: Found
) -> None:
    """Gateways and pools are gone."""
    assert_gone(cluster)


DATA, PARTS = 'default.rgw.buckets.data', 'default.rgw.buckets.non-ec'


@pytest.fixture(scope='module')
def theirs(cluster: LiveCluster) -> Iterator[None]:
    """Give a group a gateway of somebody else, and take it away again."""
    with steady_pools(cluster):
        url = cluster.verb('rgw', 'start').split()[-1]
    words = ['radosgw-admin', 'user', 'create', '--uid=op']
    done = cluster.exec([*words, '--display-name=op'])
    keys = cluster.dir / 'tmp' / 'keys.json'
    keys.write_text(done.stdout, encoding='utf-8')
    cluster.ceph(
        'perfcompare', 'gateways', 'set', 'left', '--endpoint', url,
        '-i', str(keys), fmt='',
    )  # fmt: skip
    yield
    cluster.ceph('perfcompare', 'gateways', 'rm', 'left', fmt='')
    cluster.verb('rgw', 'stop')
    for pool in cluster.ceph('osd', 'pool', 'ls'):
        if '.rgw' in pool:
            cluster.pool_rm(pool)
    assert_without_gateways(cluster)


def stored(cluster: LiveCluster, pool: str) -> List[str]:
    """Return the names of the RADOS objects of a pool."""
    return cluster.objects(pool)


def test_uploads_that_a_killed_worker_left_are_swept(
    cluster: LiveCluster, theirs: None
) -> None:
    """Uploads cut by SIGKILL go with their bucket: nothing is stored."""
    run = runs.start(
        cluster, ['left'], *LOAD, '--workload', 's3-multipart',
        '--size', '16M', '--part-size', '5M', '--part-streams', '2',
        '--concurrency', '2', '--duration', '10', '--gateway-source',
        'existing',  # longer, and OSDs that are fast have no room for it
    )  # fmt: skip
    runs.wait_state(cluster, run, ['trial'], 300, 'round 0')
    wait_for(
        lambda: len(stored(cluster, PARTS)) > 0
        and len(stored(cluster, DATA)) > 8,
        120, 'uploads are under way', 0.2,
    )  # fmt: skip
    killed = processes.of_runs(cluster)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    left = stored(cluster, PARTS)
    print(len(killed), 'killed, uploads open:', left)
    assert killed and left
    cluster.ceph('perfcompare', 'cancel', run)
    runs.wait_end(cluster, 600)
    assert buckets(cluster) == []
    assert stored(cluster, PARTS) == []

    def collected() -> bool:
        cluster.exec(['radosgw-admin', 'gc', 'process', '--include-all'])
        return not stored(cluster, DATA)

    wait_for(collected, 120, 'no object is stored', 2.0)
    assert journal(cluster) == []


def test_all_buckets_of_a_load_are_used_and_removed(
    cluster: LiveCluster, theirs: None
) -> None:
    """Objects are in each bucket, with each prefix; then all are gone."""
    run = runs.start(
        cluster, ['left'], *LOAD, '--workload', 's3-mixed', '--mix',
        # more are written than removed
        'put=50:16K,get=20:8K,list=10,copy=10:8K,range=10:64K,multidelete=2',
        '--delete-batch', '10', '--list-keys', '20', '--range-size', '4K',
        '--buckets', '3', '--prefixes', '2', '--concurrency', '4',
        '--duration', '5', '--gateway-source', 'existing',
    )  # fmt: skip
    seen: Set[str] = set()

    def look(status: Any) -> None:
        names = stored(cluster, DATA)
        seen.update(n.rpartition('-')[0] for n in names)
        # it takes seconds, in which new objects come and go unseen
        if not {'b1', 'b2'} < ends():
            made.update(buckets(cluster))

    def ends() -> Set[str]:
        return {bucket.rpartition('-')[2] for bucket in made}

    made: Set[str] = set()
    runs.wait_end(cluster, 600, look)
    assert runs.reason(cluster, run) == 'completed: '
    print(sorted(made), sorted(seen))
    assert {'b1', 'b2'} < ends()
    # of a bucket's marker, and of both prefixes
    places = {name.partition('_') for name in seen if '/new' in name}
    assert len({marker for marker, _, _ in places}) >= 3
    assert {name for _, _, name in places} == {'00/new', '01/new'}
    for trial in runs.show(cluster, run)['trials']:
        if trial['round']:
            assert trial['workload'].endswith('-b3-p2')
            assert trial['summary']['errors'] == 0, trial['evidence']
            rows = trial['evidence']['client']['operations']
            print({op: row['ops'] for op, row in rows.items()})
            assert {'list', 'copy', 'multidelete'} < set(rows)
            # an operation may come before there is an object for it: then
            # one of its size is put
            few = trial['evidence']['client']['substituted']
            assert few <= 4
            # each operation has objects of its size; ranges are of 4K
            for op, size in (('put', 16), ('get', 8), ('range', 4)):
                moved = rows[op]['bytes_per_s'] / rows[op]['ops_per_s']
                near = 1e-6 + few / rows[op]['ops']
                assert moved == pytest.approx(size * 1024, rel=near), op
    assert buckets(cluster) == [] == journal(cluster)
