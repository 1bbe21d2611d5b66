"""Operators end a run: its load must be gone within the time promised."""

from typing import Callable, List

import time

from integration import processes
from integration.waiting import wait_for

from ..fault import Fault, Scene, fault
from ..states import State, cancel

BOUND = 2.0  # seconds after `stop --now`
PATIENCE = 40.0


def making_load(scene: Scene) -> List[int]:
    """Return the load programs of a run, on every host; no workers.

    Those of gateways are no load: they end when the run is undone.
    """
    found = processes.making_load(scene.lab.live)
    if scene.lab.hosts is not None:
        for agent in scene.lab.hosts.all():
            found += agent.making_load()
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
        """Apply where there is load, and where it was ordered before."""
        loaded = bool({'worker', 'agent'} & state.has)
        return loaded or state.then == 'cancel'


@fault
class Cancel(_Order):
    """An operator cancels a run."""

    name = 'cancel'

    def inject(self, scene: Scene) -> None:
        """Order it."""
        scene.lab.ask(**cancel(scene.state, scene.run))


@fault
class StopNow(_Order):
    """An operator stops everything."""

    name = 'stop-now'

    def inject(self, scene: Scene) -> None:
        """Order it; see how long its load lives."""
        if scene.state.then != 'cancel':  # it has no load any more there
            wait_for(lambda: making_load(scene), 30, 'a load', step=0.05)
        began = time.monotonic()
        scene.lab.ask('perfcompare stop', now=True)
        until_gone(scene, 'load', lambda: bool(making_load(scene)), began)

    def verify(self, scene: Scene) -> List[str]:
        """It must have been gone in time."""
        late = scene.measured['load gone']
        return ['load lived for %.1f s' % late] if late > BOUND else []
