"""An in-memory Cluster for unit tests; what Ceph really does is proven
elsewhere, on a real cluster.

The state is in public attributes, so that a test can set any of it. The
CRUSH of this cluster is simple, but keeps what counts: hosts with several
parents, class filters, one replica per failure domain, upmaps that break the
rule are dropped silently, rules and profiles in use cannot be removed.
"""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
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

from ..errors import (
    AlreadyExists,
    CommandFailed,
    InvalidArgument,
    NotPermitted,
    TryAgain,
)
from ..topology import (
    Bucket,
    Health,
    HealthCheck,
    MgrState,
    MonState,
    PgMapping,
    Pool,
    PoolIo,
    PoolLatency,
    Rule,
    Topology,
)
from . import fake_crush

F = TypeVar('F', bound=Callable[..., Any])
APPLICATION = 'perfcompare'


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


def verb(method: F) -> F:
    """Log the call, serialize it, and fail it where a test wants that."""

    @functools.wraps(method)
    def call(self: 'FakeCluster', *args: Any, **kwargs: Any) -> Any:
        name = method.__name__
        with self.lock:
            self.calls.append(Call(name, args, kwargs))
            failure = self.failures.get(name)
            if failure is None or failure.times <= 0:
                return method(self, *args, **kwargs)
            failure.times -= 1
            if failure.made:
                method(self, *args, **kwargs)
            raise failure.error

    return cast(F, call)


class FakeCluster:
    """Behave like ``cluster.Cluster``, without Ceph.

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
        self.raw_bytes: Dict[str, int] = {}  # pool -> raw, when not implied
        self.last_pool_id = 0
        self.upmaps: Dict[Tuple[int, int], Tuple[int, ...]] = {}
        self.upmap_items: Dict[Tuple[int, int], Dict[int, int]] = {}
        self.allows_upmap = True
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
        self.mon_runtime: Dict[str, str] = {'mon_allow_pool_delete': 'true'}
        self.osd_runtime: Dict[int, Dict[str, str]] = {}
        self.osd_defaults: Dict[str, str] = {
            'osd_mclock_profile': 'balanced',
            'bluestore_cache_size': '0',
        }
        self.options: Dict[str, str] = {
            'mon_max_pg_per_osd': '250',
            'mon_allow_pool_delete': 'true',
        }
        self.upgrade: Optional[str] = None
        self.balancer: Dict[str, Any] = {'active': True, 'mode': 'upmap'}
        self.auth: Dict[str, Dict[str, str]] = {
            'client.admin': {'mon': 'allow *', 'osd': 'allow *'}
        }
        self.sessions: Dict[str, List[str]] = {}
        self.blocked: List[str] = []
        self.perf: Dict[int, Dict[str, Any]] = {}
        self.counters: Dict[int, Dict[str, Any]] = {}
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
        names += 'upmap_items flags config auth blocked kv'
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

    def _own_pool(self, name: str) -> Pool:
        pool = self._pool(name)
        if APPLICATION not in pool.application:
            raise NotPermitted(f'pool {name!r} is not one of perfcompare')
        return pool

    def _edit_pool(self, name: str, **fields: Any) -> None:
        self.pool_table[name] = dataclasses.replace(
            self._pool(name), **fields
        )
        self.epoch += 1

    def _rule_of(self, pool: Pool) -> Rule:
        return next(r for r in self.rules.values() if r.id == pool.crush_rule)

    # ClusterReads

    @verb
    def fsid(self) -> str:
        return '4c1c4e3a-0000-4000-8000-000000000001'

    @verb
    def ceph_version(self) -> str:
        return '20.2.4'

    @verb
    def conf_path(self) -> str:
        return '/etc/ceph/ceph.conf'

    @verb
    def mon_round_trip(self) -> None:
        pass

    @verb
    def topology(self) -> Topology:
        return Topology(
            self.epoch, dict(self.osds), dict(self.buckets), dict(self.rules)
        )

    @verb
    def osdmap_epoch(self) -> int:
        return self.epoch

    @verb
    def osds_down_or_out(self) -> Dict[int, str]:
        return {
            o.id: 'out' if o.up else 'down'
            for o in self.osds.values()
            if not (o.up and o.in_)
        }

    @verb
    def osdmap_flags(self) -> Sequence[str]:
        return list(self.flags)

    @verb
    def pools(self) -> List[Pool]:
        return sorted(self.pool_table.values(), key=lambda p: p.id)

    @verb
    def pool_io(self) -> Dict[int, PoolIo]:
        return {
            p.id: self.io.get(p.id, PoolIo())
            for p in self.pool_table.values()
        }

    @verb
    def pool_latency(self) -> Optional[Dict[int, PoolLatency]]:
        return self.latency

    @verb
    def pool_latency_end(self) -> None:
        pass

    @verb
    def full_ratios(self) -> Dict[str, float]:
        return dict(self.ratios)

    @verb
    def pool_df(self, name: str) -> Dict[str, int]:
        pool = self._pool(name)
        raw = self.raw_bytes.get(name, pool.stored_bytes * pool.size)
        return {
            'objects': pool.objects,
            'stored': pool.stored_bytes,
            'raw': raw,
        }

    @verb
    def health(self) -> Health:
        worst = [c.severity for c in self.checks.values() if not c.muted]
        status = 'HEALTH_OK'
        for severity in ('HEALTH_WARN', 'HEALTH_ERR'):
            status = severity if severity in worst else status
        return Health(status, dict(self.checks))

    @verb
    def pg_states(self) -> Dict[str, int]:
        found: Dict[str, int] = {}
        for pool in self.pool_table.values():
            for state, count in self._states(pool).items():
                found[state] = found.get(state, 0) + count
        return found

    def _states(self, pool: Pool) -> Dict[str, int]:
        return self.pg_states_of.get(pool.id, {self.pg_state: pool.pg_num})

    @verb
    def pool_pg_states(self, pool_id: int) -> Dict[str, int]:
        polls = self._polls[pool_id] = self._polls.get(pool_id, 0) + 1
        for pool in self.pool_table.values():
            if pool.id == pool_id:
                if polls <= self.creating_polls:
                    return {'creating+peering': pool.pg_num}
                return self._states(pool)
        return {}

    @verb
    def osd_pg_states(self, osds: Sequence[int]) -> Dict[str, int]:
        found: Dict[str, int] = {}
        for pool in self.pool_table.values():
            (state, *_), maps = list(self._states(pool)), self._map(pool)
            for mapping in maps:
                count = len(set(mapping.up) & set(osds))
                found[state] = found.get(state, 0) + count
        return {state: n for state, n in found.items() if n}

    def _map(self, pool: Pool) -> List[PgMapping]:
        candidates = fake_crush.rule_osds(
            self._rule_of(pool), self.buckets, self.osds
        )
        found = []
        for ps in range(pool.pg_num):
            up = fake_crush.choose(pool.id, ps, pool.size, candidates)
            full = self.upmaps.get((pool.id, ps))
            if full is not None:
                up = full
            moves = self.upmap_items.get((pool.id, ps), {})
            up = tuple(moves.get(o, o) for o in up)
            found.append(PgMapping(ps, up, up))
        return found

    @verb
    def pg_stats_now(self, osds: Sequence[int]) -> None:
        pass

    @verb
    def pg_map(self, pool: str) -> List[PgMapping]:
        return self._map(self._pool(pool))

    @verb
    def pg_upmap_items(self, pool: str) -> Dict[int, Dict[int, int]]:
        wanted = self._pool(pool).id
        return {
            ps: dict(moves)
            for (ident, ps), moves in self.upmap_items.items()
            if ident == wanted
        }

    @verb
    def pg_upmaps(self, pool: str) -> Dict[int, Tuple[int, ...]]:
        wanted = self._pool(pool).id
        return {
            ps: osds
            for (ident, ps), osds in self.upmaps.items()
            if ident == wanted
        }

    @verb
    def upmap_allowed(self) -> bool:
        return self.allows_upmap

    @verb
    def mon_state(self) -> MonState:
        return self.mons

    @verb
    def mgr_state(self) -> MgrState:
        return self.mgrs

    @verb
    def mon_config(self, mon: str, option: str) -> str:
        for who in (f'mon.{mon}', 'mon', 'global'):
            if (who, option) in self.config:
                return self.config[(who, option)]
        return self.mon_runtime.get(option, '')

    @verb
    def osd_config(self, osd: int, options: Sequence[str]) -> Dict[str, str]:
        own = self.osd_runtime.get(osd, {})
        return {o: own.get(o, self.osd_defaults.get(o, '')) for o in options}

    @verb
    def config_get(self, who: str, option: str) -> Optional[str]:
        return self.config.get((who, option))

    @verb
    def option(self, name: str) -> str:
        return self.options.get(name, '')

    @verb
    def upgrade_in_progress(self) -> Optional[str]:
        return self.upgrade

    @verb
    def balancer_status(self) -> Dict[str, Any]:
        return dict(self.balancer)

    @verb
    def rule_names(self) -> List[str]:
        return list(self.rules)

    @verb
    def ec_profile_names(self) -> List[str]:
        return list(self.ec_profiles)

    @verb
    def ec_profile(self, name: str) -> Dict[str, str]:
        if name not in self.ec_profiles:
            raise CommandFailed(
                'osd erasure-code-profile get',
                errno.ENOENT,
                f'unknown erasure code profile {name!r}',
            )
        return dict(self.ec_profiles[name])

    @verb
    def auth_entities(self) -> List[str]:
        return list(self.auth)

    @verb
    def client_sessions(self, entity: str) -> List[str]:
        return list(self.sessions.get(entity, []))

    @verb
    def blocklist(self) -> List[str]:
        return list(self.blocked)

    @verb
    def osd_perf_dump(
        self, osd: int, logger: Optional[str] = None
    ) -> Dict[str, Any]:
        dump = self.perf.get(osd, {'osd': {'numpg_removing': 0}})
        return {k: v for k, v in dump.items() if logger in (None, k)}

    @verb
    def osd_latest_counters(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Any]:
        counters = self.counters.get(osd, {})
        return {p: counters[p] for p in paths if p in counters}

    # ClusterWrites

    @verb
    def crush_add_root(self, name: str) -> None:
        if name in self.buckets:
            raise AlreadyExists(f'CRUSH bucket {name!r} exists already')
        ident = min(b.id for b in self.buckets.values()) - 1
        self.buckets[name] = Bucket(ident, name, 'root', ())
        self.epoch += 1

    def _host_and_root(self, host: str, root: str) -> Tuple[Bucket, Bucket]:
        for name in (host, root):
            if name not in self.buckets:
                raise CommandFailed(
                    'osd crush', errno.ENOENT, f'item {name} does not exist'
                )
        return self.buckets[host], self.buckets[root]

    @verb
    def crush_link_host(self, host: str, root: str) -> None:
        bucket, parent = self._host_and_root(host, root)
        if bucket.id not in parent.items:
            self.buckets[root] = dataclasses.replace(
                parent, items=parent.items + (bucket.id,)
            )
            self.epoch += 1

    @verb
    def crush_unlink_host(self, host: str, root: str) -> None:
        bucket, parent = self._host_and_root(host, root)
        if bucket.id not in parent.items:
            return
        parents = [b for b in self.buckets.values() if bucket.id in b.items]
        if len(parents) < 2:
            raise NotPermitted(
                f'host {host!r} has no parent but {root!r}; '
                'move it below another bucket first'
            )
        self.buckets[root] = dataclasses.replace(
            parent, items=tuple(i for i in parent.items if i != bucket.id)
        )
        self.epoch += 1

    @verb
    def crush_remove_root(self, name: str) -> None:
        bucket = self.buckets.get(name)
        if bucket is None:
            return
        if bucket.items:
            raise CommandFailed(
                'osd crush rm', errno.ENOTEMPTY, 'Directory not empty'
            )
        if any(r.root == name for r in self.rules.values()):
            raise CommandFailed(
                'osd crush rm', errno.EBUSY, f'{name!r} is in use by a rule'
            )
        del self.buckets[name]
        self.epoch += 1

    @verb
    def rule_create(
        self,
        name: str,
        root: str,
        failure_domain: str,
        device_class: Optional[str],
    ) -> None:
        if name in self.rules:
            raise AlreadyExists(f'CRUSH rule {name!r} exists already')
        if root not in self.buckets:
            raise CommandFailed(
                'osd crush rule create-replicated',
                errno.ENOENT,
                f'root item {root} does not exist',
            )
        classes = {o.device_class for o in self.osds.values()}
        if device_class is not None and device_class not in classes:
            raise CommandFailed(
                'osd crush rule create-replicated',
                errno.EINVAL,
                f'device class {device_class} does not exist',
            )
        ident = 1 + max(r.id for r in self.rules.values())
        self.rules[name] = Rule(
            ident, name, root, device_class, failure_domain
        )
        self.epoch += 1

    @verb
    def rule_remove(self, name: str) -> None:
        rule = self.rules.get(name)
        if rule is None:
            return
        if any(p.crush_rule == rule.id for p in self.pool_table.values()):
            raise CommandFailed(
                'osd crush rule rm',
                errno.EBUSY,
                f'crush rule {name} is in use',
            )
        del self.rules[name]
        self.epoch += 1

    @verb
    def ec_profile_set(self, name: str, values: Mapping[str, str]) -> None:
        if name in self.ec_profiles:
            raise AlreadyExists(
                f'erasure-code profile {name!r} exists already'
            )
        self.ec_profiles[name] = dict(values)
        self.epoch += 1

    @verb
    def ec_profile_remove(self, name: str) -> None:
        users = [
            p.name
            for p in self.pool_table.values()
            if p.erasure_code_profile == name
        ]
        if users:
            raise CommandFailed(
                'osd erasure-code-profile rm',
                errno.EBUSY,
                f'{users[0]} pool(s) are using the profile {name!r}',
            )
        if self.ec_profiles.pop(name, None) is not None:
            self.epoch += 1

    @verb
    def pool_create(
        self,
        name: str,
        pg_num: int,
        rule: str,
        size: int,
        min_size: int,
        ec_profile: Optional[str],
    ) -> None:
        if name in self.pool_table:
            raise AlreadyExists(f'pool {name!r} exists already')
        if ec_profile is not None:
            values = self.ec_profile(ec_profile)
            size = int(values['k']) + int(values['m'])
            rule = name
            self.rule_create(
                name,
                values.get('crush-root', 'default'),
                values.get('crush-failure-domain', 'host'),
                values.get('crush-device-class') or None,
            )
        if rule not in self.rules:
            raise CommandFailed(
                'osd pool create',
                errno.ENOENT,
                f"specified rule {rule} doesn't exist",
            )
        self.add_pool(
            name,
            pg_num,
            size=size,
            min_size=min_size if ec_profile is None else size - 1,
            crush_rule=self.rules[rule].id,
            erasure_code_profile=ec_profile or '',
            autoscale_mode='off',
        )
        self.epoch += 1

    @verb
    def pool_set(self, name: str, key: str, value: str) -> None:
        pool = self._own_pool(name)
        if key == 'min_size':
            self._edit_pool(name, min_size=int(value))
        elif key in ('noscrub', 'nodeep-scrub', 'nodelete'):
            flags = set(pool.flags) - {key}
            if value in ('1', 'true'):
                flags.add(key)
            self._edit_pool(name, flags=tuple(sorted(flags)))
        else:
            raise InvalidArgument(f'the fake knows no pool option {key!r}')

    @verb
    def pool_set_quota(self, name: str, max_bytes: int) -> None:
        self._own_pool(name)
        self._edit_pool(name, quota_max_bytes=max_bytes)

    @verb
    def pool_set_application(
        self, name: str, application: str, key: str, value: str
    ) -> None:
        metadata = copy.deepcopy(self._pool(name).application)
        metadata.setdefault(application, {})
        if key:
            metadata[application][key] = value
        self._edit_pool(name, application=metadata)

    @verb
    def pool_remove(self, name: str) -> None:
        if name not in self.pool_table:
            return
        pool = self._own_pool(name)
        if self.mon_config(self.mons.quorum[0], 'mon_allow_pool_delete') in (
            'false',
            '0',
        ):
            raise CommandFailed(
                'osd pool rm',
                errno.EPERM,
                'pool deletion is disabled; you must first set the '
                'mon_allow_pool_delete config option to true before you can '
                'destroy a pool',
            )
        rule = self._rule_of(pool)
        del self.pool_table[name]
        if pool.erasure_code_profile and not any(
            p.crush_rule == rule.id for p in self.pool_table.values()
        ):
            del self.rules[rule.name]
        for table in (self.upmaps, self.upmap_items):
            for key in [k for k in table if k[0] == pool.id]:
                del table[key]
        self.epoch += 1

    def _valid_mapping(self, pool: Pool, osds: Sequence[int]) -> bool:
        candidates = fake_crush.rule_osds(
            self._rule_of(pool), self.buckets, self.osds
        )
        domains = [d for o in osds for d, ids in candidates if o in ids]
        return len(osds) == pool.size == len(set(domains)) == len(domains)

    @verb
    def pg_upmap(self, pool: str, ps: int, moves: Mapping[int, int]) -> None:
        own = self._own_pool(pool)
        up = [moves.get(o, o) for o in self._map(own)[ps].up]
        if self._valid_mapping(own, up):
            self.upmap_items[(own.id, ps)] = dict(moves)
        self.epoch += 1

    @verb
    def pg_upmap_order(self, pool: str, ps: int, osds: Sequence[int]) -> None:
        own = self._own_pool(pool)
        if not self.allows_upmap:
            raise CommandFailed(
                'osd pg-upmap', errno.EPERM, 'min_compat_client < luminous'
            )
        if self._valid_mapping(own, osds):
            self.upmaps[(own.id, ps)] = tuple(osds)
        self.epoch += 1

    @verb
    def pg_upmap_clear(self, pool: str, ps: int) -> None:
        ident = self._own_pool(pool).id
        self.upmaps.pop((ident, ps), None)
        self.upmap_items.pop((ident, ps), None)
        self.epoch += 1

    @verb
    def auth_create(self, entity: str, caps: Mapping[str, str]) -> str:
        if entity in self.auth:
            raise AlreadyExists(f'{entity} exists already')
        self.auth[entity] = dict(caps)
        return f'[{entity}]\n\tkey = FAKE/KEY/OF/{entity}==\n'

    @verb
    def auth_caps(self, entity: str, caps: Mapping[str, str]) -> None:
        if entity not in self.auth:
            raise CommandFailed(
                'auth caps', errno.ENOENT, f'entity {entity} does not exist'
            )
        self.auth[entity] = dict(caps)

    @verb
    def auth_remove(self, entity: str) -> None:
        self.auth.pop(entity, None)

    @verb
    def blocklist_add(self, address: str, seconds: float) -> None:
        if address not in self.blocked:
            self.blocked.append(address)
        self.epoch += 1

    @verb
    def blocklist_remove(self, address: str) -> None:
        if address in self.blocked:
            self.blocked.remove(address)
            self.epoch += 1

    @verb
    def config_set(self, who: str, option: str, value: str) -> None:
        self.config[(who, option)] = value

    @verb
    def config_remove(self, who: str, option: str) -> None:
        self.config.pop((who, option), None)

    # ClusterVoice

    @verb
    def log_info(self, message: str) -> None:
        self.log.append(('info', message))

    @verb
    def log_warn(self, message: str) -> None:
        self.log.append(('warn', message))

    @verb
    def set_health_warning(
        self, code: str, summary: str, detail: Sequence[str]
    ) -> None:
        self.warnings[code] = (summary, list(detail))

    @verb
    def clear_health_warning(self, code: str) -> None:
        self.warnings.pop(code, None)

    @verb
    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        self.progress[ident] = (message, fraction)

    @verb
    def progress_complete(self, ident: str) -> None:
        self.progress.pop(ident, None)

    @verb
    def kv_get(self, key: str) -> Optional[str]:
        return self.kv.get(key)

    @verb
    def kv_set(self, key: str, value: str) -> None:
        if len(value.encode()) >= 4096:
            raise InvalidArgument(
                f'value of {key!r} has {len(value.encode())} bytes; '
                'at most 4095 can be stored'
            )
        self.kv[key] = value

    @verb
    def kv_remove(self, key: str) -> None:
        self.kv.pop(key, None)

    @verb
    def kv_list(self, prefix: str) -> Dict[str, str]:
        return {
            k: v for k, v in sorted(self.kv.items()) if k.startswith(prefix)
        }
