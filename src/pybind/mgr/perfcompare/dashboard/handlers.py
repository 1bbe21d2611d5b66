"""What all REST handlers share: the call, its errors, its arguments."""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    TypeVar,
    cast,
)

import functools
import inspect
import logging

import cherrypy

from dashboard import mgr

from . import mode
from .refusals import IN_PROGRESS, Refused, by_errno

log = logging.getLogger('controllers.perfcompare')

Handler = TypeVar('Handler', bound=Callable[..., Any])

ENABLE = 'ceph mgr module enable perfcompare'
SWITCH = 'ceph config set mgr mgr/perfcompare/dashboard_ui full'


def call(name: str, **args: Any) -> Any:
    """Call a use case of the module; raise Refused when it refuses."""
    try:
        answer = mgr.remote('perfcompare', 'api', name, args)
    except ImportError:
        raise Refused(
            503,
            'the module perfcompare is not enabled, or not loaded yet; '
            f'enable it with: {ENABLE}',
            'not_enabled',
        ) from None
    except NameError:
        raise Refused(
            503,
            'the module perfcompare is of another version than its '
            'dashboard part; run: ceph mgr fail',
            'version',
        ) from None
    except RuntimeError as error:
        # its text is the traceback of the other module
        log.error('perfcompare: call %r failed: %s', name, error)
        raise Refused(
            500, f'call {name!r} failed; see the log of the Manager'
        ) from None
    if 'errno' in answer:
        raise by_errno(
            answer['errno'], answer['error'], answer.get('code', '')
        )
    return answer['data']


def answering(func: Handler) -> Handler:
    """Make a handler answer refusals and wrong arguments in one line."""
    signature = inspect.signature(func)

    @functools.wraps(func)
    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if mode.current() == mode.OFF:
                raise Refused(
                    503,
                    'perfcompare is switched off in the dashboard; switch '
                    f'it on with: {SWITCH}',
                    'switched_off',
                )
            try:
                signature.bind(self, *args, **kwargs)
            except TypeError as error:
                raise Refused(400, f'wrong arguments: {error}') from None
            return func(self, *args, **kwargs)
        except Refused as refused:
            return refuse(refused)

    return cast(Handler, answer)


def refuse(refused: Refused) -> Dict[str, Optional[str]]:
    """Set the status and return the body, in the dashboard's form."""
    cherrypy.response.status = refused.status
    if refused.code == IN_PROGRESS:
        cherrypy.response.headers['Retry-After'] = '1'
    return {
        'detail': refused.detail,
        'code': refused.code,
        'component': 'perfcompare',
    }


def given(**args: Any) -> Dict[str, Any]:
    """Return the arguments that have a value."""
    return {name: v for name, v in args.items() if v is not None}


def number(name: str, value: Any) -> Optional[int]:
    """Return a whole number of a query; None stays None."""
    if value is None or value == '':
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Refused(
            400, f'{name} {_short(value)} is not a whole number'
        ) from None


def paging(limit: Any, offset: Any) -> Dict[str, Any]:
    """Return limit and offset of a query, where they are given."""
    return given(
        limit=number('limit', limit), offset=number('offset', offset)
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + '...'


def flag(name: str, value: Any) -> bool:
    """Return a yes or no of a query or a body."""
    if isinstance(value, bool):
        return value
    known = {'true': True, '1': True, 'false': False, '0': False, '': False}
    word = str(value).lower()
    if word not in known:
        raise Refused(
            400, f'{name} {_short(value)} is neither true nor false'
        )
    return known[word]


def many(value: Any) -> List[str]:
    """Return a repeatable argument as a list."""
    if value is None or value == '':
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]
