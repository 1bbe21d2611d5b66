"""Recoveries that are provoked: timed under load, and all comes back."""

from typing import Any, Dict, Iterator, List, Sequence, Tuple

import pytest

from cluster.api import CommandFailed

from . import processes, recoveries, runs
from .hands import Hands, Orders
from .live import LiveCluster
from .provision import PAIRS, Provider, wait_answers
from .state import ClusterState, pg_mapping, wait_unchanged
from .waiting import wait_for

CLUSTER = PAIRS.name
SECONDS = 250
GROUPS = ('x86', 'alt')
# PG logs this short make backfill of a few thousand objects
SHORT_LOGS = {
    'osd_target_pg_log_entries_per_osd': '1000',
    'osd_min_pg_log_entries': '50',
    'osd_max_pg_log_entries': '100',
}
LIGHT = (
    '--repetitions', '1', '--hold', '4', '--pg-num', '8', '--size', '16K',
    '--concurrency', '1', '--limit', '240',
)  # fmt: skip
LITTLE = ('--data', '1M')
READS = ('--workload', 'rand')  # adds nothing that must be recovered
Test = Dict[str, Any]


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster in which failures may be provoked."""
    found = provider.get(PAIRS)
    for name, value in SHORT_LOGS.items():
        found.ceph('config', 'set', 'osd', name, value, fmt='')
    option = 'mgr/perfcompare/allow_failure_tests'
    found.ceph('config', 'set', 'mgr', option, 'true', fmt='')
    wait_answers(found)
    yield found
    found.ceph('config', 'rm', 'mgr', option, fmt='')
    for name in SHORT_LOGS:
        found.ceph('config', 'rm', 'osd', name, fmt='')


TAKEN = (0, 4)  # OSDs that go out; a host has two, with numbers in a row


def _named(up: Sequence[int]) -> Sequence[int]:
    """Return from where to where a PG moves: to, or from, an OSD taken."""
    for osd in TAKEN:
        for source, target in ((osd, osd + 1), (osd + 1, osd)):
            if source in up:
                return source, target
    return ()


def _beside(up: Sequence[int]) -> Sequence[int]:
    """Return the same for another copy of a PG that an OSD taken has.

    It goes to the host without one: where CRUSH takes that host for the
    OSD that is out, the monitors drop the upmap.
    """
    others = [o for o in up if o not in TAKEN]
    if not others or len(others) == len(up):
        return ()
    hosts = {o // 2 for o in up}
    return others[0], next(o for o in range(8) if o // 2 not in hosts)


@pytest.fixture
def mapped(cluster: LiveCluster) -> Iterator[None]:
    """Have PGs of others mapped by name, near the OSDs that go out."""
    ceph = cluster.ceph
    ceph('osd', 'pool', 'create', 'mapped', '32', '32', fmt='')
    pools = {p['pool_name']: p['pool'] for p in ceph('osd', 'dump')['pools']}

    def told() -> Any:
        found = pg_mapping(cluster, [pools['mapped']])
        return (
            len(found) == 32 and all(u for u, _ in found.values()) and found
        )

    here = wait_for(told, 60, 'its PGs are reported')
    cluster.wait_clean(120)
    moved = []
    for pgid, (up, _) in sorted(here.items()):
        pair = (_named, _beside)[len(moved) % 2](up)
        if pair:
            ceph('osd', 'pg-upmap-items', pgid, *map(str, pair), fmt='')
            moved.append(pgid)
    cluster.wait_clean(120)
    found = ceph('osd', 'dump')['pg_upmap_items']
    assert len(found) == len(moved) > 4, found
    yield
    assert ceph('osd', 'dump')['pg_upmap_items'] == found
    words = ('osd', 'pool', 'rm', 'mapped', 'mapped')
    ceph('config', 'set', 'mon', 'mon_allow_pool_delete', 'true', fmt='')
    ceph(*words, '--yes-i-really-really-mean-it', fmt='')
    ceph('config', 'rm', 'mon', 'mon_allow_pool_delete', fmt='')


@pytest.fixture
def unchanged(cluster: LiveCluster) -> Iterator[ClusterState]:
    """Assert that the cluster is as it was before the test."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    yield tracker
    cluster.wait_clean(180)
    wait_unchanged(tracker, before, 60)


def start(cluster: LiveCluster, scenario: str, *words: str) -> str:
    """Start a test on both groups; return its id."""
    groups = [word for group in GROUPS for word in ('--group', group)]
    data = () if '--data' in words else LITTLE
    ticket = cluster.ceph(
        'perfcompare', 'recovery', 'run', *groups, '--scenario', scenario,
        *(LIGHT + data + words), *runs.CONSENT,
    )  # fmt: skip
    run: str = ticket['run']
    return run


def finished(cluster: LiveCluster, run: str) -> Test:
    """Wait for the end of a test; return what is stored of it."""
    runs.wait_end(cluster, 900)

    def stored() -> Any:
        found = cluster.look('perfcompare recovery show', 'mgr', recovery=run)
        return found and found['item']['ended'] and found['item']

    test: Test = wait_for(stored, 30, 'test %s is stored as ended' % run)
    return test


def completed(cluster: LiveCluster, scenario: str, *words: str) -> Test:
    """Do a test to its good end."""
    test = finished(cluster, start(cluster, scenario, *words))
    assert test['state'] == 'completed', test['reason']
    assert {s['group'] for s in test['steps']} == set(GROUPS)
    words = ('perfcompare', 'recovery', 'compare', test['id'])
    print(cluster.ceph(*words, fmt=''))
    return test


def steps(test: Test, *kinds: str) -> List[Dict[str, Any]]:
    """Return the steps of some kinds, all groups."""
    return [s for s in test['steps'] if s['kind'] in kinds]


def check_marks(step: Dict[str, Any], *names: str) -> None:
    """Assert that moments were reached, in their order."""
    marks = step['timeline']['marks']
    times = []
    for name in names:
        assert marks[name]['fate'] == 'reached', (step['title'], name, marks)
        times.append(marks[name]['at'])
    assert times == sorted(times), marks


def cut_step(cluster: LiveCluster, test: Test) -> Dict[str, Any]:
    """Return what the next manager went on to see of a step it was cut in."""
    (noted,) = [
        note
        for step in steps(test, 'baseline')
        for note in step['notes']
        if note.startswith('made again')
    ]
    print(cluster.ceph('perfcompare', 'recovery', 'show', test['id'], fmt=''))
    cut = noted.split()[-1]
    print(cluster.ceph('perfcompare', 'recovery', 'show', cut, fmt=''))
    shown = cluster.look('perfcompare recovery show', 'mgr', recovery=cut)
    assert shown is not None
    episode: Dict[str, Any] = shown['item']
    assert len(episode['handovers']) == 1
    assert test['id'] in episode['notes'][0]
    return episode


def check_client(test: Test, *loads: str) -> None:
    """Assert that the loads were measured in every phase."""
    for step in test['steps']:
        for load in loads:
            assert step['client'][load + '_ops_per_s'] > 0, step['title']
        if step['kind'] != 'baseline':
            assert step['client']['rand_share'] > 0


def test_backfill_goes_there_and_back_under_load(
    cluster: LiveCluster, unchanged: ClusterState
) -> None:
    test = completed(cluster, 'backfill', '--data', '16M')
    check_client(test, 'rand', 'write')
    moves = steps(test, 'move', 'move-back')
    for step in moves:
        check_marks(step, 't0', 't1', 't2', 't5')
        assert step['timeline']['states']['remapped'], step
        assert step['timeline']['size']['misplaced'] > 0
    # a quick one may end between two looks, but not between two maps
    assert any(s['timeline']['backfilled'] for s in moves), moves
    text = cluster.ceph('perfcompare', 'recovery', 'compare', test['id'],
                        fmt='')  # fmt: skip
    for word in ('no failure', 'PGs moved back', 'recovered', 'backfill'):
        assert word in text


def test_osd_marked_down_peers_and_comes_back(
    cluster: LiveCluster, unchanged: ClusterState
) -> None:
    test = completed(cluster, 'osd-down')
    check_client(test, 'rand', 'write')
    for step in steps(test, 'down'):
        check_marks(step, 't0', 't1', 't2', 't5')
        texts = [e['text'] for e in step['timeline']['events']]
        assert [t for t in texts if 'down' in t], texts


def test_failures_need_the_option(cluster: LiveCluster) -> None:
    option = 'mgr/perfcompare/allow_failure_tests'
    cluster.ceph('config', 'set', 'mgr', option, 'false', fmt='')
    try:
        with pytest.raises(CommandFailed) as info:
            start(cluster, 'osd-out')
        assert info.value.returncode == 1
        assert 'allow_failure_tests' in info.value.stderr
    finally:
        cluster.ceph('config', 'set', 'mgr', option, 'true', fmt='')


@pytest.mark.slow
def test_osd_goes_out_and_in(
    cluster: LiveCluster, mapped: None, unchanged: ClusterState
) -> None:
    test = completed(cluster, 'osd-out', *READS)
    check_client(test, 'rand')
    for step in steps(test, 'out', 'in'):
        check_marks(step, 't0', 't1', 't2', 't5')


@pytest.mark.slow
@pytest.mark.parametrize('kill', (True, False), ids=('kill', 'stop'))
def test_osd_is_stopped_by_an_operator(
    cluster: LiveCluster, unchanged: ClusterState, kill: bool
) -> None:
    with Hands(cluster, kill) as hands:
        test = completed(cluster, 'osd-stop', '--stop-by', 'operator', *READS)
    assert [word for word, _ in hands.done] == ['stopped', 'started'] * 2
    how = 'connection refused' if kill else 'marked itself down'
    for step in steps(test, 'stop'):
        check_marks(step, 't1', 't2')
        assert step['timeline']['marks']['t0']['fate'] == 'not available'
        (found,) = step['timeline']['detections']
        assert (found['kind'], found['after']) == (how, None)
    text = cluster.ceph('perfcompare', 'recovery', 'compare', test['id'],
                        fmt='')  # fmt: skip
    for group in GROUPS:
        assert f'{group}: stopped OSDs found by: {how} (1)' in text, text
    for step in steps(test, 'start'):
        check_marks(step, 't1', 't2', 't5')


@pytest.mark.slow
def test_host_is_stopped_by_the_orchestrator(
    cluster: LiveCluster, unchanged: ClusterState
) -> None:
    with Orders(cluster) as orders:
        wait_answers(cluster)
        test = completed(cluster, 'host-stop', *READS)
        assert len([1 for word, _ in orders.done if word == 'stop']) == 4
    for step in steps(test, 'stop'):
        check_marks(step, 't0', 't1', 't2')
        found = step['timeline']['detections']
        assert {f['kind'] for f in found} == {'marked itself down'}
        assert len(found) == 2 and all(f['after'] > 0 for f in found)


@pytest.mark.slow
def test_failover_brings_an_osd_back_in_and_goes_on(
    cluster: LiveCluster, mapped: None, unchanged: ClusterState
) -> None:
    run = start(cluster, 'osd-out', *READS)
    runs.wait_state(cluster, run, ['trial'], 240, ' out')

    def goes_out() -> bool:
        found = cluster.look('osd dump')
        return bool(found) and not all(o['in'] for o in found['osds'])

    wait_for(goes_out, 30, 'the map shows it', 0.1)
    killed = cluster.mgr_kill()
    try:
        cluster.wait_active_mgr()

        def inside() -> bool:
            found = cluster.look('osd dump')
            return bool(found) and all(o['in'] for o in found['osds'])

        wait_for(inside, 90, 'all OSDs are in again')
        wait_answers(cluster, 120)
        test = finished(cluster, run)
    finally:
        cluster.mgr_start(killed)
    assert test['state'] == 'completed', test['reason']
    episode = cut_step(cluster, test)
    assert episode['state'] == 'clean', episode['notes']
    (timeline,) = episode['timelines']
    assert timeline['scope'] in GROUPS
    check_marks(
        {'title': 'cut', 'timeline': timeline}, 't0', 't1', 't2', 't5'
    )


@pytest.mark.slow
def test_erasure_coded_pool_backfills(
    cluster: LiveCluster, unchanged: ClusterState
) -> None:
    name = 'recovery-two-one'
    cluster.ceph(
        'osd', 'erasure-code-profile', 'set', name, 'k=2', 'm=1',
        'plugin=jerasure', 'crush-failure-domain=osd', fmt='',
    )  # fmt: skip
    try:
        test = completed(cluster, 'backfill', '--ec-profile', name, *READS)
    finally:
        cluster.ceph('osd', 'erasure-code-profile', 'rm', name, fmt='')
    for step in steps(test, 'move', 'move-back'):
        check_marks(step, 't1', 't2', 't5')


@pytest.mark.slow
@pytest.mark.parametrize(
    'name, sides, words',
    [
        ('s3-mixed', ('get', 'put'), ()),
        ('rbd-randrw', ('read', 'write'), ('--images', '2')),
    ],
    ids=('s3', 'rbd'),
)
def test_a_mix_has_percentiles_in_every_phase(
    cluster: LiveCluster,
    unchanged: ClusterState,
    name: str,
    sides: Tuple[str, ...],
    words: Tuple[str, ...],
) -> None:
    test = completed(
        cluster, 'backfill', '--workload', name, '--replicas', '2',
        '--concurrency', '2', *words,
    )  # fmt: skip
    for step in test['steps']:
        client = step['client']
        for load in (name, *(f'{name}-{side}' for side in sides)):
            assert client[load + '_ops_per_s'] > 0, (step['title'], client)
            assert client[load + '_samples'] > 0
            assert client[load + '_p50'] > 0, (step['title'], client)
        assert client[name + '_errors'] == 0
        assert client[name + '_stall'] is not None
        assert step['kind'] == 'baseline' or client[name + '_share'] > 0
        timeline = step['timeline'] or {'phases': ()}
        whole = [p['client'][name + '_samples'] for p in timeline['phases']]
        assert not whole or sum(n or 0 for n in whole) > 0
    assert processes.gateways_of(cluster) == {}
    for verb in ('show', 'compare'):
        text = cluster.ceph(
            'perfcompare', 'recovery', verb, test['id'], fmt=''
        )
        print(text)
        assert 'p95' in text.lower() and f'{name} {sides[0]}' in text
    recoveries.goes_through_a_file(cluster, test['id'])


@pytest.mark.slow
def test_cancel_brings_everything_back(
    cluster: LiveCluster, unchanged: ClusterState
) -> None:
    run = start(cluster, 'osd-out', *READS)
    runs.wait_state(cluster, run, ['trial'], 240, ' out')
    cluster.ceph('perfcompare', 'recovery', 'cancel', run, fmt='')
    test = finished(cluster, run)
    assert test['state'] == 'stopped'
