"""What plans need to know of the cluster's settings."""

import pytest

from ...common.errors import CommandFailed
from ...planning import inputs
from ..fakes.cluster import FakeCluster

STRIPE_UNIT = 'osd_pool_erasure_code_stripe_unit'


def test_the_stripe_unit_is_the_one_of_the_leading_mon() -> None:
    cluster = FakeCluster()
    assert inputs.read(cluster, [], 'default').stripe_unit == 4096
    cluster.config[('mon', STRIPE_UNIT)] = '16384'
    assert inputs.read(cluster, [], 'default').stripe_unit == 16384
    assert inputs.read(cluster, [], None).stripe_unit == 4096


@pytest.mark.parametrize(
    'told, unit', [('16384', 16384), ('16Ki', 16384), ('', 4096), ('0', 4096)]
)
def test_a_mon_that_does_not_answer_leaves_what_the_manager_has(
    monkeypatch: pytest.MonkeyPatch, told: str, unit: int
) -> None:
    cluster = FakeCluster()
    cluster.options[STRIPE_UNIT] = told

    def silent(mon: str, option: str) -> str:
        raise CommandFailed('config show', 2, 'no config state')

    monkeypatch.setattr(cluster, 'mon_config', silent)
    assert inputs.read(cluster, [], 'default').stripe_unit == unit
