"""A value is what was given, whatever stands before an = in it.

The registry of Ceph takes "profile=smoke" for the argument profile, in
every text, and then takes each value after it apart.
"""

import types

import pytest

from .test_commas import Recorder

mgr_module = pytest.importorskip('mgr_module')


@pytest.fixture(scope='module')
def commands():
    from perfcompare import module
    from perfcompare.cli import registry as cli

    assert module.Module
    return cli.Registry.COMMANDS


@pytest.mark.parametrize(
    'prefix, given',
    [
        ('run', {'group': ['a'], 'label': 'profile=smoke'}),
        (
            'run',
            {
                'group': ['a'],
                'label': 'clients=8',
                'profile': 'quick',
                'yes_i_really_mean_it': True,
            },
        ),
        ('recovery run', {'group': ['a'], 'label': 'scenario=osd-out'}),
        ('import', {'group': 'a', 'label': 'tool=warp', 'format': 'json'}),
        ('group set', {'group': 'a', 'note': 'price=9', 'format': 'json'}),
        ('gateways set', {'group': 'g', 'placement': 'region=a'}),
    ],
)
def test_collected_is_what_was_given(commands, prefix, given):
    command = commands[f'perfcompare {prefix}']
    kwargs, _ = command._collect_args_by_argspec(dict(given))
    assert kwargs == given


def test_every_text_of_every_command_stays_as_it_is(commands):
    looked = 0
    for prefix, command in commands.items():
        if not prefix.startswith('perfcompare '):
            continue
        names = [n for n in command.arg_spec if n not in command.KNOWN_ARGS]
        for name in names:
            kind = command.arg_spec[name]
            if 'str' not in str(kind) or 'List' in str(kind):
                continue
            given = {other: None for other in names}
            given[name] = f'{names[-1]}=5'
            needed = names[: max(0, command.first_default)]
            given.update((n, '1') for n in needed if n != name)
            kwargs, _ = command._collect_args_by_argspec(given)
            assert kwargs[name] == given[name], (prefix, name)
            looked += 1
    assert looked > 40


def test_a_label_reaches_the_request(commands):
    service = Recorder()
    result = commands['perfcompare run'].call(
        types.SimpleNamespace(service=service),
        {'group': ['a'], 'label': 'profile=smoke', 'profile': 'quick'},
        '',
    )
    assert result.retval < 0 and 'asked' in result.stderr
    ((_, (request,), _),) = [a for a in service.asked if 'start' in a[0]]
    assert (request.label, request.profile) == ('profile=smoke', 'quick')
