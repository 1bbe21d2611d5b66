"""Tests of archives of CBT: outputs that rados bench and fio really wrote."""

import gzip
import io
import json
import pathlib
import tarfile

import hypothesis
import pytest
from hypothesis import strategies

from ...worker.interop import cbt
from ...worker.interop.content import Content
from ...worker.interop.detect import read as detected
from ...worker.wire.strict import Malformed
from .reading import only, read

DATA = pathlib.Path(__file__).parents[1] / 'data'
WRITE = (DATA / 'recorded_bench_write.txt').read_text('utf-8')
RAND = (DATA / 'recorded_bench_rand.txt').read_text('utf-8')
RESULTS = './results'
FIRST = f'{RESULTS}/00000000/id-1234abcd'
CONFIG = 'cluster:\n  iterations: 2\nconcurrent_ops: 16\nop_size: 65536\n'


def fio(name):
    return (DATA / f'recorded_fio_{name}.json').read_text('utf-8')


def archive(files, kind=tarfile.REGTYPE):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as tar:
        for name, text in files.items():
            data = text.encode()
            info = tarfile.TarInfo(name)
            info.size = len(data) if kind == tarfile.REGTYPE else 0
            info.type = kind
            info.linkname = '/etc/passwd'
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_processes_of_a_bench_are_one_workload():
    reading = read(
        archive(
            {
                f'{FIRST}/write/output.0.client-1': WRITE,
                f'{FIRST}/write/output.1.client-1': WRITE,
                f'{FIRST}/prefill/output.0.client-1': WRITE,
                f'{FIRST}/write/monitor/cpu.0.log': 'x',
            }
        )
    )
    (found,) = reading.measured
    assert (reading.tool, reading.version) == ('cbt', 'rados bench')
    assert (found.op, found.workload) == ('write', 'write-64K-c32')
    assert (found.size, found.concurrency, found.round) == (65536, 32, 1)
    assert found.ops_per_s == pytest.approx(2 * 921 / 5.05645)
    assert found.bytes_per_s == pytest.approx(found.ops_per_s * 65536)
    assert found.latency_avg == pytest.approx(0.087349)
    assert found.latency_max == 0.578598
    assert (found.ops, found.duration) == (1842, 5.05645)
    assert found.client_host == 'client-1'
    assert found.percentiles == {}


def test_reads_take_their_concurrency_from_the_configuration():
    found = only(
        archive(
            {
                f'{FIRST}/benchmark_config.yaml': CONFIG,
                f'{FIRST}/rand/output.0.client-1': RAND,
            }
        )
    )
    assert (found.op, found.workload) == ('rand', 'rand-64K-c16')
    without = only(archive({f'{FIRST}/seq/output.0.client-1': RAND}))
    assert (without.op, without.workload) == ('seq', 'seq-64K')
    assert without.concurrency is None


def test_iterations_are_rounds():
    reading = read(
        archive(
            {
                f'{RESULTS}/{i:08d}/id-1234abcd/write/output.0.h': WRITE
                for i in range(3)
            }
        )
    )
    assert [row.round for row in reading.measured] == [1, 2, 3]
    assert len({row.workload for row in reading.measured}) == 1


def test_tests_that_do_the_same_keep_their_hash():
    reading = read(
        archive(
            {
                f'{RESULTS}/00000000/id-1234abc{i}/write/output.0.h': WRITE
                for i in range(2)
            }
        )
    )
    assert [row.workload for row in reading.measured] == [
        'write-64K-c16-1234abc0',
        'write-64K-c16-1234abc1',
    ]


def test_volumes_of_fio_are_one_workload_with_exact_percentiles():
    alone = only(fio('r1'))
    output = 'fio: this is printed before\nStarting 1 process\n' + fio('r1')
    reading = read(
        archive(
            {
                f'{FIRST}/json_output.0.client-1': fio('r1'),
                f'{FIRST}/output.0.client-1': output,
                f'{FIRST}/output.1.client-1': output,
                f'{FIRST}/output.0.client-2': output,
            }
        )
    )
    (found,) = reading.measured
    assert (reading.tool, reading.version) == ('cbt', 'fio 3.33')
    assert found.op == alone.op == 'io-randread'
    assert found.workload == 'randread-4K-c24'
    assert found.concurrency == 3 * alone.concurrency
    assert found.ops == 3 * alone.ops
    assert found.ops_per_s == pytest.approx(3 * alone.ops_per_s)
    # three times the same bins: the same percentiles, and more of them
    for name, value in alone.percentiles.items():
        assert found.percentiles[name] == value
    assert found.client_host == ''


def test_an_archive_comes_compressed_in_base64(tmp_path):
    path = tmp_path / 'file'
    path.write_bytes(
        gzip.compress(archive({f'{FIRST}/write/output.0.h': WRITE}))
    )
    with Content(str(path)) as stream:
        (found,) = detected(stream).measured
    assert found.op == 'write'


def test_links_and_devices_are_never_followed():
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE):
        with pytest.raises(Malformed, match='no results of CBT'):
            read(archive({f'{FIRST}/write/output.0.h': WRITE}, kind))


def test_bounds(monkeypatch):
    files = {f'{FIRST}/write/output.{i}.h': WRITE for i in range(3)}
    monkeypatch.setattr(cbt, 'MAX_MEMBERS', 2)
    with pytest.raises(Malformed, match='more than 2 files'):
        read(archive(files))
    monkeypatch.undo()
    monkeypatch.setattr(cbt, 'MAX_FILE', 100)
    with pytest.raises(Malformed, match='has more than 0 MiB'):
        read(archive(files))
    monkeypatch.undo()
    monkeypatch.setattr(cbt, 'MAX_HELD', 2 * len(WRITE))
    with pytest.raises(Malformed, match='together'):
        read(archive(files))


@pytest.mark.parametrize(
    'files, message',
    [
        ({'readme': 'x'}, 'no results of CBT'),
        ({f'{FIRST}/write/output.0.h': ''}, 'no results of CBT'),
        (
            {
                f'{FIRST}/write/output.0.h': WRITE,
                f'{FIRST}/write/output.1.h': 'error: no such pool',
            },
            '1 of 2 outputs of rados bench have no result',
        ),
        (
            {
                f'{FIRST}/x/output.0.h': WRITE,
                f'{FIRST}/x/output.1.h': RAND,
            },
            'both reads and writes',
        ),
        (
            {
                f'{FIRST}/output.0.h': fio('r1'),
                f'{FIRST}/output.1.h': fio('r1')[:-200],
            },
            'outputs of fio are damaged',
        ),
        (
            {
                f'{FIRST}/output.0.h': fio('r1'),
                f'{FIRST}/output.1.h': fio('w'),
            },
            'did different things',
        ),
        (
            {
                f'{FIRST}/output.0.h': fio('r1'),
                f'{FIRST}/output.1.h': fio('r1').replace('fio-3.33', 'fio-2'),
            },
            'several versions of fio',
        ),
        (
            {f'{FIRST}/write/output.0.h': WRITE.replace('5.05645', '0.0')},
            'its time is not a time',
        ),
        (
            {f'{FIRST}/write/output.0.h': WRITE.replace('921\n', 'inf\n')},
            'is not a number',
        ),
    ],
)
def test_wrong_archives_say_what_is_wrong(files, message):
    with pytest.raises(Malformed, match=message):
        read(archive(files))


def test_a_damaged_tar_is_told():
    whole = archive({f'{FIRST}/write/output.0.h': WRITE * 20})
    with pytest.raises(Malformed, match='tar is damaged'):
        read(whole[: len(whole) // 2])


def test_files_for_plots_do_not_name_their_operation():
    plot = {'16': {'iops': '5'}, 'latency_at_max_bandwidth': '1'}
    with pytest.raises(Malformed, match='import its archive'):
        read(json.dumps(plot))


SOUND = archive(
    {
        f'{FIRST}/benchmark_config.yaml': CONFIG,
        f'{FIRST}/rand/output.0.h': RAND,
        f'{FIRST}/write/output.0.h': WRITE,
    }
)


@hypothesis.settings(max_examples=150, deadline=None, database=None)
@hypothesis.given(
    strategies.integers(0, len(SOUND) - 1), strategies.binary(max_size=40)
)
def test_whatever_is_changed_in_an_archive_is_read_or_refused(at, data):
    changed = SOUND[:at] + data + SOUND[at + len(data) :]
    try:
        read(changed)
    except Malformed as error:
        assert len(str(error)) < 2000
