"""What can be repeated can be given once with commas, everywhere."""

import types

import pytest

from perfcompare.common.errors import NotFound
from perfcompare.common.option import apart
from perfcompare.drivers import registry  # noqa: F401
from perfcompare.model import load
from perfcompare.planning.options import RUN
from perfcompare.recovery.plan.options import RECOVERY_RUN
from perfcompare.remote import arguments
from perfcompare.remote import calls as api

# values that a command looks at before it asks the service
WORDS = {'metrics': ('latency', 'efficiency')}
# one call of the dashboard for each repeated argument beside requests
CALLS = {
    'hosts': ('group_set', {'group': 'g'}),
    'endpoints': ('gateways_set', {'group': 'g'}),
    'runs': ('compare', {'baseline': 'a', 'candidate': 'b'}),
    'across': ('compare', {'baseline': 'a', 'candidate': 'b'}),
}


class Recorder:
    """Note what a use case is asked, and answer nothing."""

    def __init__(self, asked=None, path=''):
        self.asked = [] if asked is None else asked
        self._path = path

    def __getattr__(self, name):
        if name in ('errands', 'calls'):
            return types.SimpleNamespace(do=lambda _n, _k, work, *_: work())
        if name == 'changing':
            return lambda work: work
        return Recorder(self.asked, f'{self._path}.{name}')

    def __call__(self, *args, **kwargs):
        self.asked.append((self._path, args, kwargs))
        raise NotFound('asked')


def forms(words):
    """Return the ways to give two values."""
    first, second = words
    return (
        [first, second],
        [f'{first},{second}'],
        [f' {first}, {second},'],
        [first, '', second],
    )


def asked_by_calls(name, args):
    service = Recorder()
    found = api.call(service, name, args)
    assert found['error'] == 'asked', found
    return service.asked


def same(answers, words):
    """Say that all were asked the same, each value by itself."""
    assert answers and all(a == answers[0] for a in answers)
    text = repr(answers[0])
    return all(repr(w) in text for w in words) and ','.join(words) not in text


def test_commas_take_texts_apart_and_nothing_else():
    assert apart('a, b') == apart(['a,b']) == ['a', 'b']
    assert apart([' ', ',']) == []
    for value in (None, 5, {'a': 1}, ['a', 5], [['a,b']]):
        assert apart(value) == value


def test_of_every_command():
    mgr_module = pytest.importorskip('mgr_module')
    from perfcompare import module
    from perfcompare.cli import registry as cli

    assert module.Module and mgr_module
    found = []
    for prefix, command in cli.Registry.COMMANDS.items():
        line = command.dump_cmd()['cmd']
        parts = [
            dict(p.split('=', 1) for p in part.split(',') if '=' in p)
            for part in line.split()
        ]
        arguments_ = [p for p in parts if p]
        given = {
            p['name']: 'x' for p in arguments_ if p.get('req') != 'false'
        }
        for argument in arguments_:
            if argument.get('n') != 'N':
                continue
            name = argument['name']
            words = WORDS.get(name, ('one', 'two'))
            answers = []
            for form in forms(words):
                service = Recorder()
                lists = {
                    p['name']: ['x']
                    for p in arguments_
                    if p.get('n') == 'N' and p['name'] in given
                }
                command.call(
                    types.SimpleNamespace(service=service),
                    {'prefix': prefix, **given, **lists, name: form},
                    '',
                )
                answers.append(service.asked)
            # metrics are chosen by the text, not by the use case
            assert same(answers, words) or name == 'metrics', (prefix, name)
            found.append(f'{prefix} {name}')
    assert {
        'perfcompare run group',
        'perfcompare preflight size',
        'perfcompare recovery run workload',
        'perfcompare compare run',
        'perfcompare compare metrics',
        'perfcompare group set hosts',
        'perfcompare gateways set endpoint',
    } <= set(found)


@pytest.mark.parametrize(
    'calls, options',
    [
        (('run', 'plan'), (*RUN, *load.options().values())),
        (('recovery_run', 'recovery_plan'), RECOVERY_RUN),
    ],
)
def test_of_every_request_of_the_dashboard(calls, options):
    many = [o.name for o in options if o.many]
    assert {'groups', 'workloads'} <= set(many)
    words = ('one', 'two')
    for call in calls:
        for name in many:
            answers = [
                asked_by_calls(call, {'groups': ['g'], name: form})
                for form in (*forms(words), 'one,two')
            ]
            assert same(answers, words), (call, name)


def test_of_every_other_call_of_the_dashboard():
    assert set(CALLS) == arguments.MANY
    words = ('one', 'two')
    for name, (call, more) in CALLS.items():
        answers = [
            asked_by_calls(call, {**more, name: form})
            for form in (*forms(words), 'one,two')
        ]
        assert same(answers, words), name


def test_a_number_is_no_list():
    """Of recovery tests concurrency is one number, of runs several texts."""
    found = api.call(
        Recorder(), 'recovery_run', {'groups': ['g'], 'concurrency': '8'}
    )
    assert "'8' is not a whole number" in found['error']
