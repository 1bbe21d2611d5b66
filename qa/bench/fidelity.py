"""Throughput of our trials against plain `rados bench`, in pairs.

Both write or read the same pool for the same seconds, in turn; the first
of each pair alternates. The plain one is cut to the same window: it is
given the trial's warm-up before it, as a run of its own.
"""

import argparse
import json

import rig

# runs inside, where the module and its `rados` are
PAIRS = '''
import json, os, subprocess, sys, tempfile, time
sys.path.insert(0, '/usr/share/ceph/mgr')
from perfcompare.worker.wire import jobs
from perfcompare.worker.wire.protocol import Ready
from perfcompare.workers.process import ProcessLauncher

given = json.load(sys.stdin)
conf, keyring = os.environ['CEPH_CONF'], given['keyring']
OBJECTS = 2048
access = jobs.Access(conf, keyring, 'client.admin', 'fidelity')
population = jobs.Population('fidelity', OBJECTS, given['size'])
launcher = ProcessLauncher(tempfile.mkdtemp(dir='/tmp'))
number = 0

def work(job):
    global number
    number += 1
    worker = launcher.worker(f'{number:04d}')
    worker.start(job)
    while not worker.ended:
        for event in worker.poll():
            if isinstance(event, Ready):
                worker.go()
        worker.renew(15.0)
        time.sleep(0.1)
    found = worker.outcome()
    worker.kill()
    worker.discard()
    return found

def ours(op):
    reads = op != 'write'
    return work(jobs.Trial(
        access=access, concurrency=given['concurrency'], deadline=120.0,
        populations=(population,) if reads else (), op=op,
        size=given['size'], duration=given['seconds'], warmup=1.0,
        run_name='' if reads else f'pc{number}',
        max_objects=0 if reads else 10**6)).summary.ops_per_s

def plain(op):
    command = ['rados', '--keyring', keyring, '-n', 'client.admin', '-p',
               'fidelity', 'bench', str(int(given['seconds']) + 1), op, '-t',
               str(given['concurrency']), '-f', 'json']
    if op == 'write':
        command += ['-b', str(given['size']), '-O', str(given['size']),
                    '--no-cleanup', '--run-name', f'plain{time.time()}']
    else:
        command += ['--no-verify', '--run-name', 'fidelity']
    # a session of its own, as the worker has: the scheduler groups by it
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                         start_new_session=True).stdout
    data = json.loads(out[out.index(b'{'):])
    made = data.get('total_writes_made') or data.get('total_reads_made')
    rows = [(int(r['sec']), int(r['finished'])) for r in data['datas']]
    first = next(r for r in rows if r[0] >= 1)
    return (rows[-1][1] - first[1]) / (rows[-1][0] - first[0])

work(jobs.Prefill(access=access, concurrency=8, deadline=300.0,
                  populations=(population,)))
for op in given['ops']:
    for pair in range(given['pairs']):
        both = [ours, plain] if pair % 2 else [plain, ours]
        found = {f.__name__: f(op) for f in both}
        print(json.dumps({'op': op, **found}), flush=True)
'''


def main() -> None:
    """Measure the pairs on a native cluster and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=12)
    parser.add_argument('--seconds', type=float, default=10.0)
    parser.add_argument('--size', type=int, default=4096)
    parser.add_argument('--concurrency', type=int, default=8)
    options = parser.parse_args()
    with rig.native_cluster() as cluster:
        for words in (
            ('pool', 'create', 'fidelity', '32', '32', '--size', '2'),
            ('pool', 'application', 'enable', 'fidelity', 'bench'),
        ):
            cluster.ceph('osd', *words, fmt='')
        cluster.wait_clean()
        given = dict(
            vars(options),
            keyring=str(cluster.dir / 'keyring'),
            ops=['write', 'rand'],
        )
        done = cluster.exec(
            ['python3', '-c', PAIRS],
            stdin=json.dumps(given),
            timeout=60 + 6 * options.pairs * (options.seconds + 10),
        )
        if done.returncode:
            raise SystemExit(done.stderr)
    print(rig.load())
    pairs = [json.loads(line) for line in done.stdout.splitlines()]
    for op in ('write', 'rand'):
        found = [(p['ours'], p['plain']) for p in pairs if p['op'] == op]
        print(f'{op}: ours/plain {rig.ratio(found)}')


if __name__ == '__main__':
    main()
