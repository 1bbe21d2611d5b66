"""The one door to Ceph: everything perfcompare reads from or does to it.

Everything behind module.py takes a ``Cluster``; the real one is
``mgr_cluster.MgrCluster``, unit tests use an in-memory fake. Each method
raises CommandFailed when Ceph refuses, and TryAgain when it does not answer
within the call's time limit. Changes are made only through the verbs below:
there is no way to run an arbitrary command.
"""

from typing import (
    Any,
    Dict,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

from ..model.topology import (
    ExporterPlace,
    Health,
    MgrState,
    MonState,
    PgCounts,
    PgMapping,
    Pool,
    PoolIo,
    PoolLatency,
    Topology,
    Traffic,
)
from .faults import ClusterFaults
from .orchestration import ClusterOrchestration
from .recovery_reads import RecoveryReads


class ClusterReads(Protocol):
    """Read the state of the cluster; nothing here changes anything."""

    def fsid(self) -> str:
        """Return the cluster's fsid."""

    def ceph_version(self) -> str:
        """Return the release of this mgr, e.g. '20.2.4'."""

    def conf_path(self) -> str:
        """Return the path of the mgr's ceph.conf for child processes."""

    def mon_round_trip(self) -> None:
        """Return only after a mon in quorum answered (lease renewal)."""

    def topology(self) -> Topology:
        """Return OSDs and CRUSH hierarchy with metadata and fill."""

    def osdmap_epoch(self) -> int:
        """Return the epoch of the mgr's OSD map (cheap)."""

    def osds_down_or_out(self) -> Dict[int, str]:
        """Return the OSDs that are not up+in: id -> 'down'|'out' (cheap)."""

    def osdmap_flags(self) -> Sequence[str]:
        """Return the cluster-wide flags that are set, e.g. 'noout'."""

    def pools(self) -> List[Pool]:
        """Return all pools with their statistics."""

    def pool_io(self) -> Dict[int, PoolIo]:
        """Return client I/O by pool id (cheap, mgr's own statistics)."""

    def pool_latency(self) -> Optional[Dict[int, PoolLatency]]:
        """Return operations and their time by pool id since the last call.

        The first call starts an OSD perf query (pool_query.py) and returns
        an empty dict; None when this mgr offers no such query.
        """

    def pool_latency_end(self) -> None:
        """End the OSD perf query; fine when there is none."""

    def traffic_begin(self, ours: Sequence[int]) -> Optional[int]:
        """Have the OSDs count operations of all pools but ``ours`` (ids).

        Return the number of the query; None when this mgr offers none.
        """

    def traffic(self, query: int) -> Dict[Tuple[int, int], Traffic]:
        """Return what came since the last call, by pool id and OSD."""

    def traffic_end(self, query: int) -> None:
        """End a query of ``traffic_begin``."""

    def full_ratios(self) -> Dict[str, float]:
        """Return 'nearfull', 'backfillfull' and 'full' of the OSD map."""

    def pool_df(self, name: str) -> Dict[str, int]:
        """Return 'objects', 'stored' and 'raw' bytes of one pool."""

    def health(self) -> Health:
        """Return the health checks (cheap)."""

    def pg_counts(self) -> PgCounts:
        """Return the numbers of PGs by state, of all pools and OSDs.

        Some 2 us per OSD: ask once, not for each pool or OSD.
        """

    def pg_states_age(self) -> float:
        """Return how old PG states may be, in seconds (cheap).

        OSDs report every mgr_stats_period (5 s), and the mgr takes reports
        in every mgr_tick_period (2 s).
        """

    def pg_stats_now(self, osds: Sequence[int]) -> None:
        """Return when the mgr has PG states as these OSDs see them now.

        Takes up to 2 s. Without it, states are up to 7 s old.
        """

    def pg_map(self, pool: str) -> List[PgMapping]:
        """Return up and acting sets of all PGs of one pool.

        By the mgr's OSD map: OSDs may not have that map yet.
        """

    def pg_now(self, pool_id: int, ps: int) -> PgMapping:
        """Return up and acting set of one PG as its primary has them.

        Raises CommandFailed when the OSD does not have the PG yet, and
        TryAgain when it does not answer.
        """

    def pg_objects(self, pool_id: int, ps: int) -> int:
        """Return the objects of one PG as its primary counts them.

        Raises CommandFailed and TryAgain like pg_now().
        """

    def upmap_allowed(self) -> bool:
        """Say whether the cluster's oldest allowed client knows upmaps."""

    def mon_state(self) -> MonState:
        """Return the quorum and its election epoch (cheap)."""

    def mgr_state(self) -> MgrState:
        """Return active and standby mgrs and what they can load."""

    def mon_config(self, mon: str, option: str) -> str:
        """Return the effective value in mon.<mon> (`config show`)."""

    def mon_config_pinned(self, mon: str, option: str) -> bool:
        """Say whether mon.<mon> has its value from a place of its own.

        The central config does not change what stands in the mon's
        configuration file, environment or command line.
        """

    def osd_config(self, osd: int, options: Sequence[str]) -> Dict[str, str]:
        """Return the effective values in osd.<osd> (`config show`)."""

    def config_get(self, who: str, option: str) -> Optional[str]:
        """Return a value of the central config set for exactly ``who``.

        None when nothing is set for that very section.
        """

    def option(self, name: str) -> str:
        """Return the value of a Ceph option as this mgr sees it."""

    def module_option(self, name: str) -> str:
        """Return what 'mgr/<module>/<option>' is in this mgr, now.

        A value that was removed from the central config is still in force
        here until the mgr starts anew.
        """

    def module_default(self, name: str) -> str:
        """Return the default of 'mgr/<module>/<option>', '' if unknown."""

    def upgrade_in_progress(self) -> Optional[str]:
        """Return the orchestrator's upgrade message, None without one."""

    def node_exporters(self) -> List[ExporterPlace]:
        """Return the node_exporters that the orchestrator runs.

        Empty without an orchestrator, or one that does not answer in time.
        """

    def own_address(self) -> str:
        """Return the IP of this mgr, empty when it is not known (cheap)."""

    def balancer_status(self) -> Dict[str, Any]:
        """Return `balancer status` as data ('active', 'mode')."""

    def rule_names(self) -> List[str]:
        """Return the names of the CRUSH rules."""

    def ec_profile_names(self) -> List[str]:
        """Return the names of the erasure-code profiles."""

    def ec_profile(self, name: str) -> Dict[str, str]:
        """Return an erasure-code profile; CommandFailed ENOENT."""

    def auth_entities(self) -> List[str]:
        """Return all entities of the auth database (no keys)."""

    def client_sessions(self, entity: str) -> List[str]:
        """Return addresses (ip:port/nonce) of a run's load clients.

        Seen by the operations that the OSDs of the run's pools have in
        flight or remember: a mgr may not list the mon's sessions.
        """

    def osd_perf_dump(
        self, osd: int, logger: Optional[str] = None
    ) -> Dict[str, Any]:
        """Return `perf dump` of one OSD, optionally of one logger."""

    def osd_histograms(
        self, osd: int, counter: Optional[str] = None
    ) -> Dict[str, Any]:
        """Return `perf histogram dump` of one OSD, of its logger osd.

        Optionally of one counter: each is 5 kB.
        """

    def osd_latest_counters(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[float]]:
        """Return the last report of counters to the mgr (cheap).

        In the form of ``osd_counter_history``.
        """

    def osd_counter_history(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[Sequence[float]]]:
        """Return the reports of counters that the mgr keeps (cheap).

        The last 20 of each, oldest first: (Unix time, value), of averages
        (Unix time, sum in ns, number). Unknown paths are left out.
        """


class ClusterWrites(Protocol):
    """Change the cluster; each verb makes exactly one change."""

    def crush_add_root(self, name: str) -> None:
        """Create an empty CRUSH root; EEXIST when the name is taken."""

    def crush_link_host(self, host: str, root: str) -> None:
        """Link a host below ``root`` beside its other parents."""

    def crush_unlink_host(self, host: str, root: str) -> None:
        """Take ``host`` from ``root`` only; its other parents stay.

        Refuses when no other parent remains, and while a rule takes the
        root; checks it after.
        """

    def crush_remove_root(self, name: str) -> None:
        """Remove an empty CRUSH root; refuses while a rule takes it."""

    def rule_create(
        self,
        name: str,
        root: str,
        failure_domain: str,
        device_class: Optional[str],
    ) -> None:
        """Create a replicated rule."""

    def rule_remove(self, name: str) -> None:
        """Remove a rule; EBUSY while a pool uses it."""

    def ec_profile_set(self, name: str, values: Mapping[str, str]) -> None:
        """Create an erasure-code profile; EEXIST when it exists."""

    def ec_profile_remove(self, name: str) -> None:
        """Remove an erasure-code profile; EBUSY while in use."""

    def pool_create(
        self,
        name: str,
        pg_num: int,
        rule: str,
        size: int,
        min_size: int,
        ec_profile: Optional[str],
    ) -> None:
        """Create a pool with its autoscaler off; EEXIST when it is there.

        With ``ec_profile``, ``rule`` is not used: Ceph makes a rule named
        like the pool, which goes with it. ``size`` is then k+m and not
        set. ``min_size`` is for the caller to set (`pool_set`): a pool
        can be changed only in the epoch after its creation.
        """

    def pool_set(self, name: str, key: str, value: str) -> None:
        """Set one pool option."""

    def pool_set_quota(self, name: str, max_bytes: int) -> None:
        """Set the quota in bytes."""

    def pool_set_application(
        self, name: str, application: str, key: str, value: str
    ) -> None:
        """Enable ``application`` and store key=value with it."""

    def pool_remove(self, name: str) -> None:
        """Remove a pool that carries our application metadata.

        Raises NotPermitted when it does not: never removes others' pools.
        """

    def pg_upmap(self, pool: str, ps: int, moves: Mapping[int, int]) -> None:
        """Set upmap items of one PG of one of our pools (from -> to).

        An upmap that breaks the pool's rule is dropped silently by the
        mon: read the mapping back.
        """

    def pg_upmap_order(self, pool: str, ps: int, osds: Sequence[int]) -> None:
        """Map one PG of one of our pools to exactly ``osds``, in order.

        The first one is the primary. Dropped silently like `pg_upmap`.
        """

    def auth_create(self, entity: str, caps: Mapping[str, str]) -> str:
        """Create a key and return its keyring text; EEXIST if there."""

    def auth_remove(self, entity: str) -> None:
        """Remove an entity."""

    def blocklist_add(self, address: str, seconds: float) -> None:
        """Blocklist one client address (ip:port/nonce)."""

    def blocklist_remove(self, address: str) -> None:
        """Take one address off the blocklist; fine when absent."""

    def config_set(self, who: str, option: str, value: str) -> None:
        """Set a value of the central config."""

    def config_remove(self, who: str, option: str) -> None:
        """Remove a value of the central config."""


class Notifications(Protocol):
    """Tell people: cluster log, health, progress."""

    def log_info(self, message: str) -> None:
        """Write a line to the cluster log."""

    def log_warn(self, message: str) -> None:
        """Write a warning to the cluster log."""

    def set_health_warning(
        self, code: str, summary: str, detail: Sequence[str]
    ) -> None:
        """Raise one of our health warnings."""

    def clear_health_warning(self, code: str) -> None:
        """Take one of our health warnings back."""

    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        """Show progress in `ceph -s`; quietly nothing without the module."""

    def progress_complete(self, ident: str) -> None:
        """End a progress event."""


class KeyValueStore(Protocol):
    """Keep small facts with the mons."""

    def kv_get(self, key: str) -> Optional[str]:
        """Return a value of our own store in the mon."""

    def kv_set(self, key: str, value: str) -> None:
        """Store a value (< 4 KiB) in the mon, verified by reading it back.

        Raises InvalidArgument when it is larger: the mon would lose it
        silently.
        """

    def kv_remove(self, key: str) -> None:
        """Remove a value; fine when absent."""

    def kv_list(self, prefix: str) -> Dict[str, str]:
        """Return all keys (whole, with prefix) and values below prefix."""


class Cluster(
    ClusterReads,
    RecoveryReads,
    ClusterWrites,
    ClusterFaults,
    ClusterOrchestration,
    Notifications,
    KeyValueStore,
    Protocol,
):
    """Offer everything that perfcompare needs of a cluster."""
