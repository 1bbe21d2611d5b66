"""The commands of recovery tests: run, cancel, compare."""

from typing import Any, List, Optional

from ..recovery.plan.request import RecoveryRequest
from ..report import listing
from ..report.recovery import comparison as comparisontext
from ..report.recovery import plan as describe
from .registry import Answer, read_command, write_command


class RecoveryTestCommands:
    """Be the part of Module that starts and ends recovery tests."""

    service: Any  # a Service

    @write_command('recovery run')
    def recovery_run(
        self,
        group: List[str],
        _end_positional_: int = 0,
        scenario: Optional[str] = None,
        workload: Optional[List[str]] = None,
        repetitions: Optional[int] = None,
        size: Optional[str] = None,
        concurrency: Optional[int] = None,
        data: Optional[str] = None,
        hold: Optional[float] = None,
        limit: Optional[float] = None,
        nodes: Optional[int] = None,
        stop_by: Optional[str] = None,
        step_timeout: Optional[float] = None,
        auto_out: bool = False,
        mclock_profile: Optional[str] = None,
        seed: Optional[int] = None,
        replicas: Optional[int] = None,
        ec_profile: Optional[str] = None,
        pg_num: Optional[int] = None,
        label: Optional[str] = None,
        dry_run: bool = False,
        allow_local_client: bool = False,
        enable_pool_delete: bool = False,
        yes_i_really_mean_it: bool = False,
        format: Optional[str] = None,
    ) -> Answer:
        """Provoke and time a recovery on groups, or print its plan"""
        request = RecoveryRequest(
            groups=tuple(group),
            scenario=scenario or RecoveryRequest.scenario,
            workloads=tuple(workload) if workload else None,
            repetitions=repetitions,
            size=size,
            concurrency=concurrency,
            data=data,
            hold=hold,
            limit=limit,
            nodes=nodes,
            stop_by=stop_by,
            step_timeout=step_timeout,
            auto_out=auto_out,
            mclock_profile=mclock_profile,
            seed=seed,
            replicas=replicas,
            ec_profile=ec_profile,
            pg_num=pg_num,
            label=label or '',
            allow_local_client=allow_local_client,
            enable_pool_delete=enable_pool_delete,
            consent=yes_i_really_mean_it,
            origin='cli',
        )
        if dry_run:
            draft = describe.shown(self.service.tests.plan(request))
            return Answer(draft, lambda: draft.text)
        ticket = self.service.tests.start(request)
        return Answer(ticket, lambda: listing.ticket(ticket))

    @write_command('recovery cancel', at_once=True)
    def recovery_cancel(
        self, test: str, format: Optional[str] = None
    ) -> Answer:
        """End a recovery test in order; everything comes back"""
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
