"""Register commands on 18.2 to 20.2 and turn results into CLI answers.

The registry of CLI commands changed in 20.2 (one per module, and no global
CLIReadCommand); this file is the only one that knows.
"""

from typing import Any, Callable, Optional, TypeVar, cast

import errno
import functools
import json
import logging

import yaml

import mgr_module
from mgr_module import HandleCommandResult

from .codec import to_data
from .errors import InvalidArgument, PerfcompareError
from .jsonpieces import pieces

log = logging.getLogger(__name__)

Handler = TypeVar('Handler', bound=Callable[..., Any])

FORMATS = ('plain', 'json', 'json-pretty', 'yaml')

if hasattr(mgr_module, 'CLICommandBase'):
    Registry: Any = mgr_module.CLICommandBase.make_registry_subtype(
        'PerfcompareCLICommand'
    )
else:
    Registry = mgr_module.CLICommand


class Answer:
    """Hold what a command has to say: data, and how to print it.

    ``plain`` makes the text for people; ``status`` goes to stderr.
    """

    def __init__(
        self,
        data: Any,
        plain: Callable[[], str],
        status: str = '',
    ) -> None:
        self.data = data
        self.plain = plain
        self.status = status

    def render(self, fmt: Optional[str]) -> str:
        """Return the text in one of FORMATS; plain when None."""
        if fmt in (None, 'plain'):
            return self.plain()
        data = to_data(self.data)
        if fmt == 'json':
            return ''.join(pieces(data, json.JSONEncoder()))
        if fmt == 'json-pretty':
            return json.dumps(data, indent=4, sort_keys=True)
        if fmt == 'yaml':
            return str(yaml.safe_dump(data, sort_keys=False))
        raise InvalidArgument(
            f'format {fmt!r} is not one of ' + ', '.join(FORMATS)
        )


def _guarded(func: Handler) -> Handler:
    """Map the answer or the error of ``func`` to a command result.

    The registry follows ``__wrapped__`` to the arguments of ``func``, and
    takes its last required argument for optional unless the return type is
    annotated: every handler must annotate it.
    """

    @functools.wraps(func)
    def handler(*args: Any, **kwargs: Any) -> HandleCommandResult:
        fmt = kwargs.get('format')
        try:
            if fmt is not None and fmt not in FORMATS:
                raise InvalidArgument(
                    f'format {fmt!r} is not one of ' + ', '.join(FORMATS)
                )
            answer = func(*args, **kwargs)
            return HandleCommandResult(0, answer.render(fmt), answer.status)
        except PerfcompareError as error:
            return HandleCommandResult(-error.errno, '', error.message)
        except Exception as error:
            log.exception('command failed')
            return HandleCommandResult(
                -errno.EIO,
                '',
                f'internal error: {type(error).__name__}; '
                'see the log of the active mgr',
            )

    return cast(Handler, handler)


def read_command(prefix: str) -> Callable[[Handler], Handler]:
    """Register a handler that changes nothing."""
    return _command(prefix, 'r')


def write_command(prefix: str) -> Callable[[Handler], Handler]:
    """Register a handler that changes something."""
    return _command(prefix, 'rw')


def _command(prefix: str, perm: str) -> Callable[[Handler], Handler]:
    def register(func: Handler) -> Handler:
        registered = Registry(f'perfcompare {prefix}', perm)
        return cast(Handler, registered(_guarded(func)))

    return register
