"""What MgrCluster reads: from the mgr's own copies where it can.

A look at the mgr's maps costs microseconds and asks nobody; only what the
mgr does not hold is asked of mons and OSDs.
"""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Set,
    cast,
)

import errno
import functools
import json
import logging
import re

from ..common.errors import CommandFailed, PerfcompareError, TryAgain
from ..common.parallel import run_concurrently
from ..model.ownership import run_of
from ..model.topology import (
    ExporterPlace,
    GatewayZone,
    Health,
    HealthCheck,
    MgrState,
    MonState,
    PgContents,
    PgCounts,
    PgMapping,
    Pool,
    PoolIo,
    Topology,
)
from ..ports.clock import Clock
from . import clients as clients_data
from . import gateway_zones
from . import osdmap as osdmap_data
from .config_reads import MgrConfigReads
from .maps import MgrMaps
from .osd_reads import MgrOsdReads

log = logging.getLogger(__name__)

STATS_SECONDS = 10.0
STATS_POLL = 1.0
ORCHESTRATOR_SECONDS = 3.0
LEASE_SECONDS = 5.0  # a mon that needs longer gives no new lease


class MgrReads(MgrOsdReads, MgrConfigReads):
    """Implement the reads of ``ports`` on a MgrModule."""

    _maps: MgrMaps
    _clock: Clock

    # identity

    def fsid(self) -> str:
        """Return the cluster's fsid."""
        return str(self._mgr.get('mon_map')['fsid'])

    def ceph_version(self) -> str:
        """Return the release of this mgr, e.g. '20.2.4'."""
        match = re.search(r'\d+\.\d+\.\d+', str(self._mgr.version))
        return match.group() if match else str(self._mgr.version)

    def conf_path(self) -> str:
        """Return the path of the mgr's ceph.conf for child processes."""
        return str(self._mgr.get_ceph_conf_path())

    def mon_round_trip(self) -> None:
        """Return only after a mon in quorum answered (lease renewal)."""
        self._commands.mon('osd stat', LEASE_SECONDS)

    # OSD map and CRUSH

    def topology(self) -> Topology:
        """Return OSDs and CRUSH hierarchy with metadata and fill."""
        return self._maps.topology()

    def osdmap_epoch(self) -> int:
        """Return the epoch of the mgr's OSD map (cheap)."""
        return self._maps.epoch()

    def osds_down_or_out(self) -> Dict[int, str]:
        """Return the OSDs that are not up+in: id -> 'down'|'out'."""
        return {
            int(o['osd']): 'out' if o['up'] else 'down'
            for o in self._maps.osd_map()['osds']
            if not (o['up'] and o['in'])
        }

    def osdmap_flags(self) -> Sequence[str]:
        """Return the cluster-wide flags that are set, e.g. 'noout'."""
        return list(self._maps.osd_map()['flags_set'])

    def full_ratios(self) -> Dict[str, float]:
        """Return 'nearfull', 'backfillfull' and 'full' of the OSD map."""
        osd_map = self._maps.osd_map()
        return {
            name: round(float(osd_map[f'{name}_ratio']), 4)
            for name in ('nearfull', 'backfillfull', 'full')
        }

    def rule_names(self) -> List[str]:
        """Return the names of the CRUSH rules."""
        return [
            str(r['rule_name'])
            for r in self._mgr.get('osd_map_crush')['rules']
        ]

    def ec_profile_names(self) -> List[str]:
        """Return the names of the erasure-code profiles."""
        return list(self._maps.osd_map()['erasure_code_profiles'])

    def ec_profile(self, name: str) -> Dict[str, str]:
        """Return an erasure-code profile; CommandFailed ENOENT."""
        profiles = self._maps.osd_map()['erasure_code_profiles']
        if name not in profiles:
            raise CommandFailed(
                'osd erasure-code-profile get',
                errno.ENOENT,
                f'unknown erasure-code profile {name!r}',
            )
        return dict(profiles[name])

    # pools and PGs

    def pools(self) -> List[Pool]:
        """Return all pools with their statistics."""
        return osdmap_data.pools(self._maps.osd_map(), self._mgr.get('df'))

    def _pool(self, name: str) -> Pool:
        for pool in osdmap_data.pools(self._maps.osd_map(), {}):
            if pool.name == name:
                return pool
        raise CommandFailed(
            'osd pool get', errno.ENOENT, f'unrecognized pool {name!r}'
        )

    def pool_io(self) -> Dict[int, PoolIo]:
        """Return client I/O by pool id (cheap, mgr's own statistics)."""
        found = {}
        for entry in self._mgr.get('osd_pool_stats')['pool_stats']:
            rate = entry['client_io_rate']
            found[int(entry['pool_id'])] = PoolIo(
                read_ops=float(rate.get('read_op_per_sec', 0)),
                write_ops=float(rate.get('write_op_per_sec', 0)),
                read_bytes=float(rate.get('read_bytes_sec', 0)),
                write_bytes=float(rate.get('write_bytes_sec', 0)),
            )
        return found

    def pool_df(self, name: str) -> Dict[str, int]:
        """Return 'objects', 'stored' and 'raw' bytes of one pool."""
        for entry in self._mgr.get('df')['pools']:
            if entry['name'] == name:
                stats = entry['stats']
                return {
                    'objects': int(stats['objects']),
                    'stored': int(stats['stored']),
                    'raw': int(stats['bytes_used']),
                }
        self._pool(name)  # there, but too young for statistics
        return {'objects': 0, 'stored': 0, 'raw': 0}

    def pg_counts(self) -> PgCounts:
        """Return the numbers of PGs by state, of all pools and OSDs."""
        found = self._mgr.get('pg_summary')
        return PgCounts(found['all'], found['by_pool'], found['by_osd'])

    def pg_totals(self) -> Dict[str, int]:
        """Return the numbers of all PGs by state (cheap)."""
        return {
            str(entry['state_name']): int(entry['count'])
            for entry in self._mgr.get('pg_status')['pgs_by_state']
        }

    def pg_states_age(self) -> float:
        """Return how old PG states may be, in seconds (cheap)."""
        periods = ('mgr_stats_period', 'mgr_tick_period')
        return sum(float(self.option(name)) for name in periods)

    def pg_stats_now(self, osds: Sequence[int]) -> None:
        """Return when the mgr has PG states as these OSDs see them now.

        Of what pg_states_age() adds up, only OSDs can be hurried.
        """

        def flush(osd: int) -> Callable[[], int]:
            return lambda: int(self._commands.osd_json(osd, 'flush_pg_stats'))

        wanted = dict(zip(osds, run_concurrently([flush(o) for o in osds])))
        deadline = self._clock.monotonic() + STATS_SECONDS
        while self._clock.monotonic() < deadline:
            seen = {
                int(s['osd']): int(s['seq'])
                for s in self._mgr.get('osd_stats')['osd_stats']
            }
            if all(seen.get(o, 0) >= seq for o, seq in wanted.items()):
                return
            self._clock.wait(STATS_POLL)  # all of all OSDs each time
        raise TryAgain('the Manager takes in no statistics of OSDs')

    def pg_map(self, pool: str) -> List[PgMapping]:
        """Return up and acting sets of all PGs of one pool."""
        known = self._pool(pool)
        osdmap = self._mgr.get_osdmap()
        return [
            osdmap_data.pg_mapping(
                ps, osdmap.pg_to_up_acting_osds(known.id, ps)
            )
            for ps in range(known.pg_num)
        ]

    def pg_now(self, pool_id: int, ps: int) -> PgMapping:
        """Return up and acting set of one PG as its primary has them."""
        return osdmap_data.pg_mapping(ps, self._pg_query(pool_id, ps))

    def pg_contents(self, pool_id: int, ps: int) -> PgContents:
        """Return what one PG holds as its primary counts it."""
        return osdmap_data.pg_contents(self._pg_query(pool_id, ps))

    def _pg_query(self, pool_id: int, ps: int) -> Any:
        pgid = osdmap_data.pgid(pool_id, ps)
        # a copy of the map: 0.5 ms at 10,000 OSDs
        found = self._mgr.get_osdmap().pg_to_up_acting_osds(pool_id, ps)
        primary = int((found or {}).get('acting_primary', -1))
        if primary < 0:
            raise TryAgain(f'PG {pgid} has no primary now')
        return self._commands.pg_json(primary, pgid, 'query')

    def upmap_allowed(self) -> bool:
        """Say whether the cluster's oldest allowed client knows upmaps."""
        release = self._maps.osd_map()['require_min_compat_client']
        # releases are named by the alphabet; upmaps came with luminous
        return bool(str(release)[:1] >= 'l')

    # health, mons, mgrs

    def health(self) -> Health:
        """Return the health checks (cheap; at most 5 s old)."""
        data = json.loads(self._mgr.get('health')['json'])
        return Health(
            data['status'],
            {
                code: HealthCheck(
                    check['severity'],
                    check['summary']['message'],
                    bool(check.get('muted', False)),
                    int(check['summary'].get('count') or 0),
                )
                for code, check in data.get('checks', {}).items()
            },
        )

    def mon_state(self) -> MonState:
        """Return the quorum and its election epoch (cheap, <= 5 s old)."""
        return osdmap_data.mon_state(
            json.loads(self._mgr.get('mon_status')['json'])
        )

    def mgr_state(self) -> MgrState:
        """Return active and standby mgrs and what they can load."""
        mgr_map = self._mgr.get('mgr_map')
        names = [mgr_map['active_name']]
        names += [s['name'] for s in mgr_map.get('standbys', [])]
        return osdmap_data.mgr_state(
            mgr_map,
            str(self._mgr.module_name),
            {n: self._mgr.get_metadata('mgr', n) or {} for n in names},
        )

    def gateway_zones(self) -> List[GatewayZone]:
        """Return the zones that gateways of the cluster are in."""
        return gateway_zones.read(self._mgr.get('service_map'))

    def upgrade_in_progress(self) -> Optional[str]:
        """Return the orchestrator's upgrade message, None without one."""
        try:
            status = self._commands.mon_json('orch upgrade status')
        except CommandFailed:  # no orchestrator, or one without upgrades
            return None
        if not status or not status.get('in_progress'):
            return None
        target = status.get('target_image') or 'an unnamed image'
        return str(status.get('message') or f'upgrade to {target}')

    def node_exporters(self) -> List[ExporterPlace]:
        """Return the node_exporters that the orchestrator runs."""
        ask = functools.partial(
            self._commands.mon_json, seconds=ORCHESTRATOR_SECONDS
        )
        try:
            daemons = ask('orch ps', daemon_type='node-exporter')
            hosts = ask('orch host ls') if daemons else []
        except PerfcompareError as error:  # none, or it hangs
            log.debug('no exporters of an orchestrator: %s', error.message)
            return []
        return osdmap_data.node_exporters(daemons, hosts)

    def own_address(self) -> str:
        """Return the IP of this mgr, empty when it is not known."""
        return osdmap_data.active_address(self._mgr.get('mgr_map'))

    def balancer_status(self) -> Dict[str, Any]:
        """Return `balancer status` as data ('active', 'mode')."""
        return cast(
            Dict[str, Any], self._commands.mon_json('balancer status')
        )

    # clients

    def auth_entities(self) -> List[str]:
        """Return all entities of the auth database (no keys)."""
        dump = self._commands.mon_json('auth ls')['auth_dump']
        return [str(entry['entity']) for entry in dump]

    def client_sessions(self, entity: str) -> List[str]:
        """Return addresses of a run's load clients, as its OSDs saw them."""
        run = run_of(entity)
        pools = {
            p.id: p.name
            for p in osdmap_data.pools(self._maps.osd_map(), {})
            if run is not None and run_of(p.name) == run
        }
        osds: Set[int] = set()
        for name in pools.values():
            for mapping in self.pg_map(name):
                osds.update(o for o in mapping.up if o >= 0)

        def ask(osd: int) -> Set[str]:
            clients: Set[str] = set()
            for prefix in ('dump_ops_in_flight', 'dump_historic_ops'):
                try:
                    dump = self._commands.osd_json(osd, prefix)
                except PerfcompareError as error:  # down, or hanging
                    log.warning('clients of osd.%d: %s', osd, error.message)
                    break
                clients |= clients_data.client_addresses(dump, set(pools))
            return clients

        answers = run_concurrently(
            [functools.partial(ask, o) for o in sorted(osds)]
        )
        # modules open pools of some applications when they begin
        mgr = clients_data.mgr_clients(self._mgr.get('mgr_map'))
        return sorted(
            at
            for at in set().union(*answers)
            if at.partition(':')[2] not in mgr and at not in mgr
        )
