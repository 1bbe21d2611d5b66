"""Further metrics of a trial: per core, watt, price, …, and latencies.

Each is one value for a trial. Where it has several ways (measured, else
stated by the operator) both sides of a row use the same one.
"""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import dataclasses
import math

from ..common.errors import InvalidArgument
from ..model.manifest import Manifest
from ..model.plan import GroupPlan
from ..model.trial import Trial
from . import probed, several_hosts
from .findings.facts import mapping, mixed, number

GIB = 2.0**30
TB = 1e12
HIGHER, LOWER = 'higher', 'lower'
EFFICIENCY, LATENCY = 'efficiency', 'latency'
MEASURED, STATED, RECORDED = 'measured', 'stated', 'recorded'
PROBE = f'{RECORDED}: probe'  # as one more client sees it
POWER_SOURCES = ('ipmi', 'hwmon', 'rapl')
BEYOND = 10  # operations beyond a percentile that it needs


@dataclasses.dataclass(frozen=True)
class View:
    """Hold what a metric may look at for one trial."""

    trial: Trial
    manifest: Manifest
    osds: int  # 0: not known
    plan: Optional[GroupPlan]

    @property
    def hosts(self) -> List[Dict[str, Any]]:
        """Return the figures of the group's hosts; [] unless of all."""
        found = mapping(self.trial.evidence.get('hosts'))
        names = self.manifest.hosts or (self.plan.hosts if self.plan else ())
        hosts = [mapping(found.get(name)) for name in names]
        return hosts if all(hosts) else []

    def total(
        self, read: Callable[[Any], Optional[float]]
    ) -> Optional[float]:
        """Sum a figure over the group's hosts; None unless all have it."""
        values = [read(host) for host in self.hosts]
        known = [v for v in values if v is not None]
        return sum(known) if known and len(known) == len(values) else None

    def of_each_host(
        self, values: Optional[Sequence[int]]
    ) -> Optional[float]:
        """Return hosts times a figure that is alike on all of them."""
        hosts = self.manifest.hosts
        if not hosts or not values or len(values) != 1:
            return None
        return float(values[0] * len(hosts))


Read = Callable[[View], Optional[float]]
Way = Tuple[str, Read]  # where it comes from (': ' by what), the value


@dataclasses.dataclass(frozen=True)
class Metric:
    """Define one metric besides operations per second."""

    id: str
    title: str
    unit: str
    kind: str  # EFFICIENCY or LATENCY
    better: str  # HIGHER or LOWER
    ways: Tuple[Way, ...]
    needs: str  # what is missing where it is not available
    # of what hosts did meanwhile, not of what they are
    use: bool = False


def _cores(view: View) -> Optional[float]:
    """Count the CPUs of the kernels: of SMT, each hardware thread."""
    return view.total(lambda h: number(h, 'cores'))


def _ghz_cores(host: Any) -> Optional[float]:
    cores, ghz = number(host, 'cores'), number(host, 'ghz')
    return None if cores is None or ghz is None else cores * ghz


def _cpu_seconds(host: Any) -> Optional[float]:
    cores, busy = number(host, 'cores'), number(host, 'cpu_busy')
    return None if cores is None or busy is None else cores * busy


def _own_cpu_seconds(host: Any) -> Optional[float]:
    """Return what a host used itself: a hypervisor's part is not its."""
    cores, stolen = number(host, 'cores'), number(host, 'cpu_steal')
    busy = _cpu_seconds(host)
    if busy is None or cores is None:
        return None
    return max(0.0, busy - cores * (stolen or 0.0))


def host_cpu(view: View) -> Optional[float]:
    """Return the busy share (0…1) of all cores of the group's hosts.

    What a hypervisor took from them is in it: nothing else can have it.
    """
    used = None if mixed(view.trial) else view.total(_cpu_seconds)
    cores = _cores(view)
    return None if used is None or not cores else used / cores


def _memory(view: View) -> Optional[float]:
    found = view.total(lambda h: number(h, 'mem_total'))
    return None if found is None else found / GIB


def _known_memory(view: View) -> Optional[float]:
    found = view.of_each_host(view.manifest.mem_total_kb)
    return None if found is None else found * 1024 / GIB


def _capacity(view: View) -> Optional[float]:
    size = view.manifest.size_bytes
    return size / TB if size else None


def _watts(source: str) -> Way:
    """Read the power of hosts that all have sensors of one kind.

    Whole machines are not held against processors alone.
    """

    def of_host(host: Any) -> Optional[float]:
        same = host.get('watts_source') == source
        return number(host, 'watts') if same else None

    def read(view: View) -> Optional[float]:
        return None if mixed(view.trial) else view.total(of_host)

    return f'{MEASURED}: {source}', read


def _plan(name: str) -> Read:
    return lambda view: getattr(view.plan, name) if view.plan else None


def _per(*divisors: Way) -> Tuple[Way, ...]:
    """Divide operations per second by each way's value."""

    def quotient(divisor: Read) -> Read:
        def read(view: View) -> Optional[float]:
            summary, by = view.trial.summary, divisor(view)
            if summary is None or summary.ops_per_s is None or not by:
                return None
            return summary.ops_per_s / by

        return read

    return tuple((basis, quotient(read)) for basis, read in divisors)


def client_cores(trial: Trial) -> Optional[float]:
    """Return the cores that the client's processes used, on all its hosts.

    The summary of several has those of the busiest, which may be a limit.
    """
    several = list(several_hosts.hosts(trial).values())
    if not several:
        return trial.summary.client_cores if trial.summary else None
    used = [number(host, 'cores') for host in several]
    known = [cores for cores in used if cores is not None]
    return sum(known) if len(known) == len(used) else None


def client_cpu_per_op(trial: Trial) -> Optional[float]:
    """Return the CPU seconds of the client's processes for an operation."""
    used, summary = client_cores(trial), trial.summary
    if used is None or summary is None or not summary.ops_per_s:
        return None
    return used / summary.ops_per_s


def cpu_per_op(view: View) -> Optional[float]:
    """Return the CPU seconds of the group's hosts for an operation."""
    used = None if mixed(view.trial) else view.total(_own_cpu_seconds)
    summary = view.trial.summary
    if used is None or summary is None or not summary.ops_per_s:
        return None
    return used / summary.ops_per_s


def _percentile(name: str) -> Read:
    def read(view: View) -> Optional[float]:
        summary = view.trial.summary
        if summary is None or not enough(summary.ops, name):
            return None
        if probed.asked(view.trial):
            return None
        return summary.percentiles.get(name)

    return read


def _probe(name: str) -> Read:
    def read(view: View) -> Optional[float]:
        summary = view.trial.summary
        if summary is None or not probed.asked(view.trial):
            return None
        return summary.percentiles.get(name)

    return read


def _first_byte(name: str) -> Read:
    def read(view: View) -> Optional[float]:
        client = mapping(view.trial.evidence.get('client'))
        get = mapping(mapping(client.get('operations')).get('get'))
        ops = number(get, 'ops')
        if ops is None or not enough(ops, name):
            return None
        return number(mapping(get.get('first_byte')), name)

    return read


def enough(ops: float, percentile: str) -> bool:
    """Say whether 10 of ``ops`` operations are beyond 'p99' or its like."""
    beyond = 1.0 - float(percentile.lstrip('p')) / 100.0
    return beyond > 0.0 and ops * beyond >= BEYOND - 1e-6


def _latencies() -> Tuple[Metric, ...]:
    found = []
    for prefix, title, reads in (
        ('latency', 'latency', {RECORDED: _percentile, PROBE: _probe}),
        ('ttfb', 'first byte', {RECORDED: _first_byte}),
    ):
        for name in ('p50', 'p95', 'p99', 'p99.9'):
            found.append(
                Metric(
                    f'{prefix}-{name}', f'{title} {name}', 's', LATENCY,
                    LOWER, tuple((way, r(name)) for way, r in reads.items()),
                    'a recorded distribution with enough operations',
                )  # fmt: skip
            )
    return tuple(found)


METRICS: Tuple[Metric, ...] = (
    Metric(
        'ops-per-core', 'per CPU', 'op/s', EFFICIENCY, HIGHER,
        _per(
            (MEASURED, _cores),
            (STATED, lambda v: v.of_each_host(v.manifest.cores)),
        ),
        'the CPUs (hardware threads) of all hosts (node_exporter)',
    ),
    Metric(
        'ops-per-ghz-core', 'per GHz and CPU', 'op/s', EFFICIENCY, HIGHER,
        _per((MEASURED, lambda v: v.total(_ghz_cores))),
        'CPUs and highest GHz of all hosts (node_exporter)',
    ),
    Metric(
        'ops-per-gib-ram', 'per GiB of memory', 'op/s', EFFICIENCY, HIGHER,
        _per((MEASURED, _memory), (RECORDED, _known_memory)),
        'the memory of all hosts',
    ),
    Metric(
        'ops-per-tb', 'per TB', 'op/s', EFFICIENCY, HIGHER,
        _per((RECORDED, _capacity)), 'the size of the drives',
    ),
    Metric(
        'ops-per-watt', 'per watt', 'op/s', EFFICIENCY, HIGHER,
        _per(
            *map(_watts, POWER_SOURCES), (STATED, _plan('watts')),
        ),
        'power of both groups, measured by sensors of one kind or by '
        '`group set --watts`',
        use=True,
    ),
    Metric(
        'ops-per-price', 'per price', 'op/s', EFFICIENCY, HIGHER,
        _per((STATED, _plan('price'))),
        'prices of both groups (`group set --price`)',
    ),
    Metric(
        'cpu-per-op', 'CPU time per operation', 's', EFFICIENCY, LOWER,
        ((MEASURED, cpu_per_op),),
        'the CPU time of all hosts (node_exporter)',
        use=True,
    ),
) + _latencies()  # fmt: skip


# what is missing of a metric by use, where hosts are read all the same
ALONE = (
    'hosts that did nothing but what is measured: what deletes take is '
    'written between them'
)


def lacking(metric: Metric, sides: Sequence[Sequence[View]]) -> str:
    """Return what is missing of a metric that is not available."""
    shared = any(mixed(view.trial) for side in sides for view in side)
    return ALONE if metric.use and shared else metric.needs


GROUPS_OF_METRICS = ('primary', 'all', EFFICIENCY, LATENCY)


def choose(words: Sequence[str]) -> List[str]:
    """Return the ids of the further metrics that ``words`` name.

    `primary` is none of them, `all` is all, `efficiency` and `latency` are
    those kinds. Raises InvalidArgument for an unknown word.
    """
    found: List[str] = []
    for word in [part for text in words for part in text.split(',')]:
        ids = [m.id for m in METRICS if word in ('all', m.kind, m.id)]
        if not ids and word != 'primary':
            known = [*GROUPS_OF_METRICS, *(m.id for m in METRICS)]
            raise InvalidArgument(
                f'--metrics: {word!r} is not a metric; give one or more of '
                + ', '.join(known)
            )
        found += ids
    return list(dict.fromkeys(found))


def values(
    metric: Metric, sides: Sequence[Sequence[View]]
) -> Tuple[str, List[List[float]]]:
    """Return by which way all trials of both sides have a value, and them.

    ('', []) where there is no such way.
    """
    for basis, read in metric.ways:
        if any(read(side[0]) is None for side in sides):
            continue  # what the first trial lacks is mostly lacking
        found = [[read(view) for view in side] for side in sides]
        if all(found) and all(
            v is not None and v > 0.0 and math.isfinite(v)
            for side in found
            for v in side
        ):
            return basis, found  # type: ignore
    return '', []
