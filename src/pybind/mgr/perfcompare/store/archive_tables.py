"""Series as plain data, as the files of runs and of recoveries have them."""

from typing import Any, Dict, List, Optional, Set

import math

from ..common.errors import InvalidArgument
from ..model.series import Column, Table, column
from . import series_codec

MAX_SAMPLES = 20_000_000  # values of all series together
MAX_COLUMNS = 4096  # of one series; a host has six for each disk


def check_fields(data: Any, names: Set[str], where: str = 'the file') -> None:
    """Check that a mapping has exactly these fields."""
    if not isinstance(data, dict):
        raise InvalidArgument(f'{where}: is not a mapping')
    if set(data) != names:
        missing = sorted(names - set(data))
        extra = sorted(set(data) - names)
        what = f'lacks {missing[0]!r}' if missing else f'has {extra[0]!r}'
        raise InvalidArgument(
            f'{where} {what}; it is not an export of this kind'
        )


def table_data(table: Table) -> Dict[str, Any]:
    """Return a series as plain data, as files have it."""
    data: Dict[str, Any] = {'wall_start': table.wall_start}
    step = series_codec.regular_step(table.t)
    if step is None:
        data['t'] = list(table.t)
    else:
        data.update(step=step, n=len(table.t))
    data['columns'] = [
        {'name': c.name, 'unit': c.unit, 'values': c.optional()}
        for c in table.columns
    ]
    return data


def table_of(data: Any, where: str, left: int) -> Table:
    """Return the series of its plain data, of ``left`` values at most."""
    regular = isinstance(data, dict) and 'step' in data
    times = {'step', 'n'} if regular else {'t'}
    check_fields(data, {'wall_start', 'columns'} | times, where)
    columns = data['columns']
    if not isinstance(columns, list) or len(columns) > MAX_COLUMNS:
        raise InvalidArgument(
            f'{where}.columns: is not a list of {MAX_COLUMNS} at most'
        )
    if regular:
        step = _number(data['step'], f'{where}.step')
        n = data['n']
        if type(n) is not int or n < 1 or step <= 0:
            raise InvalidArgument(f'{where}: step or n is out of range')
        values: Optional[List[Any]] = None
    else:
        values = data['t']
        if not isinstance(values, list):
            raise InvalidArgument(f'{where}.t: is not a list')
        n = len(values)
    if n * (len(columns) + 1) > left:
        raise InvalidArgument(
            f'{where}: the file holds more than {MAX_SAMPLES} samples'
        )
    if values is None:
        t = series_codec.regular_times(step, n)
    else:
        t = column(
            't', 's', [_number(v, f'{where}.t') for v in values]
        ).values
    return Table(
        _number(data['wall_start'], f'{where}.wall_start'),
        t,
        tuple(
            _column(c, n, f'{where}.columns[{i}]')
            for i, c in enumerate(columns)
        ),
    )


def _column(data: Any, n: int, where: str) -> Column:
    check_fields(data, {'name', 'unit', 'values'}, where)
    for field in ('name', 'unit'):
        text = data[field]
        if not isinstance(text, str) or len(text) > 64:
            raise InvalidArgument(f'{where}.{field}: {text!r} is not a name')
    values = data['values']
    if not isinstance(values, list) or len(values) != n:
        raise InvalidArgument(f'{where}.values: is not a list of {n} values')
    return column(
        data['name'],
        data['unit'],
        [None if v is None else _number(v, where) for v in values],
    )


def _number(value: Any, where: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise InvalidArgument(f'{where}: {value!r} is not a number')
    return float(value)
