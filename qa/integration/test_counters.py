"""Every counter of the one table, held against the OSDs of this release.

PERFCOMPARE_RELEASE chooses the release, as for all tests here.
"""

from typing import Any, Dict, Iterator, List

import os
import pathlib
import sys

import pytest

from .live import LiveCluster
from .provision import FIGURES, Provider
from .waiting import wait_for

SOURCE = (
    pathlib.Path(__file__).resolve().parents[2] / 'src' / 'pybind' / 'mgr'
)
sys.path.insert(0, str(SOURCE))

from perfcompare.metrics.osd_counters import (  # noqa: E402
    COUNTERS,
    lookup,
    series_paths,
)

CLUSTER = FIGURES.name
RELEASE = os.environ.get('PERFCOMPARE_RELEASE', 'tentacle')
# what a release does not count: "not available" in its results
ABSENT: Dict[str, List[str]] = {'tentacle': [], 'reef': ['bluefs_fsync_lat']}
SHIPPED = 5  # priority from which on an OSD reports to the mgr


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with the module enabled."""
    return provider.get(FIGURES)


@pytest.fixture(scope='module')
def tuned(cluster: LiveCluster) -> Iterator[int]:
    """Yield an OSD that tunes its memory, as all do by default.

    Those of the mini cluster do not, and then they do not count it.
    """
    osd = 0
    path = cluster.dir / 'ceph.conf'
    before = path.read_text(encoding='utf-8')
    extra = '\n[osd.%d]\nbluestore cache autotune = true\n' % osd

    def restart() -> None:
        cluster.osd_stop(osd)
        cluster.osd_start(osd)
        cluster.wait_clean()

    path.write_text(before + extra, encoding='utf-8')
    try:
        restart()
        yield osd
    finally:
        path.write_text(before, encoding='utf-8')
        restart()


def test_each_counter_is_there_or_known_to_be_absent(
    cluster: LiveCluster, tuned: int
) -> None:
    """No name of the table is wrong in this release, and none forgotten."""
    who = 'osd.%d' % tuned

    def dump() -> Any:
        found = cluster.ceph('tell', who, 'perf', 'dump')
        return found if 'osd' in found else None

    found = wait_for(dump, 30, who + ' tells its counters')
    absent = [
        counter.name
        for counter in COUNTERS
        if all(lookup(found, path) is None for path in counter.paths)
    ]
    print(RELEASE, 'of', len(COUNTERS), 'counters lacks', absent)
    assert absent == ABSENT[RELEASE]
    schema = cluster.ceph('tell', who, 'perf', 'schema')
    silent = [
        path
        for path in series_paths(found).values()
        if lookup(schema, path)['priority'] < SHIPPED
    ]
    assert silent == []
