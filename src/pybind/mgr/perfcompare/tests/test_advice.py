"""Whatever a message advises exists, for the command at hand."""

import ast
import functools
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]

# of programs of others, and of Ceph's own commands
FOREIGN = {
    '--version',
    '--yes-i-really-really-mean-it',
    '--force',
    '--conf',
    '--id',
    '--name',
    '--keyring',
    '--json',
    '--daemon_type',
}
# programs of others are started here
STARTING = ('worker/', 'workers/', 'guard/collect/tools.py')
OPTION = re.compile(r'(?<![\w-])--[a-z][a-z0-9]+(?:[-_][a-z0-9]+)*')
COMMAND = re.compile(r'ceph perfcompare ((?:[a-z][a-z-]*(?: |\b))+)([^`]*)')
# where messages of runs and of recovery tests are made
SHARED = ('guard/checks/', 'planning/redundancy.py', 'planning/estimate.py')


@pytest.fixture(scope='module')
def commands():
    """Return the options of every command: 'run' -> {'--group', …}."""
    pytest.importorskip('mgr_module')
    from perfcompare import module
    from perfcompare.cli import registry as cli

    assert module.Module
    found = {}
    for command in cli.Registry.dump_cmd_list():
        prefix, options = [], set()
        for part in command['cmd'].split():
            name = dict(
                item.split('=', 1) for item in part.split(',') if '=' in item
            ).get('name')
            if name is None:
                prefix.append(part)
            else:
                options.add('--' + name.replace('_', '-'))
        if prefix[:1] == ['perfcompare']:
            found[' '.join(prefix[1:])] = options | {'-i'}
    assert 'run' in found
    return found


def text_of(node):
    """Return a text with … for what is put in, None for other nodes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return ''.join(
            str(p.value) if isinstance(p, ast.Constant) else '…'
            for p in node.values
        )
    return None


@functools.lru_cache(maxsize=None)
def messages():
    """List file, line, functions' source and text of all that is said."""
    found = []
    for path in sorted(HERE.rglob('*.py')):
        name = str(path.relative_to(HERE))
        if name.startswith('tests/'):
            continue
        source = path.read_text(encoding='utf-8')
        if '--' not in source and 'ceph perfc' not in source:
            continue
        tree, lines = ast.parse(source), source.splitlines()
        functions = [
            node for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
        ]  # fmt: skip
        inner = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for part in node.values
        }
        for node in ast.walk(tree):
            text = None if id(node) in inner else text_of(node)
            if not text or '--' not in text and 'ceph perfc' not in text:
                continue
            around = [
                '\n'.join(lines[f.lineno - 1 : f.end_lineno])
                for f in functions
                if f.lineno <= node.lineno <= (f.end_lineno or f.lineno)
            ]
            found.append((name, node.lineno, ''.join(around), text))
    return found


def test_every_option_that_is_named_is_one_of_a_command(commands):
    known = set().union(*commands.values()) | FOREIGN
    wrong = [
        f'{name}:{line}: {option}'
        for name, line, _, text in messages()
        if not name.startswith(STARTING)
        for option in OPTION.findall(text)
        if option not in known
    ]
    assert wrong == []


def test_every_command_that_is_named_has_the_options_beside_it(commands):
    wrong = []
    for name, line, _, text in messages():
        for words, rest in COMMAND.findall(' '.join(text.split())):
            parts = words.split()
            fitting = [
                ' '.join(parts[:n])
                for n in range(len(parts), 0, -1)
                if ' '.join(parts[:n]) in commands
            ]
            if rest.startswith('…'):
                continue  # a room of commands
            if not fitting:
                wrong.append(f'{name}:{line}: ceph perfcompare {words}')
                continue
            wrong += [
                f'{name}:{line}: {fitting[0]} has no {option}'
                for option in OPTION.findall(rest)
                if option not in commands[fitting[0]]
            ]
    assert wrong == []


def test_recovery_tests_are_told_of_their_own_options(commands):
    of_tests = set().union(
        *(o for name, o in commands.items() if name.startswith('recovery'))
    )
    wrong = [
        f'{name}:{line}: {option}'
        for name, line, around, text in messages()
        if name.startswith(('recovery/',) + SHARED)
        # which of both is at hand is asked there
        if 'plan.recovery' not in around
        # of another command, which the test above looks at
        if 'ceph perfcompare' not in text
        for option in OPTION.findall(text)
        if option not in of_tests | FOREIGN
    ]
    assert wrong == []
