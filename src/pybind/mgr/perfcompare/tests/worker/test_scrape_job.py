"""A scrape job in a real worker, against exporters on the loopback."""

import base64
import json
import os
import ssl
import time

import pytest

from perfcompare.tests.data import certificates
from perfcompare.worker.wire.columns import decode
from perfcompare.worker.wire.protocol import Ended, Started
from perfcompare.worker.wire.scrape_jobs import Scrape, Target
from perfcompare.worker.wire.strict import Malformed
from perfcompare.workers.outcomes import WorkerFailed
from perfcompare.workers.process import ProcessLauncher

from ..fakes.exporter import Exporter

pytestmark = pytest.mark.process


@pytest.fixture
def launcher(tmp_path):
    return ProcessLauncher(str(tmp_path / 'run'))


@pytest.fixture
def exporters():
    made = []

    def make(*args, **kwargs):
        made.append(Exporter(*args, **kwargs))
        return made[-1]

    yield make
    for server in made:
        server.shutdown()
        server.server_close()


def scrape(launcher, targets, seconds=1.2, window=None, **values):
    """Run a job for some seconds; return its evidence and its worker."""
    settings = dict(deadline=120.0, period=0.3, timeout=1.0)
    settings.update(values)
    worker = launcher.worker(f'{time.monotonic_ns()}-scrape')
    worker.start(Scrape(targets=tuple(targets), **settings))
    worker.go()
    end = time.monotonic() + 60
    while not any(isinstance(e, Started) for e in worker.poll()):
        if worker.ended or time.monotonic() > end:
            worker.outcome()
        worker.renew()
        time.sleep(0.02)
    began = time.time()
    time.sleep(seconds)
    worker.stop(60.0, window(began) if window else None)
    end = time.monotonic() + 70
    while not any(isinstance(e, Ended) for e in worker.poll()):
        assert time.monotonic() < end
        worker.renew()
        time.sleep(0.02)
    return worker.outcome().evidence


def test_figures_and_series_of_each_host(launcher, exporters):
    hosts = [exporters(), exporters()]
    found = scrape(
        launcher,
        [Target(f'h{i}', e.url) for i, e in enumerate(hosts)],
        seconds=4.0,
        timeout=10.0,
    )
    assert found['problems'] == {}
    assert set(found['hosts']) == {'h0', 'h1'} == set(found['tables'])
    figures = found['hosts']['h1']
    assert figures['source'] == hosts[1].url
    assert figures['cpu_busy'] == pytest.approx(0.5)
    assert figures['nics']['eth0']['rx_bytes_per_s'] == pytest.approx(
        1e6, rel=0.1
    )
    assert figures['samples'] >= 2
    assert 0 < found['cpu_seconds'] < 5


def test_the_connection_is_kept(launcher, exporters):
    server = exporters()
    found = scrape(launcher, [Target('h', server.url)], timeout=10.0)
    # a request that fails over a kept connection is made again
    assert len(server.seen) == found['hosts']['h']['samples'] + 1
    assert server.connections == 1


def test_the_window_of_the_stop_counts(launcher, exporters):
    found = scrape(
        launcher,
        [Target('h', exporters().url)],
        seconds=3.0,
        window=lambda began: (began + 0.5, began + 2.5),
    )
    assert found['hosts']['h']['covered'] >= 0.5
    # what is read before and after it does not count
    assert found['hosts']['h']['samples'] <= 9


def test_a_window_of_which_little_was_seen_has_no_figures(
    launcher, exporters
):
    """A counter over the little that was seen is no figure of a trial."""
    found = scrape(
        launcher,
        [Target('h', exporters().url)],
        window=lambda began: (began, began + 60.0),
    )
    problem = found['problems']['h']
    assert problem.startswith('figures cover ')
    assert problem.endswith(' % of the window')
    assert found['tables']['h']  # the series stays
    # what a host is needs no window, nor a second scrape
    once = exporters(fail=range(2, 99))
    seen = scrape(launcher, [Target('h', once.url)])
    assert seen['problems'] == {'h': '1 samples are too few'}
    for host, url in ((found, None), (seen, once.url)):
        figures = host['hosts']['h']
        assert (figures['cores'], figures['machine']) == (4, 'aarch64')
        assert figures['mem_total'] > 0 and figures['samples'] == 0
        assert not {'cpu_busy', 'covered', 'nics', 'watts'} & set(figures)
        assert url in (None, figures['source'])


def test_one_host_that_fails_is_a_gap_not_a_failure(launcher, exporters):
    silent = exporters(delay=30.0)
    broken = exporters(body=b'node_load1 one\n')
    cut = exporters(cut=True)
    other = exporters(body=b'go_goroutines 8\n')
    found = scrape(
        launcher,
        [
            Target('good', exporters().url),
            Target('gone', 'http://127.0.0.1:9/metrics'),
            Target('silent', silent.url),
            Target('broken', broken.url),
            Target('cut', cut.url),
            Target('other', other.url),
        ],
        seconds=5.0,
        timeout=2.0,
    )
    assert set(found['hosts']) == {'good'}
    problems = found['problems']
    assert set(problems) == {'gone', 'silent', 'broken', 'cut', 'other'}
    assert problems['gone'] == 'Connection refused'
    assert problems['silent'] == 'no answer within 2.0 s'
    assert 'line 1: no sample' in problems['broken']
    assert 'the text is cut' in problems['cut']
    assert 'no metrics of node_exporter' in problems['other']


def test_a_scrape_that_fails_now_and_then_is_a_gap(launcher, exporters):
    target = Target('h', exporters(fail=(2, 3)).url)
    # on a machine that is busy none must fail by itself
    found = scrape(launcher, [target], seconds=4.0, timeout=10.0)
    assert found['problems'] == {}
    assert found['hosts']['h']['failed'] == 2
    assert found['gaps'] == {'h': 'HTTP status 503 Service Unavailable'}
    assert found['hosts']['h']['cpu_busy'] == pytest.approx(0.5)


def test_a_second_exporter_that_never_tells_anything_is_named(
    launcher, exporters
):
    away = 'http://127.0.0.1:9/ipmi'
    down = exporters(body=b'ipmi_up{collector="dcmi"} 0\n')
    late = exporters(body=WATTS, fail=(1,))
    found = scrape(
        launcher,
        [
            Target('away', exporters().url, more=(away,)),
            Target('down', exporters().url, more=(down.url,)),
            Target('late', exporters().url, more=(late.url,)),
            Target('gone', away, more=(away,)),
        ],
        seconds=3.0,
    )
    # it takes nothing from the figures of the first one
    assert set(found['hosts']) == {'away', 'down', 'late'}
    assert found['silent'] == {
        'away': f'{away}: Connection refused',
        'down': f'{down.url}: it shows nothing that is read',
    }
    assert found['hosts']['late']['watts_source'] == 'ipmi'
    assert found['problems'] == {'gone': 'Connection refused'}


WATTS = b'ipmi_dcmi_power_consumption_watts{id="1"} 410\n'


def test_a_second_exporter_may_take_longer_than_a_scrape(launcher, exporters):
    slow, host = exporters(body=WATTS, delay=1.5), exporters()
    found = scrape(
        launcher, [Target('h', host.url, more=(slow.url,))], seconds=5.0
    )
    figures = found['hosts']['h']
    assert (figures['watts'], figures['watts_source']) == (410.0, 'ipmi')
    assert 'failed' not in figures and found['silent'] == {}
    # it rests, and what it told holds meanwhile
    assert len(slow.seen) == 1
    assert len(host.seen) > 2


def test_a_second_exporter_is_asked_when_the_window_opens(
    launcher, exporters
):
    """What it told before is not of the window, and then it rests."""
    slow, host = exporters(body=WATTS, delay=1.0), exporters()
    found = scrape(
        launcher,
        [Target('h', host.url, more=(slow.url,))],
        seconds=5.5,
        window=lambda began: (began + 1.5, began + 5.5),
        opens=1.6,
        lasts=4.0,
    )
    figures = found['hosts']['h']
    assert (figures['watts'], figures['watts_source']) == (410.0, 'ipmi')
    assert len(slow.seen) == 1
    ((past,),) = found['past'].values()
    assert 0.9 < past['took'] < 5.0


def test_a_second_exporter_that_hangs_is_asked_once(launcher, exporters):
    hung, host = exporters(body=WATTS, delay=30.0), exporters()
    found = scrape(
        launcher, [Target('h', host.url, more=(hung.url,))], seconds=4.0
    )
    assert (len(hung.seen), hung.most) == (1, 1)
    assert found['silent']['h'].startswith(f'{hung.url}: no answer within ')
    ((past,),) = found['past'].values()
    assert past['waited'] > 2.0 and past['unanswered'] == 0
    assert 'watts' in found['hosts']['h']  # those of RAPL


def test_hosts_that_do_not_answer_keep_none_from_being_read(
    launcher, exporters
):
    silent, live = exporters(delay=60.0), exporters()
    targets = [Target(f'silent-{i}', silent.url) for i in range(80)]
    targets += [Target(f'live-{i}', live.url) for i in range(4)]
    found = scrape(launcher, targets, seconds=8.0, period=0.5)
    assert set(found['hosts']) == {f'live-{i}' for i in range(4)}
    assert min(h['samples'] for h in found['hosts'].values()) > 3
    assert found['problems']['silent-0'] == 'no answer within 1.0 s'


@pytest.fixture(scope='module')
def certificate(tmp_path_factory):
    path = tmp_path_factory.mktemp('tls')
    cert, key = certificates.make(path, 'IP:127.0.0.1')
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return cert, context


def secret(path, mode=0o600):
    file = path / 'credentials'
    file.write_text(json.dumps({'username': 'prom', 'password': 'pa:ss'}))
    os.chmod(file, mode)
    return str(file)


def test_tls_with_a_ca_file_and_basic_auth(
    launcher, exporters, certificate, tmp_path
):
    cert, context = certificate
    server, plain = exporters(context), exporters()
    found = scrape(
        launcher,
        [Target('tls', server.url), Target('plain', plain.url)],
        ca_file=cert,
        credentials=secret(tmp_path),
    )
    assert set(found['hosts']) == {'tls', 'plain'}
    token = base64.b64encode(b'prom:pa:ss').decode()
    assert server.seen[0]['Authorization'] == f'Basic {token}'
    # never in the clear
    assert 'Authorization' not in plain.seen[0]
    assert 'pa:ss' not in json.dumps(found)


def test_a_certificate_that_is_not_known_is_refused(
    launcher, exporters, certificate
):
    server = exporters(certificate[1])
    found = scrape(launcher, [Target('tls', server.url)])
    assert 'certificate refused' in found['problems']['tls']
    assert server.seen == []


def test_credentials_that_others_can_read_are_refused(
    launcher, exporters, tmp_path
):
    with pytest.raises(WorkerFailed, match='others can read it'):
        scrape(
            launcher,
            [Target('h', exporters().url)],
            credentials=secret(tmp_path, 0o644),
        )


def targets_of(url):
    return [
        {
            'scrapeUrl': 'http://10.0.0.9:9926/metrics',
            'labels': {'job': 'ceph', 'instance': 'arm-1'},
        },
        {
            'scrapeUrl': url,
            'labels': {'job': 'node', 'instance': 'arm-1:9100'},
        },
    ]


def test_a_prometheus_server_says_where_exporters_are(launcher, exporters):
    host = exporters()
    server = exporters(targets=targets_of(host.url))
    base = server.url.rsplit('/', 1)[0]
    found = scrape(
        launcher,
        [Target('arm-1', 'http://127.0.0.1:9/metrics')],
        prometheus=base,
    )
    assert found['hosts']['arm-1']['source'] == host.url


def test_a_prometheus_server_gives_the_samples_itself(launcher, exporters):
    server = exporters(targets=targets_of('http://10.0.0.9:9100/metrics'))
    base = server.url.rsplit('/', 1)[0]
    found = scrape(
        launcher,
        [
            Target('arm-1', 'http://127.0.0.1:9/metrics'),
            Target('x86-1', 'http://127.0.0.1:9/metrics'),
        ],
        prometheus=base,
        query=True,
        window=lambda began: (began - 20, began),
    )
    figures = found['hosts']['arm-1']
    assert figures['cpu_busy'] == pytest.approx(0.75)
    assert figures['source'] == base
    # what was before the trial is no part of its series
    assert all(t > 0 for t in decode(found['tables']['arm-1']['t']))
    assert found['problems'] == {
        'x86-1': 'the Prometheus server has no node_exporter target'
    }


def test_a_prometheus_server_that_is_away_is_a_gap(launcher, exporters):
    found = scrape(
        launcher,
        [Target('h', 'http://127.0.0.1:9/metrics')],
        prometheus='http://127.0.0.1:9',
        query=True,
    )
    assert found['hosts'] == {}
    assert found['problems']['h'] == 'Prometheus: Connection refused'


def test_the_deadline_ends_it_with_its_result(launcher, exporters):
    worker = launcher.worker('deadline')
    worker.start(
        Scrape(
            deadline=2.0,
            targets=(Target('h', exporters().url),),
            period=0.3,
            timeout=1.0,
        )
    )
    worker.go()
    end = time.monotonic() + 60
    while not any(isinstance(e, Ended) for e in worker.poll()):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert worker.outcome().evidence['hosts']['h']['samples'] > 0


def test_a_job_may_be_larger_than_a_pipe(launcher, exporters):
    disks = tuple(f'nvme{i}n1' for i in range(24))
    targets = [Target('h', exporters().url)]
    targets += [
        Target(f'storage-{i:04d}', 'http://127.0.0.1:9/metrics', disks=disks)
        for i in range(400)
    ]
    worker = launcher.worker('large')
    worker.start(
        Scrape(deadline=6.0, targets=tuple(targets), period=1.0, timeout=0.8)
    )
    worker.go()
    end = time.monotonic() + 60
    while not any(isinstance(e, Ended) for e in worker.poll()):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert worker.outcome().evidence['hosts']['h']['samples'] > 0


def test_a_manager_that_is_gone_ends_it(launcher, exporters):
    worker = launcher.worker('lease')
    worker.start(
        Scrape(deadline=60.0, targets=(Target('h', exporters().url),))
    )
    worker.go()
    worker.renew(1.0)
    end = time.monotonic() + 60
    while not any(isinstance(e, Ended) for e in worker.poll()):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert worker.returncode == -9


@pytest.mark.parametrize(
    'values, message',
    [
        (dict(targets=()), 'no target'),
        (dict(targets=(Target('h', 'ftp://h/'),)), 'begin with http'),
        (dict(targets=(Target('h', 'http://u:p@h/'),)), 'credentials'),
        (dict(targets=(Target('', 'http://h/'),)), 'without a host'),
        (dict(period=0.0), 'period'),
        (dict(ca_file='relative.pem'), 'absolute'),
        (dict(query=True), 'Prometheus'),
        (dict(prometheus='nothing'), 'http://'),
        (dict(targets=(Target('h', 'http://h/'),) * 2), 'twice'),
    ],
)
def test_jobs_that_make_no_sense_are_refused(values, message):
    good = dict(deadline=5.0, targets=(Target('h', 'http://h/'),))
    with pytest.raises(Malformed, match=message):
        Scrape(**{**good, **values}).check()
