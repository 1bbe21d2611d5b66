"""Tests of the warp client: its command line, its limits, its result."""

import io

import pytest

from ...common.errors import InvalidArgument
from ...drivers.warp.driver import WarpDriver
from ...model import s3_clients as s3clients
from ...model.plan import RunOptions
from ...planning.estimate import trial_deadline
from ...planning.profiles import applied
from ...planning.profiles import catalog as profiles
from ...worker.interop.detect import warp_benchdata
from ...worker.interop.warp_csv import measure
from ...worker.loads.warp import command
from ...worker.wire.jobs import Access, job_from_data, job_to_data
from ...worker.wire.s3_spec import Endpoint, Weighted
from ...worker.wire.strict import Malformed
from ...worker.wire.warp_jobs import WarpTrial
from ..data import interop_data as data
from .test_gateways import Bench

PUT, GET = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)
MIXED = (35.0, 45.0, 15.0, 5.0)


def make(mix=GET, **values):
    base = {
        'access': Access('/c', '/k', 'client.x', 'p'),
        'concurrency': 8,
        'deadline': 60.0,
        'endpoints': (Endpoint('127.0.0.1', 80), Endpoint('::1', 8080)),
        'credentials': '/keys',
        'bucket': 'b',
        'objects': 100,
        'prefix': '4K-',
        'sizes': (Weighted(4096),),
        'mix': mix,
        'duration': 10.0,
        'warmup': 2.0,
        'write_prefix': 'new-',
        'max_objects': 1300,
    }
    return WarpTrial(**dict(base, **values))


def after(argv, word):
    return argv[argv.index(word) + 1]


def test_reads_use_the_objects_that_are_there():
    argv = command.arguments(make(), '/d')
    assert argv[:2] == ['warp', 'get']
    assert '--list-existing' in argv and after(argv, '--prefix') == '4K-'
    # a second more than it measures
    assert after(argv, '--duration') == '13s'
    assert after(argv, '--host') == '127.0.0.1,[::1]:8080'
    assert '--noclear' in argv and '--rps-limit' not in argv


def test_puts_are_bounded_by_their_rate():
    argv = command.arguments(make(PUT), '/d')
    assert argv[1] == 'put' and after(argv, '--rps-limit') == '100.00'
    # by which an undo knows what it may remove
    assert after(argv, '--prefix') == 'perfcompare-warp'
    argv = command.arguments(make(MIXED, own=True), '/d')
    assert argv[1] == 'mixed' and after(argv, '--put-distrib') == '35'
    assert after(argv, '--prefix') == 'perfcompare-warp'
    assert float(after(argv, '--rps-limit')) == pytest.approx(286, abs=1)


@pytest.mark.parametrize(
    'objects, told',
    [(1300, '100.00'), (31, '2.38'), (7, '0.53'), (1, '0.07')],
)
def test_no_more_is_told_than_the_bound_of_objects(objects, told):
    job = make(PUT, max_objects=objects)
    assert after(command.arguments(job, '/d'), '--rps-limit') == told
    # it is what the result is judged by, too
    assert f'{command.limit(job):.2f}' == told
    assert command.limit(job) * command.lasting(job) <= objects


def test_a_bound_of_almost_nothing_is_a_bound():
    job = make(PUT, max_objects=1, duration=500.0)
    assert after(command.arguments(job, '/d'), '--rps-limit') == '0.01'


def test_payloads_are_signed_as_ours_are():
    word = '--disable-sha256-payload'
    assert word in command.arguments(make(PUT), '/d')
    signed = make(PUT, sign_payload=True)
    assert word not in command.arguments(signed, '/d')


def test_a_mix_begins_with_more_objects_than_are_in_flight():
    # or warp says 'initial number of objects should be at least …'
    argv = command.arguments(make(MIXED, own=True, objects=8), '/d')
    assert after(argv, '--objects') == '9'


def test_keys_are_in_the_environment_only():
    job = make(ca_file='/ca.pem')
    env = command.environment(job, 'AK', 'geheim')
    assert env['WARP_SECRET_KEY'] == 'geheim'
    assert env['SSL_CERT_FILE'] == '/ca.pem'
    assert 'geheim' not in ' '.join(command.arguments(job, '/d'))


def test_certificates_are_checked_unless_told_otherwise():
    tls = (Endpoint('a', 443, True),)
    argv = command.arguments(make(endpoints=tls), '/d')
    assert '--tls' in argv and '--insecure' not in argv
    argv = command.arguments(make(endpoints=tls, verify_tls=False), '/d')
    assert '--insecure' in argv


@pytest.mark.parametrize(
    'values, message',
    [
        ({'rate': 5.0}, 'open loop'),
        ({'mix': (0.0, 0.0, 0.0, 1.0)}, 'in mixes only'),
        ({'sizes': (Weighted(1), Weighted(2))}, 'weighted sizes'),
        ({'warp': '-x'}, 'not a program'),
    ],
)
def test_what_warp_cannot_do(values, message):
    with pytest.raises(Malformed, match=message):
        make(**values).check()


def test_the_job_travels():
    job = make()
    assert job_from_data(job_to_data(job)) == job


def test_the_warm_up_is_not_measured():
    stream = io.BufferedReader(io.BytesIO(data.warp_get().encode()))
    found = measure(warp_benchdata(stream), 4.0)
    assert found.duration == pytest.approx(6, abs=0.05)
    assert found.started == pytest.approx(data.T0.timestamp() + 7, abs=0.05)
    assert found.ops_per_s == pytest.approx(400, rel=0.01)
    stream = io.BufferedReader(io.BytesIO(data.warp_get().encode()))
    with pytest.raises(Malformed, match='no time'):
        measure(warp_benchdata(stream), 11.0)


def test_the_option_makes_the_workloads_those_of_warp():
    base = profiles.builtin()['smoke']
    options = RunOptions.of(
        workloads=('s3-get', 's3-mixed', 'write'), s3_client='warp'
    )
    found = applied.apply(base, options)
    tools = {w.op.value: w.tool for w in found.workloads}
    assert tools == {'s3-get': 'warp', 's3-mixed': 'warp', 'write': 'rados'}
    own = applied.apply(base, options.with_driver(s3_client='own'))
    assert own.version != found.version
    plain = applied.apply(base, options.with_driver(s3_client=None))
    assert own == plain


@pytest.mark.parametrize(
    'options, message',
    [
        (
            RunOptions.of(workloads=('s3-delete',), s3_client='warp'),
            'in mixes',
        ),
        (
            RunOptions.of(workloads=('s3-get',), s3_client='warp', rate=10.0),
            'open loop',
        ),
        (
            RunOptions.of(
                workloads=('s3-get',),
                s3_client='warp',
                read_sizes='4K:1,8K:1',
            ),
            'weighted sizes',
        ),
        (
            RunOptions.of(workloads=('s3-get',), s3_client='fio'),
            'not one of own',
        ),
        (RunOptions.of(workloads=('other',)), 'is not one of write, rand'),
    ],
)
def test_what_cannot_be_run_by_warp_is_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        applied.apply(profiles.builtin()['smoke'], options)
    assert s3clients.tool(None) == 's3'


@pytest.mark.process
@pytest.mark.parametrize(
    'said, full',
    [
        ('--full  Record full analysis data', True),
        ('--fullscreen', False),
        ('', False),
    ],
)
def test_warp_is_told_to_keep_all_where_it_would_not(tmp_path, said, full):
    program = tmp_path / 'warp'
    program.write_text(f'#!/bin/sh\n[ "$*" = "get --help" ] && echo "{said}"')
    program.chmod(0o755)
    assert command.has_full(str(program), 'get') is full
    assert ('--full' in command.arguments(make(), '/d', full)) is full


@pytest.mark.process
def test_a_warp_that_is_not_there_is_not_asked_twice():
    assert not command.has_full('/nonexistent/warp', 'get')
    assert command.version('/nonexistent/warp') == ''


def test_reading_what_warp_kept_is_no_part_of_its_time():
    bench = Bench('s3-get')
    driver = WarpDriver(bench.plan, bench.pools, bench.gateways, bench.access)
    get = bench.workload('s3-get')
    job = driver.trial(get, bench.group, 'r1.b0.a1')
    assert job.deadline - job.reading == trial_deadline(get)
    job.check()
    assert job_from_data(job_to_data(job)) == job
    bench.gateways.close()
