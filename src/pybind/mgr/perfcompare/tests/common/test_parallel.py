"""Changes that are made together, and who looks on meanwhile."""

import threading

import pytest

from ...common import parallel
from ...common.parallel import run_concurrently


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(parallel, 'TURN', 0.01)


def test_whoever_waits_looks_on_and_nobody_else():
    looked, seen = [], threading.Event()

    def look():
        looked.append(threading.get_ident())
        if len(looked) == 3:
            seen.set()

    found = run_concurrently([lambda: seen.wait(60)] * 2, meanwhile=look)
    assert found == [True, True]
    assert set(looked) == {threading.get_ident()}


def test_no_further_call_is_begun_where_the_look_raises():
    seen, begun = threading.Event(), []

    def change():
        begun.append(True)
        return seen.wait(60)

    def look():
        seen.set()
        raise RuntimeError('stop')

    with pytest.raises(RuntimeError, match='stop'):
        run_concurrently([change] * 50, 2, look)
    assert len(begun) < 50


def test_the_first_error_in_their_order_is_raised():
    def broken(word):
        raise ValueError(word)

    calls = [lambda: 1, lambda: broken('second'), lambda: broken('third')]
    with pytest.raises(ValueError, match='second'):
        run_concurrently(calls, meanwhile=lambda: None)
