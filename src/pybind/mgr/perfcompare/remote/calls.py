"""The use cases as the dashboard calls them: by name, with plain data.

`mgr.remote` turns every exception into a RuntimeError with a traceback, so
an error travels as data: its errno and its one line.
"""

from typing import Any, Callable, Dict, List, Tuple

import errno
import logging

from ..analysis import excerpt
from ..app import errands
from ..app.requests import PlanDraft, RunRequest
from ..app.service import Service
from ..common.codec import from_data, to_data
from ..common.errors import InProgress, InvalidArgument, PerfcompareError
from ..common.option import repeated
from ..common.printable import message
from ..model import load
from ..model.series import Table
from ..planning.agreed import digest
from ..planning.options import RUN
from ..recovery.plan.options import RECOVERY_RUN
from ..recovery.plan.request import RecoveryRequest
from ..report import plan as plantext
from ..report.recovery import plan as describe
from ..report.recovery.notes import notes
from ..report.recovery.tables import tables
from ..store.results import CLIENT, TrialKey
from .arguments import by_field, checked, refuse_odd, with_lists

log = logging.getLogger(__name__)

IN_PROGRESS = 'in_progress'  # whoever asks again gets the answer
Call = Callable[[Service, Dict[str, Any]], Any]


def call(service: Service, name: str, args: Dict[str, Any]) -> Dict[str, Any]:
    """Call a use case; return {'data': …} or {'errno': …, 'error': …}."""
    try:
        if name not in CALLS:
            raise InvalidArgument(f'unknown call {name!r}')
        if name not in REQUESTS:
            args = checked(args)

        def work() -> Any:
            return to_data(CALLS[name](service, args))

        if name in AT_ONCE:
            found = work()
            if _changes(name, args):
                service.outdate(ended=True)
            return {'data': found}
        key = errands.key_of(name, args)
        once = name.replace('_', ' ') in errands.ONCE
        changes = _changes(name, args)
        todo = service.changing(work) if changes else work
        found = service.calls.do(repr(name), key, todo, once, changes)
        return {'data': found}
    except InProgress as error:
        return {
            'errno': error.errno,
            'error': error.message,
            'code': IN_PROGRESS,
        }
    except PerfcompareError as error:
        text = by_field(error.message, name)
        return {'errno': error.errno, 'error': message(text)}
    except Exception as error:
        log.exception('call %r failed', name)
        return {
            'errno': errno.EIO,
            'error': f'internal error: {type(error).__name__}; '
            'see the log of the active Manager',
        }


def _changes(name: str, args: Dict[str, Any]) -> bool:
    """Say whether a call changes something."""
    wish = ON_WISH.get(name)
    return name not in READS and (wish is None or bool(args.get(wish)))


def _request(args: Dict[str, Any]) -> RunRequest:
    refuse_odd(args)
    options = (*RUN, *load.options().values())
    data = with_lists(args, repeated(options))
    data['origin'] = 'dashboard'
    return from_data(RunRequest, data, 'request')


def _recovery_request(args: Dict[str, Any]) -> RecoveryRequest:
    refuse_odd(args)
    data = with_lists(args, repeated(RECOVERY_RUN))
    data['origin'] = 'dashboard'
    return from_data(RecoveryRequest, data, 'request')


def _recovery_draft(service: Service, args: Dict[str, Any]) -> Any:
    """Return plan and checks of a recovery test together."""
    draft = service.tests.draft(_recovery_request(args))
    return _shown(draft, describe.describe(draft.plan, draft.abort_rules))


def _draft(service: Service, args: Dict[str, Any]) -> Any:
    """Return plan and checks together: what a form shows before start."""
    draft = service.draft(_request(args))
    return _shown(draft, plantext.describe(draft.plan, draft.abort_rules))


def _shown(draft: PlanDraft, text: str) -> Dict[str, Any]:
    return {
        'plan': draft.plan,
        'text': text,
        'preflight': draft.preflight,
        'digest': digest(draft.plan, draft.preflight.asks),
    }


def _start(service: Service, args: Dict[str, Any]) -> Any:
    """Start a run, if its plan is still the one of the digest, if any."""
    wanted, seen = _seen(args)
    return service.start(_request(wanted), seen)


def _start_test(service: Service, args: Dict[str, Any]) -> Any:
    """Start a recovery test as `_start` does a run."""
    wanted, seen = _seen(args)
    return service.tests.start(_recovery_request(wanted), seen)


def _seen(args: Dict[str, Any]) -> Tuple[Dict[str, Any], str]:
    """Return a request, and the digest of the plan that was looked at."""
    found = dict(args)
    seen = found.pop('digest', None) or ''
    if not isinstance(seen, str):
        raise InvalidArgument('request.digest: is not text')
    return found, seen


def _trial_key(args: Dict[str, Any]) -> TrialKey:
    return TrialKey(*(args[name] for name in TrialKey._fields))


def _group(args: Dict[str, Any]) -> List[Any]:
    fields = ('hosts', 'device_class', 'watts', 'price', 'note')
    return [args['group'], *(args.get(name) for name in fields)]


def _show(service: Service, args: Dict[str, Any]) -> Any:
    """Return a run; ``brief`` leaves out what only one trial's page shows.

    With 1,000 OSDs the evidence of all trials is tens of megabytes.
    """
    return service.results.show(args['run'], bool(args.get('brief')))


def _compare(service: Service, args: Dict[str, Any]) -> Any:
    """Return a comparison; ``brief`` and ``row`` leave out most of it.

    ``brief`` keeps of each row what lists and plots show, ``row`` one row
    whole, alone or among brief ones; with 56 rows all of it is more than
    half a megabyte.
    """
    found = service.results.compare(
        args['baseline'],
        args['candidate'],
        args.get('runs') or [],
        args.get('across') or [],
    )
    if args.get('row'):
        part = excerpt.with_row if args.get('brief') else excerpt.one_row
        return part(found, args['row'])
    return excerpt.brief(found) if args.get('brief') else found


def _row_evidence(service: Service, args: Dict[str, Any]) -> Any:
    """Return what is behind one row of a comparison."""
    return service.results.row_evidence(
        args['baseline'],
        args['candidate'],
        args.get('runs') or [],
        args['row'],
        args.get('of_round') or '',
        args.get('across') or [],
    )


def _trial(service: Service, args: Dict[str, Any]) -> Any:
    """Return one trial with its manifest and evidence."""
    return service.results.trial(args['run'], _trial_key(args))


def _trial_osds(service: Service, args: Dict[str, Any]) -> Any:
    """Return the spread over the OSDs of one trial, and the ``top`` ones."""
    top = args.get('top')
    return service.results.trial_osds(args['run'], _trial_key(args), top)


def _osds(service: Service, args: Dict[str, Any]) -> Any:
    """Return all OSDs by id: what groups are made of."""
    osds = service.cluster.topology().osds
    return [osds[ident] for ident in sorted(osds)]


def _series(service: Service, args: Dict[str, Any]) -> Any:
    """Return the columns of one raw series of one trial."""
    key = _trial_key(args)
    table = service.results.series(
        args['run'], key, args.get('source') or CLIENT
    )
    return _columns(table)


def _recovery_show(service: Service, args: Dict[str, Any]) -> Any:
    """Return a recovery, its tables as the CLI prints them, and notes."""
    found = service.recoveries.show(args['recovery'])
    pair = (args.get('baseline') or '', args.get('candidate') or '')
    return dict(
        to_data(found),
        tables=to_data(tables(found.item, *pair)),
        notes=to_data(notes(found.item)),
    )


def _recovery_series(service: Service, args: Dict[str, Any]) -> Any:
    """Return the parts of one series of a recovery, in order."""
    parts = service.recoveries.series(args['recovery'], args['source'])
    return [_columns(table) for table in parts]


def _columns(table: Table) -> Any:
    return {
        'wall_start': table.wall_start,
        't': list(table.t),
        'columns': [
            {'name': c.name, 'unit': c.unit, 'values': c.optional()}
            for c in table.columns
        ],
    }


def _without_load_host(service: Service, host: str) -> Dict[str, str]:
    service.load_hosts.remove(host)
    return {'removed': host}


# calls that have a dataclass of their own for their arguments
REQUESTS = frozenset(('plan', 'run', 'recovery_plan', 'recovery_run'))

CALLS: Dict[str, Call] = {
    'status': lambda s, a: s.status(),
    'group_ls': lambda s, a: s.groups.list(),
    'group_show': lambda s, a: s.groups.show(a['group']),
    'group_create': lambda s, a: s.groups.create(*_group(a)),
    'group_set': lambda s, a: s.groups.set(*_group(a)),
    'group_rm': lambda s, a: s.groups.remove(a['group']),
    'group_detect': lambda s, a: s.groups.detect(bool(a.get('apply'))),
    'gateways_ls': lambda s, a: s.gateways.list(),
    'gateways_set': lambda s, a: s.gateways.set(
        a['group'],
        a.get('endpoints'),
        a.get('placement'),
        a.get('region'),
        a.get('keys'),
        a.get('dns_name'),
    ),
    'gateways_rm': lambda s, a: s.gateways.remove(a['group']),
    'profile_ls': lambda s, a: s.profiles.list(),
    'profile_show': lambda s, a: s.former_profiles.show(a['profile']),
    'profile_create': lambda s, a: s.profiles.create(
        a['profile'], a.get('text')
    ),
    'profile_set': lambda s, a: s.profiles.set(a['profile'], a.get('text')),
    'profile_export': lambda s, a: {
        'profile': a['profile'],
        'text': s.former_profiles.export(a['profile']),
    },
    'profile_rm': lambda s, a: s.profiles.remove(a['profile']),
    'plan': _draft,
    'run': _start,
    'ls': lambda s, a: s.results.list(
        a.get('limit'), a.get('offset'), a.get('find'), a.get('sort')
    ),
    'show': _show,
    'findings': lambda s, a: s.results.findings(a['run']),
    'hosts': lambda s, a: s.results.hosts(a['run']),
    'exporters': lambda s, a: s.exporters.list(),
    'exporter_set': lambda s, a: s.exporters.set(a['keys']),
    'exporter_rm': lambda s, a: {'removed': s.exporters.forget()},
    'load_host_ls': lambda s, a: s.load_hosts.list(),
    'load_host_check': lambda s, a: s.load_hosts.check(a['host']),
    'load_host_enable': lambda s, a: s.load_hosts.enable(
        a['host'], a['enabled']
    ),
    'load_host_rm': lambda s, a: _without_load_host(s, a['host']),
    'trial': _trial,
    'osds': _osds,
    'trial_osds': _trial_osds,
    'run_osds': lambda s, a: s.results.osds(a['run'], a.get('top')),
    'journal': lambda s, a: s.journal(a['run']),
    'cancel': lambda s, a: s.cancel(a['run']),
    'stop': lambda s, a: s.stop(bool(a.get('now')), a.get('run', '')),
    'rm': lambda s, a: s.results.remove(a['run']),
    'export': lambda s, a: s.results.export(a['run']),
    'import': lambda s, a: s.results.import_run(
        a['text'],
        a.get('tool') or 'auto',
        a.get('group'),
        a.get('label') or '',
    ),
    'series': _series,
    'compare': _compare,
    'row_evidence': _row_evidence,
    'recovery_plan': _recovery_draft,
    'recovery_run': _start_test,
    'recovery_cancel': lambda s, a: s.tests.cancel(a['test']),
    'recovery_compare': lambda s, a: s.tests.compare(
        a['test'], a.get('baseline') or '', a.get('candidate') or ''
    ),
    'recovery_chart': lambda s, a: s.tests.chart(
        a['test'],
        1 if a.get('repetition') is None else a['repetition'],
        a.get('step'),
    ),
    'recovery_ls': lambda s, a: s.recoveries.list(
        a.get('limit'), a.get('offset'), a.get('kind')
    ),
    'recovery_show': _recovery_show,
    'recovery_series': _recovery_series,
    'recovery_rm': lambda s, a: s.recoveries.remove(a['recovery']),
    'recovery_export': lambda s, a: s.recoveries.export(a['recovery']),
    'recovery_import': lambda s, a: s.recoveries.import_(a['text']),
    'doctor': lambda s, a: s.doctor(),
    'cleanup': lambda s, a: s.cleanup(),
}

# those that ask neither database nor maps nor mons, or have a thread
AT_ONCE = frozenset(('status', 'cancel', 'stop', 'recovery_cancel', 'export'))
# those that change something only where this argument is true
ON_WISH = {'group_detect': 'apply'}
# those that change nothing
READS = frozenset(
    (
        'status',
        'group_ls',
        'group_show',
        'gateways_ls',
        'profile_ls',
        'profile_show',
        'profile_export',
        'plan',
        'ls',
        'show',
        'findings',
        'hosts',
        'exporters',
        'load_host_ls',
        'load_host_check',
        'trial',
        'osds',
        'trial_osds',
        'run_osds',
        'journal',
        'export',
        'series',
        'compare',
        'row_evidence',
        'recovery_plan',
        'recovery_compare',
        'recovery_chart',
        'recovery_ls',
        'recovery_show',
        'recovery_series',
        'recovery_export',
        'doctor',
    )
)
