"""Tests of how long a recovery test waits before it begins, or goes on."""

from ...recovery.run.rest import Rest
from ..fakes.cluster import FakeCluster
from .test_run import HOSTS


class Patience:
    """Ask again at once; what the cluster tells changes in between."""

    def __init__(self, changes):
        self._changes = changes

    def wait_until(self, done, timeout, interval=0.5):
        while not done():
            self._changes.pop(0)()
        return True


class Followed:
    """Be a step that was cut, and that is recorded in the end."""

    following = False
    recorded = 'ab12'

    def let_go(self):
        pass


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
    rest = Rest(
        cluster,
        Patience(changes),
        lambda: None,
        (0, 1),
        (),
        lambda state, text: told.append(text),
        Followed(),
    )
    assert rest.after_cut() == 'ab12'
    assert changes == []
    assert told == ['waiting for recovery of the cut test']
