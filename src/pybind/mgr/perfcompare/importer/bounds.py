"""What an imported record may hold at most, whatever wrote its file.

The reader's process checks it, so that reading back costs the Manager no
more than a record of its own would.
"""

from typing import Any, Iterator, List, Tuple

from ..common.errors import InvalidArgument
from ..common.printable import shown
from ..common.units import EPOCH, LAST_TIME
from ..model.run import Run
from ..store.rows import dump

DEPTH = 40
TEXT = 65536  # characters of one text
MEMBERS = 200_000  # of one list or mapping, raw series apart
NUMBER = 2e19  # no figure of a cluster is beyond, in whatever unit
PLAN = 4 << 20  # characters of a plan as JSON
RECORD = 32 << 20  # of what was recorded with a trial, or of a recovery
TIMES = frozenset(('created', 'began', 'started', 'ended', 'at'))
COUNTS = (
    ('plan.groups', 64),
    ('plan.profile.workloads', 1000),
    ('plan.blocks', 50_000),
    ('plan.labels', 1000),
    ('events', 10_000),
    ('rules', 1000),
)


def check(data: Any, where: str) -> None:
    """Raise InvalidArgument for what is too deep, long or large."""
    stack: List[Tuple[Any, str, int]] = [(data, where, 0)]
    while stack:
        value, place, depth = stack.pop()
        if isinstance(value, str):
            if len(value) > TEXT:
                raise InvalidArgument(
                    f'{place}: a text of {len(value):,} characters; '
                    f'{TEXT:,} at most'
                )
        elif isinstance(value, (int, float)):
            if not abs(value) <= NUMBER:
                raise InvalidArgument(
                    f'{place}: {shown(value)} is out of range'
                )
        elif isinstance(value, (dict, list)):
            if depth == DEPTH or len(value) > MEMBERS:
                raise InvalidArgument(
                    f'{place}: is nested too deeply, or has more than '
                    f'{MEMBERS:,} members'
                )
            stack.extend(
                (member, f'{place}.{name}'[:200], depth + 1)
                for name, member in _members(value)
            )


def _members(value: Any) -> Iterator[Tuple[str, Any]]:
    if isinstance(value, list):
        for i, member in enumerate(value):
            yield str(i), member
        return
    for name, member in value.items():
        if len(name) > 1000:
            raise InvalidArgument(f'a name has {len(name):,} characters')
        yield name, member


def check_times(data: Any, where: str, depth: int = 4) -> None:
    """Raise InvalidArgument for a time out of the years 1970 to 2099."""
    for name, value in _members(data) if _holds(data) else ():
        place = f'{where}.{name}'
        if name in TIMES and isinstance(value, (int, float)):
            if not EPOCH <= value <= LAST_TIME:
                raise InvalidArgument(
                    f'{place}: {shown(value)} is not a time of the years 1970 '
                    'to 2099'
                )
        elif depth and _holds(value):
            check_times(value, place, depth - 1)


def _holds(value: Any) -> bool:
    return isinstance(value, (dict, list))


def check_run(run: Run) -> None:
    """Raise InvalidArgument for a run of more parts than any has."""
    for name, most in COUNTS:
        found: Any = run
        for part in name.split('.'):
            found = getattr(found, part)
        if len(found) > most:
            raise InvalidArgument(
                f'content.run.{name}: {len(found):,} of them, {most:,} at '
                'most'
            )


def check_size(data: Any, most: int, where: str) -> None:
    """Raise InvalidArgument for plain data of more than ``most`` as JSON."""
    size = len(dump(data))
    if size > most:
        raise InvalidArgument(
            f'{where}: {size:,} characters as JSON, {most:,} at most'
        )
