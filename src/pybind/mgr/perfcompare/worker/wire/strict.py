"""Decode plain data into dataclasses, refusing all that does not fit."""

from typing import (
    Any,
    Dict,
    Type,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import dataclasses
import functools
import math

T = TypeVar('T')
MOST = 1 << 63  # what is counted is below


class Malformed(ValueError):
    """Say which value of a message cannot be used, and why."""


def encode(value: Any) -> Any:
    """Return ``value`` as plain dicts, lists, strings and numbers."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            f.name: encode(getattr(value, f.name))
            for f in dataclasses.fields(value)
        }
    if isinstance(value, dict):
        return {str(k): encode(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    return value


def decode(cls: Type[T], data: Any, where: str = '') -> T:
    """Build dataclass ``cls`` from ``data``; raise Malformed otherwise."""
    where = where or cls.__name__.lower()
    if not isinstance(data, dict):
        raise Malformed(f'{where}: {data!r} is not a mapping')
    hints: Dict[str, Any] = _hints(cls)  # type: ignore[arg-type]
    values = {}
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.name in data:
            values[field.name] = _value(
                hints[field.name], data[field.name], f'{where}.{field.name}'
            )
        elif (
            field.default is dataclasses.MISSING
            and field.default_factory is dataclasses.MISSING
        ):
            raise Malformed(f'{where}: field {field.name!r} is missing')
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise Malformed(f'{where}: unknown field {unknown[0]!r}')
    return cls(**values)


@functools.lru_cache(maxsize=None)
def _hints(cls: type) -> Dict[str, Any]:
    return get_type_hints(cls)


def _value(hint: Any, data: Any, where: str) -> Any:
    if hint is Any:
        return data
    origin, args = get_origin(hint), get_args(hint)
    if origin is Union:
        if data is None:
            return None
        return _value(args[0], data, where)
    if origin is tuple:
        if not isinstance(data, (list, tuple)):
            raise Malformed(f'{where}: {data!r} is not a list')
        return tuple(
            _value(args[0], v, f'{where}[{i}]') for i, v in enumerate(data)
        )
    if origin is dict:
        if not isinstance(data, dict):
            raise Malformed(f'{where}: {data!r} is not a mapping')
        return {
            str(k): _value(args[1], v, f'{where}.{k}')
            for k, v in data.items()
        }
    if dataclasses.is_dataclass(hint):
        return decode(hint, data, where)  # type: ignore[arg-type]
    return _scalar(hint, data, where)


def _scalar(hint: Any, data: Any, where: str) -> Any:
    if hint is float and type(data) in (int, float):
        try:
            number = float(data)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise Malformed(f'{where}: a number that is not finite')
        return number
    if type(data) is not hint:
        kinds = {int: 'a whole number', float: 'a number', str: 'a text'}
        raise Malformed(
            f'{where}: {data!r} is not {kinds.get(hint, hint.__name__)}'
        )
    if hint is int and not -MOST <= data < MOST:
        raise Malformed(f'{where}: a number that is too large')
    return data
