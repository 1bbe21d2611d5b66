"""Trials on RBD images against plain fio, and against its log of everything.

Each pair loads two sets of images in the same seconds, one by our worker and
one by fio as a person would call it; which has which set alternates. Then a
trial whose fio writes a line for every operation: what we say of percentiles
and of the rate is held against that log.
"""

from typing import List, Tuple

import argparse
import json

import rig

NAMES = ('p50', 'p90', 'p95', 'p99', 'p99.9', 'p99.99')
SHARES = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999)

# runs inside, where the module and its `fio` are
INSIDE = '''
import concurrent.futures, glob, json, math, os, subprocess, sys, tempfile
import time
sys.path.insert(0, '/usr/share/ceph/mgr')
from perfcompare.worker.wire import jobs, rbd_jobs
from perfcompare.worker.wire.protocol import Ready
from perfcompare.workers.process import ProcessLauncher

given = json.load(sys.stdin)
folder = tempfile.mkdtemp(dir='/tmp')
access = jobs.Access(os.environ['CEPH_CONF'], given['keyring'],
                     'client.admin', 'fidelity')
SETS = [[f'{side}{i}' for i in range(given['images'])] for side in 'ab']
SECONDS, DEPTH = given['seconds'], given['concurrency']
launcher = ProcessLauncher(folder)
number = 0

def work(cls, names, at_go=lambda: None, **more):
    global number
    number += 1
    worker = launcher.worker(f'{number:04d}')
    images = tuple(rbd_jobs.Image(n, given['image_size']) for n in names)
    worker.start(cls(access=access, concurrency=DEPTH, deadline=600.0,
                     images=images, data_pool=given['data_pool'], **more))
    while not worker.ended:
        for event in worker.poll():
            if isinstance(event, Ready):
                worker.go()
                at_go()
        worker.renew(15.0)
        time.sleep(0.1)
    found = worker.outcome()
    worker.kill()
    worker.discard()
    return found

def ours(op, names, **more):
    return work(rbd_jobs.RbdTrial, names, op=op, duration=SECONDS,
                warmup=4.0, read_size=given['size'],
                write_size=given['size'], **more)

def plain(op, names):
    conf = os.path.join(folder, 'plain.conf')
    with open(os.environ['CEPH_CONF']) as file:
        text = file.read()
    with open(conf, 'w') as file:
        file.write(text + '\\n[client.admin]\\nkeyring = ')
        file.write(given['keyring'] + '\\n')
    env = dict(os.environ, CEPH_CONF=conf)
    started = [
        subprocess.Popen(
            ['nice', '-n', str(jobs.NICE), 'fio', '--name=plain',
             '--ioengine=rbd', '--clientname=admin', '--pool=fidelity',
             f'--rbdname={name}', '--direct=1', f'--rw={op[4:]}',
             f"--bs={given['size']}", f'--iodepth={DEPTH // len(names)}',
             '--norandommap=1', '--time_based=1', '--ramp_time=4',
             f'--runtime={SECONDS:.0f}', '--output-format=json'],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        for name in names
    ]
    told = [p.communicate() for p in started]
    if any(p.returncode for p in started):
        sys.exit(f'fio: {told}')
    done = [json.loads(out)['jobs'][0] for out, _ in told]
    return sum(j['read']['iops'] + j['write']['iops'] for j in done)

def logged(op):
    """Hold a trial against a log of each of its operations."""
    logs = tempfile.mkdtemp(dir=folder)
    fio = os.path.join(logs, 'fio')
    with open(fio, 'w') as file:
        file.write(f"""#!/bin/bash
f="${{@: -1}}"
[ -f "$f" ] && echo "write_lat_log={logs}/${{f%.fio}}" >>"$f"
exec /usr/bin/fio "$@"
""")
    os.chmod(fio, 0o755)
    found = ours(op, SETS[0], fio=fio)
    low, high = found.evidence['window'][0]
    waits, inside = [], 0
    for path in glob.glob(f'{logs}/*_lat.*.log'):
        with open(path) as file:
            for line in file:
                at, wait = line.split(',')[:2]
                waits.append(int(wait))
                inside += low <= int(at) / 1e3 < high
    waits.sort()
    truth = {
        name: waits[max(1, math.ceil(share * len(waits) - 1e-9)) - 1] / 1e9
        for name, share in zip(given['names'], given['shares'])
    }
    stated = found.summary.percentiles
    return {
        'op': op, 'ops': len(waits),
        'rate': found.summary.ops_per_s / (inside / (high - low)),
        'percentiles': {n: v / truth[n] for n, v in stated.items()},
    }

for names in SETS:
    work(rbd_jobs.RbdPrefill, names)
for op in given['ops']:
    for pair in range(given['pairs']):
        mine, other = SETS[pair % 2], SETS[1 - pair % 2]
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            theirs = []  # begins with ours, so that both share all seconds
            rate = ours(op, mine, at_go=lambda: theirs.append(
                pool.submit(plain, op, other))).summary.ops_per_s
        print(json.dumps({'op': op, 'ours': rate,
                          'plain': theirs[0].result()}), flush=True)
    print(json.dumps(logged(op)), flush=True)
'''


def main() -> None:
    """Measure on a native cluster and print ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=12)
    parser.add_argument('--seconds', type=float, default=15.0)
    parser.add_argument('--size', type=int, default=4096)
    parser.add_argument('--concurrency', type=int, default=8)
    parser.add_argument('--images', type=int, default=2)
    parser.add_argument('--erasure', action='store_true', help='data in EC')
    options = parser.parse_args()
    ops = ['rbd-randread', 'rbd-randwrite', 'rbd-read', 'rbd-write']
    with rig.native_cluster() as cluster:
        pools: List[Tuple[str, Tuple[str, ...]]] = [
            ('fidelity', ('replicated', '--size', '2'))
        ]
        if options.erasure:
            profile = ('erasure-code-profile', 'set', 'ec', 'k=2', 'm=1')
            failure = 'crush-failure-domain=osd'
            cluster.ceph('osd', *profile, failure, fmt='')
            pools.append(('coded', ('erasure', 'ec')))
        for name, words in pools:
            cluster.ceph(
                'osd', 'pool', 'create', name, '32', '32', *words, fmt=''
            )
            cluster.ceph(
                'osd', 'pool', 'application', 'enable', name, 'rbd', fmt=''
            )
        if options.erasure:
            overwrites = ('allow_ec_overwrites', 'true')
            cluster.ceph('osd', 'pool', 'set', 'coded', *overwrites, fmt='')
        cluster.wait_clean()
        given = dict(
            vars(options),
            keyring=str(cluster.dir / 'keyring'),
            image_size=128 << 20,
            data_pool='coded' if options.erasure else '',
            ops=ops,
            names=NAMES,
            shares=SHARES,
        )
        done = cluster.exec(
            ['python3', '-c', INSIDE],
            stdin=json.dumps(given),
            timeout=300
            + 2 * len(ops) * (options.pairs + 1) * (options.seconds + 30),
        )
        if done.returncode:
            raise SystemExit(done.stderr)
    print(rig.load())
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for op in ops:
        found = [
            (r['ours'], r['plain'])
            for r in rows
            if r['op'] == op and 'ours' in r
        ]
        print(f'{op}: ours/plain {rig.ratio(found)}')
        for row in rows:
            if row['op'] == op and 'percentiles' in row:
                told = ', '.join(
                    f'{name} {ratio:.4f}'
                    for name, ratio in row['percentiles'].items()
                )
                print(
                    f'{op}: said/logged of {row["ops"]} operations: op/s '
                    f'{row["rate"]:.4f}, {told}'
                )


if __name__ == '__main__':
    main()
