"""S3 operations beyond put, get, stat and delete, on a real radosgw."""

from typing import Set

import pytest

from .live import LiveCluster
from .provision import WIDE
from .test_placement import assert_only_on, cluster  # noqa: F401
from .test_s3 import (
    Found,
    assert_gone,
    assert_measured,
    places,
    s3_run,
)

CLUSTER = WIDE.name
LIGHT = ('--replicas', '2', '--duration', '4')
MIX = {'get': 50, 'put': 20, 'range': 20, 'list': 10}


def measured(cluster: LiveCluster, *words: str) -> Found:  # noqa: F811
    """Return a run of both groups."""
    return s3_run(cluster, ['left', 'right'], *LIGHT, *words, seconds=900)


@pytest.fixture(scope='module')
def small(cluster: LiveCluster) -> Found:  # noqa: F811
    """Return a run of what is done with small objects."""
    mix = ','.join(f'{op}={share}' for op, share in MIX.items())
    return measured(
        cluster, '--size', '64K', '--concurrency', '4', '--mix', mix,
        '--workload', 's3-range', '--workload', 's3-list',
        '--workload', 's3-overwrite', '--workload', 's3-multidelete',
        '--workload', 's3-copy', '--workload', 's3-mixed',
        '--range-size', '4K', '--list-keys', '50', '--delete-batch', '20',
    )  # fmt: skip


@pytest.fixture(scope='module')
def large(cluster: LiveCluster) -> Found:  # noqa: F811
    """Return a run of uploads in parts."""
    return measured(
        cluster, '--size', '24M', '--workload', 's3-multipart',
        '--part-size', '5M', '--part-streams', '3', '--concurrency', '2',
    )  # fmt: skip


def operations(found: Found, workload: str) -> Set[str]:
    """Return what was done in all judged trials of a workload."""
    trials = [
        t
        for t in found['shown']['trials']
        if t['round'] and t['workload'] == workload
    ]
    assert {t['group'] for t in trials} == {'left', 'right'}
    done: Set[str] = set()
    for trial in trials:
        rows = trial['evidence']['client']['operations']
        print(
            trial['group'], workload,
            {op: (row['ops'], row['percentiles']) for op, row in rows.items()},
        )  # fmt: skip
        done |= set(rows)
    return done


def test_new_operations_are_measured_without_an_error(
    cluster: LiveCluster, small: Found  # noqa: F811
) -> None:
    """Each has figures of both groups, of nothing but what it is."""
    mixed = 's3-mixed-64K-c4-g50p20r20l10-range4K-k50'
    names = {
        's3-range-64K-c4-range4K': {'range'},
        's3-list-64K-c4-k50': {'list'},
        's3-overwrite-64K-c4': {'overwrite'},
        's3-multidelete-64K-c4-x20': {'multidelete'},
        's3-copy-64K-c4': {'copy'},
        mixed: set(MIX),
    }
    assert_measured(small, set(names), 1)
    for name, done in names.items():
        assert operations(small, name) == done
    assert_only_on(small['witness'], places(cluster), 2)


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
    cluster: LiveCluster, large: Found  # noqa: F811
) -> None:
    """An upload is one operation, of as many bytes as its object has."""
    name = 's3-multipart-24M-c2-part5M-j3'
    assert_measured(large, {name}, 1)
    assert operations(large, name) == {'multipart'}
    for trial in large['shown']['trials']:
        summary = trial['summary']
        assert summary['bytes_per_s'] == pytest.approx(
            summary['ops_per_s'] * 24 * 2**20
        )


def test_rows_of_other_mixes_are_not_compared(
    cluster: LiveCluster, small: Found  # noqa: F811
) -> None:
    """The mix is in the name of the row, and its operations in a table."""
    text = cluster.ceph(
        'perfcompare', 'compare', 'left', 'right', '--run', small['run'],
        fmt='',
    )  # fmt: skip
    assert 's3-mixed-64K-c4-g50p20r20l10-range4K' in text


def test_nothing_is_left(
    cluster: LiveCluster, small: Found, large: Found  # noqa: F811
) -> None:
    """Gateways and pools are gone."""
    assert_gone(cluster)
