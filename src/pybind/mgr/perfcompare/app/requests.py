"""What the use cases take and give: data for CLI, REST and tests alike."""

from typing import Any, Dict, Mapping, Optional, Tuple

import dataclasses

from ..common.codec import FLAT
from ..common.errors import InvalidArgument
from ..common.option import fields, from_words
from ..common.settings import Settings
from ..common.version import VERSION
from ..guard.checks.preflight import PreflightReport
from ..metrics.osd_table import OsdTable, Spread
from ..model import load
from ..model.plan import RunOptions, RunPlan
from ..model.run import Progress, Run
from ..model.trial import Trial
from ..planning.options import RUN
from ..store.results import NEWEST, ORDERS

PAGE = 20
MAX_PAGE = 1000
MAX_OFFSET = 2**31
MAX_FIND = 200


_Declared: Any = dataclasses.make_dataclass(
    '_Declared', fields(RUN), frozen=True
)


@dataclasses.dataclass(frozen=True)
class RunRequest(_Declared):  # type: ignore[misc]
    """Hold what an operator asked to run; None takes the default.

    Its fields are the options that planning/options.py declares.
    """

    # those of drivers, by name
    drivers: Dict[str, Any] = dataclasses.field(
        default_factory=dict, metadata={FLAT: load.fields}
    )
    origin: str = 'cli'

    @classmethod
    def of_words(cls, given: Mapping[str, Any]) -> 'RunRequest':
        """Return the request that the parameters of a command make."""
        declared = load.options()
        own = from_words(declared.values(), given)
        drivers = {n: v for n, v in own.items() if v != declared[n].absent}
        return cls(drivers=drivers, **from_words(RUN, given))

    def options(self) -> RunOptions:
        """Return what the plan needs of this request."""
        names = {f.name for f in dataclasses.fields(RunOptions)}
        return RunOptions(
            **{
                f.name: getattr(self, f.name)
                for f in dataclasses.fields(self)
                if f.name in names
            }
        )


@dataclasses.dataclass(frozen=True)
class Ticket:
    """Confirm that a run was accepted."""

    run: str
    groups: Tuple[str, ...]
    profile: str
    seconds: float
    seconds_max: float
    bytes_written: int
    warnings: Tuple[str, ...]
    next_command: str


@dataclasses.dataclass(frozen=True)
class Status:
    """Say what runs now; answered without the database."""

    progress: Optional[Progress]
    last: str = ''  # '<run> (<state>)' of this mgr's last run
    warnings: Tuple[str, ...] = ()
    version: str = VERSION  # of the module


@dataclasses.dataclass(frozen=True)
class Stopping:
    """Confirm that a run, or a recovery test, was asked to end."""

    run: str  # '' when it was only being checked: it will not begin
    killed: bool  # its load is dead
    noted: bool  # a Manager that takes over knows that it was
    load_hosts: Tuple[str, ...] = ()  # that were told to kill its load
    # a former Manager's, with `now`: what is left of its load ends by itself
    taken_over: bool = False
    test: bool = False  # it is a recovery test


@dataclasses.dataclass(frozen=True)
class RunDetail:
    """Hold a run with all its trials."""

    run: Run
    trials: Tuple[Trial, ...]
    bytes: int = 0  # that its results occupy


@dataclasses.dataclass(frozen=True)
class RunOsds:
    """Hold the OSDs of a run by workload and group."""

    run: str
    tables: Tuple[OsdTable, ...]


@dataclasses.dataclass(frozen=True)
class TrialOsds:
    """Hold the OSDs of one trial, and how their figures are spread."""

    table: OsdTable  # the rows that were asked for, outliers first
    osds: int  # of all rows
    spreads: Dict[str, Spread]


@dataclasses.dataclass(frozen=True)
class PlanDraft:
    """Hold a plan, its checks, and the abort rules that would watch."""

    plan: RunPlan
    preflight: PreflightReport
    abort_rules: Tuple[Tuple[str, str], ...] = ()  # id and threshold


@dataclasses.dataclass(frozen=True)
class PlanText:
    """Hold a plan and its checks as data, and as text for people."""

    plan: RunPlan
    text: str
    preflight: PreflightReport


def consented(options: RunOptions, settings: Settings) -> RunOptions:
    """Add the consent that an administrator gave once, by an option."""
    return dataclasses.replace(
        options,
        enable_pool_delete=options.enable_pool_delete
        or settings.enable_pool_delete,
    )


def search_of(find: Optional[str], sort: Optional[str]) -> Tuple[str, str]:
    """Return what a list of runs looks for, and its order."""
    find = '' if find is None else find
    sort = NEWEST if not sort else sort
    if len(find) > MAX_FIND:
        raise InvalidArgument(
            f'--find has {len(find)} characters; give at most {MAX_FIND}'
        )
    if sort not in ORDERS:
        known = ', '.join(ORDERS)
        raise InvalidArgument(f'--sort {sort[:40]!r} is not one of {known}')
    return find, sort


def page_of(limit: Optional[int], offset: Optional[int]) -> Tuple[int, int]:
    """Return limit and offset of a list, the first page by default."""
    limit = PAGE if limit is None else limit
    offset = 0 if offset is None else offset
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidArgument(
            f'--limit {limit} is out of range; give 1 to {MAX_PAGE}'
        )
    if not 0 <= offset <= MAX_OFFSET:
        raise InvalidArgument(
            f'--offset {offset} is out of range; give 0 to {MAX_OFFSET}'
        )
    return limit, offset
