"""The arguments of the dashboard's calls, each of one type everywhere.

A body of a request may hold anything: it is checked here, before a use case
sees it. Requests of runs and recovery tests have dataclasses of their own.
"""

from typing import Any, Collection, Dict, Optional, Tuple

import dataclasses
import math
import re

from ..common.codec import from_data
from ..common.errors import InvalidArgument
from ..common.option import apart
from ..model import load
from ..planning.options import RUN
from ..recovery.plan.options import RECOVERY_RUN


@dataclasses.dataclass(frozen=True)
class Arguments:
    """Name every argument; each call takes a few of them."""

    group: Optional[str] = None
    hosts: Optional[Tuple[str, ...]] = None
    device_class: Optional[str] = None
    watts: Optional[float] = None
    price: Optional[float] = None
    note: Optional[str] = None
    apply: Optional[bool] = None
    endpoints: Optional[Tuple[str, ...]] = None
    placement: Optional[str] = None
    region: Optional[str] = None
    dns_name: Optional[str] = None
    keys: Optional[str] = None
    host: Optional[str] = None
    enabled: Optional[bool] = None
    profile: Optional[str] = None
    limit: Optional[int] = None
    offset: Optional[int] = None
    find: Optional[str] = None
    sort: Optional[str] = None
    kind: Optional[str] = None
    run: Optional[str] = None
    runs: Optional[Tuple[str, ...]] = None
    across: Optional[Tuple[str, ...]] = None
    brief: Optional[bool] = None
    round: Optional[int] = None
    block: Optional[int] = None
    attempt: Optional[int] = None
    position: Optional[int] = None
    top: Optional[int] = None
    source: Optional[str] = None
    now: Optional[bool] = None
    text: Optional[str] = None
    tool: Optional[str] = None
    label: Optional[str] = None
    baseline: Optional[str] = None
    candidate: Optional[str] = None
    row: Optional[str] = None
    of_round: Optional[str] = None
    test: Optional[str] = None
    recovery: Optional[str] = None
    repetition: Optional[int] = None
    step: Optional[int] = None


# those that are repeated, or given once with commas
MANY = frozenset(
    f.name
    for f in dataclasses.fields(Arguments)
    if f.type == Optional[Tuple[str, ...]]
)


class Given(Dict[str, Any]):
    """Hold arguments; one that is required and absent is InvalidArgument."""

    def __getitem__(self, name: str) -> Any:
        found = self.get(name)
        if found is None:
            raise InvalidArgument(f'request.{name}: is missing')
        return found


def checked(args: Dict[str, Any]) -> Dict[str, Any]:
    """Return the arguments that were given, each of its type.

    Raises InvalidArgument for what has another one, or is not known.
    """
    refuse_odd(args)
    args = with_lists(args, MANY)
    found = from_data(Arguments, args, 'request')
    return Given((name, getattr(found, name)) for name in args)


def with_lists(args: Dict[str, Any], many: Collection[str]) -> Dict[str, Any]:
    """Return arguments of which ``many`` are lists, commas or not."""
    return {n: apart(v) if n in many else v for n, v in args.items()}


def refuse_odd(args: Dict[str, Any]) -> None:
    """Raise InvalidArgument for what no database or file can hold.

    These are numbers that are not finite, and halves of characters.
    """
    for name, value in args.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidArgument(f'request.{name}: {value} is not finite')
        texts = value if isinstance(value, (list, tuple)) else (value,)
        for text in texts:
            if isinstance(text, str) and _SURROGATE.search(text):
                raise InvalidArgument(
                    f'request.{name}: {text[:40]!a} is no text'
                )


_SURROGATE = re.compile('[\ud800-\udfff]')
_FLAG = re.compile(r'`[^`]*`|--[a-z][a-z0-9-]*')


def by_field(text: str, call: str) -> str:
    """Return a call's error in which options have the names of its fields.

    A command that it advises, between grave accents, is one to be given.
    """
    of_run = call in ('run', 'plan')
    own = RUN if of_run else RECOVERY_RUN
    options = (*own, *RUN, *RECOVERY_RUN, *load.options().values())
    names: Dict[str, str] = {
        '--endpoint': 'endpoints',
        '--dry-run': 'POST /plan' if of_run else 'POST /recovery/plan',
    }
    for option in options:
        names.setdefault(option.flag, option.name)
    for field in dataclasses.fields(Arguments):
        names.setdefault('--' + field.name.replace('_', '-'), field.name)
    return _FLAG.sub(lambda found: names.get(found[0], found[0]), text)
