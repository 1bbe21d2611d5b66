"""The default cluster: real arm64 OSDs beside x86-64 ones."""

from typing import List

import json
import pathlib
import shlex

from . import runs
from .live import LiveCluster
from .provision import MIXED, Provider
from .state import ClusterState, wait_unchanged

CLUSTER = MIXED.name
SECONDS = 140
PAGE = (
    pathlib.Path(__file__).resolve().parents[2]
    / 'doc/mgr/perfcompare/first-result.rst'
)
LEFT_OUT = 'ceph orch '
HOSTS = {
    'node-7,node-8,node-9': 'arm-1,arm-2',
    'node-1,node-2,node-3': 'x86-1,x86-2',
}
TOLD = (
    'Runs can start.',
    'no data moves',
    'A run may start',
    'write-4K-c16',
    'aarch64',
    'nothing was left to undo',
)
MANY = ('--rounds', '6', '--adaptive')  # which a test does not wait for
BRIEF = ('--workload', 'write', '--rounds', '1', '--duration', '4')


def commands() -> List[str]:
    """Return the commands of the ten-minute page, in its order.

    What installs it is given where cephadm is: test_cephadm_ten_minutes.
    """
    found = []
    for block in PAGE.read_text(encoding='utf-8').split('.. prompt::')[1:]:
        lines = block.split('\n')[2:]
        for line in lines[: lines.index('')]:
            found.append(line.strip())
    return [
        c
        for c in found
        if c.startswith('ceph ') and not c.startswith(LEFT_OUT)
    ]


def walk(cluster: LiveCluster) -> str:
    """Give the commands of the ten-minute page; return the run's id."""
    run, shown = '', []
    start: List[str] = []
    for command in commands():
        words = [HOSTS.get(word, word) for word in shlex.split(command)]
        starts = words[1:3] == ['perfcompare', 'run'] and (
            '--dry-run' not in words
        )
        if starts:
            words = [w for w in words if w not in MANY]
            words += [*BRIEF, *runs.CONSENT, '--format', 'json']
            start = words
        if words[1:3] == ['perfcompare', 'stop']:
            # another run: the result of this one is to be compared
            runs.wait_end(cluster)
            assert cluster.exec(start).returncode == 0
        if words[1:3] == ['perfcompare', 'compare']:
            runs.wait_end(cluster)
        done = cluster.exec(words)
        assert done.returncode == 0, f'{command}: {done.stderr}'
        if starts:
            run = json.loads(done.stdout)['run']
        shown.append(done.stdout)
    text = '\n'.join(shown)
    for told in TOLD:
        assert told in text, told
    assert shown[-1].split() == ['.mgr']
    return run


def test_arm_runs_by_its_class_and_compares(provider: Provider) -> None:
    """`run --group arm` just works where a class has that name."""
    cluster = provider.get(MIXED)
    detected = cluster.ceph('perfcompare', 'group', 'detect')
    arches = {p['arch'] for p in detected['proposals']}
    assert arches == {'aarch64', 'x86_64'}
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    plan = cluster.ceph('perfcompare', 'run', '--group', 'arm', '--dry-run',
                        fmt='')  # fmt: skip
    assert 'profile quick' in plan
    single = cluster.ceph('perfcompare', 'run', '--group', 'arm', *runs.SHORT,
                          '--rounds', '1', *runs.CONSENT, fmt='')  # fmt: skip
    assert 'ceph perfcompare compare' in single and ' arm' in single
    active = runs.progress(cluster)
    assert active
    runs.wait_state(cluster, active['run'], ['trial'], runs.LIMIT)
    cluster.ceph('perfcompare', 'cancel', active['run'], fmt='')
    runs.wait_end(cluster)
    wait_unchanged(tracker, before)

    run = walk(cluster)
    for name in ('newer', 'older'):
        cluster.ceph('perfcompare', 'group', 'rm', name)
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    wait_unchanged(tracker, before)
    arch = {
        t['group']: t['manifest']['arch'] for t in runs.trials(cluster, run)
    }
    assert arch == {'x86': ['x86_64'], 'arm': ['aarch64']}
