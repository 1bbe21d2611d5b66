"""Recovery tests beyond the plain ones: sequences, options, failovers."""

from typing import Dict

import pytest

from . import runs
from .live import LiveCluster
from .provision import PAIRS, wait_answers
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    GROUPS,
    READS,
    cluster,
    finished,
    start,
    unchanged,
)

CLUSTER = PAIRS.name
pytestmark = pytest.mark.slow
MCLOCK = 'osd_mclock_profile'
BALANCER = 'mgr/balancer/active'


def config(cluster: LiveCluster) -> Dict[str, str]:  # noqa: F811
    """Return what is set in the central configuration."""
    found = cluster.look('config dump')
    return {entry['name']: entry['value'] for entry in found}


def test_groups_take_turns_with_a_profile_and_no_balancer(
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
    assert during[BALANCER] == 'false'
    test = finished(cluster, run)
    assert (test['state'], test['reason']) == ('completed', '')
    turns = list(
        dict.fromkeys((s['repetition'], s['group']) for s in test['steps'])
    )
    assert [turn[0] for turn in turns] == [1, 1, 2, 2]
    assert turns[0][1] != turns[2][1]
    assert MCLOCK not in config(cluster)


@pytest.mark.parametrize(
    'scenario, phase, kill',
    [
        ('backfill', 'PGs moved', True),
        ('backfill', 'PGs moved back', False),
        ('osd-out', 'back in', True),
    ],
)
def test_failover_in_any_phase_leaves_nothing(
    cluster: LiveCluster,  # noqa: F811
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    phase: str,
    kill: bool,
) -> None:
    """The next manager undoes a test, and does it again to its end."""
    run = start(cluster, scenario, *READS)
    runs.wait_state(cluster, run, ['trial'], 240, phase)
    assert config(cluster)[BALANCER] == 'false'
    unchanged.note_managers()
    killed = cluster.mgr_kill() if kill else ''
    if not kill:
        cluster.mgr_fail()
    try:
        cluster.wait_active_mgr()
        unchanged.note_managers()
        wait_answers(cluster, 180)
        test = finished(cluster, run)
    finally:
        if killed:
            cluster.mgr_start(killed)
    assert test['state'] == 'completed', test['reason']
    assert {s['group'] for s in test['steps']} == set(GROUPS)
