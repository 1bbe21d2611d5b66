"""The OSD counters that are read, their names in each release, their kinds.

One table for 18.2, 19.2 and 20.2: ours is the name in evidence and series,
``paths`` are Ceph's (logger.counter), the first that an OSD has counts.
Nothing else is read: the mgr holds some 250 counters of each OSD.
"""

from typing import Any, Dict, List, Mapping, Optional, Tuple

import dataclasses
import enum


class Kind(str, enum.Enum):
    """Say what the difference of two readings means."""

    COUNT = 'count'  # grows; the difference is what happened
    MEAN = 'mean'  # sum of seconds and number: their differences' ratio
    GAUGE = 'gauge'  # the reading itself


@dataclasses.dataclass(frozen=True)
class Counter:
    """Define one counter of an OSD."""

    name: str
    kind: Kind
    unit: str  # '', 'B' or 's'
    paths: Tuple[str, ...]
    series: bool = False  # the mgr has it of every report of the OSD
    total: bool = False  # means: give the sum as `<name>_total` as well
    about: str = ''


def _table() -> Tuple[Counter, ...]:
    found: List[Counter] = []

    def add(
        kind: Kind,
        unit: str,
        name: str,
        *paths: str,
        series: bool = False,
        total: bool = False,
        about: str = '',
    ) -> None:
        found.append(Counter(name, kind, unit, paths, series, total, about))

    def count(name: str, *paths: str, **more: Any) -> None:
        add(Kind.COUNT, more.pop('unit', ''), name, *paths, **more)

    def mean(name: str, *paths: str, **more: Any) -> None:
        add(Kind.MEAN, 's', name, *paths, **more)

    def gauge(name: str, *paths: str, **more: Any) -> None:
        add(Kind.GAUGE, more.pop('unit', ''), name, *paths, **more)

    # clients, as this OSD serves them as a primary
    count('op_w', 'osd.op_w', series=True, about='writes of clients')
    count('op_r', 'osd.op_r', series=True, about='reads of clients')
    count('op_rw', 'osd.op_rw', series=True, about='operations of both kinds')
    count(
        'op_in_bytes', 'osd.op_in_bytes', unit='B', series=True,
        about='bytes that clients wrote',
    )  # fmt: skip
    count(
        'op_out_bytes', 'osd.op_out_bytes', unit='B', series=True,
        about='bytes that clients read',
    )  # fmt: skip
    mean('op_w_latency', 'osd.op_w_latency', series=True)
    mean('op_r_latency', 'osd.op_r_latency', series=True)
    mean('op_rw_latency', 'osd.op_rw_latency', series=True)
    # without the queue; the difference is what an operation waited in it
    mean('op_w_process_latency', 'osd.op_w_process_latency', series=True)
    mean('op_r_process_latency', 'osd.op_r_process_latency', series=True)
    gauge('op_wip', 'osd.op_wip', series=True, about='operations inside')
    # as a replica; these are not shipped to the mgr
    count('subop_w', 'osd.subop_w')
    count('subop_in_bytes', 'osd.subop_in_bytes', unit='B')
    mean('subop_w_latency', 'osd.subop_w_latency')
    # recovery
    count('recovery_ops', 'osd.recovery_ops', series=True)
    count('recovery_bytes', 'osd.recovery_bytes', unit='B', series=True)

    # BlueStore: the way of a transaction, by its states
    mean(
        'throttle_lat', 'bluestore.txc_throttle_lat',
        'bluestore.throttle_lat', series=True, total=True,
    )  # fmt: skip
    mean(
        'submit_lat', 'bluestore.txc_submit_lat', 'bluestore.submit_lat',
        series=True,
    )  # fmt: skip
    mean(
        'commit_lat', 'bluestore.txc_commit_lat', 'bluestore.commit_lat',
        series=True,
    )  # fmt: skip
    mean('aio_wait_lat', 'bluestore.state_aio_wait_lat', series=True)
    mean('kv_queued_lat', 'bluestore.state_kv_queued_lat', series=True)
    mean('kv_committing_lat', 'bluestore.state_kv_commiting_lat', series=True)
    mean(
        'deferred_aio_wait_lat', 'bluestore.state_deferred_aio_wait_lat',
        series=True,
    )  # fmt: skip
    mean('kv_flush_lat', 'bluestore.kv_flush_lat', series=True)
    mean('kv_commit_lat', 'bluestore.kv_commit_lat', series=True)
    # its sum is how long the one thread that commits was at work
    mean('kv_sync_lat', 'bluestore.kv_sync_lat', series=True, total=True)
    mean('kv_final_lat', 'bluestore.kv_final_lat', series=True)
    count('deferred_writes', 'bluestore.issued_deferred_writes',
          'bluestore.deferred_write_ops')  # fmt: skip
    count('slow_aio_waits', 'bluestore.slow_aio_wait_count', series=True)
    count('slow_kv_commits', 'bluestore.slow_committed_kv_count', series=True)
    # BlueStore: reads and caches
    mean('read_lat', 'bluestore.read_lat', series=True)
    mean('read_aio_lat', 'bluestore.read_wait_aio_lat', series=True)
    mean('read_onode_lat', 'bluestore.read_onode_meta_lat', series=True)
    count(
        'onode_hits', 'bluestore.onode_hits', 'bluestore.bluestore_onode_hits',
        series=True,
    )  # fmt: skip
    count(
        'onode_misses', 'bluestore.onode_misses',
        'bluestore.bluestore_onode_misses', series=True,
    )  # fmt: skip
    count('buffer_hit_bytes', 'bluestore.buffer_hit_bytes',
          'bluestore.bluestore_buffer_hit_bytes', unit='B')  # fmt: skip
    count('buffer_miss_bytes', 'bluestore.buffer_miss_bytes',
          'bluestore.bluestore_buffer_miss_bytes', unit='B')  # fmt: skip

    # RocksDB and the file system below it
    count(
        'wal_bytes', 'bluefs.bytes_written_wal', unit='B', series=True,
        about='written to the log of the metadata database',
    )  # fmt: skip
    count(
        'sst_bytes', 'bluefs.bytes_written_sst', unit='B', series=True,
        about='written by flushes and compactions of the database',
    )  # fmt: skip
    count(
        'slow_bytes', 'bluefs.bytes_written_slow', unit='B', series=True,
        about='of these, spilled over to the slow device',
    )  # fmt: skip
    mean('bluefs_fsync_lat', 'bluefs.fsync_lat', series=True)
    mean('bluefs_compact_lat', 'bluefs.compact_lat', series=True)
    count('compactions', 'rocksdb.compact_completed', 'rocksdb.compact')
    mean('db_submit_sync_lat', 'rocksdb.submit_sync_latency')
    mean('db_get_lat', 'rocksdb.get_latency')
    mean('db_write_delay', 'rocksdb.rocksdb_write_delay_time', total=True)
    gauge('compact_running', 'rocksdb.compact_running')
    gauge('compact_queue', 'rocksdb.compact_queue_len')
    gauge('db_used_bytes', 'bluefs.db_used_bytes', unit='B')
    gauge('slow_used_bytes', 'bluefs.slow_used_bytes', unit='B')

    # throttles: how long operations stood before each
    for name, logger in (
        ('bluestore_throttle', 'throttle-bluestore_throttle_bytes'),
        ('deferred_throttle', 'throttle-bluestore_throttle_deferred_bytes'),
        ('client_bytes_throttle', 'throttle-osd_client_bytes'),
        ('client_ops_throttle', 'throttle-osd_client_messages'),
        ('dispatch_throttle', 'throttle-msgr_dispatch_throttler-client'),
    ):
        mean(f'{name}_wait', f'{logger}.wait', total=True)

    # memory, against its target
    for name in ('target', 'mapped', 'heap', 'cache'):
        gauge(
            f'mem_{name}', f'bluestore-pricache.{name}_bytes',
            f'prioritycache.{name}_bytes', unit='B', series=True,
        )  # fmt: skip
    gauge('onodes', 'bluestore.onodes', 'bluestore.bluestore_onodes')
    gauge('buffer_bytes', 'bluestore.buffer_bytes',
          'bluestore.bluestore_buffer_bytes', unit='B')  # fmt: skip

    # placement, and what an OSD still does
    gauge('numpg', 'osd.numpg')
    gauge('numpg_primary', 'osd.numpg_primary')
    gauge('numpg_removing', 'osd.numpg_removing')
    gauge('bytes_used', 'osd.stat_bytes_used', unit='B')
    return tuple(found)


COUNTERS: Tuple[Counter, ...] = _table()
BY_NAME: Mapping[str, Counter] = {c.name: c for c in COUNTERS}


# what is read of OSDs that are not asked themselves: who is slow
LIGHT: Tuple[str, ...] = (
    'op_w',
    'op_r',
    'op_rw',
    'op_in_bytes',
    'op_out_bytes',
    'op_w_latency',
    'op_r_latency',
    'op_rw_latency',
    'commit_lat',
    'read_lat',
)


def lookup(dump: Mapping[str, Any], path: str) -> Any:
    """Return the value at ``path`` of a `perf dump`, None when absent."""
    logger, _, counter = path.rpartition('.')
    found = dump.get(logger)
    return found.get(counter) if isinstance(found, Mapping) else None


def series_paths(dump: Mapping[str, Any]) -> Dict[str, str]:
    """Return our name -> Ceph's path of the counters for a series.

    ``dump`` is a `perf dump` of an OSD of the same release; without one,
    ask for the newest name of each.
    """
    found: Dict[str, str] = {}
    for counter in COUNTERS:
        if not counter.series:
            continue
        path = _present(dump, counter) if dump else counter.paths[0]
        if path is not None:
            found[counter.name] = path
    return found


def _present(dump: Mapping[str, Any], counter: Counter) -> Optional[str]:
    for path in counter.paths:
        if lookup(dump, path) is not None:
            return path
    return None
