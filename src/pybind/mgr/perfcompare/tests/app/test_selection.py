"""Which runs a comparison means."""

import types

import pytest

from ...app import selection
from ...common.errors import InvalidArgument


class FakeStore:
    """Hold runs of one group each, by id."""

    def get_run(self, run):
        return types.SimpleNamespace(
            id=run,
            plan=types.SimpleNamespace(
                groups=[types.SimpleNamespace(name='arm')]
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
