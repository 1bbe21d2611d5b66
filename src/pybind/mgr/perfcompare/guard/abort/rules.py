"""The abort rules as data: id, threshold, what is read, what fires."""

from typing import Callable, List, Mapping, Optional, Tuple

from ...common.settings import Settings
from . import readings
from .view import Rule

FOREVER = float('inf')


def _always(text: str) -> Callable[[Settings], str]:
    return lambda settings: text


# in the order in which they are asked; the first that fires counts
RULES: Tuple[Rule, ...] = (
    Rule('EMERGENCY_STOP', _always('the option is set'), readings.emergency),
    Rule(
        'LEASE',
        _always('no Monitor answered within the lease of the load'),
        readings.lease,
    ),
    Rule(
        'DEADLINE', _always('a trial is over its deadline'), readings.deadline
    ),
    Rule(
        'ERROR_BUDGET',
        lambda s: f'more than {s.error_budget:.2%} of operations failed',
        readings.errors,
    ),
    Rule(
        'OSD_DOWN',
        _always('any further OSD down or out'),
        readings.osds,
        ('down',),
    ),
    Rule(
        'NEARFULL',
        _always('an OSD or pool passes nearfull'),
        readings.full,
        ('health',),
    ),
    Rule(
        'POOL_FULL',
        _always('a pool becomes full or reaches its quota'),
        readings.code('POOL_FULL'),
        ('health',),
    ),
    Rule(
        'MON_DOWN',
        _always('the warning is new'),
        readings.code('MON_DOWN'),
        ('health',),
    ),
    Rule(
        'SLOW_OPS',
        _always('the warning is new'),
        readings.code('SLOW_OPS'),
        ('health',),
    ),
    Rule(
        'BLUESTORE_SLOW_OP_ALERT',
        _always('the warning is new'),
        readings.code('BLUESTORE_SLOW_OP_ALERT'),
        ('health',),
    ),
    Rule(
        'PG_AVAILABILITY',
        _always(
            'the warning is new, not of new pools of the run, and lasts as '
            'long as PGS_INACTIVE asks'
        ),
        readings.availability,
        ('health', 'foreign_pgs', 'own_pgs', 'pgs_age', 'pools'),
    ),
    Rule(
        'PG_DEGRADED',
        _always('the warning is new, and not of new pools of the run'),
        readings.pg_code('PG_DEGRADED', readings.lacking),
        ('health', 'foreign_pgs', 'own_pgs'),
    ),
    Rule(
        'PGS_INACTIVE',
        _always(
            'PGs inactive in 2 reports in a row, or '
            f'{readings.INACTIVE_SECONDS:.0f} s as others move'
        ),
        readings.inactive_pgs,
        ('foreign_pgs', 'own_pgs', 'pgs_age', 'pools'),
    ),
    Rule(
        'HEALTH_ERR',
        _always('any new health error'),
        readings.health_error,
        ('health',),
    ),
    Rule(
        'MON_ELECTION',
        _always('any election of the Monitors'),
        readings.election,
        ('mon',),
    ),
    Rule(
        'UPGRADE',
        _always('an upgrade starts'),
        readings.upgrade,
        ('upgrade',),
    ),
    Rule(
        'PG_NUM',
        _always('pg_num of a pool of others changes'),
        readings.pg_num,
        ('pools', 'own'),
    ),
    Rule(
        'NEW_POOL',
        _always('a pool that the run did not create'),
        readings.new_pool,
        ('pools', 'own'),
    ),
    Rule(
        'TENANT_IMPACT',
        lambda s: f"latency of other pools above {s.max_tenant_impact:g} x "
        f'their baseline for {readings.TENANT_SECONDS:.0f} s',
        readings.tenants,
        ('latency',),
    ),
    Rule(
        'BLIND',
        _always(
            'the cluster cannot be read for '
            f'{readings.BLIND_SECONDS:.0f} s'
        ),
        readings.blind,
    ),
)


def rules(
    settings: Settings, patience: Optional[Mapping[str, float]] = None
) -> List[Tuple[str, str]]:
    """Return (id, threshold) of all rules, for plans and results.

    ``patience`` has seconds for which rules (by id) must fire.
    """
    waits = patience or {}
    return [
        (rule.id, rule.threshold(settings) + _wait(waits.get(rule.id)))
        for rule in RULES
    ]


def _wait(seconds: Optional[float]) -> str:
    if not seconds:
        return ''
    if seconds == FOREVER:
        return '; looked at, but never ends this test'
    return f'; ends this test after {seconds:.0f} s without a break'
