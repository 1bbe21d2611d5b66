"""How long the buckets of a run take to be removed."""

from ...model.plan import RunPlan
from ...model.workload import Workload
from . import plan as s3plan
from . import shape

SLOWEST = 250.0  # objects per second that gateways delete at least
# Seconds, of one bucket
LEAST = 1800.0  # however little it holds
MOST = 14400.0


def limit(objects: int) -> float:
    """Return the seconds after which removing ``objects`` has failed."""
    return max(LEAST, min(MOST, objects / SLOWEST))


def removable(workload: Workload, objects: int) -> int:
    """Return how much is to be removed of ``objects`` that were written."""
    # each has a marker when it is deleted
    return 2 * objects if shape.versioned(workload) else objects


def seconds(plan: RunPlan) -> float:
    """Return what a run needs at most for its buckets, between rounds.

    For as many objects as its loads may write, in gateways of the operator.
    """

    def of_bucket(workload: Workload, group: str) -> float:
        most = s3plan.bound(plan, workload, group)
        return min(MOST, removable(workload, most) / SLOWEST)

    workloads = s3plan.workloads(plan.profile)
    return sum(
        of_bucket(workload, group.name) * plan.profile.rounds
        for group in plan.groups
        if group.gateways
        for workload in workloads
        if not workload.reads
    )
