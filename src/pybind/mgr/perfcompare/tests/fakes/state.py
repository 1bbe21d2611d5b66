"""The state of the fake cluster, and how its calls are logged and failed."""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    cast,
)

import copy
import dataclasses
import errno
import functools
import threading

from ...common.errors import CommandFailed, TryAgain
from ...model.topology import (
    ExporterPlace,
    GatewayZone,
    HealthCheck,
    MgrState,
    MonState,
    PgContents,
    Pool,
    PoolIo,
    PoolLatency,
    Rule,
    Traffic,
)
from . import crush as fake_crush

F = TypeVar('F', bound=Callable[..., Any])


class Call(NamedTuple):
    """One call of a verb."""

    verb: str
    args: Tuple[Any, ...]
    kwargs: Dict[str, Any]


@dataclasses.dataclass
class Failure:
    """One injected failure."""

    times: int
    error: Exception
    made: bool  # whether the change is made nevertheless
    skip: int = 0  # calls that go well before


def verb(method: F) -> F:
    """Log the call, serialize it, and fail it where a test wants that."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = method.__name__
        with self.lock:
            self.calls.append(Call(name, args, kwargs))
            failure = self.failures.get(name)
            if failure is None or failure.times <= 0:
                return method(self, *args, **kwargs)
            if failure.skip > 0:
                failure.skip -= 1
                return method(self, *args, **kwargs)
            failure.times -= 1
            if failure.made:
                method(self, *args, **kwargs)
            raise failure.error

    return cast(F, call)


class FakeState:
    """Hold what a cluster is made of.

    ``hosts`` are (name, device class, arch, number of OSDs).
    """

    def __init__(
        self,
        hosts: Sequence[Tuple[str, str, str, int]] = fake_crush.MINI_CLUSTER,
        size_bytes: int = 10 << 30,
    ) -> None:
        self.lock = threading.RLock()
        self.calls: List[Call] = []
        self.failures: Dict[str, Failure] = {}
        self.epoch = 10
        self.osds, self.buckets = fake_crush.build(hosts, size_bytes)
        self.rules: Dict[str, Rule] = {
            'replicated_rule': Rule(
                0, 'replicated_rule', 'default', None, 'host'
            )
        }
        self.ec_profiles: Dict[str, Dict[str, str]] = {
            'default': {
                'k': '2',
                'm': '2',
                'plugin': 'isa',
                'technique': 'reed_sol_van',
            }
        }
        self.pool_table: Dict[str, Pool] = {}
        self.quotas: Dict[str, int] = {}  # pool -> bytes
        self.raw_bytes: Dict[str, int] = {}  # pool -> raw, when not implied
        self.last_pool_id = 0
        self.upmaps: Dict[Tuple[int, int], Tuple[int, ...]] = {}
        self.upmap_items: Dict[Tuple[int, int], Dict[int, int]] = {}
        self.primaries: Dict[Tuple[int, int], int] = {}
        self.allows_upmap = True
        self.keeps_ec_rules = False  # as Reef does when a pool is removed
        self.flags: List[str] = []
        self.ratios = {'nearfull': 0.85, 'backfillfull': 0.9, 'full': 0.95}
        self.io: Dict[int, PoolIo] = {}
        self.latency: Optional[Dict[int, PoolLatency]] = {}
        self.checks: Dict[str, HealthCheck] = {}
        self.pg_state = 'active+clean'
        self.pg_states_of: Dict[int, Dict[str, int]] = {}  # by pool id
        self.creating_polls = 0  # polls that see a young pool's PGs creating
        self._polls: Dict[int, int] = {}
        self.mons = MonState(4, ('a',), ('a',))
        self.mgrs = MgrState('x', (), {}, {'x': '20.2.4'}, 'x86-1')
        self.config: Dict[Tuple[str, str], str] = {}
        self.module_options: Dict[str, str] = {  # as in the running mgr
            'mgr/balancer/active': 'true',
            'mgr/balancer/mode': 'upmap',
        }
        self.mon_runtime: Dict[str, str] = {
            'mon_allow_pool_delete': 'true',
            'mon_max_pg_per_osd': '250',
            'mon_osd_max_initial_pgs': '1024',
            'mon_osd_down_out_interval': '600',
            'mon_osd_down_out_subtree_limit': 'rack',
            'mon_osd_min_in_ratio': '0.75',
        }
        self.mon_pinned: List[str] = []  # options set in mons' own files
        self.osd_runtime: Dict[int, Dict[str, str]] = {}
        self.osd_defaults: Dict[str, str] = {
            'osd_mclock_profile': 'balanced',
            'bluestore_cache_size': '0',
        }
        self.options: Dict[str, str] = {
            'mon_max_pg_per_osd': '250',
            'mon_osd_max_initial_pgs': '1024',
            'mon_allow_pool_delete': 'true',
        }
        self.zones: List[GatewayZone] = []
        self.upgrade: Optional[str] = None
        self.balancer: Dict[str, Any] = {'active': True, 'mode': 'upmap'}
        self.exporters: List[ExporterPlace] = []
        self.address = ''
        self.auth: Dict[str, Dict[str, str]] = {
            'client.admin': {'mon': 'allow *', 'osd': 'allow *'}
        }
        self.sessions: Dict[str, List[str]] = {}
        self.blocked: List[str] = []
        self.perf: Dict[int, Dict[str, Any]] = {}
        # OSD -> path -> reports (time, value) or (time, sum, number)
        self.history: Dict[int, Dict[str, List[Tuple[float, ...]]]] = {}
        self.histograms: Dict[int, Dict[str, Any]] = {}
        self.pg_held: Dict[Tuple[int, int], PgContents] = {}
        self.traffic_seen: Dict[Tuple[int, int], Traffic] = {}
        self.traffic_queries = 0
        self.kv: Dict[str, str] = {}
        self.log: List[Tuple[str, str]] = []  # (level, message)
        self.warnings: Dict[str, Tuple[str, List[str]]] = {}
        self.progress: Dict[str, Tuple[str, float]] = {}

    # for tests

    def fail_on(
        self,
        name: str,
        times: int = 1,
        error: Optional[Exception] = None,
        made: bool = False,
    ) -> None:
        """Let the next ``times`` calls of a verb fail.

        With ``made`` the change is made first: Ceph did it, its answer got
        lost.
        """
        assert callable(getattr(self, name)), name
        self.failures[name] = Failure(
            times, error or TryAgain(f'{name}: no answer in time'), made
        )

    def called(self, name: str) -> List[Call]:
        """Return the logged calls of a verb."""
        return [c for c in self.calls if c.verb == name]

    def snapshot(self) -> Dict[str, Any]:
        """Return a copy of all that a run must leave as it was."""
        names = 'osds buckets rules ec_profiles pool_table upmaps '
        names += 'upmap_items primaries flags config auth blocked kv'
        return {n: copy.deepcopy(getattr(self, n)) for n in names.split()}

    def add_pool(self, name: str, pg_num: int = 8, **fields: Any) -> Pool:
        """Add somebody else's pool; ``fields`` are those of ``Pool``."""
        self.last_pool_id += 1
        values: Dict[str, Any] = dict(
            id=self.last_pool_id,
            name=name,
            size=2,
            min_size=1,
            pg_num=pg_num,
            pg_num_target=pg_num,
            pgp_num=pg_num,
            pgp_num_target=pg_num,
            crush_rule=0,
        )
        values.update(fields)
        self.pool_table[name] = Pool(**values)
        return self.pool_table[name]

    def write(self, pool: str, objects: int, stored: int) -> None:
        """Let a pool hold so many objects and bytes."""
        self._edit_pool(pool, objects=objects, stored_bytes=stored)

    def set_osd(self, osd: int, **fields: Any) -> None:
        """Change fields of an OSD (``up``, ``in_``, ``rotational`` …)."""
        self.osds[osd] = dataclasses.replace(self.osds[osd], **fields)
        self.epoch += 1

    def set_health(
        self, code: str, message: str, severity: str = 'HEALTH_WARN'
    ) -> None:
        """Raise a health check of Ceph's own."""
        self.checks[code] = HealthCheck(severity, message)

    def _pool(self, name: str) -> Pool:
        if name not in self.pool_table:
            raise CommandFailed(
                'osd pool get', errno.ENOENT, f'unrecognized pool {name!r}'
            )
        return self.pool_table[name]

    def _edit_pool(self, name: str, **fields: Any) -> None:
        self.pool_table[name] = dataclasses.replace(
            self._pool(name), **fields
        )
        self.epoch += 1

    def _rule_of(self, pool: Pool) -> Rule:
        return next(r for r in self.rules.values() if r.id == pool.crush_rule)
