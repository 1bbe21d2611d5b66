"""What an operator asks of a recovery test, and what stands by default."""

from typing import Optional, Tuple

import dataclasses

from ...common.errors import InvalidArgument
from ...common.units import parse_size
from ...model.recovery import Scenario

WORKLOADS = ('write', 'rand')  # at one time, on the same pool
S3_WORKLOADS = ('s3-mixed', 's3-get', 's3-put')
NO_LOAD = 'none'
DEFAULT_SIZE = '64K'
MAX_REPETITIONS = 20
MAX_HOLD, MAX_LIMIT = 21600.0, 86400.0  # the Reef study holds 2 h
STOP_BY = ('auto', 'orchestrator', 'operator')
MCLOCK = ('balanced', 'high_recovery_ops', 'high_client_ops')


@dataclasses.dataclass(frozen=True)
class RecoveryRequest:
    """Hold what was asked for; None takes the default."""

    groups: Tuple[str, ...]
    scenario: str = Scenario.BACKFILL.value
    workloads: Optional[Tuple[str, ...]] = None
    repetitions: Optional[int] = None
    size: Optional[str] = None
    concurrency: Optional[int] = None
    data: Optional[str] = None  # bytes for each OSD, written before
    hold: Optional[float] = None
    limit: Optional[float] = None
    nodes: Optional[int] = None
    stop_by: Optional[str] = None
    step_timeout: Optional[float] = None
    auto_out: bool = False
    mclock_profile: Optional[str] = None
    seed: Optional[int] = None
    replicas: Optional[int] = None
    ec_profile: Optional[str] = None
    pg_num: Optional[int] = None
    label: str = ''
    allow_local_client: bool = False
    enable_pool_delete: bool = False
    consent: bool = False
    origin: str = 'cli'

    def checked(self) -> 'Wishes':
        """Return the request with defaults; InvalidArgument where wrong."""
        names = [s.value for s in Scenario if s is not Scenario.OBSERVE]
        if self.scenario not in names:
            raise InvalidArgument(
                f'scenario {self.scenario!r} is not one of '
                + ', '.join(names)
            )
        scenario = Scenario(self.scenario)
        stops = scenario in (Scenario.OSD_STOP, Scenario.HOST_STOP)
        nodes = 1 if self.nodes is None else self.nodes
        if nodes != 1 and not stops:
            raise InvalidArgument(
                f'--nodes {nodes} is for osd-stop and host-stop only'
            )
        if (self.stop_by or self.auto_out) and not stops:
            raise InvalidArgument(
                '--stop-by and --auto-out are for osd-stop and host-stop '
                'only'
            )
        if self.stop_by is not None and self.stop_by not in STOP_BY:
            raise InvalidArgument(
                f'--stop-by {self.stop_by!r} is not one of '
                + ', '.join(STOP_BY)
            )
        if self.mclock_profile not in (None, *MCLOCK):
            raise InvalidArgument(
                f'--mclock-profile {self.mclock_profile!r} is not one of '
                + ', '.join(MCLOCK)
            )
        return Wishes(
            scenario=scenario,
            workloads=self._workloads(),
            repetitions=int(
                _within('--repetitions', self.repetitions, 3, 1,
                        MAX_REPETITIONS)
            ),
            size=parse_size(self.size or DEFAULT_SIZE),
            concurrency=int(
                _within('--concurrency', self.concurrency, 8, 1, 1024)
            ),
            data=parse_size(self.data) if self.data else None,
            hold=_within('--hold', self.hold, 30.0, 3.0, MAX_HOLD),
            limit=_within('--limit', self.limit, 1800.0, 10.0, MAX_LIMIT),
            nodes=int(_within('--nodes', nodes, 1, 1, 8)),
            stop_by=self.stop_by or 'auto',
            step_timeout=_within(
                '--step-timeout', self.step_timeout, 900.0, 10.0, MAX_LIMIT
            ),
            auto_out=self.auto_out,
        )  # fmt: skip

    def _workloads(self) -> Tuple[str, ...]:
        chosen = self.workloads or WORKLOADS
        if tuple(chosen) == (NO_LOAD,):
            return ()
        for name in chosen:
            if name not in WORKLOADS + S3_WORKLOADS:
                raise InvalidArgument(
                    f'--workload {name!r} is not one of '
                    + ', '.join(WORKLOADS + S3_WORKLOADS)
                    + f', or {NO_LOAD} alone'
                )
        if set(chosen) & set(WORKLOADS) and set(chosen) & set(S3_WORKLOADS):
            raise InvalidArgument(
                f'--workload {" ".join(chosen)}: load through S3 and '
                'through RADOS exclude each other; give one kind'
            )
        return tuple(sorted(set(chosen)))


@dataclasses.dataclass(frozen=True)
class Wishes:
    """Hold a request that was checked, with its defaults."""

    scenario: Scenario
    workloads: Tuple[str, ...]
    repetitions: int
    size: int
    concurrency: int
    data: Optional[int]
    hold: float
    limit: float
    nodes: int
    stop_by: str
    step_timeout: float
    auto_out: bool

    @property
    def moves_all(self) -> bool:
        """Say whether all data of the OSDs may move to others."""
        return self.auto_out or self.scenario is Scenario.OSD_OUT

    @property
    def what(self) -> str:
        """Return the scenario as it was asked for."""
        return self.scenario.value + (' --auto-out' if self.auto_out else '')


def _within(
    option: str,
    value: Optional[float],
    default: float,
    low: float,
    high: float,
) -> float:
    if value is None:
        return default
    if not low <= value <= high:
        raise InvalidArgument(
            f'{option} {value:g} is out of range; give {low:g} to {high:g}'
        )
    return value
