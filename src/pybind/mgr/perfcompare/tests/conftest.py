"""Set up what the unit tests share."""

import pytest

from ..app import errands
from ..drivers import registry  # noqa: F401  (there are drivers)
from . import ceph_env

ceph_env.install_from_environment()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for answers: what takes how long is no matter of unit tests."""
    monkeypatch.setattr(errands, 'PATIENCE', 60.0)
