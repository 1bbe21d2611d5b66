"""REST: what is no resource of its own: status, plan, comparison, care."""

from typing import Any, Dict, List, Optional

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
    ReadPermission,
    RESTController,
    UpdatePermission,
    allow_empty_body,
)

from . import scope
from .bodies import REQUEST, request_fields
from .handlers import answering, call, flag, many

TAG = 'Perfcompare'
ABOUT = 'Performance comparison of groups of OSDs'


@APIRouter('/perfcompare', scope.NAME)
@APIDoc(ABOUT, TAG)
class Perfcompare(RESTController):  # noqa: D101
    @EndpointDoc('Show what runs now, and what the user may do')
    @RESTController.Collection('GET', path='/status')
    @answering
    def status(self) -> Dict[str, Any]:
        """Return what runs now, without asking the database."""
        found: Dict[str, Any] = call('status')
        found['permissions'] = [
            p for p in scope.PERMISSIONS if self._has_permissions(p)
        ]
        return found

    @EndpointDoc('List the OSDs that groups can be made of')
    @RESTController.Collection('GET', path='/osd')
    @answering
    def osd(self) -> List[Any]:
        """Return the OSDs with host, class, architecture and size."""
        return call('osds')  # type: ignore[no-any-return]

    @EndpointDoc(
        'Plan and check a run, without starting it', parameters=REQUEST
    )
    @RESTController.Collection('POST', path='/plan')
    @ReadPermission
    @answering
    def plan(
        self,
        groups: List[str],
        profile: Optional[str] = None,
        workloads: Optional[List[str]] = None,
        sizes: Optional[List[str]] = None,
        concurrency: Optional[List[str]] = None,
        duration: Optional[float] = None,
        rounds: Optional[int] = None,
        clients: Optional[int] = None,
        seed: Optional[int] = None,
        replicas: Optional[int] = None,
        ec_profile: Optional[str] = None,
        pg_num: Optional[int] = None,
        label: Optional[str] = None,
        control: bool = False,
        adaptive: bool = False,
        allow_local_client: bool = False,
        enable_pool_delete: bool = False,
        consent: bool = False,
    ) -> Dict[str, Any]:
        """Return the plan, its text and every check."""
        return call(  # type: ignore[no-any-return]
            'plan', **request_fields(locals())
        )

    @EndpointDoc(
        'Compare two groups, of one run or of stored runs',
        parameters={
            'baseline': (str, 'Group that the other is compared with'),
            'candidate': (str, 'Group that the verdicts are about'),
            'run': (str, 'Run to take trials of; repeatable', True),
        },
    )
    @RESTController.Collection('GET', path='/comparison')
    @answering
    def comparison(
        self, baseline: str = '', candidate: str = '', run: Any = None
    ) -> Dict[str, Any]:
        """Return one row per workload with ratio, interval, verdict."""
        return call(  # type: ignore[no-any-return]
            'compare',
            baseline=baseline,
            candidate=candidate,
            runs=many(run),
        )

    @EndpointDoc('List the tools found, and what is missing without them')
    @RESTController.Collection('GET', path='/doctor')
    @answering
    def doctor(self) -> Dict[str, Any]:
        """Return the tools of the active Manager's host."""
        return call('doctor')  # type: ignore[no-any-return]

    @EndpointDoc(
        'End the current run',
        parameters={'now': (bool, 'Kill its load before answering', True)},
    )
    @RESTController.Collection('POST', path='/stop')
    @UpdatePermission
    @allow_empty_body
    @answering
    def stop(self, now: bool = False) -> Dict[str, Any]:
        """End the current run, whichever it is."""
        return call(  # type: ignore[no-any-return]
            'stop', now=flag('now', now)
        )

    @EndpointDoc('Undo what earlier runs left in the cluster')
    @RESTController.Collection('POST', path='/cleanup')
    @UpdatePermission
    @allow_empty_body
    @answering
    def cleanup(self) -> Dict[str, Any]:
        """Return what was undone and what is not ours."""
        return call('cleanup')  # type: ignore[no-any-return]
