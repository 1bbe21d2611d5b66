"""What another host tells of its processes, read as any input is.

A host may be wrong, or lie: what has no place in a result is refused, what
is kept is of its type and within its bounds.
"""

from typing import Any, Collection, Dict, List, Mapping, Optional, Set

from ...wire import histogram
from ...wire.s3_spec import OPS
from .recorder import EXAMPLES, POINTS
from .results import FIRST_BYTE, Result

PROCESSES_MAX = 64  # of one host
INTERVALS_MAX = 2 * POINTS  # of one endpoint
NAMES_MAX = 5000  # of errors, of one host
NAME_MAX, EXAMPLE_MAX = 200, 1000  # characters
COUNT_MAX = 1 << 53
KINDS = (*OPS, FIRST_BYTE)
COUNTS = (
    'connected',
    'reconnects',
    'retried',
    'corrupt',
    'compared',
    'late',
    'cut',
    'substituted',
    'created',
    'rewritten',
    'abandoned',
)
FIGURES = ('cpu', 'seconds', 'backed_off', 'lag')


def processes(data: Any, urls: Collection[str]) -> List[Result]:
    """Return what processes of a host did at endpoints ``urls``.

    Raises ValueError, TypeError or LookupError for what cannot be.
    """
    if not isinstance(data, list) or not 0 < len(data) <= PROCESSES_MAX:
        raise ValueError('no processes, or too many')
    reading = _Reading(urls)
    return [reading.process(row) for row in data]


class _Reading:
    def __init__(self, urls: Collection[str]) -> None:
        self._urls = urls
        self._names: Set[str] = set()

    def process(self, row: Any) -> Result:
        endpoints = _mapping(row)['endpoints']
        if not isinstance(endpoints, list) or len(endpoints) > len(
            self._urls
        ):
            raise ValueError('more endpoints than there are')
        queue: Optional[float] = None
        if row['run_queue'] is not None:
            queue = figure(row['run_queue'])
        return {
            **{name: count(row[name]) for name in COUNTS},
            **{name: figure(row[name]) for name in FIGURES},
            **{name: count(row[name]) for name in ('start', 'begin', 'end')},
            'run_queue': queue,
            'refused': text(row['refused'], EXAMPLE_MAX),
            'endpoints': [self._endpoint(_mapping(e)) for e in endpoints],
        }

    def _endpoint(self, data: Mapping[str, Any]) -> Dict[str, Any]:
        url, intervals = data['url'], data['intervals']
        if url not in self._urls:
            raise ValueError(f'{text(url, NAME_MAX)!r} is no endpoint')
        if not isinstance(intervals, list) or len(intervals) > INTERVALS_MAX:
            raise ValueError('more intervals than a load has')
        found = [self._interval(_mapping(i)) for i in intervals]
        for before, after in zip(found, found[1:]):
            if after['from'] < before['to']:
                raise ValueError('intervals that overlap')
        return {
            'url': url,
            'intervals': found,
            'unfinished': _ops(data['unfinished'], OPS),
            'examples': [
                text(example, EXAMPLE_MAX)
                for example in data['examples'][:EXAMPLES]
            ],
        }

    def _interval(self, data: Mapping[str, Any]) -> Dict[str, Any]:
        since, until = count(data['from']), count(data['to'])
        if since >= until:
            raise ValueError('an interval without time')
        return {
            'from': since,
            'to': until,
            'ops': _ops(data['ops'], KINDS),
            'errors': self._counts(data['errors']),
            'attempts': self._counts(data['attempts']),
        }

    def _counts(self, data: Any) -> Dict[str, int]:
        found = {
            text(name, NAME_MAX): count(number)
            for name, number in _mapping(data).items()
        }
        self._names.update(found)
        if len(self._names) > NAMES_MAX:
            raise ValueError('too many names of errors')
        return found


def _ops(data: Any, kinds: Collection[str]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, row in _mapping(data).items():
        if name not in kinds:
            raise ValueError(f'{text(name, NAME_MAX)!r} is no operation')
        counts = {
            int(index): count(number)
            for index, number in _mapping(row['histogram']).items()
        }
        if any(not 0 <= index < histogram.BUCKETS for index in counts):
            raise ValueError('no bucket of a histogram')
        found[name] = {'histogram': counts, 'max': count(row['max'])}
        for key in ('bytes', 'waited'):
            if key in row:
                found[name][key] = count(row[key])
    return found


def count(value: Any) -> int:
    """Return a whole number of 0 or more; raise ValueError for others."""
    if type(value) is not int or not 0 <= value <= COUNT_MAX:
        raise ValueError(f'{str(value)[:40]} is no count')
    return value


def figure(value: Any) -> float:
    """Return a number of 0 or more; raise ValueError for others."""
    if type(value) not in (int, float) or not 0 <= value <= COUNT_MAX:
        raise ValueError(f'{str(value)[:40]} is no figure')
    return float(value)


def text(value: Any, most: int) -> str:
    """Return a line for people; raise ValueError for what is none."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError('no text')
    return value[:most]


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError('no mapping')
    return value
