"""A recovery test on fakes: cluster, module and a watch that sees at once."""

import dataclasses

from ...model.recovery import (
    Episode,
    Fate,
    Mark,
    Moment,
    Size,
    State,
    Timeline,
)
from ...recovery.observe.handover import Left
from ...recovery.plan.request import RecoveryRequest
from ..fakes.running import Rig

HOSTS = [
    ('x86-1', 'x86', 'x86_64', 2),
    ('x86-2', 'x86', 'x86_64', 2),
    ('arm-1', 'arm', 'aarch64', 2),
    ('arm-2', 'arm', 'aarch64', 2),
]


TAKEN_UP = 'taken up again after a failover'


BASE = RecoveryRequest(
    groups=('x86', 'arm'),
    workloads=('none',),
    repetitions=2,
    pg_num=8,
    size='4K',
    data='64K',
    seed=3,
    consent=True,
)


class Watched:
    """Be a watch that sees a recovery at once."""

    clean = True

    def __init__(self, cluster, clock, scope, ordered, step):
        self.wall = clock.wall
        self.scope = scope
        self.ordered = ordered
        self.peered = True
        self.settled = self.clean

    def tick(self):
        pass

    def forget_order(self):
        self.ordered = Moment()

    def table(self):
        return None

    def so_far(self, ident, note):
        now = self.wall()
        timeline = Timeline(
            self.scope.name,
            now,
            now,
            {Mark.T0.value: self.ordered},
            size=Size(pgs=1),
        )
        episode = Episode(
            ident, State.OPEN, now, timelines=(timeline,), notes=(note,)
        )
        return Left(episode, 1, 1, self.scope)

    def end(self):
        now = self.wall()
        fate = Fate.REACHED if self.clean else Fate.CENSORED
        marks = {
            Mark.T0.value: self.ordered,
            Mark.T1.value: Moment(Fate.REACHED, now, 0.1),
            Mark.T2.value: Moment(Fate.REACHED, now, 0.1),
            Mark.T5.value: Moment(fate, now, 0.1),
        }
        return Timeline(self.scope.name, now, now, marks)


class TestRig(Rig):
    __test__ = False

    def stored(self, run):
        self.wait(lambda: self.service.status().last.startswith(run))

        def look():
            item = self.service.recoveries.show(run).item
            return item if item.state.ended else None

        self.wait(lambda: look() is not None)
        return look()

    def launch(self, request):
        self.wait(lambda: not self.service.status().warnings)
        return self.service.tests.start(request).run

    def execute(self, request):
        return self.stored(self.launch(request))


def request(scenario, **fields):
    return dataclasses.replace(BASE, scenario=scenario, **fields)


def osds_called(cluster, verb):
    return [call.args[0] for call in cluster.called(verb)]
