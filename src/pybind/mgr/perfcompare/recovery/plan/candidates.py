"""Why OSDs or hosts cannot be what a test stops or marks out."""

from typing import Protocol, Sequence

from ...model.recovery import Scenario
from ...model.recovery_plan import PlannedStep
from ...model.topology import Topology
from ...ports.faults import Departures
from . import marking_out, movement_forecast, precautions, safety
from .request import ValidatedRequest


class Needs(marking_out.Needs, precautions.Needs, Protocol):
    """Name what is asked of a cluster here."""


def unfit(
    cluster: Needs,
    step: PlannedStep,
    found: Sequence[PlannedStep],
    wishes: ValidatedRequest,
    topology: Topology,
    departures: Departures,
) -> str:
    """Say why a step cannot follow those ``found``; empty where it can.

    ``departures`` is one for all candidates.
    """
    taken = {h for s in found for h in s.hosts}
    if taken & set(step.hosts):
        return f'{step.target} is on a host that has its turn already'
    if wishes.scenario is Scenario.OSD_OUT:
        (osd,) = step.osds
        return movement_forecast.problem(osd, departures.without([osd]))
    if wishes.scenario is Scenario.HOST_STOP:
        around = safety.Surroundings(
            cluster.mgr_state(), cluster.mon_state(), cluster.mon_hosts()
        )
        problem = safety.host_problem(
            step.hosts[0], step.osds, topology, around, sorted(taken)
        )
        if problem:
            return problem
    before = [o for s in found for o in s.osds]
    problem = precautions.stop_problem(cluster, sorted({*before, *step.osds}))
    if not problem and wishes.auto_out:
        problem = marking_out.problem(cluster, step.osds, before, wishes.hold)
    return problem
