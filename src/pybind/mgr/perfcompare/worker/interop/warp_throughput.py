"""MinIO warp: the throughput of an analyzed result, in requests.

warp up to 1.0 states objects per second, of which a request of LIST or
DELETE has many; from 1.1 on it states how many requests were begun, those
that failed included. Ours are the requests that did not fail.
"""

from typing import Any, Dict, NamedTuple, Optional, Tuple

import datetime
import re

from ..wire.reading import MAX_SAMPLES, Samples, millis, number, shown
from ..wire.strict import Malformed

SEVERAL = ('s3-list', 's3-delete')  # of whose objects a request has many
_FRACTION = re.compile(r'\.\d+')

Data = Dict[str, Any]


class Throughput(NamedTuple):
    """Hold what a throughput says; rates are per second."""

    started: Optional[float]  # Unix time
    seconds: float
    ops: Optional[float]
    bytes: Optional[float]
    samples: Optional[Samples]
    notes: Tuple[str, ...]


def read(throughput: Data, where: str, kind: str = '') -> Throughput:
    """Read the throughput of operations of a ``kind``, or of a mix."""
    seconds = millis(throughput.get('measure_duration_millis'), where)
    if not seconds:
        raise Malformed(
            f'{where}: no duration; the test was too short to be analyzed'
        )
    of = _old if 'average_ops' in throughput else _new
    return of(throughput, where, kind, seconds)


def _old(
    throughput: Data, where: str, kind: str, seconds: float
) -> Throughput:
    stated = number(throughput['average_ops'], where)
    ops, scale = stated, 1.0
    notes: Tuple[str, ...] = ()
    if kind in SEVERAL:
        done = number(throughput.get('operations'), where)
        ops = None if done is None else done / seconds
        scale = ops / stated if ops is not None and stated else 0.0
        notes = ('warp states objects per second: requests are counted',)
    return Throughput(
        moment(throughput.get('start_time'), where),
        seconds,
        ops,
        number(throughput.get('average_bps'), where) or None,
        _samples(throughput, where, scale) if scale else None,
        notes,
    )


def _new(
    throughput: Data, where: str, kind: str, seconds: float
) -> Throughput:
    objects = number(throughput.get('objects'), where)
    begun = number(throughput.get('ops'), where) or objects
    failed = number(throughput.get('errors'), where) or 0.0
    moved = number(throughput.get('bytes'), where) or None
    notes = []
    if failed and moved:
        moved = None
        notes.append('bytes of failed requests are counted: not available')
    samples: Optional[Samples] = None
    if kind in SEVERAL and objects != begun:
        # releases differ in whether these are of objects or of requests
        notes.append('rates over time are of objects: not available')
    else:
        samples = _samples(throughput, where)
    return Throughput(
        moment(throughput.get('start_time'), where),
        seconds,
        None if begun is None else max(0.0, begun - failed) / seconds,
        None if moved is None else moved / seconds,
        samples,
        tuple(notes),
    )


def _samples(
    throughput: Data, where: str, scale: float = 1.0
) -> Optional[Samples]:
    """Return rates over time; a segment tells what failed of its own."""
    found = throughput.get('segmented') or {}
    rows = found.get('segments') or []
    step = millis(found.get('segment_duration_millis'), where)
    if not rows or not step or len(rows) > MAX_SAMPLES:
        return None
    if not all(row.get('start') for row in rows):
        return None
    begun = 'average_ops' not in throughput
    timed = []
    for row in rows:
        rate = number(row.get('obj_per_sec'), where)
        if rate is not None:
            failed = number(row.get('errors'), where) or 0.0
            rate = max(0.0, rate - failed / step) if begun else rate * scale
        timed.append((moment(row['start'], where) or 0.0, rate))
    timed.sort(key=lambda one: one[0])
    begin = timed[0][0]
    return Samples(
        begin,
        tuple(round(at - begin + step, 3) for at, _ in timed),
        tuple(rate for _, rate in timed),
    )


def whole(row: Data) -> Data:
    """Return the throughput of all, or of the only client of a short test.

    A test of a few seconds has no segments to analyze, for which warp
    writes 0; the same figures of a client are over all of its time.
    """
    found: Data = row.get('throughput') or {}
    clients = row.get('throughput_by_client') or {}
    if not found.get('measure_duration_millis') and len(clients) == 1:
        (found,) = clients.values()
    return found


def moment(value: Any, where: str) -> Optional[float]:
    """Return a time of Go as Unix time; None for that of nothing."""
    if not value or str(value).startswith('0001-'):
        return None
    text = _FRACTION.sub('', str(value)).replace('Z', '+00:00')
    part = _FRACTION.search(str(value))
    try:
        when = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise Malformed(f'{where}: {shown(value)} is not a time') from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=datetime.timezone.utc)
    return when.timestamp() + (float(part.group()) if part else 0.0)
