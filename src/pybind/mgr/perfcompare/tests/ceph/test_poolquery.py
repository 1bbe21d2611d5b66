"""The OSD perf query, on answers as a Tentacle mgr gives them."""

from ...ceph.pool_query import COUNTERS, QUERY, pool_latencies
from ...model.topology import PoolLatency


def _entry(pool: str, reads: int, writes: int) -> object:
    """Return 2 ms for each read and 5 ms for each write."""
    counters = {
        'read_ops': (reads, 0),
        'read_latency': (reads * 2_000_000, reads),
        'write_ops': (writes, 0),
        'write_latency': (writes * 5_000_000, writes),
    }
    return {'k': [[pool]], 'c': [counters[name] for name in COUNTERS]}


def test_latencies_by_pool_in_seconds() -> None:
    answer = {'counters': [_entry('3', 10, 0), _entry('7', 0, 4)]}
    assert pool_latencies(answer) == {
        3: PoolLatency(10, 0.02, 0, 0.0),
        7: PoolLatency(0, 0.0, 4, 0.02),
    }


def test_entries_of_one_pool_add_up() -> None:
    answer = {'counters': [_entry('3', 10, 2), _entry('3', 30, 2)]}
    assert pool_latencies(answer) == {3: PoolLatency(40, 0.08, 4, 0.02)}


def test_no_answer_is_no_operation() -> None:
    assert pool_latencies({}) == {}
    assert pool_latencies({'counters': []}) == {}


def test_the_query_asks_for_what_is_read() -> None:
    assert QUERY['performance_counter_descriptors'] == list(COUNTERS)
    assert [k['type'] for k in QUERY['key_descriptor']] == ['pool_id']
