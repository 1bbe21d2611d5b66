"""Register commands on 18.2 to 20.2 and turn results into CLI answers.

The registry of CLI commands changed in 20.2 (one per module, and no global
CLIReadCommand); this file is the only one that knows.
"""

from typing import (
    Any,
    Callable,
    Mapping,
    Optional,
    Tuple,
    TypeVar,
    cast,
)

import errno
import functools
import json
import logging

import yaml

import mgr_module
from mgr_module import HandleCommandResult

from ..app import errands
from ..common.codec import to_data
from ..common.errors import InvalidArgument, PerfcompareError
from ..common.json_pieces import pieces
from ..common.option import apart
from ..common.printable import message, printable

log = logging.getLogger(__name__)
HEARTBEAT = 'agent sync'  # of load hosts, each second: nothing to be seen

Handler = TypeVar('Handler', bound=Callable[..., Any])
# whether a command, with these arguments, only reads
Reads = Callable[[Mapping[str, Any]], bool]

FORMATS = ('plain', 'json', 'json-pretty', 'yaml')

if hasattr(mgr_module, 'CLICommandBase'):
    _Base: Any = mgr_module.CLICommandBase.make_registry_subtype(
        'PerfcompareCLICommand'
    )
else:
    _Base = mgr_module.CLICommand


class Registry(_Base):
    """Register commands whose values are taken as they are given.

    Ceph's own takes a text that begins with the name of an argument and
    "=" for that argument, and from there on every value for such a text:
    a label would choose the profile.
    """

    def _get_arg_value(
        self, _kwargs_switch: bool, key: str, val: Any
    ) -> Tuple[bool, str, Any]:
        return False, key, val


class Answer:
    """Hold what a command has to say: data, and how to print it.

    ``plain`` makes the text for people; ``status`` goes to stderr. What
    is ``written`` is JSON already, and printed as it is. Everything else
    passes `printable` here, the one place where text leaves.
    """

    def __init__(
        self,
        data: Any,
        plain: Callable[[], str],
        status: str = '',
        written: bool = False,
    ) -> None:
        self.data = data
        self.plain = plain
        self.status = printable(status)
        self.written = written

    def render(self, fmt: Optional[str]) -> str:
        """Return the text in one of FORMATS; plain when None."""
        if fmt in (None, 'plain'):
            text = self.plain()
            return text if self.written else printable(text)
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


def _guarded(
    name: str,
    func: Handler,
    at_once: bool,
    changes: bool = False,
    reads: Reads = lambda given: False,
) -> Handler:
    """Map the answer or the error of ``func`` to a command result.

    Unless it answers ``at_once``, a thread calls it and makes the text, and
    the command is over after a moment in any case (app/errands.py). One that
    ``changes`` something does not where it ``reads`` alone.

    The registry follows ``__wrapped__`` to the arguments of ``func``, and
    takes its last required argument for optional unless the return type is
    annotated: every handler must annotate it.
    """

    @functools.wraps(func)
    def handler(*args: Any, **kwargs: Any) -> HandleCommandResult:
        kwargs = {
            name: apart(value) if isinstance(value, (list, tuple)) else value
            for name, value in kwargs.items()
        }
        fmt = kwargs.get('format')
        try:
            if fmt is not None and fmt not in FORMATS:
                raise InvalidArgument(
                    f'format {fmt!r} is not one of ' + ', '.join(FORMATS)
                )

            def work() -> Tuple[str, str]:
                answer = func(*args, **kwargs)
                return answer.render(fmt), answer.status

            service = args[0].service
            if at_once:
                found = work()
                if changes and name != HEARTBEAT:
                    service.outdate(ended=True)
                return HandleCommandResult(0, *found)
            key = errands.key_of(name, kwargs)
            changing = changes and not reads(kwargs)
            found = service.errands.do(
                repr(name),
                key,
                service.changing(work) if changing else work,
                changing and name in errands.ONCE,
                changing,
            )
            return HandleCommandResult(0, *found)
        except PerfcompareError as error:
            return HandleCommandResult(
                -error.errno, '', message(error.message)
            )
        except Exception as error:
            log.exception('command failed')
            return HandleCommandResult(
                -errno.EIO,
                '',
                f'internal error: {type(error).__name__}; '
                'see the log of the active Manager',
            )

    return cast(Handler, handler)


def read_command(
    prefix: str, at_once: bool = False
) -> Callable[[Handler], Handler]:
    """Register a handler that changes nothing."""
    return _command(prefix, 'r', at_once)


def write_command(
    prefix: str,
    at_once: bool = False,
    reads: Reads = lambda given: False,
) -> Callable[[Handler], Handler]:
    """Register a handler that changes something, unless it only ``reads``.

    One that answers ``at_once`` asks neither database nor maps nor mons.
    """
    return _command(prefix, 'rw', at_once, reads)


def only_planned(given: Mapping[str, Any]) -> bool:
    """Say whether a command only prints its plan."""
    return bool(given.get('dry_run'))


def only_proposed(given: Mapping[str, Any]) -> bool:
    """Say whether a command only says what it would set."""
    return not given.get('apply')


def _command(
    prefix: str,
    perm: str,
    at_once: bool,
    reads: Reads = lambda given: False,
) -> Callable[[Handler], Handler]:
    def register(func: Handler) -> Handler:
        registered = Registry(f'perfcompare {prefix}', perm)
        guarded = _guarded(prefix, func, at_once, perm == 'rw', reads)
        return cast(Handler, registered(guarded))

    return register
