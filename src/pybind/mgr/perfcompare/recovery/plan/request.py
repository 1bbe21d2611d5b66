"""What an operator asks of a recovery test, and what stands by default."""

from typing import Any, Mapping, Optional, Tuple

import dataclasses

from ...common.errors import InvalidArgument
from ...common.option import Option, fields, from_words
from ...common.units import parse_size
from ...model import load
from ...model.recovery import Scenario
from .options import (
    BLOCK_SIZE,
    CONCURRENCY,
    HOLD,
    IMAGES,
    LIMIT,
    MCLOCK_PROFILE,
    NODES,
    RECOVERY_RUN,
    REPETITIONS,
    SCENARIO,
    SIZE,
    STEP_TIMEOUT,
    STOP_BY,
)

WORKLOADS = ('write', 'rand')  # by default; at one time, on one pool
NO_LOAD = 'none'
ORCHESTRATOR = 'orchestrator'

_Declared: Any = dataclasses.make_dataclass(
    '_Declared', fields(RECOVERY_RUN), frozen=True
)


@dataclasses.dataclass(frozen=True)
class RecoveryRequest(_Declared):  # type: ignore[misc]
    """Hold what was asked for; None takes the default.

    Its fields are the options that options.py declares.
    """

    origin: str = 'cli'

    @classmethod
    def of_words(cls, given: Mapping[str, Any]) -> 'RecoveryRequest':
        """Return the request that the parameters of a command make."""
        return cls(**from_words(RECOVERY_RUN, given))

    def checked(self) -> 'ValidatedRequest':
        """Return the request with defaults; InvalidArgument where wrong."""
        if self.scenario not in SCENARIO.choices:
            raise InvalidArgument(
                f'scenario {self.scenario!r} is not one of '
                + ', '.join(SCENARIO.choices)
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
        if self.step_timeout is not None and (
            not stops or self.stop_by == ORCHESTRATOR
        ):
            raise InvalidArgument(
                f'--step-timeout {self.step_timeout:g} is for osd-stop and '
                'host-stop by an operator only'
            )
        STOP_BY.check(self.stop_by)
        MCLOCK_PROFILE.check(self.mclock_profile)
        workloads = self._workloads()
        if self.concurrency is not None and not workloads:
            raise InvalidArgument(
                f'--concurrency {self.concurrency} is of the load, and '
                f'--workload {NO_LOAD} has none'
            )
        imaged = bool(workloads) and load.spec_of(workloads[0]).imaged
        self._check_images(imaged)
        return ValidatedRequest(
            scenario=scenario,
            workloads=workloads,
            repetitions=int(_within(REPETITIONS, self.repetitions)),
            size=parse_size(self.size or SIZE.default),
            concurrency=int(_within(CONCURRENCY, self.concurrency)),
            data=parse_size(self.data) if self.data else None,
            hold=_within(HOLD, self.hold),
            limit=_within(LIMIT, self.limit),
            nodes=int(_within(NODES, nodes)),
            stop_by=self.stop_by or STOP_BY.default,
            step_timeout=_within(STEP_TIMEOUT, self.step_timeout),
            auto_out=self.auto_out,
            block=(
                parse_size(self.block_size or BLOCK_SIZE.default)
                if imaged
                else 0
            ),
            images=int(_within(IMAGES, self.images)) if imaged else 0,
        )

    def _check_images(self, imaged: bool) -> None:
        IMAGES.check(self.images)
        for option, value in (
            (BLOCK_SIZE, self.block_size),
            (IMAGES, self.images),
        ):
            if value is not None and not imaged:
                kinds = [s for s in load.specs() if s.imaged and s.operations]
                raise InvalidArgument(
                    f'{option.flag} {value} is for '
                    + ' and '.join(kind.title for kind in kinds)
                    + ' loads; give e.g. --workload '
                    + kinds[0].operations[0].name
                )
        if (
            imaged
            and self.concurrency is not None
            and self.images is not None
            and self.concurrency < self.images
        ):
            raise InvalidArgument(
                f'--concurrency {self.concurrency} cannot be shared by '
                f'{self.images} images; give {self.images} or more'
            )

    def _workloads(self) -> Tuple[str, ...]:
        chosen = self.workloads or WORKLOADS
        if tuple(chosen) == (NO_LOAD,):
            return ()
        known = load.beside_recovery()
        names = [name for own in known.values() for name in own]
        for name in chosen:
            if name not in names:
                raise InvalidArgument(
                    f'--workload {name!r} is not one of '
                    + ', '.join(names)
                    + f', or {NO_LOAD} alone'
                )
        kinds = [
            load.spec_of(own[0]).title
            for own in known.values()
            if set(chosen) & set(own)
        ]
        if len(kinds) > 1:
            ways = ' and '.join(f'through {kind}' for kind in kinds[::-1])
            raise InvalidArgument(
                f'--workload {" ".join(chosen)}: load {ways} exclude each '
                'other; give one kind'
            )
        return tuple(sorted(set(chosen)))


@dataclasses.dataclass(frozen=True)
class ValidatedRequest:
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
    block: int  # bytes of an operation on an image; 0 without images
    images: int  # of each workload

    @property
    def moves_all(self) -> bool:
        """Say whether all data of the OSDs may move to others."""
        return self.auto_out or self.scenario is Scenario.OSD_OUT

    @property
    def what(self) -> str:
        """Return the scenario as it was asked for."""
        return self.scenario.value + (' --auto-out' if self.auto_out else '')


def _within(option: Option, value: Optional[float]) -> float:
    option.check(value)
    return float(option.default) if value is None else value
