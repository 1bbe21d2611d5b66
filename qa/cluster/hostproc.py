"""Program: keep each host's `proc` folder up to date for its exporter.

    python3 -m cluster.hostproc DIR

What is the host's own: CPU time and pressure (from its cgroup), used memory
(resident memory of its daemons), with `--disks loop` its disks, and with
`--net ns` its network counters. What is the machine's: load average, total
memory, boot time, and disks that are files on the machine's. The idle time
is what the machine's CPUs would have had left (of a host whose daemons all
have a CPU quota: what the quota leaves); work is spread over all of them,
whichever did it.
"""

from typing import Dict, List, Optional, Sequence

import dataclasses
import os
import pathlib
import re
import sys
import time

from . import cgroups, disks, network
from .exporters import CLIENT_GROUP, CLIENT_HOST, Exporter, exporters_of
from .state import Cluster, Process

INTERVAL = 1.0
MACHINE = ('meminfo', 'loadavg', 'diskstats')  # of /proc, as Machine has them
HERTZ = os.sysconf('SC_CLK_TCK')


class Withheld:
    """Sum up the CPU seconds that quotas keep from each host."""

    def __init__(self) -> None:
        self._seconds: Dict[str, float] = {}
        self._uptime: Dict[str, float] = {}

    def add(
        self, host: str, uptime: float, cpus: int, limit: Optional[float]
    ) -> float:
        """Count the time since the last call; return the seconds so far."""
        before = self._uptime.get(host, uptime)
        self._uptime[host] = uptime
        kept = 0.0 if limit is None else max(0.0, cpus - limit)
        total = self._seconds.get(host, 0.0) + kept * (uptime - before)
        self._seconds[host] = total
        return total


def stat_text(
    cpu: Dict[str, float],
    uptime: float,
    cpus: int,
    boot: int,
    withheld: float = 0.0,
) -> str:
    """Return /proc/stat of a host from its CPU seconds."""
    user = int(cpu['user'] * HERTZ)
    system = int(cpu['system'] * HERTZ)
    free = uptime * cpus - withheld
    idle = max(0, int(free * HERTZ) - user - system)

    def line(name: str, ticks: Sequence[int]) -> str:
        shown = '%d 0 %d %d 0 0 0 0 0 0' % tuple(ticks)
        return '%s %s\n' % (name, shown)

    def share(ticks: int, index: int) -> int:
        return ticks * (index + 1) // cpus - ticks * index // cpus

    text = line('cpu ', (user, system, idle))
    for index in range(cpus):
        parts = [share(ticks, index) for ticks in (user, system, idle)]
        text += line('cpu%d' % index, parts)
    return text + 'btime %d\n' % boot


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


def lines_of(text: str, names: Sequence[str], field: int) -> str:
    """Return the lines of a table whose `field` is one of `names`."""
    return ''.join(
        line + '\n'
        for line in text.splitlines()
        if line.split()[field : field + 1] in [[name] for name in names]
    )


class Files:
    """Write files whose text is another than before.

    ``always``: whatever it was, as the file tells when its host was looked at.
    """

    def __init__(self) -> None:
        self._written: Dict[pathlib.Path, str] = {}

    def write(
        self, target: pathlib.Path, text: str, always: bool = False
    ) -> None:
        """Replace a file at once; readers never see a part of it."""
        if self._written.get(target) == text and not always:
            return
        if target not in self._written:
            target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(target.name + '.new')
        fresh.write_text(text, encoding='utf-8')
        os.replace(str(fresh), str(target))
        self._written[target] = text


@dataclasses.dataclass(frozen=True)
class Machine:
    """What the machine says, read once for all hosts."""

    meminfo: str
    loadavg: str
    diskstats: str


class Feeder:
    """Keep the files of all hosts up to date."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._token = cluster.settings.token
        self._hosts = exporters_of(cluster.settings)
        self._held = Withheld()
        self._files = Files()
        self._holders: Dict[str, Optional[Process]] = {}
        boot = re.search(r'^btime (\d+)', _read('/proc/stat'), re.M)
        self._boot = int(boot.group(1)) if boot else 0
        self._cpus = os.cpu_count() or 1

    def update(self) -> None:
        """Write what is new."""
        texts = (_read('/proc/' + n) for n in MACHINE)
        machine = Machine(*texts)
        for host in self._hosts:
            self._update(host, machine)

    def _update(self, host: Exporter, machine: Machine) -> None:
        folder = host.proc_folder(self._cluster)
        pids = cgroups.pids(self._token, host.group)
        uptime = float(_read('/proc/uptime').split()[0])
        limit = cgroups.cpu_limit(pids)
        withheld = self._held.add(host.name, uptime, self._cpus, limit)
        used = cgroups.cpu_seconds(self._token, host.group)
        stat = stat_text(used, uptime, self._cpus, self._boot, withheld)
        write = self._files.write
        write(folder / 'stat', stat, always=True)
        resident = meminfo_text(machine.meminfo, resident_kb(pids))
        write(folder / 'meminfo', resident)
        write(folder / 'loadavg', machine.loadavg)
        pressure = cgroups.pressure(self._token, host.group)
        for kind, text in pressure.items():
            write(folder / 'pressure' / kind, text)
        if host.group != CLIENT_GROUP:
            names = disks.names(self._cluster, host.name)
            table = lines_of(machine.diskstats, names, 2)
            write(folder / 'diskstats', table)
        net = self._network(host)
        if net is not None:
            write(folder / 'net' / 'dev', net)
            # Newer exporters read the counters of `self`.
            write(folder / 'self' / 'net' / 'dev', net)

    def _network(self, host: Exporter) -> Optional[str]:
        """Return a host's /proc/net/dev; None where it has none of its own."""
        settings = self._cluster.settings
        if settings.net != 'ns':
            return None
        if host.name == CLIENT_HOST:
            name = network.uplink_name(settings.number)
            text = _read('/proc/self/net/dev')
            head = text.splitlines(True)[:2]
            return ''.join(head) + lines_of(text, [name + ':'], 0)
        holder = self._holders.get(host.name)
        if holder is None or not holder.alive():
            holder = self._cluster.process('net.' + host.name)
            self._holders[host.name] = holder
        return _read('/proc/%d/net/dev' % holder.pid) if holder else None


def main(args: List[str]) -> int:
    """Go on until the cluster's folder is gone."""
    cluster = Cluster(pathlib.Path(args[0]))
    settings = cluster.settings
    cgroups.enter(settings.token, 'cell')
    feeder = Feeder(cluster)
    while cluster.token() == settings.token:
        feeder.update()
        time.sleep(INTERVAL)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
