"""Which operation comes next: exact proportions in a shuffled order."""

from typing import Iterable, List, Optional, Protocol, Sequence, Tuple

import random

from ...wire.s3_spec import (
    COPY,
    DELETE,
    GET,
    LIST,
    MULTIDELETE,
    MULTIPART,
    NEEDS,
    NEW,
    OVERWRITE,
    PUT,
    RANGE,
    STAT,
    Details,
    Phase,
    weights,
)
from .keys import Key, Namer, Population, shares
from .tasks import Copy, Span, Task, batch, listing
from .uploads import Upload

DECK = 1000

Choice = Tuple[int, Key]


class Source(Protocol):
    """Say what comes next; None is the end."""

    exhausted: bool  # it ended because its bound was met
    substituted: int  # puts where nothing was there to read or delete
    uploads: bool  # it has some in parts: one may be as many requests

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
        self,
        phase: Phase,
        population: Population,
        rng: random.Random,
        details: Details = Details(),
    ) -> None:
        mix = weights(phase.mix)
        self._deck = deck(mix, rng)
        self._details = details
        self._rng = rng
        self._at = 0
        self._population = population
        self._left = phase.limit or -1
        self._room = phase.bound or -1
        self._reads = any(mix[op] for op in NEEDS)
        self._makes = any(mix[op] for op in NEW)
        self._deletes = mix[DELETE] > 0 or mix[MULTIDELETE] > 0
        self.uploads = mix[MULTIPART] > 0
        population.uses(self._reads, self._deletes, mix[COPY] > 0)
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
        elif op == PUT:
            return self._put()
        else:
            if op in (OVERWRITE, MULTIPART, COPY) and not self._room:
                self.exhausted = True
                return None
            key = self._more(op)
        if key is not None:
            return op, key
        if not self._makes:
            return None  # a load that only reads writes nothing
        # a put makes what the next one needs
        self.substituted += 1
        return self._put()

    def _more(self, op: int) -> Optional[Key]:
        """Return what is more than an object; None where it lacks some."""
        objects, details = self._population, self._details
        if op == LIST:
            namer, cell = objects.existing, 0
            if len(namer.cells) > 1:
                cell = int(self._rng.random() * len(namer.cells))
            return listing(
                namer,
                cell,
                self._rng.random(),
                details.list_keys,
                not self._deletes or objects.lasting,
            )
        if op == MULTIPART:
            self._room -= 1
            upload = Upload(
                objects.new(),
                details.part_size,
                details.part_streams,
                details.checksum,
            )
            return upload.begin()
        if op == MULTIDELETE:
            keys = objects.doomed_batch(details.delete_batch)
            return batch(keys) if keys else None
        found = objects.read()
        if found is None:
            return None
        if op == RANGE:
            return self._span(found)
        self._room -= 1
        if op == COPY:
            return Copy(found, objects.new())
        objects.rewritten += 1
        return found

    def _span(self, key: Key) -> Span:
        """Return a range at a multiple of its size, anywhere."""
        size = self._details.range_size or key.size
        places = max(1, key.size // size)
        at = int(self._rng.random() * places) * size
        return Span(key, at, min(size, key.size))

    def ahead(self) -> bool:
        """Say whether there are objects to spare."""
        return self._population.ample(self._reads, self._deletes)

    def take_back(self, op: int, key: Key) -> None:
        """Take back a choice that was never begun."""
        if op in (PUT, OVERWRITE, MULTIPART, COPY):
            self.exhausted = False
        if op == PUT:
            self._population.unmade()
        elif op == DELETE:
            self._population.deleted(key, False, True)
        elif op > OVERWRITE:
            assert isinstance(key, Task)
            key.take_back(self._population)
        else:
            self._population.was_read(key)
            if op == OVERWRITE:
                self._population.rewritten -= 1

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
    uploads = False

    def __init__(self, population: Population, size: int = 0) -> None:
        """Delete ``size`` objects by each request; 0: one, by its name."""
        self._population = population
        self._size = size

    def next(self) -> Optional[Choice]:
        """Return the next object to delete."""
        if self._size:
            keys = self._population.doomed_batch(self._size, True)
            return (MULTIDELETE, batch(keys)) if keys else None
        key = self._population.doomed()
        return None if key is None else (DELETE, key)

    def ahead(self) -> bool:
        """Say that the order does not matter."""
        return True

    def take_back(self, op: int, key: Key) -> None:
        """Take back an object that is still there."""
        if isinstance(key, Task):
            key.take_back(self._population)
        else:
            self._population.deleted(key, False, True)


class Fill:
    """Write the numbers of a population once each; None is the end."""

    exhausted = False
    substituted = 0
    uploads = False

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


class Pass(Fill):
    """Read the numbers of a population once each; None is the end."""

    def next(self) -> Optional[Choice]:
        """Return the next object to read."""
        for number in self._numbers:
            key = self._namer.key(number)
            key.readers = 1
            return GET, key
        return None
