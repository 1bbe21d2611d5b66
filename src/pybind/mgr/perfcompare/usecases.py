"""What the use cases take and give: data for CLI, REST and tests alike."""

from typing import Optional, Tuple

import dataclasses

from .models import Progress, Run, RunOptions, RunPlan, Trial


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
    control: bool = False
    adaptive: bool = False
    allow_local_client: bool = False
    enable_pool_delete: bool = False
    consent: bool = False
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


@dataclasses.dataclass(frozen=True)
class PlanText:
    """Hold a plan as data and as text for people."""

    plan: RunPlan
    text: str
