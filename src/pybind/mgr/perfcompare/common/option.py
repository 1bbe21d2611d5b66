"""What an option of a command is: declared once, read by all that take it.

The command line, the fields of requests, bodies of REST, the page's forms
and the manual's reference are made of these.
"""

from typing import (
    Any,
    Dict,
    FrozenSet,
    Iterable,
    List,
    Mapping,
    Optional,
    Tuple,
)

import dataclasses
import enum

from .errors import InvalidArgument


@dataclasses.dataclass(frozen=True)
class Option:
    """Declare one option.

    ``name`` is that of the field of requests; ``cli`` that of the command
    line, where it is another one. ``least`` and ``most`` include both, but
    ``least`` itself is out of range where values are ``beyond`` it.
    """

    name: str
    type: type  # str, int, float or bool; of each value, where `many`
    help: str
    many: bool = False
    required: bool = False
    default: str = ''  # in words, of what stands where it is absent
    least: Optional[float] = None
    most: Optional[float] = None
    beyond: bool = False
    unit: str = ''  # of range and default
    choices: Tuple[str, ...] = ()  # the values of a string enum
    cli: str = ''
    otherwise: Any = None  # what a request has that does not give it

    @property
    def word(self) -> str:
        """Return the name on the command line, as a parameter's."""
        return self.cli or self.name

    @property
    def flag(self) -> str:
        """Return how an operator writes it: '--ec-profile'."""
        return '--' + self.word.replace('_', '-')

    @property
    def absent(self) -> Any:
        """Return the value of a request that does not give it."""
        return False if self.type is bool else self.otherwise

    @property
    def hint(self) -> Any:
        """Return the type of a request's field."""
        one: Any = Tuple[self.type, ...] if self.many else self.type
        if self.required or self.absent is not None:
            return one
        return Optional[one]

    @property
    def cli_hint(self) -> Any:
        """Return the type of a command's parameter."""
        one: Any = List[self.type] if self.many else self.type  # type: ignore
        return one if self.required or self.type is bool else Optional[one]

    def check(self, value: Any) -> None:
        """Raise InvalidArgument for a value out of range or of the choices.

        None is absent, and in order.
        """
        if value is None:
            return
        if self.choices and value not in self.choices:
            raise InvalidArgument(
                f'{self.flag} {str(value)[:40]!r} is not one of '
                + ', '.join(self.choices)
            )
        low, high = self.least, self.most
        if low is None or high is None:
            return
        if low < value <= high or (value == low and not self.beyond):
            return
        unit = f' {self.unit}' if self.unit else ''
        ends = f'{_number(low)} to {_number(high)}'
        if self.beyond:
            ends = f'above {_number(low)}, up to {_number(high)}'
        raise InvalidArgument(
            f'{self.flag} {_number(value)} is out of range; give {ends}{unit}'
        )


Options = Tuple[Option, ...]


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f'{value:g}'


def named(options: Iterable[Option]) -> Dict[str, Option]:
    """Return options by name."""
    return {option.name: option for option in options}


def values(choices: Iterable[enum.Enum]) -> Tuple[str, ...]:
    """Return the choices that a string enum names, in its order."""
    return tuple(str(choice.value) for choice in choices)


def repeated(options: Iterable[Option]) -> FrozenSet[str]:
    """Return the names of the options that take several values."""
    return frozenset(option.name for option in options if option.many)


def apart(value: Any) -> Any:
    """Return what was repeated, or given once with commas, as one list.

    What is neither a list of texts nor a text is left to whoever checks it.
    """
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)):
        return value
    if not all(isinstance(item, str) for item in value):
        return value
    words = (part.strip() for item in value for part in item.split(','))
    return [word for word in words if word]


def from_words(
    options: Iterable[Option], given: Mapping[str, Any]
) -> Dict[str, Any]:
    """Return the fields of a request, of a command's parameters.

    An empty list or text of an option that has a default is that default.
    """
    found: Dict[str, Any] = {}
    for option in options:
        value = given.get(option.word)
        if value is None or (value in ('', []) and not option.required):
            if option.many or option.absent is not None or value is None:
                value = option.absent
        found[option.name] = tuple(value) if option.many and value else value
    return found


def fields(options: Iterable[Option]) -> List[Tuple[str, Any, Any]]:
    """Return the fields of a request's dataclass, required ones first."""
    return [
        (
            option.name,
            option.hint,
            (
                dataclasses.field()
                if option.required
                else dataclasses.field(default=option.absent)
            ),
        )
        for option in sorted(options, key=lambda o: not o.required)
    ]
