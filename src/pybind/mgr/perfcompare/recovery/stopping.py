"""Stop and start OSDs: by the orchestrator, or by asking an operator.

The manager runs no program for it. Where there is no orchestrator, the
status says what is waited for, and the OSD map tells when it was done.
"""

from typing import Callable, Sequence

import logging
import time

from ..cluster import Cluster
from ..errors import InvalidArgument, TryAgain
from ..faults import daemon, named
from ..undo_faults import OPERATOR, ORCHESTRATOR
from .testplan import PlannedStep

log = logging.getLogger(__name__)

Say = Callable[[str], None]
# waits a moment with all brakes on; raises to leave
Pulse = Callable[[], None]

ORCHESTRATOR_LIMIT = 180.0  # seconds for it to do as it was told


def choose(wanted: str, backend: str) -> str:
    """Return who stops daemons; InvalidArgument where it cannot be.

    ``backend`` is the orchestrator that is available, '' for none.
    """
    if wanted == 'auto':
        return ORCHESTRATOR if backend else OPERATOR
    if wanted == ORCHESTRATOR and not backend:
        raise InvalidArgument(
            '--stop-by orchestrator: no orchestrator is available (ceph '
            'orch status); give --stop-by operator'
        )
    return wanted


class Stopper:
    """Have OSDs stopped and started; used by one thread."""

    def __init__(
        self,
        cluster: Cluster,
        by: str,
        timeout: float,
        say: Say,
        pulse: Pulse,
    ) -> None:
        self._cluster = cluster
        self._by = by
        self._timeout = timeout
        self._say = say
        self._pulse = pulse

    @property
    def ordered(self) -> bool:
        """Say whether an order, and so t0, is ours."""
        return self._by == ORCHESTRATOR

    def stop(self, step: PlannedStep) -> None:
        """Return when the OSDs of a step are down in the OSD map."""
        self._do('stop', step, up=False)

    def start(self, step: PlannedStep) -> None:
        """Return when the OSDs of a step are up in the OSD map."""
        self._do('start', step, up=True)

    def order(self, action: str, step: PlannedStep) -> None:
        """Tell the orchestrator; nothing where an operator does it."""
        if self._by == ORCHESTRATOR:
            for osd in self._pending(step.osds, action == 'start'):
                self._cluster.orchestrate(action, daemon(osd))

    def _pending(self, osds: Sequence[int], up: bool) -> Sequence[int]:
        known = self._cluster.osd_flagged()
        return [o for o in osds if o in known and known[o].up is not up]

    def _do(self, action: str, step: PlannedStep, up: bool) -> None:
        self.order(action, step)
        self.wait(action, step, up)

    def wait(self, action: str, step: PlannedStep, up: bool) -> None:
        """Wait until the OSD map shows it; TryAgain after the limit."""
        limit = ORCHESTRATOR_LIMIT if self.ordered else self._timeout
        deadline = time.monotonic() + limit
        word = 'started' if up else 'stopped'
        said = float('inf')
        while True:
            left = self._pending(step.osds, up)
            if not left:
                return
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TryAgain(
                    f'{named(left)} not {word} within {limit:.0f} s '
                    f'(by the {self._by})'
                )
            if said - remaining >= 1.0 or said == float('inf'):
                said = remaining
                self._say(self._text(left, step, word, remaining))
            self._pulse()

    def _text(
        self,
        left: Sequence[int],
        step: PlannedStep,
        word: str,
        remaining: float,
    ) -> str:
        text = f'waiting for {named(left)}'
        hosts = ', '.join(step.hosts)
        if hosts:
            text += f' on {hosts}'
        text += f' to be {word}'
        if not self.ordered:
            text += ' by you'
        return f'{text} ({remaining:.0f} s left)'
