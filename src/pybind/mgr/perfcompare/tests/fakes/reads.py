"""How the fake cluster is read."""

from typing import (
    Any,
    Dict,
    List,
    Optional,
    Sequence,
    Tuple,
)

import errno

from ...ceph import monconfig
from ...common.errors import CommandFailed
from ...model.topology import (
    ExporterPlace,
    GatewayZone,
    Health,
    MgrState,
    MonState,
    PgContents,
    PgCounts,
    PgMapping,
    Pool,
    PoolIo,
    PoolLatency,
    Topology,
    Traffic,
)
from . import crush as fake_crush
from .state import FakeState, verb


class FakeReads(FakeState):
    """Implement the reads of ``ports``."""

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
    def traffic_begin(self) -> Optional[int]:
        self.traffic_queries += 1
        return self.traffic_queries

    @verb
    def traffic(self, query: int) -> Dict[Tuple[int, int], Traffic]:
        found, self.traffic_seen = self.traffic_seen, {}
        return found

    @verb
    def traffic_end(self, query: int) -> None:
        pass

    @verb
    def perf_queries_forget(self) -> None:
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
    def pg_counts(self) -> PgCounts:
        total: Dict[str, int] = {}
        by_pool: Dict[str, Dict[str, int]] = {}
        by_osd: Dict[str, Dict[str, int]] = {}
        for pool in self.pool_table.values():
            polls = self._polls[pool.id] = self._polls.get(pool.id, 0) + 1
            states = self._states(pool)
            if polls <= self.creating_polls:
                states = {'creating+peering': pool.pg_num}
            by_pool[str(pool.id)] = dict(states)
            for state, count in states.items():
                total[state] = total.get(state, 0) + count
            state = next(iter(states), self.pg_state)
            for mapping in self._map(pool):
                for osd in set(mapping.up):
                    seen = by_osd.setdefault(str(osd), {})
                    seen[state] = seen.get(state, 0) + 1
        return PgCounts(total, by_pool, by_osd)

    @verb
    def pg_totals(self) -> Dict[str, int]:
        total: Dict[str, int] = {}
        for pool in self.pool_table.values():
            states = self._states(pool)
            if self._polls.get(pool.id, 0) < self.creating_polls:
                states = {'creating+peering': pool.pg_num}
            for state, count in states.items():
                total[state] = total.get(state, 0) + count
        return total

    def _states(self, pool: Pool) -> Dict[str, int]:
        return self.pg_states_of.get(pool.id, {self.pg_state: pool.pg_num})

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
    def pg_states_age(self) -> float:
        return 7.0

    @verb
    def pg_stats_now(self, osds: Sequence[int]) -> None:
        pass

    @verb
    def pg_map(self, pool: str) -> List[PgMapping]:
        return self._map(self._pool(pool))

    @verb
    def pg_now(self, pool_id: int, ps: int) -> PgMapping:
        (pool,) = [p for p in self.pool_table.values() if p.id == pool_id]
        return self._map(pool)[ps]

    @verb
    def pg_contents(self, pool_id: int, ps: int) -> PgContents:
        return self.pg_held.get((pool_id, ps), PgContents(0, 0))

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
            if option in self.mon_pinned:
                break
            if (who, option) in self.config:
                return self.config[(who, option)]
        return self.mon_runtime.get(option, '')

    @verb
    def mon_config_pinned(self, mon: str, option: str) -> bool:
        return option in self.mon_pinned

    @verb
    def mon_config_sections(
        self, mons: Sequence[str], option: str
    ) -> Dict[str, Tuple[str, str]]:
        dump = [
            {'section': who, 'name': name, 'value': value, 'mask': ''}
            for (who, name), value in self.config.items()
        ]
        return monconfig.sections(dump, {m: '' for m in mons}, option)

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
    def module_option(self, name: str) -> str:
        return self.module_options[name]

    @verb
    def module_default(self, name: str) -> str:
        return {'mgr/balancer/mode': 'upmap'}.get(name, '')

    @verb
    def gateway_zones(self) -> List[GatewayZone]:
        return list(self.zones)

    @verb
    def upgrade_in_progress(self) -> Optional[str]:
        return self.upgrade

    @verb
    def node_exporters(self) -> List[ExporterPlace]:
        return list(self.exporters)

    @verb
    def own_address(self) -> str:
        return self.address

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
    def osd_perf_dump(
        self, osd: int, logger: Optional[str] = None
    ) -> Dict[str, Any]:
        dump = self.perf.get(osd, {'osd': {'numpg_removing': 0}})
        return {k: v for k, v in dump.items() if logger in (None, k)}

    @verb
    def osd_newest_map(self, osd: int) -> int:
        return self.epoch

    @verb
    def osd_histograms(
        self, osd: int, counter: Optional[str] = None
    ) -> Dict[str, Any]:
        found = self.histograms.get(osd, {'osd': {}})['osd']
        return {
            'osd': {k: v for k, v in found.items() if counter in (None, k)}
        }

    @verb
    def osd_latest_counters(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[float]]:
        history = self.history.get(osd, {})
        return {p: history[p][-1] for p in paths if history.get(p)}

    @verb
    def osd_counter_history(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[Sequence[float]]]:
        history = self.history.get(osd, {})
        return {p: list(history[p]) for p in paths if p in history}
