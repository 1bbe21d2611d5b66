"""Which operation comes next: exact proportions in a shuffled order."""

from typing import Iterable, List, Optional, Protocol, Sequence, Tuple

import random

from ...wire.s3_spec import DELETE, GET, PUT, STAT, Phase
from .keys import Key, Namer, Population, shares

DECK = 1000

Choice = Tuple[int, Key]


class Source(Protocol):
    """Say what comes next; None is the end."""

    exhausted: bool  # it ended because its bound was met
    substituted: int  # puts where nothing was there to read or delete

    def next(self) -> Optional[Choice]:
        """Return an operation with its object."""

    def ahead(self) -> bool:
        """Say whether choices may be drawn before they are needed."""

    def take_back(self, op: int, key: Key) -> None:
        """Take back a choice that was never begun."""


def deck(mix: Sequence[float], rng: random.Random) -> List[int]:
    """Return DECK operations in the proportions of ``mix``, shuffled.

    Every operation with a weight occurs at least once.
    """
    total = float(sum(mix))
    counts = shares([weight / total for weight in mix], DECK)
    for op, weight in enumerate(mix):
        if weight > 0 and not counts[op]:
            counts[op] = 1
            counts[counts.index(max(counts))] -= 1
    cards = [op for op, number in enumerate(counts) for _ in range(number)]
    rng.shuffle(cards)
    return cards


class Mix:
    """Draw operations of a mix until its limit; None is the end."""

    def __init__(
        self, phase: Phase, population: Population, rng: random.Random
    ) -> None:
        self._deck = deck(phase.mix, rng)
        self._at = 0
        self._population = population
        self._left = phase.limit or -1
        self._room = phase.bound or -1
        self._reads = phase.mix[GET] > 0 or phase.mix[STAT] > 0
        self._deletes = phase.mix[DELETE] > 0
        population.uses(self._reads, self._deletes)
        self.substituted = 0
        self.exhausted = False

    def next(self) -> Optional[Choice]:
        """Return the next operation with its object."""
        if not self._left:
            return None
        self._left -= 1
        at = self._at
        op = self._deck[at]
        self._at = at + 1 if at + 1 < DECK else 0
        key: Optional[Key]
        if op == GET or op == STAT:
            key = self._population.read()
        elif op == DELETE:
            key = self._population.doomed()
        else:
            return self._put()
        if key is not None:
            return op, key
        # a put makes what the next one needs
        self.substituted += 1
        return self._put()

    def ahead(self) -> bool:
        """Say whether there are objects to spare."""
        return self._population.ample(self._reads, self._deletes)

    def take_back(self, op: int, key: Key) -> None:
        """Take back a choice that was never begun."""
        if op == PUT:
            self.exhausted = False
            self._population.unmade()
        elif op == DELETE:
            self._population.deleted(key, False, True)
        else:
            self._population.was_read(key)

    def _put(self) -> Optional[Choice]:
        if not self._room:
            self.exhausted = True
            return None
        self._room -= 1
        return PUT, self._population.new()


class Drain:
    """Delete all that is there; None is the end."""

    exhausted = False
    substituted = 0

    def __init__(self, population: Population) -> None:
        self._population = population

    def next(self) -> Optional[Choice]:
        """Return the next object to delete."""
        key = self._population.doomed()
        return None if key is None else (DELETE, key)

    def ahead(self) -> bool:
        """Say that the order does not matter."""
        return True

    def take_back(self, op: int, key: Key) -> None:
        """Take back an object that is still there."""
        self._population.deleted(key, False, True)


class Fill:
    """Write the numbers of a population once each; None is the end."""

    exhausted = False
    substituted = 0

    def __init__(self, namer: Namer, numbers: Iterable[int]) -> None:
        self._namer = namer
        self._numbers = iter(numbers)

    def next(self) -> Optional[Choice]:
        """Return the next object to write."""
        for number in self._numbers:
            return PUT, self._namer.key(number)
        return None

    def ahead(self) -> bool:
        """Say that the order does not matter."""
        return True

    def take_back(self, op: int, key: Key) -> None:
        """Leave out a number: the load was stopped."""
