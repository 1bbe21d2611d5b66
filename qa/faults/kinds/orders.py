"""Operators end a run: its load must be gone within the time promised."""

from typing import Callable, List, Set

import time

from integration import processes

from ..fault import Fault, Scene, fault
from ..states import State

BOUND = 2.0  # seconds after `stop --now`
PATIENCE = 40.0


def loads(scene: Scene) -> Set[int]:
    """Return all workers and load programs of a run, on every host."""
    found = set(processes.of_runs(scene.lab.live))
    if scene.lab.hosts is not None:
        for agent in scene.lab.hosts.all():
            found |= set(agent.loads())
    return found


def until_gone(
    scene: Scene, what: str, look: Callable[[], bool], began: float
) -> None:
    """Note how many seconds after ``began`` a load is gone."""
    while look():
        if time.monotonic() - began > PATIENCE:
            raise AssertionError('not gone: ' + what)
        time.sleep(0.02)
    scene.measured[what + ' gone'] = round(time.monotonic() - began, 2)


class _Order(Fault):
    outcomes = {'cancelled': 'by an operator'}
    seconds = 15.0

    def applies(self, state: State) -> bool:
        """Apply where there is load, and nothing ends it already."""
        return bool({'worker', 'agent'} & state.has)


@fault
class Cancel(_Order):
    """An operator cancels a run."""

    name = 'cancel'

    def inject(self, scene: Scene) -> None:
        """Order it."""
        scene.lab.ask('perfcompare cancel', run=scene.run)


@fault
class StopNow(_Order):
    """An operator stops everything."""

    name = 'stop-now'

    def inject(self, scene: Scene) -> None:
        """Order it; see how long its load lives."""
        before = loads(scene)
        began = time.monotonic()
        scene.lab.ask('perfcompare stop', now=True)
        until_gone(scene, 'load', lambda: bool(before & loads(scene)), began)

    def verify(self, scene: Scene) -> List[str]:
        """It must have been gone in time."""
        late = scene.measured['load gone']
        return ['load lived for %.1f s' % late] if late > BOUND else []
