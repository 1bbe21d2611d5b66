"""From what fio leaves to the figures of images, and what is refused."""

import json

import pytest

from ...worker.loads.rados.windows import length, measured, sums
from ...worker.loads.rbd import output
from ...worker.loads.rbd.monitor import version
from ...worker.loads.rbd.process import counters
from ...worker.runtime.failure import Failure
from ...worker.wire import histogram
from ..data.fio_results import COLUMNS, NAMES, Run, bucket, line, side


@pytest.fixture
def run(tmp_path):
    def make(*args, **more):
        return Run(tmp_path, *args, **more)

    return make


def test_a_line_of_fio_has_as_many_columns_as_we_read():
    # as fio 3.41 wrote them: 29 groups of 64 buckets, four to a column
    assert len(COLUMNS) == 464
    assert output.middle(0) == 0 and output.middle(127) == 127
    assert output.middle(128) == 129  # of 128 and 129
    assert output.middle(bucket(1_000_000)) == 1_003_520


def test_rates_of_the_log_and_of_the_totals_agree(run):
    found = run(1000.0, 10.0, {'read': 500, 'write': 200})
    for name, rate in (('read', 500), ('write', 200)):
        part = output.segment(found.load, name, 4, 50.0)
        window = measured([[part]], 0.0, 10.0)
        assert length(window) == pytest.approx(10.0)
        assert sums([[part]], window).rate == pytest.approx(rate, rel=0.002)
        stated = found.job[name]['iops']
        assert stated == pytest.approx(rate)


def test_latencies_of_the_log_are_scaled_to_the_mean_that_is_stated(run):
    found = run(1000.0, 10.0, {'read': 500})
    part = output.segment(found.load, 'read', 4, 0.0)
    whole = sums([[part]], measured([[part]], 0.0, 10.0))
    assert whole.latency == pytest.approx(
        found.job['read']['lat_ns']['mean'] / 1e9, rel=1e-6
    )


def test_measured_is_where_all_images_were(run):
    early = run(1000.0, 10.0, {'read': 500}, name='a')
    late = run(1001.5, 10.0, {'read': 300}, name='b')
    segments = [
        [output.segment(r.load, 'read', 4, r.load.started)]
        for r in (early, late)
    ]
    window = measured(segments, 0.0, 10.0)
    assert window == [(1001.5, 1010.0)]
    assert sums(segments, window).rate == pytest.approx(800, rel=0.002)


def test_percentiles_are_of_all_operations_together(run):
    quick = run(1000.0, 10.0, {'read': 2000}, mean=1e6, name='a')
    slow = run(1000.0, 10.0, {'read': 500}, mean=30e6, name='b', seed=2)
    total = output.merged([quick.load, slow.load])
    every = sorted(w for r in (quick, slow) for _, w in r.ops['read'])
    for name, share in (('p50', 0.5), ('p99', 0.99), ('p99.9', 0.999)):
        truth = every[int(share * len(every))] / 1e9
        assert total['percentiles'][name] == pytest.approx(truth, rel=0.02)
    assert 'p99.99' not in total['percentiles']  # 25,000 are too few
    mean = sum(every) / len(every) / 1e9
    assert total['latency_avg'] == pytest.approx(mean)
    assert total['latency_max'] == pytest.approx(every[-1] / 1e9)


def test_directions_are_apart_and_together(run):
    found = run(1000.0, 10.0, {'read': 500, 'write': 200})
    apart = [output.merged([found.load], n)['ops'] for n in NAMES]
    assert apart == [5000, 2000]
    assert output.merged([found.load])['ops'] == 7000


def test_a_stall_at_the_end_is_measured(run, tmp_path):
    found = run(1000.0, 10.0, {'read': 100})
    # the last 4 of 10 s: nothing ended, then the drain took 5 s
    with open(found.log) as file:
        lines = file.readlines()[:60]
    with open(found.log, 'w') as file:
        file.writelines(lines)
    held = found.ops['read'][:604]
    found.job['read'] = side([w for _, w in held], 15.0)
    load = output.load(found.job, found.log, 10.0, 'fio')
    part = output.segment(load, 'read', 4, 0.0)
    window = measured([[part]], 0.0, 10.0)
    assert length(window) == pytest.approx(10.0)
    assert sums([[part]], window).ops == pytest.approx(602, abs=2)


def test_a_fio_that_does_not_say_when_it_began_is_placed_by_its_log(run):
    found = run(1000.0, 10.0, {'read': 500})
    del found.job['job_start']
    load = output.load(found.job, found.log, 10.0, 'fio')
    assert load.started == pytest.approx(1000.0, abs=0.11)


def test_errors_are_counted_and_named(run):
    found = run(1000.0, 2.0, {'write': 50})
    found.job.update(total_err=7, first_error=122)
    load = output.load(found.job, found.log, 2.0, 'fio')
    assert (load.errors, load.reason) == (7, 'EDQUOT')


def document(job):
    return 'note: x\n' + json.dumps({'fio version': 'f', 'jobs': [job]})


def test_notes_before_the_result_do_no_harm(run):
    found = run(1000.0, 2.0, {'write': 50})
    assert output.parse(document(found.job), 'fio') == found.job


@pytest.mark.parametrize(
    'text',
    [
        '',
        'fio: pid=1, err=5\n',
        '{"jobs": []}',
        '{"jobs": [1, 2]}',
        '{"jobs": 5}',
        '{"jobs": [{"read": {}}]}',
        '{"jobs": [{"read": {"lat_ns": {"N": "x"}}, "write": {}}]}',
        '[' * 100000 + '{',
        '{"a":' * 100000,
    ],
)
def test_what_is_no_result_is_one_clear_line(text):
    with pytest.raises(Failure, match='fio on image a') as caught:
        output.parse(text, 'fio on image a')
    assert '\n' not in str(caught.value)


def test_a_result_that_was_cut_is_refused(run):
    text = document(run(1000.0, 2.0, {'write': 50}).job)
    with pytest.raises(Failure, match='cannot be read'):
        output.parse(text[: len(text) // 2], 'fio')


@pytest.mark.parametrize(
    'bad, message',
    [
        ('x\n', 'line 1 of the log'),
        ('1, 0, 4096, 1\n', '1 columns instead of 464'),
        ('1, 7, 4096, 1\n', 'line 1 of the log'),
        (line(5.0, 'read', [1e6]) + line(4.0, 'read', [1e6]), 'back in time'),
        (line(5.0, 'read', [1e6]).replace(' 1,', ' -1,'), 'columns|log'),
        ('9' * 5000 + ', 0\n', 'line 1 of the log'),
        ('1, ' * 100000, 'line 1 of the log'),
    ],
)
def test_a_log_that_is_none_is_refused(run, bad, message):
    found = run(1000.0, 2.0, {'read': 50})
    with open(found.log, 'w') as file:
        file.write(bad)
    with pytest.raises(Failure, match=message):
        output.load(found.job, found.log, 2.0, 'fio')


@pytest.mark.parametrize(
    'change',
    [
        {'total_err': 'many'},
        {'read': {'lat_ns': {'N': 5, 'mean': 'x'}}},
        {'read': {'lat_ns': {'N': 5, 'bins': {'x': 1}}}},
        {'job_start': -1},
    ],
)
def test_figures_that_cannot_be_are_refused(run, change):
    found = run(1000.0, 2.0, {'read': 50})
    with pytest.raises(Failure, match='cannot be used'):
        output.load({**found.job, **change}, found.log, 2.0, 'fio')


def test_counters_of_librbd_are_found_beside_others():
    reply = {
        'finisher-librbd': {},
        'librbd-1045-pool-image': {
            'rd': 3,
            'rd_bytes': 300,
            'rd_latency': {'sum': 1.5},
            'wr': 2,
            'wr_bytes': 200,
            'wr_latency': {'sum': 0.5},
        },
        'objecter': {'op_active': 4},
    }
    found = counters(reply)
    assert (found.ops, found.bytes, found.waited) == (5, 500, 2.0)
    assert found.in_flight == 4
    assert counters({'objecter': {}}) is None
    assert counters('x') is None
    assert version({'version': '20.2.4', 'release': 'tentacle'}) == (
        '20.2.4 tentacle'
    )
    assert version([]) == ''


@pytest.mark.parametrize('mean', [None, '', 'x', [], float('nan')])
def test_a_result_without_a_mean_is_refused_in_one_line(run, mean):
    found = run(1000.0, 10.0, {'read': 500})
    found.job['read']['lat_ns']['mean'] = mean
    with pytest.raises(Failure, match='cannot be used'):
        output.load(found.job, found.log, 10.0, 'fio')
    del found.job['read']['lat_ns']['mean']
    with pytest.raises(Failure, match='cannot be used: .*mean'):
        output.load(found.job, found.log, 10.0, 'fio')


def test_bins_become_a_histogram_of_each_direction():
    """They are added up over processes; the middle of a bin decides."""
    side = {'lat_ns': {'N': 3, 'bins': {'1000': 2, '70144': 1}}}
    loads = [
        output.Load(0.0, 1.0, 1.0, sides, {}, 0, '')
        for sides in ({'read': side}, {'read': side, 'write': side}, {})
    ]
    found = output.histogram_of(loads, 'read')
    assert sum(found.values()) == 6
    for at, ops in ((1000, 4), (70144, 2)):
        index = histogram.bucket(at)
        assert found[index] == ops
        assert histogram.middle(index) == pytest.approx(at, rel=0.004)
    assert output.histogram_of(loads, 'write') != {}
    assert output.histogram_of(loads[:1], 'write') == {}
