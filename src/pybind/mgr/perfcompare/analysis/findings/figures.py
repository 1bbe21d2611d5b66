"""The figures that rules of findings look at, each by place."""

from typing import Callable, Collection, Dict, List, Optional

from dataclasses import replace

from . import qos
from .facts import Figures, Seen, TrialFacts, mapping, number

Read = Callable[[TrialFacts], List[Seen]]

QUEUED = 0.5  # share of an operation's time before mClock counts
IDLE = 0.5  # busy share of a host's CPUs below which half are idle
TENANT_SHARE = 0.05  # of all operations, below which others limit nobody
BUSY_OSD = 20  # operations in a window that make a mean worth reading


def _osd(column: str) -> Read:
    """Read a mean latency of each OSD that did enough to have one."""

    def read(facts: TrialFacts) -> List[Seen]:
        found = []
        for osd, figures in facts.osds.items():
            value = number(figures, column)
            if value is not None and work(figures) >= BUSY_OSD:
                found.append(Seen(f'osd.{osd}', value, f'osd.{osd}', column))
        return found

    return read


def _host(column: str) -> Read:
    def read(facts: TrialFacts) -> List[Seen]:
        found = []
        for host, figures in facts.hosts.items():
            value = number(figures, column)
            if value is not None:
                found.append(
                    Seen(f'host {host}', value, f'host.{host}', column)
                )
        return found

    return read


def _disk(figure: str, roles: str) -> Read:
    """Read a figure of the disks whose role is among ``roles``."""

    def read(facts: TrialFacts) -> List[Seen]:
        found = []
        for host, name, disk in facts.disks():
            value = number(disk, figure)
            if value is not None and disk.get('role') in roles.split():
                found.append(
                    Seen(
                        f'{name} of {host}',
                        value,
                        f'host.{host}',
                        f'disk.{name}.{figure}',
                    )
                )
        return found

    return read


def _queued_await(roles: str) -> Read:
    """Read the await of disks, 0 of those without a queue.

    These are not held back by it, and are places that do not pass.
    """
    awaits, queues = _disk('await', roles), _disk('queue', roles)

    def read(facts: TrialFacts) -> List[Seen]:
        waits = {seen.place: seen for seen in awaits(facts)}
        found = []
        for seen in queues(facts):
            if seen.value < 1.0:
                found.append(Seen(seen.place, 0.0))
            elif seen.place in waits:
                found.append(waits[seen.place])
        return found

    return read


def _nic(facts: TrialFacts) -> List[Seen]:
    """Read the busiest interface of each host.

    An idle one, as that of the management, makes no host less limited.
    """
    found = []
    for host, figures in facts.hosts.items():
        nics = [
            seen
            for name, nic in mapping(figures.get('nics')).items()
            for seen in _directions(host, name, mapping(nic))
        ]
        if nics:
            found.append(max(nics, key=lambda seen: seen.value))
    return found


def _directions(host: str, name: str, nic: Figures) -> List[Seen]:
    """Read both directions of an interface; none of unknown speed."""
    speed = number(nic, 'speed_bytes_per_s')
    if not speed or name == 'lo':
        return []
    found = []
    for column in ('rx_bytes_per_s', 'tx_bytes_per_s'):
        rate = number(nic, column)
        if rate is not None:
            found.append(
                Seen(
                    f'{name} of {host}',
                    rate / speed,
                    f'host.{host}',
                    f'nic.{name}.{column}',
                    speed,
                )
            )
    return found


def _cpu_wait(facts: TrialFacts) -> List[Seen]:
    """Read the CPU pressure of hosts whose CPUs are mostly idle, else 0.

    On a busy host tasks wait for each other, which says no more than that
    it is busy; on an idle one something holds them back.
    """
    found = []
    for seen in _host('psi_cpu')(facts):
        host = facts.hosts[seen.place.partition(' ')[2]]
        busy = number(host, 'cpu_busy')
        if busy is not None:
            found.append(seen if busy < IDLE else replace(seen, value=0.0))
    return found


def _memory_free(facts: TrialFacts) -> List[Seen]:
    found = []
    for host, figures in facts.hosts.items():
        total = number(figures, 'mem_total')
        free = number(figures, 'mem_available')
        if total and free is not None:
            found.append(
                Seen(
                    f'host {host}',
                    free / total,
                    f'host.{host}',
                    'mem_available',
                    total,
                )
            )
    return found


def _memory_of_target(facts: TrialFacts) -> List[Seen]:
    return _ratio(facts, 'mem_mapped', 'mem_target')


def _throttled(facts: TrialFacts) -> List[Seen]:
    """Read which share of a write's time BlueStore's throttle took."""
    return _ratio(facts, 'throttle_lat', 'op_w_latency')


def _ratio(facts: TrialFacts, upper: str, lower: str) -> List[Seen]:
    found = []
    for osd, figures in facts.osds.items():
        a, b = number(figures, upper), number(figures, lower)
        if a is not None and b:
            found.append(Seen(f'osd.{osd}', a / b, f'osd.{osd}', upper, b))
    return found


def _kv_commit(separate: Optional[bool]) -> Read:
    """Read the commit of metadata, on a device of its own or not.

    None is not known. OSDs of another kind are places that do not pass.
    """
    read = _osd('kv_commit_lat')

    def choose(facts: TrialFacts) -> List[Seen]:
        kinds = {f'osd.{o}': k for o, k in facts.separate_db().items()}
        seen = read(facts)
        if all(kinds[s.place] is not separate for s in seen):
            return []
        return [
            s if kinds[s.place] is separate else replace(s, value=0.0)
            for s in seen
        ]

    return choose


def _queue_share(figures: Figures) -> Optional[float]:
    """Return the share of operations' time in the OSD's own queue."""
    waited = whole = 0.0
    for op in ('op_w', 'op_r'):
        all_of = number(figures, f'{op}_latency')
        inside = number(figures, f'{op}_process_latency')
        count = number(figures, op)
        if all_of is not None and inside is not None and count:
            waited += max(0.0, all_of - inside) * count
            whole += all_of * count
    return waited / whole if whole > 0.0 else None


def _queued(facts: TrialFacts) -> List[Seen]:
    found = []
    for osd, figures in facts.osds.items():
        share = _queue_share(figures)
        if share is not None:
            found.append(Seen(f'osd.{osd}', share, f'osd.{osd}', ''))
    return found


def _mclock(facts: TrialFacts) -> List[Seen]:
    """Read how much of what mClock lets clients do an OSD gave them.

    It holds nobody who does not wait in its queue.
    """
    found = []
    for osd, figures in facts.osds.items():
        waits = _queue_share(figures)
        share = qos.held_share(facts, figures)
        if waits is not None and share is not None:
            value = share if waits >= QUEUED else 0.0
            found.append(Seen(f'osd.{osd}', value, f'osd.{osd}', ''))
    return found


def work(figures: Figures) -> float:
    """Return the operations of an OSD in the window, replicas' included."""
    names = ('op_w', 'op_r', 'op_rw', 'subop_w')
    return sum(number(figures, name) or 0.0 for name in names)


def _tenants(facts: TrialFacts) -> List[Seen]:
    """Read what other pools did, unless it is little beside our work."""
    value = number(facts.tenants, 'ops_per_s')
    if value is None:
        value = facts.manifest.tenant_ops_per_s
    share = number(facts.tenants, 'share')
    if value is not None and share is not None and share < TENANT_SHARE:
        value = 0.0
    return [] if value is None else [Seen('other pools', value)]


def _client(name: str) -> Read:
    def read(facts: TrialFacts) -> List[Seen]:
        value = CLIENT[name](facts)
        return [] if value is None else [Seen('client', value)]

    return read


def _client_busy(facts: TrialFacts) -> Optional[float]:
    """Return the busy share of the client's CPUs.

    Where OSDs of the group are on the same host it is what the client
    processes used themselves, as in the validity reason `client`. Of
    several hosts it is that of the busiest, each by itself.
    """
    summary = facts.summary
    if summary is None:
        return None
    near = facts.manifest.client_local_hosts
    told = facts.client.get('hosts')
    if near and isinstance(told, list):
        each = [_load_host_busy(mapping(host), near) for host in told]
        return max((busy for busy in each if busy is not None), default=None)
    if not facts.manifest.client_local_osds:
        return summary.host_busy
    if summary.client_cores is None or not summary.host_cores:
        return None
    return summary.client_cores / summary.host_cores


def _load_host_busy(host: Figures, near: Collection[str]) -> Optional[float]:
    """Return the busy share of a load host; ``near`` ones carry OSDs."""
    if host.get('host') not in near:
        return number(host, 'busy')
    used, cores = number(host, 'cores'), number(host, 'host_cores')
    return used / cores if used is not None and cores else None


def _client_nic(facts: TrialFacts) -> Optional[float]:
    return number(mapping(facts.client.get('nic')), 'share')


def _ack_wait(facts: TrialFacts) -> Optional[float]:
    """Return by how much a small GET takes longer than a HEAD (s)."""
    probe = mapping(facts.client.get('nagle'))
    if not probe.get('trap'):
        return 0.0 if probe else None
    get, head = number(probe, 'get'), number(probe, 'head')
    return None if get is None or head is None else get - head


CLIENT: Dict[str, Callable[[TrialFacts], Optional[float]]] = {
    'thread': lambda f: f.summary.client_thread_cores if f.summary else None,
    'busy': _client_busy,
    'nic': _client_nic,
    'throttled': lambda f: number(f.client, 'throttled'),
    'ack_wait': _ack_wait,
}

FIGURES: Dict[str, Read] = {
    'client.thread_cores': _client('thread'),
    'client.cpu_busy': _client('busy'),
    'client.nic_busy': _client('nic'),
    'client.quota_throttled': _client('throttled'),
    'client.ack_wait': _client('ack_wait'),
    'tenants.ops_per_s': _tenants,
    'host.nic_busy': _nic,
    'host.swap_in': _host('swap_in_bytes_per_s'),
    'host.mem_available': _memory_free,
    'host.psi_memory': _host('psi_memory'),
    'osd.memory_of_target': _memory_of_target,
    'host.cpu_busy': _host('cpu_busy'),
    'host.cpu_wait': _cpu_wait,
    'host.cpu_steal': _host('cpu_steal'),
    'host.throttled': _host('throttled'),
    'db.util': _disk('util', 'db wal'),
    'db.await': _queued_await('db wal'),
    'osd.kv_commit_db': _kv_commit(True),
    'disk.util': _disk('util', 'data'),
    'disk.await': _queued_await('data'),
    'osd.aio_wait': _osd('aio_wait_lat'),
    'osd.read_aio': _osd('read_aio_lat'),
    'osd.kv_commit': _kv_commit(False),
    'osd.kv_commit_any': _kv_commit(None),
    'osd.mclock_share': _mclock,
    'osd.throttle_share': _throttled,
    'osd.queue_share': _queued,
}
