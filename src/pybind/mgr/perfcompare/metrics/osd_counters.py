"""The OSD counters that are read, their names in each release, their kinds.

One table for 18.2, 19.2 and 20.2: ours is the name in evidence and series,
``paths`` are Ceph's (logger.counter), the first that an OSD has counts.
Nothing else is read: the mgr holds some 250 counters of each OSD.
"""

from typing import Any, Dict, Mapping, Optional, Tuple

import dataclasses
import enum


class Kind(str, enum.Enum):
    """Say what the difference of two readings means."""

    COUNT = 'count'  # grows, or the number of a mean; what happened
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


def _count(
    name: str, *paths: str, unit: str = '', series: bool = True
) -> Counter:
    return Counter(name, Kind.COUNT, unit, paths, series)


def _bytes(name: str, *paths: str, series: bool = True) -> Counter:
    return _count(name, *paths, unit='B', series=series)


def _mean(
    name: str, *paths: str, series: bool = True, total: bool = False
) -> Counter:
    return Counter(name, Kind.MEAN, 's', paths, series, total)


def _gauge(
    name: str, *paths: str, unit: str = '', series: bool = False
) -> Counter:
    return Counter(name, Kind.GAUGE, unit, paths, series)


COUNTERS: Tuple[Counter, ...] = (
    # clients, as this OSD serves them as a primary
    _count('op_w', 'osd.op_w'),
    _count('op_r', 'osd.op_r'),
    _count('op_rw', 'osd.op_rw'),
    _bytes('op_in_bytes', 'osd.op_in_bytes'),
    _bytes('op_out_bytes', 'osd.op_out_bytes'),
    _mean('op_w_latency', 'osd.op_w_latency'),
    _mean('op_r_latency', 'osd.op_r_latency'),
    _mean('op_rw_latency', 'osd.op_rw_latency'),
    # without the queue; the difference is what an operation waited in it
    _mean('op_w_process_latency', 'osd.op_w_process_latency'),
    _mean('op_r_process_latency', 'osd.op_r_process_latency'),
    _gauge('op_wip', 'osd.op_wip', series=True),
    # as a replica; these are not shipped to the mgr
    _count('subop_w', 'osd.subop_w', series=False),
    _bytes('subop_in_bytes', 'osd.subop_in_bytes', series=False),
    _mean('subop_w_latency', 'osd.subop_w_latency', series=False),
    # recovery
    _count('recovery_ops', 'osd.recovery_ops'),
    _bytes('recovery_bytes', 'osd.recovery_bytes'),
    # that this OSD took in; what leads counts recovery_ops
    _count(
        'recovery_pushes', 'osd.l_osd_recovery_push_queue_latency',
        series=False,
    ),
    # BlueStore: the way of a transaction, by its states
    _mean(
        'throttle_lat', 'bluestore.txc_throttle_lat',
        'bluestore.throttle_lat', total=True,
    ),
    _mean(
        'submit_lat', 'bluestore.txc_submit_lat', 'bluestore.submit_lat'
    ),
    _mean(
        'commit_lat', 'bluestore.txc_commit_lat', 'bluestore.commit_lat'
    ),
    _mean('aio_wait_lat', 'bluestore.state_aio_wait_lat'),
    _mean('kv_queued_lat', 'bluestore.state_kv_queued_lat'),
    _mean('kv_committing_lat', 'bluestore.state_kv_commiting_lat'),
    _mean('deferred_aio_wait_lat', 'bluestore.state_deferred_aio_wait_lat'),
    _mean('kv_flush_lat', 'bluestore.kv_flush_lat'),
    _mean('kv_commit_lat', 'bluestore.kv_commit_lat'),
    # its sum is how long the one thread that commits was at work
    _mean('kv_sync_lat', 'bluestore.kv_sync_lat', total=True),
    _mean('kv_final_lat', 'bluestore.kv_final_lat'),
    _count(
        'deferred_writes', 'bluestore.issued_deferred_writes',
        'bluestore.deferred_write_ops', series=False,
    ),
    _count('slow_aio_waits', 'bluestore.slow_aio_wait_count'),
    _count('slow_kv_commits', 'bluestore.slow_committed_kv_count'),
    # BlueStore: reads and caches
    _mean('read_lat', 'bluestore.read_lat'),
    _mean('read_aio_lat', 'bluestore.read_wait_aio_lat'),
    _mean('read_onode_lat', 'bluestore.read_onode_meta_lat'),
    _count(
        'onode_hits', 'bluestore.onode_hits', 'bluestore.bluestore_onode_hits'
    ),
    _count(
        'onode_misses', 'bluestore.onode_misses',
        'bluestore.bluestore_onode_misses',
    ),
    _bytes(
        'buffer_hit_bytes', 'bluestore.buffer_hit_bytes',
        'bluestore.bluestore_buffer_hit_bytes', series=False,
    ),
    _bytes(
        'buffer_miss_bytes', 'bluestore.buffer_miss_bytes',
        'bluestore.bluestore_buffer_miss_bytes', series=False,
    ),
    # RocksDB and the file system below it: written to its log, by flushes
    # and compactions, and of these to the slow device
    _bytes('wal_bytes', 'bluefs.bytes_written_wal'),
    _bytes('sst_bytes', 'bluefs.bytes_written_sst'),
    _bytes('slow_bytes', 'bluefs.bytes_written_slow'),
    _mean('bluefs_fsync_lat', 'bluefs.fsync_lat'),
    _mean('bluefs_compact_lat', 'bluefs.compact_lat'),
    _count(
        'compactions', 'rocksdb.compact_completed', 'rocksdb.compact',
        series=False,
    ),
    _mean('db_submit_sync_lat', 'rocksdb.submit_sync_latency', series=False),
    _mean('db_get_lat', 'rocksdb.get_latency', series=False),
    _mean(
        'db_write_delay', 'rocksdb.rocksdb_write_delay_time', series=False,
        total=True,
    ),
    _gauge('compact_running', 'rocksdb.compact_running'),
    _gauge('compact_queue', 'rocksdb.compact_queue_len'),
    _gauge('db_used_bytes', 'bluefs.db_used_bytes', unit='B'),
    _gauge('slow_used_bytes', 'bluefs.slow_used_bytes', unit='B'),
    # throttles: how long operations stood before each
    *(
        _mean(f'{name}_wait', f'{logger}.wait', series=False, total=True)
        for name, logger in (
            ('bluestore_throttle', 'throttle-bluestore_throttle_bytes'),
            (
                'deferred_throttle',
                'throttle-bluestore_throttle_deferred_bytes',
            ),
            ('client_bytes_throttle', 'throttle-osd_client_bytes'),
            ('client_ops_throttle', 'throttle-osd_client_messages'),
            ('dispatch_throttle', 'throttle-msgr_dispatch_throttler-client'),
        )
    ),
    # memory, against its target
    *(
        _gauge(
            f'mem_{name}', f'bluestore-pricache.{name}_bytes',
            f'prioritycache.{name}_bytes', unit='B', series=True,
        )
        for name in ('target', 'mapped', 'heap', 'cache')
    ),
    _gauge('onodes', 'bluestore.onodes', 'bluestore.bluestore_onodes'),
    _gauge(
        'buffer_bytes', 'bluestore.buffer_bytes',
        'bluestore.bluestore_buffer_bytes', unit='B',
    ),
    # placement, and what an OSD still does
    _gauge('numpg', 'osd.numpg'),
    _gauge('numpg_primary', 'osd.numpg_primary'),
    _gauge('numpg_removing', 'osd.numpg_removing'),
    _gauge('bytes_used', 'osd.stat_bytes_used', unit='B'),
)  # fmt: skip
BY_NAME: Mapping[str, Counter] = {c.name: c for c in COUNTERS}


# what is read of OSDs that are not asked themselves: who is slow, and
# whether data moves
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
    'recovery_ops',
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
