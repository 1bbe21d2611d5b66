"""CPU of the mgr during trials, over idle (aim: under 2 % of a core)."""

import os
import statistics
import time

import rig

TICK = os.sysconf('SC_CLK_TCK')
IDLE = 40.0  # seconds


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process, without its children."""
    with open(f'/proc/{pid}/stat', encoding='ascii') as file:
        fields = file.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def share(pid: int, seconds: float) -> float:
    """Return the cores that a process uses over the next ``seconds``."""
    before, began = cpu(pid), time.monotonic()
    time.sleep(seconds)
    return (cpu(pid) - before) / (time.monotonic() - began)


def main() -> None:
    """Measure idle and trials in turn, in the same minutes."""
    with rig.native_cluster() as cluster:
        rig.enable(cluster)
        time.sleep(30)
        pid = cluster.pid('mgr.x')
        assert pid is not None
        idle, busy = [], []
        for _ in range(3):
            idle.append(share(pid, IDLE))
            run = rig.command(
                cluster, 'run', 'x86', 'alt', '--workload', 'rand', '--size',
                '4K', '--concurrency', '4', '--duration', '60', '--rounds',
                '1',
            )['run']  # fmt: skip
            while rig.command(cluster, 'status')['progress'] is not None:
                state = rig.command(cluster, 'status')['progress'] or {}
                if state.get('state') == 'trial' and state.get('ops_per_s'):
                    busy.append(share(pid, 40.0))
                    if len(busy) % 2 == 0:
                        break
                time.sleep(1)
            rig.command(cluster, 'stop', '--now')
            while rig.command(cluster, 'status')['progress'] is not None:
                time.sleep(1)
            print(f'run {run}', rig.load(), flush=True)
            time.sleep(20)
    print('mgr, idle:', rig.spread([100 * x for x in idle], '% of a core'))
    print('mgr, trial:', rig.spread([100 * x for x in busy], '% of a core'))
    gain = statistics.median(busy) - statistics.median(idle)
    print(f'difference of medians: {100 * gain:.2f} % of a core')


if __name__ == '__main__':
    main()
