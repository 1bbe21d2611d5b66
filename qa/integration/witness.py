"""Look at a run from outside while it is under way."""

from typing import Any, Dict, List, Set

from . import processes, tenant
from .live import LiveCluster
from .state import pg_mapping


class Witness:
    """Collect, at each look, where a run's data is and what moved."""

    def __init__(self, cluster: LiveCluster) -> None:
        self._cluster = cluster
        self._foreign = set(tenant.pool_ids(cluster).values())
        self._before = pg_mapping(cluster, self._foreign)
        self.moved: List[str] = []  # PGs of others that were elsewhere
        self.osds: Dict[str, Set[int]] = {}  # pool -> OSDs of its PGs
        self.objects: Dict[str, Set[int]] = {}  # pool -> OSDs of objects
        self.rules: Dict[str, Any] = {}  # pool -> its CRUSH rule
        self.pools: Dict[str, Any] = {}  # pool -> as in the OSD map
        self.keys: Dict[str, Any] = {}  # entity -> caps
        self.roots: Dict[str, Set[str]] = {}  # our root -> its hosts
        self.commands: Set[str] = set()  # command lines of all processes
        self.secrets: Set[str] = set()  # keys of runs
        self.shown: Set[str] = set()  # progress lines of `ceph -s`

    def look(self, _status: Any = None) -> None:
        """Look once; pools may go while it is under way."""
        now = pg_mapping(self._cluster)
        for pgid, where in self._before.items():
            if now.get(pgid) != where:
                self.moved.append('%s: %r' % (pgid, now.get(pgid)))
        self.commands.update(
            ' '.join(words) for _, words in processes.command_lines()
        )
        osdmap, crush, auth, status = self._cluster.looks(
            [
                ('osd dump', {}),
                ('osd crush dump', {}),
                ('auth ls', {}),
                ('status', {}),
            ]
        )
        rules = {rule['rule_id']: rule for rule in crush['rules']}
        for pool in osdmap['pools']:
            name = pool['pool_name']
            if not name.startswith('perfcompare.'):
                continue
            self.pools[name] = pool
            self.rules.setdefault(name, rules.get(pool['crush_rule']))
            osds = self.osds.setdefault(name, set())
            for pgid, (up, acting) in now.items():
                if int(pgid.split('.')[0]) == pool['pool']:
                    osds.update(up, acting)
            self._objects(name)
        self._roots(crush)
        for one in auth['auth_dump']:
            if one['entity'].startswith('client.perfcompare'):
                self.keys[one['entity']] = one['caps']
                self.secrets.add(one['key'])
        self.shown.update(
            event['message'] for event in status['progress_events'].values()
        )

    def _objects(self, pool: str) -> None:
        """Ask for the OSDs of objects that are really there."""
        if len(self.objects.get(pool, ())) == len(self.osds[pool]):
            return
        names = self._cluster.objects(pool, 5)
        for found in self._cluster.looks(
            [('osd map', {'pool': pool, 'object': name}) for name in names]
        ):
            if found:  # else the pool was removed meanwhile
                self.objects.setdefault(pool, set()).update(found['acting'])

    def _roots(self, crush: Any) -> None:
        names = {bucket['id']: bucket['name'] for bucket in crush['buckets']}
        for bucket in crush['buckets']:
            name = bucket['name']
            if name.startswith('perfcompare-') and '~' not in name:
                hosts = {names[item['id']] for item in bucket['items']}
                self.roots.setdefault(name, set()).update(hosts)
