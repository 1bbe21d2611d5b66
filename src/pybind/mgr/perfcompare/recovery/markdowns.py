"""Keep OSDs from being marked down so often that they end.

An OSD that is marked down more than ``osd_max_markdown_count`` times within
``osd_max_markdown_period`` takes itself for faulty and shuts down for good.
"""

from typing import Dict, Iterable, List, Sequence

import time

from ..cluster import Cluster
from ..errors import PerfcompareError
from ..faults import daemon
from .models import Mark, StepKind, StepResult
from .testplan import PlannedStep

COUNT, PERIOD = 'osd_max_markdown_count', 'osd_max_markdown_period'
DEFAULTS = {COUNT: 5, PERIOD: 600}
SPARE = 1  # of a repetition that was cut, or of somebody else


def least_seconds(repetitions: int) -> float:
    """Return what as many times take at the least, by the defaults."""
    at_once = DEFAULTS[COUNT] - SPARE
    return float((repetitions - 1) // at_once * DEFAULTS[PERIOD])


class MarkDowns:
    """Remember when OSDs were marked down; used by one thread."""

    def __init__(self, cluster: Cluster, done: Sequence[StepResult]) -> None:
        """Take in what a former mgr did."""
        self._cluster = cluster
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
                self._note(osd, time.time())

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
        return max(0.0, times[-at_once] + period - time.time())
