"""Load from another host: the whole way, and what is done to it there."""

from typing import Any, Callable, Dict, Iterator, List

import contextlib
import errno
import json
import signal
import time

import pytest

from cluster.api import CommandFailed

from . import agents, processes, runs
from .agents import Agent
from .live import LiveCluster
from .load_hosts import GROUPS, LEASE, agents_kept, cluster_with
from .provision import LOAD_HOSTS, Provider, wait_answers
from .steady import steady_pools
from .waiting import wait_for

CLUSTER = LOAD_HOSTS.name
SECONDS = 120
HOST = 'load-1'
LOAD = ('--load-hosts', HOST)
S3 = (
    '--profile', 'smoke', '--rounds', '1', '--workload', 's3-mixed',
    '--workload', 's3-get', '--size', '4K', '--concurrency', '8',
    '--prefill', '100', '--duration', '3', '--gateway-source', 'existing',
)  # fmt: skip


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with hosts of their own, one of them for load."""
    return cluster_with(provider, [HOST])


@pytest.fixture(scope='module')
def kept(cluster: LiveCluster) -> Iterator[Callable[[], List[Agent]]]:
    """Yield what starts the agent, unless it is there."""
    with agents_kept(cluster, [HOST]) as ready:
        yield ready


@pytest.fixture
def agent(kept: Callable[[], List[Agent]]) -> Agent:
    """Return an agent that is ready."""
    (found,) = kept()
    return found


@contextlib.contextmanager
def s3_gateway(cluster: LiveCluster) -> Iterator[str]:
    """Have a gateway of an operator; yield the secret key of its user."""
    with steady_pools(cluster):
        url = cluster.verb('rgw', 'start').split()[-1]
    words = ['radosgw-admin', 'user', 'create', '--uid=op']
    keys = cluster.exec([*words, '--display-name=op']).stdout
    cluster.ceph(
        'perfcompare', 'gateways', 'set', GROUPS[0], '--endpoint', url,
        '-i', '-', fmt='', stdin=keys,
    )  # fmt: skip
    try:
        yield str(json.loads(keys)['keys'][0]['secret_key'])
    finally:
        cluster.ceph('perfcompare', 'gateways', 'rm', GROUPS[0], fmt='')
        cluster.verb('rgw', 'stop')


def begin(cluster: LiveCluster, agent: Agent, seconds: int) -> str:
    """Start a run on the load host; return when it measures there."""
    words = list(runs.SHORT)
    words[words.index('--duration') + 1] = str(seconds)
    run = runs.start(cluster, GROUPS[:1], *words, '--rounds', '1', *LOAD)
    runs.wait_state(cluster, run, ['trial'], 120)
    wait_for(agent.benches, 60, 'there is load on the load host')
    return run


def clean(cluster: LiveCluster, run: str, agent: Agent) -> None:
    """Say that nothing of a run is left, and the agent's key is."""
    entities = [e['entity'] for e in cluster.ceph('auth', 'ls')['auth_dump']]
    assert not [e for e in entities if run in e]
    assert f'client.perfcompare.agent.{HOST}' in entities
    pools = cluster.ceph('osd', 'pool', 'ls')
    assert not [p for p in pools if 'perfcompare' in p]
    files = cluster.exec(['find', agents.folder(cluster, HOST), '-type', 'f'])
    assert files.stdout.split() == []
    assert not processes.of_runs(cluster)
    assert not agent.loads()


def test_a_run_takes_its_load_from_a_load_host(
    cluster: LiveCluster, agent: Agent
) -> None:
    """The load is there, the result says so, and nothing is left."""
    run = begin(cluster, agent, 5)
    assert agents.elsewhere(agent) == []
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    assert ended['plan']['client_host'] == HOST
    found = runs.show(cluster, run)['trials']
    assert {t['state'] for t in found} == {'ok'}
    assert {t['manifest']['client_host'] for t in found} == {HOST}
    assert {t['manifest']['client_arch'] for t in found} == {'x86_64'}
    assert {tuple(t['manifest']['client_local_osds']) for t in found} == {()}
    assert all(t['summary']['ops'] > 0 for t in found)
    clean(cluster, run, agent)
    assert agents.state(cluster, HOST)['refused'] == 0


@pytest.mark.slow
def test_s3_load_comes_from_a_load_host(
    cluster: LiveCluster, agent: Agent
) -> None:
    """Its worker uses the operator's gateway; the keys are not to be seen."""
    with s3_gateway(cluster) as secret:
        run = runs.start(cluster, GROUPS[:1], *S3, *LOAD)
        wait_for(agent.loads, 300, 'a worker is on the load host')
        lines = [' '.join(w) for pid, w in processes.command_lines()
                 if pid in agent.loads()]  # fmt: skip
        assert lines
        ended = runs.ended(cluster, run)
        assert (ended['state'], ended['reason']) == ('completed', '')
        found = runs.show(cluster, run)['trials']
        clean(cluster, run, agent)
        buckets = cluster.exec(['radosgw-admin', 'bucket', 'list'])
    assert {t['state'] for t in found} == {'ok'}
    for trial in found:
        print(trial['summary'])
        assert trial['manifest']['client_host'] == HOST
        assert trial['summary']['ops'] > 0
        assert trial['summary']['errors'] == 0
    assert not any(secret in text for text in (*lines, agent.told()))
    assert run not in buckets.stdout
    assert agents.state(cluster, HOST)['refused'] == 0


def test_stop_now_reaches_the_load_host(
    cluster: LiveCluster, agent: Agent
) -> None:
    """Its load is gone about a second later."""
    run = begin(cluster, agent, 60)
    began = time.monotonic()
    cluster.ceph('perfcompare', 'stop', '--now')
    answered = time.monotonic() - began
    wait_for(lambda: not agent.loads(), 30, 'no load is left', step=0.05)
    print('stop answered %.2f s, load gone after %.2f s'
          % (answered, time.monotonic() - began))  # fmt: skip
    assert runs.ended(cluster, run)['state'] == 'cancelled'
    clean(cluster, run, agent)


@pytest.mark.slow  # of two hosts, one is lost in test_load_hosts_together
def test_a_killed_agent_takes_its_load_with_it_and_the_block_is_repeated(
    cluster: LiveCluster, agent: Agent
) -> None:
    """The next agent makes the trial anew; the cut one is void."""
    run = begin(cluster, agent, 20)
    agent.end()
    print('load gone after %.2f s' % agents.gone(LEASE + 15, agent))
    again = agents.start(cluster, HOST)
    try:
        ended = runs.ended(cluster, run)
        assert (ended['state'], ended['reason']) == ('completed', '')
        states = [t['state'] for t in runs.show(cluster, run)['trials']]
        assert 'void' in states and states.count('ok') >= 2
        clean(cluster, run, agent)
    finally:
        again.end()


@pytest.mark.slow
def test_a_frozen_agent_has_no_load_after_its_lease(
    cluster: LiveCluster, agent: Agent
) -> None:
    """Its load ends by itself, while the agent sleeps for 30 s."""
    run = begin(cluster, agent, 40)
    agent.signal(signal.SIGSTOP)
    began = time.monotonic()
    wait_for(lambda: not agent.loads(), LEASE + 15, 'no load is left')
    print('load gone after %.1f s' % (time.monotonic() - began))
    wait_for(lambda: time.monotonic() > began + 30, 40, '30 s are over')
    agent.signal(signal.SIGCONT)
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    states = [t['state'] for t in runs.show(cluster, run)['trials']]
    assert 'void' in states
    clean(cluster, run, agent)


@pytest.mark.slow
def test_a_key_that_is_removed_shuts_the_next_run_out(
    cluster: LiveCluster, agent: Agent
) -> None:
    """What is under way ends in order; what would begin is refused."""
    run = begin(cluster, agent, 8)
    entity = f'client.perfcompare.agent.{HOST}'
    cluster.ceph('auth', 'rm', entity, fmt='')
    ended = runs.ended(cluster, run)
    print(ended['state'], ended['reason'])
    assert not agent.loads()
    with pytest.raises(CommandFailed, match='has no key') as refused:
        runs.start(cluster, GROUPS, *runs.SHORT, *LOAD)
    assert refused.value.returncode == errno.EBUSY
    cluster.ceph('perfcompare', 'load-host', 'rm', HOST)
    agent.end()  # the next one has the key of then
    agents.add(cluster, HOST)


@pytest.mark.slow
def test_a_failover_ends_the_load_and_the_run_goes_on_there(
    cluster: LiveCluster, agent: Agent
) -> None:
    """The agent finds the next Manager, which makes the trial anew."""
    run = begin(cluster, agent, 20)
    name = cluster.mgr_kill()
    print('load gone after %.1f s' % agents.gone(LEASE + 15, agent))
    wait_answers(cluster)
    cluster.mgr_start(name)
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    hosts = {
        t['manifest']['client_host']
        for t in runs.show(cluster, run)['trials']
        if t['state'] == 'ok'
    }
    assert hosts == {HOST}
    clean(cluster, run, agent)


LIAR = """
import errno, json, rados, sys
host, entity, keyring = sys.argv[1:4]
conn = rados.Rados(name=entity, conffile='/etc/ceph/ceph.conf',
                   conf={'keyring': keyring})
conn.connect(timeout=10)
def say(text, prefix='perfcompare agent sync', **fields):
    command = json.dumps(dict(fields, prefix=prefix))
    code, out, told = conn.mgr_command(command, text)
    return code, told
found = {
    'bytes': say(b'\\x00\\xff' * 500, host=host),
    'garbage': say(b'{\"lines\": [1, \"' * 500, host=host),
    'huge': say(b'x' * (3 << 20), host=host),
    'deep': say(b'[' * 200000, host=host),
    'no_host': say(b'{}'),
    'other': say(b'{}', host='load-2'),
    'status': say(b'', 'perfcompare status'),
    'run': say(b'', 'perfcompare run', group=['x86', 'alt']),
    'program': say(json.dumps(dict(protocol=1, program='x' * 12, boot='0'*16,
                   epoch='', first=1, got=0)).encode(), host=host),
}
# who asks slowly is let in 5 times a second; as often as it takes, then
flood = found['flood'] = []
while flood.count(-errno.EAGAIN) <= 20 and len(flood) < 400:
    flood.append(say(b'{}', host=host)[0])
code, out, told = conn.mon_command(json.dumps(
    {'prefix': 'osd pool ls'}), b'')
found['mon'] = code, told
print(json.dumps(found))
"""


def test_a_lying_agent_gets_nowhere(
    cluster: LiveCluster, agent: Agent
) -> None:
    """Its key opens one command for one host, and what it says is checked."""
    entity = f'client.perfcompare.agent.{HOST}'
    before = agents.state(cluster, HOST)
    done = cluster.exec(
        ['python3', '-c', LIAR, HOST, entity, agents.keyring(HOST)]
    )
    assert done.returncode == 0, done.stderr
    found: Dict[str, Any] = json.loads(done.stdout)
    for what in ('garbage', 'huge', 'deep', 'program'):
        code, told = found[what]
        assert code == -errno.EINVAL, (what, code, told)
        assert told.strip().count('\n') == 0 and len(told) < 300, told
    assert found['bytes'][0] < 0  # refused by ceph-mgr itself
    for what in ('no_host', 'other', 'status', 'run', 'mon'):
        assert found[what][0] == -errno.EACCES, (what, found[what])
    assert found['flood'].count(-errno.EAGAIN) > 20
    wait_for(
        lambda: agents.state(cluster, HOST)['state'] == 'ready',
        30,
        'the honest agent is heard',
    )
    after = agents.state(cluster, HOST)
    # these, and the four that were malformed
    refused = after['refused'] - before['refused']
    assert refused >= len(found['flood']) + 4
    assert 'EIO' not in done.stdout


READER = """
import json, rados, sys
entity, keyring = sys.argv[1:3]
conn = rados.Rados(name=entity, conffile='/etc/ceph/ceph.conf',
                   conf={'keyring': keyring})
conn.connect(timeout=10)
asked = json.loads(sys.argv[3])
print(json.dumps({
    to: [[command['prefix'],
          getattr(conn, to)(json.dumps(command), b'')[0]]
         for command in commands]
    for to, commands in asked.items()
}))
"""

# what the manual names: commands of the service 'mon' that only read
READ = (
    'config dump', 'df', 'health', 'node ls', 'report', 'status', 'versions',
)  # fmt: skip
REFUSED: Dict[str, List[Dict[str, str]]] = {
    'mon_command': [
        {'prefix': 'osd dump'},
        {'prefix': 'osd tree'},
        {'prefix': 'mgr dump'},
        {'prefix': 'fs dump'},
        {'prefix': 'config-key ls'},
        {'prefix': 'config-key dump'},
        {'prefix': 'auth ls'},
        {'prefix': 'auth get', 'entity': 'client.admin'},
        # harmless, should they be allowed
        {'prefix': 'auth rm', 'entity': 'client.nobody'},
        {'prefix': 'config rm', 'who': 'client.nobody', 'name': 'log_file'},
    ],
    'mgr_command': [{'prefix': 'pg dump'}, {'prefix': 'perfcompare ls'}],
}


def test_the_key_of_an_agent_reads_what_the_manual_says(
    cluster: LiveCluster, agent: Agent
) -> None:
    """It reads the cluster's state and central configuration, no more."""
    asked = {k: list(v) for k, v in REFUSED.items()}
    asked['mon_command'] += [{'prefix': prefix} for prefix in READ]
    done = cluster.exec(
        [
            'python3', '-c', READER, f'client.perfcompare.agent.{HOST}',
            agents.keyring(HOST), json.dumps(asked),
        ]
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: Dict[str, List[Any]] = json.loads(done.stdout)
    for to, commands in REFUSED.items():
        codes = dict(found[to])
        for command in commands:
            code = codes[command['prefix']]
            assert code == -errno.EACCES, (command, code)
    codes = dict(found['mon_command'])
    assert {prefix: codes[prefix] for prefix in READ} == dict.fromkeys(
        READ, 0
    )


@pytest.mark.slow
def test_a_host_that_is_disabled_ends_its_load(
    cluster: LiveCluster, agent: Agent
) -> None:
    """The trial is void, and the host is refused until it is enabled."""
    run = begin(cluster, agent, 60)
    began = time.monotonic()
    cluster.ceph('perfcompare', 'load-host', 'disable', HOST)
    wait_for(lambda: not agent.loads(), 30, 'no load is left', step=0.05)
    print('load gone after %.1f s' % (time.monotonic() - began))
    ended = runs.ended(cluster, run)
    assert ended['state'] == 'failed'
    assert 'disabled' in ended['reason']
    cluster.ceph('perfcompare', 'load-host', 'enable', HOST)
    wait_for(
        lambda: agents.state(cluster, HOST)['state'] == 'ready',
        30,
        'it is heard again',
    )
    clean(cluster, run, agent)
