"""A cluster behind the ceph tool, as far as qa/cleanup uses it."""

from typing import Any, Callable, Dict, List, Sequence

import copy
import json

from ..ceph import Failed
from ..entries import ACTIVE, JOURNAL

RUN = '1a2b3c4d'
NAME = 'perfcompare-1a2b3c4d-arm'
ORDER = [0, 1, 2]  # OSDs of PGs
POOL = 'perfcompare.1a2b3c4d.arm.write'
KEY = 'client.perfcompare.1a2b3c4d'
NOT_STATE = ('drops', 'clock', 'said', 'failing', 'orders', 'obeys', 'hooks')


class FakeCeph:
    """Answer commands; a test looks at, and breaks, what it likes."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.said: List[str] = []  # commands that change something
        self.failing: Dict[str, str] = {}  # begin of a command -> error
        self.orders = 0  # to the orchestrator
        self.obeys = 1  # the order of which it does as it is told; 0: none
        self.hooks: Dict[str, Callable[[], None]] = {}
        self.osds = {
            n: {
                'osd': n,
                'up': 1,
                'in': 1,
                'weight': 1.0,
                'state': ['exists', 'up'],
            }
            for n in range(4)
        }
        self.flags: Dict[str, List[str]] = {}
        # of the pool rbd, pairs
        self.upmaps = {'1.3': [1, 2], '1.a': [0, 1, 2, 3]}
        self.primaries = {'1.5': 2}
        self.places: Dict[str, Any] = {}  # of PGs, for which it is not ORDER
        self.drops = False  # what is mapped by name
        self.pools: Dict[str, Dict[str, Any]] = {}
        self.rules: Dict[str, str] = {'replicated_rule': 'default'}
        self.roots: Dict[str, List[str]] = {'default': ['arm-1', 'arm-2']}
        self.profiles: List[str] = ['default']
        self.auth: List[str] = ['client.admin']
        self.config: Dict[str, str] = {}  # 'who name' -> value
        self.kv: Dict[str, str] = {}
        self.blocked: List[str] = []
        self.services: List[str] = []
        self.daemons: List[str] = []
        self.backend = True
        self.mgr = True
        self.delete_allowed = True
        self.modules: List[str] = []
        self.status: Any = None
        self.audit: List[Dict[str, Any]] = []
        self.add_pool('rbd', rule='replicated_rule', marks={'rbd': {}})

    def state(self) -> Dict[str, Any]:
        """Return all that must be as before."""
        return copy.deepcopy(
            {k: v for k, v in vars(self).items() if k not in NOT_STATE}
        )

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.clock += seconds

    def add_pool(self, name: str, **fields: Any) -> None:
        """Make a pool."""
        made: Dict[str, Any] = {
            'rule': NAME,
            'marks': {'perfcompare': {'run': RUN}},
        }
        made.update(objects=0, profile='', pg_num=16)
        self.pools[name] = {**made, **fields}

    def note(self, kind: str, name: str, **fields: Any) -> str:
        """Put an entry into the journal; return its key."""
        key = '%s%s/%06d-x' % (JOURNAL, RUN, len(self.kv) + 1)
        entry = {'run': RUN, 'seq': 1, 'kind': kind, 'name': name}
        self.kv[key] = json.dumps({**entry, **fields})
        return key

    def run(self, words: Sequence[str]) -> str:
        """Be the ceph tool."""
        text = ' '.join(words)
        for begin, error in self.failing.items():
            if text.startswith(begin):
                raise Failed(error)
        if words[-2:] == ('--format', 'json'):
            return json.dumps(self._look(text[: -len(' --format json')]))
        self.said.append(text)
        answer = self._do(list(words))
        for begin, hook in self.hooks.items():
            if text.startswith(begin):
                hook()
        return answer

    def _look(self, text: str) -> Any:
        if text.startswith('orch ps '):
            service = text.split()[3][len('rgw.') :]
            found = [d for d in self.daemons if d.startswith(service)]
            return [{'daemon_name': d} for d in found]
        if text.startswith('osd metadata '):
            return {'hostname': 'host-' + text.split()[-1]}
        if text.startswith('config-key dump '):
            prefix = text.split()[-1]
            return {k: v for k, v in self.kv.items() if k.startswith(prefix)}
        if text.startswith('pg map '):
            up, acting = self.places.get(text.split()[-1], (ORDER, ORDER))
            return {'up': up, 'acting': acting}
        plain = {
            'osd dump': self._osd_dump,
            'osd crush dump': self._crush,
            'df': lambda: {
                'pools': [
                    {'name': n, 'stats': {'objects': p['objects']}}
                    for n, p in self.pools.items()
                ]
            },
            'auth ls': lambda: {
                'auth_dump': [{'entity': e} for e in self.auth]
            },
            'config dump': lambda: [
                {'section': k.split()[0], 'name': k.split()[1], 'value': v}
                for k, v in self.config.items()
            ],
            'config-key ls': lambda: list(self.kv),
            'log last 10000 info audit': lambda: self.audit,
            'mgr stat': lambda: {'available': self.mgr},
            'mgr module ls': lambda: {'enabled_modules': self.modules},
            'perfcompare status': lambda: self.status,
            'orch status': lambda: {
                'available': self.backend,
                'backend': 'cephadm',
            },
            'orch ls rgw': lambda: [
                {'service_name': 'rgw.' + s} for s in self.services
            ],
        }
        return plain[text]()

    def _osd_dump(self) -> Any:
        numbers = {name: i for i, name in enumerate(self.rules)}
        return {
            'osds': list(self.osds.values()),
            'pools': [
                {
                    'pool': i,
                    'pg_num': p['pg_num'],
                    'size': 3,
                    'pool_name': n,
                    'application_metadata': p['marks'],
                    'crush_rule': numbers[p['rule']],
                    'erasure_code_profile': p['profile'],
                }
                for i, (n, p) in enumerate(self.pools.items(), 1)
            ],
            'pg_upmap_items': [
                {
                    'pgid': pgid,
                    'mappings': [
                        {'from': a, 'to': b}
                        for a, b in zip(pairs[::2], pairs[1::2])
                    ],
                }
                for pgid, pairs in self.upmaps.items()
            ],
            'pg_upmap_primaries': [
                {'pgid': pgid, 'primary_osd': osd}
                for pgid, osd in self.primaries.items()
            ],
            'crush_node_flags': self.flags,
            'erasure_code_profiles': {p: {} for p in self.profiles},
            'blocklist': {b: '' for b in self.blocked},
        }

    def _crush(self) -> Any:
        hosts = sorted({h for items in self.roots.values() for h in items})
        idents = {n: -i for i, n in enumerate([*self.roots, *hosts], 1)}
        buckets = []
        for name, ident in idents.items():
            below = self.roots.get(name, [])
            kind = 'root' if name in self.roots else 'host'
            items = [{'id': idents[h]} for h in below]
            buckets.append(
                {'id': ident, 'name': name, 'type_name': kind, 'items': items}
            )
        return {
            'rules': [
                {
                    'rule_name': n,
                    'rule_id': i,
                    'steps': [{'op': 'take', 'item_name': root}],
                }
                for i, (n, root) in enumerate(self.rules.items())
            ],
            'buckets': buckets,
        }

    def _do(self, words: List[str]) -> str:
        text, last = ' '.join(words), words[-1]
        if text.startswith('osd reweight'):
            osd = self.osds[int(words[2])]
            osd.update({'in': int(float(last) > 0), 'weight': float(last)})
            osd['state'] = ['exists', 'up']
        elif text.startswith('osd pg-upmap-items'):
            if not self.drops:
                self.upmaps[words[2]] = [int(o) for o in words[3:]]
        elif text.startswith('osd pg-upmap-primary'):
            if not self.drops:
                self.primaries[words[2]] = int(last)
        elif text.startswith('osd unset-group noout'):
            del self.flags[last]
        elif text.startswith('osd pool rm'):
            if not (self.delete_allowed or self._option_allows()):
                raise Failed('Error EPERM: mon_allow_pool_delete is false')
            del self.pools[words[3]]
        elif text.startswith('osd crush rule rm'):
            del self.rules[last]
        elif text.startswith('osd erasure-code-profile rm'):
            self.profiles.remove(last)
        elif text.startswith('osd crush unlink'):
            self.roots[last].remove(words[3])
        elif text.startswith('osd crush rm'):
            assert not self.roots[last]
            del self.roots[last]
        elif text.startswith('auth rm'):
            self.auth.remove(last)
        elif text.startswith('config set'):
            self.config['%s %s' % (words[2], words[3])] = last
        elif text.startswith('config rm'):
            self.config.pop('%s %s' % (words[2], words[3]), None)
        elif text.startswith('config-key set'):
            self.kv[words[2]] = last
        elif text.startswith('config-key rm'):
            del self.kv[last]
        elif text.startswith('config-key get'):
            return self.kv[last]
        elif text.startswith('osd blocklist rm'):
            self.blocked.remove(last)
        elif words[0] == 'orch':
            self._order(words)
        else:
            raise AssertionError('unknown command: ' + text)
        return ''

    def _option_allows(self) -> bool:
        return self.config.get('mon mon_allow_pool_delete') == 'true'

    def _order(self, words: List[str]) -> None:
        self.orders += 1
        if not self.obeys or self.orders < self.obeys:
            return  # 'Scheduled', says cephadm
        if words[1:3] == ['daemon', 'start']:
            self.osds[int(words[3].split('.')[1])]['up'] = 1
        elif words[1] == 'rm':
            service = words[2][len('rgw.') :]
            self.services.remove(service)
            self.daemons = [
                d for d in self.daemons if not d.startswith(service)
            ]


HEAD = ACTIVE + 'head'
