"""Turn an exported run into one of S3: the same trials, as S3 records them.

A run through gateways takes minutes, which a look at its page is not worth.
Usage: s3_run.py <id> <exported >changed
"""

import json
import pathlib
import sys

PLUGIN = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PLUGIN.parent / 'src' / 'pybind' / 'mgr'))

from perfcompare.store import export_file as exportfile  # noqa: E402
from perfcompare.store.archive import FORMAT  # noqa: E402

WAS, NOW = 'write-4K-c16', 's3-mixed-4K-c16'
SHARES = {'put': 0.35, 'get': 0.45, 'stat': 0.15, 'delete': 0.05}


def latencies(seconds):
    """Return percentiles that spread out from a mean."""
    names = ('p50', 'p90', 'p95', 'p99', 'p99.9')
    return {p: seconds * f for p, f in zip(names, (0.9, 1.5, 2, 4, 9))}


def client_of(summary, group):
    """Return what clients of a trial's rates would have recorded."""
    operations = {}
    for op, share in SHARES.items():
        latency = summary['latency_avg'] * (1.5 - share)
        operations[op] = {
            'ops': 20000,
            'ops_per_s': summary['ops_per_s'] * share,
            'bytes_per_s': (
                summary['bytes_per_s'] * share if op in ('put', 'get') else 0
            ),
            'latency_avg': latency,
            'latency_max': 20 * latency,
            'percentiles': latencies(latency),
        }
    get = operations['get']
    get['first_byte'] = latencies(0.8 * get['latency_avg'])
    return {
        'tool': 's3',
        'operations': operations,
        'errors': {'put 503 SlowDown': 3},
        'endpoints': [
            {
                'url': f'http://{group}-{number}.example.com:8000',
                'ops': 10000 * number,
                'errors': 2 - number,
                'latency_avg': summary['latency_avg'],
                'percentiles': latencies(summary['latency_avg']),
            }
            for number in (1, 2)
        ],
    }


def main():
    """Change the run on standard input."""
    text = sys.stdin.read().replace(f'"{WAS}"', f'"{NOW}"')
    data = json.loads(text)
    content = data['content']
    run = content['run']
    run['id'] = run['plan']['run'] = sys.argv[1]
    for workload in run['plan']['profile']['workloads']:
        if workload['name'] == NOW:
            workload.update(op='s3-mixed', tool='s3', cache=None)
    for trial in content['trials']:
        if trial['workload'] == NOW and trial['summary']:
            trial['summary']['errors'] = 3
            trial['evidence']['client'] = client_of(
                trial['summary'], trial['group']
            )
    sys.stdout.write(exportfile.dump(FORMAT, content, fsid=data['fsid']))


if __name__ == '__main__':
    main()
