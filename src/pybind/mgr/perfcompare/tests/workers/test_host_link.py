"""The channel to a load host: nothing doubled, nothing lost, none believed."""

import dataclasses
import json

import pytest

from ...common.errors import (
    AlreadyExists,
    InvalidArgument,
    NotFound,
    NotPermitted,
    TryAgain,
)
from ...worker.agent.conversation import ClockWatch, Conversation
from ...worker.wire.agents import (
    AGENT_PROTOCOL,
    BUSY,
    ENDED,
    EVENT,
    IDLE,
    KILL,
    LINES_MAX,
    MESSAGE_MAX,
    SAY,
    START,
    HostFacts,
    Line,
    answer_text,
    parse_answer,
    parse_sync,
    program_digest,
    sync_text,
)
from ...worker.wire.strict import Malformed
from ...workers.host_link import BURST, HostLink
from ...workers.load_hosts import LoadHosts
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

EPOCH = 'e' * 16
BOOT = 'b' * 16
FACTS = HostFacts('h1', 'x86_64', '6.1', 'cpu', 8.0, 1 << 34, 0)


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def link(clock):
    return HostLink('h1', EPOCH, clock, program_digest())


def agent(boot=BOOT, program=None):
    return Conversation(boot, program or program_digest())


def exchange(link, talk):
    """Do what an agent and its Manager do; return the new orders."""
    said = parse_sync(sync_text(talk.message(None, None)))
    answer = parse_answer(answer_text(link.sync(said)))
    if answer.epoch != talk.epoch:
        talk.begin(answer.epoch)
        return exchange(link, talk)
    return talk.take(answer), answer


def line(number, worker='w1', kind=EVENT):
    return Line(worker, kind, json.dumps({'event': 'ack', 'id': number}))


def attached(link, worker='w1'):
    link.attach(worker, {'kind': 'trial'}, {'access.keyring': 'x'})


def test_orders_arrive_once_and_in_order(link):
    talk = agent()
    attached(link)
    orders, answer = exchange(link, talk)
    assert [(o.number, o.what) for o in orders] == [(1, START)]
    assert orders[0].files == {'access.keyring': 'x'}
    assert answer.period == BUSY
    link.say('w1', 'one')
    link.say('w1', 'two')
    orders, _ = exchange(link, talk)
    assert [o.line for o in orders] == ['one', 'two']
    assert exchange(link, talk)[0] == []


def test_an_answer_that_is_lost_loses_and_doubles_nothing(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    talk.add([line(1), line(2)])
    link.say('w1', 'go')
    said = talk.message(None, None)
    link.sync(said)  # its answer never arrives
    talk.add([line(3)])
    orders, _ = exchange(link, talk)
    assert [o.line for o in orders] == ['go']
    assert [x.text for x in link.take('w1')] == [
        line(n).text for n in (1, 2, 3)
    ]
    # an old message that comes once more
    answer = link.sync(said)
    assert talk.take(answer) == []
    assert link.take('w1') == []


def test_lines_that_skip_a_number_are_not_taken(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    said = talk.message(None, None)
    link.sync(dataclasses.replace(said, first=7, lines=(line(7),)))
    assert link.take('w1') == []


def test_lines_of_a_former_worker_are_dropped(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    link.detach('w1', True)
    attached(link, 'w2')
    talk.add([line(1), line(2, 'w2')])
    exchange(link, talk)
    assert [x.worker for x in link.take('w2')] == ['w2']
    assert link.take('w1') == []


def test_an_agent_that_was_started_anew_has_lost_its_worker(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    exchange(link, talk)
    assert link.lost('w1') == ''
    exchange(link, agent('c' * 16))
    assert 'started anew' in link.lost('w1')
    assert not link.renew('w1', 15)


def test_an_order_that_nobody_fetched_is_for_the_next_agent(link):
    exchange(link, agent())
    attached(link)
    orders, _ = exchange(link, agent('c' * 16))
    assert [o.what for o in orders] == [START]
    assert link.lost('w1') == ''


def test_an_order_for_a_worker_that_is_gone_is_none_for_the_next_agent(link):
    attached(link)
    exchange(link, agent())
    link.kill('w1')  # the host is cut off: nobody fetches it
    link.detach('w1', True)
    orders, _ = exchange(link, agent('2' * 16))
    assert orders == []
    attached(link, 'w2')
    link.kill('w2')
    orders, _ = exchange(link, agent('3' * 16))
    assert [(o.worker, o.what) for o in orders] == [
        ('w2', START),
        ('w2', KILL),
    ]


def test_a_kill_that_was_not_fetched_is_none_of_the_next_worker(link, clock):
    talk = agent()
    attached(link)
    exchange(link, talk)
    link.kill('w1')
    link.detach('w1', False)
    attached(link, 'w2')
    link.kill('w2')
    orders, answer = exchange(link, talk)
    assert [(o.worker, o.what) for o in orders] == [
        ('w1', KILL),
        ('w2', START),
        ('w2', KILL),
    ]
    assert answer.lease == 0


def test_orders_that_were_taken_back_keep_none_from_what_follows(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    link.detach('w1', True)
    attached(link, 'w2')  # the host is cut off: nobody fetches it
    link.kill('w2')
    link.detach('w2', False)
    attached(link, 'w3')
    orders, _ = exchange(link, talk)
    assert [(o.worker, o.what) for o in orders] == [
        ('w2', KILL),
        ('w3', START),
    ]
    link.lose('load host h1 was disabled')
    link.open()
    attached(link, 'w4')
    orders, _ = exchange(link, talk)
    assert [(o.worker, o.what) for o in orders] == [('w4', START)]


def test_the_agent_that_was_replaced_stays_out(link):
    exchange(link, agent())
    exchange(link, agent('c' * 16))
    with pytest.raises(AlreadyExists, match='another agent serves'):
        exchange(link, agent())
    exchange(link, agent('c' * 16))


def test_another_program_is_refused_in_one_line(link):
    with pytest.raises(InvalidArgument) as refused:
        exchange(link, agent(program='0' * 12))
    assert "'000000000000'" in refused.value.message
    assert refused.value.message.endswith(
        'install the version of the Manager there and start the agent again'
    )
    assert '\n' not in refused.value.message
    assert link.other_version
    exchange(link, agent())
    assert not link.other_version


def test_a_lease_is_told_as_what_is_left_of_it(link, clock):
    talk = agent()
    attached(link)
    exchange(link, talk)
    link.renew('w1', 15.0)
    clock.now += 10
    assert exchange(link, talk)[1].lease == pytest.approx(5.0)
    assert link.left() == pytest.approx(5.0)
    clock.now += 6
    assert exchange(link, talk)[1].lease == 0
    assert link.left() == pytest.approx(-1.0)


def test_a_kill_is_ordered_once_and_ends_the_lease(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    link.kill('w1')
    link.kill('w1')
    orders, answer = exchange(link, talk)
    assert [o.what for o in orders] == [KILL]
    assert answer.lease == 0


def test_messages_that_come_too_often_are_refused(link, clock):
    for _ in range(BURST):
        link.admit()
    with pytest.raises(TryAgain):
        link.admit()
    clock.now += 1
    link.admit()


def test_nobody_reads_so_nothing_more_is_taken(link):
    talk = agent()
    attached(link)
    exchange(link, talk)
    for _ in range(60):
        talk.add([Line('w1', ENDED, 'x' * 100_000)])
    for _ in range(200):
        link.sync(talk.message(None, None))
        talk.take(link.sync(talk.message(None, None)))
    held = link.take('w1')
    assert sum(len(x.text) for x in held) < 5 << 20
    for _ in range(60):  # and all arrive when somebody does
        exchange(link, talk)
        held += link.take('w1')
    assert len(held) == 60


def test_an_idle_host_asks_seldom_unless_it_is_wanted(link, clock):
    talk = agent()
    assert exchange(link, talk)[1].period == IDLE
    link.want(30)
    assert exchange(link, talk)[1].period == BUSY
    clock.now += 31
    assert exchange(link, talk)[1].period == IDLE


def test_a_plan_makes_no_host_of_a_run_idle(link, clock):
    talk = agent()
    link.want(86400.0)  # a run
    link.want(60.0)  # a dry run of another
    clock.now += 3600
    assert exchange(link, talk)[1].period == BUSY
    link.unwant()
    assert exchange(link, talk)[1].period == IDLE


def test_a_host_without_free_memory_says_so(link):
    assert link.room().memory is None
    link.sync(agent().message(FACTS, None))
    assert link.room().memory.available == 0
    link.sync(
        agent().message(dataclasses.replace(FACTS, memory_free=None), None)
    )
    assert link.room().memory is None


@pytest.mark.parametrize(
    'text',
    [
        '',
        'null',
        '[' * 100_000,
        '{"protocol": 1}',
        'x' * (MESSAGE_MAX + 1),
        sync_text(
            dataclasses.replace(agent().message(None, None), boot='../../x')
        ),
        sync_text(dataclasses.replace(agent().message(None, None), first=0)),
        sync_text(
            dataclasses.replace(
                agent().message(None, None),
                lines=tuple(line(1) for _ in range(LINES_MAX + 1)),
            )
        ),
        sync_text(
            dataclasses.replace(
                agent().message(None, None), lines=(line(1, '../x'),)
            )
        ),
    ],
)
def test_what_cannot_be_right_is_refused_and_counted(text, clock):
    cluster = FakeCluster()
    hosts = LoadHosts(cluster, clock)
    hosts.add('h1')
    with pytest.raises(InvalidArgument, match='malformed') as refused:
        hosts.sync('h1', text)
    assert '\n' not in refused.value.message
    assert len(refused.value.message) < 250
    assert hosts.link('h1').refused == 1
    assert hosts.link('h1').seen is None


def attached_to(link):
    """Return why a worker cannot be there."""
    attached(link)
    return link.lost('w1')


def test_only_hosts_that_are_enabled_are_heard(clock):
    cluster = FakeCluster()
    hosts = LoadHosts(cluster, clock)
    with pytest.raises(TryAgain):
        hosts.sync('h1', '')
    hosts.load()
    with pytest.raises(NotFound):
        hosts.sync('h1', '')
    hosts.add('h1')
    text = sync_text(agent().message(None, None))
    assert parse_answer(hosts.sync('h1', text)).protocol == AGENT_PROTOCOL
    attached(hosts.link('h1'))
    hosts.enable('h1', False)
    with pytest.raises(NotPermitted, match='disabled'):
        hosts.sync('h1', text)
    assert 'disabled' in hosts.link('h1').lost('w1')
    again = LoadHosts(cluster, clock)
    again.load()
    assert again.names() == ['h1']
    assert 'disabled' in attached_to(again.link('h1'))
    with pytest.raises(NotPermitted):
        again.sync('h1', text)


def heard(hosts, talk):
    """Do an exchange with a Manager that knows several hosts."""
    text = hosts.sync('h1', sync_text(talk.message(None, None)))
    answer = parse_answer(text)
    if answer.epoch != talk.epoch:
        talk.begin(answer.epoch)
        return heard(hosts, talk)
    return talk.take(answer)


def test_a_host_that_was_added_again_starts_a_worker(clock):
    """Orders are counted from 1 again, and lines as well."""
    hosts = LoadHosts(FakeCluster(), clock)
    hosts.add('h1')
    former = agent()
    attached(hosts.link('h1'))
    former.add([line(1)])
    assert [o.what for o in heard(hosts, former)] == [START]
    heard(hosts, former)
    hosts.remove('h1')
    hosts.add('h1')
    # the process that has the key of before is not the host's any more
    with pytest.raises(NotPermitted, match='was removed'):
        heard(hosts, former)
    assert hosts.link('h1').seen is None
    talk = agent('c' * 16)
    talk.begin(former.epoch)  # as if it had been heard before
    attached(hosts.link('h1'), 'w2')
    assert [o.worker for o in heard(hosts, talk)] == ['w2']
    talk.add([line(1, 'w2')])
    heard(hosts, talk)
    assert [x.worker for x in hosts.link('h1').take('w2')] == ['w2']
    for _ in range(2):  # nor when it is done once more
        hosts.remove('h1')
        hosts.add('h1')
    for known in (former, talk):
        with pytest.raises(NotPermitted, match='was removed'):
            heard(hosts, known)


def test_a_host_that_is_asked_to_say_a_line_is_no_other_one(link):
    attached(link)
    assert not link.say('w0', 'go')
    assert link.say('w1', 'go')
    assert [o.what for o in exchange(link, agent())[0]] == [START, SAY]


def test_a_clock_is_compared_by_the_shortest_round_trip():
    watch = ClockWatch()
    assert watch.reading is None
    watch.read(sent=10.0, got=10.2, told=1000.1, wall=1000.0)
    watch.read(sent=11.0, got=11.02, told=1001.0, wall=1000.82)
    found = watch.reading
    assert found.bound == pytest.approx(0.01)
    assert found.offset == pytest.approx(0.19)
    assert found.steps == 0
    watch.read(sent=12.0, got=12.02, told=1002.0, wall=1006.0)
    assert watch.reading.steps == 1


def test_a_manager_says_nothing_that_cannot_be_right():
    for text in ('', '{}', '[]', '{"protocol":1,"epoch":"x"}'):
        with pytest.raises(Malformed):
            parse_answer(text)
