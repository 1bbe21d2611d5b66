"""What a load's own series says it did."""

from typing import Any, Dict


def operations(series: Dict[str, Any], start: float, end: float) -> float:
    """Return what a client finished between two Unix times.

    Within one second of the series it is taken as evenly spread.
    """
    columns = {c['name']: c['values'] for c in series['columns']}
    times = series.get('t') or [
        series['step'] * (i + 1) for i in range(len(columns['ops']))
    ]
    found = before = 0.0
    for t, rate in zip(times, columns['ops']):
        low = max(series['wall_start'] + before, start)
        high = min(series['wall_start'] + t, end)
        found += max(0.0, high - low) * (rate or 0.0)
        before = t
    return found
