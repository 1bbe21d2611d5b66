"""From what the processes recorded to the figures of a trial."""

from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from ...wire import histogram
from ...wire.s3_spec import OPS
from .intervals import Interval
from .recorder import NAMES, NEVER_BEGUN, OTHER

ANALYSIS = 1
WINDOWS = 6
FIRST_BYTE = 'first byte'

Result = Dict[str, Any]


def intervals(results: List[Result]) -> Iterator[Tuple[str, Interval]]:
    """Yield every interval of every process with its endpoint."""
    for result in results:
        for endpoint in result['endpoints']:
            for interval in endpoint['intervals']:
                yield endpoint['url'], interval


def unfinished(results: List[Result]) -> Iterator[Tuple[str, Any]]:
    """Yield what had not ended at each endpoint of every process."""
    for result in results:
        for endpoint in result['endpoints']:
            yield endpoint['url'], endpoint.get('unfinished', {})


class Tally:
    """Add up intervals."""

    def __init__(self) -> None:
        self.histograms: Dict[str, histogram.Sparse] = {}
        self.bytes: Dict[str, int] = {}
        self.waited: Dict[str, int] = {}
        self.max: Dict[str, int] = {}
        self.errors: Dict[str, int] = {}  # of operations
        self.attempts: Dict[str, int] = {}  # to connect, that failed
        # what was under way at the end of a closed loop
        self.unfinished: Dict[str, histogram.Sparse] = {}

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
        _add(self.attempts, interval.get('attempts', {}))

    def add_errors(self, errors: Mapping[str, int]) -> None:
        """Add numbers of errors by their names."""
        _add(self.errors, errors)

    def add_unfinished(self, ops: Mapping[str, Any]) -> None:
        """Add what had not ended, with the time that it had taken."""
        for name, row in ops.items():
            counts = self.unfinished.setdefault(name, {})
            for index, number in row['histogram'].items():
                counts[int(index)] = counts.get(int(index), 0) + number
            self.max[name] = max(self.max.get(name, 0), row['max'])

    def join(self, other: 'Tally') -> None:
        """Add what another one holds."""
        for name, counts in other.histograms.items():
            mine = self.histograms.get(name, {})
            self.histograms[name] = histogram.merge([mine, counts])
        for name, counts in other.unfinished.items():
            mine = self.unfinished.get(name, {})
            self.unfinished[name] = histogram.merge([mine, counts])
        for name, longest in other.max.items():
            self.max[name] = max(self.max.get(name, 0), longest)
        self.add_errors(other.errors)
        _add(self.attempts, other.attempts)
        for ours, theirs in (
            (self.bytes, other.bytes),
            (self.waited, other.waited),
        ):
            for name, number in theirs.items():
                ours[name] = ours.get(name, 0) + number

    def percentiles(self) -> Dict[str, float]:
        """Return the latency percentiles (s) of all operations."""
        return histogram.percentiles(
            histogram.merge([self.all_ops(), *self.unfinished.values()])
        )

    def ops(self, op: Optional[str] = None) -> int:
        """Return how many operations finished."""
        names = [op] if op else list(OPS)
        return sum(
            histogram.count(self.histograms.get(name, {})) for name in names
        )

    def failed(self) -> int:
        """Return how many failed."""
        return sum(self.errors.values())

    def under_way(self) -> int:
        """Return how many had not ended with a closed loop."""
        return sum(map(histogram.count, self.unfinished.values()))

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

        What was unfinished counts in percentiles and the maximum. Rates
        are of what finished ``inside`` of a window of ``seconds``.
        """
        within = inside or self
        found: Dict[str, Any] = {}
        for name in OPS:
            number = self.ops(name)
            unfinished = self.unfinished.get(name, {})
            if not number and not unfinished:
                continue
            counts = histogram.merge(
                [self.histograms.get(name, {}), unfinished]
            )
            found[name] = {
                'ops': number,
                'unfinished': histogram.count(unfinished),
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


def _add(to: Dict[str, int], what: Mapping[str, int]) -> None:
    for name, number in what.items():
        to[name] = to.get(name, 0) + number


def bounded(errors: Mapping[str, int]) -> Dict[str, int]:
    """Return at most NAMES names: those of the most errors, and others."""
    often = sorted(errors, key=lambda name: (-errors[name], name))
    found = {name: errors[name] for name in often[: NAMES - len(OPS)]}
    for name in often[NAMES - len(OPS) :]:
        _add(found, {f'{name.partition(" ")[0]} {OTHER}': errors[name]})
    return found


class Counts:
    """Add up what counts in a window, of all that was recorded."""

    def __init__(self) -> None:
        self.inside = Tally()  # what finished within
        # latencies and errors; open loop: with the drain, closed loop: with
        # the errors of what was under way at the end
        self.judged = Tally()

    def add(self, interval: Interval, window: 'Window') -> None:
        """Add one interval, as far as it counts."""
        if interval['from'] < window.begin:
            return
        if interval['from'] < window.end:
            self.inside.add(interval)
        if interval['from'] < window.end or window.open_loop:
            self.judged.add(interval)
        else:
            self.judged.add_errors(interval['errors'])


class Window:
    """Hold the measured window of all processes, which began together."""

    def __init__(self, results: List[Result], open_loop: bool) -> None:
        self.results = results
        self.open_loop = open_loop
        self.begin: int = results[0]['begin']
        # a load that ends by itself ends with its last process
        self.end: int = max(r['end'] for r in results)
        self.seconds = max(0.0, (self.end - self.begin) / 1e9)
        counts = Counts()
        for _, interval in intervals(results):
            counts.add(interval, self)
        if not open_loop:
            for _, ops in unfinished(results):
                counts.judged.add_unfinished(ops)
        self.inside, self.judged = counts.inside, counts.judged

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
        rows: List[Dict[str, Any]] = []
        for row in (found[at] for at in sorted(found)):
            # a process that ended before the others went on to longer ones
            if rows and row['from'] < rows[-1]['to']:
                rows[-1]['to'] = max(rows[-1]['to'], row['to'])
                rows[-1]['tally'].join(row['tally'])
            else:
                rows.append(row)
        return rows


def steps(window: Window, count: int, rate: float) -> List[Dict[str, Any]]:
    """Return the figures of each step of a rate that grew to ``rate``.

    An operation counts in the step in which it ended, with its latency from
    when it was due. Intervals that are of two steps are of none. What ended
    after the last step is in its latencies and errors.
    """
    whole = window.end - window.begin
    rows = window.series()
    found = []
    for i in range(count):
        begin = window.begin + whole * i // count
        end = window.begin + whole * (i + 1) // count
        tally, seconds = Tally(), 0.0
        for row in rows:
            if begin <= row['from'] and row['to'] <= end:
                tally.join(row['tally'])
                seconds += (row['to'] - row['from']) / 1e9
        ops = tally.ops()
        if i == count - 1:
            for row in rows:
                if row['from'] >= window.end:
                    tally.join(row['tally'])
        found.append(
            {
                'rate': rate * (i + 1) / count,
                'seconds': seconds,
                'ops': ops,
                'ops_per_s': ops / seconds if seconds else None,
                'errors': tally.failed(),
                'latency_avg': tally.latency(),
                'latency_max': tally.worst(),
                'percentiles': tally.percentiles(),
            }
        )
    return found


def endpoints(windows: List[Window]) -> List[Dict[str, Any]]:
    """Return the figures of each endpoint in all windows.

    Operations are those that finished within; latencies and errors are of
    what those of the load as a whole are of. What never began is of none.
    """
    found: Dict[str, Counts] = {}
    for window in windows:
        for url, interval in intervals(window.results):
            found.setdefault(url, Counts()).add(interval, window)
        if not window.open_loop:
            for url, ops in unfinished(window.results):
                found.setdefault(url, Counts()).judged.add_unfinished(ops)
    return [
        {
            'url': url,
            'ops': counts.inside.ops(),
            'unfinished': counts.judged.under_way(),
            'errors': counts.judged.failed()
            - counts.judged.errors.get(NEVER_BEGUN, 0),
            'attempts': sum(counts.judged.attempts.values()),
            'latency_avg': counts.judged.latency(),
            'percentiles': counts.judged.percentiles(),
        }
        for url, counts in found.items()
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
