"""Tests of results of vdbench."""

import pytest

from ...worker.wire.strict import Malformed
from .reading import only, read

FLAT_NAMES = (
    'tod Run Interval reqrate rate MB/sec bytes/io read% resp read_resp '
    'write_resp resp_max resp_std xfersize threads rdpct seekpct queue_depth'
).split()


def flat_row(tod, interval, **kw):
    row = {
        'tod': tod,
        'Run': 'rd1',
        'Interval': interval,
        'reqrate': '999988',
        'rate': '2000.00',
        'MB/sec': '7.81',
        'bytes/io': '4096',
        'read%': '100.00',
        'resp': '1.5',
        'read_resp': '1.5',
        'write_resp': '0.000',
        'resp_max': '40.25',
        'resp_std': '0.2',
        'xfersize': '4096',
        'threads': '8',
        'rdpct': '100',
        'seekpct': '100',
        'queue_depth': '3.0',
    }
    row.update(kw)
    return ' '.join(row[name] for name in FLAT_NAMES)


def flatfile(*rows):
    head = [
        '<title>Vdbench flatfile.html</title><pre>',
        '* Run: name of the run',
        ' '.join(FLAT_NAMES),
    ]
    return '\n'.join([*head, *rows]) + '\n'


def intervals(start=0, **kw):
    rows = [
        flat_row(f'23:59:{57 + i:02d}.010', str(i + 1), **kw)
        for i in range(3)
    ]
    rows += [
        flat_row(f'00:00:{i:02d}.010', str(i + 4), **kw) for i in range(3)
    ]
    return [*rows, flat_row('00:00:02.050', 'avg_2-6', **kw)]


def test_flatfile_has_the_average_and_the_series_of_its_intervals():
    reading = read(flatfile(*intervals()))
    (found,) = reading.measured
    assert reading.tool == 'vdbench'
    assert (found.op, found.workload) == ('io-randread', 'rd1-4K-c8')
    assert (found.size, found.concurrency) == (4096, 8)
    assert (found.ops_per_s, found.bytes_per_s) == (2000.0, 7.81 * 2**20)
    assert (found.latency_avg, found.latency_max) == (0.0015, 0.04025)
    # five intervals of one second, across midnight
    assert found.duration == 5.0
    assert found.samples.t == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert found.samples.ops == (2000.0,) * 5
    assert found.percentiles == {}
    assert 'no latency percentiles' in found.notes[0]


@pytest.mark.parametrize(
    'read_share, seeks, op',
    [
        ('0.00', '100', 'io-randwrite'),
        ('0.00', '0', 'io-write'),
        ('100.00', 'eof', 'io-read'),
        ('100.00', '80', 'other'),
        ('70.11', '80', 'io-mixed'),
    ],
)
def test_operations_are_named_by_reads_and_seeks(read_share, seeks, op):
    rows = intervals(**{'read%': read_share, 'seekpct': seeks})
    assert only(flatfile(*rows)).op == op


def test_mix_has_both_directions():
    rows = intervals(
        **{'read%': '75.00', 'read_resp': '1.0', 'write_resp': '3.0'}
    )
    found = only(flatfile(*rows))
    assert found.workload == 'rd1-r75-4K-c8'
    assert found.operations == {
        'read': {'ops_per_s': 1500.0, 'latency_avg': 0.001},
        'write': {'ops_per_s': 500.0, 'latency_avg': 0.003},
    }


def test_runs_of_a_loop_are_workloads_and_repetitions_rounds():
    reading = read(
        flatfile(
            *intervals(threads='8'),
            *intervals(threads='16'),
            *intervals(threads='8'),
        )
    )
    assert [(r.workload, r.round) for r in reading.measured] == [
        ('rd1-4K-c8', 1),
        ('rd1-4K-c16', 1),
        ('rd1-4K-c8', 2),
    ]


TOTALS = """<title>Vdbench totals.html</title><pre>
<a name="_1"></a><i><b>15:41:39.002 Starting RD=rd1; I/O rate: Uncontrolled \
MAX; elapsed=120 warmup=30; For loops: xfersize=1m threads=64</b></i>

Dec 02, 2020  interval        i/o   MB/sec   bytes   read     resp     read
                             rate  1024**2     i/o    pct     time     resp
17:46:35.060  avg_31-150  2228.00  2228.00 1048576  29.80   28.448   22.487 \
30.979  376.343   50.317  63.6   1.4   0.2
"""


def test_totals():
    found = only(TOTALS)
    assert (found.op, found.workload) == ('io-mixed', 'rd1-r30-1M-c64')
    assert (found.size, found.concurrency) == (1048576, 64)
    assert found.duration == 120.0
    assert found.ops_per_s == 2228.0
    assert found.bytes_per_s == 2228.0 * 2**20
    assert found.latency_avg == pytest.approx(0.028448)
    assert found.latency_max is None


@pytest.mark.parametrize(
    'text, message',
    [
        ('<title>Vdbench</title>\nnothing\n', 'neither the columns'),
        (flatfile(*intervals()[:-1]), 'no run in it has an average'),
        (flatfile(*intervals())[:-20], 'truncated'),
        (flatfile(*intervals(rate='fast')), "'fast' is not a number"),
        (flatfile(*intervals(rate='nan')), 'its rate is not there'),
        (TOTALS.split('28.448')[0], 'file systems'),
    ],
)
def test_wrong_files_say_what_is_wrong(text, message):
    with pytest.raises(Malformed, match=message):
        read(text)
