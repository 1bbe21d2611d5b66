"""What a fault is, and the registry of all kinds."""

from typing import Dict, FrozenSet, List, Type

import dataclasses

from .lab import Lab
from .states import State

GOES_ON = {'completed': ''}


@dataclasses.dataclass
class Scene:
    """One run in one state, which a fault meets."""

    lab: Lab
    state: State
    run: str = ''
    noted: Dict[str, str] = dataclasses.field(default_factory=dict)
    # what was timed, in seconds
    measured: Dict[str, float] = dataclasses.field(default_factory=dict)


class Fault:
    """One kind of fault; subclasses say what is done and what is right.

    `outcomes` maps each state in which a run may rightly end to a pattern
    of its reason. `kills` is a pattern of who may die of it: what a fault
    does to a program of Ceph itself is not for the module to prevent.
    """

    name = ''
    needs: FrozenSet[str] = frozenset()
    seconds = 3.0  # of a trial; longer ones where a rule has to notice
    outcomes: Dict[str, str] = GOES_ON
    passes_in: FrozenSet[str] = frozenset()  # states that it cannot hurt
    kills = ''

    def ready(self, scene: Scene) -> None:
        """Prepare, before the run starts."""

    def inject(self, scene: Scene) -> None:
        """Do it; the run is in its state now."""

    def mend(self, scene: Scene) -> None:
        """Take the fault itself back, after the run has ended."""

    def verify(self, scene: Scene) -> List[str]:
        """Return what is wrong, before `mend`."""
        return []

    def applies(self, state: State) -> bool:
        """Say whether there is something to hit in a state."""
        return self.needs <= state.has

    def expected(self, state: State) -> Dict[str, str]:
        """Return the right outcomes in a state."""
        if state.then == 'cancel':
            return {'cancelled': 'by an operator'}
        if state.late:
            return dict(GOES_ON)
        found = dict(self.outcomes)
        if state.name in self.passes_in:
            found.update(GOES_ON)
        if state.early:
            # the preflight refuses, or takes it as given
            found.update(GOES_ON, failed='.', aborted='.')
        if state.then == 'fail':
            found['interrupted'] = '.'
        return found


REGISTRY: Dict[str, Fault] = {}


def fault(kind: Type[Fault]) -> Type[Fault]:
    """Register a kind of fault."""
    assert kind.name and kind.name not in REGISTRY
    REGISTRY[kind.name] = kind()
    return kind


def needs(words: str) -> FrozenSet[str]:
    """Return the things that are named."""
    return frozenset(words.split())
