"""Show what S3 trials recorded of operations, endpoints and errors."""

from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import statistics

from ..analysis.findings.facts import mapping
from ..models.trial import Trial, TrialState
from ..units import format_latency, format_ops
from .table import table

# workload, group, and an operation or an endpoint
Key = Tuple[str, str, str]
Held = Dict[Key, List[Dict[str, Any]]]


def tables(trials: Sequence[Trial]) -> List[str]:
    """Return tables of medians over judged trials, where there is more to
    say than the trials' own figures do."""
    operations, endpoints = _held(_operations(trials)), _held(_ends(trials))
    failures = _failures(trials)
    found = []
    if any(len(of) > 1 or 'get' in of for of in _names(operations)):
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'OPERATION', 'OPS', 'LATENCY', 'P50',
                 'P99', 'TTFB P50', 'TTFB P99'],
                [
                    [
                        *key,
                        format_ops(_median(rows, 'ops_per_s')),
                        format_latency(_median(rows, 'latency_avg')),
                        _percentile(rows, 'percentiles', 'p50'),
                        _percentile(rows, 'percentiles', 'p99'),
                        _first_byte(key, rows, 'p50'),
                        _first_byte(key, rows, 'p99'),
                    ]
                    for key, rows in operations.items()
                ],
                range(3, 9),
            )
        )  # fmt: skip
    if any(len(of) > 1 for of in _names(endpoints)):
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'ENDPOINT', 'OPS', 'LATENCY', 'P50',
                 'P99', 'ERRORS'],
                [
                    [
                        *key,
                        format_ops(_rate(rows)),
                        format_latency(_median(rows, 'latency_avg')),
                        _percentile(rows, 'percentiles', 'p50'),
                        _percentile(rows, 'percentiles', 'p99'),
                        str(sum(row['errors'] for row in rows)),
                    ]
                    for key, rows in endpoints.items()
                ],
                range(3, 8),
            )
        )  # fmt: skip
    if failures:
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'ERROR', 'OPERATIONS'],
                [[*key, str(n)] for key, n in sorted(failures.items())],
                [3],
            )
        )
    return found


def _failures(trials: Sequence[Trial]) -> Dict[Key, int]:
    """Return how many operations of judged trials failed, and why."""
    found: Dict[Key, int] = {}
    for trial, client in _judged(trials):
        for why, number in mapping(client.get('errors')).items():
            key = trial.workload, trial.group, why
            found[key] = found.get(key, 0) + int(number)
    return found


def _operations(trials: Sequence[Trial]) -> Iterator[Tuple[Key, Any]]:
    for trial, client in _judged(trials):
        for name, row in mapping(client.get('operations')).items():
            yield (trial.workload, trial.group, name), row


def _ends(trials: Sequence[Trial]) -> Iterator[Tuple[Key, Any]]:
    for trial, client in _judged(trials):
        seconds = trial.summary.window if trial.summary else None
        for row in client.get('endpoints') or ():
            key = trial.workload, trial.group, str(row['url'])
            yield key, {**row, 'seconds': seconds}


def _judged(
    trials: Sequence[Trial],
) -> Iterator[Tuple[Trial, Dict[str, Any]]]:
    for trial in trials:
        client = mapping(trial.evidence.get('client'))
        if trial.round and trial.state is TrialState.OK and client:
            yield trial, client


def _held(pairs: Iterator[Tuple[Key, Any]]) -> Held:
    found: Held = {}
    for key, row in pairs:
        found.setdefault(key, []).append(row)
    return {key: found[key] for key in sorted(found)}


def _names(held: Held) -> List[List[str]]:
    """Return the operations, or the endpoints, of each workload and group."""
    found: Dict[Tuple[str, str], List[str]] = {}
    for workload, group, name in held:
        found.setdefault((workload, group), []).append(name)
    return list(found.values())


def _median(rows: List[Dict[str, Any]], name: str) -> Optional[float]:
    values = [row[name] for row in rows if row.get(name) is not None]
    return statistics.median(values) if len(values) == len(rows) else None


def _percentile(rows: List[Dict[str, Any]], of: str, name: str) -> str:
    return format_latency(_median([mapping(r.get(of)) for r in rows], name))


def _first_byte(key: Key, rows: List[Dict[str, Any]], name: str) -> str:
    if key[2] != 'get':
        return '-'
    return _percentile(rows, 'first_byte', name)


def _rate(rows: List[Dict[str, Any]]) -> Optional[float]:
    rates = [row['ops'] / row['seconds'] for row in rows if row['seconds']]
    return statistics.median(rates) if rates else None
