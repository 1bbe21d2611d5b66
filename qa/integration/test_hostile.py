"""Bad input of every kind does no harm; the short form of qa/hostile."""

import pytest

from hostile.storm import Storm

from .live import LiveCluster
from .provision import HOSTILE, Provider

CLUSTER = HOSTILE.name
COUNT = 400
SEED = 1
# seconds for an answer, where other tests may have the machine as well
PATIENCE = 30.0


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with a dashboard."""
    return provider.get(HOSTILE)


def test_bad_input_is_answered_and_changes_nothing(
    cluster: LiveCluster,
) -> None:
    """Command lines, files and requests at random, made to be wrong."""
    report = Storm(cluster, PATIENCE).run(COUNT, SEED)
    print(report.text())
    assert sum(report.thrown.values()) >= COUNT
    assert report.clean, report.text()
