"""Keep OSDs from being marked down so often that they end."""

from typing import Dict, Iterable, List, Protocol

import json
import logging
import math

from ...common.errors import PerfcompareError
from ...model.recovery import StepKind
from ...model.recovery_plan import PlannedStep
from ...ports.clock import Clock
from ...ports.config import ConfigReads
from ...ports.faults import daemon
from ...ports.keys import KeyValueStore
from ..plan.markdown_limits import COUNT, DEFAULTS, PERIOD, SPARE

log = logging.getLogger(__name__)

KEY = 'recovery/downs'
MOST = 150  # times that are kept in all, under 4 KiB


class Needs(ConfigReads, KeyValueStore, Protocol):
    """Name what is asked of a cluster here."""


class MarkDowns:
    """Remember when OSDs were marked down; used by one thread.

    The mon store has it: an OSD counts what all tests did to it, also those
    that were cut, and of which no result tells.
    """

    def __init__(self, cluster: Needs, clock: Clock) -> None:
        self._cluster = cluster
        self._clock = clock

    def note(self, step: PlannedStep) -> None:
        """Say that a step is about to be made.

        Raises whatever the mon store raises: what it does not know must
        not be done.
        """
        if step.kind is not StepKind.DOWN:
            return
        now = self._clock.wall()
        times = self._known()
        for osd in step.osds:
            times.setdefault(osd, []).append(now)
        newest = sorted((at, o) for o, ats in times.items() for at in ats)
        kept: Dict[str, List[int]] = {}
        for at, osd in newest[-MOST:]:
            kept.setdefault(str(osd), []).append(math.ceil(at))
        self._cluster.kv_set(KEY, json.dumps(kept, separators=(',', ':')))

    def _known(self) -> Dict[int, List[float]]:
        text = self._cluster.kv_get(KEY)
        try:
            return {
                int(osd): [float(at) for at in times]
                for osd, times in json.loads(text or '{}').items()
            }
        # whatever another version, or damage, makes of it
        except (ValueError, TypeError, AttributeError) as error:
            log.warning('who was marked down cannot be read: %s', error)
            return {}

    def wait(self, steps: Iterable[PlannedStep]) -> float:
        """Return the seconds until these steps may be made."""
        osds = {
            osd
            for step in steps
            if step.kind is StepKind.DOWN
            for osd in step.osds
        }
        if not osds:
            return 0.0
        times = self._known()
        return max(self._left(o, sorted(times.get(o, ()))) for o in osds)

    def _left(self, osd: int, times: List[float]) -> float:
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
        at_once = max(1, count - SPARE)
        if len(times) < at_once:
            return 0.0
        return max(0.0, times[-at_once] + period - self._clock.wall())
