"""The commands of recovery tests: run, cancel, compare."""

from typing import Any, Optional

from ..recovery.plan.options import RECOVERY_RUN
from ..recovery.plan.request import RecoveryRequest
from ..report import listing
from ..report.recovery import comparison as comparisontext
from ..report.recovery import plan as describe
from .options import taking
from .registry import Answer, only_planned, read_command, write_command


class RecoveryTestCommands:
    """Be the part of Module that starts and ends recovery tests."""

    service: Any  # a Service

    @write_command('recovery run', reads=only_planned)
    @taking(RECOVERY_RUN, 'dry_run')
    def recovery_run(self, dry_run: bool = False, **given: Any) -> Answer:
        """Provoke and time a recovery on groups, or print its plan"""
        request = RecoveryRequest.of_words(given)
        if dry_run:
            draft = describe.shown(self.service.tests.draft(request))
            return Answer(draft, lambda: draft.text)
        ticket = self.service.tests.start(request)
        return Answer(
            ticket, lambda: listing.ticket(ticket, request.scenario)
        )

    @write_command('recovery cancel', at_once=True)
    def recovery_cancel(
        self, test: str, format: Optional[str] = None
    ) -> Answer:
        """End a test in order; undo all but what an operator stopped"""
        found = self.service.tests.cancel(test)
        return Answer(found, lambda: listing.stopping(found))

    @read_command('recovery compare')
    def recovery_compare(
        self,
        test: str,
        _end_positional_: int = 0,
        baseline: Optional[str] = None,
        candidate: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Compare the groups of a recovery test, step by step"""
        found = self.service.tests.compare(
            test, baseline or '', candidate or ''
        )
        return Answer(found, lambda: comparisontext.render(found))
