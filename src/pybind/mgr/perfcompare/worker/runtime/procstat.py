"""CPU used by the load programs and by the host, from /proc, cheaply."""

from typing import Any, Dict, Iterable, List, Optional, Tuple

import dataclasses
import itertools
import os
import platform
import time

from . import cgroups, links

_TICKS = os.sysconf('SC_CLK_TCK')
NEAR = 0.5  # of its limit: such an interface is told of, whatever others move


@dataclasses.dataclass(frozen=True)
class Usage:
    """Hold the CPU seconds of one process and of each of its threads."""

    at: float  # monotonic
    total: float
    threads: Dict[int, Tuple[str, float]]  # id: (name, CPU seconds)


@dataclasses.dataclass(frozen=True)
class HostUsage:
    """Hold the host's CPU seconds and its network interfaces' bytes."""

    at: float
    busy: float
    total: float
    nics: Dict[str, Tuple[int, int]]  # name: (received, sent)


def _stat(path: str) -> Tuple[str, float]:
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    name = text[text.index('(') + 1 : text.rindex(')')]
    fields = text[text.rindex(')') + 2 :].split()
    return name, (int(fields[11]) + int(fields[12])) / _TICKS


def usage(pid: int) -> Optional[Usage]:
    """Read the CPU seconds of process ``pid``; None when it is gone."""
    threads = {}
    try:
        at = time.monotonic()
        total = _stat(f'/proc/{pid}/stat')[1]
        for tid in os.listdir(f'/proc/{pid}/task'):
            try:
                threads[int(tid)] = _stat(f'/proc/{pid}/task/{tid}/stat')
            except OSError:
                continue  # that thread just ended
    except (OSError, ValueError):
        return None
    return Usage(at, total, threads)


def host_usage() -> Optional[HostUsage]:
    """Read /proc/stat and /proc/net/dev; None where there are none."""
    try:
        at = time.monotonic()
        with open('/proc/stat', encoding='ascii') as file:
            # guest time is part of user time already
            fields = [int(v) for v in file.readline().split()[1:9]]
        total = sum(fields) / _TICKS
        idle = (fields[3] + fields[4]) / _TICKS
        return HostUsage(at, total - idle, total, _nics())
    except (OSError, ValueError, IndexError):
        return None


def busy_share(busy: float, total: float) -> Optional[float]:
    """Return ``busy`` of ``total`` CPU seconds of a host, from 0 to 1."""
    if total <= 0:
        return None
    # the kernel's count of time spent waiting for I/O may go back
    return min(1.0, max(0.0, busy / total))


def _nics() -> Dict[str, Tuple[int, int]]:
    nics = {}
    try:
        with open('/proc/net/dev', encoding='ascii') as file:
            for line in file.readlines()[2:]:
                name, rest = line.split(':', 1)
                fields = rest.split()
                nics[name.strip()] = (int(fields[0]), int(fields[8]))
    except (OSError, ValueError, IndexError):
        pass
    return {name: nics[name] for name in nics if links.is_link(name)}


def cores() -> float:
    """Return how many cores this process may use, by affinity and quota."""
    allowed = float(len(os.sched_getaffinity(0)))
    return min(allowed, cgroups.quota() or allowed)


def throttling(
    membership: str = cgroups.MEMBERSHIP, root: str = cgroups.ROOT
) -> Optional[Tuple[int, int]]:
    """Return periods of a process's CPU quota, and how many it stopped.

    ``membership`` is its /proc/<pid>/cgroup. Of its cgroup and those above
    the one that was stopped most; None where no quota is set.
    """
    best: Optional[Tuple[int, int]] = None
    for folder in cgroups.folders('cpu', membership, root):
        try:
            text = cgroups.text(os.path.join(folder, 'cpu.stat'))
            rows = dict(line.split()[:2] for line in text.splitlines())
            periods, stopped = int(rows['nr_periods']), rows['nr_throttled']
        except (OSError, ValueError, KeyError):
            continue
        if periods and (best is None or int(stopped) > best[1]):
            best = periods, int(stopped)
    return best


def speed(nic: str) -> Optional[float]:
    """Return the speed of a network interface in bytes/s, if it says.

    None of tun and tap: what they say is no speed.
    """
    if links.is_tun(nic):
        return None
    try:
        mbits = float(cgroups.text(os.path.join(links.SYSFS, nic, 'speed')))
    except (OSError, ValueError):
        return None
    return mbits * 1e6 / 8 if mbits > 0 else None


def facts() -> Dict[str, object]:
    """Describe this host for the manifest of a trial."""
    memory = None
    try:
        with open('/proc/meminfo', encoding='ascii') as file:
            memory = int(file.readline().split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return {
        'hostname': platform.node(),
        'arch': platform.machine(),
        'kernel': platform.release(),
        'cpu': _cpu_model(),
        'cores': cores(),
        'memory_bytes': memory,
    }


def _cpu_model() -> str:
    try:
        with open('/proc/cpuinfo', encoding='utf-8') as file:
            for line in file:
                if line.startswith(('model name', 'Model', 'cpu model')):
                    return line.split(':', 1)[1].strip()
    except OSError:
        pass
    return ''


@dataclasses.dataclass(frozen=True)
class Reading:
    """Hold what was seen of processes and their host at one time."""

    at: float  # monotonic
    host: Optional[HostUsage]
    processes: Dict[int, Usage]
    # by process: periods of its CPU quota, and those that stopped it
    quota: Dict[int, Tuple[int, int]]


def look(pids: Iterable[int]) -> Reading:
    """Take a reading of processes, as far as they are there."""
    at, host = time.monotonic(), host_usage()
    processes, quota = {}, {}
    for pid in pids:
        now = usage(pid)
        if now is not None and now.threads:
            processes[pid] = now
            quota[pid] = throttling(f'/proc/{pid}/cgroup') or (0, 0)
    return Reading(at, host, processes, quota)


class _Span:
    """Keep the first and last reading of what goes on without a gap."""

    def __init__(self) -> None:
        self.processes: Dict[int, List[Usage]] = {}
        self.host: List[HostUsage] = []
        # by process: periods of its CPU quota, and those that stopped it
        self.quota: Dict[int, List[Tuple[int, int]]] = {}


class Meter:
    """Read processes and their host within one span, or several."""

    def __init__(self) -> None:
        self._clients: Dict[int, int] = {}
        self._spans = [_Span()]

    def read(self, pids: Dict[int, int]) -> None:
        """Take a reading of the processes ``pids`` (with their client)."""
        self.take(look(pids), pids)

    def take(self, reading: Reading, clients: Dict[int, int]) -> None:
        """Add a reading of processes, with the client of each."""
        self._clients.update(clients)
        span = self._spans[-1]
        if reading.host is not None:
            span.host = span.host[:1] + [reading.host]
        for pid, now in reading.processes.items():
            span.processes[pid] = span.processes.get(pid, [])[:1] + [now]
            found = reading.quota[pid]
            span.quota[pid] = span.quota.get(pid, [])[:1] + [found]

    def close(self) -> None:
        """End a span: what happens until the next reading does not count."""
        self._spans.append(_Span())

    def _hosts(self) -> List[Tuple[HostUsage, HostUsage]]:
        """Return the first and last reading of the host in each span."""
        return [
            (span.host[0], span.host[1])
            for span in self._spans
            if len(span.host) == 2
        ]

    def clients(self) -> List[Dict[str, object]]:
        """Return per client its cores, and those of its busiest thread.

        A client that was restarted is the mean of its processes, weighted
        by time.
        """
        rows: Dict[int, Dict[str, Any]] = {}
        spans = [span.processes.items() for span in self._spans]
        for pid, kept in itertools.chain.from_iterable(spans):
            first, last = kept[0], kept[-1]
            seconds = last.at - first.at
            if seconds <= 0:
                continue
            client = self._clients[pid]
            most, name = max(
                (used - first.threads.get(tid, (name, 0.0))[1], name)
                for tid, (name, used) in last.threads.items()
            )
            row = rows.setdefault(
                client,
                {'client': client, 'seconds': 0.0, 'cpu': 0.0, 'most': 0.0},
            )
            row['seconds'] += seconds
            row['cpu'] += last.total - first.total
            row['most'] += most
            row['thread'] = name
        return [
            {
                'client': row['client'],
                'cores': row['cpu'] / row['seconds'],
                'thread_cores': row['most'] / row['seconds'],
                'thread': row['thread'],
            }
            for _, row in sorted(rows.items())
        ]

    def host_busy(self) -> Optional[float]:
        """Return the share of all cores of the host that was busy."""
        spans = self._hosts()
        return busy_share(
            sum(last.busy - first.busy for first, last in spans),
            sum(last.total - first.total for first, last in spans),
        )

    def throttled(self) -> Optional[float]:
        """Return in which share of its periods a CPU quota stopped a client.

        Of the client that was stopped most; 0 where there is no quota;
        None before two readings.
        """
        sums: Dict[int, Tuple[int, int]] = {}
        for span in self._spans:
            for pid, kept in span.quota.items():
                if len(kept) == 2:
                    periods, stopped = sums.get(pid, (0, 0))
                    periods += kept[1][0] - kept[0][0]
                    stopped += max(0, kept[1][1] - kept[0][1])
                    sums[pid] = periods, stopped
        shares = [min(1.0, s / max(1, p)) for p, s in sums.values()]
        return max(shares, default=None)

    def busiest_nic(self) -> Optional[Dict[str, object]]:
        """Return the network interface that is nearest to its limit.

        Where none is near it, or tells it, the one with the most bytes.
        """
        moved: Dict[str, Tuple[float, int, int]] = {}
        for first, last in self._hosts():
            for name, now in last.nics.items():
                old = first.nics.get(name)
                if old is None or last.at <= first.at:
                    continue
                seconds, received, sent = moved.get(name, (0.0, 0, 0))
                moved[name] = (
                    seconds + last.at - first.at,
                    received + now[0] - old[0],
                    sent + now[1] - old[1],
                )
        rates = {
            name: max(received, sent) / seconds
            for name, (seconds, received, sent) in moved.items()
        }
        if not rates:
            return None
        limits = {name: speed(name) for name in rates}
        shares = {n: rates[n] / limit for n, limit in limits.items() if limit}
        name = max(rates, key=lambda nic: rates[nic])
        fullest = max(shares, key=lambda nic: shares[nic], default=name)
        if shares.get(fullest, 0.0) >= NEAR:
            name = fullest
        return {
            'name': name,
            'bytes_per_s': rates[name],
            'limit_bytes_per_s': limits[name],
            'share': shares.get(name),
        }
