"""Which options go together: what is accepted is used."""

from typing import Any

from ..common.errors import InvalidArgument


def one_of(**given: bool) -> None:
    """Raise InvalidArgument where more than one is asked for."""
    asked = [f'--{name}' for name, value in given.items() if value]
    if len(asked) > 1:
        raise InvalidArgument(f'give one of {" and ".join(asked)}')


def only_with(option: str, there: bool, **given: Any) -> None:
    """Raise InvalidArgument for what is given without its option."""
    asked = [
        f'--{name}' for name, value in given.items() if value is not None
    ]
    if asked and not there:
        raise InvalidArgument(f'{asked[0]} is for {option}: add {option}')
