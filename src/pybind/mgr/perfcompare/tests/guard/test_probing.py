"""Connections are tried with real sockets, all at once."""

from typing import Iterator, Tuple

import contextlib
import socket
import time

import pytest

from perfcompare.guard.collect.probing import Endpoint, reach


@pytest.fixture
def listener() -> Iterator[Tuple[str, int]]:
    with socket.socket() as server:
        server.bind(('127.0.0.1', 0))
        server.listen(8)
        yield server.getsockname()


@pytest.mark.process
def test_exporters_that_listen_are_reachable(
    listener: Tuple[str, int],
) -> None:
    assert reach({'h1': Endpoint(*listener)}, 2.0) == {'h1': ''}


@pytest.mark.process
def test_exporters_that_do_not_listen_are_not(
    listener: Tuple[str, int],
) -> None:
    other = Endpoint('127.0.0.2', listener[1])
    found = reach({'h1': Endpoint(*listener), 'h2': other}, 2.0)
    assert found == {'h1': '', 'h2': 'Connection refused'}


@pytest.mark.process
def test_hosts_that_do_not_answer_cost_one_time_limit() -> None:
    with socket.socket() as server, contextlib.ExitStack() as stack:
        server.bind(('127.0.0.1', 0))
        server.listen(0)
        # a full backlog drops further connections without a word
        for _ in range(4):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        where = Endpoint(*server.getsockname())
        endpoints = {f'h{i}': where for i in range(20)}
        began = time.monotonic()
        found = reach(endpoints, timeout=0.5)
        assert time.monotonic() - began < 6.0
    assert len(found) == 20
    assert set(found.values()) == {'no answer in 0.5 s'}


def test_wrong_addresses_are_a_problem_of_their_host() -> None:
    assert reach({'h1': Endpoint('nowhere', 9100)}, 1.0)['h1']
