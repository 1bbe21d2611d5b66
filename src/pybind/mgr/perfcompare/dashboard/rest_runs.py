"""REST: runs and what was recorded of them."""

from typing import Any, Dict, Iterator, Optional

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    Endpoint,
    EndpointDoc,
    ReadPermission,
    UpdatePermission,
    allow_empty_body,
)

from . import scope
from .bodies import START, Fields, taking
from .controller import Controller
from .downloads import download
from .handlers import answering, call, flag, given, number, paging
from .refusals import Refused
from .rest import ABOUT, TAG

RUN = {'run': (str, 'Id of the run')}
KEY: Fields = {
    'round': (int, 'Round, from 0'),
    'block': (int, 'Block in the round, from 0'),
    'attempt': (int, 'Attempt of the block, from 0'),
    'position': (int, 'Position in the block, from 0'),
}
SERIES: Fields = dict(
    KEY, source=(str, 'client, osd.N or host.NAME', True, 'client')
)
MOST: Fields = {
    'top': (int, 'Rows, the most unlike OSDs first; all if absent', True)
}
TOP: Fields = dict(KEY, **MOST)


def _trial_key(**names: Any) -> Dict[str, Any]:
    """Return the key of a trial as numbers; each is required."""
    key = {name: number(name, value) for name, value in names.items()}
    for name, value in key.items():
        if value is None:
            raise Refused(400, f'{name} is missing')
    return key


@APIRouter('/perfcompare/run', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareRun(Controller):  # noqa: D101
    RESOURCE_ID = 'run'

    @EndpointDoc(
        'List runs, the newest first',
        parameters={
            'limit': (int, 'Runs of a page', True),
            'offset': (int, 'Runs before the page', True),
            'find': (str, 'Words that are in id, label, group, ...', True),
            'sort': (str, 'newest, oldest, longest, largest, ...', True),
        },
    )
    @answering
    def list(
        self,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        find: str = '',
        sort: str = '',
    ) -> Any:
        """Return a page of runs and their number."""
        return call(
            'ls',
            **paging(limit, offset),
            **given(find=find or None, sort=sort or None),
        )

    @EndpointDoc('Start a run', parameters=START)
    @answering
    @taking(START)
    def create(self, **request: Any) -> Any:
        """Check and enqueue a run; return its ticket at once."""
        return call('run', **given(**request))

    @EndpointDoc(
        'Show a run with its trials',
        parameters=dict(
            RUN, brief=(bool, 'Leave manifests and evidence out', True)
        ),
    )
    @answering
    def get(self, run: str, brief: bool = False) -> Any:
        """Return a run: state, plan, trials and what became of them."""
        return call('show', run=run, brief=flag('brief', brief))

    @EndpointDoc(
        'Show what limited each group under each workload', parameters=RUN
    )
    @Controller.Resource('GET', path='/findings')
    @answering
    def findings(self, run: str) -> Any:
        """Return the findings of a run, with their sources."""
        return call('findings', run=run)

    @EndpointDoc(
        'Show the hosts of a run side by side, by workload', parameters=RUN
    )
    @Controller.Resource('GET', path='/hosts')
    @answering
    def hosts(self, run: str) -> Any:
        """Return what each host did, and why figures are not there."""
        return call('hosts', run=run)

    @EndpointDoc('Remove the results of an ended run', parameters=RUN)
    @answering
    def delete(self, run: str) -> Any:
        """Remove what is stored of a run."""
        return call('rm', run=run)

    @EndpointDoc(
        'End a run in order: stop load, undo, keep results', parameters=RUN
    )
    @Controller.Resource('POST', path='/cancel')
    @UpdatePermission
    @allow_empty_body
    @answering
    def cancel(self, run: str) -> Any:
        """Ask the current run to end."""
        return call('cancel', run=run)

    @EndpointDoc(
        'Show what a run has in the cluster now, by its journal',
        parameters=RUN,
    )
    @Controller.Resource('GET', path='/journal')
    @answering
    def journal(self, run: str) -> Any:
        """Return the entries of the journal."""
        return call('journal', run=run)

    @EndpointDoc(
        'Show one trial with manifest and evidence',
        parameters=dict(RUN, **KEY),
    )
    @Controller.Resource('GET', path='/trial')
    @answering
    @taking(KEY)
    def trial(self, run: str, **key: Any) -> Any:
        """Return one trial."""
        return call('trial', run=run, **_trial_key(**key))

    @EndpointDoc(
        'Show what each OSD did in a run, by workload and group',
        parameters=dict(RUN, **MOST),
    )
    @Controller.Resource('GET', path='/osds')
    @answering
    @taking(MOST)
    def osds(self, run: str, **names: Any) -> Any:
        """Return a table for each workload and group."""
        top = names.get('top')
        return call('run_osds', run=run, **given(top=number('top', top)))

    @EndpointDoc(
        'Show how figures are spread over the OSDs of a trial',
        parameters=dict(RUN, **TOP),
    )
    @Controller.Resource('GET', path='/trial-osds')
    @answering
    @taking(TOP)
    def trial_osds(self, run: str, **names: Any) -> Any:
        """Return the spread of each figure, and the top OSDs."""
        top = names.pop('top', None)
        return call(
            'trial_osds',
            run=run,
            **given(top=number('top', top)),
            **_trial_key(**names),
        )

    @EndpointDoc(
        'Show one raw series of a trial',
        parameters=dict(RUN, **SERIES),
    )
    @Controller.Resource('GET', path='/series')
    @answering
    @taking(SERIES)
    def series(self, run: str, **names: Any) -> Any:
        """Return times and columns, one value per second or sample."""
        source = names.pop('source', None)
        return call('series', run=run, source=source, **_trial_key(**names))

    @EndpointDoc('Download a run, complete with raw samples', parameters=RUN)
    @Endpoint('GET', path='/{run}/export', json_response=False)
    @ReadPermission
    def export(self, run: str) -> Iterator[bytes]:
        """Return the file that `ceph perfcompare import` reads."""
        return download(self, 'export', f'perfcompare-{run}.json', run=run)

    @EndpointDoc(
        "Store an exported run, or another tool's results",
        parameters={
            'text': (str, 'Content of the file; base64 if compressed'),
            'tool': (
                str,
                'auto, warp, cosbench, fio, elbencho, vdbench, cbt, csv or '
                'json',
                True,
                'auto',
            ),
            'group': (str, 'Whose results, if the file says not', True),
            'label': (str, 'A note', True),
        },
    )
    @Controller.Collection('POST', path='/import', status=201)
    @answering
    def import_(
        self,
        text: str,
        tool: str = 'auto',
        group: Optional[str] = None,
        label: Optional[str] = None,
    ) -> Any:
        """Store a run of a cluster, or what another tool measured."""
        return call('import', text=text, tool=tool, group=group, label=label)
