"""What fio is told: exactly, and nothing but that."""

import dataclasses

import pytest

from ...worker.loads.rbd import jobfile
from ...worker.wire.rbd_jobs import Image, RbdPrefill, RbdWarm
from ..data.rbd_jobs import MIB, TRIAL

JOB = dataclasses.replace(
    TRIAL,
    concurrency=9,
    images=(Image('r1.0', 64 * MIB), Image('r1.1', 66 * MIB)),
    seed=40,
)


def make(**changes):
    job = dataclasses.replace(JOB, **changes)
    job.check()
    return job


def test_a_mix_is_told_exactly():
    job = make(random_share=80, rate=201.0, compress=50)
    assert jobfile.text(jobfile.trial(job, 1, 'i1')) == (
        '[load]\n'
        'ioengine=rbd\n'
        'clientname=perfcompare.r1\n'
        'pool=pc-r1-meta\n'
        'rbdname=r1.1\n'
        'direct=1\n'
        'invalidate=1\n'
        'rw=randrw\n'
        'bs=4096,8192\n'
        'rwmixread=70\n'
        'iodepth=4\n'
        'rate_iops=70,30\n'
        'percentage_random=80\n'
        'norandommap=1\n'
        'buffer_compress_percentage=50\n'
        'randrepeat=1\n'
        'randseed=42\n'
        'time_based=1\n'
        'ramp_time=5000ms\n'
        'runtime=30000ms\n'
        'continue_on_error=io\n'
        'error_dump=0\n'
        'clat_percentiles=1\n'
        'lat_percentiles=1\n'
        'write_hist_log=i1\n'
        'log_hist_msec=100\n'
        'log_hist_coarseness=2\n'
        'log_unix_epoch=1\n'
    )


def test_a_sequential_read_draws_nothing():
    job = make(op='rbd-read', read_share=0, write_size=0, warmup=0.0)
    found = jobfile.trial(job, 0, 'i0')
    assert (found['rw'], found['bs'], found['iodepth']) == (
        'read',
        '4096,4096',
        5,
    )
    for name in ('ramp_time', 'percentage_random', 'norandommap'):
        assert name not in found
    assert 'rate_iops' not in found and 'rwmixread' not in found


def test_the_rate_is_shared_and_no_direction_is_without_limit():
    job = make(rate=301.0, read_share=99, concurrency=2)
    both = [jobfile.rates(job, index) for index in range(2)]
    assert both == [[149, 2], [149, 1]]
    job = make(rate=201.0, read_share=99, concurrency=2)
    assert [jobfile.rates(job, i)[1] for i in range(2)] == [1, 1]
    job = make(op='rbd-randread', read_share=0, rate=201.0)
    assert [jobfile.rates(job, i) for i in range(2)] == [[101, 0], [100, 0]]


def test_a_distribution_is_told():
    job = make(write_size=4096, distribution='pareto:0.2')
    found = jobfile.trial(job, 0, 'i0')
    assert found['random_distribution'] == 'pareto:0.2'


def test_the_log_is_finer_in_a_short_trial():
    assert jobfile.log_milliseconds(10.0) == 100
    assert jobfile.log_milliseconds(300.0) == 500
    assert jobfile.log_milliseconds(3600.0) == 1000


def test_a_fill_writes_all_of_an_image_in_blocks_without_a_rest():
    common = dict(access=JOB.access, concurrency=4, deadline=60.0)
    job = RbdPrefill(images=JOB.images, compress=30, **common)
    assert jobfile.text(jobfile.once(job, 1, True, 2)) == (
        '[load]\n'
        'ioengine=rbd\n'
        'clientname=perfcompare.r1\n'
        'pool=pc-r1-meta\n'
        'rbdname=r1.1\n'
        'direct=1\n'
        'invalidate=1\n'
        'rw=write\n'
        'bs=2097152\n'
        'iodepth=2\n'
        'size=100%\n'
        'buffer_compress_percentage=30\n'
        'randrepeat=1\n'
        'randseed=2\n'
    )
    warm = RbdWarm(images=JOB.images, **common)
    found = jobfile.once(warm, 0, False, 4)
    assert (found['rw'], found['bs']) == ('read', 4 * MIB)


def test_an_encrypted_image_is_loaded_with_a_passphrase_of_its_own():
    job = make(encryption='luks2')
    both = [jobfile.trial(job, i, f'i{i}') for i in range(2)]
    assert {f['rbd_encryption_format'] for f in both} == {'luks2'}
    phrases = {f['rbd_encryption_passphrase'] for f in both}
    assert len(phrases) == 2
    assert jobfile.passphrase('r1.0') in phrases


@pytest.mark.parametrize('op', ['rbd-write', 'rbd-randwrite'])
def test_writes_have_their_size(op):
    job = make(op=op, read_share=0, read_size=0, compress=10)
    found = jobfile.trial(job, 0, 'i0')
    assert found['bs'] == '8192,8192'
    assert found['buffer_compress_percentage'] == 10


def test_no_job_file_runs_a_program():
    for job in (make(), make(rate=500.0, encryption='luks2')):
        text = jobfile.text(jobfile.trial(job, 0, 'i0'))
        assert 'exec' not in text and 'filename' not in text
