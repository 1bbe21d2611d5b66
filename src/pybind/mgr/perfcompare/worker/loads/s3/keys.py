"""The objects that a process may use, so that nobody reads what is gone.

Each process owns every n-th number of a population and creates numbers of
its own. An object that is being read is not deleted, one that is being
written or deleted is not read: no operation fails by accident.

What nobody uses is kept as a number of eight bytes: a load may write millions.
"""

from typing import Dict, List, Optional

import array
import bisect
import random

from ...wire.s3_spec import Objects, bucket_names
from .sigv4 import encode_path
from .skew import Pick

AMPLE = 256  # objects


class Key:
    """Hold one object: its path, number, bytes, and readers under way.

    ``place`` is what it is kept as: the number in its name, of what a mix has
    made the complement of that. ``content`` is the place of what it holds: of
    a copy that of its source, whose number and size it has.
    """

    __slots__ = ('path', 'number', 'size', 'readers', 'place', 'content')
    start = 0  # of its content, within that of the object
    body: Optional[bytes] = None  # what is sent; None: the object's content
    keep = 0  # bytes of an answer that are looked at

    def __init__(self, path: bytes, number: int, size: int) -> None:
        self.path = path
        self.number = number
        self.size = size
        self.readers = 0
        self.place = self.content = number

    def holds(self, source: 'Key') -> None:
        """Note that it is a copy: what it holds follows from another."""
        self.number, self.size = source.number, source.size
        self.content = source.content


class Namer:
    """Say path and size of an object by its number."""

    def __init__(self, bucket: str, objects: Objects) -> None:
        self.count = objects.count
        # of each cell, a bucket with a prefix; numbers take them in turn
        self.cells = [
            (name, folder + objects.prefix)
            for folder in _folders(objects.prefixes)
            for name in bucket_names(bucket, objects.buckets)
        ]
        self._stems = [
            encode_path(f'/{name}/{prefix}').encode()
            for name, prefix in self.cells
        ]
        self._sizes = [item.size for item in objects.sizes]
        self._edges = _edges([item.weight for item in objects.sizes])
        self._shift = 0
        if objects.turn:
            self._shift = random.Random(objects.turn).getrandbits(64)

    def key(self, number: int) -> Key:
        """Return object ``number``; its size is always the same."""
        sizes = self._sizes
        if len(sizes) == 1:
            size = sizes[0]
        else:
            place = (self._shift + spread(number)) & WORD
            size = sizes[bisect.bisect_right(self._edges, place)]
        stem = self._stems[number % len(self._stems)]
        return Key(b'%b%08d' % (stem, number), number, size)

    def path(self, number: int) -> str:
        """Return bucket and name of an object, as a path."""
        bucket, prefix = self.cells[number % len(self.cells)]
        return f'/{bucket}/{prefix}{number:08d}'


def _folders(count: int) -> List[str]:
    """Return what names begin with where there are several prefixes."""
    return [f'{i:02x}/' for i in range(count)] if count > 1 else ['']


def bucket_of(path: bytes) -> bytes:
    """Return the part of an object's path that names its bucket."""
    return path[: path.index(b'/', 1)]


WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15  # of 2^64
_ORDERS = 64
_RUN = 16


def _orders() -> List[List[int]]:
    rng = random.Random(_RUN)
    return [rng.sample(range(_RUN), _RUN) for _ in range(_ORDERS)]


_order = _orders()


def spread(number: int) -> int:
    """Return a place below 2^64 for a number, far from its neighbors'.

    Multiples of the golden ratio leave no gaps, however few or many they
    are. Runs of them are shuffled: processes take every n-th number, which
    for some n would be nearly a circle.
    """
    run = number // _RUN
    place = run * _RUN + _order[run % _ORDERS][number % _RUN]
    return place * _GOLDEN & WORD


def _edges(weights: List[float]) -> List[int]:
    """Return where one weight's places end and the next one's begin."""
    total, sofar, found = sum(weights), 0.0, []
    for weight in weights[:-1]:
        sofar += weight
        found.append(int(sofar / total * (WORD + 1)))
    return found


def shares(weights: List[float], total: int) -> List[int]:
    """Divide ``total`` by weights that add up to 1, losing nothing."""
    exact = [w * total for w in weights]
    found = [int(e) for e in exact]
    by_rest = sorted(range(len(exact)), key=lambda i: found[i] - exact[i])
    for index in by_rest[: total - sum(found)]:
        found[index] += 1
    return found


def _drop(kept: 'array.array[int]', at: int) -> None:
    """Put the last one where the one is that goes."""
    last = kept.pop()
    if at < len(kept):
        kept[at] = last


def places() -> 'array.array[int]':
    """Return an empty list of objects that are kept."""
    return array.array('q')


class Population:
    """Keep the live objects of one process."""

    def __init__(
        self,
        existing: Namer,
        created: Namer,
        process: int,
        processes: int,
        rng: random.Random,
        apart: bool = False,
        pick: Optional[Pick] = None,
    ) -> None:
        """Share out a population.

        With ``apart`` new objects are never read, and only they are
        deleted: their sizes are not those of the reads, or those that
        are there must stay. ``pick`` says which objects are read; by
        default all are alike.
        """
        self.existing = existing
        self._created = created
        self._next = process
        self._step = processes
        self._process = process
        self._rng = rng
        self._pick = pick
        self._live = places()
        self._doomed = places() if apart else self._live
        self._used: Dict[int, Key] = {}  # that are being read
        # of each live one, what it holds; None where that is itself
        self._contents: Optional['array.array[int]'] = None
        self.created = 0
        self.rewritten = 0  # of those that are there
        self.abandoned = 0  # nobody knows whether they are there
        self._apart = apart
        self.lasting = apart  # what is there stays
        self._keeps_made = self._keeps_filled = True
        self.missing: List[int] = []  # existing ones whose put failed
        # that wait for others of their bucket, to be deleted with them
        self._waiting: Dict[bytes, List[Key]] = {}

    def __len__(self) -> int:
        found = sum(len(keys) for keys in self._waiting.values())
        if self._doomed is self._live:
            return len(self._live) + found
        return len(self._live) + len(self._doomed) + found

    def uses(self, reads: bool, deletes: bool, copies: bool = False) -> None:
        """Remember new objects only where they will be read or deleted.

        And what they hold only where some are ``copies`` that may be read.
        """
        if copies and not self._apart and self._contents is None:
            self._contents = self._live[:]
        self._keeps_made = deletes or (reads and not self._apart)

    def fills(self, keep: bool) -> None:
        """Remember what is filled only where somebody will use it."""
        self._keeps_filled = keep

    def adopt(self, count: int, stay: bool = False) -> None:
        """Take this process's share of ``count`` existing objects.

        Where there are fewer than processes, all use all of them, if they
        ``stay``: nobody deletes any.
        """
        numbers = range(self._process, count, self._step)
        if self._pick is not None or (stay and count < self._step):
            numbers = range(count)  # what is hot is so for all processes
        self._live.extend(numbers)
        if self._contents is not None:
            self._contents.extend(numbers)

    def new(self) -> Key:
        """Return an object to write that was never there."""
        key = self._created.key(self._next)
        key.place = key.content = ~self._next
        self._next += self._step
        self.created += 1
        return key

    def unmade(self) -> None:
        """Note that a new object was not written; its number is void."""
        self.created -= 1

    def ample(self, reads: bool, deletes: bool) -> bool:
        """Say whether a few objects more or less in use matter to nobody."""
        return (not reads or len(self._live) >= AMPLE) and (
            not deletes or len(self._doomed) >= AMPLE
        )

    def read(self) -> Optional[Key]:
        """Return a random live object; None when there is none."""
        live = self._live
        if not live:
            return None
        pick = self._pick
        if pick is None:
            at = int(self._rng.random() * len(live))
        else:
            at = pick(len(live))
        place = live[at]
        key = self._used.get(place)
        if key is None:
            key = self._used[place] = self._key(place, at)
        key.readers += 1
        return key

    def _key(self, place: int, at: int) -> Key:
        """Return the object that is kept at a place, ``at`` of the live."""
        key = self._made_of(place)
        if self._contents is not None and self._contents[at] != place:
            key.holds(self._made_of(self._contents[at]))
        return key

    def _made_of(self, place: int) -> Key:
        if place >= 0:
            return self.existing.key(place)
        key = self._created.key(~place)
        key.place = key.content = place
        return key

    def _keep(self, key: Key) -> None:
        """Keep an object that may be deleted."""
        self._doomed.append(key.place)
        if self._contents is not None:
            self._contents.append(key.content)

    def doomed_batch(self, most: int, fewer: bool = False) -> List[Key]:
        """Take up to ``most`` objects that nobody reads, to delete them.

        All are of one bucket. Where none has as many: ``fewer``, or none.
        """
        waiting = self._waiting
        while True:
            key = self.doomed()
            if key is None:
                break
            bucket = bucket_of(key.path)
            kept = waiting.setdefault(bucket, [])
            kept.append(key)
            if len(kept) >= most:
                return waiting.pop(bucket)
        if fewer and waiting:
            return waiting.pop(max(waiting, key=lambda b: len(waiting[b])))
        for keys in waiting.values():
            for key in keys:
                self._keep(key)
        waiting.clear()
        return []

    def doomed(self) -> Optional[Key]:
        """Take a random object that nobody reads, to delete it."""
        live = self._doomed
        for _ in range(32):
            if not live:
                return None
            at = int(self._rng.random() * len(live))
            place = live[at]
            if place not in self._used:
                key = self._key(place, at)
                _drop(live, at)
                if self._contents is not None:
                    _drop(self._contents, at)
                return key
        return None

    def written(self, key: Key, sure: bool) -> None:
        """Note the end of a put; only a sure one can be read."""
        if key.place < 0:
            if not sure:
                self.abandoned += 1
            elif self._keeps_made:
                self._keep(key)
        elif not sure:
            self.missing.append(key.number)
        elif self._keeps_filled:
            self._live.append(key.number)
            if self._contents is not None:
                self._contents.append(key.number)

    def take_missing(self) -> List[int]:
        """Return the numbers that are to be written again, once."""
        found, self.missing = self.missing, []
        return found

    def deleted(self, key: Key, sure: bool, present: bool) -> None:
        """Note the end of a delete: gone, still there, or not known."""
        if present:
            self._keep(key)
        elif not sure:
            self.abandoned += 1

    def was_read(self, key: Key) -> None:
        """Note the end of a read."""
        key.readers -= 1
        if not key.readers:
            self._used.pop(key.place, None)
