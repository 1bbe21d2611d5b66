"""REST: recoveries, observed and provoked."""

from typing import Any, Iterator, Optional

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    Endpoint,
    EndpointDoc,
    ReadPermission,
    UpdatePermission,
    allow_empty_body,
)
from dashboard.security import Permission

from . import bodies, scope
from .bodies import taking
from .controller import Controller
from .downloads import download
from .handlers import answering, call, given, number, paging
from .refusals import Refused
from .rest import ABOUT, TAG

HARMLESS = (None, '', 'backfill')  # moves data of the test's own pool only
RECOVERY = {'recovery': (str, 'Id of the recovery')}
PAIR = {
    'baseline': (str, 'Group that others are compared with', True),
    'candidate': (str, 'Group that is compared', True),
}


@APIRouter('/perfcompare/recovery', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareRecovery(Controller):  # noqa: D101
    RESOURCE_ID = 'recovery'

    @EndpointDoc(
        'List recoveries, the newest first, and what is observed now',
        parameters={
            'limit': (int, 'Recoveries of a page', True),
            'offset': (int, 'Recoveries before the page', True),
            'kind': (str, 'Only episodes, or only tests', True),
        },
    )
    @answering
    def list(
        self,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        kind: Optional[str] = None,
    ) -> Any:
        """Return a page of recoveries and the state of the observer."""
        return call(
            'recovery_ls',
            **paging(limit, offset),
            **given(kind=kind or None),
        )

    @EndpointDoc(
        'Start a recovery test; one that makes OSDs fail needs the scope '
        'perfcompare-failure',
        parameters=bodies.START_TEST,
    )
    @answering
    @taking(bodies.START_TEST)
    def create(self, **request: Any) -> Any:
        """Check and enqueue a recovery test; return its ticket at once."""
        scenario = request.get('scenario')
        if scenario not in HARMLESS and not self._has_permissions(
            Permission.CREATE, scope.FAILURE
        ):
            raise Refused(
                403,
                f'you are not permitted to start scenario {scenario!r}, '
                'which makes OSDs fail: your roles lack the scope '
                f'{scope.FAILURE}',
            )
        return call('recovery_run', **given(**request))

    @EndpointDoc(
        'Plan and check a recovery test, without starting it',
        parameters=bodies.RECOVERY,
    )
    @Controller.Collection('POST', path='/plan')
    @ReadPermission
    @answering
    @taking(bodies.RECOVERY)
    def plan(self, **request: Any) -> Any:
        """Return the plan, its text and every check."""
        return call('recovery_plan', **given(**request))

    @EndpointDoc(
        'End a recovery test in order; undo all but what an operator '
        'stopped',
        parameters=RECOVERY,
    )
    @Controller.Resource('POST', path='/cancel')
    @UpdatePermission
    @allow_empty_body
    @answering
    def cancel(self, recovery: str) -> Any:
        """Ask the current recovery test to end."""
        return call('recovery_cancel', test=recovery)

    @EndpointDoc(
        'Show a recovery with its phases',
        parameters=dict(RECOVERY, **PAIR),
    )
    @answering
    def get(
        self, recovery: str, baseline: str = '', candidate: str = ''
    ) -> Any:
        """Return an episode or a test, tables, notes, names of its series."""
        return call(
            'recovery_show',
            recovery=recovery,
            **given(baseline=baseline or None, candidate=candidate or None),
        )

    @EndpointDoc('Remove the record of a recovery', parameters=RECOVERY)
    @answering
    def delete(self, recovery: str) -> Any:
        """Remove what is stored of a recovery."""
        return call('recovery_rm', recovery=recovery)

    @EndpointDoc(
        'Show one series of a recovery',
        parameters=dict(RECOVERY, source=(str, 'Name of the series')),
    )
    @Controller.Resource('GET', path='/series')
    @answering
    def series(self, recovery: str, source: str = '') -> Any:
        """Return the parts of a series, each with times and columns."""
        return call('recovery_series', recovery=recovery, source=source)

    @EndpointDoc(
        'Compare the groups of a recovery test, step by step',
        parameters=dict(RECOVERY, **PAIR),
    )
    @Controller.Resource('GET', path='/compare')
    @answering
    def compare(
        self, recovery: str, baseline: str = '', candidate: str = ''
    ) -> Any:
        """Return times and figures of clients, all values of each."""
        return call(
            'recovery_compare',
            test=recovery,
            baseline=baseline,
            candidate=candidate,
        )

    @EndpointDoc(
        'Show one repetition of a recovery test, groups aligned at t0',
        parameters=dict(
            RECOVERY,
            repetition=(int, 'Number of the repetition, from 1', True),
            step=(int, 'Only this step', True),
        ),
    )
    @Controller.Resource('GET', path='/chart')
    @answering
    def chart(
        self,
        recovery: str,
        repetition: Optional[int] = None,
        step: Optional[int] = None,
    ) -> Any:
        """Return curves, marks and events of each group and step."""
        return call(
            'recovery_chart',
            test=recovery,
            **given(
                repetition=number('repetition', repetition),
                step=number('step', step),
            ),
        )

    @EndpointDoc(
        'Download a recovery, complete with its series', parameters=RECOVERY
    )
    @Endpoint('GET', path='/{recovery}/export', json_response=False)
    @ReadPermission
    def export(self, recovery: str) -> Iterator[bytes]:
        """Return the file that an import reads."""
        return download(
            self,
            'recovery_export',
            f'perfcompare-recovery-{recovery}.json',
            recovery=recovery,
        )

    @EndpointDoc(
        'Store an exported recovery',
        parameters={'text': (str, 'Content of the exported file')},
    )
    @Controller.Collection('POST', path='/import', status=201)
    @answering
    def import_(self, text: str) -> Any:
        """Store a recovery that this or another cluster exported."""
        return call('recovery_import', text=text)
