"""How long the buckets of a run take to be removed."""

from ...model.plan import RunPlan
from . import plan as s3plan

SLOWEST = 250.0  # objects per second that gateways delete at least
# Seconds, of one bucket
LEAST = 1800.0  # however little it holds
MOST = 14400.0


def limit(objects: int) -> float:
    """Return the seconds after which removing ``objects`` has failed."""
    return max(LEAST, min(MOST, objects / SLOWEST))


def seconds(plan: RunPlan) -> float:
    """Return what a run needs at most for its buckets, between rounds.

    For as many objects as its loads may write, in gateways of the operator.
    """
    workloads = s3plan.workloads(plan.profile)
    return sum(
        min(MOST, s3plan.bound(plan, workload, group.name) / SLOWEST)
        * plan.profile.rounds
        for group in plan.groups
        if group.gateways
        for workload in workloads
        if not workload.reads
    )
