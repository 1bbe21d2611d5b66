"""From what the processes recorded to the figures of a trial."""

from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from . import histogram
from .spec import OPS

ANALYSIS = 1
WINDOWS = 6
FIRST_BYTE = 'first byte'

Result = Dict[str, Any]
Interval = Dict[str, Any]


def intervals(results: List[Result]) -> Iterator[Tuple[str, Interval]]:
    """Yield every interval of every process with its endpoint."""
    for result in results:
        for endpoint in result['endpoints']:
            for interval in endpoint['intervals']:
                yield endpoint['url'], interval


class Tally:
    """Add up intervals."""

    def __init__(self) -> None:
        self.histograms: Dict[str, histogram.Sparse] = {}
        self.bytes: Dict[str, int] = {}
        self.waited: Dict[str, int] = {}
        self.max: Dict[str, int] = {}
        self.errors: Dict[str, int] = {}

    def add(self, interval: Interval) -> None:
        """Add one interval of one process."""
        for name, row in interval['ops'].items():
            counts = self.histograms.setdefault(name, {})
            for index, number in row['histogram'].items():
                index = int(index)  # JSON has texts as keys
                counts[index] = counts.get(index, 0) + number
            self.max[name] = max(self.max.get(name, 0), row['max'])
            self.bytes[name] = self.bytes.get(name, 0) + row.get('bytes', 0)
            self.waited[name] = self.waited.get(name, 0) + row.get(
                'waited', 0
            )
        self.add_errors(interval['errors'])

    def add_errors(self, errors: Mapping[str, int]) -> None:
        """Add numbers of errors by their names."""
        for name, number in errors.items():
            self.errors[name] = self.errors.get(name, 0) + number

    def join(self, other: 'Tally') -> None:
        """Add what another one holds."""
        for name, counts in other.histograms.items():
            mine = self.histograms.get(name, {})
            self.histograms[name] = histogram.merge([mine, counts])
            self.max[name] = max(self.max.get(name, 0), other.max[name])
        self.add_errors(other.errors)
        for ours, theirs in (
            (self.bytes, other.bytes),
            (self.waited, other.waited),
        ):
            for name, number in theirs.items():
                ours[name] = ours.get(name, 0) + number

    def percentiles(self) -> Dict[str, float]:
        """Return the latency percentiles (s) of all operations."""
        return histogram.percentiles(self.all_ops())

    def ops(self, op: Optional[str] = None) -> int:
        """Return how many operations finished."""
        names = [op] if op else list(OPS)
        return sum(
            histogram.count(self.histograms.get(name, {})) for name in names
        )

    def failed(self) -> int:
        """Return how many failed."""
        return sum(self.errors.values())

    def moved(self) -> int:
        """Return the bytes of all operations."""
        return sum(self.bytes.values())

    def latency(self, op: Optional[str] = None) -> Optional[float]:
        """Return the mean latency in seconds."""
        names = [op] if op else list(OPS)
        number = self.ops(op)
        waited = sum(self.waited.get(name, 0) for name in names)
        return waited / number / 1e9 if number else None

    def worst(self) -> Optional[float]:
        """Return the highest latency in seconds."""
        found = [self.max[name] for name in OPS if name in self.max]
        return max(found) / 1e9 if found else None

    def all_ops(self) -> histogram.Sparse:
        """Return one histogram of all operations."""
        return histogram.merge(self.histograms.get(name, {}) for name in OPS)

    def described(
        self, seconds: float, inside: Optional['Tally'] = None
    ) -> Dict[str, Any]:
        """Return the figures of each operation, times in seconds.

        Rates are of what finished ``inside`` of a window of ``seconds``.
        """
        within = inside or self
        found: Dict[str, Any] = {}
        for name in OPS:
            number = self.ops(name)
            if not number:
                continue
            counts = self.histograms[name]
            found[name] = {
                'ops': number,
                'ops_per_s': (
                    within.ops(name) / seconds if seconds > 0 else None
                ),
                'bytes_per_s': (
                    within.bytes.get(name, 0) / seconds
                    if seconds > 0
                    else None
                ),
                'latency_avg': self.latency(name),
                'latency_max': self.max[name] / 1e9,
                'percentiles': histogram.percentiles(counts),
            }
            if name == 'get' and FIRST_BYTE in self.histograms:
                found[name]['first_byte'] = histogram.percentiles(
                    self.histograms[FIRST_BYTE]
                )
        return found


def _of_operations(errors: Mapping[str, int]) -> Dict[str, int]:
    """Return the errors that are not of connecting."""
    return {
        name: number
        for name, number in errors.items()
        if name.partition(' ')[0] in OPS
    }


class Window:
    """Hold the measured window of all processes, which began together."""

    def __init__(self, results: List[Result], open_loop: bool) -> None:
        self.results = results
        self.begin: int = results[0]['begin']
        # a load that ends by itself ends with its last process
        self.end: int = max(r['end'] for r in results)
        self.seconds = max(0.0, (self.end - self.begin) / 1e9)
        self.inside = Tally()  # what finished within
        # latencies and errors; open loop: with the drain, closed loop: with
        # the errors of what was under way at the end
        self.judged = Tally()
        for _, interval in intervals(results):
            if interval['from'] < self.begin:
                continue
            if interval['from'] < self.end:
                self.inside.add(interval)
            if interval['from'] < self.end or open_loop:
                self.judged.add(interval)
            else:
                self.judged.add_errors(_of_operations(interval['errors']))

    def rates(self, count: int = WINDOWS) -> List[float]:
        """Return operations/s of equal parts, of whole intervals."""
        steps = self.series()
        inside = [s for s in steps if s['from'] >= self.begin]
        inside = [s for s in inside if s['to'] <= self.end]
        size = len(inside) // count
        if not size:
            return []
        found = []
        for part in range(count):
            rows = inside[part * size : (part + 1) * size]
            seconds = (rows[-1]['to'] - rows[0]['from']) / 1e9
            found.append(sum(r['tally'].ops() for r in rows) / seconds)
        return found

    def series(self) -> List[Dict[str, Any]]:
        """Return one tally per interval, over all processes."""
        found: Dict[int, Dict[str, Any]] = {}
        for _, interval in intervals(self.results):
            row = found.setdefault(
                interval['from'],
                {
                    'from': interval['from'],
                    'to': interval['to'],
                    'tally': Tally(),
                },
            )
            row['to'] = max(row['to'], interval['to'])
            row['tally'].add(interval)
        return [found[at] for at in sorted(found)]


def endpoints(windows: List[Window]) -> List[Dict[str, Any]]:
    """Return the figures of each endpoint in all windows."""
    tallies: Dict[str, Tally] = {}
    for window in windows:
        for url, interval in intervals(window.results):
            tally = tallies.setdefault(url, Tally())
            if window.begin <= interval['from'] < window.end:
                tally.add(interval)
    return [
        {
            'url': url,
            'ops': tally.ops(),
            'errors': tally.failed(),
            'latency_avg': tally.latency(),
            'percentiles': histogram.percentiles(tally.all_ops()),
        }
        for url, tally in tallies.items()
    ]


def series(windows: List[Window], wall: float, mono: float) -> Dict[str, Any]:
    """Return the rates and latencies over time as a trial's series.

    ``wall`` is the Unix time of monotonic ``mono`` (s).
    """
    rows = [row for window in windows for row in window.series()]
    start = rows[0]['from'] if rows else windows[0].begin
    found: Dict[str, Any] = {
        'wall_start': wall + start / 1e9 - mono,
        't': [],
        'ops': [],
        'latency': [],
    }
    for row in rows:
        seconds = (row['to'] - row['from']) / 1e9
        if seconds < 0.2:  # a rest at the end says nothing as a rate
            continue
        latency = row['tally'].latency()
        found['t'].append(round((row['to'] - start) / 1e9, 3))
        found['ops'].append(round(row['tally'].ops() / seconds, 3))
        found['latency'].append(
            None if latency is None else round(latency, 7)
        )
    return found


def details(window: Window) -> Dict[str, List[Any]]:
    """Return bytes, errors and latency percentiles over time."""
    found: Dict[str, List[Any]] = {
        't': [],
        'bytes_per_s': [],
        'errors': [],
        'p50': [],
        'p99': [],
    }
    rows = window.series()
    for row in rows:
        tally = row['tally']
        seconds = (row['to'] - row['from']) / 1e9
        counts = tally.all_ops()
        found['t'].append(round((row['to'] - rows[0]['from']) / 1e9, 3))
        found['bytes_per_s'].append(
            round(tally.moved() / seconds) if seconds > 0 else None
        )
        found['errors'].append(tally.failed())
        found['p50'].append(histogram.quantile(counts, 0.5))
        found['p99'].append(histogram.quantile(counts, 0.99))
    return found
