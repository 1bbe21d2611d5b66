"""What the cluster shows of itself, read once between two changes."""

from typing import Any, Callable, Dict, List, Optional, Set, Tuple, TypeVar

import json
import time

from .ceph import Ceph, Failed, data, rows, told
from .entries import JOURNAL
from .names import run_of

T = TypeVar('T')
AUDIT_LINES = '10000'  # that the monitors keep by default
REFRESH = 15.0  # seconds between two requests for fresh lists of daemons


class View:
    """Answer questions about the cluster; ``refresh`` looks anew."""

    def __init__(
        self, ceph: Ceph, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.now = now
        self.began = now()
        # what is to go before: only what would be done needs it
        self.assumed: Set[Tuple[str, str]] = set()
        self.failures: Dict[str, str] = {}  # the last one, by journal key
        self.moments: Dict[Tuple[str, str], float] = {}
        self.notes: Dict[Tuple[str, str], Any] = {}
        self._ceph = ceph
        self._seen: Dict[str, Any] = {}

    def refresh(self) -> None:
        """Look anew from now on."""
        self._seen.clear()

    def since(self, what: str, name: str) -> float:
        """Return for how many seconds something has been so, 0 at first."""
        return self.now() - self.moments.setdefault((what, name), self.now())

    def _once(self, key: str, look: Callable[[], T]) -> T:
        if key not in self._seen:
            try:
                self._seen[key] = look()
            except Failed as error:
                self._seen[key] = error
        found = self._seen[key]
        if isinstance(found, Failed):
            raise found
        result: T = found
        return result

    def _ask(self, *words: str) -> Any:
        """Return the answer to a command as data. Raises Failed."""
        argv = words + ('--format', 'json')
        return self._once(
            ' '.join(words), lambda: data(self._ceph.run(argv), told(words))
        )

    def _rows(self, *words: str) -> List[Any]:
        argv = words + ('--format', 'json')
        return self._once(
            ' '.join(words), lambda: rows(self._ceph.run(argv), told(words))
        )

    # maps

    @property
    def osd_map(self) -> Dict[str, Any]:
        """Return `osd dump`."""
        found: Dict[str, Any] = self._ask('osd', 'dump')
        return found

    def osd(self, number: int) -> Optional[Dict[str, Any]]:
        """Return what the map says of an OSD, None without it."""
        for osd in self.osd_map['osds']:
            if osd['osd'] == number:
                found: Dict[str, Any] = osd
                return found
        return None

    def pools(self) -> Dict[str, Dict[str, Any]]:
        """Return the pools by name."""
        return {
            p['pool_name']: p
            for p in self.osd_map['pools']
            if ('pool', p['pool_name']) not in self.assumed
        }

    def pools_of(self, run: str) -> List[str]:
        """Return the pools that bear the name of a run."""
        return sorted(n for n in self.pools() if run_of(n) == run)

    def primaries(self) -> Dict[str, int]:
        """Return the OSDs that were chosen to lead PGs; quincy has none."""
        return {
            one['pgid']: one['primary_osd']
            for one in self.osd_map.get('pg_upmap_primaries', ())
        }

    def places(self, pgid: str) -> Tuple[List[int], List[int]]:
        """Return up and acting set of a PG, primary first. Raises Failed."""
        found = self._ask('pg', 'map', pgid)
        return found['up'], found['acting']

    def blocklist(self) -> Set[str]:
        """Return the addresses of blocklisted clients."""
        return set(self.osd_map.get('blocklist') or {})

    def objects(self, pool: str) -> Optional[int]:
        """Return how many objects a pool has, None if nobody knows."""
        for one in self._ask('df')['pools']:
            if one['name'] == pool:
                return int(one['stats']['objects'])
        return None

    # CRUSH

    @property
    def _crush(self) -> Dict[str, Any]:
        found: Dict[str, Any] = self._ask('osd', 'crush', 'dump')
        return found

    def rules(self) -> Dict[str, int]:
        """Return the ids of rules by name."""
        return {
            r['rule_name']: r['rule_id']
            for r in self._crush['rules']
            if ('rule', r['rule_name']) not in self.assumed
        }

    def takers(self, root: str) -> List[str]:
        """Return the rules that take a root, or a device class of it."""
        rules = self.rules()
        return sorted(
            r['rule_name']
            for r in self._crush['rules']
            for s in r['steps']
            if str(s.get('item_name', '')).split('~')[0] == root
            and r['rule_name'] in rules
        )

    def _buckets(self) -> Dict[str, Dict[str, Any]]:
        return {
            b['name']: b
            for b in self._crush['buckets']
            if '~' not in b['name']
        }

    def bucket_of(self, ident: str) -> Optional[str]:
        """Return the name that a bucket has now, None without it."""
        for name, bucket in self._buckets().items():
            if str(bucket['id']) == ident:
                return name
        return None

    def roots(self) -> List[str]:
        """Return the names of all roots; hosts may be named like ours."""
        found = self._buckets().items()
        return sorted(n for n, b in found if b['type_name'] == 'root')

    def items(self, root: str) -> Optional[List[str]]:
        """Return what is below a bucket, None without it."""
        found = self._buckets()
        if root not in found:
            return None
        names = {b['id']: name for name, b in found.items()}
        items = (i['id'] for i in found[root]['items'])
        below = [names.get(i, 'osd.%d' % i) for i in items]
        return [
            b for b in below if ('link', b + ' ' + root) not in self.assumed
        ]

    def parents(self, host: str) -> Optional[List[str]]:
        """Return the buckets that hold another one, None without it."""
        found = self._buckets()
        if host not in found:
            return None
        ident = found[host]['id']
        return sorted(
            name
            for name, b in found.items()
            if any(i['id'] == ident for i in b['items'])
        )

    def profiles(self) -> List[str]:
        """Return the names of erasure-code profiles."""
        return list(self.osd_map['erasure_code_profiles'])

    # the monitors' stores

    def journal(self) -> Dict[str, str]:
        """Return the journal's entries by key."""
        found: Dict[str, str] = self._ask('config-key', 'dump', JOURNAL)
        return found

    def stored(self, prefix: str) -> List[str]:
        """Return keys of the store that begin with a prefix."""
        return [
            k for k in self._ask('config-key', 'ls') if k.startswith(prefix)
        ]

    def entities(self) -> List[str]:
        """Return the names of all keys."""
        found = self._ask('auth', 'ls')
        return sorted(one['entity'] for one in found['auth_dump'])

    def options(self) -> List[Tuple[str, str]]:
        """Return section and name of everything that is set."""
        return [
            (one['section'], one['name'])
            for one in self._ask('config', 'dump')
            if not one.get('mask')
        ]

    def option(self, who: str, name: str) -> Optional[str]:
        """Return what is set for exactly this section, None if nothing."""
        for one in self._ask('config', 'dump'):
            if (one['section'], one['name']) == (who, name):
                if not one.get('mask'):
                    return str(one['value'])
        return None

    def audit_log(self) -> List[Dict[str, Any]]:
        """Return what the monitors keep of their audit log."""
        words = ('log', 'last', AUDIT_LINES, 'info', 'audit')
        return [x for x in self._ask(*words) if isinstance(x, dict)]

    # the orchestrator

    def orchestrator(self) -> str:
        """Return why there is no orchestrator, '' if there is one."""
        try:
            # orders of a cluster without a Manager are never answered
            if not self._ask('mgr', 'stat').get('available'):
                return 'no Manager is active'
            found = self._ask('orch', 'status')
        except Failed as error:
            return str(error)
        if not found or not found.get('available'):
            return 'no orchestrator is available (ceph orch status)'
        return ''

    def services(self) -> List[str]:
        """Return the names of services of gateways. Raises Failed."""
        return [
            str(one['service_name'])
            for one in self._rows('orch', 'ls', 'rgw')
            if ('service', one['service_name']) not in self.assumed
        ]

    def daemons(self, service: str) -> List[str]:
        """Return the daemons of a service. Raises Failed.

        The orchestrator's lists are late, so it is asked to look anew.
        """
        words = ['orch', 'ps', '--service_name', service]
        asked = self.moments.get(('refresh', service))
        if asked is None or self.now() - asked >= REFRESH:
            self.moments['refresh', service] = self.now()
            words.append('--refresh')
        found = self._once(
            'daemons of ' + service, lambda: self._rows(*words)
        )
        return [str(one.get('daemon_name', '')) for one in found]

    def stop_pending(self, osd: int) -> bool:
        """Say whether the orchestrator still has an order to stop an OSD.

        cephadm keeps one that it cannot carry out now, in this record.
        """
        backend = ''
        if not self.orchestrator():
            backend = self._ask('orch', 'status').get('backend') or ''
        # its record outlives a time in which it does not answer
        backend = backend or 'cephadm'
        key = 'mgr/%s/host.%s' % (backend, self.host_of(osd))
        try:
            text = self._ask('config-key', 'dump', key).get(key, '{}')
            found = json.loads(text)['scheduled_daemon_actions']
            return bool(found.get('osd.%d' % osd) == 'stop')
        except (Failed, ValueError, KeyError, AttributeError, TypeError):
            return False  # no such record

    def host_of(self, osd: int) -> str:
        """Return the host of an OSD, '' if nobody knows."""
        try:
            found = self._ask('osd', 'metadata', str(osd))
        except Failed:
            return ''
        return str(found.get('hostname') or '')
