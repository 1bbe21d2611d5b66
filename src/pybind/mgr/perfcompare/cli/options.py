"""The options of commands, as their declarations have them.

Begin with `commands`, which names those of every command that makes a
request. Imports no part of ceph-mgr: the dashboard's part and whoever makes
a reference of the options read it, too.
"""

from typing import Any, Callable, Dict, List, Optional, TypeVar

import inspect

from ..common.option import Option, Options
from ..drivers import registry  # noqa: F401  (what drivers there are)
from ..model import load
from ..planning.options import RUN
from ..recovery.plan.options import RECOVERY_RUN

Handler = TypeVar('Handler', bound=Callable[..., Any])

# of the command line alone
DRY_RUN = Option('dry_run', bool, 'Print the plan, and change nothing')
FORMAT = Option(
    'format', str, 'plain, json, json-pretty or yaml', default='plain'
)


def run_options() -> Options:
    """Return the options of a run, those of drivers at their end."""
    return (*RUN, *load.options().values())


def commands() -> Dict[str, Options]:
    """Return the options of each command that makes a request, by name.

    These are the ones of the command line; what a request of the dashboard
    may hold is `requests`.
    """
    found: Dict[str, Options] = {
        name: (*options, DRY_RUN, FORMAT)
        for name, options in requests().items()
    }
    return {**found, 'preflight': (*run_options(), FORMAT)}


def requests() -> Dict[str, Options]:
    """Return the fields of requests, by the command that makes them."""
    return {'run': run_options(), 'recovery run': RECOVERY_RUN}


def taking(options: Options, *own: str) -> Callable[[Handler], Handler]:
    """Let a command with ``**given`` take these options by their names.

    Those of its parameters that are ``own`` stay, and `format` comes last.
    ceph-mgr reads the signature when the class is made.
    """

    def decorate(func: Handler) -> Handler:
        found = inspect.signature(func)
        kept = found.parameters
        many = inspect.Parameter.POSITIONAL_OR_KEYWORD
        required = [o for o in options if o.required]
        rest = [o for o in options if not o.required]
        parameters: List[inspect.Parameter] = [kept['self']]
        parameters += [
            inspect.Parameter(o.word, many, annotation=o.cli_hint)
            for o in required
        ]
        # what follows is given by name only
        parameters.append(
            inspect.Parameter(
                '_end_positional_', many, default=0, annotation=int
            )
        )
        parameters += [
            inspect.Parameter(
                o.word,
                many,
                default=False if o.type is bool else None,
                annotation=o.cli_hint,
            )
            for o in rest
        ]
        parameters += [kept[name] for name in own]
        parameters.append(
            inspect.Parameter(
                'format', many, default=None, annotation=Optional[str]
            )
        )
        func.__signature__ = (  # type: ignore[attr-defined]
            found.replace(parameters=parameters)
        )
        return func

    return decorate
