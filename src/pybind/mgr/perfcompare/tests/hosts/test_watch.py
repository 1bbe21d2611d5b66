"""How hosts are watched during a trial, with real workers and exporters."""

import dataclasses
import time

import pytest

from perfcompare.common.clock import SYSTEM
from perfcompare.common.settings import Settings
from perfcompare.hosts import access
from perfcompare.hosts.watch import START, STARTUP, HostWatch, note_of
from perfcompare.model.outcome import Outcome
from perfcompare.ports.trial_watch import TrialContext
from perfcompare.worker.scrape.further import TRIES
from perfcompare.workers.lease import Lease
from perfcompare.workers.process import ProcessLauncher

from ..data.bench_data import run_plan
from ..data.run_data import make_workload
from ..fakes.cluster import FakeCluster
from ..fakes.exporter import Exporter

pytestmark = pytest.mark.process

WORKLOAD = dataclasses.replace(
    make_workload('write-4K-c16'), warmup=0.0, duration=1.0
)


class Scene:
    """A cluster whose hosts all answer at one exporter, and a watch."""

    def __init__(self, folder, columns=(), **options):
        self.exporter = Exporter()
        self.cluster = FakeCluster()
        for number in self.cluster.topology().osds:
            self.cluster.set_osd(number, data_devices=('sda',))
        self.settings = Settings(node_exporter_url=self.exporter.url)
        self.set(**options)
        self.lease = Lease(self.cluster, 15.0, SYSTEM)
        plan = run_plan(self.cluster)
        group = plan.group('x86')
        self.context = TrialContext(
            plan, WORKLOAD, group, group.pools[0], 'r1'
        )
        self.watch = HostWatch(
            self.cluster,
            ProcessLauncher(str(folder / 'workers')),
            self.lease,
            lambda: self.settings,
            str(folder),
            columns=columns,
        )

    def set(self, **options):
        self.settings = dataclasses.replace(self.settings, **options)

    def trial(self, seconds=2.5):
        """Let a trial go by; return what was seen of it."""
        self.watch.begin(self.context)
        began = time.time()
        time.sleep(seconds)
        return self.watch.end(Outcome('trial', began, began + seconds))


@pytest.fixture
def scene(tmp_path):
    found = Scene(tmp_path)
    yield found
    found.watch.close()
    found.exporter.shutdown()
    found.exporter.server_close()


def test_a_trial_has_its_hosts_and_the_client(scene):
    seen = scene.trial()
    # on a busy machine an exporter may be late
    assert [n for n in seen.notes if 'gaps' not in n] == []
    hosts = seen.figures['hosts']
    group = set(scene.context.group.hosts)
    assert set(hosts) == group | {scene.context.plan.client_host}
    for name in group:
        assert hosts[name]['role'] == 'osd'
        assert hosts[name]['cpu_busy'] == pytest.approx(0.5)
        assert hosts[name]['cpu_steal'] is None  # not available
        assert hosts[name]['source'] == scene.exporter.url
        disk = hosts[name]['disks']['sda']
        assert disk['role'] == 'data' and disk['osds']
        assert hosts[name]['nics']['eth0']['speed_bytes_per_s'] == 1.25e8
    assert seen.manifest['cores'] == [hosts[name]['cores']]
    assert seen.manifest['network'] == ['1 Gbit/s']
    client = hosts[scene.context.plan.client_host]
    assert client['role'] == 'client'
    assert client['disks']['sda']['role'] == 'other'


def test_series_can_be_stored_beside_those_of_osds(scene):
    series = scene.trial().series
    name = scene.context.group.hosts[0]
    table = series[f'host.{name}']
    assert len(table.t) >= 2
    assert table.column('cpu_busy').unit == '1'
    # an answer that is late takes from one interval and gives to the next
    edges = [0.0, *table.t]
    lasted = [end - start for start, end in zip(edges, edges[1:])]
    values = table.column('disk.sda.util').values
    mean = sum(v * s for v, s in zip(values, lasted)) / sum(lasted)
    assert mean == pytest.approx(0.3, rel=0.1)


def test_a_watch_can_keep_what_somebody_reads_alone(tmp_path):
    scene = Scene(tmp_path, columns=('cpu_busy',))
    try:
        seen = scene.trial()
    finally:
        scene.watch.close()
        scene.exporter.shutdown()
        scene.exporter.server_close()
    table, *_ = seen.series.values()
    assert [c.name for c in table.columns] == ['cpu_busy']


def test_nothing_is_left_of_a_trial_that_was_cut(scene, tmp_path):
    scene.watch.begin(scene.context)
    began = time.monotonic()
    seen = scene.watch.end(None)
    assert time.monotonic() - began < 8.0  # who waits for figures waits 12 s
    assert (seen.figures, seen.series) == ({}, {})
    assert not list((tmp_path / 'workers').iterdir())


def test_the_scraper_keeps_its_lease_while_it_is_waited_for(scene):
    scene.watch.begin(scene.context)
    worker, held = scene.watch._worker, []
    hold = scene.lease.hold
    scene.lease.hold = lambda: (held.append(worker.ended), hold())
    scene.watch.end(Outcome('trial', time.time() - 1.0, time.time()))
    assert held and not held[0]


def test_the_lease_of_the_load_is_the_scraper_s_too(scene):
    scene.watch.begin(scene.context)
    worker = scene.watch._worker
    before = worker._renewed
    scene.lease.fresh()
    scene.lease.hold()
    assert worker._renewed > before
    scene.watch.end(None)
    scene.lease.fresh()
    scene.lease.hold()  # of a worker that is gone: no matter


def test_a_run_goes_on_without_any_exporter(scene):
    scene.set(node_exporter_url='http://127.0.0.1:9/metrics')
    seen = scene.trial(0.5)
    assert 'hosts' not in seen.figures
    assert seen.notes == ['hosts: not available (Connection refused)']


def test_a_host_that_answers_now_and_then_is_one_note(scene):
    scene.exporter.behavior['fail'] = range(3, 7)  # of both hosts and client
    seen = scene.trial(4.5)
    (note,) = seen.notes
    assert note.startswith('hosts: gaps in the series of ')
    assert note.endswith(' (HTTP status 503 Service Unavailable)')
    assert seen.figures['hosts']


def test_a_power_exporter_that_never_answers_is_one_note(scene):
    scene.set(ipmi_exporter_url='http://127.0.0.1:9/{host}')
    told = [n for n in scene.trial(1.5).notes if 'gaps' not in n]
    (note,) = told
    assert note.startswith('hosts: nothing from ipmi_exporter_url of ')
    assert note.endswith(': Connection refused)')


def test_a_power_exporter_that_hangs_is_left_alone_by_the_run(scene):
    """Each request would leave a program at work on a host of OSDs."""
    hung, healed = Exporter(delay=60.0), Exporter()
    try:
        scene.set(ipmi_exporter_url=f'{hung.url}?{{host}}')
        for _ in range(TRIES + 1):  # when to ask is not known at first
            scene.trial(1.0)
        asked = len(hung.seen)
        (note,) = [n for n in scene.trial(1.0).notes if 'gaps' not in n]
        assert len(hung.seen) == asked > 0
        assert 'it is asked by longer trials only' in note
        # that of another address is another one
        scene.set(ipmi_exporter_url=f'{healed.url}?{{host}}')
        scene.trial(1.0)
        assert healed.seen
    finally:
        for server in (hung, healed):
            server.shutdown()
            server.server_close()


def test_power_is_asked_for_when_the_window_is_to_open(scene, monkeypatch):
    jobs = []
    make = scene.watch._job
    monkeypatch.setattr(
        scene.watch, '_job', lambda *a: jobs.append(make(*a)) or jobs[-1]
    )
    workload = dataclasses.replace(WORKLOAD, warmup=7.0)
    scene.context = dataclasses.replace(scene.context, workload=workload)
    for _ in range(2):
        scene.trial(0.1)
    first, second = (job.opens - 7.0 for job in jobs)
    # the time until there was load, in the trial before
    assert first == STARTUP and 0.0 < second < START and second != first
    assert jobs[0].lasts == WORKLOAD.duration


@pytest.mark.parametrize(
    'options, word',
    [
        ({'host_metrics': 'off'}, 'option host_metrics is off'),
        ({'host_metrics': 'prometheus'}, 'prometheus_url is not set'),
        ({'node_exporter_url': 'nonsense'}, 'must begin with http'),
    ],
)
def test_options_that_give_nothing_are_one_note(scene, options, word):
    scene.set(**options)
    (note,) = scene.trial(0.1).notes
    assert note.startswith('hosts: not available (') and word in note


def test_secrets_reach_the_worker_as_files(scene, tmp_path):
    access.save(
        scene.cluster,
        access.parse('username: prom\npassword: verysecret\n'),
    )
    seen = scene.trial(1.5)
    # the exporter of this test speaks plain HTTP: they are not sent
    assert all('Authorization' not in h for h in scene.exporter.seen)
    assert seen.figures['hosts']
    path = tmp_path / 'access.exporter'
    assert path.stat().st_mode & 0o777 == 0o600
    assert 'verysecret' not in repr(seen)


def test_load_hosts_are_found_by_the_addresses_of_osds(scene):
    osds = scene.cluster.topology().osds
    number = min(osds)
    scene.cluster.set_osd(number, addresses=('192.168.1.7',))
    scene.watch._clients = lambda near: [('load-1', a) for a in near]
    found = scene.watch._client_hosts(scene.context)
    assert ('load-1', '192.168.1.7') in {(m.name, m.address) for m in found}
    assert len(found) <= len(osds)


def test_one_note_for_all_hosts():
    problems = {f'h{i}': 'no answer' for i in range(9)}
    assert note_of(problems, 9) == 'hosts: not available (no answer)'
    assert note_of(problems, 10) == (
        'hosts: not available of h0, h1, h2, h3 and 5 more (no answer)'
    )
