"""Tests of what reads the results of other tools."""

import base64
import gzip
import io
import json
import pathlib
import shutil
import subprocess

import pytest

from ...worker.interop import detect, table
from ...worker.interop.content import Content
from ...worker.wire.reading import TOOLS, Samples, mean_rate, windows
from ...worker.wire.strict import Malformed
from ..data import interop_data as data


def read(content, tool='auto'):
    stream = io.BufferedReader(io.BytesIO(content.encode()))
    return detect.read(stream, tool)


def only(content, tool='auto'):
    (found,) = read(content, tool).measured
    return found


# warp, CSV


@pytest.mark.parametrize('new', [False, True])
@pytest.mark.parametrize('zone', ['Z', '+01:00'])
def test_warp_csv(new, zone):
    found = only(data.warp_get(new=new, zone=zone))
    assert (found.op, found.size, found.concurrency) == ('s3-get', 4096, 4)
    # 4 threads, 10 ms each, over the time in which all of them work
    assert found.ops_per_s == pytest.approx(400, rel=0.01)
    assert found.bytes_per_s == pytest.approx(400 * 4096, rel=0.01)
    assert found.duration == pytest.approx(10, abs=0.03)
    assert found.started == pytest.approx(data.T0.timestamp() + 3, abs=0.02)
    assert found.latency_avg == pytest.approx(0.01)
    assert found.percentiles['p99'] == pytest.approx(0.01, rel=0.005)
    assert 'p99.9' not in found.percentiles  # of 4,000 operations
    assert found.errors == 0
    assert len(found.samples.t) == 9
    assert found.samples.ops[3] == pytest.approx(400, abs=4)
    assert 'preparation is left out: PUT' in found.notes


def test_warp_csv_window_does_not_count_the_end_that_it_begins_with():
    rows = [data.HEADER, *data.warp_rows('PUT', 0, 0, 100, 10**8, 4096)]
    found = only('\n'.join(rows) + '\n')
    assert (found.ops, found.duration) == (98, pytest.approx(9.8))
    assert found.ops_per_s == pytest.approx(10.0)
    assert set(found.samples.ops) == {10.0}


def test_warp_csv_mixed_has_figures_of_each_operation():
    rows = [data.HEADER]
    rows += data.warp_rows('GET', 0, 0, 1000, 10**7, 4096, first=10**6)
    rows += data.warp_rows('STAT', 1, 0, 2000, 5 * 10**6, 0)
    rows += data.warp_rows('DELETE', 2, 0, 500, 2 * 10**7, 0)
    found = only('\n'.join(rows) + '\n')
    assert found.op == 's3-mixed'
    assert found.ops_per_s == pytest.approx(350, rel=0.02)
    assert found.size == 4096
    assert set(found.operations) == {'get', 'stat', 'delete'}
    assert found.operations['get']['first_byte']['p50'] == pytest.approx(
        0.001, rel=0.005
    )
    assert found.operations['stat']['ops_per_s'] == pytest.approx(
        200, rel=0.02
    )


def test_warp_csv_counts_errors_and_leaves_them_out_of_latencies():
    rows = data.warp_get().splitlines()
    rows += data.warp_rows(
        'GET', 1, 5 * 10**9, 7, 10**8, 0, error='503 Slow Down'
    )
    found = only('\n'.join(rows) + '\n')
    assert found.errors == 7
    assert found.failures == {'get 503 Slow Down': 7}
    assert found.latency_max == pytest.approx(0.01)


def test_warp_csv_counts_errors_of_an_operation_that_always_failed():
    rows = data.warp_get().splitlines()
    refused = {'error': '501 Not Implemented'}
    rows += data.warp_rows('STAT', 1, 5 * 10**9, 9, 10**8, 0, **refused)
    # before what is measured
    rows += data.warp_rows('PUT', 1, 0, 3, 10**8, 0, **refused)
    found = only('\n'.join(rows) + '\n')
    assert found.op == 's3-get' and found.errors == 9


def test_warp_csv_names_errors_by_what_they_have_in_common():
    reasons = [
        'Error response code QuotaExceeded.',
        'Get "http://h:80/b/o-1": read tcp 1.2.3.4:5->h:80: EOF',
        'Get "http://h:80/b/o-2": read tcp 1.2.3.4:6->h:80: EOF',
    ]
    reasons += [f'reason {i}' for i in range(40)]
    rows = data.warp_get().splitlines()
    for i, error in enumerate(reasons):
        rows += data.warp_rows(
            'GET', 1, 5 * 10**9 + i, 1, 10**8, 0, error=error
        )
    found = only('\n'.join(rows) + '\n')
    assert found.failures['get QuotaExceeded'] == 1
    assert found.failures['get EOF'] == 2
    assert found.failures['get failed'] == 10
    assert found.errors == sum(found.failures.values()) == 43


def test_threads_with_few_operations_make_no_moment_a_rate():
    rows = [data.HEADER]
    # two operations of 2 s each: all threads are at work for 1 s of 5
    for thread in range(4):
        begin = thread * 333 * 10**6
        rows += data.warp_rows('GET', thread, begin, 2, 2 * 10**9, 1 << 22)
    found = only('\n'.join(rows) + '\n')
    assert found.ops_per_s == pytest.approx(8 / 5, rel=0.05)
    assert found.duration == pytest.approx(5, abs=0.01)
    assert any('ramps are included' in note for note in found.notes)


def test_warp_csv_of_many_sizes_has_a_power_of_two():
    rows = [data.HEADER]
    for i, size in enumerate((3000, 5000, 4500)):
        rows += data.warp_rows('PUT', i, 0, 100, 10**7, size)
    assert only('\n'.join(rows) + '\n').size == 4096


@pytest.mark.parametrize(
    'change, message',
    [
        (lambda t: t[:-40].rpartition('\t')[0], 'columns'),
        (lambda t: t.replace('\tthread\top', '\top\tthread'), 'not known'),
        (lambda t: t.replace('\tend\t', '\tfinish\t'), "no column 'end'"),
        (lambda t: t.replace('12:00:04', '12:xx:04'), 'cannot be read'),
        (lambda t: t.replace('\tGET\t', '\tAPPEND\t'), "'APPEND' is not one"),
        (lambda t: t.splitlines()[0] + '\n', 'no operation in it succeeded'),
    ],
)
def test_wrong_warp_csv(change, message):
    with pytest.raises(Malformed, match=message):
        read(change(data.warp_get()))


def test_joined_files_are_rounds():
    found = read(data.warp_get() + data.warp_get(wait=20_000_000))
    assert [m.round for m in found.measured] == [1, 2]
    rates = [m.ops_per_s for m in found.measured]
    assert rates == pytest.approx([400, 200], rel=0.02)
    found = read(data.warp_old_json() + '\n' + data.warp_old_json())
    assert [m.round for m in found.measured] == [1, 2]


# warp, JSON


def test_warp_old_json():
    found = only(data.warp_old_json())
    assert (found.op, found.size, found.concurrency) == ('s3-get', 4096, 8)
    assert found.ops_per_s == 200
    assert found.percentiles == pytest.approx(
        {'p50': 0.008, 'p90': 0.008, 'p95': 0.008, 'p99': 0.016}
    )
    assert (found.latency_avg, found.latency_max) == (0.008, 0.04)
    assert (found.ops, found.errors) == (1999, 1)
    assert found.samples.t[0] == 1.0 and len(found.samples.t) == 10
    assert any('PUT' in note for note in found.notes)


def test_what_warp_recorded_is_the_same_in_both_of_its_forms():
    # by warp 1.0.8, of one load of some 13 operations/s for 8 s
    folder = pathlib.Path(__file__).parents[1] / 'data'
    rows = only((folder / 'recorded_warp.csv').read_text('utf-8'))
    text = only((folder / 'recorded_warp.json').read_text('utf-8'))
    for found in (rows, text):
        assert (found.op, found.size, found.errors) == ('s3-mixed', 4096, 0)
        assert found.ops_per_s == pytest.approx(13.0, rel=0.02)
    assert text.bytes_per_s == pytest.approx(rows.bytes_per_s, rel=0.02)
    assert set(rows.operations) == {'put', 'get', 'stat', 'delete'}
    assert set(text.operations) == {'put', 'get', 'stat'}
    assert "too few samples for warp: 'DELETE'" in text.notes
    # of whole milliseconds
    assert text.latency_max == pytest.approx(rows.latency_max, abs=1e-3)
    assert rows.percentiles['p50'] < 0.001 and text.percentiles == {}


def test_operations_that_warp_did_not_analyze_are_named():
    document = json.loads(data.warp_old_json(('GET', 'STAT'), mixed=True))
    document['operations'].append({'type': 'DELETE', 'skipped': True, 'n': 3})
    found = only(json.dumps(document))
    assert "too few samples for warp: 'DELETE'" in found.notes


def test_warp_old_json_mixed_has_no_percentiles():
    found = only(data.warp_old_json(('GET', 'STAT'), mixed=True))
    assert (found.op, found.ops_per_s) == ('s3-mixed', 300)
    assert found.percentiles == {}
    assert found.operations['get']['percentiles']['p99'] == 0.016
    assert found.latency_avg == pytest.approx(0.008)


def test_warp_new_json_has_percentiles_of_segments_only():
    found = read(data.warp_new_json())
    assert (found.tool, found.version) == ('warp', '1.6.1')
    (get,) = found.measured
    assert get.ops_per_s == 100 and get.percentiles == {}
    assert get.latency_avg == pytest.approx(0.012)  # by requests
    assert get.latency_max == pytest.approx(0.08)
    assert only(data.warp_new_json(segments=1)).percentiles['p99'] == 0.016


def test_warp_new_json_mixed_and_prepared():
    found = only(data.warp_new_json(('GET', 'STAT'), mixed=True))
    assert (found.op, found.ops_per_s) == ('s3-mixed', 300)
    found = only(data.warp_new_json(('PUT', 'GET')))
    assert (found.op, found.ops_per_s) == ('s3-get', 200)
    assert 'preparation is left out: PUT' in found.notes


def test_wrong_warp_json():
    old = json.loads(data.warp_old_json())
    for row in old['operations']:
        row['skipped'] = True
    with pytest.raises(Malformed, match='no analyzed operation'):
        read(json.dumps(old))
    old = json.loads(data.warp_old_json())
    old['operations'][1]['throughput']['measure_duration_millis'] = 0
    with pytest.raises(Malformed, match='no duration'):
        read(json.dumps(old))
    with pytest.raises(Malformed, match='another form'):
        read('{"mixed": false, "operations": [3]}')


# our own form


def test_table():
    rows = read(data.TABLE).measured
    assert [(r.group, r.round) for r in rows] == [
        ('ours', 1),
        ('theirs', 1),
        ('ours', 2),
        ('theirs', 2),
    ]
    assert rows[0].op == 'other' and rows[0].percentiles == {'p99': 0.03}
    assert rows[0].latency_avg == 0.008 and rows[0].osds == 4


UNNUMBERED = 'group,workload,ops_per_s\n'


def test_groups_of_one_file_share_rounds_only_where_they_state_them():
    rows = UNNUMBERED + 'ours,oltp,10\n' * 6 + 'theirs,oltp,5\n' * 6
    with pytest.raises(
        Malformed, match="^rows of 'ours' and 'theirs' .*number"
    ):
        read(rows)
    with pytest.raises(Malformed, match="of 'oltp-rw' share round 1"):
        read(data.TABLE.replace('theirs,1,', 'theirs,,'))
    # of other workloads, or in rounds of their own, none are shared
    rows = read(UNNUMBERED + 'ours,oltp,10\n' + 'theirs,olap,5\n').measured
    assert [row.round for row in rows] == [1, 1]
    apart = data.TABLE.replace('ours,1,', 'ours,3,')
    apart = apart.replace('theirs,1,', 'theirs,,')
    assert [row.round for row in read(apart).measured] == [3, 1, 2, 2]


def test_joined_files_of_groups_are_rounds_of_their_own():
    ours = UNNUMBERED + 'ours,oltp-rw,10\n' * 2
    theirs = UNNUMBERED + 'theirs,oltp-rw,5\n' * 2
    found = [(row.group, row.round) for row in read(ours + theirs).measured]
    assert found == [('ours', 1), ('ours', 2), ('theirs', 3), ('theirs', 4)]
    with pytest.raises(Malformed, match='share round 1'):
        read(ours + data.TABLE.replace('ours', 'others'))


def test_document_with_a_series():
    row = {'op': 's3-get', 'size': '4M', 'concurrency': 8}
    row['series'] = {'t': [1, 2, 3], 'ops': [10, None, 20]}
    document = {'format': table.FORMAT, 'version': 1, 'tool': 'elbencho'}
    document['trials'] = [row]
    found = read(json.dumps(document))
    assert found.tool == 'elbencho'
    assert found.measured[0].ops_per_s == 15
    assert found.measured[0].size == 4 << 20


def samples(t, ops):
    return Samples(0.0, tuple(t), tuple(ops))


def test_intervals_of_a_series_count_by_their_length():
    assert mean_rate(samples([1, 2, 12], [100, 100, 10])) == 25
    assert mean_rate(samples([1, 2, 12], [None, 100, 10])) == 200 / 11
    # times of a clock, and those at which intervals begin
    for begin in (1.7e9, 0.0):
        t = [begin, begin + 1, begin + 2]
        assert mean_rate(samples(t, [30, 60, 90])) == pytest.approx(60)
    t = [1, 2, 3, 4, 5, 12]
    # two seconds each: the last one covers three of them and a half
    assert windows(samples(t, [10, 20, 30, 40, 50, 60])) == [
        15, 35, 55, 60, 60, 60,
    ]  # fmt: skip
    assert windows(samples(t, [10, 20, None, 40, 50, 60])) == []
    assert windows(samples(t[:5], [10] * 5)) == []


@pytest.mark.parametrize('step', [1.0, 0.1, 5.0])
def test_parts_of_a_regular_series_are_of_as_many_samples(step):
    of = samples([step * (i + 1) for i in range(14)], range(14))
    assert mean_rate(of) == pytest.approx(6.5)
    assert windows(of) == pytest.approx([0.5, 2.5, 4.5, 6.5, 8.5, 10.5])


@pytest.mark.parametrize(
    'old, new, message',
    [
        ('ops_per_s', 'ops/s', 'not known what'),
        ('errors', 'faults', "unknown column 'faults'"),
        (',1000,', ',fast,', "'fast' is not a number"),
        (',1000,', ',-1,', 'is negative'),
        (',1000,', ',,', 'row 1 has neither ops_per_s'),
        (',1000,', ',', 'row 2 has 8 columns'),
        ('oltp-rw,1000', ',1000', 'neither a workload nor an op'),
        ('oltp-rw,1000', 'a b!,1000', 'is not a name'),
        ('osds', 'errors', "column 'errors' is there twice"),
    ],
)
def test_wrong_table(old, new, message):
    with pytest.raises(Malformed, match=message):
        read(data.TABLE.replace(old, new, 1))


@pytest.mark.parametrize(
    'content',
    ['', ' \n', '[]', '{}', 'hello', '{"a": NaN}', '\0\1', '[' * 9999],
)
def test_what_is_no_result_is_refused(content):
    with pytest.raises(Malformed):
        read(content)


def test_a_named_tool_must_fit():
    with pytest.raises(Malformed, match='a file of warp, not of cosbench'):
        read(data.warp_get(), 'cosbench')
    with pytest.raises(Malformed, match='a file of csv, not of warp'):
        read(data.TABLE, 'warp')
    assert read(data.COSBENCH, 'cosbench').tool == 'cosbench'


# compressed


def packed(tmp_path, blob):
    path = tmp_path / 'file'
    path.write_bytes(blob)
    return str(path)


def zstd(blob):
    return subprocess.run(
        ['zstd', '-qc'], input=blob, capture_output=True, check=True
    ).stdout


@pytest.mark.process
@pytest.mark.skipif(not shutil.which('zstd'), reason='needs zstd')
@pytest.mark.parametrize('pack', [gzip.compress, zstd])
@pytest.mark.parametrize(
    'wrap', [bytes, base64.b64encode, base64.encodebytes]
)
def test_compressed_files(tmp_path, pack, wrap):
    path = packed(tmp_path, wrap(pack(data.warp_get().encode())))
    with Content(path) as stream:
        assert detect.read(stream).measured[0].op == 's3-get'


@pytest.mark.process
@pytest.mark.skipif(not shutil.which('zstd'), reason='needs zstd')
def test_damaged_zstd_is_told(tmp_path):
    blob = zstd(data.warp_get().encode())
    content = Content(packed(tmp_path, blob[: len(blob) // 2]))
    with pytest.raises(Malformed):
        with content as stream:
            detect.read(stream)
            content.check()


def test_zstd_without_the_program_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(Malformed, match='decompress it first'):
        with Content(packed(tmp_path, b'\x28\xb5\x2f\xfd rest')):
            pass


def test_what_decompresses_without_end_is_cut(tmp_path):
    blob = gzip.compress(b'{' + b' ' * (4 << 20))
    with pytest.raises(Malformed, match='more than 1 MiB'):
        with Content(packed(tmp_path, blob), 1 << 20) as stream:
            detect.read(stream)


def test_warp_161_states_a_short_test_for_its_only_client():
    folder = pathlib.Path(data.__file__).parent
    text = (folder / 'recorded_warp_161_mixed.json').read_text('utf-8')
    stated = json.loads(text)
    (client,) = stated['total']['throughput_by_client'].values()
    found = only(text)
    seconds = client['measure_duration_millis'] / 1e3
    assert stated['total']['throughput']['measure_duration_millis'] == 0
    assert found.op == 's3-mixed' and found.duration == seconds
    assert found.ops_per_s == pytest.approx(client['ops'] / seconds)
    # of one segment they are those of the whole
    assert found.operations['get']['percentiles']['p99'] > 0


def test_warp_161_of_several_clients_without_a_duration_is_refused():
    folder = pathlib.Path(data.__file__).parent
    text = (folder / 'recorded_warp_161_mixed.json').read_text('utf-8')
    stated = json.loads(text)
    for row in (stated['total'], *stated['by_op_type'].values()):
        row['throughput_by_client']['other'] = {}
    with pytest.raises(Malformed, match='too short'):
        only(json.dumps(stated))


@pytest.mark.parametrize(
    'path',
    [
        'src/pybind/mgr/perfcompare/dashboard/rest_runs.py',
        'dashboard-plugin/app/src/app/shared/import.ts',
        'doc/mgr/perfcompare/import.rst',
    ],
)
def test_each_tool_is_named_wherever_one_is_chosen(path):
    text = (pathlib.Path(__file__).parents[6] / path).read_text('utf-8')
    assert [tool for tool in TOOLS if tool not in text] == []


@pytest.mark.parametrize('damage', ['cut', 'flipped', 'sum'])
def test_gzip_that_is_cut_or_damaged_is_told(tmp_path, damage):
    blob = bytearray(gzip.compress(data.warp_get().encode()))
    if damage == 'cut':
        del blob[-20:]
    else:
        blob[len(blob) // 2 if damage == 'flipped' else -6] ^= 0x55
    with pytest.raises(Malformed, match='damaged or cut'):
        with Content(packed(tmp_path, bytes(blob))) as stream:
            detect.read(stream)
