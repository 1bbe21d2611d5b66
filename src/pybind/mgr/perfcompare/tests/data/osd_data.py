"""What OSDs count, made up for tests."""

from ...metrics.histograms import WRITE

BUCKETS = 32
QUANTUM = 100000  # ns


def latency_axis():
    """Return the axis of latency as OSDs dump it."""
    ranges = [{'max': -1}, {'min': 0, 'max': QUANTUM - 1}]
    low = QUANTUM
    while len(ranges) < BUCKETS - 1:
        ranges.append({'min': low, 'max': 2 * low - 1})
        low *= 2
    ranges.append({'min': low})
    return {'name': 'Latency (usec)', 'buckets': BUCKETS, 'ranges': ranges}


def histogram_dump(counts, counter=WRITE):
    """Return a dump with ``counts``: bucket of latency -> operations."""
    values = [[0] * 4 for _ in range(BUCKETS)]
    for bucket, number in counts.items():
        values[bucket][1] = number // 2
        values[bucket][2] = number - number // 2
    axes = [latency_axis(), {'name': 'Request size (bytes)'}]
    return {'osd': {counter: {'axes': axes, 'values': values}}}


def perf_dump(op_w=0, op_r=0, seconds=0.0, wip=0, **more):
    """Return a `perf dump` with a few counters of each kind."""
    return {
        'osd': {
            'op_w': op_w,
            'op_r': op_r,
            'op_w_latency': {'avgcount': op_w, 'sum': seconds},
            'op_wip': wip,
            'numpg_removing': 0,
            'recovery_ops': 0,
        },
        'bluestore': {
            'txc_throttle_lat': {'avgcount': op_w, 'sum': seconds / 10},
            **more,
        },
        'bluestore-pricache': {'target_bytes': 4096, 'mapped_bytes': 1024},
    }
