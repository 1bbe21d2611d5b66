"""What each kind of load is, as rooms below the drivers see it.

A driver says it of itself (`drivers/<name>/spec.py`), `drivers/registry.py`
lists them, and whoever needs to know asks here: no room names a driver.
"""

from typing import Any, Dict, Iterator, Mapping, Sequence, Tuple

import contextlib
import dataclasses

from ..common.option import Option, Options


@dataclasses.dataclass(frozen=True)
class Operation:
    """Say what one operation of a load is, by its name in profiles."""

    name: str
    reads: bool = False  # only reads objects that were prepared
    open_loop: bool = False  # can be begun at a rate
    weighted: bool = False  # takes weighted sizes
    prefilled: bool = False  # objects written before can be chosen
    both: bool = False  # reads and writes, each with sizes of its own
    cached: bool = False  # declares where its reads come from
    recovery: bool = False  # can be the load beside a recovery


class LoadSpec:
    """Say what a kind of load is: its operations and options."""

    name: str = ''  # as the tool of a workload has it
    title: str = ''  # in texts for people: 'RADOS'
    operations: Tuple[Operation, ...] = ()
    options: Options = ()


_known: Tuple[LoadSpec, ...] = ()


def use(specs: Sequence[LoadSpec]) -> None:
    """Let these be the kinds of load that there are."""
    global _known
    _known = tuple(specs)


@contextlib.contextmanager
def also(spec: LoadSpec) -> Iterator[None]:
    """Have one kind of load more, for as long as a test needs it."""
    former = _known
    use((*former, spec))
    try:
        yield
    finally:
        use(former)


def specs() -> Tuple[LoadSpec, ...]:
    """Return the kinds of load, in the order of the registry."""
    return _known


def options() -> Dict[str, Option]:
    """Return the options of all kinds of load by name."""
    return {o.name: o for spec in _known for o in spec.options}


def fields() -> Dict[str, Tuple[Any, Any]]:
    """Return type and default of each of them, as codec reads them."""
    return {
        name: (option.hint, option.absent)
        for name, option in options().items()
    }


def check(given: Mapping[str, Any]) -> None:
    """Raise InvalidArgument for values that a driver's option cannot have."""
    for name, option in options().items():
        option.check(given.get(name))
