"""Load lands on the groups and nowhere else, and nothing else moves."""

from typing import Any, Dict, Iterator, List, Set

import contextlib

import pytest

from . import runs, tenant
from .live import LiveCluster
from .provision import WIDE, Provider, Spec
from .state import ClusterState, differences, wait_unchanged
from .witness import Witness

CLUSTER = WIDE.name


@contextlib.contextmanager
def placed(provider: Provider, spec: Spec) -> Iterator[LiveCluster]:
    """Yield a cluster with a pool of somebody else on all OSDs."""
    found = provider.get(spec)
    found.ceph('perfcompare', 'group', 'set', 'left', '--hosts', 'n1,n2',
               '--note', 'the left side')  # fmt: skip
    found.ceph(
        'perfcompare',
        'group',
        'set',
        'right',
        '--hosts',
        'o1',
        '--hosts',
        'o2',
    )
    profile = ('osd', 'erasure-code-profile', 'set', 'two-one')
    found.ceph(*profile, 'k=2', 'm=1', 'plugin=jerasure', fmt='')
    tenant.create(found)
    yield found
    tenant.remove(found)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with two groups by hosts."""
    with placed(provider, WIDE) as found:
        yield found


def osds_of(cluster: LiveCluster, hosts: Set[str]) -> Set[int]:
    """Return the OSDs below hosts, by the CRUSH tree."""
    nodes = cluster.ceph('osd', 'tree')['nodes']
    return {
        child
        for node in nodes
        if node['type'] == 'host' and node['name'] in hosts
        for child in node['children']
    }


def group_of(pool: str) -> str:
    """Return the group in a pool's name."""
    return pool.split('.')[2]


def observed(
    cluster: LiveCluster,
    groups: List[str],
    *words: str,
    seconds: float = runs.LIMIT,
) -> Dict[str, Any]:
    """Execute a run under observation; return run, witness and check."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    data = tenant.sums(cluster)
    witness = Witness(cluster)
    run = runs.start(cluster, groups, *words)
    runs.wait_end(cluster, seconds, while_running=witness.look)
    wait_unchanged(tracker, before)
    assert tenant.sums(cluster) == data
    assert witness.moved == []
    assert runs.reason(cluster, run) == 'completed: '
    return {'run': run, 'witness': witness}


def assert_only_on(
    witness: Witness, places: Dict[str, Set[int]], size: int
) -> None:
    """Assert that PGs and objects of each group were on its OSDs only."""
    assert {group_of(p) for p in witness.osds} == set(places)
    for pool, osds in witness.osds.items():
        assert osds <= places[group_of(pool)], pool
        assert witness.pools[pool]['size'] == size
    seen: Dict[str, Set[int]] = {}
    for pool, osds in witness.objects.items():
        assert osds <= places[group_of(pool)], pool
        seen.setdefault(group_of(pool), set()).update(osds)
    # objects were seen, and on every OSD of the group
    assert seen == places


@pytest.fixture(scope='module')
def by_hosts(cluster: LiveCluster) -> Dict[str, Any]:
    """Return a run on groups by hosts, with writes and reads."""
    return observed(
        cluster, ['left', 'right'], '--profile', 'smoke',
        '--workload', 'write', '--workload', 'rand', '--size', '4K',
        '--concurrency', '4', '--duration', '3', '--rounds', '1',
        '--replicas', '2', '--label', 'by hosts',
    )  # fmt: skip


def test_hosts_only_the_groups_get_load(
    cluster: LiveCluster, by_hosts: Dict[str, Any]
) -> None:
    """Objects of a run by hosts are on these hosts, foreign PGs stay."""
    left, right = osds_of(cluster, {'n1', 'n2'}), osds_of(
        cluster, {'o1', 'o2'}
    )
    assert_only_on(by_hosts['witness'], {'left': left, 'right': right}, 2)


def test_what_is_read_is_served_evenly(
    cluster: LiveCluster, by_hosts: Dict[str, Any]
) -> None:
    """OSDs lead as many objects of a population, not only as many PGs."""
    reads = [
        trial
        for trial in runs.trials(cluster, by_hosts['run'], 'ok')
        if trial['workload'].startswith('rand')
    ]
    assert {trial['group'] for trial in reads} == {'left', 'right'}
    for trial in reads:
        assert 1.0 <= trial['manifest']['objects_max_mean'] <= 1.02, trial


def test_hosts_are_linked_below_a_root_of_the_run(
    by_hosts: Dict[str, Any],
) -> None:
    """Placement by hosts uses a root of the run with exactly its hosts."""
    run = by_hosts['run']
    assert by_hosts['witness'].roots == {
        'perfcompare-%s-left' % run: {'n1', 'n2'},
        'perfcompare-%s-right' % run: {'o1', 'o2'},
    }


def test_pools_of_a_run_are_marked_and_limited(
    by_hosts: Dict[str, Any],
) -> None:
    """Pools bear the run, have a quota, and no scrub nor autoscaler."""
    for name, pool in by_hosts['witness'].pools.items():
        group, role = name.split('.')[2:]
        marks = pool['application_metadata']['perfcompare']
        assert marks == {'run': by_hosts['run'], 'group': group, 'role': role}
        assert pool['pg_autoscale_mode'] == 'off', name
        assert pool['quota_max_bytes'] > 0, name
        assert {'noscrub', 'nodeep-scrub'} <= set(
            pool['flags_names'].split(',')
        ), name


def test_key_of_a_run_reaches_its_pools_only(
    by_hosts: Dict[str, Any],
) -> None:
    """The load has one key: it can read the maps and use marked pools."""
    run = by_hosts['run']
    assert by_hosts['witness'].keys == {
        'client.perfcompare.%s'
        % run: {
            'mon': 'allow r',
            'osd': 'allow rwx tag perfcompare run=%s' % run,
        }
    }


def test_progress_is_in_ceph_status(by_hosts: Dict[str, Any]) -> None:
    """`ceph -s` shows the run while it is under way."""
    shown = by_hosts['witness'].shown
    assert any(by_hosts['run'] in message for message in shown), shown


def test_no_secret_is_in_arguments_logs_or_results(
    cluster: LiveCluster, by_hosts: Dict[str, Any]
) -> None:
    """A run's key is in no command line, log, result or export."""
    run, witness = by_hosts['run'], by_hosts['witness']
    assert witness.secrets
    texts = {
        'command lines': '\n'.join(witness.commands),
        'show': cluster.ceph('perfcompare', 'show', run, fmt=''),
        'export': runs.export(cluster, run),
        'keys': cluster.ceph('config-key', 'dump', fmt=''),
    }
    for log in (cluster.dir / 'log').glob('*.log'):
        texts[log.name] = log.read_text(encoding='utf-8', errors='replace')
    assert 'bench' in texts['command lines']
    assert 'mgr.x.log' in texts and run in texts['mgr.x.log']
    for name, text in texts.items():
        for secret in witness.secrets:
            assert secret not in text, 'the key is in %s' % name


def test_class_with_erasure_code(cluster: LiveCluster) -> None:
    """A class alone is a group; an erasure-coded run stays on it."""
    found = observed(
        cluster, ['x86', 'alt'], *runs.SHORT, '--rounds', '1',
        '--ec-profile', 'two-one',
    )  # fmt: skip
    witness = found['witness']
    x86 = osds_of(cluster, {'n1', 'n2', 'n3'})
    alt = osds_of(cluster, {'o1', 'o2', 'o3'})
    assert_only_on(witness, {'x86': x86, 'alt': alt}, 3)
    assert witness.roots == {}  # no root of our own is needed
    for pool in witness.pools.values():
        assert pool['erasure_code_profile'] == 'perfcompare-%s-%s' % (
            found['run'], group_of(pool['pool_name'])
        )  # fmt: skip


def test_plan_names_what_pauses_and_changes_nothing(
    cluster: LiveCluster,
) -> None:
    """--dry-run tells the whole plan and touches nothing."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    text = cluster.ceph('perfcompare', 'run', '--group', 'left', '--group',
                        'right', *runs.SHORT, '--dry-run', fmt='')  # fmt: skip
    for word in ('OSD_DOWN', 'NEW_POOL', 'round 0', 'CRUSH root', '.mgr',
                 'no data moves', 'seed'):  # fmt: skip
        assert word in text, word
    assert differences(before, tracker.snapshot()) == []


def test_data_of_others_asks_for_consent(cluster: LiveCluster) -> None:
    """Without consent no run starts where a pool of others holds data."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    done = cluster.exec(['ceph', 'perfcompare', 'run', '--group', 'left',
                         '--group', 'right', *runs.SHORT,
                         '--allow-local-client'])  # fmt: skip
    assert done.returncode == 1  # EPERM
    assert 'tenant' in done.stderr and 'yes-i-really-mean-it' in done.stderr
    assert differences(before, tracker.snapshot()) == []


@pytest.mark.slow
@pytest.mark.parametrize('groups', [['all-n', 'all-o'], ['x86', 'alt']])
@pytest.mark.parametrize(
    'words', [('--replicas', '2'), ('--ec-profile', 'two-one')]
)
def test_every_placement_with_every_redundancy(
    cluster: LiveCluster, groups: List[str], words: List[str]
) -> None:
    """Both placements work with copies and with erasure codes."""
    for side in 'no':
        cluster.ceph(
            'perfcompare', 'group', 'set', f'all-{side}', '--hosts',
            ','.join(f'{side}{number}' for number in (1, 2, 3)),
        )  # fmt: skip
    observed(cluster, groups, *runs.SHORT, '--rounds', '3', *words)
