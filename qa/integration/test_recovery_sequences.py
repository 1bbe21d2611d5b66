"""Recovery tests beyond the plain ones: sequences, options, failovers."""

from typing import Dict, Iterator, List

import json
import time

import pytest

from . import recoveries, runs
from .hands import Hands
from .live import LiveCluster
from .provision import PAIRS
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    GROUPS,
    READS,
    check_marks,
    cluster,
    completed,
    finished,
    start,
    steps,
    unchanged,
)

CLUSTER = PAIRS.name
pytestmark = pytest.mark.slow
MCLOCK = 'osd_mclock_profile'
MOVES = ('backfill', 'osd-out')  # they need not degrade anything
MODE = 'mgr/balancer/mode'
# no other load than the recovery, on a busy machine
QUIET = (
    '--repetitions', '1', '--pg-num', '8', '--size', '16K', '--data', '4M',
    '--concurrency', '1', '--limit', '240', *READS,
)  # fmt: skip


def config(cluster: LiveCluster) -> Dict[str, str]:  # noqa: F811
    """Return what is set in the central configuration."""
    found = cluster.look('config dump')
    return {entry['name']: entry['value'] for entry in found}


@pytest.fixture
def code(cluster: LiveCluster) -> Iterator[str]:  # noqa: F811
    """Yield an erasure code that serves I/O without one OSD of four."""
    name = 'recovery-two-two'
    cluster.ceph(
        'osd', 'erasure-code-profile', 'set', name, 'k=2', 'm=2',
        'plugin=jerasure', 'crush-failure-domain=osd', fmt='',
    )  # fmt: skip
    yield name
    cluster.ceph('osd', 'erasure-code-profile', 'rm', name, fmt='')


def test_groups_take_turns_with_a_profile_and_an_idle_balancer(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """Options are set while a test goes on, and as before after it."""
    run = start(
        cluster, 'osd-down', '--mclock-profile', 'high_recovery_ops',
        *READS, *('--repetitions', '2'),
    )  # fmt: skip
    runs.wait_state(cluster, run, ['trial'], 240)
    during = config(cluster)
    assert during[MCLOCK] == 'high_recovery_ops'
    assert during[MODE] == 'none'
    test = finished(cluster, run)
    assert (test['state'], test['reason']) == ('completed', '')
    turns = list(
        dict.fromkeys((s['repetition'], s['group']) for s in test['steps'])
    )
    assert [turn[0] for turn in turns] == [1, 1, 2, 2]
    assert turns[0][1] != turns[2][1]
    assert MCLOCK not in config(cluster)
    # what the running manager has, too: it is not told of removed options
    assert cluster.look('balancer status', 'mgr')['mode'] == 'upmap'


def test_operator_who_switches_the_balancer_off_is_heard(
    cluster: LiveCluster,  # noqa: F811
) -> None:
    """`ceph balancer off` in mid-test stays; the mode comes back."""
    run = start(cluster, 'osd-down', *READS)
    try:
        runs.wait_state(cluster, run, ['trial'], 240)
        cluster.ceph('balancer', 'off', fmt='')
        assert finished(cluster, run)['state'] == 'completed'
        found = cluster.look('balancer status', 'mgr')
        assert (found['active'], found['mode']) == (False, 'upmap')
        after = config(cluster)
        assert after['mgr/balancer/active'] == 'false'
        assert MODE not in after
    finally:
        cluster.ceph('balancer', 'on', fmt='')
        cluster.ceph('config', 'rm', 'mgr', 'mgr/balancer/active', fmt='')


def test_erasure_coded_pool_survives_a_stopped_osd(
    cluster: LiveCluster, unchanged: ClusterState, code: str  # noqa: F811
) -> None:
    """An OSD of an erasure-coded pool is killed and started again."""
    with Hands(cluster, True) as hands:
        test = completed(
            cluster, 'osd-stop', '--stop-by', 'operator', '--ec-profile',
            code, *READS,
        )  # fmt: skip
    assert [word for word, _ in hands.done] == ['stopped', 'started'] * 2
    for step in steps(test, 'start'):
        check_marks(step, 't1', 't2', 't5')


def test_erasure_coded_pool_moves_when_an_osd_goes_out(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """All PGs of a 2+1 code find another place among four OSDs."""
    name = 'recovery-two-one-out'
    cluster.ceph(
        'osd', 'erasure-code-profile', 'set', name, 'k=2', 'm=1',
        'plugin=jerasure', 'crush-failure-domain=osd', fmt='',
    )  # fmt: skip
    try:
        test = completed(cluster, 'osd-out', '--ec-profile', name, *READS)
    finally:
        cluster.ceph('osd', 'erasure-code-profile', 'rm', name, fmt='')
    for step in steps(test, 'out', 'in'):
        check_marks(step, 't0', 't1', 't2', 't5')


def wait_reported(
    cluster: LiveCluster, option: str, value: str  # noqa: F811
) -> None:
    """Wait until the mgr has heard of an option from all mons."""
    deadline = time.monotonic() + 30.0
    for mon in cluster.look('quorum_status')['quorum_names']:
        show = ('config', 'show', f'mon.{mon}', option)
        while cluster.ceph(*show, fmt='').strip() != value:
            assert time.monotonic() < deadline
            time.sleep(0.5)


def test_stopped_osd_is_marked_out_where_that_is_wanted(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """With --auto-out the mons mark it out, and it comes in again."""
    option = 'mon_osd_down_out_interval'
    cluster.ceph('config', 'set', 'mon', option, '5', fmt='')
    try:
        wait_reported(cluster, option, '5')
        with Hands(cluster, False):
            test = completed(
                cluster, 'osd-stop', '--stop-by', 'operator', '--auto-out',
                '--hold', '20', *READS,
            )  # fmt: skip
    finally:
        cluster.ceph('config', 'rm', 'mon', option, fmt='')
    for step in steps(test, 'stop'):
        texts = [e['text'] for e in step['timeline']['events']]
        assert [t for t in texts if 'out' in t], texts
        check_marks(step, 't1', 't2', 't5')
    for step in steps(test, 'start'):
        check_marks(step, 't1', 't2', 't5')


@pytest.mark.parametrize(
    'scenario, kinds, seconds, kill',
    [
        ('osd-down', ['down'], 35.0, False),
        ('backfill', ['move', 'move-back'], 90.0, False),
        ('osd-out', ['out', 'in'], 60.0, False),
        ('osd-stop', ['stop', 'start'], 60.0, True),
        ('osd-stop', ['stop', 'start'], 60.0, False),
        ('host-stop', ['stop', 'start'], 60.0, True),
        ('host-stop', ['stop', 'start'], 60.0, False),
    ],
    ids=(
        'osd-down', 'backfill', 'osd-out', 'osd-kill', 'osd-stop',
        'host-kill', 'host-stop',
    ),
)  # fmt: skip
def test_moments_agree_with_an_independent_witness(
    cluster: LiveCluster,  # noqa: F811
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    kinds: List[str],
    seconds: float,
    kill: bool,
) -> None:
    """What a test says of t1 to t5 is what is seen from outside."""
    ticket = cluster.ceph(
        'perfcompare', 'recovery', 'run', '--group', 'x86', '--scenario',
        scenario, *QUIET, '--hold', '10', *runs.CONSENT,
    )  # fmt: skip
    with Hands(cluster, kill):
        runs.wait_state(cluster, ticket['run'], ['trial'], 240)
        pools = [
            p['pool_name']
            for p in cluster.look('osd dump')['pools']
            # else a step is about all that the group's OSDs have
            if scenario != 'backfill' or ticket['run'] in p['pool_name']
        ]
        seen = recoveries.Witness(cluster, pools, seconds).result()
        test = finished(cluster, ticket['run'])
    assert (test['state'], test['reason']) == ('completed', '')
    made = steps(test, *kinds)
    assert [step['kind'] for step in made] == kinds
    print(json.dumps(seen))
    assert len(seen['turns']) == len(kinds)
    for step, turn in zip(made, seen['turns']):
        marks = step['timeline']['marks']
        rows = recoveries.compare(turn, marks)
        text = recoveries.table(rows)
        print(step['title'] + '\n' + text)
        print('  looks late by %.2f s at most' % seen['lag'])
        for row in rows:
            if row['apart'] is not None:
                allowed = max(1.0, row['accuracy'] + 0.3) + seen['lag']
                assert abs(row['apart']) <= allowed, text
        if marks['t4']['fate'] == 'skipped' and scenario in MOVES:
            assert turn['t4'] is None, text
        known = {row['mark'] for row in rows if row['apart'] is not None}
        # without its OSD a PG does not become clean
        ends = set() if step['kind'] == 'stop' else {'t5'}
        assert {'t1', 't2'} | ends <= known, text
