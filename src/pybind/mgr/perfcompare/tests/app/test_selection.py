"""Which runs a comparison means."""

import types

import pytest

from ...app import selection
from ...common.errors import InvalidArgument, NotFound

BOTH = {'c1': ('x86', 'arm'), 'c2': ('x86', 'arm'), 'x1': ('x86',)}


class FakeStore:
    """Hold runs by id: of one group each, but for some."""

    def get_run(self, run):
        return types.SimpleNamespace(
            id=run,
            plan=types.SimpleNamespace(
                groups=[
                    types.SimpleNamespace(name=name)
                    for name in BOTH.get(run, ('arm',))
                ]
            ),
        )


def chosen(*names, runs=()):
    found = selection.sides(FakeStore(), *names, runs)
    return [(group, [run.id for run in of]) for group, of in found]


def test_one_group_at_two_times():
    assert chosen('arm@a1', 'arm@b1') == [('arm', ['a1']), ('arm', ['b1'])]


def test_several_runs_on_each_side():
    assert chosen('arm@a1,a2,a2', 'arm@b1,b2') == [
        ('arm', ['a1', 'a2']),
        ('arm', ['b1', 'b2']),
    ]


@pytest.mark.parametrize('text', ['arm@', '@a1', 'arm@a1,', 'arm@,a1', ''])
def test_a_side_that_names_nothing_is_refused(text):
    with pytest.raises(InvalidArgument, match='is not <group>'):
        chosen(text, 'arm@b1')


def test_runs_are_named_in_one_way():
    with pytest.raises(InvalidArgument, match='so does --run'):
        chosen('arm@a1', 'arm', runs=('b1',))


def test_named_runs_are_those_of_both_or_one_each():
    assert chosen('x86', 'arm', runs=('c1', 'c2')) == [
        ('x86', ['c1', 'c2']),
        ('arm', ['c1', 'c2']),
    ]
    assert chosen('x86', 'arm', runs=('x1', 'a1', 'a2')) == [
        ('x86', ['x1']),
        ('arm', ['a1', 'a2']),
    ]
    assert chosen('arm', 'arm', runs=('a1', 'c1')) == [
        ('arm', ['a1']),
        ('arm', ['c1']),
    ]


@pytest.mark.parametrize(
    'names, runs, unused',
    [
        (('x86', 'arm'), ('c1', 'x1', 'a1'), r'x1 \(x86\), a1 \(arm\);'),
        (('x86', 'x86'), ('c1', 'x1', 'a1'), r'be a1 \(arm\); leave'),
    ],
)
def test_no_named_run_goes_unused(names, runs, unused):
    with pytest.raises(InvalidArgument, match=unused):
        chosen(*names, runs=runs)


def test_a_group_that_no_named_run_has():
    with pytest.raises(NotFound, match=r"'old' is in none .* c1 \(x86, arm"):
        chosen('x86', 'old', runs=('c1', 'a1'))
