"""The module in a real ceph-mgr on maps of up to 10,000 OSDs.

    python qa/bench/scale [--sizes 100 1000 10000] [--dir DIR] [--keep]
        [--without cpu trial] [--prefer]

Measured for each size, in a mini cluster whose other OSDs are phantoms (known
to the map, never up): how long each command holds the thread of commands and
each REST call a thread of the dashboard, how long their answers take, what is
asked of the mgr, memory, and CPU: of an idle mgr with and without the module,
of the observer's thread while maps come, of the module's threads in a trial
(the mgr itself is busy with phantoms, whose facts it asks of the mons at each
map). `stop --now` is given while readers ask for all that is long. The store
has a run of 4,400 trials.

What phantoms cannot report is fed at real size (probe.py): that they are up,
facts, statistics and addresses of OSDs, and sums of PGs by OSD. Beside each
latency stands how late the machine itself woke a sleeper meanwhile, and what
kept all Python of the mgr waiting longest (holds.py), whoever did. With
--prefer the mgr goes before all else on the machine: on one that others use as
well, this shows how long things take where a Manager has its processors.

Bounds: 200 ms in a thread, 1 % of a core idle and at one epoch a second, 2 %
in a trial, 100 MB. The results are kept in results/scale.json.
"""

from typing import Any, Dict, List, Sequence, Tuple

import argparse
import errno
import json
import pathlib
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import phantoms  # noqa: E402
import rest  # noqa: E402
import rig  # noqa: E402
from judged import figures, report, row  # noqa: E402
from machine import (  # noqa: E402
    Lateness,
    by_thread,
    lateness,
    load_of,
    memory,
    prefer,
)
from mgr_cpu import share  # noqa: E402

from cluster import admin, state  # noqa: E402
from integration.readers import Readers  # noqa: E402

RESULTS = HERE.parent / 'results' / 'scale.json'
RUN = '5ca1e000'
SIZES = (100, 1000, 10000)
TIMES = 3  # that each command is given
LONGEST = 120.0  # seconds until an answer is there
SETTLE = 60.0  # seconds after the mgr began anew
SPAN = 30.0  # seconds over which CPU is measured
SAMPLES = 5  # of them, of an idle mgr
# seconds of maps before the observer's CPU is measured: it may spend what it
# saved up (a second, once), and after that a share
CREDIT = 60.0
PREFIX = 'perfcompare '
OBSERVER = 'perfcompare-rec'  # its thread, as the kernel has it
AGAIN = 'the same command again'

COMMANDS: Sequence[Tuple[str, Dict[str, Any]]] = (
    ('status', {}),
    ('group ls', {}),
    ('group show', {'group': 'big'}),
    ('group detect', {}),
    ('gateways ls', {}),
    ('profile ls', {}),
    ('profile show', {'profile': 'quick'}),
    ('exporter ls', {}),
    ('ls', {}),
    ('show', {'run': RUN}),
    ('show', {'run': RUN, 'findings': True}),
    ('show', {'run': RUN, 'osds': True}),
    ('show', {'run': RUN, 'hosts': True}),
    ('export', {'run': RUN}),
    ('compare', {'baseline': 'x86', 'candidate': 'arm', 'run': [RUN]}),
    ('preflight', {'group': ['big', 'huge']}),
    ('preflight', {'group': ['x86', 'alt']}),
    ('run', {'group': ['x86', 'alt'], 'dry_run': True}),
    ('run', {'group': ['big', 'huge'], 'dry_run': True}),
    (
        'recovery run',
        {'group': ['x86'], 'scenario': 'backfill', 'dry_run': True},
    ),
    ('recovery ls', {}),
    ('doctor', {}),
    ('cleanup', {}),
    ('stop', {'now': True}),
    ('cancel', {'run': RUN}),
)


class Rig:
    """Ask a cluster, its mgr and its module over one connection."""

    def __init__(self, cluster: rig.MiniCluster, size: int) -> None:
        self.cluster = cluster
        self.size = size
        self.agent = admin.Admin(state.Cluster(pathlib.Path(cluster.dir)))

    def probe(self, ask: str) -> Any:
        """Run the probe in the mgr; return what it prints."""
        source = ''.join(
            (HERE / name).read_text(encoding='utf-8')
            for name in ('holds.py', 'probe.py')
        )
        source = source.replace('{ask}', ask)
        source = source.replace('{size}', str(self.size))
        text = self.agent.mgr('mgr self-test eval', s=f'exec({source!r})')
        try:
            return json.loads(text)
        except ValueError:
            raise SystemExit(f'probe {ask}: {text}') from None

    def command(self, prefix: str, args: Dict[str, Any]) -> Tuple[int, float]:
        """Give a command until it is answered; return code and seconds."""
        code, took, _ = self.answer(prefix, args)
        return code, took

    def answer(
        self, prefix: str, args: Dict[str, Any]
    ) -> Tuple[int, float, str]:
        """Give a command; return its code, seconds and what it refuses."""
        began = time.monotonic()
        while True:
            [found] = self.agent.ask(
                [admin.Request('mgr', dict(args, prefix=PREFIX + prefix))]
            )
            took = time.monotonic() - began
            pending = AGAIN in found['err'] and took < LONGEST
            if found['rc'] != -errno.EAGAIN or not pending:
                return int(found['rc']), took, str(found['err'])
            time.sleep(0.1)

    def epochs(self, seconds: float) -> int:
        """Make a map each second that moves no data; return how many came."""
        until = time.monotonic() + seconds
        flag = 0.0
        first = self.agent.json('osd stat')['epoch']
        while time.monotonic() < until:
            began = time.monotonic()
            flag = 1.0 - flag
            self.agent.mon(
                'osd primary-affinity', id=self.size - 1, weight=flag
            )
            time.sleep(max(0.0, began + 1.0 - time.monotonic()))
        return int(self.agent.json('osd stat')['epoch'] - first)


def named(prefix: str, args: Dict[str, Any]) -> str:
    """Return how a row is called."""
    flags = [f'--{n}' for n, v in args.items() if v is True]
    groups = args.get('group', ())
    own = [] if isinstance(groups, str) else list(groups)
    return ' '.join([prefix, *own, *flags]).replace('_', '-')


def latencies(found: Rig) -> Dict[str, Any]:
    """Give each command several times; what is first is cold."""
    rows: Dict[str, Any] = {}
    for prefix, args in COMMANDS:
        name = named(prefix, args)
        took, held, calls, code = [], [], {}, 0
        error, late, holds = '', [], []
        for turn in range(TIMES):
            with Lateness() as lateness:
                code, seconds, error = found.answer(prefix, args)
            took.append(seconds)
            late.append(lateness.most)
            log = found.probe('log')
            held += [s for p, s in log['commands'] if p == PREFIX + prefix]
            holds += log['holds']
            if not turn:
                calls = log['get']
        rows[name] = {
            'code': code,
            'held': figures(held),
            'answer': figures(took),
            'get': calls,
            'late': round(1e3 * max(late), 1),
            'holds': rest.longest(holds),
            'rss': found.probe('usage')['rss'],
            'error': error[:200],
        }
        print(row(name, rows[name]), flush=True)
    return rows


def trial(found: Rig, pid: int) -> Dict[str, Any]:
    """Measure a trial of real OSDs, and its end among readers."""
    args = dict(
        group=['x86', 'alt'], workload=['rand'], size=['4K'],
        concurrency=['4'], duration=90.0, rounds=1, allow_local_client=True,
        yes_i_really_mean_it=True,
    )  # fmt: skip
    code, _ = found.command('run', args)
    if code:
        raise SystemExit(f'no run: {code}')
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        text = found.agent.mgr(PREFIX + 'status', format='json')
        progress = json.loads(text)['progress'] or {}
        if progress.get('state') == 'trial' and progress.get('ops_per_s'):
            break
        time.sleep(1)
    else:
        raise SystemExit('the run came to no trial; see its reason')
    run = progress['run']
    before, began = by_thread(pid), time.monotonic()
    time.sleep(SPAN)
    span = time.monotonic() - began
    after = by_thread(pid)
    busy = {
        name: (seconds - before.get(name, 0.0)) / span
        for name, seconds in after.items()
        if name.startswith('perfcompare')
    }
    directory = pathlib.Path(found.cluster.dir)
    with Readers(directory, long_ones()) as readers:
        time.sleep(5)
        began = time.monotonic()
        found.agent.mgr(PREFIX + 'stop', now=True)
        answered = time.monotonic() - began
        while load_of(run):
            time.sleep(0.02)
        ended = time.monotonic() - began
    while json.loads(found.agent.mgr(PREFIX + 'status', format='json'))[
        'progress'
    ]:
        time.sleep(1)
    return {
        'trial': sum(busy.values()),
        'trial_threads': busy,
        'stop': {
            'answered': round(1e3 * answered, 1),
            'load_ended': round(1e3 * ended, 1),
            'readers_answered': len(readers.codes),
        },
    }


def processor(cluster: rig.MiniCluster, size: int) -> Dict[str, Any]:
    """Measure the CPU of the mgr, with and without the module."""
    enable(cluster, 'disable', 'perfcompare')
    time.sleep(SETTLE)
    pid = cluster.pid('mgr.x') or 0
    result: Dict[str, Any] = {'bare': memory(pid)}
    alone = [share(pid, SPAN) for _ in range(SAMPLES)]
    result['idle_without'] = statistics.median(alone)
    result['idle_samples_without'] = alone
    rig.enable(cluster)
    time.sleep(SETTLE)
    pid = cluster.pid('mgr.x') or 0
    before, began = by_thread(pid), time.monotonic()
    both = [share(pid, SPAN) for _ in range(SAMPLES)]
    after, span = by_thread(pid), time.monotonic() - began
    result['idle'] = statistics.median(both)
    result['idle_samples'] = both
    result['idle_threads'] = {
        name: (seconds - before.get(name, 0.0)) / span
        for name, seconds in after.items()
        if name.startswith('perfcompare')
    }
    found = Rig(cluster, size)
    found.epochs(CREDIT)
    began, threads = time.monotonic(), by_thread(pid)
    result['epochs'] = found.epochs(SPAN) / SPAN
    result['observer'] = (
        by_thread(pid).get(OBSERVER, 0.0) - threads.get(OBSERVER, 0.0)
    ) / (time.monotonic() - began)
    result['enabled'] = memory(pid)
    found.agent.close()
    return result


def answers(
    cluster: rig.MiniCluster, size: int, load: bool
) -> Dict[str, Any]:
    """Measure commands and REST calls, and a trial where it is wanted."""
    found = Rig(cluster, size)
    for kind in phantoms.CLASSES:
        found.command('group set', {'group': kind, 'device_class': kind})
    found.command('rm', {'run': RUN})
    print('trials stored:', found.probe('store'), flush=True)
    found.probe('install')
    found.epochs(1.0)  # the module keeps a map that was read: before this
    # what this benchmark itself holds in the mgr is not the module's
    result: Dict[str, Any] = {'fed': memory(cluster.pid('mgr.x') or 0)}
    if load:
        result.update(trial(found, cluster.pid('mgr.x') or 0))
    result['commands'] = latencies(found)
    result['heard'] = heard(found)
    result['rest'] = rest.measure(cluster, found.probe, TIMES, lateness)
    result['after'] = memory(cluster.pid('mgr.x') or 0)
    result['load'] = rig.load()
    found.agent.close()
    return result


def heard(found: Rig) -> Dict[str, float]:
    """Return how late `stop` is answered while others ask for much."""
    late = []
    with Readers(pathlib.Path(found.cluster.dir), long_ones()):
        time.sleep(3)
        for _ in range(20):
            late.append(found.command('stop', {'now': True})[1])
    found.probe('log')
    return figures(late)


def long_ones() -> List[Tuple[str, Dict[str, Any]]]:
    """Return the commands that take longest."""
    names = ('show', 'compare', 'preflight', 'export')
    return [(p, a) for p, a in COMMANDS if p in names]


def enable(cluster: rig.MiniCluster, verb: str, module: str) -> None:
    """Enable or disable a module: the mgr begins anew; wait for it."""
    cluster.exec(['ceph', 'mgr', 'module', verb, module])
    time.sleep(5)
    cluster.wait_active_mgr()


def keep(results: Dict[str, Any], size: int, found: Dict[str, Any]) -> None:
    """Write what was measured; what was not this time stays as it was."""
    results.setdefault(str(size), {}).update(found)
    text = json.dumps(results, indent=1) + '\n'
    RESULTS.write_text(text, encoding='utf-8')


def main() -> int:
    """Measure the sizes that are asked for, and judge all that is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--sizes', type=int, nargs='+', default=list(SIZES))
    parser.add_argument('--dir', help='a cluster that is up, as of --keep')
    parser.add_argument('--keep', action='store_true')
    parser.add_argument(
        '--prefer', action='store_true', help='the mgr, to all else here'
    )
    parser.add_argument(
        '--without', nargs='+', choices=('cpu', 'trial'), default=[],
    )  # fmt: skip
    options = parser.parse_args()
    results = {}
    if RESULTS.exists():
        results = json.loads(RESULTS.read_text(encoding='utf-8'))
    cluster = rig.native_cluster('--dashboard')
    if options.dir:
        cluster = rig.MiniCluster(options.dir, arm=False)
    else:
        cluster.up()
    try:
        for size in sorted(options.sizes):
            print(f'growing to {size} OSDs; {rig.load()}', flush=True)
            phantoms.grow(cluster, size)
            enable(cluster, 'enable', 'selftest')
            result: Dict[str, Any] = {'osds': size}
            if 'cpu' not in options.without:
                result.update(processor(cluster, size))
                keep(results, size, result)
            rig.enable(cluster)
            result['preferred'] = options.prefer
            if options.prefer:
                prefer(cluster.pid('mgr.x') or 0)
            load = 'trial' not in options.without
            result.update(answers(cluster, size, load))
            keep(results, size, result)
    finally:
        if not options.keep and not options.dir:
            cluster.down()
    over = report(results)
    print('\nover the bound:', *(over or ['nothing']), sep='\n  ')
    return 1 if over else 0


if __name__ == '__main__':
    sys.exit(main())
