"""CLIENT: whether the machine that makes the load spoils the result."""

from typing import Dict, Iterable, List, NamedTuple, Sequence, Set, Tuple

from ...common.units import format_bytes, format_duration
from ...model.topology import Topology
from ...model.workload import Workload
from ..collect.facts import NEEDED_TOOLS, Machine
from ..collect.procinfo import MemoryRoom, is_loopback, short_name
from ..layout import names
from ..layout import osds as osd_list
from .finding import CheckContext, Findings, ok, refuse, warn

# what one rados process takes before it sends anything
PROCESS_BYTES = 64 << 20
# what a gateway holds of an object under way (rgw_put_obj_min_window_size,
# rgw_get_obj_window_size)
GATEWAY_BYTES = 16 << 20


class Locality(NamedTuple):
    """Say which OSDs of a group share the client's machine, and how known.

    ``same_host`` by host name or by an address of this machine; ``hidden``
    by loopback addresses under other host names: a cluster that lives on
    one machine, as test clusters do.
    """

    same_host: Tuple[int, ...]
    hidden: Tuple[int, ...]


class Neighbors:
    """Find which OSDs run on a machine, without a look at each of them.

    A loopback address alone is no proof of a host: namespaces of one
    machine have host names of their own, and names decide.
    """

    def __init__(self, topology: Topology, osds: Iterable[int]) -> None:
        """Know where ``osds`` are; those that the map lacks are nowhere."""
        self._named: Dict[str, Set[int]] = {}  # by short name of a host
        self._addressed: Dict[str, Set[int]] = {}
        self._loopback: List[int] = []
        for ident in osds:
            osd = topology.osds.get(ident)
            if osd is None:
                continue
            for host in {h for h in (osd.host, osd.hostname) if h}:
                self._named.setdefault(short_name(host), set()).add(ident)
            for address in osd.addresses:
                self._addressed.setdefault(address, set()).add(ident)
            if any(is_loopback(a) for a in osd.addresses):
                self._loopback.append(ident)

    def of(self, machine: Machine) -> Locality:
        """Return which of the OSDs run on ``machine``."""
        same = set(self._named.get(short_name(machine.hostname), ()))
        for address in machine.addresses:
            same.update(self._addressed.get(address, ()))
        hidden = [o for o in self._loopback if o not in same]
        return Locality(tuple(sorted(same)), tuple(hidden))


def locality_of(
    machine: Machine, topology: Topology, osds: Sequence[int]
) -> Locality:
    """Find which of ``osds`` run on ``machine``."""
    return Neighbors(topology, osds).of(machine)


def local_client(s: CheckContext) -> Findings:
    """Refuse load from a host of a tested group, unless allowed."""
    found: Findings = []
    hidden: Set[int] = set()
    # a load host that was never seen is refused as that
    machines = [m for m in s.facts.machines if m.hostname]
    groups = [
        (group.name, Neighbors(s.facts.topology, group.osds))
        for group in s.plan.groups
    ]
    near = [
        (machine.hostname, group, neighbors.of(machine))
        for machine in machines
        for group, neighbors in groups
    ]
    for own, group, known in near:
        hidden.update(known.hidden)
        if not known.same_host:
            continue
        message = (
            f'load would come from {own}, which carries '
            f'{osd_list(known.same_host)} of group {group!r}'
        )
        if s.plan.options.allow_local_client:
            found.append(
                warn(
                    message,
                    (
                        'rows get no verdict (`client locality`), unless the '
                        'host carries OSDs of both groups'
                        if s.plan.recovery is None
                        else 'it takes CPU from them that recovery lacks'
                    ),
                )
            )
        else:
            found.append(
                refuse(
                    message,
                    (
                        'give another one by --load-hosts, or '
                        if s.plan.recovery is None
                        else ''
                    )
                    + 'move the active Manager to another host (`ceph mgr '
                    'fail`), or give --allow-local-client'
                    + (
                        ': rows then get no verdict (`client locality`), '
                        'unless the host carries OSDs of both groups'
                        if s.plan.recovery is None
                        else ''
                    ),
                )
            )
    where = names([m.hostname for m in machines])
    if hidden:
        found.append(
            warn(
                f'{osd_list(sorted(hidden))} have loopback addresses: '
                f'they share the CPUs of {where} with the load under other '
                'host names',
                'fine for a test cluster; quote no such numbers',
            )
        )
    if found or not machines:
        return found
    carries = 'carries' if len(machines) == 1 else 'carry'
    return [ok(f'load comes from {where}, which {carries} no group')]


def memory_needed(workload: Workload, osds: int) -> int:
    """Return the bytes that all client processes of a trial may take.

    Each operation in flight holds its buffer twice: as the caller's and as
    the messenger's. Of an S3 object only the gateway holds a part.
    """
    flight = workload.concurrency.total(osds)
    held = workload.size
    if not workload.op.direct:
        held = min(held, GATEWAY_BYTES)
    return 2 * flight * held + workload.clients * PROCESS_BYTES


def memory(s: CheckContext) -> Findings:
    """Refuse load whose buffers do not fit the machine or the cgroup."""
    machines = s.facts.machines
    osds = max((len(g.osds) for g in s.plan.groups), default=1)
    needs = {
        w.name: memory_needed(w, osds) // max(1, len(machines))
        for w in s.plan.profile.workloads
    }
    if not needs or not machines:
        return []
    worst = max(needs, key=lambda name: needs[name])
    need = f'{worst} takes up to {format_bytes(needs[worst])} of memory'
    found: Findings = []
    rooms = [(m.memory, m) for m in machines if m.memory is not None]
    if rooms:
        room, tightest = min(rooms, key=lambda one: one[0].available)
        message = need + _on([tightest], machines)
        found += _fits(s, message, needs[worst], room)
    unknown = [m for m in machines if m.memory is None]
    if unknown:
        message = need + _on(unknown, machines)
        found.append(
            warn(
                message + '; what the machine has is not available',
                'see that it is there',
            )
        )
    return found


def _on(those: Sequence[Machine], machines: Sequence[Machine]) -> str:
    """Name machines, where there are several."""
    told = [m.hostname for m in those if m.hostname]
    return f' on {names(told)}' if told and len(machines) > 1 else ''


def _fits(
    s: CheckContext, message: str, needed: int, room: MemoryRoom
) -> Findings:
    """Judge what a load needs (bytes) by the room of a machine."""
    message += f', {format_bytes(room.available)} are free ({room.bound})'
    if needed > room.available:
        return [
            refuse(
                message,
                (
                    'lower --concurrency or --size'
                    if s.plan.recovery is not None
                    else 'lower --concurrency, --size or --clients'
                ),
            )
        ]
    if needed * 2 > room.available:
        return [warn(message, 'other processes of the host may lack memory')]
    return [ok(message)]


def tools(s: CheckContext) -> Findings:
    """Refuse without the programs of a trial; compare their versions."""
    found: Findings = []
    for tool in s.facts.tools.values():
        if tool.usable:
            continue
        message = f'{tool.name}: {tool.problem}; needed for {tool.need}'
        # what a load asks for is what it needs
        if tool.required or tool.name not in NEEDED_TOOLS:
            found.append(refuse(message, tool.remedy))
        else:
            found.append(warn(message, tool.remedy))
    rados = s.facts.tools.get('rados')
    ours = s.facts.version
    if rados and rados.usable and ours:
        if rados.version is None:
            found.append(
                warn(
                    f'{rados.path} does not say its version',
                    f'install the ceph-common of Ceph {ours}',
                )
            )
        elif rados.version != ours:
            found.append(
                warn(
                    f'rados is version {rados.version}, the cluster runs '
                    f'{ours}',
                    f'install ceph-common {ours} on the Managers',
                )
            )
    if found:
        return found
    shown = [
        f'{t.name} {t.version or ""}'.strip() for t in s.facts.tools.values()
    ]
    return [ok(f'found {names(shown)}')]


def maxtime(s: CheckContext) -> Findings:
    """Refuse a run whose worst case is longer than the option allows."""
    worst = format_duration(s.plan.seconds_max)
    limit = format_duration(s.settings.max_duration)
    message = (
        f'the run takes about {format_duration(s.plan.seconds)}, at worst '
        f'{worst}; max_duration is {limit}'
    )
    if s.plan.seconds_max > s.settings.max_duration:
        return [
            refuse(
                message,
                (
                    'give fewer --rounds or a shorter --duration'
                    if s.plan.recovery is None
                    else 'give fewer --repetitions, or a shorter --hold or '
                    '--limit'
                )
                + ', or raise mgr/perfcompare/max_duration',
            )
        ]
    return [ok(message)]
