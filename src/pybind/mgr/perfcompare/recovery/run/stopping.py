"""Stop and start OSDs: by the orchestrator, or by asking an operator.

The manager runs no program for it. Where there is no orchestrator, the
status says what is waited for, and the OSD map tells when it was done.
"""

from typing import Callable, Protocol, Sequence, Tuple

import logging

from ...common.errors import InvalidArgument, PerfcompareError, TryAgain
from ...model.recovery_plan import PlannedStep
from ...ports.clock import Clock
from ...ports.faults import DaemonOrders, FaultReads, daemon, named
from ...undo.osds import OPERATOR, ORCHESTRATOR

log = logging.getLogger(__name__)

Say = Callable[[str], None]
# waits a moment with all brakes on; raises to leave
Pulse = Callable[[], None]

ORCHESTRATOR_LIMIT = 180.0  # seconds for it to do as it was told
# seconds until it is told again, doubled each time: cephadm loses orders that
# come before it has carried out the last one
AGAIN = 20.0
SILENT = (
    'it says nothing of it: see ceph orch host ls (is the host offline?) and '
    'ceph orch ps, or give --stop-by operator'
)


class Needs(DaemonOrders, FaultReads, Protocol):
    """Name what is asked of a cluster here."""


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
        cluster: Needs,
        by: str,
        timeout: float,
        say: Say,
        pulse: Pulse,
        clock: Clock,
    ) -> None:
        self._cluster = cluster
        self._by = by
        self._timeout = timeout
        self._say = say
        self._pulse = pulse
        self._clock = clock
        self._orders = 0  # of the step in hand

    @property
    def ordered(self) -> bool:
        """Say whether an order, and so t0, is ours."""
        return self._by == ORCHESTRATOR

    @property
    def repeated(self) -> bool:
        """Say whether the last step took more than one order.

        Then nobody knows which one was obeyed, nor when the step began.
        """
        return self._orders > 1

    def stop(self, step: PlannedStep) -> Tuple[str, ...]:
        """Return when the OSDs of a step are down in the OSD map.

        Returns notes about it.
        """
        return self._do('stop', step, up=False)

    def start(self, step: PlannedStep) -> Tuple[str, ...]:
        """Return when the OSDs of a step are up in the OSD map.

        Returns notes about it.
        """
        return self._do('start', step, up=True)

    def _order(self, action: str, step: PlannedStep) -> None:
        """Tell the orchestrator; nothing where an operator does it."""
        if self._by == ORCHESTRATOR:
            self._orders += 1
            for osd in self._pending(step.osds, action == 'start'):
                self._cluster.orchestrate(action, daemon(osd))

    def _order_again(self, action: str, step: PlannedStep) -> None:
        try:
            self._order(action, step)
        except PerfcompareError as error:  # the next one may come through
            log.warning('order to %s: %s', action, error.message)

    def _pending(self, osds: Sequence[int], up: bool) -> Sequence[int]:
        known = self._cluster.osd_flagged()
        return [o for o in osds if o in known and known[o].up is not up]

    def _do(
        self, action: str, step: PlannedStep, up: bool
    ) -> Tuple[str, ...]:
        self._orders = 0
        self._order(action, step)
        self._wait(action, step, up)
        if not self.repeated:
            return ()
        return (
            f'the orchestrator had to be told {self._orders} times to '
            f'{action} {named(step.osds)}: when it began is not available',
        )

    def _wait(self, action: str, step: PlannedStep, up: bool) -> None:
        """Wait until the OSD map shows it; TryAgain after the limit."""
        limit = ORCHESTRATOR_LIMIT if self.ordered else self._timeout
        begin = self._clock.monotonic()
        deadline, pause = begin + limit, AGAIN
        due = begin + pause
        word = 'started' if up else 'stopped'
        said = float('inf')
        while True:
            left = self._pending(step.osds, up)
            if not left:
                return
            now = self._clock.monotonic()
            remaining = deadline - now
            if remaining <= 0:
                raise TryAgain(self._failure(left, word, limit))
            if self.ordered and now >= due:
                pause *= 2
                due = now + pause
                self._order_again(action, step)
            if said - remaining >= 1.0 or said == float('inf'):
                said = remaining
                self._say(self._text(left, step, word, remaining))
            self._pulse()

    def _failure(self, left: Sequence[int], word: str, limit: float) -> str:
        text = f'{named(left)} not {word} within {limit:.0f} s'
        if not self.ordered:
            return f'{text} (by the {self._by})'
        why = self._cluster.orders_held(left) or SILENT
        return (
            f'{text}: the orchestrator was told {self._orders} times, '
            f'without effect; {why}'
        )

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
