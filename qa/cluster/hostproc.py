"""Program: keep each host's `proc` folder up to date for its exporter.

    python3 -m cluster.hostproc DIR

What is the host's own: CPU time (from its cgroup), used memory (resident
memory of its daemons) and, with `--net ns`, network counters. What is the
machine's: load average, total memory, boot time. There is one CPU line;
its idle time is what the machine's CPUs would have had left.
"""

from typing import Dict, List, Sequence

import os
import pathlib
import re
import sys
import time

from . import cgroups
from .state import Cluster
from .topology import Host

INTERVAL = 1.0
HERTZ = os.sysconf('SC_CLK_TCK')


def stat_text(
    cpu: Dict[str, float], uptime: float, cpus: int, boot: int
) -> str:
    """Return /proc/stat of a host from its CPU seconds."""
    user = int(cpu['user'] * HERTZ)
    system = int(cpu['system'] * HERTZ)
    idle = max(0, int(uptime * cpus * HERTZ) - user - system)
    rest = '%d 0 %d %d 0 0 0 0 0 0' % (user, system, idle)
    return 'cpu  %s\ncpu0 %s\nbtime %d\n' % (rest, rest, boot)


def meminfo_text(machine: str, used_kb: int) -> str:
    """Return /proc/meminfo of a host: the machine's, less what is used."""
    match = re.search(r'^MemTotal:\s+(\d+)', machine, re.M)
    free = max(0, int(match.group(1)) - used_kb) if match else 0
    return re.sub(
        r'^(Mem(?:Free|Available):\s+)\d+',
        lambda found: found.group(1) + str(free),
        machine,
        flags=re.M,
    )


def resident_kb(pids: Sequence[int]) -> int:
    """Return the resident memory of processes in KiB."""
    page = os.sysconf('SC_PAGE_SIZE') // 1024
    total = 0
    for pid in pids:
        try:
            with open('/proc/%d/statm' % pid, encoding='utf-8') as file:
                total += int(file.read().split()[1]) * page
        except (OSError, IndexError):
            continue
    return total


def _read(path: str) -> str:
    return pathlib.Path(path).read_text(encoding='utf-8')


def _write(folder: pathlib.Path, name: str, text: str) -> None:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(target.name + '.new')
    fresh.write_text(text, encoding='utf-8')
    os.replace(str(fresh), str(target))


def update(cluster: Cluster, host: Host) -> None:
    """Write one host's files."""
    token = cluster.settings.token
    folder = cluster.dir / 'hosts' / host.name / 'proc'
    boot = re.search(r'^btime (\d+)', _read('/proc/stat'), re.M)
    _write(
        folder,
        'stat',
        stat_text(
            cgroups.cpu_seconds(token, host.name),
            float(_read('/proc/uptime').split()[0]),
            os.cpu_count() or 1,
            int(boot.group(1)) if boot else 0,
        ),
    )
    used = resident_kb(cgroups.pids(token, host.name))
    _write(folder, 'meminfo', meminfo_text(_read('/proc/meminfo'), used))
    _write(folder, 'loadavg', _read('/proc/loadavg'))
    holder = cluster.process('net.' + host.name)
    if holder:
        net = _read('/proc/%d/net/dev' % holder.pid)
        _write(folder, 'net/dev', net)
        # Newer exporters read the counters of `self`.
        _write(folder, 'self/net/dev', net)


def main(args: List[str]) -> int:
    """Go on until the cluster's folder is gone."""
    cluster = Cluster(pathlib.Path(args[0]))
    settings = cluster.settings
    cgroups.enter(settings.token, 'cell')
    while cluster.token() == settings.token:
        for host in settings.hosts:
            update(cluster, host)
        time.sleep(INTERVAL)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
