"""Make a group's place in the cluster, and the key of a run.

CRUSH root and links, or a class; rule or erasure-code profile. All of it
lives as long as the run, is journaled before it is made, and made together
where it can be: each change of the OSD map takes about a second.
"""

from typing import Callable, Dict, List, Optional, Protocol

import itertools

from ..common.errors import AlreadyExists, NotPermitted
from ..common.parallel import run_concurrently
from ..groups.resolution import class_root
from ..model import load
from ..model.ownership import APPLICATION
from ..model.plan import GroupPlan, RunPlan
from ..ports.auth import AuthWrites
from ..ports.config import ConfigReads, ConfigWrites
from ..ports.osd_map import OsdMapReads
from ..ports.rules import RuleReads, RuleWrites
from ..undo.journal import Entry, Journal, Kind
from ..undo.links import PARENTS, foreign_parents
from ..undo.pools import CONSENT
from . import balancer_hold, stats_period

SPARES = 256  # each is two changes of the OSD map, many of them at a time

Change = Callable[[], None]


class Needs(
    AuthWrites,
    ConfigReads,
    ConfigWrites,
    OsdMapReads,
    RuleReads,
    RuleWrites,
    Protocol,
):
    """Name what is asked of a cluster here."""


class GroupPlaces:
    """Prepare the places of one run's groups; used by one thread."""

    def __init__(
        self, cluster: Needs, journal: Journal, plan: RunPlan
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._plan = plan
        self._run = plan.run
        self.keyring = ''  # the text of the run's key, after prepare()

    def prepare(self) -> None:
        """Make roots, links, rules or profiles, and the key.

        Has OSDs report more often where the plan says so, and holds a
        balancer that chooses primaries.

        Raises AlreadyExists when a name is taken; nothing is reused.
        """
        groups = self._plan.groups
        if self._plan.options.enable_pool_delete:
            self._journal.intend(self._run, Kind.CONSENT, CONSENT)
        spares = self._spares()
        run_concurrently([self._root(g) for g in groups if g.root])
        run_concurrently([self._unmade(spare) for spare in spares])
        run_concurrently(
            [self._link(g, h) for g in groups if g.root for h in g.hosts]
        )
        run_concurrently([c for g in groups for c in self._rules(g)])
        self._key()
        # a test holds it by itself, whatever its mode
        if self._plan.recovery is None and any(g.pools for g in groups):
            if balancer_hold.chooses_primaries(self._cluster):
                balancer_hold.hold(self._cluster, self._journal, self._run)
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

    def _spares(self) -> List[Entry]:
        """Make empty roots, so that none of a host's roots is its first.

        They take the ids of buckets that were removed before.
        """
        hosts = {h for g in self._plan.groups if g.root for h in g.hosts}
        number = self._cluster.crush_spare_ids(hosts) if hosts else 0
        if number > SPARES:
            raise NotPermitted(
                f'the CRUSH map has {number} free ids before those that hold '
                'the hosts of the run, whose root would become their first '
                'parent; define the groups by --device-class'
            )
        taken = {g.root for g in self._plan.groups}
        names = (
            name
            for n in itertools.count(1)
            if (name := f'perfcompare-{self._run}-spare-{n}') not in taken
        )
        return run_concurrently(
            [self._spare(n) for n in itertools.islice(names, number)]
        )

    def _spare(self, name: str) -> Callable[[], Entry]:
        return lambda: self._make(
            Kind.ROOT, name, lambda: self._cluster.crush_add_root(name)
        )

    def _unmade(self, spare: Entry) -> Change:
        def remove() -> None:
            self._cluster.crush_remove_root(spare.name)
            self._journal.forget(spare)

        return remove

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
            parents = foreign_parents(self._cluster, host)
            self._make(
                Kind.LINK,
                host,
                lambda: self._cluster.crush_link_host(host, root),
                {'root': root, PARENTS: ' '.join(parents)},
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
        """Return the root that is planned for a group by class."""
        return group.class_root or class_root(
            group.name, group.osds, self._cluster.topology()
        )

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
