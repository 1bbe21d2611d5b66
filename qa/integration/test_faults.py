"""Whatever ends a run early: load dies, all is undone, results are kept."""

from typing import Any, Callable, Dict, Iterator, Sequence, Tuple

import time

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import CUT, Provider, wait_answers
from .readers import Readers
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

CLUSTER = CUT.name
SECONDS = 550
GROUPS = ['x86', 'alt']
FINAL = ('interrupted', 'completed')
STATES = ['preparing', 'trial', 'cooling', 'finishing']


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster whose workers have a short lease."""
    found = provider.get(CUT)
    found.ceph('config', 'set', 'mgr', 'mgr/perfcompare/worker_lease', '10',
               fmt='')  # fmt: skip
    return found


def restore(cluster: LiveCluster, option: str, default: str) -> None:
    """Give an option its default, and remove it from the configuration.

    A manager does not tell its modules of options that were removed.
    """
    name = 'mgr/perfcompare/' + option
    cluster.ceph('config', 'set', 'mgr', name, default, fmt='')
    cluster.ceph('config', 'rm', 'mgr', name, fmt='')


class Scene:
    """One run that a test disturbs, and the state before it."""

    def __init__(self, cluster: LiveCluster) -> None:
        self.cluster = cluster
        self.tracker = ClusterState(cluster)
        self.before = self.tracker.snapshot()
        self.run = ''

    def start(
        self,
        duration: int = 3,
        rounds: int = 3,
        groups: Sequence[str] = ('x86',),
    ) -> None:
        """Start a run; on one group it is sooner under load."""
        words = [w for w in runs.SHORT if w not in ('--duration', '3')]
        self.run = runs.start(
            self.cluster, groups, *words, '--duration', str(duration),
            '--rounds', str(rounds), '--pg-num', '8',
        )  # fmt: skip

    def in_trial(self, duration: int = 3, rounds: int = 3) -> None:
        """Start a run and wait until load is under way in a trial."""
        self.start(duration, rounds)
        runs.wait_state(self.cluster, self.run, ['trial'])
        wait_for(
            lambda: processes.load_of(self.cluster), 20, 'load', step=0.25
        )

    def end(self) -> Tuple[str, str]:
        """Wait for the end; return state and reason."""
        found = runs.ended(self.cluster, self.run)
        return found['state'], found['reason']

    def assert_undone(self) -> None:
        """Assert that nothing is left and all else is as before."""
        wait_unchanged(self.tracker, self.before, 60)


@pytest.fixture
def scene(cluster: LiveCluster) -> Iterator[Scene]:
    """Yield a scene; what a failed test left running is stopped."""
    cluster.wait_clean()
    found = Scene(cluster)
    yield found
    if runs.progress(cluster):
        cluster.exec(['ceph', 'perfcompare', 'stop', '--now'])
        runs.wait_end(cluster, 60)


def test_cancel_in_a_trial(scene: Scene) -> None:
    """`cancel` ends a run in order."""
    scene.in_trial()
    scene.cluster.ceph('perfcompare', 'cancel', scene.run)
    state, reason = scene.end()
    assert (state, reason) == ('cancelled', 'cancelled by an operator')
    scene.assert_undone()
    assert processes.of_runs(scene.cluster) == {}


def test_cancel_while_preparing(scene: Scene) -> None:
    """`cancel` works before there is any load."""
    scene.start()
    # or soon after: who looks may come late
    runs.wait_state(scene.cluster, scene.run, STATES[:3])
    scene.cluster.ceph('perfcompare', 'cancel', scene.run)
    assert scene.end()[0] == 'cancelled'
    scene.assert_undone()


def test_stop_now_kills_load_before_it_returns(scene: Scene) -> None:
    """`stop --now` leaves no load a moment later, whatever is asked."""
    scene.in_trial(duration=30)
    load = set(processes.load_of(scene.cluster))
    both = {'group': ['x86', 'alt']}
    questions = [
        ('show', {'run': scene.run}),
        ('preflight', both),
        ('run', dict(both, dry_run=True)),
        ('compare', {'baseline': 'x86', 'candidate': 'alt'}),
        ('doctor', {}),
    ]
    with Readers(scene.cluster.dir, questions) as readers:
        wait_for(lambda: len(readers.codes) > 20, 30, 'answers')
        scene.cluster.ceph('perfcompare', 'stop', '--now')
        # killed ones may take a moment to be gone from /proc on a busy
        # machine; it is less than the lease, which would end them as well
        wait_for(
            lambda: not load & set(processes.load_of(scene.cluster)),
            8, 'load is dead', step=0.05,
        )  # fmt: skip
    assert scene.end()[0] == 'cancelled'
    assert processes.load_of(scene.cluster) == []
    scene.assert_undone()


@pytest.mark.slow  # as in test_fault_suite: trial, osd-kill
def test_lost_osd_aborts(scene: Scene) -> None:
    """An OSD that goes down ends the run with the rule's name."""
    scene.in_trial(duration=10)
    scene.cluster.osd_kill(3)
    state, reason = scene.end()
    scene.cluster.osd_start(3)
    assert state == 'aborted'
    assert reason.startswith('OSD_DOWN: ') and 'osd.3' in reason
    scene.cluster.wait_clean()
    scene.assert_undone()


def test_new_pool_of_others_aborts(scene: Scene) -> None:
    """A pool that somebody creates during a run ends it, and stays."""
    scene.in_trial(duration=10)
    scene.cluster.ceph('osd', 'pool', 'create', 'stranger', '1', '1',
                       '--autoscale-mode', 'off', fmt='')  # fmt: skip
    state, reason = scene.end()
    assert state == 'aborted'
    assert reason.startswith('NEW_POOL: ') and 'stranger' in reason
    assert 'stranger' in scene.cluster.ceph('osd', 'pool', 'ls')
    scene.cluster.pool_rm('stranger')
    scene.assert_undone()


def test_emergency_stop_aborts_and_refuses(scene: Scene) -> None:
    """The option ends the run at once, and new ones are refused."""
    option = ('mgr', 'mgr/perfcompare/emergency_stop')
    scene.in_trial(duration=30)
    scene.cluster.ceph('config', 'set', *option, 'true', fmt='')
    state, reason = scene.end()
    again = scene.cluster.exec(
        ['ceph', 'perfcompare', 'run', '--group', 'x86']
    )
    restore(scene.cluster, 'emergency_stop', 'false')
    assert state == 'aborted' and reason.startswith('EMERGENCY_STOP: ')
    assert again.returncode == 1 and 'emergency_stop' in again.stderr
    scene.assert_undone()


def test_full_quota_aborts(scene: Scene) -> None:
    """A benchmark pool that reaches its quota ends the run."""
    scene.in_trial(duration=60, rounds=1)
    pool = 'perfcompare.%s.x86.write' % scene.run
    scene.cluster.ceph('osd', 'pool', 'set-quota', pool, 'max_bytes', '8192',
                       fmt='')  # fmt: skip
    state, reason = scene.end()
    assert state == 'aborted' and reason.startswith('POOL_FULL: '), reason
    scene.assert_undone()


def test_hanging_osd_under_a_write(scene: Scene) -> None:
    """An OSD that hangs ends the run; undo needs the monitors only."""
    scene.in_trial(duration=30, rounds=1)
    # so that its peers miss it sooner than after 20 s
    grace = ('global', 'osd_heartbeat_grace')
    scene.cluster.ceph('config', 'set', *grace, '8', fmt='')
    scene.cluster.osd_freeze(1)
    try:
        state, reason = scene.end()
        assert state in ('aborted', 'failed'), reason
        assert processes.of_runs(scene.cluster) == {}
        names = scene.cluster.ceph('osd', 'pool', 'ls')
        assert [n for n in names if n.startswith('perfcompare')] == []
    finally:
        scene.cluster.osd_thaw(1)
        scene.cluster.ceph('config', 'rm', *grace, fmt='')
    # BlueStore warns of its frozen seconds for a day, or until it restarts
    scene.cluster.osd_kill(1)
    scene.cluster.osd_start(1)
    scene.cluster.wait_clean()
    scene.assert_undone()


@pytest.fixture
def no_resume(cluster: LiveCluster) -> Iterator[None]:
    """Let a run that was cut be undone instead of going on."""
    option = 'mgr/perfcompare/resume_within'
    cluster.ceph('config', 'set', 'mgr', option, '0', fmt='')
    yield
    restore(cluster, 'resume_within', '600')


def _at_once(scene: Scene) -> None:
    scene.start()


def _in(state: str, word: str = '') -> Callable[[Scene], None]:
    """Return what waits for a state, or for a later one: it may be short."""
    later = STATES[STATES.index(state) + 1 :]

    def wait(scene: Scene) -> None:
        def look() -> bool:
            found = runs.progress(scene.cluster)
            if found is None:
                return True  # it has ended
            right = found['state'] == state and word in found['message']
            return right or found['state'] in later

        scene.start(rounds=1)
        wait_for(look, 90, f'run {scene.run} is in {state}', step=0.1)

    return wait


MOMENTS: Dict[str, Callable[[Scene], None]] = {
    'queued': _at_once,
    'preparing': _in('preparing', 'pools'),
    'trial': Scene.in_trial,
    'cooling': _in('cooling'),
    'finishing': _in('finishing'),
}


@pytest.mark.parametrize('moment', list(MOMENTS))
def test_killed_manager_leaves_nothing(
    cluster: LiveCluster, no_resume: None, scene: Scene, moment: str
) -> None:
    """kill -9 in any state: load dies by itself, the next mgr undoes."""
    MOMENTS[moment](scene)
    name = scene.cluster.mgr_kill()
    wait_for(
        lambda: not processes.of_runs(cluster), 20, 'load ends by itself'
    )
    scene.cluster.mgr_start(name)
    wait_answers(cluster, 90)
    state, reason = scene.end()
    assert state in FINAL, reason
    scene.assert_undone()


def _goes_on(scene: Scene, disturb: Callable[[], Any]) -> None:
    """Assert that a run goes on after `disturb` and keeps its results."""
    cluster = scene.cluster
    scene.start(rounds=1, groups=GROUPS)
    runs.wait_state(cluster, scene.run, ['trial'], word='round 1')
    kept = {
        (t['round'], t['block'], t['group']): t['started']
        for t in wait_for(
            lambda: runs.trials(cluster, scene.run, 'ok'), 20, 'results'
        )
    }
    disturb()
    wait_answers(cluster, 120)
    state, reason = scene.end()
    assert (state, reason) == ('completed', '')
    done = {
        (t['round'], t['block'], t['group']): t['started']
        for t in runs.trials(cluster, scene.run, 'ok')
    }
    # every block is complete, and what was finished was not repeated
    assert set(done) == {(r, 0, g) for r in range(2) for g in GROUPS}
    assert {key: done[key] for key in kept} == kept
    events = [
        e['message'] for e in runs.show(cluster, scene.run)['run']['events']
    ]
    assert any('failover' in message for message in events), events
    scene.assert_undone()


def _with_standby(scene: Scene) -> None:
    if not scene.cluster.look('mgr dump')['standbys']:
        scene.cluster.mgr_add()
        wait_for(
            lambda: scene.cluster.look('mgr dump')['standbys'],
            30,
            'standby',
        )
        scene.before = scene.tracker.snapshot()  # with its key


def test_standby_takes_over_and_completes(scene: Scene) -> None:
    """With two managers the run goes on after `ceph mgr fail`."""
    _with_standby(scene)
    _goes_on(scene, scene.cluster.mgr_fail)


@pytest.mark.slow
def test_standby_takes_over_from_a_killed_manager(scene: Scene) -> None:
    """With two managers the run goes on when the active one is killed."""
    _with_standby(scene)
    killed = ''

    def disturb() -> None:
        nonlocal killed
        killed = scene.cluster.mgr_kill()
        # the mons miss its beacons first
        wait_for(
            lambda: scene.cluster.look('mgr dump')['active_name']
            not in ('', killed),
            90,
            'another active manager',
        )

    try:
        _goes_on(scene, disturb)
    finally:
        scene.cluster.mgr_start(killed)


@pytest.mark.slow
def test_killed_manager_comes_back_and_completes(scene: Scene) -> None:
    """A manager that is killed and started again goes on with the run."""

    def disturb() -> None:
        scene.cluster.mgr_start(scene.cluster.mgr_kill())
        time.sleep(5)

    _goes_on(scene, disturb)
