"""What one of several hosts tells of its load, and how that is added up.

A host tells of each of its processes; what these counted comes added up by
endpoint and interval, with the first of them. Times are nanoseconds from
the moment at which all hosts were to begin.
"""

from typing import Any, Dict, List, Sequence

from .intervals import Interval, empty, merge, merge_ops
from .recorder import EXAMPLES
from .results import Result

TIMES = ('start', 'begin', 'end')
ROUND = 1000  # ns: a host that was late has its window by rounded seconds


class Added:
    """Add up intervals of many processes, which end at the same times."""

    def __init__(self) -> None:
        self._intervals: Dict[str, Dict[int, Interval]] = {}
        self._unfinished: Dict[str, Dict[str, Any]] = {}
        self._examples: Dict[str, List[str]] = {}

    def add(self, result: Result, zero: int = 0) -> None:
        """Add those of a process, by a clock that is ``zero`` at the begin."""
        begin = moved(result['begin'], zero)
        for endpoint in result['endpoints']:
            url = endpoint['url']
            kept = self._intervals.setdefault(url, {})
            for interval in endpoint['intervals']:
                since = moved(interval['from'], zero)
                until = moved(interval['to'], zero)
                # who was late has a shorter first one; the last one, when
                # the load is over, ends when the process does
                at = until - 1 if until <= begin else since
                into = kept.setdefault(at, empty(since, until))
                merge(into, dict(interval, **{'from': since, 'to': until}))
            left = self._unfinished.setdefault(url, {})
            merge_ops(left, endpoint['unfinished'])
            examples = self._examples.setdefault(url, [])
            examples += endpoint['examples']
            del examples[EXAMPLES:]

    def endpoints(self) -> List[Dict[str, Any]]:
        """Return the sums as a process tells them."""
        return [
            {
                'url': url,
                'intervals': [kept[at] for at in sorted(kept)],
                'unfinished': self._unfinished[url],
                'examples': self._examples[url],
            }
            for url, kept in self._intervals.items()
        ]


def told(found: Sequence[Result], zero: int) -> List[Result]:
    """Return what a host tells of its processes.

    ``zero`` is when all hosts were to begin, by the clock of this one.
    """
    added = Added()
    rows = []
    for result in found:
        added.add(result, zero)
        times = {name: moved(result[name], zero) for name in TIMES}
        rows.append(dict(result, endpoints=[], **times))
    rows[0]['endpoints'] = added.endpoints()
    return rows


def moved(time: int, zero: int) -> int:
    """Return a time from ``zero`` on."""
    return round((time - zero) / ROUND) * ROUND
