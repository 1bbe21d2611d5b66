"""Tests of the dashboard part: REST endpoints and what they refuse."""

import dataclasses
import errno
import inspect
import io
import json
import logging
import sys
import types

import pytest

from perfcompare.app.requests import RunRequest
from perfcompare.common import codec
from perfcompare.model import load
from perfcompare.recovery.plan.request import RecoveryRequest

from ..fakes import dashboard as fake
from ..fakes import dashboard_part
from ..fakes.dashboard_part import answer_of, controller

host = dashboard_part.host
part = dashboard_part.part

pytestmark = pytest.mark.skipif(
    not fake.LOADER.is_file(), reason='the plugin is not beside the sources'
)


def test_system_roles_get_the_scope(part):
    roles = sys.modules['dashboard.services.access_control'].SYSTEM_ROLES
    granted = {n: r.scopes_permissions for n, r in roles.items()}
    every = ['read', 'create', 'update', 'delete']
    assert granted == {
        'administrator': {
            'perfcompare': every,
            'perfcompare-failure': every,
        },
        'cluster-manager': {'perfcompare': every},
        'pool-manager': {'perfcompare': ['read']},
        'read-only': {'perfcompare': ['read']},
        'rgw-manager': {},
    }


@pytest.mark.parametrize(
    'broken',
    [SyntaxError('x'), ImportError('x'), SystemExit(1), AttributeError('x')],
)
@pytest.mark.parametrize('where', ['endpoints', '__init__'])
def test_what_fails_leaves_nothing(host, monkeypatch, caplog, broken, where):
    def fail(*_args):
        raise broken

    if where == 'endpoints':
        fail = classmethod(fail)
    monkeypatch.setattr(fake.RESTController, where, fail, raising=False)
    with caplog.at_level(logging.CRITICAL):
        assert fake.load() is None
    assert fake.BaseController._registry == []
    assert not [n for n in sys.modules if n.startswith(fake.NAME)]
    home = sys.modules['dashboard.controllers.home'].HomeController
    assert not hasattr(home.__call__, '_perfcompare')


def test_a_changed_dashboard_leaves_nothing(host):
    del sys.modules['dashboard.controllers'].EndpointDoc
    assert fake.load() is None
    assert fake.BaseController._registry == []


def test_the_rehearsal_puts_handlers_back(host, monkeypatch):
    def endpoints(cls):
        cls.list = 'wrapped'
        return []

    monkeypatch.setattr(
        fake.RESTController, 'endpoints', classmethod(endpoints)
    )
    assert fake.load() is not None
    assert callable(controller('PerfcompareRun').list)


@pytest.mark.parametrize(
    'code, status',
    [
        (errno.ENOENT, 404),
        (errno.EBUSY, 409),
        (errno.EEXIST, 409),
        (errno.EPERM, 403),
        (errno.EAGAIN, 503),
        (errno.EINVAL, 400),
        (errno.EIO, 500),
    ],
)
def test_each_errno_has_its_status(host, part, code, status):
    host.mgr.answer = {'errno': code, 'error': 'one line'}
    got, body = answer_of(host, controller('PerfcompareRun').get, '1a2b3c4d')
    assert (got, body['detail']) == (status, 'one line')
    assert body['component'] == 'perfcompare'


def parsed(text):
    """Read a body as the dashboard has it read for our controllers."""
    found = []
    for kind in fake.BaseController._registry:
        config = getattr(kind, '_cp_config', {})
        if 'tools.json_in.processor' in config:
            found.append(config['tools.json_in.processor'])
    assert len(found) >= 6 and len(set(found)) == 1
    found[0](types.SimpleNamespace(fp=io.BytesIO(text.encode())))
    return sys.modules['cherrypy'].request.json


@pytest.mark.parametrize(
    'text', ['{}', '{"name": "arm"}', '"{\\"name\\": 1}"']
)
def test_a_body_that_is_an_object_is_read(part, text):
    found = json.loads(text)
    assert parsed(text) == found


@pytest.mark.parametrize(
    'text, shown',
    [
        ('true', 'true'),
        ('null', 'null'),
        ('1e999', 'Infinity'),
        ('[["name", 1]]', 'a list'),
        ('"x"', '"x"'),
        ('"[1]"', 'a list'),
        ('"%s"' % ('y' * 9000), '"yyyy'),
    ],
)
def test_a_body_that_is_no_object_gets_one_line(part, text, shown):
    """The dashboard would answer 500, and log a traceback."""
    with pytest.raises(sys.modules['cherrypy'].HTTPError) as refused:
        parsed(text)
    assert refused.value.status == 400
    line = refused.value.args[1]
    assert line.startswith('the body is ' + shown)
    assert 'give a JSON object' in line and len(line) < 120


def test_what_takes_a_moment_is_no_failure(host, part):
    """Browsers tell each failed request to whoever reads the console."""
    host.mgr.answer = {
        'errno': errno.EAGAIN,
        'error': 'takes a moment',
        'code': 'in_progress',
    }
    got, body = answer_of(host, controller('PerfcompareRun').get, '1a2b3c4d')
    assert (got, body['code']) == (202, 'in_progress')
    cherrypy = sys.modules['cherrypy']
    assert cherrypy.response.headers['Retry-After'] == '1'


@pytest.mark.parametrize(
    'error, status, words',
    [
        (ImportError('x'), 503, 'ceph mgr module enable perfcompare'),
        (NameError('x'), 503, 'ceph mgr fail'),
        (RuntimeError('Traceback\n  boom'), 500, 'log of the Manager'),
    ],
)
def test_a_module_that_does_not_answer(host, part, error, status, words):
    host.mgr.answer = error
    got, body = answer_of(host, controller('Perfcompare').doctor)
    assert got == status
    assert words in body['detail'] and '\n' not in body['detail']


def test_wrong_arguments_are_refused_in_one_line(host, part):
    rest, runs = controller('Perfcompare'), controller('PerfcompareRun')
    for status, body in (
        answer_of(host, rest.plan),
        answer_of(host, rest.plan, groups=['a'], speed=1),
        answer_of(host, runs.list, limit='many'),
        answer_of(host, runs.series, '1a2b3c4d', round='0', block='x'),
        answer_of(host, runs.get, '1a2b3c4d', brief='perhaps'),
    ):
        assert status == 400
        assert '\n' not in body['detail']
    assert host.mgr.calls == []


def test_a_reader_detects_and_does_not_apply(host, part):
    groups = controller('PerfcompareGroup')
    assert answer_of(host, groups.detect, apply=True)[0] == 403
    assert answer_of(host, groups.detect, apply=False)[0] == 200
    assert host.mgr.calls == [('group_detect', {'apply': False})]


def test_only_given_fields_of_a_request_are_sent(host, part):
    controller('PerfcompareRun').create(groups=['a'], duration=5)
    name, args = host.mgr.calls[0]
    assert name == 'run'
    assert {k: v for k, v in args.items() if v} == {
        'groups': ['a'],
        'duration': 5,
    }
    assert 'seed' not in args and 'self' not in args


@pytest.mark.parametrize(
    'body, request_of',
    [('REQUEST', RunRequest), ('RECOVERY', RecoveryRequest)],
)
def test_a_request_has_the_fields_of_the_use_case(part, body, request_of):
    names = {field.name for field in dataclasses.fields(request_of)}
    if 'drivers' in names:
        names |= set(load.options())
    sent = set(getattr(part['bodies'], body))
    assert sent == names - {'drivers', 'origin'}
    given = {n: None for n in sent - {'groups', 'label', 'scenario'}}
    flags = {n for n, f in _fields(request_of) if f is False}
    given.update(dict.fromkeys(flags, True), groups=['x'])
    assert codec.from_data(request_of, given).groups == ('x',)


def _fields(request_of):
    own = [(o.name, o.absent) for o in load.options().values()]
    return [(f.name, f.default) for f in dataclasses.fields(request_of)] + (
        own if request_of is RunRequest else []
    )


def test_declarations_are_read_without_the_module(part):
    found = {
        tuple(name.split('.')[2:])
        for name in sys.modules
        if name.startswith(f'{fake.NAME}.declared_in.')
    }
    assert {f[0] for f in found} <= {
        'cli', 'common', 'drivers', 'model', 'planning', 'recovery', 'worker'
    }  # fmt: skip
    # of the worker what both sides know, and no load
    assert {f[1] for f in found if f[0] == 'worker' and f[1:]} <= {'wire'}
    assert ('recovery', 'run') not in found
    assert ('module',) not in found


def test_forms_are_made_of_the_declarations(part):
    found = controller('Perfcompare').options()
    json.dumps(found)  # as the dashboard sends it
    for form, body in (('run', 'REQUEST'), ('recovery', 'RECOVERY')):
        names = [option['name'] for option in found[form]]
        assert names == list(getattr(part['bodies'], body))
    run = {option['name']: option for option in found['run']}
    assert run['rounds']['least'] == 1 and run['rounds']['most'] > 1
    assert run['list_keys']['default'] == '1000'
    assert run['list_keys']['load'] == 's3'
    assert run['prefill']['load'] == 's3'
    assert run['prefill']['help'] == 'Objects read, or their bytes, as 10G'
    assert not [o for o in found['run'] if o['help'].startswith('S3: ')]
    assert run['replicas']['load'] == ''
    assert 'device' in run['cache']['choices']
    loads = {load['name']: load for load in found['loads']}
    assert 'seq' in loads['rados']['operations']
    assert 's3-stat' in loads['s3']['operations']
    assert set(loads['s3']['beside_recovery']) == set(
        load.beside_recovery().get('s3', ())
    )


@pytest.mark.parametrize(
    'name, method, body',
    [
        ('Perfcompare', 'plan', 'REQUEST'),
        ('PerfcompareRun', 'create', 'START'),
        ('PerfcompareRecovery', 'plan', 'RECOVERY'),
        ('PerfcompareRecovery', 'create', 'START_TEST'),
    ],
)
def test_the_dashboard_sees_each_field_of_a_body(part, name, method, body):
    func = getattr(type(controller(name)), method)
    # as dashboard.tools.getargspec does
    spec = inspect.getfullargspec(inspect.unwrap(func))
    assert spec.args == ['self', *getattr(part['bodies'], body)]
    assert len(spec.args) - len(spec.defaults) == 2  # self, groups
    assert spec.varkw is None


def test_post_defines_a_group_and_put_changes_it(host, part):
    groups = controller('PerfcompareGroup')
    assert answer_of(host, groups.create, 'b', hosts=['h'])[0] == 200
    assert answer_of(host, groups.set, 'a', watts=7)[0] == 200
    assert host.mgr.calls == [
        ('group_create', {'group': 'b', 'hosts': ['h']}),
        ('group_set', {'group': 'a', 'watts': 7}),
    ]


def test_a_profile_is_defined_changed_exported_removed(host, part):
    profiles = controller('PerfcompareProfile')
    assert answer_of(host, profiles.create, 'b', text='x')[0] == 200
    assert answer_of(host, profiles.set, 'a', text='y')[0] == 200
    assert answer_of(host, profiles.export, 'a')[0] == 200
    assert answer_of(host, profiles.delete, 'a')[0] == 200
    assert host.mgr.calls == [
        ('profile_create', {'profile': 'b', 'text': 'x'}),
        ('profile_set', {'profile': 'a', 'text': 'y'}),
        ('profile_export', {'profile': 'a'}),
        ('profile_rm', {'profile': 'a'}),
    ]


def test_osds_of_a_trial_are_found_by_its_key(host, part):
    runs = controller('PerfcompareRun')
    key = {'round': '1', 'block': '0', 'attempt': '1', 'position': '2'}
    numbers = {'round': 1, 'block': 0, 'attempt': 1, 'position': 2}
    assert answer_of(host, runs.trial_osds, 'r', **key)[0] == 200
    assert answer_of(host, runs.trial_osds, 'r', top='5', **key)[0] == 200
    assert answer_of(host, runs.osds, 'r')[0] == 200
    assert answer_of(host, runs.osds, 'r', top='20')[0] == 200
    assert host.mgr.calls == [
        ('trial_osds', dict(numbers, run='r')),
        ('trial_osds', dict(numbers, run='r', top=5)),
        ('run_osds', {'run': 'r'}),
        ('run_osds', {'run': 'r', 'top': 20}),
    ]


def test_a_series_is_found_by_the_key_of_its_trial(host, part):
    runs = controller('PerfcompareRun')
    key = {'round': '1', 'block': '0', 'attempt': '1', 'position': '0'}
    assert answer_of(host, runs.series, 'r', **key)[0] == 200
    assert answer_of(host, runs.trial, 'r', **key)[0] == 200
    numbers = {'round': 1, 'block': 0, 'attempt': 1, 'position': 0}
    assert host.mgr.calls == [
        ('series', dict(numbers, run='r', source=None)),
        ('trial', dict(numbers, run='r')),
    ]
    status, body = answer_of(host, runs.trial, 'r', **dict(key, round=''))
    assert (status, body['detail']) == (400, 'round is missing')


def test_an_export_is_a_file_and_a_refusal_is_not(host, part):
    headers = sys.modules['cherrypy'].response.headers
    runs = controller('PerfcompareRun')
    host.mgr.answer = {'errno': errno.ENOENT, 'error': 'no run r'}
    status, body = answer_of(host, runs.export, 'r')
    assert status == 404 and b'no run r' in b''.join(body)
    assert 'Content-Disposition' not in headers
    host.mgr.answer = {'data': '{"run": 1}'}
    assert b''.join(runs.export('r')) == b'{"run": 1}'
    assert 'perfcompare-r.json' in headers['Content-Disposition']


def test_runs_are_searched_and_sorted(host, part):
    runs = controller('PerfcompareRun')
    runs.list(limit='5', find='arm 4K', sort='longest')
    runs.list(find='', sort='')
    assert host.mgr.calls == [
        ('ls', {'limit': 5, 'find': 'arm 4K', 'sort': 'longest'}),
        ('ls', {}),
    ]


def test_a_recovery_is_listed_shown_and_taken_away(host, part):
    part_of = controller('PerfcompareRecovery')
    part_of.list(limit='5', kind='')
    part_of.get('1a2b3c4d')
    part_of.get('1a2b3c4d', baseline='arm')
    part_of.series('1a2b3c4d', source='arm')
    assert host.mgr.calls == [
        ('recovery_ls', {'limit': 5}),
        ('recovery_show', {'recovery': '1a2b3c4d'}),
        ('recovery_show', {'recovery': '1a2b3c4d', 'baseline': 'arm'}),
        ('recovery_series', {'recovery': '1a2b3c4d', 'source': 'arm'}),
    ]
    host.mgr.answer = {'data': '{}'}
    assert b''.join(part_of.export('1a2b3c4d')) == b'{}'
    headers = sys.modules['cherrypy'].response.headers
    assert 'recovery-1a2b3c4d.json' in headers['Content-Disposition']


def test_gateways_are_set_and_forgotten(host, part):
    gateways = controller('PerfcompareGateways')
    gateways.list()
    gateways.set(
        'arm',
        endpoints=['http://a:80'],
        region='eu',
        access_key='A',
        secret_key='S',
    )
    gateways.delete('arm')
    name, sent = host.mgr.calls[1]
    assert json.loads(sent.pop('keys')) == {
        'access_key': 'A',
        'secret_key': 'S',
    }
    assert (name, sent) == (
        'gateways_set',
        {'group': 'arm', 'endpoints': ['http://a:80'], 'region': 'eu'},
    )
    assert host.mgr.calls[::2] == [
        ('gateways_ls', {}),
        ('gateways_rm', {'group': 'arm'}),
    ]


def test_access_to_exporters_is_set_and_forgotten(host, part):
    exporters = controller('PerfcompareExporter')
    exporters.list()
    exporters.save(username='u', password='p')
    exporters.forget()
    name, sent = host.mgr.calls[1]
    assert name == 'exporter_set'
    assert json.loads(sent['keys']) == {'username': 'u', 'password': 'p'}
    assert host.mgr.calls[::2] == [('exporters', {}), ('exporter_rm', {})]


def test_load_hosts_are_listed_checked_switched_and_removed(host, part):
    hosts = controller('PerfcompareLoadHost')
    hosts.list()
    hosts.get('load-1')
    hosts.set('load-1', enabled='false')
    hosts.delete('load-1')
    one = {'host': 'load-1'}
    assert host.mgr.calls == [
        ('load_host_ls', {}),
        ('load_host_check', one),
        ('load_host_enable', {'host': 'load-1', 'enabled': False}),
        ('load_host_rm', one),
    ]
    status, body = answer_of(host, hosts.set, 'load-1', enabled='maybe')
    assert status == 400 and 'enabled' in body['detail']


def test_a_recovery_test_is_planned_started_and_ended(host, part):
    tests = controller('PerfcompareRecovery')
    tests.plan(groups=['arm'], scenario='host-stop')
    tests.create(groups=['arm'], repetitions=1)
    tests.cancel('1a2b3c4d')
    tests.delete('1a2b3c4d')
    assert host.mgr.calls == [
        ('recovery_plan', {'groups': ['arm'], 'scenario': 'host-stop'}),
        ('recovery_run', {'groups': ['arm'], 'repetitions': 1}),
        ('recovery_cancel', {'test': '1a2b3c4d'}),
        ('recovery_rm', {'recovery': '1a2b3c4d'}),
    ]


@pytest.mark.parametrize('scenario', ['osd-out', 'host-stop', 'unknown'])
def test_only_who_may_makes_osds_fail(host, part, monkeypatch, scenario):
    tests = controller('PerfcompareRecovery')
    wish = {'groups': ['arm'], 'scenario': scenario, 'consent': True}
    may = {'perfcompare': ('read', 'create')}
    monkeypatch.setattr(fake.BaseController, 'granted', may)
    status, body = answer_of(host, tests.create, **wish)
    assert status == 403 and 'perfcompare-failure' in body['detail']
    assert host.mgr.calls == []
    may['perfcompare-failure'] = ('read', 'create')
    assert answer_of(host, tests.create, **wish)[0] == 200
    assert host.mgr.calls == [('recovery_run', wish)]


def test_one_run_or_several_are_compared(host, part):
    rest = controller('Perfcompare')
    for given, sent in ((None, []), ('r', ['r']), (['r', 's'], ['r', 's'])):
        rest.comparison(baseline='a', candidate='b', run=given)
        assert host.mgr.calls[-1][1]['runs'] == sent


def test_the_status_says_what_the_user_may(host, part):
    host.mgr.answer = {'data': {'progress': None}}
    found = controller('Perfcompare').status()
    assert found == {
        'progress': None,
        'permissions': ['read'],
        'failure_tests': False,
    }


def test_switched_off_nothing_is_asked(host, part):
    host.mgr.options['perfcompare/dashboard_ui'] = 'off'
    status, body = answer_of(host, controller('Perfcompare').doctor)
    assert status == 503 and 'dashboard_ui full' in body['detail']
    assert host.mgr.calls == []
    shown = controller('PerfcompareUiStatus').status()
    assert shown == {'dashboard_ui': 'off', 'permissions': []}


def test_an_unknown_mode_shows_nothing(host, part):
    host.mgr.options['perfcompare/dashboard_ui'] = 'everything'
    assert part['mode'].current() == 'off'
