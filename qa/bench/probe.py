"""What the latency probe beside `rados bench` costs, and how true it is.

Cost: trials with and without it in turn, on one pool; the first of each pair
alternates. Truth: a closed loop of our own that knows each latency, with the
probe beside it, on OSDs as they are, OSDs whose every message is held back
by a known time, and with one OSD that hangs for two seconds. The loop's
figures are over operations, the probe's over time: one more client waits as
long as the moment that it asks in makes it wait. So the loop's are also given
over time: each of its latencies for as long as no later operation was begun.

    python3 qa/bench/probe.py --pairs 12 --seconds 10
"""

from typing import Any, Dict, List

import argparse
import json
import threading
import time

import rig

HELD = 0.002  # seconds

# these run inside, where the module, its `rados` and python3-rados are
COST = '''
import json, os, sys, tempfile, time
sys.path.insert(0, '/usr/share/ceph/mgr')
from perfcompare.worker.wire import jobs
from perfcompare.worker.wire.protocol import Ready
from perfcompare.workers.process import ProcessLauncher

given = json.load(sys.stdin)
access = jobs.Access(os.environ['CEPH_CONF'], given['keyring'],
                     'client.admin', 'probed')
population = jobs.Population('probed', 2048, 4096)
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

def trial(op, rate):
    reads = op != 'write'
    return work(jobs.Trial(
        access=access, concurrency=given['concurrency'], deadline=120.0,
        populations=(population,) if reads else (), op=op, size=4096,
        duration=given['seconds'], warmup=1.0,
        run_name='' if reads else f'pc{number}',
        max_objects=0 if reads else 10**6,
        probe_rate=rate, probe_seed=number, probe_objects=4096,
        probe_off='' if rate else 'switched off'))

work(jobs.Prefill(access=access, concurrency=8, deadline=300.0,
                  populations=(population,)))
for op in given['ops']:
    for pair in range(given['pairs']):
        found = {}
        for rate in (100.0, 0.0) if pair % 2 else (0.0, 100.0):
            outcome = trial(op, rate)
            found['probed' if rate else 'alone'] = outcome.summary.ops_per_s
            if rate:
                probe = outcome.evidence['probe']
                probe.pop('histogram', None)
                found.update(probe=probe, mean=outcome.summary.latency_avg)
        print(json.dumps({'op': op, **found}), flush=True)
'''

TRUTH = '''
import json, os, subprocess, sys, threading, time
sys.path.insert(0, '/usr/share/ceph/mgr')
from perfcompare.worker.loads.rados import latency_probe
from perfcompare.worker.wire import histogram
import rados

given = json.load(sys.stdin)
os.nice(5)  # as `rados bench` in a worker; a probe is not nice
conf, keyring = os.environ['CEPH_CONF'], given['keyring']
op, flight = given['op'], given['flight']
cluster = rados.Rados(conffile=conf, name='client.admin',
                      conf={'keyring': keyring})
cluster.connect()
io = cluster.open_ioctx('probed')
body = os.urandom(4096)
for i in range(256):
    io.write_full(f'truth.{i}', body)
begin = time.monotonic() + 1.0
end = begin + given['seconds']
script = latency_probe._SCRIPT
probe = subprocess.Popen(
    ['nice', '-n', '-5', sys.executable, '-I', '-B', script, json.dumps(dict(
        conf=conf, keyring=keyring, entity='client.admin', pool='probed',
        op=op, size=4096, rate=given['rate'], seed=given['seed'],
        prefix='truth.probe.' if op == 'write' else 'truth.', objects=256,
        until=end + 0.5))], stdout=subprocess.PIPE)
took, under_way, ended = [], [0], threading.Event()

def start(index):
    began = time.monotonic()
    if began > end:
        under_way[0] -= 1
        if not under_way[0]:
            ended.set()
        return
    def done(completion, data=None):
        now = time.monotonic()
        if began >= begin:
            took.append((began, now - began))
        start(index + flight)
    if op == 'write':
        io.aio_write(f'truth.load.{index}', body, 0, done)
    else:
        io.aio_read(f'truth.{index * 7919 % 256}', 4096, 0, done)

under_way[0] = flight
for i in range(flight):
    start(i)
print(json.dumps({'begun': True}), flush=True)
ended.wait(60)
data = json.loads(probe.communicate(timeout=60)[0])
if 'problem' in data:
    raise SystemExit(data['problem'])
found = latency_probe.reduce(latency_probe.asked_of(data), data['ended'],
                             [(begin, end)], len(took))
found.pop('histogram')
counts = {}
took.sort()
over_time = {}
for (began, value), (after, _) in zip(took, [*took[1:], (end, 0.0)]):
    bucket = histogram.bucket(int(value * 1e9))
    counts[bucket] = counts.get(bucket, 0) + 1
    lasted = int(max(0.0, after - began) * 1e9)
    over_time[bucket] = over_time.get(bucket, 0) + lasted
print(json.dumps({'own': {**histogram.percentiles(counts),
                          'mean': histogram.mean(counts),
                          'max': max(v for _, v in took),
                          'ops': len(took)},
                  'time': {**histogram.percentiles(over_time),
                           'mean': histogram.mean(over_time)},
                  'probe': found}), flush=True)
'''


def cost(cluster: Any, options: argparse.Namespace) -> None:
    """Print the ratio of throughput with the probe to that without."""
    given = dict(
        vars(options),
        keyring=str(cluster.dir / 'keyring'),
        ops=['write', 'rand'],
    )
    done = cluster.exec(
        ['python3', '-c', COST],
        stdin=json.dumps(given),
        timeout=60 + 6 * options.pairs * (options.seconds + 10),
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for op in ('write', 'rand'):
        own = [row for row in rows if row['op'] == op]
        pairs = [(row['probed'], row['alone']) for row in own]
        print(f'{op}: with the probe / without {rig.ratio(pairs)}')
        for name, key in (
            ('cores of the probe', 'cpu'),
            ('its share of operations', 'share'),
        ):
            values = [row['probe'].get(key) for row in own]
            known = [v for v in values if v is not None]
            if known:
                print(f'  {name}: {rig.spread(known, "")}')
        for row in own[:3]:
            probe = row['probe']
            means = 1e3 * row['mean'], 1e3 * (probe.get('mean') or 0)
            print(
                f'  mean of the load {means[0]:.2f} ms, of the probe '
                f'{means[1]:.2f} ms; {_line(probe["percentiles"])}; '
                f'{probe.get("reason") or probe.get("missing") or ""}'
            )


def _line(found: Dict[str, Any]) -> str:
    return ' '.join(
        f'{name} {1e3 * found[name]:.2f}'
        for name in ('p50', 'p95', 'p99', 'max')
        if found.get(name) is not None
    )


def truth(
    cluster: Any, op: str, flight: int, seconds: float, what: str, hang: float
) -> None:
    """Print what the loop knows and what the probe says of it.

    OSDs that hold messages do so one after the other: few of them are done,
    and a probe at its full rate would be most of these.
    """
    given = {
        'keyring': str(cluster.dir / 'keyring'),
        'op': op,
        'flight': flight,
        'seconds': seconds,
        'rate': 10.0 if 'held' in what else 100.0,
        'seed': 7,
    }
    frozen = threading.Timer(2.0 + seconds / 2, _hang, (cluster, hang))
    if hang:
        frozen.start()
    done = cluster.exec(
        ['python3', '-c', TRUTH], stdin=json.dumps(given), timeout=180
    )
    if hang:
        frozen.join()
    if done.returncode:
        raise SystemExit(done.stderr)
    found = json.loads(done.stdout.splitlines()[-1])
    own, probe, over = found['own'], found['probe'], found['time']
    told = {**probe['percentiles'], 'max': probe['max']}
    print(
        f'{op} {flight} in flight, {what} ({rig.load()}):\n'
        f'  own        {_line(own)} ms, mean {1e3 * own["mean"]:.2f}, '
        f'n = {own["ops"]}\n'
        f'  over time  {_line(over)} ms, mean {1e3 * over["mean"]:.2f}\n'
        f'  probe      {_line(told)} ms, mean {1e3 * probe["mean"]:.2f}, '
        f'n = {probe["ops"]}\n'
        f'  its lateness {_line(probe["late"])} ms; '
        f'{probe["missing"] or "all stated"}',
        flush=True,
    )


def _hang(cluster: Any, seconds: float) -> None:
    cluster.osd_freeze(0)
    time.sleep(seconds)
    cluster.osd_thaw(0)


def main() -> None:
    """Measure on a native cluster."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--pairs', type=int, default=12)
    parser.add_argument('--seconds', type=float, default=10.0)
    parser.add_argument('--truth', type=float, default=15.0)
    parser.add_argument('--concurrency', type=int, default=16)
    options = parser.parse_args()
    with rig.native_cluster() as cluster:
        for words in (
            ('pool', 'create', 'probed', '32', '32', '--size', '2'),
            ('pool', 'application', 'enable', 'probed', 'bench'),
        ):
            cluster.ceph('osd', *words, fmt='')
        cluster.wait_clean()
        print(rig.load(), flush=True)
        cases: List[Any] = [
            (op, flight, options.truth, 'as it is', 0.0)
            for op in ('write', 'read')
            for flight in (8, 16)
        ]
        for case in cases:
            truth(cluster, *case)
        truth(cluster, 'write', 8, options.truth, 'osd.0 hangs for 2 s', 2.0)
        for name, value in (
            ('osd_debug_inject_dispatch_delay_duration', str(HELD)),
            ('osd_debug_inject_dispatch_delay_probability', '1.0'),
        ):
            cluster.ceph('config', 'set', 'osd', name, value, fmt='')
        time.sleep(3)
        held = f'each message held {1e3 * HELD:g} ms'
        for op in ('write', 'read'):
            truth(cluster, op, 8, options.truth, held, 0.0)
        cluster.ceph(
            'config',
            'rm',
            'osd',
            'osd_debug_inject_dispatch_delay_probability',
            fmt='',
        )
        print(rig.load(), flush=True)
        if options.pairs:
            cost(cluster, options)
            print(rig.load())


if __name__ == '__main__':
    main()
