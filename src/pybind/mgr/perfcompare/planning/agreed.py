"""What of a plan a user agreed to: whether it is still what would start."""

from typing import Any, Dict, FrozenSet, Iterable, Optional

import hashlib
import json

from ..common.codec import to_data
from ..common.errors import PlanChanged
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.recovery_plan import GroupTest, TestPlan

_DIGITS = 16
_AND = '-'  # between the digits and the ids of checks
# of options: what was asked for on the way to the start
_ASKED = ('seed', 'consent')
# of a recovery test: what the cluster's state of the moment makes of it
_OF_THE_MOMENT = ('groups', 'log_entries')


def digest(plan: RunPlan, asks: Iterable[str] = ()) -> str:
    """Return 16 hexadecimal digits that are alike for plans that do alike.

    What changes each minute is not in them: estimates, forecasts, the run's
    id and what is named by it; and what recovery tests write, which the
    PGs and the free space of the moment bound. Bytes of others are rounded
    to two digits. The ids of the checks that ask for consent follow.
    """
    text = json.dumps(_of_plan(plan), sort_keys=True)
    digits = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
    return _AND.join([digits, *sorted(asks)])


def check(plan: RunPlan, agreed: str) -> Optional[FrozenSet[str]]:
    """Return the ids of the checks that were seen to ask for consent.

    None stands for all of them: no plan was looked at, as ``agreed`` is ''.
    Raises PlanChanged where another plan was agreed to.
    """
    if not agreed:
        return None
    digits, *seen = agreed.split(_AND)
    if digits != digest(plan):
        raise PlanChanged(
            'the plan has changed since you saw it: look at it again'
        )
    return frozenset(seen)


def _of_plan(plan: RunPlan) -> Dict[str, Any]:
    options = to_data(plan.options)
    return {
        'groups': [_of_group(g, bool(plan.recovery)) for g in plan.groups],
        'profile': to_data(plan.profile),
        'options': {n: v for n, v in options.items() if n not in _ASKED},
        'seed': plan.seed,
        'copies': (plan.size, plan.min_size, plan.failure_domain),
        'blocks': to_data(plan.blocks),
        'bytes': None if plan.recovery else _about(plan.bytes_written),
        'client_host': plan.client_host,
        'autoscaler': sorted(plan.pauses_autoscaler),
        'probe_rate': plan.probe_rate,
        'recovery': plan.recovery and _of_test(plan.recovery),
    }


def _of_group(group: GroupPlan, tested: bool) -> Dict[str, Any]:
    return {
        'name': group.name,
        'placement': group.placement.value,
        'device_class': group.device_class,
        'hosts': sorted(group.hosts),
        'osds': sorted(group.osds),
        'index_osds': sorted(group.index_osds),
        'gateways': (group.gateways, sorted(group.endpoints)),
        'gateway_hosts': sorted(group.gateway_hosts),
        'gateway_port': group.gateway_port,
        'pools': [_of_pool(pool, tested) for pool in group.pools],
    }


def _of_pool(pool: PoolPlan, tested: bool) -> Dict[str, Any]:
    return {
        'role': pool.role,
        'pg_num': pool.pg_num,
        'copies': (pool.size, pool.min_size, pool.data_chunks),
        'bytes': None if tested else _about(pool.max_bytes),
        'per_round': pool.per_round,
    }


def _of_test(test: TestPlan) -> Dict[str, Any]:
    found = to_data(test)
    for name in _OF_THE_MOMENT:
        found.pop(name)
    return dict(found, groups=[_of_tested(group) for group in test.groups])


def _of_tested(group: GroupTest) -> Dict[str, Any]:
    return {'group': group.group, 'steps': to_data(group.steps)}


def _about(number: int) -> float:
    return float(f'{number:.1e}')
