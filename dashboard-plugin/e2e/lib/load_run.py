"""Turn an exported run into another one: of other load, or undecided.

A run through gateways or of images takes minutes, which a look at its page
is not worth: the same trials, as that load records them. Its second group
has other drives, and too few operations for a percentile that the first one
has. In an undecided run the groups change places in one round of three, on a
quiet machine; that of hosts has its load from two of them. A run of a
curve becomes one over offered load (rates), where the second group falls
behind at the last point.

Usage: load_run.py s3|rbd|undecided|hosts|rates <id> <exported >changed
"""

import json
import pathlib
import sys

PLUGIN = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PLUGIN.parent / 'src' / 'pybind' / 'mgr'))

from perfcompare.store import export_file as exportfile  # noqa: E402
from perfcompare.store.archive import FORMAT  # noqa: E402
from perfcompare.store.rows import digest  # noqa: E402

WAS = 'write-4K-c16'
OPS = {'s3': 's3-mixed', 'rbd': 'rbd-randrw'}
TOOLS = {'s3': 's3', 'rbd': 'fio'}
SHARES = {
    's3': {'put': 0.35, 'get': 0.45, 'stat': 0.15, 'delete': 0.05},
    'rbd': {'read': 0.7, 'write': 0.3},
}
NO_BYTES = ('stat', 'delete')
SLOW = 'arm'
RATES = (50, 100, 200, 400)  # per second
OPERATIONS = {True: 5000, False: 20000}  # p99.9 needs 10,000


def latencies(seconds):
    """Return percentiles that spread out from a mean."""
    names = ('p50', 'p90', 'p95', 'p99', 'p99.9')
    return {p: seconds * f for p, f in zip(names, (0.9, 1.5, 2, 4, 9))}


def operations_of(load, summary):
    """Return what each operation had of a trial's rates."""
    operations = {}
    for op, share in SHARES[load].items():
        latency = summary['latency_avg'] * (1.5 - share)
        moved = 0 if op in NO_BYTES else summary['bytes_per_s'] * share
        operations[op] = {
            'ops': 20000,
            'ops_per_s': summary['ops_per_s'] * share,
            'bytes_per_s': moved,
            'latency_avg': latency,
            'latency_max': 20 * latency,
            'percentiles': latencies(latency),
        }
    return operations


def client_of(load, summary, group):
    """Return what clients of a trial's rates would have recorded."""
    client = {
        'tool': TOOLS[load],
        'operations': operations_of(load, summary),
        'errors': {},
    }
    if load == 's3':
        get = client['operations']['get']
        get['first_byte'] = latencies(0.8 * get['latency_avg'])
        client['errors'] = {'put 503 SlowDown': 3}
        client['endpoints'] = [
            {
                'url': f'http://{group}-{number}.example.com:8000',
                'ops': 10000 * number,
                'errors': 2 - number,
                'latency_avg': summary['latency_avg'],
                'percentiles': latencies(summary['latency_avg']),
            }
            for number in (1, 2)
        ]
    return client


def with_other_drives(content):
    """Give the second group flash, where the first has what it has."""
    for trial in content['trials']:
        if trial['group'] == SLOW and trial['manifest']:
            manifest = content['manifests'][trial['manifest']]
            manifest = {**manifest, 'drives': ['ssd'], 'rotational': [False]}
            trial['manifest'] = digest(manifest)
            content['manifests'][trial['manifest']] = manifest


def quiet(trial):
    """Let the machine have been quiet, however busy it was."""
    summary = trial['summary']
    summary.update(host_busy=0.3, client_thread_cores=0.1)
    summary['windows'] = [summary['ops_per_s']] * len(summary['windows'])
    trial['evidence'].get('client', {}).pop('run_queue', None)


def undecided(content):
    """Give each group what the other one did in the second round."""
    found = {
        (trial['workload'], trial['group']): trial['summary']
        for trial in content['trials']
        if trial['round'] == 2 and trial['state'] == 'ok'
    }
    groups = sorted({group for _, group in found})
    other = dict(zip(groups, reversed(groups)))
    for trial in content['trials']:
        if trial['round'] == 2 and trial['state'] == 'ok':
            key = trial['workload'], other[trial['group']]
            trial['summary'] = found[key]
        if trial['summary']:
            quiet(trial)


def from_hosts(content):
    """Give each trial two load hosts, of which one had errors."""
    for trial in content['trials']:
        if trial['summary']:
            client = trial['evidence'].setdefault('client', {})
            client['hosts'] = [
                {
                    'host': f'load-{number}',
                    'share': share,
                    'part': 0.5,
                    'ops_per_s': share * trial['summary']['ops_per_s'],
                    'busy': 0.25,
                    'cores': 0.5,
                    'late': 0.1,
                    'clock_ahead': -0.002,
                    'clock_bound': 0.0004,
                    'errors': number - 1,
                }
                for number, share in ((1, 0.6), (2, 0.4))
            ]


def over_rates(content):
    """Offer rates where the curve had operations in flight."""
    run = content['run']
    points = run['plan']['profile']['workloads']
    most = points[-1]['name'], points[-1]['concurrency']
    named = {}
    for workload, rate in zip(points, RATES):
        named[workload['name']] = f'{most[0]}-rate{rate}', rate
        workload['name'] = named[workload['name']][0]
        workload['concurrency'] = most[1]
        workload['rbd'] = {**(workload['rbd'] or {}), 'rate': float(rate)}
    run['plan']['options'].update(
        curve=','.join(f'{rate}/s' for rate in RATES), slo='p95=1s'
    )
    for block in run['plan']['blocks']:
        block['workload'] = named[block['workload']][0]
    for trial in content['trials']:
        trial['workload'], rate = named[trial['workload']]
        if trial['summary']:
            last = trial['group'] == SLOW and rate == RATES[-1]
            trial['summary']['ops_per_s'] = rate * (0.6 if last else 1.0)


def as_load(content, load, name):
    """Give the trials of a workload what that load records."""
    for workload in content['run']['plan']['profile']['workloads']:
        if workload['name'] == name:
            workload.update(op=OPS[load], tool=TOOLS[load], cache=None)
    for trial in content['trials']:
        if trial['workload'] == name and trial['summary']:
            summary = trial['summary']
            client = client_of(load, summary, trial['group'])
            summary['errors'] = sum(client['errors'].values())
            summary['ops'] = OPERATIONS[trial['group'] == SLOW]
            summary['percentiles'] = latencies(summary['latency_avg'])
            trial['evidence']['client'] = client
    with_other_drives(content)


CHANGES = {'undecided': undecided, 'hosts': from_hosts, 'rates': over_rates}


def main():
    """Change the run on standard input."""
    kind, ident = sys.argv[1:]
    text = sys.stdin.read()
    name = f'{OPS[kind]}-4K-c16' if kind in OPS else WAS
    data = json.loads(text.replace(f'"{WAS}"', f'"{name}"'))
    content = data['content']
    run = content['run']
    run['id'] = run['plan']['run'] = ident
    if kind in OPS:
        as_load(content, kind, name)
    else:
        CHANGES[kind](content)
    sys.stdout.write(exportfile.dump(FORMAT, content, fsid=data['fsid']))


if __name__ == '__main__':
    main()
