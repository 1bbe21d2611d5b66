"""What the use cases take and give: data for CLI, REST and tests alike."""

from typing import Dict, Optional, Tuple

import dataclasses

from ..common.errors import InvalidArgument
from ..metrics.osd_table import OsdTable, Spread
from ..model.plan import RunOptions, RunPlan
from ..model.run import Progress, Run
from ..model.trial import Trial

PAGE = 20
MAX_PAGE = 1000
MAX_OFFSET = 2**31


@dataclasses.dataclass(frozen=True)
class RunRequest:
    """Hold what an operator asked to run; None takes the default."""

    groups: Tuple[str, ...]
    profile: Optional[str] = None
    workloads: Optional[Tuple[str, ...]] = None
    sizes: Optional[Tuple[str, ...]] = None
    concurrency: Optional[Tuple[str, ...]] = None
    duration: Optional[float] = None
    rounds: Optional[int] = None
    clients: Optional[int] = None
    seed: Optional[int] = None
    replicas: Optional[int] = None
    ec_profile: Optional[str] = None
    pg_num: Optional[int] = None
    label: str = ''
    stats_period: Optional[int] = None
    control: bool = False
    adaptive: bool = False
    allow_local_client: bool = False
    enable_pool_delete: bool = False
    consent: bool = False
    s3_client: Optional[str] = None  # 'own' or 'warp'
    rate: Optional[float] = None
    read_sizes: Optional[str] = None
    write_sizes: Optional[str] = None
    prefill: Optional[str] = None  # objects, or bytes with a unit
    gateways: Optional[int] = None
    rgw_index_class: Optional[str] = None
    s3_tls: bool = False
    gateway_source: Optional[str] = None
    origin: str = 'cli'

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


@dataclasses.dataclass(frozen=True)
class Stopping:
    """Confirm that a run was asked to end."""

    run: str
    killed: bool


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
    """Hold a plan, and the abort rules that would watch over it."""

    plan: RunPlan
    abort_rules: Tuple[Tuple[str, str], ...] = ()  # id and threshold


@dataclasses.dataclass(frozen=True)
class PlanText:
    """Hold a plan as data and as text for people."""

    plan: RunPlan
    text: str


def page_of(limit: Optional[int], offset: Optional[int]) -> Tuple[int, int]:
    """Return limit and offset of a list, the first page by default."""
    limit = PAGE if limit is None else limit
    offset = 0 if offset is None else offset
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidArgument(f'limit {limit} is not within 1…{MAX_PAGE}')
    if not 0 <= offset <= MAX_OFFSET:
        raise InvalidArgument(f'offset {offset} is not within 0…{MAX_OFFSET}')
    return limit, offset
