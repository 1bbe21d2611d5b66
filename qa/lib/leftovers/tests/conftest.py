"""The tool on a cluster that is a fake, in which no time passes."""

import pytest

from .. import cli
from .fake_ceph import FakeCeph


@pytest.fixture
def ceph():
    return FakeCeph()


@pytest.fixture
def clean(ceph, monkeypatch, tmp_path):
    """Return what runs qa/cleanup on the fake cluster."""
    real_view, real_undoing = cli.View, cli.Undoing
    monkeypatch.setattr(cli, 'View', lambda c: real_view(c, lambda: c.clock))
    monkeypatch.setattr(
        cli,
        'Undoing',
        lambda c, v, r, a, s: real_undoing(c, v, r, a, c.sleep),
    )

    def run(act=True):
        return cli.clean(ceph, [str(tmp_path)], act)

    return run
