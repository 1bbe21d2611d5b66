"""Whether several load hosts are one client, and what they can do more.

Load hosts are networks of their own on this machine. The same load, with as
much in flight, comes from one, two and three of them in turn:

* `--held`: mClock holds the group to a known rate. How many hosts there are
  may change neither operations per second nor percentiles.
* `--quota CORES`: each host has so little CPU that one client is the limit.
  Two hosts should do 1.8 times as much or more, and `client` is named for
  one alone.

Percentiles of RADOS are those of the probe, of which a group that is held
does few; those of RBD and S3 are of all operations.

    python3 qa/bench/one_client.py --held --turns 2
    python3 qa/bench/one_client.py --held --op rbd-randwrite --op rbd-randread
    python3 qa/bench/one_client.py --held --op s3-put --op s3-get
    python3 qa/bench/one_client.py --quota 0.15
"""

from typing import Any, Dict, Iterator, List, Tuple

import argparse
import contextlib
import pathlib
import tempfile

import rig
from control import osds as processes
from nights import osds
from scale.machine import prefer

from integration import agents, mclock
from integration.live import LiveCluster
from integration.steady import steady_pools

GROUP = 'x86'
HOSTS = ('load-1', 'load-2', 'load-3')
RBD, S3 = 'rbd', 's3'  # what names of their operations begin with
CAPACITY = 200  # operations a second of an OSD that is held
CGROUPS = pathlib.Path('/sys/fs/cgroup')
PERIOD = 100_000  # µs of a CPU quota

Figures = Dict[Tuple[int, str, int, int], Dict[str, Any]]


def words(options: argparse.Namespace) -> List[str]:
    """Return the run that is made with each number of hosts."""
    found = ['--group', GROUP, '--profile', 'smoke', '--size', '4K']
    for op in options.op:
        found += ['--workload', op]
    found += ['--concurrency', str(options.concurrency)]
    found += ['--rounds', str(options.rounds)]
    # as many processes, however many hosts they are on
    kinds = {op.partition('-')[0] for op in options.op}
    if RBD in kinds:
        found += ['--images', '6']
    elif S3 in kinds:
        found += ['--gateway-source', 'existing']
    else:
        found += ['--clients', '6']
    found += ['--duration', str(options.seconds)]
    return [*found, '--allow-local-client', '--yes-i-really-mean-it']


def gateways(cluster: LiveCluster) -> None:
    """Give the group two gateways, which are an operator's."""
    with steady_pools(cluster):
        urls = [cluster.verb('rgw', 'start', n).split()[-1] for n in 'ab']
    words = ['radosgw-admin', 'user', 'create', '--uid=one']
    keys = cluster.exec([*words, '--display-name=one']).stdout
    cluster.ceph(
        'perfcompare', 'gateways', 'set', GROUP, '--endpoint',
        ','.join(urls), '-i', '-', fmt='', stdin=keys,
    )  # fmt: skip


@contextlib.contextmanager
def quota(agent: agents.Agent, cores: float) -> Iterator[None]:
    """Hold an agent with all its load to a share of a core."""
    name = f'perfcompare-{agent.host}-{agent.process.pid}'
    first = CGROUPS / 'cpu'  # of version 1
    folder = (first if first.is_dir() else CGROUPS) / name
    folder.mkdir()
    most = int(cores * PERIOD)
    try:
        if first.is_dir():
            (folder / 'cpu.cfs_period_us').write_text(str(PERIOD))
            (folder / 'cpu.cfs_quota_us').write_text(str(most))
        else:
            (folder / 'cpu.max').write_text(f'{most} {PERIOD}')
        (folder / 'cgroup.procs').write_text(str(agent.process.pid))
        yield
    finally:
        agent.end()
        folder.rmdir()


def measured(cluster: LiveCluster, options: argparse.Namespace) -> Figures:
    """Return summaries by number of hosts, workload, turn and round."""
    found: Figures = {}
    for turn in range(options.turns):
        order = range(1, options.hosts + 1)
        for number in order if turn % 2 == 0 else reversed(order):
            hosts = ','.join(HOSTS[:number])
            told = rig.execute(
                cluster, *words(options), '--load-hosts', hosts
            )
            for trial in told['trials']:
                if trial['round'] and trial['state'] == 'ok':
                    key = number, trial['workload'], turn, trial['round']
                    found[key] = trial
            print(f'{number} hosts, turn {turn + 1}:', rig.load(), flush=True)
    return found


def report(found: Figures) -> None:
    """Print each number of hosts, and its ratio to one host."""
    numbers = sorted({key[0] for key in found})
    for name in sorted({key[1] for key in found}):
        for number in numbers:
            rows = {
                key[2:]: trial
                for key, trial in found.items()
                if key[:2] == (number, name)
            }
            alone = {
                key[2:]: trial
                for key, trial in found.items()
                if key[:2] == (1, name)
            }
            rates = [t['summary']['ops_per_s'] for t in rows.values()]
            print(f'{name}, {number} hosts:', rig.spread(rates, 'op/s'))
            limits = [
                t
                for t in rows.values()
                if t['evidence'].get('findings', {}).get('limit') == 'client'
            ]
            print(f'  client named in {len(limits)} of {len(rows)} trials')
            if number == 1:
                continue
            for what in ('ops_per_s', 'p50', 'p95'):
                pairs = [
                    (figure(rows[key], what), figure(alone[key], what))
                    for key in sorted(rows.keys() & alone.keys())
                ]
                known = [(a, b) for a, b in pairs if a and b]
                if known:
                    print(f'  {what} to one host:', rig.ratio(known))


def figure(trial: Dict[str, Any], what: str) -> float:
    """Return a figure of a trial; 0 where it has none."""
    summary = trial['summary']
    found = summary.get(what) or summary['percentiles'].get(what)
    return float(found or 0.0)


def main() -> None:
    """Bring a cluster up, and measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--held', action='store_true')
    parser.add_argument('--quota', type=float, default=0.0)
    parser.add_argument('--hosts', type=int, default=len(HOSTS))
    parser.add_argument('--turns', type=int, default=2)
    parser.add_argument('--rounds', type=int, default=6)
    parser.add_argument('--seconds', type=float, default=6.0)
    parser.add_argument('--concurrency', type=int, default=24)
    parser.add_argument('--op', action='append')
    options = parser.parse_args()
    options.op = options.op or ['write', 'rand']
    placed = ['--hosts', 'x86-1:x86', 'x86-2:x86']
    placed += [f'{host}:spare' for host in HOSTS[: options.hosts]]
    with tempfile.TemporaryDirectory(prefix='pc-', dir='/var/tmp') as folder:
        place = pathlib.Path(folder) / 'cluster'
        with LiveCluster(place, options=[*placed, '--net', 'ns']) as cluster:
            rig.enable(cluster)
            for pid in processes(cluster):
                prefer(pid)
            cluster.ceph(
                'perfcompare', 'group', 'set', GROUP, '--hosts', 'x86-1,x86-2'
            )
            if any(op.startswith(S3) for op in options.op):
                gateways(cluster)
            agents.install(cluster)
            with contextlib.ExitStack() as held:
                if options.held:
                    group = osds(cluster, GROUP)
                    held.enter_context(
                        mclock.limited(cluster, group, CAPACITY)
                    )
                for host in HOSTS[: options.hosts]:
                    agents.add(cluster, host)
                    agent = agents.start(cluster, host)
                    if options.quota:
                        held.enter_context(quota(agent, options.quota))
                    else:
                        held.callback(agent.end)
                report(measured(cluster, options))


if __name__ == '__main__':
    main()
