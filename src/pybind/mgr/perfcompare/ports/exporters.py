"""Where node_exporters are.

A part of the one door to Ceph (cluster.py).
"""

from typing import List, Protocol

from ..model.topology import ExporterPlace


class ExporterReads(Protocol):
    """Read what the orchestrator knows of them."""

    def node_exporters(self) -> List[ExporterPlace]:
        """Return the node_exporters that the orchestrator runs.

        Empty without an orchestrator, or one that does not answer in time.
        """
