"""The one door to Ceph: everything perfcompare reads from or does to it.

``composition`` alone has a whole ``Cluster``; all others say what they ask
of it, by the protocols of topics beside this file, and by ``Needs`` of their
own where these are several. The real one is ``ceph.cluster.MgrCluster``, unit
tests use an in-memory fake. Each method raises CommandFailed when Ceph
refuses, and TryAgain when it does not answer within the call's time limit.
Changes are made only through the verbs of ``…Writes``: there is no way to
run an arbitrary command.
"""

from typing import Protocol

from .agent_keys import AgentKeys
from .auth import AuthReads, AuthWrites
from .config import ConfigReads, ConfigWrites
from .exporters import ExporterReads
from .faults import DaemonOrders, FaultReads, FaultWrites
from .health import HealthReads, Mons
from .identity import Identity
from .keys import KeyValueStore
from .notices import Notifications
from .orchestration import ClusterOrchestration
from .osd_map import OsdMapReads
from .osds import OsdReads
from .perf_queries import PerfQueries
from .pgs import PgReads, PgWrites
from .pools import PoolReads, PoolWrites
from .recovery_reads import RecoveryReads
from .rules import RuleReads, RuleWrites


class Cluster(
    AgentKeys,
    AuthReads,
    AuthWrites,
    ClusterOrchestration,
    ConfigReads,
    ConfigWrites,
    DaemonOrders,
    ExporterReads,
    FaultReads,
    FaultWrites,
    HealthReads,
    Identity,
    KeyValueStore,
    Mons,
    Notifications,
    OsdMapReads,
    OsdReads,
    PerfQueries,
    PgReads,
    PgWrites,
    PoolReads,
    PoolWrites,
    RecoveryReads,
    RuleReads,
    RuleWrites,
    Protocol,
):
    """Offer everything that perfcompare needs of a cluster."""
