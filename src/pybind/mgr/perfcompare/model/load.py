"""What each kind of load is, as rooms below the drivers see it.

A driver says it of itself (`drivers/<name>/spec.py`), `drivers/registry.py`
lists them, and whoever needs to know asks here: no room names a driver.
"""

from typing import Any, Callable, Dict, Iterator, Mapping, Sequence, Tuple

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
    cached_if_asked: bool = False  # does so only with `--cache`
    recovery: bool = False  # can be the load beside a recovery
    sequential: bool = False  # ends when all is read
    random: bool = False  # draws places within what it reads or writes
    takes: bool = False  # takes away what was written for it
    max_size: int = 0  # bytes of an object; 0 is that of its kind
    direct: bool = False  # clients speak to OSDs, through no gateway
    in_place: bool = False  # what it writes was there before
    alone: bool = False  # one load host at a time makes it


# of other tools, imported; never run
OTHER = Operation('other')
IMPORTED: Tuple[Operation, ...] = (
    Operation('io-read'),
    Operation('io-write'),
    Operation('io-randread'),
    Operation('io-randwrite'),
    Operation('io-mixed'),
    Operation('io-trim'),
    OTHER,
)


class LoadSpec:
    """Say what a kind of load is: its operations and options."""

    name: str = ''  # as the tool of a workload has it
    title: str = ''  # in texts for people: 'RADOS'
    operations: Tuple[Operation, ...] = ()
    options: Options = ()
    max_size: int = 0  # bytes of an object; 0 is that of all loads
    max_concurrency: int = 0  # operations in flight; 0 is that of all
    mon_caps: str = ''  # of its clients' key, beside 'allow r'
    on_load_hosts: bool = False  # agents make its loads
    divided: bool = False  # several of them make one load
    # one client stands for as many processes as a host finds right
    own_clients: bool = False
    timed: bool = False  # its trials last as long as they are planned to
    percentiles: bool = False  # its trials record those of all operations
    imaged: bool = False  # loads images, by operations on parts of objects

    @property
    def planner(self) -> Any:
        """Return what plans its loads, a planning.loads.LoadPlanner.

        None where nothing is planned.
        """
        return None

    def tool(self, given: Mapping[str, Any]) -> str:
        """Return which tool makes its loads, by these options."""
        return self.name

    def tools(self, given: Mapping[str, Any]) -> Tuple[str, ...]:
        """Return the programs that its trials need, by these options."""
        return ()


_known: Tuple[LoadSpec, ...] = ()
_operations: Dict[str, Tuple[Operation, LoadSpec]] = {}


def use(specs: Sequence[LoadSpec]) -> None:
    """Let these be the kinds of load that there are."""
    global _known, _operations
    _known = tuple(specs)
    _operations = {o.name: (o, s) for s in _known for o in s.operations}
    _operations.update({o.name: (o, LoadSpec()) for o in IMPORTED})


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


def operations() -> Tuple[str, ...]:
    """Return the names of all operations, those of other tools last."""
    return tuple(_operations)


def operation(name: str) -> Operation:
    """Return an operation; KeyError when there is no such."""
    return _operations[name][0]


def spec_of(name: str) -> LoadSpec:
    """Return the kind of load that an operation is of."""
    return _operations[name][1]


def of_tool(tool: str) -> LoadSpec:
    """Return the kind of load that is made by the tool of a workload."""
    for spec in _known:
        if spec.name == tool:
            return spec
    return LoadSpec()


def beside_recovery() -> Dict[str, Tuple[str, ...]]:
    """Return the operations that can go on beside one, by driver."""
    found = {
        s.name: tuple(o.name for o in s.operations if o.recovery)
        for s in _known
    }
    return {
        name: operations for name, operations in found.items() if operations
    }


def standing_for(name: str) -> Operation:
    """Return the operation whose plan holds what a driver's loads need.

    That which reads and writes, else the first that reads.
    """
    found = spec_of(name).operations
    return next(
        (o for o in found if o.both),
        next((o for o in found if o.reads), found[0]),
    )


def kinds(wanted: Callable[[Operation], bool]) -> str:
    """Say which operations these are: 'S3 operations other than s3-x'."""
    found = []
    for spec in _known:
        yes = [o for o in spec.operations if wanted(o)]
        rest = [o.name for o in spec.operations if not wanted(o)]
        if yes:
            but = f' other than {" and ".join(rest)}' if rest else ''
            found.append(f'{spec.title} operations{but}')
    return ' and '.join(found)


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
