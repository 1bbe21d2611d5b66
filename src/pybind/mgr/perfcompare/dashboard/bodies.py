"""The fields of requests, in one place.

A handler that is `taking` such fields is documented, checked and called as
if its `def` named each of them.
"""

from typing import Any, Callable, Dict, Iterable, TypeVar

import inspect

from . import declared

Handler = TypeVar('Handler', bound=Callable[..., Any])
# name -> (type, description[, whether it may be absent[, default]])
Fields = Dict[str, Any]

GROUP: Fields = {
    'hosts': ([str], 'CRUSH hosts', True),
    'device_class': (str, 'Device class, alone or as a filter', True),
    'watts': (float, 'Power of the whole group in watts', True),
    'price': (float, 'Price of the whole group', True),
    'note': (str, 'Free text', True),
}


def body_of(options: Iterable[Any]) -> Fields:
    """Return the fields of a body that holds declared options."""
    return {
        o.name: (
            ([o.type] if o.many else o.type, o.help)
            + (() if o.required else (True,))
        )
        for o in options
    }


_REQUESTS = declared.requests()
REQUEST: Fields = body_of(_REQUESTS['run'])
RECOVERY: Fields = body_of(_REQUESTS['recovery run'])
# of a start, beside what was planned
SEEN: Fields = {
    'digest': (
        str,
        'Of the plan that was looked at, as its answer has it; where '
        'another one would start, or checks ask for consent that did not '
        'then, that is refused with 409',
        True,
    )
}
START: Fields = {**REQUEST, **SEEN}
START_TEST: Fields = {**RECOVERY, **SEEN}


def taking(fields: Fields) -> Callable[[Handler], Handler]:
    """Let a handler with ``**fields`` take exactly these; None is absent."""

    def decorate(func: Handler) -> Handler:
        found = inspect.signature(func)
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=None if spec[2:3] == (True,) else inspect._empty,
                annotation=spec[0],
            )
            for name, spec in fields.items()
        ]
        own = [
            one
            for one in found.parameters.values()
            if one.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        # by this the dashboard learns the names, as OpenAPI does
        func.__signature__ = (  # type: ignore[attr-defined]
            found.replace(parameters=own + named)
        )
        return func

    return decorate
