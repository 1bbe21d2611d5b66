"""Which hosts make the S3 gateways of a trial."""

from typing import Callable, Sequence

from ..drivers.s3.gateways.private import GatewaySource
from ..model.plan import RunPlan
from ..ports.trial_watch import TrialContext
from .finding import GATEWAY, Machine

GatewayHosts = Callable[[TrialContext], Sequence[Machine]]


def of(
    plan: RunPlan, gateways: GatewaySource, address: Callable[[], str]
) -> GatewayHosts:
    """Return what names the hosts of a run's gateways."""
    if plan.options.orch_gateways:
        return lambda context: ()  # they are those of the OSDs
    if plan.options.existing_gateways:
        return existing(gateways)
    return private(address)


def private(address: Callable[[], str]) -> GatewayHosts:
    """Say that gateways of a run's own are where its load is made."""

    def hosts(context: TrialContext) -> Sequence[Machine]:
        if context.workload.op.direct:
            return ()
        return (Machine(context.plan.client_host, address(), GATEWAY),)

    return hosts


def existing(gateways: GatewaySource) -> GatewayHosts:
    """Say that gateways of operators are at their endpoints."""

    def hosts(context: TrialContext) -> Sequence[Machine]:
        if context.workload.op.direct:
            return ()
        endpoints = gateways.of(context.group).endpoints
        names = dict.fromkeys(e.host for e in endpoints)
        return tuple(Machine(name, name, GATEWAY) for name in names)

    return hosts
