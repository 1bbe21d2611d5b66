"""Tests of what it takes to find t2 in days of changes."""

import time

import pytest

from ...recovery.judge.peering import find_t2
from ...recovery.judge.records import MapEvent, Poll

T = 1000.0


@pytest.mark.parametrize('conclusive', [True, False])
@pytest.mark.parametrize('up_thru', [True, False])
def test_pgs_that_never_peer_take_no_second_to_look_through(
    conclusive, up_thru
):
    events = [
        MapEvent(T + i * 60, 0.1, 100 + i, True, up_thru and i % 2 == 1)
        for i in range(2000)
    ]
    polls = [
        Poll(T + 5 + i * 40, 7.0, False, conclusive, affected=10, inactive=1)
        for i in range(3000)
    ]
    began = time.thread_time()
    assert find_t2(T, events, polls) is None
    assert time.thread_time() - began < 0.4
