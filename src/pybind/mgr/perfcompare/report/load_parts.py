"""Show what trials recorded of operations, endpoints and errors."""

from typing import Callable, Dict, Iterator, List, Sequence, Tuple

from ..analysis import load_parts as parts
from ..analysis.findings.facts import mapping
from ..analysis.results import PartFigures
from ..common.units import format_byte_rate, format_latency, format_ops
from ..model.trial import Trial, TrialState
from . import percentiles
from .figures import DASH, shown
from .table import table

STEPS = (
    '\na step is the rate at which operations began: described, not judged; '
    'an operation counts\nwhere it ended, with its latency from when it was '
    'due'
)
Cell = Tuple[str, str]  # workload and group
Held = Dict[Cell, Tuple[PartFigures, ...]]


def tables(trials: Sequence[Trial]) -> List[str]:
    """Return tables of medians over judged trials, where there is more to
    say than the trials' own figures do."""
    operations = _held(trials, parts.operations)
    endpoints = _held(trials, parts.endpoints)
    failures = _failures(trials)
    found = []
    if any(len(of) > 1 or of[0].name == 'get' for of in operations.values()):
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'OPERATION', 'OPS', 'BYTES', 'LATENCY',
                 'P50', 'P99', 'TTFB P50', 'TTFB P99'],
                [
                    [
                        *cell,
                        *_figures(row, _moved(row)),
                        _first_byte(row, 'p50'),
                        _first_byte(row, 'p99'),
                    ]
                    for cell, row in _rows(operations)
                ],
                range(3, 10),
            )
        )  # fmt: skip
    stated = percentiles.names(
        [row.percentiles for _, row in _rows(operations)]
    )
    if set(stated) - {'p50', 'p99'}:
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'OPERATION', *map(str.upper, stated)],
                [
                    [
                        *cell,
                        row.name,
                        *percentiles.cells(row.percentiles, stated),
                    ]
                    for cell, row in _rows(operations)
                ],
                range(3, len(stated) + 3),
            )
        )
    if any(len(of) > 1 for of in endpoints.values()):
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'ENDPOINT', 'OPS', 'LATENCY', 'P50',
                 'P99', 'ERRORS'],
                [
                    [*cell, *_figures(row), _errors(row)]
                    for cell, row in _rows(endpoints)
                ],
                range(3, 8),
            )
        )  # fmt: skip
    steps = _held(trials, parts.steps)
    if steps:
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'STEP', 'OPS', 'LATENCY', 'P50', 'P99',
                 'ERRORS'],
                [
                    [*cell, *_figures(row), _errors(row)]
                    for cell, row in _rows(steps)
                ],
                range(3, 8),
            )
            + STEPS
        )  # fmt: skip
    if failures:
        found.append(
            table(
                ['WORKLOAD', 'GROUP', 'ERROR', 'TIMES'],
                [[*key, str(n)] for key, n in sorted(failures.items())],
                [3],
            )
        )
    return found


def _failures(trials: Sequence[Trial]) -> Dict[Tuple[str, str, str], int]:
    """Return what failed in judged trials, and how often.

    Attempts to connect are named as such.
    """
    found: Dict[Tuple[str, str, str], int] = {}
    for trial in _judged(trials):
        client = mapping(trial.evidence.get('client'))
        counted = dict(mapping(client.get('errors')))
        for why, number in mapping(client.get('attempts')).items():
            counted[f'connect {why}'] = number
        for why, number in counted.items():
            key = trial.workload, trial.group, why
            found[key] = found.get(key, 0) + int(number)
    return found


def _judged(trials: Sequence[Trial]) -> List[Trial]:
    return [t for t in trials if t.round and t.state is TrialState.OK]


def _held(
    trials: Sequence[Trial],
    read: Callable[[Sequence[Trial]], Tuple[PartFigures, ...]],
) -> Held:
    """Read the judged trials of each workload and group."""
    cells: Dict[Cell, List[Trial]] = {}
    for trial in _judged(trials):
        cells.setdefault((trial.workload, trial.group), []).append(trial)
    found = {cell: read(cells[cell]) for cell in sorted(cells)}
    return {cell: rows for cell, rows in found.items() if rows}


def _rows(held: Held) -> Iterator[Tuple[Cell, PartFigures]]:
    for cell, rows in held.items():
        for row in rows:
            yield cell, row


def _figures(row: PartFigures, *moved: str) -> List[str]:
    return [
        row.name,
        shown(format_ops(row.ops_per_s)),
        *moved,
        *(
            shown(format_latency(seconds))
            for seconds in (
                row.latency_avg,
                row.percentiles.get('p50'),
                row.percentiles.get('p99'),
            )
        ),
    ]


def _moved(row: PartFigures) -> str:
    if row.name not in parts.MOVING:
        return DASH
    return shown(format_byte_rate(row.bytes_per_s))


def _first_byte(row: PartFigures, name: str) -> str:
    if row.name != 'get':
        return DASH
    return shown(format_latency(row.first_byte.get(name)))


def _errors(row: PartFigures) -> str:
    return DASH if row.errors is None else str(row.errors)
