"""`ceph perfcompare help` names every command, each with an example."""

import shlex

import pytest

pytest.importorskip('mgr_module')

from perfcompare import module  # noqa: E402, F401
from perfcompare.cli import help as commandhelp  # noqa: E402


def names(found):
    return [one.command for one in found]


def test_all_commands_have_an_example_that_begins_with_them():
    found = commandhelp.commands()
    assert {'run', 'compare', 'recovery run', 'help'} <= set(names(found))
    assert set(commandhelp.EXAMPLES) <= set(names(found))
    for one in found:
        words = shlex.split(one.example)
        assert ' '.join(words).startswith(f'ceph perfcompare {one.command}')
        assert one.does


def test_words_choose_commands():
    assert names(commandhelp.about('run')) == ['run']
    assert all(
        name.startswith('recovery ')
        for name in names(commandhelp.about('recovery'))
    )
    assert names(commandhelp.about('')) == names(commandhelp.commands())


@pytest.mark.parametrize(
    'typo, meant',
    [('comapre', 'compare'), ('recovery rnu', 'recovery run')],
)
def test_typos_find_the_nearest(typo, meant):
    assert meant in names(commandhelp.about(typo))


def test_it_is_a_table():
    assert 'ceph perfcompare compare x86 arm' in commandhelp.text(
        commandhelp.about('compare')
    )
