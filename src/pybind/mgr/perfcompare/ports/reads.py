"""What is read of a cluster: the protocol; nothing here changes anything.

A part of the one door to Ceph (cluster.py).
"""

from typing import Any, Dict, List, Optional, Protocol, Sequence, Tuple

from ..model.topology import (
    ExporterPlace,
    Health,
    MgrState,
    MonState,
    PgContents,
    PgCounts,
    PgMapping,
    Pool,
    PoolIo,
    PoolLatency,
    Topology,
    Traffic,
)


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

    def traffic_begin(self) -> Optional[int]:
        """Have the OSDs count operations by pool, of ours as well.

        Return the number of the query; None when this mgr offers none.
        """

    def traffic(self, query: int) -> Dict[Tuple[int, int], Traffic]:
        """Return what came since the last call, by pool id and OSD."""

    def traffic_end(self, query: int) -> None:
        """End a query of ``traffic_begin``."""

    def perf_queries_forget(self) -> None:
        """Have the mgr forget OSD perf queries of ours that ended.

        Those that are under way stay.
        """

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

    def pg_contents(self, pool_id: int, ps: int) -> PgContents:
        """Return what one PG holds as its primary counts it.

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
