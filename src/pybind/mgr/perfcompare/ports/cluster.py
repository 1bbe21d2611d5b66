"""The one door to Ceph: everything perfcompare reads from or does to it.

``composition`` gives a ``Cluster`` to those who need it whole; who needs a
part asks for the protocol of that part. The real one is
``ceph.mgr_cluster.MgrCluster``, unit tests use an in-memory fake. Each method
raises CommandFailed when Ceph refuses, and TryAgain when it does not answer
within the call's time limit. Changes are made only through the verbs of
``writes``: there is no way to run an arbitrary command.
"""

from typing import Protocol

from .agent_keys import AgentKeys
from .faults import ClusterFaults
from .keys import KeyValueStore
from .notices import Notifications
from .orchestration import ClusterOrchestration
from .reads import ClusterReads
from .recovery_reads import RecoveryReads
from .writes import ClusterWrites


class Cluster(
    ClusterReads,
    RecoveryReads,
    ClusterWrites,
    ClusterFaults,
    ClusterOrchestration,
    AgentKeys,
    Notifications,
    KeyValueStore,
    Protocol,
):
    """Offer everything that perfcompare needs of a cluster."""
