"""Load hosts: made, looked at, shut out, and chosen for a run."""

import dataclasses
import threading

import pytest

from ...app.load_hosts import LoadHostService
from ...common.codec import to_data
from ...common.errors import (
    AlreadyExists,
    InvalidArgument,
    NotFound,
    NotPermitted,
    TryAgain,
)
from ...guard.checks import client_host
from ...guard.checks.finding import CheckContext, Severity
from ...guard.checks.load_host import findings, load_host
from ...model.load_host import HostState, LoadHost
from ...model.plan import RunOptions
from ...report import load_hosts as report
from ...undo.inventory import everything
from ...worker.agent.conversation import Conversation
from ...worker.wire.agents import (
    ClockReading,
    HostFacts,
    program_digest,
    sync_text,
)
from ...workers.load_hosts import LoadHosts
from ..data.guard_data import facts_of, two_groups
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

KEY = 'client.perfcompare.agent.h1'
FACTS = HostFacts(
    'h1', 'x86_64', '6.1', 'cpu', 8.0, 1 << 34, 1 << 33, ('10.0.0.9',),
    '3.11', True, '20.2.4', {'fio': 'fio-3.41'},
)  # fmt: skip
READY = LoadHost(
    'h1',
    HostState.READY,
    0.0,
    1.0,
    cores=8.0,
    rados='20.2.4',
    numpy=True,
    clock_offset=0.01,
    clock_bound=0.001,
)


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def service(cluster, clock):
    return LoadHostService(cluster, LoadHosts(cluster, clock))


def fail(*words):
    raise TryAgain('no quorum')


def hear(service, host='h1', facts=FACTS, boot='b' * 16):
    talk = Conversation(boot, program_digest())
    reading = ClockReading(-0.5, 0.002)
    service.sync(host, sync_text(talk.message(facts, reading)))


def test_a_host_is_added_with_a_key_of_its_own(service, cluster):
    found = service.add('h1')
    assert found.entity == KEY in cluster.auth
    assert 'key = ' in found.keyring
    assert 'key = ' not in repr(found)
    assert found.keyring.strip().expandtabs(4) in report.added(found)
    service.enable('h1', False)
    with pytest.raises(AlreadyExists, match='auth get'):
        service.add('h1')
    assert service.list()[0].state is HostState.DISABLED
    service.enable('h1', True)
    del cluster.auth[KEY]  # somebody did; it is made anew
    assert service.add('h1').entity in cluster.auth
    (host,) = service.list()
    assert host.state is HostState.NEVER


def test_what_is_pasted_makes_the_keyring_alone_private(service):
    """The agent's user must read the ceph.conf that is written next."""
    text = report.added(service.add('h1'))
    paste = (
        f"install -m 600 /dev/stdin /etc/ceph/ceph.{KEY}.keyring <<'END'\n"
    )
    assert f'{paste}[{KEY}]' in text
    assert 'umask' not in text


def test_its_key_is_nothing_that_a_run_left(service, cluster):
    service.add('h1')
    assert KEY not in [thing.name for thing in everything(cluster)]


@pytest.mark.parametrize('host', ['', 'a b', '../x', 'h' * 64, 'h"1', 'h,1'])
def test_what_is_no_host_has_no_key(service, cluster, host):
    with pytest.raises(InvalidArgument, match='is not the name of a host'):
        service.add(host)
    assert not [e for e in cluster.auth if 'agent' in e]
    assert service.list() == ()


def test_what_its_agent_says_is_shown(service, clock):
    service.add('h1')
    hear(service)
    (host,) = service.list()
    assert host.state is HostState.READY
    assert (host.cores, host.arch, host.rados) == (8.0, 'x86_64', '20.2.4')
    assert 'ready' in report.listed([host])
    clock.now += 60
    (host,) = service.list()
    assert host.state is HostState.SILENT


def test_osds_of_a_host_are_told(service, cluster, monkeypatch):
    """The cluster's OSDs are looked through once for all load hosts."""
    looked = []
    monkeypatch.setattr(
        client_host, 'is_loopback', lambda a: looked.append(a) or False
    )
    cluster.set_osd(1, addresses=('10.0.0.9',))
    for host in ('h1', 'h2', 'h3'):
        service.add(host)
        hear(service, host, dataclasses.replace(FACTS, hostname=host))
    hosts = service.list()
    assert [host.osds for host in hosts] == [(1,)] * 3
    osds = cluster.topology().osds.values()
    assert len(looked) <= sum(len(osd.addresses) for osd in osds)


def test_a_host_that_is_removed_is_gone_with_its_key(service, cluster):
    service.add('h1')
    service.remove('h1')
    assert KEY not in cluster.auth
    assert service.list() == ()
    with pytest.raises(NotFound):
        hear(service)
    with pytest.raises(NotFound):
        service.remove('h1')


def test_a_host_is_shut_out_when_its_key_is_gone(
    service, cluster, monkeypatch
):
    """An agent that is refused connects anew, and then cannot."""
    service.add('h1')
    asked = []

    def enable(host, enabled, real=service._hosts.enable):
        asked.append(KEY in cluster.auth)
        real(host, enabled)

    monkeypatch.setattr(service._hosts, 'enable', enable)
    service.remove('h1')
    assert asked == [False]


def test_an_agent_that_asked_while_disabled_is_none_of_a_later_host(service):
    service.add('h1')
    service.enable('h1', False)
    with pytest.raises(NotPermitted, match='disabled') as refused:
        hear(service)
    # with this its agent would connect anew, every ten seconds
    assert refused.value.errno != NotPermitted.errno
    service.remove('h1')
    service.add('h1')
    with pytest.raises(NotPermitted, match='was removed'):
        hear(service)
    hear(service, boot='c' * 16)


def test_a_host_that_is_enabled_again_has_the_same_agent(service):
    service.add('h1')
    hear(service)
    service.enable('h1', False)
    with pytest.raises(NotPermitted):
        hear(service)
    service.enable('h1', True)
    hear(service)
    assert service.list()[0].state is HostState.READY


def test_a_host_that_was_disabled_and_is_added_again_makes_load(
    service, cluster
):
    hosts = service._hosts
    service.add('h1')
    hear(service)
    service.enable('h1', False)
    del cluster.auth[KEY]  # `ceph auth rm`
    service.add('h1')
    hosts.link('h1').attach('w1', {'kind': 'trial'}, {})
    assert hosts.link('h1').lost('w1') == ''
    with pytest.raises(NotPermitted):  # with the key of before
        hear(service)
    hear(service, boot='c' * 16)
    assert service.list()[0].state is HostState.LOADING


def test_a_removal_that_failed_at_its_last_step_can_be_undone(
    service, cluster
):
    service.add('h1')
    remove, cluster.kv_remove = cluster.kv_remove, fail
    with pytest.raises(TryAgain):
        service.remove('h1')
    cluster.kv_remove = remove
    service.add('h1')
    service._hosts.link('h1').attach('w1', {'kind': 'trial'}, {})
    assert service._hosts.link('h1').lost('w1') == ''


def test_a_key_that_is_made_anew_ends_no_load(service, cluster):
    """Connections outlive keys: the run goes on."""
    service.add('h1')
    link = service._hosts.link('h1')
    link.attach('w1', {'kind': 'trial'}, {})
    hear(service)
    del cluster.auth[KEY]
    service.add('h1')
    hear(service)
    assert service._hosts.link('h1') is link and link.lost('w1') == ''


@pytest.mark.parametrize(
    'change, severity, word',
    [
        ({}, Severity.OK, 'ready'),
        ({'state': HostState.NEVER}, Severity.REFUSE, 'never seen'),
        ({'state': HostState.SILENT}, Severity.REFUSE, 'silent'),
        ({'state': HostState.DISABLED}, Severity.REFUSE, 'disabled'),
        ({'state': HostState.VERSION}, Severity.REFUSE, 'other version'),
        ({'cores': None}, Severity.REFUSE, 'not said yet'),
        ({'rados': ''}, Severity.REFUSE, 'no program rados'),
        ({'rados': '18.2.7'}, Severity.WARN, '18.2.7'),
        ({'clock_offset': 0.3}, Severity.WARN, 'behind'),
        ({'clock_offset': -0.3}, Severity.WARN, 'ahead of'),
        ({'clock_offset': 0.15, 'clock_bound': 0.1}, Severity.OK, 'ready'),
        ({'clock_steps': 2}, Severity.WARN, '2 steps'),
    ],
)
def test_what_a_check_finds(change, severity, word):
    host = dataclasses.replace(READY, **change)
    (found,) = findings(host, '20.2.4', [KEY])
    assert found.severity is severity
    assert word in found.message


def test_a_host_whose_key_was_removed_is_refused():
    (found,) = findings(READY, '20.2.4', ['client.admin'])
    assert found.severity is Severity.REFUSE
    assert 'has no key' in found.message


@pytest.mark.parametrize(
    'names, refused',
    [
        (('h1', 'h2.site', 'h3'), []),
        (('h1', 'h2', 'H2'), [('a1', 'a2'), 'H2']),
        (('h1', 'h1', 'h1'), [('a0', 'a1', 'a2'), 'h1']),
        (('', '', ''), []),  # not heard yet, which is refused as that
    ],
)
def test_hosts_that_call_themselves_alike_are_refused(
    cluster, names, refused
):
    """They name the same objects, which several would write."""
    facts = facts_of(cluster, two_groups(cluster))
    facts.entities = tuple(f'client.perfcompare.agent.a{n}' for n in range(3))
    facts.load_hosts = tuple(
        dataclasses.replace(READY, host=f'a{n}', hostname=name)
        for n, name in enumerate(names)
    )
    found = [
        f.message
        for f in load_host(CheckContext(facts, two_groups(cluster)))
        if f.severity is Severity.REFUSE
    ]
    assert len(found) == bool(refused)
    if refused:
        hosts, name = refused
        assert all(host in found[0] for host in hosts)
        assert ('a0' in found[0]) is ('a0' in hosts)
        assert name.lower() in found[0].lower()


def test_a_run_takes_one_host_by_name_or_the_only_one(service):
    assert service.chosen(RunOptions()) == (RunOptions(), '')
    service.add('h1')
    hear(service, facts=dataclasses.replace(FACTS, hostname='h1.site'))
    for wanted in (('h1',), ('all',), ('all', 'h1')):
        options, name = service.chosen(RunOptions(load_hosts=wanted))
        assert options.load_hosts == ('h1',)
        assert name == 'h1.site'


@pytest.mark.parametrize(
    'wanted, word',
    [
        (('label:x',), 'labels are those that an orchestrator gives'),
        (tuple(f'h{n}' for n in range(257)), '257 hosts are more than 256'),
    ],
)
def test_what_cannot_be_is_refused(service, wanted, word):
    service.add('h1')
    with pytest.raises(InvalidArgument, match=word):
        service.chosen(RunOptions(load_hosts=wanted))


def test_several_hosts_are_called_by_all_their_names(service):
    service.add('h2')
    service.add('h1')
    hear(service, facts=dataclasses.replace(FACTS, hostname='h1.site'))
    for wanted in (('h2', 'h1'), ('all',)):
        options, name = service.chosen(RunOptions(load_hosts=wanted))
        assert sorted(options.load_hosts) == ['h1', 'h2']
        assert name == 'h1.site, h2'


def test_hosts_are_chosen_by_labels_of_the_orchestrator(service, cluster):
    cluster.gateway_orchestrator = 'cephadm'
    cluster.orchestrator_labeled = {
        'h1.site': ('loadgen', '_admin'),
        'h2': ('loadgen',),
        'h3': (),
        'h9': ('loadgen',),  # no load host
    }
    for host in ('h1', 'h2', 'h3', 'h4'):
        service.add(host)
    options, name = service.chosen(RunOptions(load_hosts=('label:loadgen',)))
    assert options.load_hosts == ('h1', 'h2')
    assert name == 'h1, h2'
    both = RunOptions(load_hosts=('label:loadgen', 'h3', 'h1'))
    assert service.chosen(both)[0].load_hosts == ('h1', 'h2', 'h3')
    service.enable('h1', False)
    service.enable('h2', False)
    with pytest.raises(InvalidArgument, match='no load host that is enabled'):
        service.chosen(RunOptions(load_hosts=('label:loadgen',)))


def test_unknown_hosts_are_not_found(service):
    with pytest.raises(NotFound, match='load-host ls'):
        service.chosen(RunOptions(load_hosts=('h3',)))
    with pytest.raises(InvalidArgument, match='none that is enabled'):
        service.chosen(RunOptions(load_hosts=('all',)))


def test_what_is_found_of_a_host_has_names_for_programs(service):
    service.add('h1')
    found = to_data(service.check('h1'))['findings']
    assert {tuple(sorted(one)) for one in found} == {
        ('id', 'message', 'remedy', 'severity')
    }
    assert found[0]['id'] == 'CLIENT'


def test_a_host_that_is_removed_is_not_written_back(cluster, clock):
    """Not by an `enable` that waits for the mons at that moment."""
    hosts = LoadHosts(cluster, clock)
    hosts.add('h1')
    writing, going = threading.Event(), threading.Event()
    kv_set = cluster.kv_set

    def slow(key, value):
        writing.set()
        going.wait(10.0)
        kv_set(key, value)

    cluster.kv_set = slow
    enabling = threading.Thread(target=hosts.enable, args=('h1', True))
    enabling.start()
    assert writing.wait(10.0)
    removing = threading.Thread(target=hosts.remove, args=('h1',))
    removing.start()
    removing.join(0.3)
    going.set()
    enabling.join(10.0)
    removing.join(10.0)
    assert hosts.names() == [] and LoadHosts(cluster, clock).names() == []
