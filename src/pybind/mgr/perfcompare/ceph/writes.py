"""What MgrCluster changes: one mon command per verb, proven ones only.

A change of the OSD map takes about a second, because the mon collects
proposals that long: whoever has several to make starts them together.
Names that no run made are refused here, whatever the caller believes.
"""

from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence

import errno
import logging

from ..common.errors import (
    AlreadyExists,
    CommandFailed,
    InvalidArgument,
    NotPermitted,
    PerfcompareError,
)
from ..common.printable import some
from ..model.ownership import AGENT, APPLICATION, check_own, run_of
from ..ports.clock import Clock
from . import crush_order
from . import osdmap as osdmap_data
from .commands import Commands
from .maps import MgrMaps

log = logging.getLogger(__name__)

SETTLE_SECONDS = 5.0  # for the mgr's OSD map to follow the mon's


class MgrWrites:
    """Implement the writes of ``ports`` on a MgrModule."""

    _maps: MgrMaps
    _clock: Clock

    def __init__(self, mgr: Any, commands: Commands) -> None:
        self._mgr = mgr
        self._commands = commands

    def _map_change(self, prefix: str, **args: Any) -> None:
        """Run a command, and wait until the mgr's OSD map shows it."""
        self._commands.change(prefix, **args)
        try:
            epoch = int(self._commands.mon_json('osd stat')['epoch'])
        except PerfcompareError as error:  # the change itself was made
            log.warning('%s', error.message)
            return
        deadline = self._clock.monotonic() + SETTLE_SECONDS
        while self._maps.epoch() < epoch:
            if self._clock.monotonic() > deadline:
                log.warning('the mgr has not seen OSD map %d yet', epoch)
                return
            self._clock.wait(0.02)

    def _pool_id(self, name: str) -> int:
        for pool in self._maps.osd_map()['pools']:
            if pool['pool_name'] == name:
                return int(pool['pool'])
        raise CommandFailed(
            'osd pool get', errno.ENOENT, f'unrecognized pool {name!r}'
        )

    # CRUSH

    def _crush(self) -> Dict[str, Any]:
        """Return the mon's CRUSH map: the mgr's copy can be older."""
        dump: Dict[str, Any] = self._commands.mon_json('osd crush dump')
        return dump

    def _refuse_taken(self, root: str) -> None:
        """Refuse while a rule takes a root, or a class of it.

        Without its hosts, data that others keep by that rule would move.
        """
        takers = {
            str(r['rule_name'])
            for r in self._crush()['rules']
            for step in r['steps']
            if str(step.get('item_name', '')).partition('~')[0] == root
        }
        if takers:
            raise NotPermitted(
                f'rules still take {root!r}: {some(sorted(takers))}; give '
                'their pools other rules, and remove them'
            )

    def _parents(self, host: str) -> List[str]:
        crush = self._crush()
        return sorted(crush_order.parents(crush, _bucket_id(crush, host)))

    def crush_spare_ids(self, hosts: Collection[str]) -> int:
        """Return how many new roots would be a first parent of hosts."""
        return crush_order.spare_ids(self._crush(), hosts)

    def crush_add_root(self, name: str) -> None:
        """Create an empty CRUSH root; EEXIST when the name is taken."""
        check_own(name)
        if any(b['name'] == name for b in self._crush()['buckets']):
            raise AlreadyExists(f'CRUSH bucket {name!r} exists already')
        self._map_change('osd crush add-bucket', name=name, type='root')

    def crush_link_host(self, host: str, root: str) -> None:
        """Link a host below ``root`` beside its other parents."""
        check_own(root)
        crush = self._crush()
        others = crush_order.foreign(crush, _bucket_id(crush, host))
        if not others:
            raise NotPermitted(
                f'host {host!r} is in no CRUSH root; undo would leave it '
                'in none'
            )
        first = max(others, key=others.__getitem__)
        if _bucket_id(crush, root) > others[first]:
            raise NotPermitted(
                f'{root!r} would come before {first!r}, where host {host!r} '
                'is: `ceph osd crush move` would not take it from there; '
                'define the group by --device-class'
            )
        self._map_change('osd crush link', name=host, args=[f'root={root}'])

    def crush_unlink_host(self, host: str, root: str) -> None:
        """Take ``host`` from ``root`` only; its other parents stay.

        `osd crush unlink` without a root takes the host from all roots.
        """
        if not root:
            raise InvalidArgument('a root is needed to unlink a host')
        check_own(root)
        before = self._parents(host)
        if root not in before:
            return
        self._refuse_taken(root)
        others = [p for p in before if p != root]
        if not any(run_of(p) is None for p in others):
            raise NotPermitted(
                f'host {host!r} has no parent but {root!r}; link it to its '
                f'own root first, e.g. `ceph osd crush link {host} '
                'root=default`'
            )
        self._map_change('osd crush unlink', name=host, ancestor=root)
        # two groups may share a host, so another root of ours may go too
        lost = set(others) - set(self._parents(host))
        if any(run_of(name) is None for name in lost):
            raise CommandFailed(
                'osd crush unlink',
                errno.EIO,
                f'host {host!r} lost its parents {sorted(lost)}; '
                'link it there again',
            )

    def crush_remove_root(self, name: str) -> None:
        """Remove an empty CRUSH root; fine when it is absent."""
        check_own(name)
        self._refuse_taken(name)
        self._map_change('osd crush rm', name=name)

    def rule_create(
        self,
        name: str,
        root: str,
        failure_domain: str,
        device_class: Optional[str],
    ) -> None:
        """Create a replicated rule; EEXIST when the name is taken."""
        check_own(name)
        if any(r['rule_name'] == name for r in self._crush()['rules']):
            raise AlreadyExists(f'CRUSH rule {name!r} exists already')
        self._map_change(
            'osd crush rule create-replicated',
            name=name,
            root=root,
            type=failure_domain,
            **({'class': device_class} if device_class else {}),
        )

    def rule_remove(self, name: str) -> None:
        """Remove a rule; EBUSY while a pool uses it, fine when absent."""
        check_own(name)
        self._map_change('osd crush rule rm', name=name)

    def ec_profile_set(self, name: str, values: Mapping[str, str]) -> None:
        """Create an erasure-code profile; EEXIST when it exists."""
        check_own(name)
        if name in self._commands.mon_json('osd erasure-code-profile ls'):
            raise AlreadyExists(
                f'erasure-code profile {name!r} exists already'
            )
        self._map_change(
            'osd erasure-code-profile set',
            name=name,
            profile=[f'{k}={v}' for k, v in sorted(values.items())],
            # the mons want it where that is no multiple of 4096 bytes
            **({'force': True} if 'stripe_unit' in values else {}),
        )

    def ec_profile_remove(self, name: str) -> None:
        """Remove an erasure-code profile; EBUSY while in use."""
        check_own(name)
        self._map_change('osd erasure-code-profile rm', name=name)

    # pools

    def pool_create(
        self,
        name: str,
        pg_num: int,
        rule: str,
        size: int,
        min_size: int,
        ec_profile: Optional[str],
    ) -> None:
        """Create a pool with its autoscaler off; EEXIST when it is there."""
        check_own(name)
        if name in self._commands.mon_json('osd pool ls'):
            raise AlreadyExists(f'pool {name!r} exists already')
        args: Dict[str, Any] = dict(
            pool=name, pg_num=pg_num, pgp_num=pg_num, autoscale_mode='off'
        )
        if ec_profile is None:
            args.update(pool_type='replicated', rule=rule, size=size)
        else:
            args.update(pool_type='erasure', erasure_code_profile=ec_profile)
        self._map_change('osd pool create', **args)

    def pool_set(self, name: str, key: str, value: str) -> None:
        """Set one pool option."""
        check_own(name)
        self._map_change('osd pool set', pool=name, var=key, val=value)

    def pool_set_quota(self, name: str, max_bytes: int) -> None:
        """Set the quota in bytes."""
        check_own(name)
        self._map_change(
            'osd pool set-quota',
            pool=name,
            field='max_bytes',
            val=str(max_bytes),
        )

    def pool_set_application(
        self, name: str, application: str, key: str, value: str
    ) -> None:
        """Enable ``application``; store key=value with it if key is set."""
        check_own(name)
        enabled = self._applications(name)
        if application not in enabled:
            second = {'yes_i_really_mean_it': True} if enabled else {}
            self._map_change(
                'osd pool application enable',
                pool=name,
                app=application,
                **second,
            )
        if key:
            self._map_change(
                'osd pool application set',
                pool=name,
                app=application,
                key=key,
                value=value,
            )

    def _applications(self, name: str) -> Dict[str, Dict[str, str]]:
        found: Dict[str, Dict[str, str]] = self._commands.mon_json(
            'osd pool application get', pool=name
        )
        return found

    def pool_remove(self, name: str) -> None:
        """Remove a pool that carries our application metadata.

        Fine when it is absent; NotPermitted when it is not its run's.
        """
        run = check_own(name)
        try:
            applications = self._applications(name)
        except CommandFailed as error:
            if error.errno == errno.ENOENT:
                return
            raise
        if applications.get(APPLICATION, {}).get('run') != run:
            raise NotPermitted(
                f'pool {name!r} has no application metadata of run {run}; '
                'it is left alone'
            )
        self._map_change(
            'osd pool rm',
            pool=name,
            pool2=name,
            yes_i_really_really_mean_it=True,
        )

    # placement of PGs

    def pg_upmap(self, pool: str, ps: int, moves: Mapping[int, int]) -> None:
        """Set upmap items of one PG of one of our pools (from -> to)."""
        check_own(pool)
        pairs = [osd for move in sorted(moves.items()) for osd in move]
        self._map_change(
            'osd pg-upmap-items',
            pgid=osdmap_data.pgid(self._pool_id(pool), ps),
            id=pairs,
        )

    def pg_upmap_order(self, pool: str, ps: int, osds: Sequence[int]) -> None:
        """Map one PG of one of our pools to exactly ``osds``, in order."""
        check_own(pool)
        self._map_change(
            'osd pg-upmap',
            pgid=osdmap_data.pgid(self._pool_id(pool), ps),
            id=list(osds),
        )

    # keys and clients

    def auth_create(self, entity: str, caps: Mapping[str, str]) -> str:
        """Create a key and return its keyring text; EEXIST if there."""
        check_own(entity)
        if self._commands.mon_or_none('auth get', entity=entity) is not None:
            raise AlreadyExists(f'{entity} exists already')
        return self._commands.change(
            'auth get-or-create', entity=entity, caps=_flat(caps)
        )

    def auth_remove(self, entity: str) -> None:
        """Remove an entity; fine when absent."""
        check_own(entity)
        self._commands.change('auth rm', entity=entity)

    def agent_key_create(self, host: str, command: str) -> str:
        """Create the key of a load host's agent; EEXIST if there.

        It may give one command to the mgr, for this host. Its mon cap is
        for finding the mgr, and allows to read the cluster's state and its
        central config too. Returns the keyring's text.
        """
        entity = AGENT + host
        if self._commands.mon_or_none('auth get', entity=entity) is not None:
            raise AlreadyExists(f'{entity} exists already')
        caps = {
            'mon': 'allow service mon r',
            'mgr': f'allow command "{command}" with host={host}',
        }
        return self._commands.change(
            'auth get-or-create', entity=entity, caps=_flat(caps)
        )

    def agent_key_remove(self, host: str) -> None:
        """Remove the key of a load host's agent; fine when absent."""
        self._commands.change('auth rm', entity=AGENT + host)

    def blocklist_add(self, address: str, seconds: float) -> None:
        """Blocklist one client address (ip:port/nonce)."""
        self._map_change(
            'osd blocklist', blocklistop='add', addr=address, expire=seconds
        )

    def blocklist_remove(self, address: str) -> None:
        """Take one address off the blocklist; fine when absent."""
        self._map_change('osd blocklist', blocklistop='rm', addr=address)

    # configuration

    def config_set(self, who: str, option: str, value: str) -> None:
        """Set a value of the central config."""
        self._commands.change('config set', who=who, name=option, value=value)

    def config_remove(self, who: str, option: str) -> None:
        """Remove a value of the central config."""
        self._commands.change('config rm', who=who, name=option)


def _bucket_id(crush: Mapping[str, Any], name: str) -> int:
    for bucket in crush['buckets']:
        if bucket['name'] == name:
            return int(bucket['id'])
    raise CommandFailed(
        'osd crush', errno.ENOENT, f'item {name!r} does not exist'
    )


def _flat(caps: Mapping[str, str]) -> List[str]:
    return [word for cap in sorted(caps.items()) for word in cap]
