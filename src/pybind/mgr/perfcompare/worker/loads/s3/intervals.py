"""What was counted from a time to another, as plain data; added up."""

from typing import Any, Dict

Interval = Dict[str, Any]


def empty(since: int, until: int) -> Interval:
    """Return an interval in which nothing was counted."""
    return {
        'from': since,
        'to': until,
        'ops': {},
        'errors': {},
        'attempts': {},
    }


def merge(into: Interval, more: Interval) -> None:
    """Add an interval to another one, which then spans both."""
    into['from'] = min(into['from'], more['from'])
    into['to'] = max(into['to'], more['to'])
    merge_ops(into['ops'], more['ops'])
    for name in ('errors', 'attempts'):
        _sums(into[name], more[name])


def merge_ops(into: Dict[str, Any], more: Dict[str, Any]) -> None:
    """Add what was counted of each operation."""
    for name, row in more.items():
        mine = into.setdefault(name, {'histogram': {}, 'max': 0})
        counts = mine['histogram']
        for index, number in row['histogram'].items():
            index = int(index)  # JSON has texts as keys
            counts[index] = counts.get(index, 0) + number
        mine['max'] = max(mine['max'], row['max'])
        for key in ('bytes', 'waited'):
            if key in row:
                mine[key] = mine.get(key, 0) + row[key]


def _sums(into: Dict[str, int], more: Dict[str, int]) -> None:
    for name, number in more.items():
        into[name] = into.get(name, 0) + number
