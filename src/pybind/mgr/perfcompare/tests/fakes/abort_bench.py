"""Drive the abort rules over a fake cluster on a clock of one's own."""

from typing import Any, Dict, Optional, Set

from ...common.settings import Settings
from ...guard.abort.watch import Abort, AbortWatch
from .cluster import FakeCluster

OURS = 'perfcompare.0a1b2c3d.arm.write'


class Bench:
    """Drive a watch over a fake cluster on a clock of its own."""

    def __init__(self, cluster: Optional[FakeCluster] = None) -> None:
        self.cluster = cluster or FakeCluster()
        self.now = 1000.0
        self.settings: Dict[str, Any] = {}
        self.journal: Set[str] = set()
        self.lease = ''
        self.data = self.cluster.add_pool('data', objects=5)
        self.watch = self.new_watch()

    def new_watch(self) -> AbortWatch:
        return AbortWatch(
            self.cluster,
            lambda: Settings(**self.settings),
            lambda pools: self.journal,
            self.now,
            lambda: self.lease,
        )

    def check(self, times: int = 1) -> Optional[Abort]:
        found = None
        for _ in range(times):
            self.now += 5.0
            found = self.watch.check(self.now)
            if found:
                break
        return found

    def own_pool(self) -> int:
        self.journal.add(OURS)
        application: Dict[str, Dict[str, str]] = {'perfcompare': {}}
        pool = self.cluster.add_pool(OURS, application=application)
        self.cluster.epoch += 1
        return pool.id

    def load(self, deadline: float = 600.0) -> None:
        self.watch.load_started(
            'write-4K-c16 on arm', self.now + deadline, [OURS]
        )

    def fired(self, times: int = 1) -> str:
        found = self.check(times)
        return found.rule if found else ''
