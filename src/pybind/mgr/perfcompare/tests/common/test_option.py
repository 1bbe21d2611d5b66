"""Tests of options that are declared once."""

from typing import List, Optional, Tuple

import inspect

import pytest

from ...app.requests import RunRequest
from ...cli import options as cli
from ...common import codec
from ...common.errors import InvalidArgument
from ...common.option import Option
from ...model import load
from ...model.plan import RunOptions
from ...recovery.plan.request import RecoveryRequest


def test_an_option_has_its_types_and_its_range():
    option = Option('pg_num', int, 'PGs', least=1, most=8, unit='PGs')
    assert option.flag == '--pg-num' and option.hint == Optional[int]
    option.check(None)
    option.check(8)
    with pytest.raises(InvalidArgument, match='--pg-num 9 is .*1 to 8 PGs'):
        option.check(9)
    many = Option('sizes', str, '', many=True, cli='size')
    assert (many.word, many.hint) == ('size', Optional[Tuple[str, ...]])
    assert many.cli_hint == Optional[List[str]]


def test_a_range_can_begin_above_its_least():
    option = Option('rate', float, '', least=0, most=9, beyond=True)
    option.check(0.001)
    with pytest.raises(InvalidArgument, match='--rate 0 .*above 0, up to 9'):
        option.check(0)
    Option('seed', int, '', least=0, most=9).check(0)


def test_a_choice_is_one_of_those():
    option = Option('mode', str, '', choices=('a', 'b'))
    option.check('b')
    with pytest.raises(InvalidArgument, match="--mode 'c' is not one of a,"):
        option.check('c')


def test_a_command_takes_what_is_declared():
    @cli.taking(cli.run_options(), 'dry_run')
    def run(self, dry_run: bool = False, **given) -> str:
        return ''

    found = inspect.getfullargspec(run)
    assert found.args[:3] == ['self', 'group', '_end_positional_']
    assert found.args[-2:] == ['dry_run', 'format']
    assert len(found.args) - len(found.defaults) == 2
    assert found.annotations['group'] == List[str]
    assert found.annotations['control'] is bool
    assert found.annotations['return'] is str


def test_every_option_of_every_command_says_what_it_is():
    for name, options in cli.commands().items():
        words = [o.word for o in options]
        assert len(set(words)) == len(words), name
        assert all(o.help and o.type for o in options), name


def test_words_of_a_command_make_a_request():
    request = RunRequest.of_words(
        {'group': ['a', 'b'], 'size': [], 'label': None, 'duration': 5.0}
    )
    assert request == RunRequest(
        groups=('a', 'b'), duration=5.0, drivers=request.drivers
    )
    assert request.label == '' and request.sizes is None
    test = RecoveryRequest.of_words({'group': ['a'], 'scenario': ''})
    assert test.scenario == 'backfill' and test.hold is None


def test_options_of_drivers_stand_beside_the_others_as_data():
    (name, option), *_ = load.options().items()
    data = codec.to_data(RunOptions())
    assert 'drivers' not in data and data[name] is option.absent
    former = dict(data)
    for key in load.options():
        del former[key]  # of a version that had none
    assert codec.from_data(RunOptions, former) == RunOptions()
    held = RunOptions.of(**{name: option.type(3), 'seed': 4})
    assert held.drivers == {name: 3} and held.driver(name) == 3
    assert codec.from_data(RunOptions, codec.to_data(held)) == held
    with pytest.raises(InvalidArgument, match='unknown field'):
        codec.from_data(RunOptions, {'no_such': 1})
    with pytest.raises(InvalidArgument, match=name):
        codec.from_data(RunOptions, {name: [1]})
