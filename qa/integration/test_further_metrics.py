"""What limited a group, and further metrics, in a comparison of a real run."""

import pytest

from . import runs
from .live import LiveCluster
from .provision import HOSTS, Provider

CLUSTER = HOSTS.name
SECONDS = 110


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with exporters and two groups of stated power."""
    found = provider.get(HOSTS)
    for name, hosts, watts in (
        ('held', 'x86-1,x86-2', '100'),
        ('free', 'alt-1,alt-2', '50'),
    ):
        found.ceph('perfcompare', 'group', 'set', name, '--hosts', hosts,
                   '--watts', watts)  # fmt: skip
    return found


def test_what_limited_each_side_stands_in_a_comparison(
    cluster: LiveCluster,
) -> None:
    """`compare` names limits and further metrics of a real run."""
    # long enough for several scrapes of each host, on a busy machine too
    words = ['8' if w == '3' else w for w in runs.SHORT]
    started = runs.start(cluster, ['held', 'free'], *words, '--rounds', '1')
    end = runs.ended(cluster, started)
    assert end['state'] == 'completed', end['reason']
    sides_of = ('held', 'free', '--run', started)
    [row] = cluster.ceph('perfcompare', 'compare', *sides_of)['rows']
    sides = [row[side]['limited'] for side in ('baseline', 'candidate')]
    assert all(side['of'] == 1 for side in sides)
    # the machine may be slow, but nothing that is needed is missing
    assert all(side['limit'] != 'not available' for side in sides), sides
    metrics = {one['id']: one for one in row['metrics']}
    assert {'ops-per-core', 'ops-per-tb', 'ops-per-watt'} <= set(metrics)
    per_watt = metrics['ops-per-watt']['estimate']['ratio']
    assert per_watt == pytest.approx(2.0 * row['estimate']['ratio'])
    text = cluster.ceph('perfcompare', 'compare', *sides_of, fmt='')
    assert 'What limited each side' in text
    assert 'ops-per-watt' not in text
    text = cluster.ceph('perfcompare', 'compare', *sides_of, '--metrics',
                        'ops-per-watt', fmt='')  # fmt: skip
    assert 'ops-per-watt' in text and 'ops-per-core' not in text
    wrong = cluster.exec(['ceph', 'perfcompare', 'compare', 'held', 'free',
                          '--metrics', 'speed'])  # fmt: skip
    assert (
        wrong.returncode == 22 and "'speed' is not a metric" in wrong.stderr
    )
