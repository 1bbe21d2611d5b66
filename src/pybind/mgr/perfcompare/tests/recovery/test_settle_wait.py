"""Tests of how long a recovery test waits before it begins, or goes on."""

from ...recovery.run.settle_wait import DOWN, SettleWait
from ..data.recovery_rig import HOSTS
from ..fakes.cluster import FakeCluster


class Patience:
    """Ask again at once; what the cluster tells changes in between."""

    def __init__(self, changes):
        self._changes = changes
        self.now = 0.0

    def wait_until(self, done, timeout, interval=0.5):
        while not done():
            self._changes.pop(0)()
            self.now += interval
        return True

    def monotonic(self):
        return self.now


class Followed:
    """Be a step that was cut, and that is recorded in the end."""

    following = False
    recorded = 'ab12'

    def let_go(self):
        pass


def test_osds_that_stay_down_are_left_to_the_preflight():
    """It says so at once; they would not be clean in ten minutes either."""
    cluster = FakeCluster(HOSTS)
    cluster.set_osd(1, up=False)
    patience = Patience([lambda: None] * 300)
    rest = SettleWait(
        cluster,
        patience,
        lambda: None,
        (0, 1),
        lambda state, text: None,
        Followed(),
    )
    rest._clean = lambda: False
    assert rest.after_cut() == 'ab12'
    assert patience.now == DOWN


def test_osds_that_come_up_are_waited_for_until_they_are_clean():
    cluster = FakeCluster(HOSTS)
    cluster.set_osd(1, up=False)
    clean = []
    patience = Patience(
        [lambda: None] * 10
        + [lambda: cluster.set_osd(1, up=True)]
        + [lambda: None] * 60
        + [lambda: clean.append(True)]
    )
    rest = SettleWait(
        cluster,
        patience,
        lambda: None,
        (0, 1),
        lambda state, text: None,
        Followed(),
    )
    rest._clean = lambda: bool(clean)
    assert rest.after_cut() == 'ab12'
    assert clean and patience.now == 144.0


def test_what_was_seen_of_a_cut_step_is_stored_before_it_is_named():
    cluster = FakeCluster(HOSTS)
    cluster.set_osd(1, up=False)
    step = Followed()
    step.recorded = ''

    def stored():
        step.following, step.recorded = False, 'cd34'

    def let_go():
        step.following = True

    step.let_go = let_go
    stays = [lambda: None] * int(DOWN / 2.0)
    rest = SettleWait(
        cluster,
        Patience(stays + [lambda: None] * 9 + [stored]),
        lambda: None,
        (0, 1),
        lambda state, text: None,
        step,
    )
    rest._clean = lambda: False
    assert rest.after_cut() == 'cd34'


def test_sizes_of_osds_that_came_in_are_waited_for():
    """A Manager that has just begun knows them from their next report on."""
    cluster = FakeCluster(HOSTS)
    size = cluster.osds[1].size_bytes
    cluster.set_osd(1, size_bytes=0)
    changes = [
        lambda: None,
        lambda: cluster.set_osd(1, size_bytes=size),
    ]
    told = []
    rest = SettleWait(
        cluster,
        Patience(changes),
        lambda: None,
        (0, 1),
        lambda state, text: told.append(text),
        Followed(),
    )
    assert rest.after_cut() == 'ab12'
    assert changes == []
    assert told == ['waiting for recovery of the cut test']
