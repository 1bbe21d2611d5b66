"""What load agents cost the Manager: CPU of the mgr, latency of commands.

Agents are simulated by one client that says what each of them would, once a
second, or every ten seconds as idle ones do. Aim: under 2 % of a core at 100
agents that ask once a second, and no other command that waits.
"""

from typing import Any, Dict, List, Tuple

import json
import statistics
import threading

import rig
from mgr_cpu import share

from perfcompare.worker.wire.agents import program_digest

SECONDS = 30.0
ROUNDS = 3
NUMBERS = (0, 4, 100)

# in the cluster: N agents for S seconds; prints latencies in ms
CLIENT = """
import json, rados, sys, time
number, seconds, period, program = (
    int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
conn = rados.Rados(conffile='/etc/ceph/ceph.conf')
conn.connect(timeout=10)
agents = [dict(protocol=1, program=program, boot='%016x' % n, epoch='',
               first=1, got=0) for n in range(number)]
took, other, refused = [], [], 0
began = time.monotonic()
turn = 0
while time.monotonic() - began < seconds:
    for n, agent in enumerate(agents):
        at = began + turn * period + n * period / number
        time.sleep(max(0.0, at - time.monotonic()))
        start = time.monotonic()
        code, out, told = conn.mgr_command(json.dumps(
            {'prefix': 'perfcompare agent sync', 'host': 'sim-%d' % n}),
            json.dumps(agent).encode())
        took.append((time.monotonic() - start) * 1000)
        if code:
            refused += 1
        else:
            agent['epoch'] = json.loads(out)['epoch']
    start = time.monotonic()
    conn.mgr_command(json.dumps({'prefix': 'perfcompare status'}), b'')
    other.append((time.monotonic() - start) * 1000)
    turn += 1
    time.sleep(max(0.0, began + turn * period - time.monotonic()))
print(json.dumps({'sync': took, 'status': other, 'refused': refused}))
"""

# in the cluster: add N load hosts
ADD = """
import errno, json, rados, sys, time
conn = rados.Rados(conffile='/etc/ceph/ceph.conf')
conn.connect(timeout=10)
for n in range(int(sys.argv[1])):
    code = -errno.EAGAIN
    while code == -errno.EAGAIN:
        code, out, told = conn.mgr_command(json.dumps(
            {'prefix': 'perfcompare load-host add', 'host': 'sim-%d' % n,
             'format': 'json'}), b'')
        time.sleep(0.05)
    if code:
        sys.exit(told)
"""


def simulate(cluster: Any, number: int, period: float) -> Dict[str, Any]:
    """Have agents speak for SECONDS; return what they saw."""
    done = cluster.exec(
        ['python3', '-c', CLIENT, str(number), str(SECONDS), str(period),
         program_digest()],
        timeout=SECONDS * 4,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    found: Dict[str, Any] = json.loads(done.stdout)
    if found['refused']:
        raise SystemExit(f'{found["refused"]} messages were refused')
    return found


def measure(
    cluster: Any, number: int, period: float
) -> Tuple[float, Dict[str, Any]]:
    """Return the cores that the mgr uses meanwhile, and what was seen."""
    pid = cluster.pid('mgr.x')
    seen: List[float] = []
    meter = threading.Thread(
        target=lambda: seen.append(share(pid, SECONDS - 3.0))
    )
    meter.start()
    found = simulate(cluster, number, period)
    meter.join()
    return seen[0], found


def text(values: List[float]) -> str:
    """Return median and 99th percentile in ms."""
    if not values:
        return '-'
    worst = sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]
    return f'{statistics.median(values):.1f} / {worst:.1f} ms'


def main() -> None:
    """Measure all numbers of agents in turn, in the same minutes."""
    with rig.native_cluster() as cluster:
        rig.enable(cluster)
        added = cluster.exec(
            ['python3', '-c', ADD, str(max(NUMBERS))], timeout=600
        )
        if added.returncode:
            raise SystemExit(added.stderr)
        print(rig.load(), flush=True)
        cores: Dict[Tuple[int, float], List[float]] = {}
        for _ in range(ROUNDS):
            for number, period in [(n, 1.0) for n in NUMBERS] + [(100, 10.0)]:
                used, found = measure(cluster, number, period)
                cores.setdefault((number, period), []).append(used)
                print(
                    f'{number} agents each {period:g} s: mgr '
                    f'{100 * used:.2f} % of a core; sync '
                    f'{text(found["sync"])}, status '
                    f'{text(found["status"])} (median / p99)',
                    flush=True,
                )
        idle = statistics.median(cores[0, 1.0])
        for (number, period), used_by in cores.items():
            print(
                f'{number} agents each {period:g} s over none: '
                f'{100 * (statistics.median(used_by) - idle):.2f} % of a core'
            )
        print(rig.load())


if __name__ == '__main__':
    main()
