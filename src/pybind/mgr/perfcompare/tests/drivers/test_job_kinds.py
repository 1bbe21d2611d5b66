"""Jobs of drivers have a name, which load hosts know where they do them."""

import typing

import dataclasses
import importlib
import inspect

import pytest

from ...drivers.registry import DRIVERS
from ...worker.wire import jobs
from ...worker.wire.agents import REMOTE_KINDS

REMOTE = [spec for spec in DRIVERS if spec.on_load_hosts]


def driver_of(spec):
    """Return the class that makes the jobs of a spec's trials."""
    folder = type(spec).__module__.rpartition('.')[0]
    module = importlib.import_module(folder + '.driver')
    (found,) = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and hasattr(value, 'trial')
    ]
    return found


def kinds_of(method):
    """Return the names of the jobs that a method of a driver returns."""
    hint = typing.get_type_hints(method)['return']
    classes = tuple(
        one
        for one in typing.get_args(hint) or (hint,)
        if one is not type(None)
    )
    return {k for k, cls in jobs.KINDS.items() if issubclass(cls, classes)}


@pytest.mark.parametrize('spec', REMOTE, ids=lambda spec: spec.name)
@pytest.mark.parametrize('name', ['fill', 'warm', 'probe', 'trial'])
def test_load_hosts_do_all_jobs_of_the_loads_that_they_make(spec, name):
    kinds = kinds_of(getattr(driver_of(spec), name))
    assert kinds, f'{spec.name}: the class of the job is not in KINDS'
    assert kinds <= set(REMOTE_KINDS), f'{spec.name}: name it in REMOTE_KINDS'


def test_a_job_without_a_kind_is_told_where_to_get_one():
    @dataclasses.dataclass(frozen=True)
    class Toy(jobs.Bare):
        pass

    with pytest.raises(TypeError, match='class Toy cannot be sent: .* KINDS'):
        jobs.kind_of(Toy(deadline=1.0))
