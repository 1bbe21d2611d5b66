"""Gateways by the orchestrator: planned, placed, used, and gone."""

from typing import Any, Collection, List, Optional

import errno

import pytest

from ...ceph.orchestration import specification
from ...common.errors import (
    CommandFailed,
    InvalidArgument,
    NotFound,
    PerfcompareError,
)
from ...drivers.s3.driver import S3Driver
from ...drivers.s3.gateways import choice as gatewaychoice
from ...drivers.s3.gateways import orchestrated as orchgateways
from ...drivers.s3.gateways.orchestrated import OrchGateways
from ...execution.cleanup import Cleanup
from ...model.ownership import run_of
from ...model.plan import RunOptions, RunPlan
from ...model.run import RunState
from ...model.topology import Pool
from ...planning import plan as planning
from ...planning.profiles import catalog as profiles
from ...ports.orchestration import GatewayOrder, hosts_of, section
from ...report.plan import describe
from ...undo.journal import Journal, Kind
from ...undo.services import Services
from ...worker.wire import jobs
from ...worker.wire.gateway_jobs import Zone
from ...workers.control import Control, Stopped
from ..data.plans import RUN, make
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

PLACES = {f'{n}.example.com': f'10.0.0.{i}' for i, n in enumerate(
    ('arm-1', 'arm-2', 'x86-1', 'x86-2'))}  # fmt: skip
HOSTS = {
    group: tuple(f'{group}-{i}.example.com' for i in (1, 2))
    for group in ('x86', 'arm')
}
SERVICE = f'perfcompare-{RUN}-x86'


def made(**options: Any) -> RunPlan:
    options.setdefault('gateway_source', 'orch')
    known = {k: options.pop(k) for k in ('gateway_port',) if k in options}
    return make(
        workloads=('s3-get', 's3-put'),
        sizes=('4K',),
        concurrency=('16',),
        settings=planning.PlanSettings(gateway_hosts=HOSTS, **known),
        **options,
    )


class Bench:
    def __init__(self, tmp_path: Any, **options: Any) -> None:
        self.cluster = FakeCluster()
        self.cluster.backend = 'cephadm'
        self.cluster.gateway_orchestrator = 'cephadm'
        self.cluster.orchestrator_places = PLACES
        self.plan = made(**options)
        self.group = self.plan.group('x86')
        self.journal = Journal(self.cluster, FakeClock())
        self.control = Control()
        self.answering = True
        self.asked: List[str] = []
        self.beats: List[float] = []
        self.jobs: List[Any] = []
        self.gateways = OrchGateways(
            self.cluster,
            self.journal,
            self.plan,
            self.work,
            self.control,
            lambda pool: jobs.Access('/c', '/k', self.plan.key, pool),
            str(tmp_path),
            0.0,
            self.alive,
            self.answers,
        )

    def alive(self) -> None:
        self.beats.append(self.control.monotonic())

    def work(self, name: str, job: Any, pools: Collection[str]) -> Any:
        self.jobs.append(job)

    def answers(self, address: str, port: int) -> bool:
        self.asked.append(f'{address}:{port}')
        return self.answering

    def config(self) -> List[Any]:
        return [k for k in self.cluster.config if 'rgw' in k[0]]


@pytest.fixture
def bench(tmp_path: Any) -> Bench:
    return Bench(tmp_path)


def test_the_plan_names_services_hosts_and_ports() -> None:
    text = ' '.join(describe(made(gateways=2)).split())
    assert 'they serve plain HTTP to whoever reaches these ports' in text
    assert 'keys of the orchestrator for all pools of application rgw' in text
    assert (
        f'service rgw.{SERVICE}, 2 on each of x86-1.example.com, '
        'x86-2.example.com, from port 17480; removed at the end' in text
    )
    assert f'rgw.perfcompare-{RUN}-arm' in text and 'port 17496' in text
    text = describe(made(gateway_port=8000))
    assert 'port 8000;' in text and 'port 8016;' in text
    labels = made(gateways=2).labels
    assert any('own hosts, beside their OSDs' in label for label in labels)
    assert '2 S3 gateways on each host' in labels


def test_a_group_gets_gateways_and_a_user(bench: Bench) -> None:
    found = bench.gateways.of(bench.group)
    assert bench.gateways.of(bench.group) is found
    (job,) = bench.jobs
    assert isinstance(job, Zone)
    assert job.access.pool == f'perfcompare.{RUN}.x86.s3-meta'
    order = bench.cluster.services[SERVICE]
    assert order.hosts == HOSTS['x86'] and order.per_host == 1
    urls = ['http://10.0.0.2:17480', 'http://10.0.0.3:17480']
    assert [e.url() for e in found.endpoints] == urls
    assert found.host == 'x86-1.example.com, x86-2.example.com'
    assert (found.arch, found.version) == ('x86_64', '20.2.4')
    assert found.writes == 'perfcompare:writes'
    pool = bench.cluster.config[section(SERVICE), 'rgw_realm_root_pool']
    assert pool == job.access.pool
    driver = S3Driver(
        bench.plan,
        None,  # type: ignore[arg-type]
        bench.gateways,
        lambda pool: job.access,
    )
    assert driver.manifest(bench.group)['gateways'] == 2


def test_all_is_journaled_before_it_is_made(bench: Bench) -> None:
    error = CommandFailed('orch apply', errno.EINVAL, 'no')
    bench.cluster.fail_on('gateways_apply', times=1, error=error)
    with pytest.raises(CommandFailed):
        bench.gateways.of(bench.group)
    kinds = [e.kind for e in bench.journal.entries(RUN)]
    assert kinds == [Kind.CONFIG] * 9 + [Kind.SERVICE]
    assert bench.journal.undo_all(RUN).leftovers == ()
    assert not bench.config() and not bench.journal.entries(RUN)


def test_undo_leaves_nothing(bench: Bench) -> None:
    bench.gateways.of(bench.group)
    bench.gateways.close()
    assert bench.cluster.services  # undoing removes them, not closing
    report = bench.journal.undo_all(RUN)
    assert report.leftovers == () and f'service {SERVICE}' in report.removed
    assert bench.cluster.removed_services == [SERVICE]
    assert not bench.cluster.services and not bench.config()
    assert not [e for e in bench.cluster.auth if 'rgw' in e]
    assert not bench.journal.entries(RUN)


def test_keys_and_options_that_stay_are_removed(bench: Bench) -> None:
    bench.cluster.tidy = False
    bench.gateways.of(bench.group)
    assert bench.journal.undo_all(RUN).leftovers == ()
    assert not bench.config()
    assert not [e for e in bench.cluster.auth if 'rgw' in e]


def test_an_orchestrator_that_comes_late_is_waited_for(bench: Bench) -> None:
    bench.gateways.of(bench.group)
    bench.cluster.fail_on('gateways_placed', times=2)
    bench.cluster.fail_on('gateways_remove', times=1)
    assert bench.journal.undo_all(RUN).leftovers == ()
    assert not bench.cluster.services


def test_keys_of_a_service_in_use_are_no_strays(bench: Bench) -> None:
    bench.gateways.of(bench.group)
    assert bench.journal.strays() == []


@pytest.mark.parametrize('silent', [False, True])
def test_pools_stay_while_gateways_may_run(
    bench: Bench, silent: bool
) -> None:
    bench.gateways.of(bench.group)
    name = bench.group.pools[0].name
    bench.cluster.pool_create(name, 8, 'replicated_rule', 2, 1, None)
    bench.cluster.pool_set_application(name, 'perfcompare', 'run', RUN)
    bench.journal.intend(RUN, Kind.POOL, name)
    bench.journal.intend(RUN, Kind.RULE, bench.group.rule)
    bench.cluster.lets_go = silent
    bench.cluster.backend = None if silent else 'cephadm'
    report = bench.journal.undo_all(RUN)
    by_name = {item.what: item for item in report.leftovers}
    left = by_name[f'service {SERVICE}']
    assert 'may still run' in left.reason
    assert f'ceph orch rm rgw.{SERVICE}' in left.remedy
    assert 'gateways of the run' in by_name[f'pool {name}'].reason
    assert f'rule {bench.group.rule}' in by_name
    assert name in bench.cluster.pool_table
    bench.cluster.lets_go, bench.cluster.backend = True, 'cephadm'
    bench.journal.undo_all(RUN)
    assert not bench.journal.entries(RUN)
    assert name not in bench.cluster.pool_table


def test_gateways_that_do_not_serve_are_told_in_one_line(
    bench: Bench,
) -> None:
    bench.cluster.gateway_status = 'error'
    with pytest.raises(PerfcompareError) as raised:
        bench.gateways.of(bench.group)
    assert raised.value.message == (
        f'0 of 2 gateways of rgw.{SERVICE} serve after 0 s '
        f'(rgw.{SERVICE}.x86-1.example.com.0 on x86-1.example.com is error, '
        f'rgw.{SERVICE}.x86-2.example.com.0 on x86-2.example.com is error); '
        'see `ceph orch ps`, or give --gateway-source private'
    )
    assert bench.asked == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orchgateways, 'AGAIN', 0.0)
    monkeypatch.setattr(orchgateways, 'PERIOD', 0.01)


def test_an_order_that_was_lost_is_repeated(
    bench: Bench, impatient: None
) -> None:
    bench.gateways._patience = 30.0
    bench.cluster.loses = 2
    assert len(bench.gateways.of(bench.group).endpoints) == 2
    assert len(bench.cluster.called('gateways_apply')) == 3
    assert bench.cluster.refreshed and bench.beats
    bench.cluster.loses = 2
    assert bench.journal.undo_all(RUN).leftovers == ()
    assert len(bench.cluster.removed_services) == 3


def test_orders_without_any_effect_end_with_that_reason(
    bench: Bench, impatient: None
) -> None:
    bench.gateways._patience = 0.1
    bench.cluster.loses = 1000
    with pytest.raises(PerfcompareError) as raised:
        bench.gateways.of(bench.group)
    assert 'orchestrator, told ' in raised.value.message
    assert 'times, shows none); see `ceph orch ps`' in raised.value.message
    bench.cluster.loses = 0
    assert bench.journal.undo_all(RUN).clean
    bench.gateways._patience = 30.0
    bench.gateways.of(bench.group)
    bench.cluster.loses = 10**9
    left = bench.journal.undo_all(RUN).leftovers[0]
    assert left.what == f'service {SERVICE}'
    assert 'may still run: it is not removed' in left.reason
    assert 'the orchestrator was told' in left.reason


def test_what_was_being_placed_may_show_late(bench: Bench) -> None:
    """An order was given, and the Manager died before its effect."""
    bench.journal.intend(RUN, Kind.SERVICE, SERVICE)
    order = GatewayOrder(SERVICE, HOSTS['x86'], 1, 17480, 'perfcompare')

    def late(_: float) -> None:
        if len(clock.waits) == 3:
            bench.cluster.gateways_apply(order)

    clock = FakeClock(on_wait=late)
    entry = bench.journal.entries(RUN)[-1]
    assert Services(bench.cluster, clock)(entry) == ''
    assert bench.cluster.removed_services == [SERVICE]
    assert not bench.cluster.services


def test_running_is_not_serving(bench: Bench) -> None:
    bench.answering = False
    with pytest.raises(PerfcompareError, match='0 of 2 gateways'):
        bench.gateways.of(bench.group)
    assert bench.asked == ['10.0.0.2:17480', '10.0.0.3:17480']


def test_a_brake_ends_the_wait(bench: Bench, tmp_path: Any) -> None:
    bench.answering = False
    bench.gateways._patience = 60.0
    bench.control.request(RunState.CANCELLED, 'x')
    with pytest.raises(Stopped):
        bench.gateways.of(bench.group)


def test_gateways_of_a_former_manager_are_not_blocklisted(
    bench: Bench,
) -> None:
    """They abort when they are (seen on 20.2)."""
    bench.cluster.sessions[f'client.perfcompare.{RUN}'] = ['10.0.0.2:0/7']
    cleanup = Cleanup(bench.cluster, bench.journal)
    cleanup.silence([RUN])
    assert len(bench.cluster.called('blocklist_add')) == 1
    bench.gateways.of(bench.group)
    cleanup.silence([RUN])
    assert len(bench.cluster.called('blocklist_add')) == 1


# which source it is


def choose(
    cluster: FakeCluster, source: Optional[str] = None, **options: Any
) -> Any:
    groups: Any = [Named(g.name, g.hosts) for g in made().groups]
    options.setdefault('workloads', ('s3-get',))
    return gatewaychoice.choose(
        cluster,
        groups,
        profiles.get('quick'),
        RunOptions.of(gateway_source=source, **options),
    )


class Named:
    def __init__(self, name: str, hosts: Any) -> None:
        self.name, self.hosts = name, hosts


def able() -> FakeCluster:
    cluster = FakeCluster()
    cluster.gateway_orchestrator = 'cephadm'
    cluster.orchestrator_places = PLACES
    cluster.config['mgr', gatewaychoice.DASHBOARD] = 'false'
    return cluster


def test_the_orchestrator_is_the_default_where_it_can() -> None:
    options, hosts = choose(able())
    assert options.driver('gateway_source') == 'orch' and hosts == HOSTS
    assert choose(FakeCluster()) == (
        RunOptions(workloads=('s3-get',)),
        {},
    )


def test_other_sources_and_workloads_ask_nobody() -> None:
    cluster = able()
    assert choose(cluster, 'private')[1] == {}
    assert choose(cluster, 'existing')[1] == {}
    assert choose(cluster, workloads=('write',))[1] == {}
    assert choose(cluster, s3_tls=True)[0].driver('gateway_source') is None
    assert (
        choose(cluster, s3_client='warp')[0].driver('gateway_source') is None
    )
    assert not cluster.called('gateway_backend')


def test_why_it_cannot_is_said() -> None:
    with pytest.raises(InvalidArgument, match='no orchestrator is avail'):
        choose(FakeCluster(), 'orch')
    cluster = able()
    cluster.orchestrator_places = {'x86-1': '', 'x86-2': '', 'arm-1': ''}
    with pytest.raises(InvalidArgument, match="host 'arm-2' of group 'arm'"):
        choose(cluster, 'orch')
    assert choose(cluster)[0].driver('gateway_source') is None
    cluster = able()
    cluster.fail_on('orchestrator_hosts', times=1, error=NotFound('gone'))
    with pytest.raises(InvalidArgument, match='hosts are not known: gone'):
        choose(cluster, 'orch')


def test_the_dashboard_makes_no_root_pool_for_us() -> None:
    cluster = able()
    del cluster.config['mgr', gatewaychoice.DASHBOARD]
    with pytest.raises(InvalidArgument, match='config_dashboard false'):
        choose(cluster, 'orch')
    assert choose(cluster)[0].driver('gateway_source') is None
    cluster.pool_table['.rgw.root'] = Pool(
        9, '.rgw.root', 3, 2, 1, 1, 1, 1, 0
    )
    assert choose(cluster)[0].driver('gateway_source') == 'orch'


def test_tls_is_refused() -> None:
    with pytest.raises(InvalidArgument, match='--s3-tls'):
        made(s3_tls=True)


def test_names_of_hosts_are_matched() -> None:
    known = {'a.example.com': '', 'b': ''}
    assert hosts_of(('a', 'b.lan'), known) == (('a.example.com', 'b'), '')
    assert hosts_of(('a', 'c'), known) == (None, 'c')


def test_the_specification_is_cephadms() -> None:
    order = GatewayOrder('perfcompare-x', ('a',), 2, 17480, 'perfcompare')
    found = specification(order)
    assert found['placement'] == {'hosts': ['a'], 'count_per_host': 2}
    assert found['spec']['rgw_frontend_extra_args'] == ['tcp_nodelay=1']


def test_keys_of_gateways_have_their_run() -> None:
    assert run_of(f'client.rgw.{SERVICE}.h-1.abcdef') == RUN
    assert run_of('client.rgw.production.h-1.abcdef') is None
