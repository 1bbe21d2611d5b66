"""From the output of `rados bench` to the figures of a window."""

import json

import pytest

from perfcompare.worker.loads.rados.clients import (
    Poll,
    align,
    discrepancy,
    refine,
)
from perfcompare.worker.loads.rados.rados_bench import (
    PRINTED,
    Bench,
    Sample,
    bench_args,
    complaint,
    parse,
    raised_limits,
)
from perfcompare.worker.loads.rados.reduce import quantiles, series
from perfcompare.worker.loads.rados.windows import (
    Segment,
    intersect,
    length,
    measured,
    pieces,
    sums,
)
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.jobs import Access

ACCESS = Access('/c/ceph.conf', '/c/keyring', 'client.perfcompare.x', 'pool')
# Printed by rados 20.2.4 on a real cluster (rows 2 to 6 left out).
REAL = (
    'hints = 1\n{"concurrent_ios":"8","object_size":"4096","op_size":"4096",'
    '"seconds_to_run":"8","max_objects":"100000",'
    '"object_prefix":"benchmark_data_vm_21795","datas":['
    '{"sec":"0","cur_ops":"1","started":"1","finished":"0","avg_bw":"0.000000","cur_bw":"0.000000","last_lat":"0.000000","avg_lat":"0.000000"},'
    '{"sec":"1","cur_ops":"8","started":"2248","finished":"2240","avg_bw":"8.736108","cur_bw":"8.750000","last_lat":"0.003874","avg_lat":"0.003567"},'
    '{"sec":"7","cur_ops":"7","started":"17295","finished":"17288","avg_bw":"9.641548","cur_bw":"9.890625","last_lat":"0.002530","avg_lat":"0.003238"}],'
    '"total_time_run":"8.000917","total_writes_made":"19571","write_size":"4096","object_size":"4096","bandwidth":"9.555057",'
    '"stddev_bandwidth":"0.436288","max_bandwidth":"10.074219","min_bandwidth":"8.750000","average_iops":"2446",'
    '"stddev_iops":"-1543468496","max_iops":"2579","min_iops":"2240","average_latency":"0.003267","stddev_latency":"0.000931",'
    '"max_latency":"0.012697","min_latency":"0.000935"}\n'
)


def output(rows, seconds, ops, latency=0.01, size=4096, op='write'):
    """Print rows of (time, started, finished) as `rados bench` does."""
    return 'hints = 1\n' + json.dumps(
        {
            'datas': [
                {
                    'sec': str(i),
                    'started': str(started),
                    'finished': str(finished),
                    'avg_bw': f'{finished * size / t / (1 << 20) if t else 0:f}',
                    'avg_lat': f'{latency:f}',
                }
                for i, (t, started, finished) in enumerate(rows)
            ],
            'total_time_run': f'{seconds:f}',
            f'total_{op}s_made': str(ops),
            f'{op}_size': str(size),
            'average_latency': f'{latency:f}',
            'max_latency': '0.5',
        }
    )


def steady(rate, seconds, start=0.0, late=0.001, latency=0.01):
    """A segment of constant rate, whose printer is a little late."""
    rows = [
        (t, int(t * rate) + 8, int(t * rate))
        for t in (i * (1 + late) for i in range(seconds))
    ]
    bench = parse(output(rows, seconds, int(seconds * rate), latency))
    return Segment(bench, start, float(seconds))


def test_real_output_is_read_with_exact_times():
    bench = parse(REAL)
    assert bench.ops == 19571 and bench.size == 4096
    assert bench.latency_max == 0.012697
    assert bench.prefix == 'benchmark_data_vm_21795'
    # 2240 × 4096 B / 8.736108 MiB/s
    assert bench.samples[1].t == pytest.approx(1.001590, abs=1e-6)
    assert bench.samples[-1].t == 8.000917
    assert bench.samples[-1].waited == pytest.approx(19571 * 0.003267)


@pytest.mark.parametrize(
    'text',
    [
        '',
        'hints = 1\n',
        REAL[:300],
        'hints = 1\n{}',
        'hints = 1\n{"datas": 3}',
    ],
)
def test_cut_output_is_a_clear_failure(text):
    with pytest.raises(Failure, match='rados bench'):
        parse(text)


def test_rate_too_low_to_print_falls_back_to_whole_seconds():
    bench = parse(output([(0, 1, 0), (1, 2, 1), (2, 3, 2)], 3, 3, size=1))
    assert [s.t for s in bench.samples] == [0, 1, 2, 3]


def test_window_excludes_warmup_and_drain():
    segment = steady(1000, 10)
    window = measured([[segment]], 2.0, 5.0)
    assert window == [(2.0, 7.0)]
    found = sums([[segment]], window)
    assert found.rate == pytest.approx(1000, rel=1e-3)
    assert found.latency == pytest.approx(0.01, rel=1e-3)


def test_ramp_and_drain_change_nothing():
    rows = [(0, 8, 0), (1, 108, 100)]
    rows += [
        (t, 100 + 8 + 1000 * (t - 1), 100 + 1000 * (t - 1))
        for t in range(2, 9)
    ]
    segment = Segment(parse(output(rows, 12.0, 7108)), 0.0, 9.0)
    assert sums(
        [[segment]], measured([[segment]], 1.0, 7.0)
    ).rate == pytest.approx(1000)


def test_stall_is_measured_not_cut():
    rows = [
        (t, 1008, 1000) if t > 1 else (t, t * 1000 + 8, t * 1000)
        for t in range(9)
    ]
    segment = Segment(parse(output(rows, 9.0, 2000)), 0.0, 9.0)
    window = measured([[segment]], 1.0, 7.0)
    assert length(window) == pytest.approx(7.0)
    assert sums([[segment]], window).rate == pytest.approx(0.0, abs=1)


def test_clients_are_measured_where_all_run():
    early, late = steady(1000, 10), steady(500, 10, start=1.5)
    window = measured([[early], [late]], 1.0, 20.0)
    assert window[0][0] == pytest.approx(2.5)
    assert window[0][1] == pytest.approx(10.0)
    assert sums([[early], [late]], window).rate == pytest.approx(
        1500, rel=1e-2
    )


def test_gap_between_passes_is_cut():
    def one(start):
        rows = [(t, min(4000, t * 1000 + 8), t * 1000) for t in range(4)]
        bench = parse(output(rows, 4.0, 4000, op='read'))
        return Segment(bench, start, None, 8)

    passes = [one(0.0), one(4.5), one(9.0)]
    window = measured([passes], 0.0, 13.0)
    assert window == [(1.0, 3.0), (5.5, 7.5), (10.0, 12.0)]
    assert sums([passes], window).rate == pytest.approx(1000)
    assert [length(p) for p in pieces(window, 6)] == pytest.approx([1.0] * 6)


def test_no_client_or_no_samples_measure_nothing():
    assert measured([], 0, 1) == []
    assert measured([[]], 0, 1) == []
    assert Segment(parse(output([], 0.5, 0)), 0.0, 1.0).steady() is None


def test_intersect():
    assert intersect([(0, 2), (3, 5)], [(1, 4)]) == [(1, 2), (3, 4)]
    assert intersect([(0, 1)], [(1, 2)]) == []


def test_pieces_keep_order_and_length():
    parts = pieces([(0.0, 1.0), (2.0, 7.0)], 6)
    assert [length(p) for p in parts] == pytest.approx([1.0] * 6)
    assert parts[0] == [(0.0, 1.0)]


def polls(rate, zero, seconds):
    return [
        Poll(
            zero + 0.3 + i, int((0.3 + i) * rate), (0.3 + i) * rate * 0.01, 8
        )
        for i in range(seconds)
    ]


def test_clock_of_the_bench_is_found_from_the_socket():
    segment = steady(1000, 10)
    bench = parse(
        output([(t, t * 1000 + 8, t * 1000) for t in range(10)], 10, 10000)
    )
    start, how = align(polls(1000, 50.0, 9), bench, 49.8, 60.2)
    assert start == pytest.approx(50.0, abs=0.002)
    assert how['source'] == 'admin socket' and how['spread'] < 0.002
    assert discrepancy(polls(1000, 0.0, 9), segment) == pytest.approx(
        0, abs=2e-3
    )
    assert discrepancy(polls(1100, 0.0, 9), segment) == pytest.approx(
        0.1, abs=2e-3
    )


def test_without_socket_the_exit_gives_the_clock():
    bench = parse(output([(0, 8, 0), (1, 1008, 1000)], 2.0, 2000))
    assert align([], bench, 49.8, 52.1) == (
        pytest.approx(50.1),
        {'source': 'exit', 'spread': None},
    )


def test_short_pass_is_refined_by_the_socket():
    rows = [(0, 8, 0), (1, 1000, 995)]
    bench = parse(output(rows, 1.005, 1000, op='read'))
    more = [Poll(0.2 * i, 200 * i, 2.0 * i, 8) for i in range(1, 5)]
    assert Segment(bench, 0.0, None, 8).steady() is None
    fine = Segment(refine(bench, more, 0.0), 0.0, None, 8)
    assert fine.steady() == pytest.approx((0.2, 0.8))
    found = sums([[fine]], [fine.steady()])
    assert found.rate == pytest.approx(1000)
    assert found.latency == pytest.approx(0.01, rel=1e-3)


def test_series_merges_clients_on_one_grid():
    pytest.importorskip('numpy')
    clients = [[steady(1000, 10, 100.0)], [steady(500, 10, 100.4)]]
    data, note = series(clients, (1e9, 90.0))
    assert note == ''
    assert data['wall_start'] == 1e9 + 10.0
    assert data['t'][:3] == [1.0, 2.0, 3.0]
    assert data['ops'][4] == pytest.approx(1500, rel=1e-2)
    assert data['latency'][4] == pytest.approx(0.01, rel=1e-2)


def printed(ops_per_s, seconds, mean_of):
    """Return rows of a bench that prints means in whole microseconds."""
    samples = [
        Sample(
            float(t), ops_per_s * t, ops_per_s * t,
            round(mean_of(t), 6) * ops_per_s * t,
        )
        for t in range(seconds + 1)
    ]  # fmt: skip
    bench = Bench(samples, float(seconds), ops_per_s * seconds, 0, None)
    return Segment(bench, 100.0, None, 4)


def test_latencies_that_are_rounding_alone_are_not_told():
    pytest.importorskip('numpy')
    # of 16,000 operations a second, a mean that falls from 250 to 240 us
    segment = printed(16000, 300, lambda t: 250e-6 - t / 300 * 10e-6)
    data, note = series([[segment]], (0.0, 0.0), printed=PRINTED)
    told = [v for v in data['latency'] if v is not None]
    assert told and all(200e-6 < v < 280e-6 for v in told)
    assert len(told) < len(data['latency'])
    assert 'series: latencies of' in note
    assert all(rate == pytest.approx(16000) for rate in data['ops'])


def test_long_series_is_thinned_out_and_keeps_its_sum():
    pytest.importorskip('numpy')
    data, _ = series([[steady(100, 300)]], (0.0, 0.0), points=50)
    assert len(data['t']) <= 51 and data['t'][0] == 6.0
    assert sum(data['ops']) * 6.0 == pytest.approx(100 * 300, rel=0.03)
    assert quantiles(data, 30.0, 270.0)['p50'] == pytest.approx(100, rel=0.02)


def test_command_lines_hold_all_safeguards():
    write = bench_args(
        ACCESS, 'write', 60, 16, 4096, 'run.0', 5000, 'c0.1.asok'
    )
    text = ' '.join(write)
    assert write[0] == 'rados'
    for part in (
        '--max-objects 5000',
        '--no-cleanup',
        '--run-name run.0',
        '-b 4096',
        '-O 4096',
        '-t 16',
        'bench 60 write',
        '--admin-socket c0.1.asok',
        '--keyring /c/keyring',
        '-n client.perfcompare.x',
        '-p pool',
    ):
        assert part in text
    parts = bench_args(ACCESS, 'write', 60, 16, 65536, 'r', 9, 'a', 4096)
    assert '-b 4096 -O 65536' in ' '.join(parts)
    rand = bench_args(ACCESS, 'rand', 60, 16, 4096, 'run.0', 0, 'a')
    assert (
        '--no-verify' in rand
        and '-b' not in rand
        and '--max-objects' not in rand
    )


def test_librados_limits_are_raised_only_where_they_bind():
    assert raised_limits(16, 4 << 20) == []
    assert raised_limits(32, 4 << 20) == [
        '--objecter-inflight-op-bytes=268435456'
    ]
    assert raised_limits(2000, 4096) == ['--objecter-inflight-ops=4000']


@pytest.mark.parametrize(
    'text, kind',
    [
        ('error opening pool nopool: (2) No such file or directory', 'pool'),
        (
            'error during benchmark: (1) Operation not permitted\nerror 1: (1) Operation not permitted',
            'access',
        ),
        ('failed to fetch mon config (--no-mon-config to skip)', 'access'),
        ('Must write data before running a read benchmark!', 'population'),
        ('read got -2\nerror during benchmark', 'population'),
        ('error during benchmark: (122) Disk quota exceeded', 'full'),
        ("cannot run 'rados': No such file or directory", 'tool'),
        ('error during benchmark: (110) Connection timed out', 'load'),
    ],
)
def test_complaints_of_rados_get_a_kind(text, kind):
    found = complaint(ACCESS, 1, text, 'rados bench write')
    assert found.kind == kind and '\n' not in str(found)


def test_signal_is_named():
    assert 'was killed by signal 11' in str(complaint(ACCESS, -11, '', 'x'))
