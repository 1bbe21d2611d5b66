"""Make, check and remove what a run needs in the cluster.

A group's place (CRUSH root and links, or a class; rule or erasure-code
profile) and the run's key live as long as the run; pools as long as their
PoolPlan says. Everything is journaled before it is made, and made together
where it can be: each change of the OSD map takes about a second.
"""

from typing import Callable, Dict, FrozenSet, List, Optional, Sequence, Set

import logging

from ..common.clock import SYSTEM
from ..common.errors import AlreadyExists, PerfcompareError
from ..common.parallel import run_concurrently
from ..model import load
from ..model.ownership import APPLICATION
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.topology import Pool
from ..ports.clock import Clock
from ..ports.cluster import Cluster
from ..undo.journal import Entry, Journal, Kind
from ..undo.pools import CONSENT, PoolDeletion, remove_rule
from . import stats_period
from .placement import PlacementEvidence, Placer

__all__ = ['BenchPool', 'PlacementEvidence']

log = logging.getLogger(__name__)

QUOTA_FACTOR = 1.2  # of the planned bytes
TRIES = 4  # pools made anew where upmaps are not allowed

Change = Callable[[], None]


class BenchPool:
    """Prepare the places and pools of one run; used by one thread.

    ``check`` is called while waiting; what it raises ends the wait.
    """

    def __init__(
        self,
        cluster: Cluster,
        journal: Journal,
        plan: RunPlan,
        check: Callable[[], None] = lambda: None,
        clock: Clock = SYSTEM,
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._plan = plan
        self._run = plan.run
        self._clock = clock
        self._placer = Placer(cluster, plan, check, clock)
        self._entries: Dict[str, Entry] = {}  # of pools, by name
        self._evidence: Dict[str, PlacementEvidence] = {}
        self.keyring = ''  # the text of the run's key, after prepare()

    # the run

    def prepare(self) -> None:
        """Make roots, links, rules or profiles, and the key.

        Has OSDs report more often where the plan says so.

        Raises AlreadyExists when a name is taken; nothing is reused.
        """
        groups = self._plan.groups
        if self._plan.options.enable_pool_delete:
            self._journal.intend(self._run, Kind.CONSENT, CONSENT)
        run_concurrently([self._root(g) for g in groups if g.root])
        run_concurrently(
            [self._link(g, h) for g in groups if g.root for h in g.hosts]
        )
        run_concurrently([c for g in groups for c in self._rules(g)])
        self._key()
        stats_period.lower(
            self._cluster,
            self._journal,
            self._run,
            self._plan.options.stats_period,
        )

    def _make(
        self,
        kind: Kind,
        name: str,
        change: Change,
        detail: Optional[Dict[str, str]] = None,
    ) -> Entry:
        """Journal a thing, and make it.

        A name that is taken is not ours: then the entry goes at once, and
        AlreadyExists is raised.
        """
        entry = self._journal.intend(self._run, kind, name, detail)
        try:
            change()
        except AlreadyExists:
            self._journal.forget(entry)
            raise
        return self._journal.done(entry)

    def _root(self, group: GroupPlan) -> Change:
        def make() -> None:
            root = group.root or ''
            self._make(
                Kind.ROOT, root, lambda: self._cluster.crush_add_root(root)
            )

        return make

    def _link(self, group: GroupPlan, host: str) -> Change:
        def make() -> None:
            root = group.root or ''
            self._make(
                Kind.LINK,
                host,
                lambda: self._cluster.crush_link_host(host, root),
                {'root': root},
            )

        return make

    def _rules(self, group: GroupPlan) -> List[Change]:
        """Return what makes a group's rules, or its erasure-code profile."""
        changes: List[Change] = []
        profiles = {p.ec_profile for p in group.pools if p.ec_profile}
        for profile in sorted(profiles):
            changes.append(self._ec_rule(group, profile))
        plain = {p.rule for p in group.pools if not p.ec_profile}
        if group.index_rule in plain:
            changes.append(
                self._rule(
                    group.index_rule,
                    group.index_root or self._class_root(group),
                    group.index_class,
                )
            )
        if plain - {group.index_rule} or not group.pools:
            root = group.root or self._class_root(group)
            changes.append(self._rule(group.rule, root, group.device_class))
        return changes

    def _rule(
        self, name: str, root: str, device_class: Optional[str]
    ) -> Change:
        def make() -> None:
            self._make(
                Kind.RULE,
                name,
                lambda: self._cluster.rule_create(
                    name, root, self._plan.failure_domain, device_class
                ),
            )

        return make

    def _ec_rule(self, group: GroupPlan, name: str) -> Change:
        return lambda: self._ec_profile(group, name)

    def _ec_profile(self, group: GroupPlan, name: str) -> None:
        """Copy the code of the operator's profile, with our own place."""
        wanted = self._plan.options.ec_profile or ''
        values = {
            key: value
            for key, value in self._cluster.ec_profile(wanted).items()
            if not key.startswith(('crush-', 'ruleset-'))
        }
        # the default plugin differs between releases
        values.setdefault('plugin', 'jerasure')
        values['crush-root'] = group.root or self._class_root(group)
        values['crush-failure-domain'] = self._plan.failure_domain
        if group.device_class:
            values['crush-device-class'] = group.device_class
        self._make(
            Kind.EC_PROFILE,
            name,
            lambda: self._cluster.ec_profile_set(name, values),
        )

    def _class_root(self, group: GroupPlan) -> str:
        """Return the root that holds most OSDs of a group by class."""
        topology = self._cluster.topology()
        roots = {
            b.name: len(set(topology.osds_under(b.name)) & set(group.osds))
            for b in topology.buckets.values()
            if b.type == 'root' and not topology.parents(b.name)
            if not b.name.startswith(f'{APPLICATION}-')
        }
        best = max(sorted(roots), key=lambda name: roots[name], default='')
        if not best or not roots[best]:
            raise PerfcompareError(
                f'group {group.name!r} has no OSDs below any CRUSH root'
            )
        return best

    def _key(self) -> None:
        """Make the key: it can use pools marked with this run, and these
        only, from the moment that they are marked."""
        tools = dict.fromkeys(w.tool for w in self._plan.profile.workloads)
        asked = [load.of_tool(tool).mon_caps for tool in tools]
        more = dict.fromkeys(caps for caps in asked if caps)
        caps = {
            'mon': ', '.join(('allow r', *more)),
            'osd': f'allow rwx tag {APPLICATION} run={self._run}',
        }

        def create() -> None:
            self.keyring = self._cluster.auth_create(self._plan.key, caps)

        self._make(Kind.KEY, self._plan.key, create)

    # pools

    def names(self) -> FrozenSet[str]:
        """Return the pools that are there, or about to be created."""
        return frozenset(list(self._entries))

    def has(self, pool: PoolPlan) -> bool:
        """Say whether a pool was created and is checked."""
        return pool.name in self._evidence

    def evidence(self, pool: PoolPlan) -> Optional[PlacementEvidence]:
        """Return how a pool fell on its group, None before it is there."""
        return self._evidence.get(pool.name)

    def create(self, pools: Sequence[PoolPlan], balance: bool = True) -> None:
        """Create pools together, balance them, and wait for their PGs.

        Without ``balance`` they stay where CRUSH puts them: an explicit
        mapping of a PG is void as soon as one of its OSDs is out.

        Raises PerfcompareError when a pool is not as it was planned, and
        TryAgain when its PGs are not active+clean in time.
        """
        if not pools:
            return
        self._create(pools)
        marks = [c for pool in pools for c in self._marks(pool)]
        if not balance:
            run_concurrently(marks)
            found = {p.name: self._placer.look(p) for p in pools}
        elif self._cluster.upmap_allowed():
            found = self._placer.balance(pools, marks)
        else:
            run_concurrently(marks)
            found = self._draw(pools)
        self._placer.wait_clean(pools)
        self._evidence.update(found)

    def level(self, pool: PoolPlan, images: bool = False) -> None:
        """Have the OSDs of a filled pool lead as many of its objects.

        Of a pool of ``images``, as many bytes.
        Chunks of an EC pool belong to their OSDs, and an upmap may not be
        allowed: then it is looked at only. What is not our pool stays.
        """
        if not self.has(pool):
            return
        reorder = not pool.ec_profile and self._cluster.upmap_allowed()
        found = self._placer.level(pool, reorder, images)
        if found is not None:
            self._evidence[pool.name] = found

    def _draw(
        self, pools: Sequence[PoolPlan]
    ) -> Dict[str, PlacementEvidence]:
        """Make pools anew until they fall well enough: no upmaps here."""
        found: Dict[str, PlacementEvidence] = {}
        waiting = list(pools)
        for number in range(1, TRIES + 1):
            for pool in waiting:
                found[pool.name] = self._placer.look(pool)
            waiting = [p for p in waiting if not found[p.name].even]
            if not waiting or number == TRIES:
                break
            self.remove(waiting)
            self._create(waiting)
            run_concurrently(
                [c for pool in waiting for c in self._marks(pool)]
            )
        return found

    def _create(self, pools: Sequence[PoolPlan]) -> None:
        run_concurrently([self._creator(pool) for pool in pools])
        run_concurrently([c for pool in pools for c in self._settings(pool)])
        for pool in pools:
            self._placer.wait_pg_num(pool)
        actual = {p.name: p for p in self._cluster.pools()}
        for pool in pools:
            self._verify(pool, actual.get(pool.name))

    def _creator(self, pool: PoolPlan) -> Change:
        def create() -> None:
            detail = {'group': pool.group, 'role': pool.role}
            if pool.ec_profile:
                detail['erasure'] = 'yes'
            entry = self._journal.intend(
                self._run, Kind.POOL, pool.name, detail
            )
            self._entries[pool.name] = entry
            try:
                self._cluster.pool_create(
                    pool.name,
                    pool.pg_num,
                    pool.rule,
                    pool.size,
                    pool.min_size,
                    pool.ec_profile,
                )
            except AlreadyExists:
                self._journal.forget(entry)
                del self._entries[pool.name]
                raise

        return create

    def _settings(self, pool: PoolPlan) -> List[Change]:
        name, cluster = pool.name, self._cluster
        quota = int(pool.max_bytes * QUOTA_FACTOR)
        settings: List[Change] = [
            lambda: self._note_made(name),
            lambda: cluster.pool_set_application(name, APPLICATION, '', ''),
            lambda: cluster.pool_set(name, 'min_size', str(pool.min_size)),
            lambda: cluster.pool_set(name, 'noscrub', '1'),
            lambda: cluster.pool_set(name, 'nodeep-scrub', '1'),
            lambda: cluster.pool_set_quota(name, quota),
        ]
        if pool.overwrites:
            settings.append(
                lambda: cluster.pool_set(name, 'allow_ec_overwrites', 'true')
            )
        return settings

    def _note_made(self, pool: str) -> None:
        self._entries[pool] = self._journal.done(self._entries[pool])

    def _marks(self, pool: PoolPlan) -> List[Change]:
        marks = {'run': self._run, 'group': pool.group, 'role': pool.role}
        found = [
            self._mark(pool.name, key, value) for key, value in marks.items()
        ]
        if pool.application:
            found.append(
                lambda: self._cluster.pool_set_application(
                    pool.name, pool.application, '', ''
                )
            )
        if self._plan.options.orch_gateways and pool.role.startswith('s3-'):
            # keys of the orchestrator are for pools of this application
            found.append(
                lambda: self._cluster.pool_set_application(
                    pool.name, 'rgw', '', ''
                )
            )
        return found

    def _mark(self, pool: str, key: str, value: str) -> Change:
        return lambda: self._cluster.pool_set_application(
            pool, APPLICATION, key, value
        )

    def _verify(self, plan: PoolPlan, pool: Optional[Pool]) -> None:
        if pool is None:
            raise PerfcompareError(
                f'pool {plan.name!r} is not in the OSD map after its creation'
            )
        wanted = (plan.size, plan.min_size, 'off')
        found = (pool.size, pool.min_size, pool.autoscale_mode)
        if wanted != found:
            raise PerfcompareError(
                f'pool {plan.name!r} has size, min_size, autoscaler {found}, '
                f'not {wanted}'
            )

    def remove(self, pools: Sequence[PoolPlan]) -> None:
        """Remove pools of this run together, and forget their entries."""
        names: Set[str] = {p.name for p in pools} & set(self._entries)
        consent = self._plan.options.enable_pool_delete
        with PoolDeletion(
            self._cluster, self._journal, self._run, consent, self._clock
        ) as deletion:
            run_concurrently(
                [self._remover(n, deletion) for n in sorted(names)]
            )

    def _remover(self, name: str, deletion: PoolDeletion) -> Change:
        def remove() -> None:
            self._evidence.pop(name, None)
            deletion.remove(name)
            entry = self._entries.pop(name)
            if entry.detail.get('erasure'):
                try:  # Reef leaves the rule that it made for the pool
                    remove_rule(self._cluster, name)
                except PerfcompareError as error:
                    log.warning('%s', error.message)
                    return  # undo goes by the entry
            self._journal.forget(entry)

        return remove
