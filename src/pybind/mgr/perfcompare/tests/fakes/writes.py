"""How the fake cluster is changed."""

from typing import (
    Collection,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

import copy
import dataclasses
import errno
import itertools

from ...ceph import crush_order
from ...common.errors import (
    AlreadyExists,
    CommandFailed,
    InvalidArgument,
    NotPermitted,
)
from ...model.ownership import AGENT, APPLICATION, check_own, run_of
from ...model.topology import Bucket, Pool, Rule
from . import crush as fake_crush
from .reads import FakeReads
from .state import verb

# pool options that are flags of the OSD map, and what it calls them
FLAGS = {
    'noscrub': 'noscrub',
    'nodeep-scrub': 'nodeep-scrub',
    'nodelete': 'nodelete',
    'nopgchange': 'nopgchange',
    'nosizechange': 'nosizechange',
    'allow_ec_overwrites': 'ec_overwrites',
}


# flags that mons can be told to give each new pool
BORN = ('nodelete', 'nopgchange', 'nosizechange')
FIRST_PGS = 1024  # that a pool has when it is made; then it grows


class FakeWrites(FakeReads):
    """Implement the writes of ``ports``."""

    @verb
    def crush_add_root(self, name: str) -> None:
        check_own(name)
        if name in self.buckets:
            raise AlreadyExists(f'CRUSH bucket {name!r} exists already')
        taken = {b.id for b in self.buckets.values()}
        ident = next(-n for n in itertools.count(1) if -n not in taken)
        self.buckets[name] = Bucket(ident, name, 'root', ())
        self.epoch += 1

    @verb
    def crush_spare_ids(self, hosts: Collection[str]) -> int:
        return crush_order.spare_ids(fake_crush.dump(self.buckets), hosts)

    def _host_and_root(self, host: str, root: str) -> Tuple[Bucket, Bucket]:
        for name in (host, root):
            if name not in self.buckets:
                raise CommandFailed(
                    'osd crush', errno.ENOENT, f'item {name} does not exist'
                )
        return self.buckets[host], self.buckets[root]

    @verb
    def crush_link_host(self, host: str, root: str) -> None:
        check_own(root)
        bucket, parent = self._host_and_root(host, root)
        dump = fake_crush.dump(self.buckets)
        if parent.id > max(crush_order.foreign(dump, bucket.id).values()):
            raise NotPermitted(f'{root!r} would be the first parent')
        if bucket.id not in parent.items:
            self.buckets[root] = dataclasses.replace(
                parent, items=parent.items + (bucket.id,)
            )
            self.epoch += 1

    def _refuse_taken(self, root: str) -> None:
        takers = [r.name for r in self.rules.values() if r.root == root]
        if takers:
            raise NotPermitted(f'rules still take {root!r}: {takers}')

    @verb
    def crush_unlink_host(self, host: str, root: str) -> None:
        check_own(root)
        bucket, parent = self._host_and_root(host, root)
        if bucket.id not in parent.items:
            return
        self._refuse_taken(root)
        others = [
            b.name
            for b in self.buckets.values()
            if bucket.id in b.items and b.name != root
        ]
        if all(run_of(name) for name in others):
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
        check_own(name)
        bucket = self.buckets.get(name)
        if bucket is None:
            return
        self._refuse_taken(name)
        if bucket.items:
            raise CommandFailed(
                'osd crush rm', errno.ENOTEMPTY, 'Directory not empty'
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
        check_own(name)
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
        check_own(name)
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
        check_own(name)
        if name in self.ec_profiles:
            raise AlreadyExists(
                f'erasure-code profile {name!r} exists already'
            )
        self.ec_profiles[name] = dict(values)
        self.epoch += 1

    @verb
    def ec_profile_remove(self, name: str) -> None:
        check_own(name)
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
        check_own(name)
        if name in self.pool_table:
            raise AlreadyExists(f'pool {name!r} exists already')
        if ec_profile is not None:
            values = self.ec_profile(ec_profile)
            size = int(values['k']) + int(values['m'])
            rule = name
            if rule not in self.rules:
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
        mon = self.mons.quorum[0]
        born = tuple(
            flag
            for flag in BORN
            if self.mon_config(mon, f'osd_pool_default_flag_{flag}') == 'true'
        )
        stuck = 'nopgchange' in born
        self.add_pool(
            name,
            min(pg_num, FIRST_PGS) if stuck else pg_num,
            pg_num_target=pg_num,
            flags=born,
            size=size,
            min_size=min_size if ec_profile is None else size - 1,
            crush_rule=self.rules[rule].id,
            erasure_code_profile=ec_profile or '',
            autoscale_mode='off',
            stripe_width=self._stripe_width(ec_profile),
        )
        self.epoch += 1

    def _stripe_width(self, ec_profile: Optional[str]) -> int:
        """Return what the leading mon makes of profile and option."""
        values = self.ec_profiles.get(ec_profile or '')
        if values is None:
            return 0
        told = self.config.get(('mon', 'osd_pool_erasure_code_stripe_unit'))
        unit = values.get('stripe_unit') or told or '4096'
        return int(values['k']) * int(unit)

    @verb
    def pool_set(self, name: str, key: str, value: str) -> None:
        check_own(name)
        pool = self._pool(name)
        if key == 'min_size':
            if 'nosizechange' in pool.flags:
                raise _disabled('min size change', 'nosizechange')
            self._edit_pool(name, min_size=int(value))
        elif key in FLAGS:
            key = FLAGS[key]
            flags = set(pool.flags) - {key}
            if value in ('1', 'true'):
                flags.add(key)
            self._edit_pool(name, flags=tuple(sorted(flags)))
            if 'nopgchange' not in flags:
                pgs = pool.pg_num_target
                self._edit_pool(name, pg_num=pgs, pgp_num=pgs)
        else:
            raise InvalidArgument(f'the fake knows no pool option {key!r}')

    @verb
    def pool_set_quota(self, name: str, max_bytes: int) -> None:
        check_own(name)
        self._pool(name)
        self.quotas[name] = max_bytes
        self.epoch += 1

    @verb
    def pool_set_application(
        self, name: str, application: str, key: str, value: str
    ) -> None:
        check_own(name)
        metadata = copy.deepcopy(self._pool(name).application)
        metadata.setdefault(application, {})
        if key:
            metadata[application][key] = value
        self._edit_pool(name, application=metadata)

    @verb
    def pool_remove(self, name: str) -> None:
        run = check_own(name)
        if name not in self.pool_table:
            return
        pool = self._pool(name)
        if pool.application.get(APPLICATION, {}).get('run') != run:
            raise NotPermitted(f'pool {name!r} is not of run {run}')
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
        if 'nodelete' in pool.flags:
            raise _disabled('deletion', 'nodelete')
        rule = self._rule_of(pool)
        del self.pool_table[name]
        used = {p.crush_rule for p in self.pool_table.values()}
        coded = pool.erasure_code_profile and not self.keeps_ec_rules
        if coded and rule.id not in used:
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
        check_own(pool)
        own = self._pool(pool)
        up = [moves.get(o, o) for o in self._map(own)[ps].up]
        if self._valid_mapping(own, up):
            self.upmap_items[(own.id, ps)] = dict(moves)
        self.epoch += 1

    @verb
    def pg_upmap_order(self, pool: str, ps: int, osds: Sequence[int]) -> None:
        check_own(pool)
        own = self._pool(pool)
        if not self.allows_upmap:
            raise CommandFailed(
                'osd pg-upmap', errno.EPERM, 'min_compat_client < luminous'
            )
        if self._valid_mapping(own, osds):
            self.upmaps[(own.id, ps)] = tuple(osds)
        self.epoch += 1

    @verb
    def auth_create(self, entity: str, caps: Mapping[str, str]) -> str:
        check_own(entity)
        if entity in self.auth:
            raise AlreadyExists(f'{entity} exists already')
        self.auth[entity] = dict(caps)
        return f'[{entity}]\n\tkey = FAKE/KEY/OF/{entity}==\n'

    @verb
    def auth_remove(self, entity: str) -> None:
        check_own(entity)
        self.auth.pop(entity, None)

    @verb
    def agent_key_create(self, host: str, command: str) -> str:
        entity = AGENT + host
        if entity in self.auth:
            raise AlreadyExists(f'{entity} exists already')
        self.auth[entity] = {'mgr': f'allow command "{command}"'}
        return f'[{entity}]\n\tkey = FAKE/KEY/OF/{entity}==\n'

    @verb
    def agent_key_remove(self, host: str) -> None:
        self.auth.pop(AGENT + host, None)

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
        if option in self.module_options:
            self.module_options[option] = value

    @verb
    def config_remove(self, who: str, option: str) -> None:
        self.config.pop((who, option), None)


def _disabled(what: str, flag: str) -> CommandFailed:
    return CommandFailed(
        'osd pool',
        errno.EPERM,
        f'pool {what} is disabled; you must unset {flag} flag for the pool '
        'first',
    )
