"""Other pools limit a group by what they do beside its own work."""

import pytest

from ...analysis.findings.evaluate import evaluate
from ..data.findings_data import make_trial, on_disks


def limit(trial):
    return evaluate(trial)['limit']


@pytest.mark.parametrize(
    ('share', 'expected'), [(0.00012, 'none found'), (0.05, 'tenants')]
)
def test_a_few_operations_of_others_limit_nobody_who_does_many(
    share, expected
):
    others = {'ops_per_s': 60.0, 'share': share}
    assert limit(make_trial(tenants=others)) == expected


def test_what_limits_a_group_is_told_beside_few_operations_of_others():
    others = {'ops_per_s': 60.0, 'share': 0.00012}
    trial = on_disks(make_trial(tenants=others), 'sda', util=0.99)
    assert limit(trial) == 'disk'


def test_where_the_share_is_not_known_their_rate_counts():
    assert limit(make_trial(tenants={'ops_per_s': 60.0})) == 'tenants'
    trial = make_trial(manifest={'tenant_ops_per_s': 60.0}, tenants={})
    assert limit(trial) == 'tenants'
