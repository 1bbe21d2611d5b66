"""What a recovery test will do: decided before anything is touched.

A part of ``models.plan.RunPlan``, so that a test is kept, resumed and undone
like any run; only one of both is active at a time.
"""

from typing import Dict, Optional, Sequence, Tuple

import dataclasses

from .recovery import Scenario, StepKind
from .workload import Op

LOG_PART = 4096  # bytes of a write that is to make an entry of a PG log
# steps after which data is expected to be clean again
RESTORING = (StepKind.MOVE_BACK, StepKind.IN, StepKind.START, StepKind.DOWN)
# steps that end only when all is clean
SETTLING = (*RESTORING, StepKind.MOVE, StepKind.OUT)


@dataclasses.dataclass(frozen=True)
class PlannedStep:
    """Plan one change, on one group; BASELINE and RECOVERED change none."""

    kind: StepKind
    title: str  # what an operator reads: 'first node stopped'
    target: str = ''  # 'osd.3', 'x86-1'
    osds: Tuple[int, ...] = ()
    hosts: Tuple[str, ...] = ()  # CRUSH hosts of these OSDs

    @property
    def settles(self) -> bool:
        """Say whether the step ends only when all is clean."""
        return self.kind in SETTLING


@dataclasses.dataclass(frozen=True)
class Forecast:
    """Predict what a test does to a group; None is "not known"."""

    bytes_moved: Optional[int] = None  # raw, one way
    seconds: Optional[float] = None  # to others, with the OSDs out
    # home again: an OSD takes all of its own, from however many
    seconds_back: Optional[float] = None
    fill: Optional[float] = None  # of the fullest remaining OSD, 0…1
    fill_osd: Optional[int] = None
    pools: Tuple[str, ...] = ()  # of others, with data on the target
    upmaps: int = 0  # PGs of others whose upmaps go, and are set again


@dataclasses.dataclass(frozen=True)
class GroupTest:
    """Plan the test of one group."""

    group: str
    steps: Tuple[PlannedStep, ...]
    objects: int  # written before the test, to be read
    write_objects: int  # bound of the client's writes, each repetition
    forecast: Forecast = Forecast()
    log_objects: int = 0  # beside them, written in parts of LOG_PART

    @property
    def all_objects(self) -> int:
        """Return how many objects are recovered, but for the load's own."""
        return self.objects + self.log_objects

    def fill_ops(self, size: int) -> int:
        """Return the writes before the test; objects have ``size`` bytes."""
        return self.objects + self.log_objects * (size // LOG_PART)


@dataclasses.dataclass(frozen=True)
class TestPlan:
    """Plan a recovery test on all its groups."""

    __test__ = False  # pytest: this is no test

    scenario: Scenario
    repetitions: int
    groups: Tuple[GroupTest, ...]
    workloads: Tuple[str, ...]  # of the client load; () is none
    size: int  # bytes of one object, and of one operation without `block`
    concurrency: int  # of each workload
    hold: float  # seconds of load before the first and after the last step
    limit: float  # seconds that a step may take to become clean
    step_timeout: float = 900.0  # seconds that an operator has to act
    auto_out: bool = False  # stopped OSDs may be marked out by the mons
    stop_by: str = ''  # 'orchestrator', 'operator', '' where none stops
    mclock_profile: Optional[str] = None  # set for the test, and restored
    log_entries: Dict[str, int] = dataclasses.field(default_factory=dict)
    block: int = 0  # bytes of one operation on an image
    images: int = 0  # of each workload

    @property
    def moved(self) -> int:
        """Return the bytes that one operation of the load moves."""
        return self.block or self.size

    def of(self, group: str) -> GroupTest:
        """Return the test of ``group``; KeyError when absent."""
        for test in self.groups:
            if test.group == group:
                return test
        raise KeyError(group)

    def longest(self, steps: Sequence[PlannedStep]) -> float:
        """Return the most seconds that a repetition of ``steps`` takes."""
        return 2 * self.hold + sum(
            self.limit
            + (0.0 if step.settles else self.hold)
            + (self.step_timeout if self.stop_by else 0.0)
            for step in steps
        )


def through_gateways(workloads: Tuple[str, ...]) -> bool:
    """Say whether a load goes through gateways."""
    return any(not Op(name).direct for name in workloads)
