"""Keep OSDs from being marked down so often that they end."""

from typing import Dict, Iterable, List, Sequence

from ...common.errors import PerfcompareError
from ...model.recovery import Mark, StepKind, StepResult
from ...model.recovery_plan import PlannedStep
from ...ports.clock import Clock
from ...ports.config import ConfigReads
from ...ports.faults import daemon
from ..plan.markdown_limits import COUNT, DEFAULTS, PERIOD, SPARE


class MarkDowns:
    """Remember when OSDs were marked down; used by one thread."""

    def __init__(
        self, cluster: ConfigReads, done: Sequence[StepResult], clock: Clock
    ) -> None:
        """Take in what a former mgr did."""
        self._cluster = cluster
        self._clock = clock
        self._times: Dict[int, List[float]] = {}
        for step in done:
            timeline = step.timeline
            if step.kind is StepKind.DOWN and timeline is not None:
                at = timeline.mark(Mark.T0).at or timeline.began
                self._note(int(step.target.partition('.')[2]), at)

    def _note(self, osd: int, at: float) -> None:
        self._times.setdefault(osd, []).append(at)

    def note(self, step: PlannedStep) -> None:
        """Say that a step is made now."""
        if step.kind is StepKind.DOWN:
            for osd in step.osds:
                self._note(osd, self._clock.wall())

    def wait(self, steps: Iterable[PlannedStep]) -> float:
        """Return the seconds until these steps may be made."""
        osds = {
            osd
            for step in steps
            if step.kind is StepKind.DOWN
            for osd in step.osds
        }
        return max((self._left(osd) for osd in osds), default=0.0)

    def _left(self, osd: int) -> float:
        options = self._cluster.osd_config(osd, (COUNT, PERIOD))
        count, period = (
            int(float(options.get(name) or DEFAULTS[name]))
            for name in (COUNT, PERIOD)
        )
        if count < 1:
            raise PerfcompareError(
                f'{daemon(osd)} would shut down when it is marked down: '
                f'{COUNT} is {count}'
            )
        times = self._times.get(osd, [])
        at_once = max(1, count - SPARE)
        if len(times) < at_once:
            return 0.0
        return max(0.0, times[-at_once] + period - self._clock.wall())
