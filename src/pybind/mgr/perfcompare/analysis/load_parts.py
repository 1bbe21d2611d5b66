"""What trials recorded of each operation of a load, and of each endpoint."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ..model.trial import Trial
from .efficiency import enough
from .findings.facts import mapping, number
from .results import PartFigures
from .stats import median

Record = Mapping[str, Any]  # of one operation or endpoint in one trial

MOVING = (
    'get',
    'put',
    'overwrite',
    'range',
    'list',
    'multipart',
    'copy',
    # the directions of a mix that fio made
    'read',
    'write',
)
# of an operation that did not finish once in a trial with others
NEVER: Record = {
    'ops': 0,
    'ops_per_s': 0.0,
    'bytes_per_s': 0.0,
    'errors': 0,
}


def operations(trials: Sequence[Trial]) -> Tuple[PartFigures, ...]:
    """Return figures of each operation; of none if none are recorded."""
    found = [rows for rows in map(_operations, trials) if rows]
    return tuple(
        _figures(name, [rows.get(name, NEVER) for rows in found])
        for name in sorted({name for rows in found for name in rows})
    )


def endpoints(trials: Sequence[Trial]) -> Tuple[PartFigures, ...]:
    """Return figures of each endpoint; of none if none are recorded."""
    found: Dict[str, List[Record]] = {}
    for trial in trials:
        client = mapping(trial.evidence.get('client'))
        seconds = trial.summary.window if trial.summary else None
        for row in map(mapping, client.get('endpoints') or ()):
            ops = number(row, 'ops')
            rate = ops / seconds if ops is not None and seconds else None
            found.setdefault(str(row.get('url')), []).append(
                {**row, 'ops_per_s': rate}
            )
    return tuple(_figures(url, found[url]) for url in sorted(found))


def steps(trials: Sequence[Trial]) -> Tuple[PartFigures, ...]:
    """Return figures of each step of a rate that grew; of none without."""
    found: Dict[float, List[Record]] = {}
    for trial in trials:
        client = mapping(trial.evidence.get('client'))
        for row in map(mapping, client.get('steps') or ()):
            found.setdefault(number(row, 'rate') or 0.0, []).append(row)
    return tuple(
        _figures(f'{rate:g} op/s', found[rate]) for rate in sorted(found)
    )


def _operations(trial: Trial) -> Mapping[str, Record]:
    """Return the records of a trial, with errors where all are named."""
    client = mapping(trial.evidence.get('client'))
    held = mapping(client.get('operations'))
    rows = {name: mapping(row) for name, row in held.items()}
    errors = mapping(client.get('errors'))
    whole = trial.summary.errors if trial.summary else None
    if not rows or 'errors' not in client or sum(errors.values()) != whole:
        return rows
    counted = dict.fromkeys(rows, 0)
    for name, failed in errors.items():
        op = name.partition(' ')[0]  # of 'put 503 SlowDown'
        # one that never began is of no operation, nor was, when they were
        # counted as errors, an attempt to connect
        if op not in ('connect', 'never'):
            counted[op] = counted.get(op, 0) + failed
    return {
        name: {**rows.get(name, NEVER), 'errors': failed}
        for name, failed in counted.items()
    }


def _figures(name: str, rows: Sequence[Record]) -> PartFigures:
    moves = name in MOVING
    return PartFigures(
        name=name,
        trials=len(rows),
        ops=_sum(rows, 'ops'),
        ops_per_s=_median(rows, 'ops_per_s'),
        bytes_per_s=_median(rows, 'bytes_per_s') if moves else None,
        latency_avg=_median(rows, 'latency_avg'),
        percentiles=_percentiles(rows, 'percentiles'),
        first_byte=_percentiles(rows, 'first_byte'),
        errors=_sum(rows, 'errors'),
    )


def _values(rows: Sequence[Record], name: str) -> List[float]:
    """Return a figure of each trial, or nothing where one has it not."""
    values = [v for v in (number(row, name) for row in rows) if v is not None]
    return values if len(values) == len(rows) else []


def _sum(rows: Sequence[Record], name: str) -> Optional[int]:
    values = _values(rows, name)
    return int(sum(values)) if values else None


def _median(rows: Sequence[Record], name: str) -> Optional[float]:
    values = _values(rows, name)
    return median(values) if values else None


def _percentiles(rows: Sequence[Record], of: str) -> Dict[str, float]:
    """Return the medians of the percentiles that every trial can state."""
    stated = [mapping(row.get(of)) for row in rows]
    names = set.intersection(*(set(one) for one in stated))
    counts = _values(rows, 'ops')
    return {
        name: median([one[name] for one in stated])
        for name in sorted(names)
        if not counts or enough(min(counts), name)
    }
