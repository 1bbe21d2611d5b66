"""Figures of fio's directions: rates, latencies and percentiles.

Bins are added up, which is exact: their layout is fixed. Percentiles that
fio states are taken of a single side only, as they cannot be merged.
"""

from typing import Any, Dict, List

import math

from ..wire import histogram
from ..wire.reading import nominal_size, number, shown, whole
from ..wire.strict import Malformed

Data = Dict[str, Any]
Bins = Dict[int, int]

MAX_BINS = 4096  # fio has 1,856 of them
LONGEST = 1 << 34  # ns: longer ones are counted in its last bin


def direction(name: str, held: List[Data]) -> Data:
    """Return the figures of one direction over the jobs that did it."""
    where = f'fio JSON: {name}'
    ops = sum(whole(side.get('total_ios'), where) or 0 for side in held)
    moved = sum(number(side.get('io_bytes'), where) or 0 for side in held)
    spent = [number(side.get('runtime'), where) or 0 for side in held]
    rate = math.fsum(number(side.get('iops'), where) or 0 for side in held)
    speed = [number(side.get('bw_bytes'), where) for side in held]
    notes: List[str] = []
    waits = [_times(side, where) for side in held]
    counts = [_counted(w, side, where) for w, side in zip(waits, held)]
    means = [(number(w.get('mean'), where), n)
             for w, n in zip(waits, counts)]  # fmt: skip
    counted = sum(n for mean, n in means if mean is not None)
    longest = [number(w.get('max'), where)
               for w, n in zip(waits, counts) if n]  # fmt: skip
    return {
        'ops': ops,
        'ops_per_s': rate,
        'bytes_per_s': (
            None
            if None in speed
            else math.fsum(v for v in speed if v is not None)
        ),
        'seconds': max(spent) / 1e3 or None,
        'size': nominal_size(moved, ops, bool(ops) and moved % ops == 0),
        'latency_avg': (
            math.fsum(m * n for m, n in means if m) / counted / 1e9
            if counted
            else None
        ),
        'latency_max': (
            max(v for v in longest if v is not None) / 1e9
            if longest and None not in longest
            else None
        ),
        'percentiles': _percentiles(held, where, notes),
        'notes': tuple(notes),
    }


def _times(side: Data, where: str) -> Data:
    found = side.get('lat_ns')
    if not isinstance(found, dict):
        raise Malformed(
            f'{where}: no lat_ns; fio 3.0 or newer writes nanoseconds'
        )
    return found


def _counted(waits: Data, side: Data, where: str) -> int:
    """Return how many operations latencies are of; fio before 3.19 has no N.

    There it is all, unless fio was told to keep none (disable_lat).
    """
    if 'N' in waits or not waits.get('max'):
        return whole(waits.get('N'), where) or 0
    return whole(side.get('total_ios'), where) or 0


def _percentiles(
    held: List[Data], where: str, notes: List[str]
) -> Dict[str, float]:
    for field in ('lat_ns', 'clat_ns'):
        counts = [(side.get(field) or {}).get('bins') for side in held]
        if not all(counts):
            continue
        total: Bins = {}
        for bins in counts:
            _add(total, bins or {}, f'{where}: {field}')
        if field == 'clat_ns':
            notes.append('percentiles are of completion, not of submission')
        if max(total) >= LONGEST:
            notes.append('waits over 17 s are counted as 17 s')
        return from_bins(total)
    if len(held) > 1:
        notes.append('latency percentiles need the bins of json+')
        return {}
    for field in ('lat_ns', 'clat_ns'):
        stated = (held[0].get(field) or {}).get('percentile')
        if stated:
            if field == 'clat_ns':
                notes.append(
                    'percentiles are of completion, not of submission'
                )
            notes.append('percentiles are as fio stated them')
            return _stated(stated, where)
    notes.append('latency percentiles are not recorded')
    return {}


def _add(total: Bins, bins: Data, where: str) -> None:
    if len(bins) > MAX_BINS:
        raise Malformed(f'{where}: {len(bins)} bins; fio has fewer')
    for key, value in bins.items():
        at, count = whole(key, where), whole(value, where)
        if at is None or count is None:
            raise Malformed(f'{where}: bin {shown(key)} has no count')
        total[at] = total.get(at, 0) + count


def from_bins(bins: Bins) -> Dict[str, float]:
    """Return the percentiles (s) that so many samples can state."""
    count = sum(bins.values())
    found: Dict[str, float] = {}
    for name, share in histogram.NAMES.items():
        if count * (1.0 - share) < histogram.BEYOND - 1e-9:
            continue
        wanted = max(1, math.ceil(share * count - 1e-9))
        for at in sorted(bins):
            wanted -= bins[at]
            if wanted <= 0:
                found[name] = at / 1e9
                break
    return found


def _stated(table: Data, where: str) -> Dict[str, float]:
    names = {100.0 * share: name for name, share in histogram.NAMES.items()}
    found: Dict[str, float] = {}
    for key, value in list(table.items())[:100]:
        at, wait = number(key, where), number(value, where)
        for percent, name in names.items():
            if at is not None and abs(at - percent) < 1e-6:
                if wait is not None:
                    found[name] = wait / 1e9
    return found
