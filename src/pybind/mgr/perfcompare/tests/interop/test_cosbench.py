"""Tests of results of COSBench."""

import pytest

from ...interop import runs
from ...worker.wire.strict import Malformed
from ..data import interop_data as data
from .reading import only, read


def test_cosbench_result_is_its_main_stage():
    found = only(data.COSBENCH)
    assert (found.op, found.size, found.duration) == ('s3-mixed', 65536, 60)
    assert found.ops_per_s == pytest.approx(1666.66)
    assert found.ops == 100_000
    assert found.errors == 101  # of 99.5 % of 20,000
    assert found.latency_avg == pytest.approx(0.0075)
    assert found.latency_max == 0.3
    assert found.operations['get']['percentiles'] == {
        'p60': 0.01,
        'p80': 0.01,
        'p90': 0.01,
        'p95': 0.02,
        'p99': 0.02,
    }
    assert found.concurrency is None


def test_cosbench_without_success_ratios_has_no_number_of_errors():
    text = data.COSBENCH
    assert '99.5%' in text
    for ratio in ('99.5%', '100%'):
        text = text.replace(f',{ratio},', ',N/A,')
    assert only(text).errors is None


def test_cosbench_operations_of_one_kind_in_a_stage_are_added_up():
    rows = data.COSBENCH.splitlines()
    read_row = next(row for row in rows if row.startswith('s3-main,read'))
    larger = read_row.replace('6.25,5.5,', '12.5,11,', 1).replace(
        ',80000,5242880000,', ',40000,5242880000,', 1
    )
    rows.insert(rows.index(read_row) + 1, larger)
    found = only('\n'.join(rows) + '\n')
    assert (found.op, found.ops) == ('s3-mixed', 140_000)
    get = found.operations['get']
    assert get['ops'] == 120_000
    assert get['ops_per_s'] == pytest.approx(2 * 1333.33)
    assert get['bytes_per_s'] == 2 * 87381333
    assert get['latency_avg'] == pytest.approx(0.025 / 3)
    assert get['latency_max'] == 0.12
    assert get['percentiles'] == {}
    assert found.operations['put']['percentiles']
    # without the writes it is a stage of reads alone
    reads = [row for row in rows if not row.startswith('s3-main,write')]
    found = only('\n'.join(reads) + '\n')
    assert (found.op, found.ops, found.percentiles) == ('s3-get', 120_000, {})
    assert found.operations == {}


def test_cosbench_operation_of_a_mix_that_never_succeeded_is_refused():
    rows = data.COSBENCH.splitlines()
    (at,) = [i for i, r in enumerate(rows) if r.startswith('s3-main,write')]
    rows[at] = 's3-main,write,write,0,0,' + 'N/A,' * 8 + '0,0,N/A,completed'
    with pytest.raises(Malformed, match="'s3-main': no 'write' succ"):
        read('\n'.join(rows) + '\n')
    # a stage of nothing else is left out, as one that prepares
    rows[at] = rows[at].replace('s3-main', 's5-more')
    found = only('\n'.join(rows) + '\n')
    assert (found.op, found.ops) == ('s3-get', 80_000)


def test_cosbench_stage_is_a_series_and_completes_a_result():
    found = only(data.COSBENCH_STAGE)
    assert found.op == 's3-mixed' and found.duration == 15
    assert found.ops_per_s == pytest.approx(16666 / 15)
    assert found.samples.t == (5.0, 10.0, 15.0)
    both = only(data.COSBENCH + data.COSBENCH_STAGE)
    assert both.ops == 100_000 and both.samples.t == (5.0, 10.0, 15.0)
    assert both.samples.start == both.started


def cosbench_reads(*stages):
    """Return a result: operations and bytes of each, of stages of 60 s."""
    header = data.COSBENCH.splitlines()[0]
    rows = [
        f's{i},read,read,{ops},{ops * size},6,5,10,10,10,20,20,120,'
        f'{ops / 60:.2f},{ops * size / 60:.0f},100%,completed,'
        'running @ 2026-11-20 12:00:06,completed @ 2026-11-20 12:01:06'
        for i, (ops, size) in enumerate(stages, 3)
    ]
    return '\n'.join([header, *rows]) + '\n'


def cosbench_series(ops, size, idle=0):
    """Return the series of such a stage, and of ``idle`` intervals."""
    names = (
        'Op-Count,Byte-Count,Avg-ResTime,Avg-ProcTime,Throughput,Bandwidth,'
        'Succ-Ratio,Version-Info'
    )
    each = f'{ops // 12},{ops // 12 * size},6,5,{ops / 60:.2f},1,100%,1,1,1'
    none = '0,0,N/A,N/A,0,0,N/A,1,1,1'
    parts = [each] * 12 + [none] * idle
    rows = [
        f'12:{i // 12:02}:{i % 12 * 5:02},{p}' for i, p in enumerate(parts)
    ]
    head = [f'Timestamp,{names},,', ',' + 'read,' * 7 + 'Min,Version,Max']
    return '\n'.join(head + rows) + '\n'


def test_a_series_belongs_to_the_stage_of_its_size_and_operations():
    result = cosbench_reads((80_000, 65536), (6_000, 1 << 20), (9_000, 4096))
    joined = result + cosbench_series(6_000, 1 << 20)
    rows = read(joined).measured
    assert [row.samples is not None for row in rows] == [False, True, False]
    assert rows[1].samples.ops == (100.0,) * 12
    assert rows[1].samples.start == rows[1].started
    rows = read(joined + cosbench_series(80_040, 65536, idle=9)).measured
    assert [(row.ops, row.round) for row in rows] == [
        (80_000, 1), (6_000, 1), (9_000, 1),
    ]  # fmt: skip
    assert rows[0].samples.ops[0] == pytest.approx(1333, rel=0.01)


@pytest.mark.parametrize(
    'stages, number',
    [
        ([(80_000, 4096)], 'none'),
        ([(6_000, 65536)], 'none'),
        ([(80_000, 65536), (80_300, 65536)], '2'),
    ],
)
def test_a_series_of_none_or_of_any_of_several_stages_is_refused(
    stages, number
):
    joined = cosbench_reads(*stages) + cosbench_series(80_040, 65536)
    with pytest.raises(Malformed, match=f'fits {number} of .* by itself'):
        read(joined)


def test_a_series_completes_a_row_once_and_only_of_the_last_result():
    result = cosbench_reads((6_000, 65536))
    series = cosbench_series(6_000, 65536)
    with pytest.raises(Malformed, match='fits none'):
        read(result + series + series)
    rows = read(result + result + series).measured
    assert [(r.round, r.samples is None) for r in rows] == [
        (1, True), (2, False),
    ]  # fmt: skip


def test_series_without_a_result_are_rounds():
    rows = read(cosbench_series(6_000, 4096) * 2).measured
    assert [row.round for row in rows] == [1, 2]


def test_cosbench_matrix_knows_the_workers():
    first, second = read(data.COSBENCH_MATRIX).measured
    assert (first.op, first.concurrency, first.size) == ('s3-get', 64, 65536)
    assert (second.op, second.errors) == ('s3-put', 0)


def names(content):
    run, _ = runs.make(read(content), 'ab12cd34', 'arm', '', 2e9)
    return [w.name for w in run.plan.profile.workloads]


def test_stages_that_a_result_does_not_tell_apart_are_no_rounds():
    # it does not have the number of workers
    stages = (80_000, 65536), (160_000, 65536), (6_000, 1 << 20)
    result = cosbench_reads(*stages)
    assert names(result) == [
        's3-get-64K-stage-s3', 's3-get-64K-stage-s4', 's3-get-1M',
    ]  # fmt: skip
    rows = read(result).measured
    assert [row.round for row in rows] == [1, 1, 1]
    assert "stage 's4'" in rows[1].notes[-1]
    assert not any('apart' in note for note in rows[2].notes)
    # the same stage of workloads that were run again
    again = read(result + result).measured
    assert [row.round for row in again] == [1, 1, 1, 2, 2, 2]
    assert names(cosbench_reads(stages[0])) == ['s3-get-64K']


def test_stages_of_a_matrix_are_rounds_where_their_configuration_is_one():
    head, first, _ = data.COSBENCH_MATRIX.splitlines()
    second = first.replace('w1-s3-main', 'w1-s4-main')
    more = second.replace(',64,', ',128,').replace('s4', 's5')
    wider = second.replace('u(1-640)', 'u(1-64000)').replace('s4', 's6')

    def found(*rows):
        text = '\n'.join((head, *rows)) + '\n'
        return names(text), [row.round for row in read(text).measured]

    assert found(first, second, more) == (
        ['s3-get-64K-c64', 's3-get-64K-c128'],
        [1, 2, 1],
    )
    apart, rounds = found(first, wider)
    assert rounds == [1, 1] and len(set(apart)) == 2
    assert all(name.startswith('s3-get-64K-c64-config-') for name in apart)


@pytest.mark.parametrize(
    'content, message',
    [
        ('Id,Name,Submitted-At,Started-At\nw1,x,y,z\n', 'run-history'),
        ('ResTime,s1-w1-read,(%)\n', 'histogram'),
        (
            data.COSBENCH.replace(',read,read,', ',filewrite,filewrite,'),
            "'filewrite'",
        ),
        ('\n'.join(data.COSBENCH.splitlines()[:3]) + '\n', 'no stage'),
        (data.COSBENCH[:-330], 'truncated'),
        (data.COSBENCH_STAGE.replace('read', 'init'), 'is not measured'),
        (data.COSBENCH_STAGE.replace('23:59:50', 'x'), "'x' is not a time"),
    ],
)
def test_wrong_cosbench(content, message):
    with pytest.raises(Malformed, match=message):
        read(content)
