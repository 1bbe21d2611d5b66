"""What a run does to other pools: their latency against its baseline.

Reads and writes are judged apart, because a change of their mix alone moves
the mean. Nothing is guessed: without a baseline there is no judgment.
"""

from typing import Dict, List, Mapping, NamedTuple, Optional, Tuple

from ...model.topology import PoolLatency

MIN_BASELINE_OPS = 20  # fewer make no baseline
MIN_OPS = 10  # intervals are put together until they hold so many
GAP = 10.0  # seconds without an operation after which an impact starts anew

Key = Tuple[int, str]  # pool id, 'reads' or 'writes'


class Impact(NamedTuple):
    """Say how much slower one pool is served than before the load."""

    pool: int
    kind: str  # 'reads' or 'writes'
    latency: float  # seconds
    baseline: float  # seconds
    lasting: float  # seconds above the limit, 0 when below

    @property
    def factor(self) -> float:
        """Return the latency in multiples of its baseline."""
        return self.latency / self.baseline


class _Sum:
    """Add up operations and their seconds."""

    def __init__(self) -> None:
        self.ops = 0
        self.seconds = 0.0

    def add(self, ops: int, seconds: float) -> None:
        self.ops += ops
        self.seconds += seconds

    @property
    def mean(self) -> float:
        return self.seconds / self.ops if self.ops else 0.0


class TenantLatency:
    """Learn the latency of pools without load, then watch it under load."""

    def __init__(self) -> None:
        self._baseline: Dict[Key, _Sum] = {}
        self._pending: Dict[Key, _Sum] = {}
        # since when a pool is above the limit without a break
        self._since: Dict[Key, float] = {}
        self._seen: Dict[Key, float] = {}  # when last
        self._last: Optional[float] = None

    def learn(self, now: float, deltas: Mapping[int, PoolLatency]) -> None:
        """Add what came since the last call to the baseline."""
        for key, ops, seconds in _each(deltas):
            self._baseline.setdefault(key, _Sum()).add(ops, seconds)
        self._last = now

    @property
    def known(self) -> int:
        """Return the number of pools with a baseline."""
        return len({key[0] for key in self._baseline if self._mean(key)})

    def _mean(self, key: Key) -> Optional[float]:
        """Return the baseline in seconds, None when there is none."""
        found = self._baseline.get(key)
        if found is None or found.ops < MIN_BASELINE_OPS or not found.mean:
            return None
        return found.mean

    def observe(
        self, now: float, deltas: Mapping[int, PoolLatency], factor: float
    ) -> List[Impact]:
        """Judge what came since the last call; the worst comes first.

        ``factor`` is the multiple of its baseline that a pool may take.
        A pool that is stalled altogether completes nothing and is not seen
        here, but by SLOW_OPS.
        """
        start = self._last if self._last is not None else now
        self._last = now
        found = []
        for key, ops, seconds in _each(deltas):
            baseline = self._mean(key)
            if baseline is None:
                continue
            # what takes long is under way while nothing is seen
            idle = start - self._seen.get(key, start) - seconds / ops
            self._seen[key] = now
            if idle > GAP:
                self._since.pop(key, None)
            pending = self._pending.setdefault(key, _Sum())
            pending.add(ops, seconds)
            limit = factor * baseline
            # or as much as so many would take that are just at the limit
            if pending.ops < MIN_OPS and pending.seconds <= MIN_OPS * limit:
                continue
            latency = pending.mean
            self._pending[key] = _Sum()
            if latency > limit:
                began = min(start, now - seconds / ops)
                since = self._since.setdefault(key, began)
                lasting = now - since
            else:
                self._since.pop(key, None)
                lasting = 0.0
            found.append(Impact(key[0], key[1], latency, baseline, lasting))
        return sorted(found, key=lambda i: (-i.lasting, -i.factor))


def _each(deltas: Mapping[int, PoolLatency]) -> List[Tuple[Key, int, float]]:
    """Return (key, operations, seconds) of all reads and writes."""
    found: List[Tuple[Key, int, float]] = []
    for pool, value in sorted(deltas.items()):
        if value.reads > 0:
            found.append(((pool, 'reads'), value.reads, value.read_seconds))
        if value.writes > 0:
            found.append(
                ((pool, 'writes'), value.writes, value.write_seconds)
            )
    return found
