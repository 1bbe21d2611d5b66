"""Mixes whose operations have sizes of their own."""

from typing import Any, Dict, Optional

import array
import random

from ...wire.s3_spec import Details, Phase
from .keys import AMPLE, Key, Population, places
from .mix import Choice, Mix


class SizedPopulation(Population):
    """Keep objects by their size; new ones are apart.

    What is read, or made, has ``wanted`` bytes; 0 is any size.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        """Share out a population, as any other."""
        super().__init__(*args, **more)
        self.wanted = 0
        self._by_size: Dict[int, 'array.array[int]'] = {}

    def __len__(self) -> int:
        return super().__len__() - len(self._live) + self._held()

    def _held(self) -> int:
        return sum(len(held) for held in self._by_size.values())

    def adopt(self, count: int, stay: bool = False) -> None:
        """Take this process's share of ``count`` existing objects."""
        self._live = places()
        super().adopt(count, stay)
        for number in self._live:
            self._sort(number, self.existing.key(number).size)

    def written(self, key: Key, sure: bool) -> None:
        """Note the end of a put; only a sure one can be read."""
        before = len(self._live)
        super().written(key, sure)
        if len(self._live) > before:
            self._live.pop()
            self._sort(key.number, key.size)

    def _sort(self, number: int, size: int) -> None:
        self._by_size.setdefault(size, places()).append(number)

    def ample(self, reads: bool, deletes: bool) -> bool:
        """Say whether a few objects more or less in use matter to nobody."""
        least = min((len(h) for h in self._by_size.values()), default=0)
        return (not reads or least >= AMPLE) and (
            not deletes or len(self._doomed) >= AMPLE
        )

    def read(self) -> Optional[Key]:
        """Return a random object of the wanted size, if there is one."""
        size = self.wanted
        if not size and self._by_size:
            at = self._rng.random() * self._held()
            for size, held in self._by_size.items():
                at -= len(held)
                if at < 0:
                    break
        self._live = self._by_size.get(size, places())
        return super().read()

    def new(self) -> Key:
        """Return an object to write that was never there."""
        key = super().new()
        if self.wanted:
            key.size = self.wanted
        return key


class SizedMix(Mix):
    """Draw operations of a mix, each with objects of its size."""

    def __init__(
        self,
        phase: Phase,
        population: SizedPopulation,
        rng: random.Random,
        details: Details,
    ) -> None:
        super().__init__(phase, population, rng, details)
        self._sized = population
        self._sizes = details.sizes

    def next(self) -> Optional[Choice]:
        """Return the next operation with its object."""
        self._sized.wanted = self._sizes[self._deck[self._at]]
        return super().next()
