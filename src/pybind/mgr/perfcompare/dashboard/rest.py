"""REST: what is no resource of its own: status, plan, comparison, care."""

from typing import Any, Dict, Optional

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
    ReadPermission,
    UpdatePermission,
    allow_empty_body,
)
from dashboard.security import Permission

from . import declared, scope
from .bodies import REQUEST, taking
from .controller import Controller
from .handlers import answering, call, flag, given, many

TAG = 'Perfcompare'
ABOUT = 'Performance comparison of groups of OSDs'


@APIRouter('/perfcompare', scope.NAME)
@APIDoc(ABOUT, TAG)
class Perfcompare(Controller):  # noqa: D101
    @EndpointDoc('Show what runs now, and what the user may do')
    @Controller.Collection('GET', path='/status')
    @answering
    def status(self) -> Dict[str, Any]:
        """Return what runs now, without asking the database."""
        found: Dict[str, Any] = call('status')
        found['permissions'] = [
            p for p in scope.PERMISSIONS if self._has_permissions(p)
        ]
        found['failure_tests'] = self._has_permissions(
            Permission.CREATE, scope.FAILURE
        )
        return found

    @EndpointDoc('List what runs and recovery tests can be asked for')
    @Controller.Collection('GET', path='/options')
    @answering
    def options(self) -> Any:
        """Return options with range and default, and all operations."""
        return declared.form()

    @EndpointDoc('List the OSDs that groups can be made of')
    @Controller.Collection('GET', path='/osd')
    @answering
    def osd(self) -> Any:
        """Return the OSDs with host, class, architecture and size."""
        return call('osds')

    @EndpointDoc(
        'Plan and check a run, without starting it', parameters=REQUEST
    )
    @Controller.Collection('POST', path='/plan')
    @ReadPermission
    @answering
    @taking(REQUEST)
    def plan(self, **request: Any) -> Any:
        """Return the plan, its text and every check."""
        return call('plan', **given(**request))

    @EndpointDoc(
        'Compare two groups, of one run or of stored runs',
        parameters={
            'baseline': (str, 'Group that the other is compared with'),
            'candidate': (str, 'Group that the verdicts are about'),
            'run': (str, 'Run to take trials of; repeatable', True),
            'across': (str, 'What is meant to differ; repeatable', True),
            'brief': (bool, 'Without single trials and blocks', True),
            'row': (
                str,
                'Only this workload, with everything; with brief, all others '
                'without',
                True,
            ),
        },
    )
    @Controller.Collection('GET', path='/comparison')
    @answering
    def comparison(
        self,
        baseline: str = '',
        candidate: str = '',
        run: Any = None,
        across: Any = None,
        brief: Any = False,
        row: Optional[str] = None,
    ) -> Any:
        """Return one row per workload with ratio, interval, verdict."""
        return call(
            'compare',
            baseline=baseline,
            candidate=candidate,
            runs=many(run),
            brief=flag('brief', brief),
            **given(row=row or None, across=many(across) or None),
        )

    @EndpointDoc(
        'Show what is behind one row: trials, hosts, latencies',
        parameters={
            'baseline': (str, 'Group that the other is compared with'),
            'candidate': (str, 'Group that the verdict is about'),
            'row': (str, 'Workload'),
            'run': (str, 'Run to take trials of; repeatable', True),
            'round': (str, 'Whose trials are whole; or <run>:<round>', True),
            'across': (str, 'What is meant to differ; repeatable', True),
        },
    )
    @Controller.Collection('GET', path='/comparison/evidence')
    @answering
    def evidence(
        self,
        baseline: str = '',
        candidate: str = '',
        row: str = '',
        run: Any = None,
        round: Optional[str] = None,
        across: Any = None,
    ) -> Any:
        """Return courses, distributions, and two trials whole."""
        return call(
            'row_evidence',
            baseline=baseline,
            candidate=candidate,
            row=row,
            runs=many(run),
            **given(of_round=round or None, across=many(across) or None),
        )

    @EndpointDoc(
        'List programs and exporters, and what those that lack are for'
    )
    @Controller.Collection('GET', path='/doctor')
    @answering
    def doctor(self) -> Any:
        """Return the tools of the active Manager's host."""
        return call('doctor')

    @EndpointDoc(
        'End the current run',
        parameters={
            'now': (
                bool,
                'Kill its load before answering, that of load hosts in about '
                'a second',
                True,
            ),
            'run': (str, 'The run that is meant: no other is ended', True),
        },
    )
    @Controller.Collection('POST', path='/stop')
    @UpdatePermission
    @allow_empty_body
    @answering
    def stop(self, now: bool = False, run: Optional[str] = None) -> Any:
        """End the current run; one that is named, or whichever it is."""
        return call('stop', now=flag('now', now), **given(run=run or None))

    @EndpointDoc('Undo what earlier runs left in the cluster')
    @Controller.Collection('POST', path='/cleanup')
    @UpdatePermission
    @allow_empty_body
    @answering
    def cleanup(self) -> Any:
        """Return what was undone and what is not ours."""
        return call('cleanup')
