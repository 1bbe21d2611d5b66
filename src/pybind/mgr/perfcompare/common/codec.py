"""Dataclasses to plain data (JSON, YAML) and back, by their type hints."""

from typing import (
    Any,
    Dict,
    Sequence,
    Type,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import dataclasses
import enum
import functools
import json

from .errors import InvalidArgument
from .printable import shown

T = TypeVar('T')
_PLAIN = frozenset((str, int, float, bool))
# Metadata of a field: a function that returns, by name, type and default of
# what the mapping in it may hold. As data these stand beside the others.
FLAT = 'flat'
# Metadata of a field: its name as data, where that is older than its own.
AS_DATA = 'as_data'
MOST = 2**63  # whole numbers beyond cannot be stored


class Named(str):
    """Be a name out of those that are known when it is made.

    Raises ValueError for another.
    """

    def __new__(cls, name: str) -> 'Named':
        """Return the name."""
        if name not in cls.known():
            raise ValueError(f'{name!r} is not known')
        return super().__new__(cls, name)

    @classmethod
    def known(cls) -> Sequence[str]:
        """Return the names that are known."""
        raise NotImplementedError

    @property
    def value(self) -> str:
        """Return the name as plain text."""
        return str.__str__(self)


def from_text(kind: Type[T], text: str) -> T:
    """Return what a stored text says; InvalidArgument for all else.

    Another version may have written it, or nobody: nothing else is raised.
    """
    try:
        return from_data(kind, json.loads(text), 'it')
    except InvalidArgument:
        raise
    except Exception as error:
        name = type(error).__name__
        raise InvalidArgument(f'it is no such JSON: {name}') from None


def to_data(value: Any) -> Any:
    """Return ``value`` as plain dicts, lists, strings and numbers."""
    if value is None or type(value) in _PLAIN:
        return value  # most of what there is
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found: Dict[str, Any] = {}
        for f in dataclasses.fields(value):
            held = getattr(value, f.name)
            if FLAT in f.metadata:
                for name, (_, absent) in f.metadata[FLAT]().items():
                    found[name] = to_data(held.get(name, absent))
            else:
                found[data_name(f)] = to_data(held)
        return found
    if isinstance(value, (enum.Enum, Named)):
        return value.value
    if isinstance(value, dict):
        return {
            str(k.value if isinstance(k, enum.Enum) else k): to_data(v)
            for k, v in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        items = (
            sorted(value) if isinstance(value, (set, frozenset)) else value
        )
        return [to_data(v) for v in items]
    return value


def from_data(cls: Type[T], data: Any, where: str = '') -> T:
    """Build ``cls`` from plain data; unknown and missing fields are errors.

    Raises InvalidArgument naming the path of the offending value.
    """
    return _decode(cls, data, where or cls.__name__)  # type: ignore


@functools.lru_cache(maxsize=None)
def _hints(cls: type) -> Dict[str, Any]:
    return get_type_hints(cls)


def _decode(hint: Any, data: Any, where: str) -> Any:
    origin = get_origin(hint)
    if hint is Any:
        return data
    if origin is Union:
        options = get_args(hint)
        if data is None:
            if type(None) in options:
                return None
            raise InvalidArgument(f'{where}: must not be null')
        rest = [o for o in options if o is not type(None)]
        return _decode(rest[0], data, where)
    if origin in (list, tuple, dict):
        return _decode_container(origin, hint, data, where)
    if dataclasses.is_dataclass(hint):
        return _decode_dataclass(hint, data, where)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        try:
            return hint(data)
        except (ValueError, TypeError):
            names = ', '.join(str(m.value) for m in hint)
            raise InvalidArgument(
                f'{where}: {shown(data)} is not one of {names}'
            )
    if isinstance(hint, type) and issubclass(hint, Named):
        if not isinstance(data, str) or data not in hint.known():
            raise InvalidArgument(
                f'{where}: {shown(data)} is not one of '
                + ', '.join(hint.known())
            )
        return hint(data)
    return _decode_scalar(hint, data, where)


def _decode_container(origin: Any, hint: Any, data: Any, where: str) -> Any:
    args = get_args(hint)
    if origin is dict:
        if not isinstance(data, dict):
            raise InvalidArgument(f'{where}: {shown(data)} is not a mapping')
        key, val = args
        return {
            _key(key, k, where): _decode(val, v, f'{where}.{k}')
            for k, v in data.items()
        }
    if not isinstance(data, (list, tuple)):
        raise InvalidArgument(f'{where}: {shown(data)} is not a list')
    if origin is tuple and (len(args) != 2 or args[1] is not Ellipsis):
        if len(args) != len(data):
            raise InvalidArgument(f'{where}: needs {len(args)} values')
        return tuple(
            _decode(a, v, f'{where}[{i}]')
            for i, (a, v) in enumerate(zip(args, data))
        )
    items = (_decode(args[0], v, f'{where}[{i}]') for i, v in enumerate(data))
    return tuple(items) if origin is tuple else list(items)


def _key(hint: Any, key: Any, where: str) -> Any:
    if hint is not int:
        return _decode(hint, key, where)
    try:
        return int(key)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f'{where}: key {shown(key)} is not a whole number'
        ) from None


def _decode_dataclass(cls: Any, data: Any, where: str) -> Any:
    if not isinstance(data, dict):
        raise InvalidArgument(f'{where}: {shown(data)} is not a mapping')
    hints = _hints(cls)
    fields = {data_name(f): f for f in dataclasses.fields(cls) if f.init}
    flat = {n: fields.pop(n) for n, f in list(fields.items()) if _flat(f)}
    held = {n: f.metadata[FLAT]() for n, f in flat.items()}
    known = set(fields).union(*held.values())
    unknown = sorted(map(str, set(data) - known))
    if unknown:
        raise InvalidArgument(
            f'{where}: unknown field {shown(unknown[0])}; known are '
            + ', '.join(sorted(known))
        )
    values: Dict[str, Any] = {
        holder: _decode_flat(items, data, where)
        for holder, items in held.items()
    }
    for name, field in fields.items():
        if name in data:
            values[field.name] = _decode(
                hints[field.name], data[name], f'{where}.{name}'
            )
        elif (
            field.default is dataclasses.MISSING
            and field.default_factory is dataclasses.MISSING
        ):
            raise InvalidArgument(f'{where}: field {name!r} is missing')
    return cls(**values)


def _decode_flat(
    items: Dict[str, Any], data: Dict[str, Any], where: str
) -> Dict[str, Any]:
    found = {
        name: _decode(hint, data[name], f'{where}.{name}')
        for name, (hint, _) in items.items()
        if name in data
    }
    return {n: v for n, v in found.items() if v != items[n][1]}


def data_name(field: 'dataclasses.Field[Any]') -> str:
    """Return what a field is called as data."""
    return str(field.metadata.get(AS_DATA, field.name))


def _flat(field: 'dataclasses.Field[Any]') -> bool:
    return FLAT in field.metadata


def _decode_scalar(hint: Any, data: Any, where: str) -> Any:
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        if abs(data) > 2**1000:
            raise InvalidArgument(f'{where}: {shown(data)} is out of range')
        return float(data)
    if hint is int and type(data) is int and not -MOST <= data < MOST:
        raise InvalidArgument(f'{where}: {shown(data)} is out of range')
    if hint is int and isinstance(data, bool):
        raise InvalidArgument(f'{where}: {shown(data)} is not a whole number')
    if isinstance(hint, type) and not isinstance(data, hint):
        kind = {int: 'a whole number', float: 'a number', str: 'a text'}
        raise InvalidArgument(
            f'{where}: {shown(data)} is not {kind.get(hint, hint.__name__)}'
        )
    return data
