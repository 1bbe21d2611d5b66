"""REST: runs and what was recorded of them."""

from typing import Any, Dict, Iterator, List, Optional

import json

import cherrypy

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    Endpoint,
    EndpointDoc,
    ReadPermission,
    RESTController,
    UpdatePermission,
    allow_empty_body,
)

from . import scope
from .bodies import REQUEST, request_fields
from .handlers import answering, call, flag, given, number
from .refusals import Refused
from .rest import ABOUT, TAG

RUN = {'run': (str, 'Id of the run')}
TRIAL = dict(
    RUN,
    round=(int, 'Round, from 0'),
    block=(int, 'Block in the round, from 0'),
    attempt=(int, 'Attempt of the block, from 0'),
    position=(int, 'Position in the block, from 0'),
)


def _trial_key(**names: Any) -> Dict[str, Any]:
    """Return the key of a trial as numbers; each is required."""
    key = {name: number(name, value) for name, value in names.items()}
    for name, value in key.items():
        if value is None:
            raise Refused(400, f'{name} is missing')
    return key


@APIRouter('/perfcompare/run', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareRun(RESTController):  # noqa: D101
    RESOURCE_ID = 'run'

    @EndpointDoc(
        'List runs, the newest first',
        parameters={
            'limit': (int, 'Runs of a page', True),
            'offset': (int, 'Runs before the page', True),
        },
    )
    @answering
    def list(
        self, limit: Optional[int] = None, offset: Optional[int] = None
    ) -> Dict[str, Any]:
        """Return a page of runs and their number."""
        return call(  # type: ignore[no-any-return]
            'ls',
            **given(
                limit=number('limit', limit), offset=number('offset', offset)
            ),
        )

    @EndpointDoc('Start a run', parameters=REQUEST)
    @answering
    def create(
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
        """Check and enqueue a run; return its ticket at once."""
        return call(  # type: ignore[no-any-return]
            'run', **request_fields(locals())
        )

    @EndpointDoc(
        'Show a run with its trials',
        parameters=dict(
            RUN, brief=(bool, 'Leave manifests and evidence out', True)
        ),
    )
    @answering
    def get(self, run: str, brief: bool = False) -> Dict[str, Any]:
        """Return a run: state, plan, trials and what became of them."""
        return call(  # type: ignore[no-any-return]
            'show', run=run, brief=flag('brief', brief)
        )

    @EndpointDoc('Remove the results of an ended run', parameters=RUN)
    @answering
    def delete(self, run: str) -> Any:
        """Remove what is stored of a run."""
        return call('rm', run=run)

    @EndpointDoc(
        'End a run in order: stop load, undo, keep results', parameters=RUN
    )
    @RESTController.Resource('POST', path='/cancel')
    @UpdatePermission
    @allow_empty_body
    @answering
    def cancel(self, run: str) -> Dict[str, Any]:
        """Ask the current run to end."""
        return call('cancel', run=run)  # type: ignore[no-any-return]

    @EndpointDoc(
        'Show what a run has in the cluster now, by its journal',
        parameters=RUN,
    )
    @RESTController.Resource('GET', path='/journal')
    @answering
    def journal(self, run: str) -> Any:
        """Return the entries of the journal."""
        return call('journal', run=run)

    @EndpointDoc(
        'Show one trial with manifest and evidence', parameters=TRIAL
    )
    @RESTController.Resource('GET', path='/trial')
    @answering
    def trial(
        self,
        run: str,
        round: Any = None,
        block: Any = None,
        attempt: Any = None,
        position: Any = None,
    ) -> Dict[str, Any]:
        """Return one trial."""
        return call(  # type: ignore[no-any-return]
            'trial',
            run=run,
            **_trial_key(
                round=round, block=block, attempt=attempt, position=position
            ),
        )

    @EndpointDoc(
        'Show one raw series of a trial',
        parameters=dict(
            TRIAL,
            source=(str, 'client, osd.N or host.NAME', True, 'client'),
        ),
    )
    @RESTController.Resource('GET', path='/series')
    @answering
    def series(
        self,
        run: str,
        round: Any = None,
        block: Any = None,
        attempt: Any = None,
        position: Any = None,
        source: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Return times and columns, one value per second or sample."""
        return call(  # type: ignore[no-any-return]
            'series',
            run=run,
            source=source,
            **_trial_key(
                round=round, block=block, attempt=attempt, position=position
            ),
        )

    @EndpointDoc('Download a run, complete with raw samples', parameters=RUN)
    @Endpoint('GET', path='/{run}/export', json_response=False)
    @ReadPermission
    def export(self, run: str) -> Iterator[bytes]:
        """Return the file that `ceph perfcompare import` reads."""
        headers = cherrypy.response.headers
        headers['Content-Type'] = 'application/json'
        body = _export(self, run)
        if isinstance(body, str):
            headers['Content-Disposition'] = (
                f'attachment; filename="perfcompare-{run}.json"'
            )
            return iter([body.encode()])
        return iter([json.dumps(body).encode()])

    @EndpointDoc(
        'Store an exported run',
        parameters={'text': (str, 'Content of the exported file')},
    )
    @RESTController.Collection('POST', path='/import', status=201)
    @answering
    def import_(self, text: str) -> Dict[str, Any]:
        """Store a run that this or another cluster exported."""
        return call('import', text=text)  # type: ignore[no-any-return]


@answering
def _export(_controller: Any, run: str) -> Any:
    return call('export', run=run)
