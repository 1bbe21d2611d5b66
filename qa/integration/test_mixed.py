"""The default cluster: real arm64 OSDs beside x86-64 ones."""

from . import runs
from .provision import MIXED, Provider
from .state import ClusterState, wait_unchanged

CLUSTER = MIXED.name


def test_arm_runs_by_its_class_and_compares(provider: Provider) -> None:
    """`run --group arm` just works where a class has that name."""
    cluster = provider.get(MIXED)
    detected = cluster.ceph('perfcompare', 'group', 'detect')
    arches = {p['arch'] for p in detected['proposals']}
    assert arches == {'aarch64', 'x86_64'}
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    plan = cluster.ceph('perfcompare', 'run', '--group', 'arm', '--dry-run',
                        fmt='')  # fmt: skip
    assert 'profile quick' in plan
    single = cluster.ceph('perfcompare', 'run', '--group', 'arm', *runs.SHORT,
                          '--rounds', '1', *runs.CONSENT, fmt='')  # fmt: skip
    assert 'ceph perfcompare compare' in single and ' arm' in single
    runs.wait_end(cluster)
    wait_unchanged(tracker, before)

    run = runs.start(cluster, ['x86', 'arm'], *runs.SHORT, '--rounds', '1')
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    wait_unchanged(tracker, before)
    arch = {
        t['group']: t['manifest']['arch'] for t in runs.trials(cluster, run)
    }
    assert arch == {'x86': ['x86_64'], 'arm': ['aarch64']}
    text = cluster.ceph('perfcompare', 'compare', 'x86', 'arm', fmt='')
    assert 'aarch64' in text and 'write-4K-c4' in text
