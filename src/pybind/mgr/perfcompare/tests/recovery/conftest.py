"""What recovery tests on fakes start from."""

import dataclasses
import pathlib
import tempfile

import pytest

from ...recovery.run import assembly
from ..data.recovery_rig import HOSTS, TestRig, Watched
from ..fakes.cluster import FakeCluster


@pytest.fixture
def rig(monkeypatch):
    monkeypatch.setattr(assembly, 'StepWatch', Watched)
    cluster = FakeCluster(HOSTS)
    cluster.mgrs = dataclasses.replace(cluster.mgrs, active_hostname='m')
    for name in ('osd_min_pg_log_entries', 'osd_max_pg_log_entries'):
        cluster.osd_defaults[name] = '10'
    with tempfile.TemporaryDirectory() as path:
        found = TestRig(cluster, pathlib.Path(path))
        found.settings = dataclasses.replace(
            found.settings, allow_failure_tests=True
        )
        yield found
        found.stop()
