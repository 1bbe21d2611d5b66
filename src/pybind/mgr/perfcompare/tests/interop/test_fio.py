"""Tests of results of fio: files that fio 3.33 wrote, and damaged ones."""

import io
import json

import pytest

from ...worker.interop import detect, fio_figures
from ...worker.wire.strict import Malformed
from ..data.interop_fio import file_of, one_job, recorded


def read(content, tool='auto'):
    if not isinstance(content, str):
        content = json.dumps(content)
    stream = io.BufferedReader(io.BytesIO(content.encode()))
    return detect.read(stream, tool)


def only(content):
    (found,) = read(content).measured
    return found


def test_bins_of_two_jobs_are_added():
    data = recorded('r1')
    jobs = [job['read'] for job in data['jobs']]
    reading = read(data, 'fio')
    (found,) = reading.measured
    assert (reading.tool, reading.version) == ('fio', '3.33')
    assert (found.op, found.workload) == ('io-randread', 'randread-4K-c8')
    assert (found.size, found.concurrency) == (4096, 8)
    assert found.ops == sum(job['total_ios'] for job in jobs)
    assert found.ops_per_s == pytest.approx(sum(j['iops'] for j in jobs))
    assert found.latency_max == max(j['lat_ns']['max'] for j in jobs) / 1e9
    waits = sorted(
        int(at)
        for job in jobs
        for at, count in job['lat_ns']['bins'].items()
        for _ in range(count)
    )
    assert len(waits) == found.ops
    middle = waits[-(-len(waits) // 2) - 1]
    assert found.percentiles['p50'] == middle / 1e9
    assert (
        found.percentiles['p99']
        == waits[-(-len(waits) * 99 // 100) - 1] / 1e9
    )
    # no more than so many operations can state
    assert list(found.percentiles) == ['p50', 'p90', 'p95', 'p99']


def test_percentiles_of_one_job_are_those_that_fio_states():
    data = recorded('r1')
    data['jobs'] = data['jobs'][:1]
    data['jobs'][0]['job options']['numjobs'] = '1'
    stated = data['jobs'][0]['read']['lat_ns']['percentile']
    found = only(data)
    for name in ('p50', 'p90', 'p95', 'p99'):
        key = f'{float(name[1:]):.6f}'
        assert found.percentiles[name] == pytest.approx(
            stated[key] / 1e9, rel=0.02
        )


def test_mix_has_each_direction():
    data = recorded('mix')
    found = only(data)
    assert (found.op, found.workload) == ('io-mixed', 'randrw70-4K-c4')
    job = data['jobs'][0]
    assert set(found.operations) == {'read', 'write'}
    for name, part in found.operations.items():
        assert part['ops'] == job[name]['total_ios']
        mean = job[name]['lat_ns']['mean'] / 1e9
        assert part['latency_avg'] == pytest.approx(mean)
        assert part['percentiles']['p50'] > 0
    assert found.ops == sum(p['ops'] for p in found.operations.values())


def test_without_bins_percentiles_are_as_stated_or_not_available():
    data = recorded('w')
    found = only(data)
    stated = data['jobs'][0]['write']['clat_ns']['percentile']
    assert (found.op, found.workload) == ('io-write', 'write-4K-c1')
    assert found.percentiles['p99'] == stated['99.000000'] / 1e9
    assert 'percentiles are as fio stated them' in found.notes
    assert any('cache of the client' in note for note in found.notes)
    data['jobs'] *= 2
    found = only(data)
    assert found.percentiles == {} and found.concurrency == 2
    assert 'latency percentiles need the bins of json+' in found.notes


def test_groups_of_jobs_are_workloads_of_their_own():
    data = recorded('two')
    names = [row.workload for row in read(data).measured]
    assert names == ['write-64K-c1', 'read-1M-c1']
    assert not any(
        'beside' in n for r in read(data).measured for n in r.notes
    )
    for job in data['jobs']:
        job['groupid'] = 0
    for row in read(data).measured:
        assert 'jobs that did something else ran beside it' in row.notes


def test_what_fio_prints_before_its_json_is_skipped():
    text = 'fio: this platform does not support x\n' + json.dumps(
        recorded('w')
    )
    assert only(text).op == 'io-write'


def test_failed_jobs_are_counted():
    data = recorded('w')
    data['jobs'][0]['error'] = 5
    assert only(data).errors == 1
    data['jobs'][0]['total_err'] = 7
    assert only(data).errors == 7


def test_joined_files_are_rounds():
    text = json.dumps(recorded('w'))
    assert [m.round for m in read(text + '\n' + text).measured] == [1, 2]


def change(path, value):
    data = recorded('r1')
    *way, last = path
    held = data
    for name in way:
        held = held[name]
    held[last] = value
    return data


READ = ('jobs', 0, 'read')


@pytest.mark.parametrize(
    'path, value, message',
    [
        (('jobs',), [], 'did any I/O'),
        (('jobs',), [3], 'another form'),
        (('jobs', 0, 'job options', 'rw'), 'backwards', 'not known'),
        ((*READ, 'lat_ns'), None, 'fio 3.0 or newer'),
        ((*READ, 'lat_ns', 'bins'), {'x': 1}, "'x' is not a number"),
        ((*READ, 'lat_ns', 'bins'), {'1': -1}, 'is negative'),
        (
            (*READ, 'lat_ns', 'bins'),
            {str(i): 1 for i in range(fio_figures.MAX_BINS + 1)},
            'fio has fewer',
        ),
        ((*READ, 'iops'), 1e300, 'more than anything'),
    ],
)
def test_wrong_files(path, value, message):
    with pytest.raises(Malformed, match=message) as raised:
        read(change(path, value))
    assert '\n' not in str(raised.value)


def test_files_of_fio_are_no_others():
    with pytest.raises(Malformed, match='a file of fio, not of warp'):
        read(recorded('w'), 'warp')


def with_other_side(kind, **options):
    """Return a file of one entry, which did both."""
    data = recorded('r1')
    job, *_ = data['jobs']
    data['jobs'] = [job]
    job['write'] = json.loads(json.dumps(job['read']))
    job['job options'].update(rw=kind, **options)
    return data


@pytest.mark.parametrize('kind', ['randread', 'randwrite'])
def test_jobs_that_differ_and_were_added_up_are_refused(kind):
    other = 'write' if kind == 'randread' else 'read'
    with pytest.raises(Malformed, match=f'rw={kind} and did {other}, too'):
        read(with_other_side(kind))


def test_what_verify_reads_is_no_load():
    data = with_other_side('randwrite', verify='crc32c')
    found = only(data)
    assert found.ops_per_s == data['jobs'][0]['write']['iops']
    assert list(found.operations) == ['write']
    assert 'reads that verify are left out' in found.notes


def test_each_client_has_its_jobs_in_flight():
    data = recorded('r1')
    data['jobs'] = data['jobs'][:2]
    for job in data['jobs']:
        job['job options'].update(
            numjobs='4', iodepth='16', group_reporting='1', ioengine='libaio'
        )
    assert only(data).concurrency == 128


def added_up(jobs, **options):
    """Return an entry that stands for so many jobs of 1 s each."""
    found = one_job(group_reporting='1', **options)
    found['job_runtime'] = jobs * found['read']['runtime'] + 3
    return file_of(found)


def test_sections_that_fio_added_up_do_not_say_what_was_in_flight():
    found = only(added_up(3, iodepth='32'))
    assert (found.workload, found.concurrency) == ('randread-4K-d32x3', None)
    (note,) = [n for n in found.notes if 'in flight' in n]
    assert 'of one of the jobs that it added up (about 3)' in note
    assert 'on average it was 0.4' in note
    assert only(added_up(9, numjobs='8')).workload == 'randread-4K-d4x9'


@pytest.mark.parametrize('jobs', [1, 4, 8])
def test_jobs_of_one_section_do(jobs):
    found = only(added_up(jobs, numjobs=str(jobs)))
    assert found.workload == f'randread-4K-c{4 * jobs}'
    # some ended before the others
    found = only(added_up(jobs - 0.7, numjobs=str(jobs)))
    assert found.concurrency == 4 * jobs


def test_the_time_of_a_verification_is_no_job_of_its_own():
    data = with_other_side('randwrite', verify='crc32c')
    data['jobs'][0]['job_runtime'] = 2002
    data['jobs'][0]['job options']['numjobs'] = '1'
    assert only(data).workload == 'randwrite-4K-c4'


def test_more_waited_than_the_options_tell():
    data = file_of(one_job(group_reporting='1', iodepth='1'))
    side = data['jobs'][0]['read']
    side['lat_ns']['mean'] = 1.2e9 / side['iops']
    found = only(data)
    assert (found.workload, found.concurrency) == ('randread-4K-d1x1', None)
    side['lat_ns']['mean'] /= 1.2
    assert only(data).concurrency == 1


def lasting(seconds, rate, **fields):
    """Return a job that ran so long (s), with so many reads a second."""
    found = {**one_job(), **fields}
    found['job_runtime'] = round(seconds * 1e3)
    count = round(seconds * rate)
    found['read'].update(
        runtime=round(seconds * 1e3),
        total_ios=count,
        io_bytes=4096 * count,
        iops=float(rate),
        bw_bytes=4096 * rate,
    )
    return found


def test_rates_of_jobs_that_ran_for_unlike_times_are_over_the_longest():
    found = only(file_of(lasting(10, 100), lasting(100, 100)))
    assert (found.ops, found.duration) == (11_000, 100.0)
    assert found.ops_per_s == pytest.approx(110)
    assert found.bytes_per_s == pytest.approx(110 * 4096)
    assert found.operations['read']['ops_per_s'] == pytest.approx(110)
    note = 'its jobs ran for 10 to 100 s: rates are over the longest time'
    assert note in found.notes
    found = only(file_of(lasting(99, 100), lasting(100, 100)))
    assert found.ops_per_s == 200.0
    assert not any('rates are over' in note for note in found.notes)


def test_a_job_that_failed_while_others_went_on_is_refused():
    message = "job 'r1' ended with error 5 after 1 s of 100: the others"
    with pytest.raises(Malformed, match=message):
        read(file_of(lasting(100, 100), lasting(1, 100, error=5)))
    assert only(file_of(lasting(100, 100, error=5))).errors == 1


@pytest.mark.parametrize('name', ['r1', 'mix'])
def test_latencies_of_a_fio_that_does_not_count_them(name):
    data = recorded(name)
    today = only(data)
    sides = [entry[n] for entry in data['jobs'] for n in ('read', 'write')]
    for side in sides:
        del side['lat_ns']['N']  # which came with 3.19
    found = only(data)
    assert found == today and found.latency_avg and found.latency_max
    for side in sides:
        side['lat_ns'].update(mean=0.0, max=0)
    found = only(data)
    assert (found.latency_avg, found.latency_max) == (None, None)


@pytest.mark.parametrize(
    'options, limited',
    [
        ({}, ''),
        ({'rate_iops': '0', 'thinktime': '0us', 'rate': '0'}, ''),
        ({'rate_iops': '1000'}, 'rate_iops=1000'),
        ({'rate': '1m', 'thinktime': '50'}, 'rate=1m, thinktime=50'),
        ({'rate': '1m,500k'}, 'rate=1m,500k'),
        ({'rate': ',500k'}, ''),  # of writes
        ({'rate': '1m,'}, 'rate=1m,'),
    ],
)
def test_limits_of_a_rate(options, limited):
    found = only(file_of(one_job(**options)))
    assert found.limited == limited
    note = f'its rate was limited: {limited}'
    assert (note in found.notes) == bool(limited)


def test_a_limit_is_of_each_job():
    found = only(recorded('r1'))
    assert found.limited == 'rate_iops=1500 for each of 2 jobs'
    # of one of them: the others do what they can
    data = file_of(one_job(rate_iops='1500'), one_job())
    assert only(data).limited == ''


ENDED = 1795491909.04  # when fio wrote the file of two groups


def test_groups_of_a_fio_that_does_not_say_when_they_began():
    data = recorded('two')
    first, second = read(data).measured
    assert second.started == pytest.approx(ENDED - 0.035)
    assert first.started == pytest.approx(ENDED - 0.035 - 0.005)
    note = 'when it began is reckoned from the time of the file'
    assert note in first.notes and note in second.notes
    for entry in data['jobs']:
        entry['job_start'] = 1795491000500
    found = read(data).measured[0]
    assert found.started == 1795491000.5 and note not in found.notes
    for name in ('timestamp', 'timestamp_ms'):
        del data[name]
        assert read(data).measured[0].started == 1795491000.5
    for entry in data['jobs']:
        del entry['job_start']
    assert read(data).measured[0].started is None


def unified(entry):
    """Return an entry with unified_rw_reporting=mixed."""
    found = {**entry, 'mixed': entry['read']}
    for name in ('read', 'write', 'trim', 'sync'):
        found.pop(name)
    return found


def test_directions_that_fio_does_not_tell_apart_are_one_workload():
    data = recorded('mix')
    (entry,) = data['jobs']
    apart = only(data)
    data['jobs'] = [{**entry, 'mixed': entry['read']}]
    assert only(data) == apart  # unified_rw_reporting=both
    data['jobs'] = [unified(entry)]
    found = only(data)
    assert (found.op, found.workload) == ('io-mixed', 'randrw70-4K-c4')
    assert found.ops == entry['read']['total_ios']
    assert (found.operations, found.limited) == ({}, apart.limited)
    note = 'unified_rw_reporting=mixed: reads and writes are not apart'
    assert note in found.notes and note not in apart.notes


def test_what_is_mixed_of_jobs_that_only_read_is_what_they_read():
    found = only(file_of(unified(one_job())))
    assert found == only(file_of(one_job()))
    assert list(found.operations) == ['read']


def test_what_is_mixed_of_jobs_that_may_differ_is_refused():
    (entry,) = added_up(2)['jobs']
    with pytest.raises(Malformed, match='give unified_rw_reporting=none'):
        read(file_of(unified(entry)))
    entry = one_job(rw='randwrite', verify='crc32c')
    with pytest.raises(Malformed, match='give unified_rw_reporting=none'):
        read(file_of(unified(entry)))
