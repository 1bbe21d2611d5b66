"""What a file of another tool says, in our units."""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import dataclasses
import math
import statistics

from .strict import Malformed

TOOLS = (
    'warp',
    'cosbench',
    'fio',
    'elbencho',
    'vdbench',
    'cbt',
    'csv',
    'json',
)
WINDOWS = 6
MAX_MEASURED = 5_000  # of one file
MAX_SAMPLES = 100_000  # of one series
MAX_NUMBER = 1e18  # of any unit: bytes, operations, seconds
CLOCK = 1e8  # seconds from which on a time is no length of a test
LAST_TIME = 4102444800.0  # Unix time: the end of 2099

# names of operations as other tools have them
OPS = {
    'put': 's3-put',
    'get': 's3-get',
    'stat': 's3-stat',
    'head': 's3-stat',
    'delete': 's3-delete',
    'read': 's3-get',
    'write': 's3-put',
    'list': 's3-list',
}
MIXED = 's3-mixed'


@dataclasses.dataclass(frozen=True)
class Samples:
    """Hold rates over time; ``t`` are seconds since ``start``."""

    start: float  # Unix time
    t: Tuple[float, ...]  # end of each interval
    ops: Tuple[Optional[float], ...]  # op/s
    latency: Tuple[Optional[float], ...] = ()  # seconds, mean


@dataclasses.dataclass(frozen=True)
class Measured:
    """Hold one workload measured once; None is "not available".

    ``group`` is empty and ``round`` 0 where the file does not say.
    """

    op: str  # as models.workload.Op has it
    size: Optional[int] = None  # bytes of an object
    concurrency: Optional[int] = None
    workload: str = ''  # its name, where the file gives one
    group: str = ''
    round: int = 0
    started: Optional[float] = None  # Unix time
    duration: Optional[float] = None  # seconds measured
    ops_per_s: Optional[float] = None
    bytes_per_s: Optional[float] = None
    latency_avg: Optional[float] = None  # seconds
    latency_max: Optional[float] = None
    percentiles: Dict[str, float] = dataclasses.field(default_factory=dict)
    ops: Optional[int] = None
    errors: Optional[int] = None
    samples: Optional[Samples] = None
    # figures of each operation of a mix, as our own S3 trials have them
    operations: Dict[str, Any] = dataclasses.field(default_factory=dict)
    # errors by operation and reason, where the tool tells them
    failures: Dict[str, int] = dataclasses.field(default_factory=dict)
    client_host: str = ''
    osds: Optional[int] = None  # that the group had
    limited: str = ''  # what bounds its rate, e.g. 'rate_iops=1000'
    notes: Tuple[str, ...] = ()
    # what else the file says of the test; rounds have the same
    settings: Dict[str, str] = dataclasses.field(default_factory=dict)
    apart: str = ''  # those of them that set it apart, a part of its name


@dataclasses.dataclass(frozen=True)
class Reading:
    """Hold all that a file says."""

    tool: str  # 'warp', 'cosbench', …
    version: str
    measured: Tuple[Measured, ...]


def number(value: Any, where: str) -> Optional[float]:
    """Return a number from 0 to MAX_NUMBER; '', 'N/A' and None are None."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        if text.lower() in ('', 'n/a', 'na', 'nan', '-', 'not available'):
            return None
        try:
            value = float(text)
        except ValueError:
            raise Malformed(
                f'{where}: {shown(text)} is not a number'
            ) from None
    if not isinstance(value, (int, float)) or not is_finite(value):
        raise Malformed(f'{where}: {shown(value)} is not a number')
    if value < 0:
        raise Malformed(f'{where}: {shown(value)} is negative')
    if value > MAX_NUMBER:
        raise Malformed(f'{where}: {shown(value)} is more than anything has')
    return float(value)


def is_finite(value: Union[int, float]) -> bool:
    """Say whether a number is finite and fits a float."""
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def time(value: Any, where: str) -> Optional[float]:
    """Return a Unix time of the years 1970 to 2099; None stays None."""
    if value is None:
        return None
    if not is_finite(value) or not 0 <= value <= LAST_TIME:
        raise Malformed(
            f'{where}: {shown(value)} is not a time of the years 1970 to 2099'
        )
    return float(value)


def whole(value: Any, where: str) -> Optional[int]:
    """Return a whole number, as `number` does."""
    found = number(value, where)
    if found is None:
        return None
    if found != int(found) or found > 2**53:
        raise Malformed(f'{where}: {shown(value)} is not a whole number')
    return int(found)


def millis(value: Any, where: str) -> Optional[float]:
    """Return milliseconds as seconds."""
    found = number(value, where)
    return None if found is None else found / 1e3


def shown(value: Any) -> str:
    """Return a value short enough for a line."""
    if isinstance(value, str):
        value = value[:49]
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        text = 'a number of thousands of digits'
    return text if len(text) <= 48 else text[:45] + "...'"


def nominal_size(total: float, objects: float, exact: bool) -> Optional[int]:
    """Return the size of the objects; a power of two where they differ.

    Two tests with one distribution have means that differ a little, and
    must still be the same workload.
    """
    if not total or not objects:
        return None
    mean = total / objects
    if exact:
        return int(round(mean))
    return int(2 ** round(math.log2(mean)))


def mean_rate(samples: Samples) -> Optional[float]:
    """Return the mean rate over the time for which there are rates."""
    if not samples.t:
        return None
    return _mean(samples, begin_of(samples.t), samples.t[-1])


def windows(samples: Optional[Samples]) -> List[float]:
    """Return the mean rates of six equal parts; empty for a short series.

    Of a regular series each part has as many whole samples.
    """
    if samples is None or None in samples.ops:
        return []
    whole = len(samples.t) // WINDOWS * WINDOWS
    if not whole:
        return []
    begin = begin_of(samples.t)
    widths = [b - a for a, b in zip((begin, *samples.t), samples.t)]
    # times may be rounded
    regular = max(widths) - min(widths) <= 0.01 * max(widths)
    end = samples.t[whole - 1 if regular else -1]
    cuts = [begin + (end - begin) * i / WINDOWS for i in range(WINDOWS + 1)]
    means = [_mean(samples, a, b) for a, b in zip(cuts, cuts[1:])]
    return [mean for mean in means if mean is not None]


def begin_of(t: Sequence[float]) -> float:
    """Return where the first interval of a series begins.

    At 0, unless times are those of a clock, or tell where intervals begin.
    """
    if len(t) < 2 or 0.0 < t[0] < CLOCK:
        return 0.0
    return t[0] - statistics.median(b - a for a, b in zip(t, t[1:]))


def _mean(samples: Samples, begin: float, end: float) -> Optional[float]:
    """Return the mean rate from ``begin`` to ``end``, seconds of a series."""
    moved, known = [], []
    former = begin_of(samples.t)
    for at, rate in zip(samples.t, samples.ops):
        width = min(at, end) - max(former, begin)
        former = at
        if rate is not None and width > 0.0:
            moved.append(rate * width)
            known.append(width)
    return math.fsum(moved) / math.fsum(known) if known else None
