"""A MgrModule of any size that counts what it is asked, by name."""

from typing import Any, Dict, Set, Tuple

import collections
import json

HOST = 10  # OSDs


# what Ceph's TTL cache keeps
CACHED = ('osd_map', 'pg_dump', 'pg_stats')


class Osdmap:
    """Be an OSDMap as far as it is read as a whole."""

    def __init__(self, mgr: 'CountingMgr') -> None:
        self._mgr = mgr
        self._dump = mgr._osd_map()

    def get_epoch(self) -> int:
        return int(self._dump['epoch'])

    def get_crush_version(self) -> int:
        return 1

    def dump(self) -> Any:
        self._mgr.calls['osdmap.dump'] += 1
        return self._dump


class CountingMgr:
    """Answer `get` with so many OSDs and pools; no daemon answers.

    With ``ttl`` it answers as with mgr_ttl_cache_expire_seconds: with what
    was asked for first, whatever changed since.
    """

    module_name = 'perfcompare'
    version = 'ceph version 20.2.4'

    def __init__(self, osds: int, pools: int = 1, ttl: bool = False) -> None:
        self.osds = osds
        self.pools = pools
        self.epoch = 10
        self.down: Set[int] = set()
        self.upmaps: Dict[str, Tuple[int, int]] = {}
        self.ttl = ttl
        self._kept: Dict[str, Any] = {}
        self.calls: 'collections.Counter[str]' = collections.Counter()

    @property
    def rados(self) -> Any:
        raise OSError(107, 'not connected')

    def get_osdmap(self) -> Osdmap:
        return Osdmap(self)

    def get_ceph_option(self, name: str) -> str:
        return '5'

    def get_metadata(self, kind: str, name: str) -> Dict[str, str]:
        self.calls['get_metadata'] += 1
        return {}

    def get(self, name: str) -> Any:
        self.calls[name] += 1
        found = getattr(self, f'_{name}')()
        if self.ttl and name in CACHED:
            return self._kept.setdefault(name, found)
        return found

    def _osd_map(self) -> Any:
        ratios = ('nearfull', 'backfillfull', 'full')
        return {
            'epoch': self.epoch,
            'modified': '2026-11-23T12:00:00.000000+0000',
            'flags_set': [],
            'erasure_code_profiles': {},
            'require_min_compat_client': 'luminous',
            **{f'{name}_ratio': 0.9 for name in ratios},
            'osds': [
                {
                    'osd': osd,
                    'up': int(osd not in self.down),
                    'in': 1,
                    'weight': 1.0,
                    'state': ['exists', 'up'],
                    'up_from': 2,
                    'up_thru': 2,
                    'down_at': 0,
                }
                for osd in range(self.osds)
            ],
            'pools': [
                {
                    'pool': pool,
                    'pool_name': f'pool-{pool}',
                    'size': 3,
                    'min_size': 2,
                    'pg_num': 8,
                    'pg_num_target': 8,
                    'pg_placement_num': 8,
                    'pg_placement_num_target': 8,
                    'crush_rule': 0,
                }
                for pool in range(self.pools)
            ],
            'pg_upmap_items': [
                {'pgid': pg, 'mappings': [{'from': source, 'to': target}]}
                for pg, (source, target) in self.upmaps.items()
            ],
        }

    def _osd_map_crush(self) -> Any:
        hosts = range(0, self.osds, HOST)
        return {
            'devices': [{'id': o, 'class': 'ssd'} for o in range(self.osds)],
            'buckets': [
                {
                    'id': -2 - first,
                    'name': f'host-{first}',
                    'type_name': 'host',
                    'items': [
                        {'id': osd, 'weight': 65536}
                        for osd in range(first, first + HOST)
                    ],
                }
                for first in hosts
            ]
            + [
                {
                    'id': -1,
                    'name': 'default',
                    'type_name': 'root',
                    'items': [{'id': -2 - f, 'weight': 1} for f in hosts],
                }
            ],
            'rules': [],
        }

    def _osd_metadata(self) -> Any:
        return {str(o): {'arch': 'x86_64'} for o in range(self.osds)}

    def _osd_stats(self) -> Any:
        statfs = {'total': 1 << 40, 'available': 1 << 39}
        return {
            'osd_stats': [
                {'osd': o, 'statfs': statfs} for o in range(self.osds)
            ]
        }

    def _pg_summary(self) -> Any:
        clean = {'active+clean': 8}
        return {
            'all': {'active+clean': 8 * self.pools},
            'by_pool': {str(p): clean for p in range(self.pools)},
            'by_osd': {str(o): clean for o in range(self.osds)},
        }

    def _pg_status(self) -> Any:
        count = 8 * self.pools
        return {
            'pgs_by_state': [{'state_name': 'active+clean', 'count': count}]
        }

    def _df(self) -> Any:
        return {'pools': []}

    def _osd_pool_stats(self) -> Any:
        return {'pool_stats': []}

    def _health(self) -> Any:
        return {'json': json.dumps({'status': 'HEALTH_OK', 'checks': {}})}

    def _mon_status(self) -> Any:
        mons = [{'rank': 0, 'name': 'a'}]
        return {
            'json': json.dumps(
                {
                    'election_epoch': 4,
                    'quorum': [0],
                    'monmap': {'mons': mons},
                }
            )
        }

    def _mgr_map(self) -> Any:
        return {'active_name': 'x', 'standbys': [], 'available_modules': []}
